//! How moves are spelt: ranks counted from 0, as xiangqi programs do, or from 1, as Fairy-Stockfish's clients do.

use std::fmt;

use xiangqi::types::{Move, MoveError, Square};

/// The number of Red's back rank in the moves of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranks {
    /// Ranks 0 to 9: `h2e2`, `h9g7`.
    #[default]
    FromZero,
    /// Ranks 1 to 10: `h3e3`, `h10g8`.
    FromOne,
}

/// A move as it is written in a conversation.
#[derive(Debug, Clone, Copy)]
pub struct SpelledMove(Move, Ranks);

impl Ranks {
    /// The other way to count.
    pub fn other(self) -> Ranks {
        match self {
            Ranks::FromZero => Ranks::FromOne,
            Ranks::FromOne => Ranks::FromZero,
        }
    }

    /// The number of Red's back rank.
    pub fn first(self) -> u8 {
        match self {
            Ranks::FromZero => 0,
            Ranks::FromOne => 1,
        }
    }

    /// The move that `text` spells, letters in either case.
    pub fn read(self, text: &str) -> Result<Move, MoveError> {
        match self {
            Ranks::FromZero => text.parse(),
            Ranks::FromOne => read_from_one(text).ok_or_else(|| MoveError(text.chars().take(16).collect())),
        }
    }

    /// The move as this convention writes it.
    pub fn spell(self, mv: Move) -> SpelledMove {
        SpelledMove(mv, self)
    }
}

impl fmt::Display for SpelledMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SpelledMove(mv, ranks) = *self;
        match ranks {
            Ranks::FromZero => write!(f, "{mv}"),
            Ranks::FromOne => {
                let file = |square: Square| (b'a' + square.file()) as char;
                let (from, to) = (mv.from(), mv.to());
                write!(f, "{}{}{}{}", file(from), from.rank() + 1, file(to), to.rank() + 1)
            }
        }
    }
}

fn read_from_one(text: &str) -> Option<Move> {
    let second = text.bytes().skip(1).position(|byte| byte.is_ascii_alphabetic())? + 1;
    Move::new(square_from_one(text.get(..second)?)?, square_from_one(text.get(second..)?)?)
}

fn square_from_one(text: &str) -> Option<Square> {
    let (&file, rank) = text.as_bytes().split_first()?;
    let rank = match rank {
        b"10" => 10,
        [digit @ b'1'..=b'9'] => digit - b'0',
        _ => return None,
    };
    Square::new(file.to_ascii_lowercase().wrapping_sub(b'a'), rank - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_round_trips_in_both_spellings() {
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            for from in Square::all() {
                for to in Square::all().filter(|&to| to != from) {
                    let mv = Move::new(from, to).unwrap();
                    assert_eq!(ranks.read(&ranks.spell(mv).to_string()), Ok(mv));
                }
            }
        }
    }

    #[test]
    fn the_spellings_differ_as_clients_expect() {
        let mv: Move = "h9g7".parse().unwrap();
        assert_eq!(Ranks::FromOne.spell(mv).to_string(), "h10g8");
        assert_eq!(Ranks::FromOne.read("H10G8"), Ok(mv));
        for text in ["", "h", "h10", "h0g8", "h11g8", "h10g", "10h8g", "帅1a1", "h1010", "h10g8x", "h01g8"] {
            assert!(Ranks::FromOne.read(text).is_err(), "{text}");
        }
    }
}
