//! How varied the openings of games are: the number of different lines after some plies.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use xiangqi::notation::pgn::RecordedGame;
use xiangqi::types::{Move, Side};

/// The different lines of a collection of games. Mirror images are one line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OpeningVariety {
    plies: usize,
    games: usize,
    lines: HashSet<OpeningLine>,
    /// The lines of each player's own moves.
    own: BTreeMap<String, HashSet<OpeningLine>>,
}

/// Where a line begins, and its moves.
type OpeningLine = (String, Vec<Move>);

impl OpeningVariety {
    /// Of these games after so many plies; a shorter game counts as it is.
    pub fn of(games: &[RecordedGame], plies: usize) -> OpeningVariety {
        let mut variety = OpeningVariety { plies, games: games.len(), ..OpeningVariety::default() };
        for game in games {
            let moves: Vec<Move> = game.moves().take(plies).collect();
            let start = game.start.to_fen();
            variety.lines.insert((start.clone(), canonical(game, &moves)));
            for (side, tag) in [(Side::Red, "Red"), (Side::Black, "Black")] {
                let Some(name) = game.tag(tag) else { continue };
                let first = usize::from(side != game.start.side());
                let own: Vec<Move> = moves.iter().copied().skip(first).step_by(2).collect();
                let line = (format!("{} {start}", side.letter()), canonical(game, &own));
                variety.own.entry(name.to_owned()).or_default().insert(line);
            }
        }
        variety
    }
}

/// The moves, or their mirror image if that comes first; only where the start position is its own image.
fn canonical(game: &RecordedGame, moves: &[Move]) -> Vec<Move> {
    let moves = moves.to_vec();
    if game.start.key() != game.start.mirrored_key() {
        return moves;
    }
    let mirrored = moves.iter().map(|mv| mv.mirrored()).collect();
    moves.min(mirrored)
}

impl fmt::Display for OpeningVariety {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OpeningVariety { plies, games, lines, own } = self;
        write!(f, "{games} games, {} different lines after {plies} plies", lines.len())?;
        for (name, lines) in own {
            write!(f, "; {name}: {} in its own moves", lines.len())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::notation::pgn;

    #[test]
    fn lines_are_counted_once_whatever_wing_they_are_on() {
        let text = "[Red \"A\"]\n[Black \"B\"]\n1. h2e2 h9g7 2. h0g2 1-0\n\n\
                    [Red \"A\"]\n[Black \"B\"]\n1. b2e2 b9c7 2. g3g4 1-0\n\n\
                    [Red \"B\"]\n[Black \"A\"]\n1. h2e2 h7e7 0-1\n";
        let games = pgn::read_all(text).unwrap();
        let said = |plies| OpeningVariety::of(&games, plies).to_string();
        let players = "; A: 2 in its own moves; B: 2 in its own moves";
        assert_eq!(said(2), format!("3 games, 2 different lines after 2 plies{players}"));
        let players = "; A: 3 in its own moves; B: 2 in its own moves";
        assert_eq!(said(3), format!("3 games, 3 different lines after 3 plies{players}"));
    }

    #[test]
    fn lines_from_elsewhere_are_others() {
        let lopsided = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";
        let text =
            format!("[FEN \"{lopsided}\"]\n1. a1b1 *\n\n1. h2e2 *\n\n[FEN \"{lopsided}\"]\n1. a1b1 *\n");
        let variety = OpeningVariety::of(&pgn::read_all(&text).unwrap(), 12);
        assert_eq!((variety.games, variety.lines.len(), variety.own.len()), (3, 2, 0));
    }
}
