//! Games of a match as PGN.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::engine::ReportedScore;
use super::record::{GameRecord, MoveData};
use xiangqi::board::{FenError, Position};
use xiangqi::notation::pgn::{CommentStyle, RecordedGame, write_with};
use xiangqi::notation::{Notation, chinese::ChineseStyle};

/// In which notation moves are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum MoveStyle {
    /// H2-E2.
    #[default]
    Iccs,
    /// 炮二平五.
    Chinese,
    /// C2=5.
    Wxf,
}

/// What the tags say in addition to the game itself.
#[derive(Debug, Clone, Copy)]
pub struct Tags<'a> {
    /// Name of the match.
    pub event: &'a str,
    /// Where it is played.
    pub site: &'a str,
    /// Date, as `2026.11.29`.
    pub date: &'a str,
    /// Round and game.
    pub round: &'a str,
    /// Names of red and black.
    pub names: [&'a str; 2],
    /// Limits of red and black.
    pub controls: [&'a str; 2],
}

/// One game with an empty line at its end, the engine's score, depth and time behind each move.
pub fn write(tags: &Tags<'_>, record: &GameRecord, style: MoveStyle) -> Result<String, FenError> {
    let mut game = RecordedGame::new(Position::from_fen(&record.start)?);
    game.outcome = Some(record.outcome);
    let reason = if record.detail.is_empty() { "" } else { ": " };
    let termination = format!("{}{reason}{}", record.termination, record.detail);
    let controls = match tags.controls {
        [red, black] if red == black => red.to_owned(),
        [red, black] => format!("red {red}, black {black}"),
    };
    for (name, value) in [
        ("Event", tags.event),
        ("Site", tags.site),
        ("Date", tags.date),
        ("Round", tags.round),
        ("Red", tags.names[0]),
        ("Black", tags.names[1]),
        // Programs that compute ratings look for the players under the names of chess.
        ("White", tags.names[0]),
        ("TimeControl", &controls),
        ("Termination", &termination),
        ("PlyCount", &record.plies.len().to_string()),
    ] {
        game.set_tag(name, value);
    }
    for ply in &record.plies {
        game.push(ply.mv, ply.thought.as_ref().map_or_else(|| "book.".to_owned(), remark));
    }
    let notation = match style {
        MoveStyle::Iccs => Notation::Iccs,
        MoveStyle::Chinese => Notation::Chinese(ChineseStyle::SIMPLIFIED),
        MoveStyle::Wxf => Notation::Wxf,
    };
    // To the end of the line, so that readers without comments (Python's cchess) can read the games as well.
    Ok(write_with(&game, notation, CommentStyle::ToLineEnd))
}

/// Score, depth and time in one word with a full stop at its end.
fn remark(thought: &MoveData) -> String {
    let score = match thought.score {
        Some(ReportedScore::Points(points)) => format!("{points:+}"),
        Some(ReportedScore::Mate(moves)) => {
            format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs())
        }
        None => "?".to_owned(),
    };
    let depth = thought.depth.map_or_else(|| "?".to_owned(), |depth| depth.to_string());
    format!("{score}/{depth},{:.3}s.", thought.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::record::{MoveRecord, Termination};
    use xiangqi::board::STARTPOS;
    use xiangqi::notation::pgn;
    use xiangqi::types::{Outcome, Side};

    fn record() -> GameRecord {
        let thought = |score| MoveData {
            time: Duration::from_millis(1234),
            score: Some(score),
            depth: Some(9),
            nodes: None,
        };
        let ply = |mv: &str, thought| MoveRecord { mv: mv.parse().unwrap(), thought };
        GameRecord {
            start: STARTPOS.to_owned(),
            plies: vec![
                ply("h2e2", None),
                ply("h9g7", Some(thought(ReportedScore::Points(-12)))),
                ply("h0g2", Some(thought(ReportedScore::Mate(3)))),
            ],
            outcome: Outcome::Win(Side::Red),
            termination: Termination::IllegalMove,
            detail: "xyzzy".to_owned(),
            fouls: [0, 0],
        }
    }

    fn text(style: MoveStyle) -> String {
        let tags = Tags {
            event: "Test",
            site: "?",
            date: "2026.11.29",
            round: "1.2",
            names: ["A", "B"],
            controls: ["2+0.02", "2+0.02"],
        };
        write(&tags, &record(), style).unwrap()
    }

    #[test]
    fn a_whole_game() {
        let expected = "[Game \"Chinese Chess\"]\n[Event \"Test\"]\n[Site \"?\"]\n[Date \"2026.11.29\"]\n\
             [Round \"1.2\"]\n[Red \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[White \"A\"]\n[TimeControl \"2+0.02\"]\n\
             [Termination \"illegal-move: xyzzy\"]\n[PlyCount \"3\"]\n[Format \"ICCS\"]\n\n\
             1. H2-E2 ;book.\n1... H9-G7 ;-12/9,1.234s.\n2. H0-G2 ;+M3/9,1.234s.\n1-0\n\n";
        assert_eq!(text(MoveStyle::Iccs), expected);
    }

    #[test]
    fn every_notation_reads_back() {
        for (style, second) in
            [(MoveStyle::Iccs, "H9-G7"), (MoveStyle::Chinese, "马８进７"), (MoveStyle::Wxf, "H8+7")]
        {
            let text = text(style);
            assert!(text.contains(second), "{text}");
            let games = pgn::read_bytes(text.as_bytes()).unwrap();
            assert_eq!(games.len(), 1);
            assert!(games[0].moves().eq(record().plies.iter().map(|ply| ply.mv)), "{text}");
            assert_eq!(games[0].main.moves[1].comment, "-12/9,1.234s.");
            assert_eq!(games[0].outcome, Some(Outcome::Win(Side::Red)));
        }
    }
}
