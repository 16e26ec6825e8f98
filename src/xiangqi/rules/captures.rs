//! Questions about one capture: whether it may be made, and whether it can be answered on its square.

use crate::board::Position;
use crate::types::{Move, Square};

use super::effect::Protection;

/// Whether the side to move may play `mv`, which need not fit the piece that stands on its origin.
pub(super) fn is_playable(position: &Position, mv: Move) -> bool {
    position.is_pseudo_legal(mv) && position.is_legal(mv)
}

/// Whether the capture can be answered on its square, which is judged after it was made (真根, CXA 24.16).
pub(super) fn can_retake(position: &mut Position, capture: Move) -> bool {
    retaker(position, capture).is_some()
}

/// A piece that can retake after `capture`.
pub(super) fn retaker(position: &mut Position, capture: Move) -> Option<Square> {
    position.make(capture);
    let root = position.legal_moves().iter().find(|mv| mv.to() == capture.to()).map(|mv| mv.from());
    position.unmake();
    root
}

/// How the victim of a capture by the side to move is protected (24.15, 24.16).
pub(super) fn protection(position: &mut Position, capture: Move) -> Protection {
    if let Some(root) = retaker(position, capture) {
        return Protection::Insufficient(root);
    }
    let victims = position.pieces_of(!position.side());
    position.make(capture);
    let seeming = position.attackers_to(capture.to()) & victims;
    position.unmake();
    seeming.first().map_or(Protection::Unprotected, Protection::False)
}
