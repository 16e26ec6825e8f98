//! Games of a match as PGN.

use std::fmt::Write as _;

use super::engine::Score;
use super::record::{GameRecord, PlyThought, result_text};
use crate::board::STARTPOS;
use crate::types::Move;

/// What the tags say beside the game itself.
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

/// One game with an empty line at its end. Moves are in ICCS coordinates, each on a line of its own, with the
/// engine's score, depth and time as a remark to the end of the line. The remark has no blank and ends with a
/// full stop: readers that know no remarks take it for a move number and pass over it.
pub fn write(tags: &Tags<'_>, record: &GameRecord) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace(['"', '\\', '\n', '\r'], "'");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Game", "Chinese Chess");
    tag("Event", tags.event);
    tag("Site", tags.site);
    tag("Date", tags.date);
    tag("Round", tags.round);
    tag("Red", tags.names[0]);
    tag("Black", tags.names[1]);
    tag("Result", result_text(record.outcome));
    if record.start != STARTPOS {
        tag("FEN", &record.start);
    }
    if tags.controls[0] == tags.controls[1] {
        tag("TimeControl", tags.controls[0]);
    } else {
        tag("RedTimeControl", tags.controls[0]);
        tag("BlackTimeControl", tags.controls[1]);
    }
    let reason = if record.detail.is_empty() { "" } else { ": " };
    tag("Termination", &format!("{}{reason}{}", record.termination, record.detail));
    tag("PlyCount", &record.plies.len().to_string());
    tag("Format", "ICCS");
    text.push('\n');
    let black_starts = usize::from(record.start.split(' ').nth(1) == Some("b"));
    for (i, ply) in record.plies.iter().enumerate() {
        let place = i + black_starts;
        let dots = if place % 2 == 0 { "." } else { "..." };
        let _ = write!(text, "{}{dots} {}", place / 2 + 1, iccs(ply.mv));
        match &ply.thought {
            Some(thought) => text.push_str(&remark(thought)),
            None => text.push_str(" ;book."),
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{}\n", result_text(record.outcome));
    text
}

fn iccs(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_uppercase()
}

fn remark(thought: &PlyThought) -> String {
    let score = match thought.score {
        Some(Score::Points(points)) => format!("{points:+}"),
        Some(Score::Mate(moves)) => format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs()),
        None => "?".to_owned(),
    };
    let depth = thought.depth.map_or_else(|| "?".to_owned(), |depth| depth.to_string());
    format!(" ;{score}/{depth},{:.3}s.", thought.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::record::{Ply, Termination};
    use crate::rules::Outcome;
    use crate::types::Side;

    #[test]
    fn a_whole_game() {
        let thought =
            |score| PlyThought { time: Duration::from_millis(1234), score, depth: Some(9), nodes: None };
        let ply = |mv: &str, thought| Ply { mv: mv.parse().unwrap(), thought };
        let record = GameRecord {
            start: STARTPOS.to_owned(),
            plies: vec![
                ply("h2e2", None),
                ply("h9g7", Some(thought(Some(Score::Points(-12))))),
                ply("h0g2", Some(thought(Some(Score::Mate(3))))),
            ],
            outcome: Outcome::Win(Side::Red),
            termination: Termination::IllegalMove,
            detail: "say \"x\"".to_owned(),
            fouls: [0, 0],
        };
        let tags = Tags {
            event: "Test",
            site: "?",
            date: "2026.11.29",
            round: "1.2",
            names: ["A", "B"],
            controls: ["2+0.02", "2+0.02"],
        };
        let expected = "[Game \"Chinese Chess\"]\n[Event \"Test\"]\n[Site \"?\"]\n[Date \"2026.11.29\"]\n\
             [Round \"1.2\"]\n[Red \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[TimeControl \"2+0.02\"]\n\
             [Termination \"illegal-move: say 'x'\"]\n[PlyCount \"3\"]\n[Format \"ICCS\"]\n\n\
             1. H2-E2 ;book.\n1... H9-G7 ;-12/9,1.234s.\n2. H0-G2 ;+M3/9,1.234s.\n1-0\n\n";
        assert_eq!(write(&tags, &record), expected);
    }
}
