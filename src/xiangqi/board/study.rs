//! Positions made from positions, to ask what a move or a piece contributes.

use super::placement::Board;
use super::position::Position;
use crate::types::{Kind, Square};

impl Position {
    /// The same position without its past: cheap to copy, with nothing to take back.
    pub fn without_past(&self) -> Position {
        Position::new(self.board.clone(), self.side, 0, self.fullmove())
    }

    /// The same position, without its past, with the piece on `square` lifted off the board; `None` if no
    /// piece or a general stands there.
    ///
    /// The side not to move may then be in check (see [`Position::opponent_in_check`]). In such a position
    /// single moves can be asked about and made, but the list of legal moves would capture a general.
    pub fn without(&self, square: Square) -> Option<Position> {
        self.piece_on(square).filter(|piece| piece.kind() != Kind::King)?;
        let pieces = self.occupied().without(square).into_iter();
        let board = Board::new(pieces.filter_map(|at| Some((at, self.piece_on(at)?))));
        Some(Position::new(board, self.side, 0, self.fullmove()))
    }

    /// Whether the general of the side not to move could be captured. No game leads to such a position.
    pub fn opponent_in_check(&self) -> bool {
        let waiting = !self.side;
        self.is_king_attacked(waiting, self.king(waiting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifting_a_piece_leaves_all_others() {
        let start = Position::startpos();
        let cannon: Square = "h2".parse().unwrap();
        let lifted = start.without(cannon).unwrap();
        assert_eq!(lifted.occupied(), start.occupied().without(cannon));
        assert_eq!(lifted.side(), start.side());
        assert!(start.without("e4".parse().unwrap()).is_none());
        assert!(start.without("e0".parse().unwrap()).is_none());
    }

    #[test]
    fn a_lifted_shield_exposes_the_waiting_general() {
        let shielded = Position::from_fen("3k5/9/3n5/9/9/9/3R5/9/9/4K4 w - - 0 1").unwrap();
        assert!(!shielded.opponent_in_check());
        assert!(shielded.without("d7".parse().unwrap()).unwrap().opponent_in_check());
        let mut turned = shielded.without_past();
        turned.make_null();
        assert!(!turned.without("d7".parse().unwrap()).unwrap().opponent_in_check());
    }

    #[test]
    fn the_past_is_left_behind() {
        let mut played = Position::startpos();
        played.make("h2e2".parse().unwrap());
        let alone = played.without_past();
        assert_eq!((alone.key(), alone.plies()), (played.key(), 0));
    }
}
