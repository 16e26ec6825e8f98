//! The short algebraic form some servers write: a piece letter, as much of the source as is needed, and the
//! target, as in `Cbe2`, `Hg7`, `Ch2-e2`, `xe4`. It is read only.

use super::iccs::RankBase;
use super::text::MoveScanner;
use super::{NotationError, iccs, wxf};
use crate::board::Position;
use crate::types::{Kind, Move, Square};

/// What the text says before the target square.
struct Disambiguation {
    kind: Kind,
    file: Option<u8>,
    rank: Option<u8>,
}

/// Reads a legal move in algebraic form. A piece has a capital letter; a text without one is a pawn's move.
pub(super) fn read(position: &Position, text: &str, ranks: RankBase) -> Result<Move, NotationError> {
    let mut scanner = MoveScanner::new(text);
    let kind = scanner.maybe(|letter| letter.is_ascii_uppercase().then(|| wxf::kind(letter))?);
    let mut origin = Disambiguation { kind: kind.unwrap_or(Kind::Pawn), file: None, rank: None };
    let first = scanner.maybe(iccs::file);
    let rank = iccs::rank(&mut scanner, ranks);
    let sign = scanner.maybe(|letter| matches!(letter, 'x' | '-' | ':').then_some(()));
    let target = match (first, rank) {
        (Some(file), Some(rank)) if sign.is_none() && scanner.peek().is_none() => Square::new(file, rank),
        (file, rank) => {
            (origin.file, origin.rank) = (file, rank);
            Some(iccs::square(&mut scanner, ranks)?)
        }
    };
    scanner.end()?;
    let fits = |mv: &Move| {
        position.piece_on(mv.from()).is_some_and(|piece| piece.kind() == origin.kind)
            && Some(mv.to()) == target
            && origin.file.is_none_or(|file| file == mv.from().file())
            && origin.rank.is_none_or(|rank| rank == mv.from().rank())
    };
    scanner.only(position.legal_moves().iter().copied().filter(fits).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves that a game platform refused to import although they were unmistakable.
    #[test]
    fn a_game_in_algebraic_form_is_read() {
        let mut position = Position::startpos();
        for (text, mv) in [
            ("Cbe2", "b2e2"),
            ("Hc7", "b9c7"),
            ("Hbc2", "b0c2"),
            ("Rb9", "a9b9"),
            ("Rb0", "a0b0"),
            ("c5", "c6c5"),
            ("Rb0-b6", "b0b6"),
            ("Hg7", "h9g7"),
            ("Hg2", "h0g2"),
            ("g5", "g6g5"),
            ("Cxe6", "e2e6"),
            ("Ncxe6", "c7e6"),
        ] {
            let found = read(&position, text, RankBase::Zero);
            assert_eq!(found.as_ref().map(Move::to_string).as_deref(), Ok(mv), "{text}: {found:?}");
            position.make(found.unwrap());
        }
    }

    #[test]
    fn what_is_not_a_move_is_refused() {
        let position = Position::startpos();
        for text in ["", "C", "Ce", "Ce22", "Ce3", "Cbh2", "Xe4", "e9e9e9", "x", "Ce2"] {
            assert!(read(&position, text, RankBase::Zero).is_err(), "{text}");
        }
    }
}
