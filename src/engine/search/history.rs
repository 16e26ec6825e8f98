//! What the search remembers of moves: how often each was good, alone and after what came before.

use xiangqi::types::{Move, Piece, Side, Square};

/// All history scores stay within this distance of zero.
pub(super) const LIMIT: i32 = 16_384;

/// A piece and where it went, as a row number; [`NO_PIECE_TO`] stands for a passed turn or the root.
pub(super) type PieceTo = usize;

const PIECE_TOS: usize = 14 * Square::COUNT;

/// The row of no move at all.
pub(super) const NO_PIECE_TO: PieceTo = PIECE_TOS;

/// The row of a piece that goes to a square.
#[inline]
pub(super) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * Square::COUNT + to.index()
}

/// The private tables of one thread.
pub(super) struct History {
    /// By side, source and target.
    butterfly: Box<[[[i16; Square::COUNT]; Square::COUNT]; 2]>,
    /// By capturing piece and target, and captured kind.
    captures: Box<[[i16; 7]; PIECE_TOS]>,
    /// By an earlier play and this one.
    continuation: Vec<[i16; PIECE_TOS]>,
}

/// Moves a score towards the bonus, by less the closer it is to the limit already.
#[inline]
fn nudge(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = i32::from(*score);
    *score = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

impl History {
    pub(super) fn new() -> History {
        History {
            butterfly: Box::new([[[0; Square::COUNT]; Square::COUNT]; 2]),
            captures: Box::new([[0; 7]; PIECE_TOS]),
            continuation: vec![[0; PIECE_TOS]; PIECE_TOS + 1],
        }
    }

    pub(super) fn clear(&mut self) {
        self.butterfly.as_flattened_mut().as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
    }

    /// The score of a quiet move by `piece`, after the plays one, two and four plies ago.
    #[inline]
    pub(super) fn quiet(&self, side: Side, mv: Move, piece: Piece, before: [PieceTo; 3]) -> i32 {
        let this = piece_to(piece, mv.to());
        let alone = self.butterfly[side.index()][mv.from().index()][mv.to().index()];
        before
            .iter()
            .fold(i32::from(alone), |sum, &earlier| sum + i32::from(self.continuation[earlier][this]))
    }

    /// The scores of any quiet moves of one node, as [`History::quiet`] gives them.
    #[inline]
    pub(super) fn quiets(&self, side: Side, before: [PieceTo; 3]) -> impl Fn(Move, Piece) -> i32 + '_ {
        // Each table's row is looked up once for all moves.
        let (alone, after) =
            (&self.butterfly[side.index()], before.map(|earlier| &self.continuation[earlier]));
        move |mv, piece| {
            let this = piece_to(piece, mv.to());
            let alone = i32::from(alone[mv.from().index()][mv.to().index()]);
            after.iter().fold(alone, |sum, row| sum + i32::from(row[this]))
        }
    }

    #[inline]
    pub(super) fn reward_quiet(
        &mut self,
        side: Side,
        mv: Move,
        piece: Piece,
        before: [PieceTo; 3],
        bonus: i32,
    ) {
        let this = piece_to(piece, mv.to());
        self.reward_alone(side, mv, bonus);
        for earlier in before.into_iter().filter(|&earlier| earlier != NO_PIECE_TO) {
            nudge(&mut self.continuation[earlier][this], bonus);
        }
    }

    /// Rewards a quiet move whatever came before it.
    #[inline]
    pub(super) fn reward_alone(&mut self, side: Side, mv: Move, bonus: i32) {
        nudge(&mut self.butterfly[side.index()][mv.from().index()][mv.to().index()], bonus);
    }

    /// The score of a capture.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, victim: Piece) -> i32 {
        i32::from(self.captures[piece_to(piece, to)][victim.kind().index()])
    }

    #[inline]
    pub(super) fn reward_capture(&mut self, piece: Piece, to: Square, victim: Piece, bonus: i32) {
        nudge(&mut self.captures[piece_to(piece, to)][victim.kind().index()], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_their_limit() {
        let mut score = 0;
        for _ in 0..1000 {
            nudge(&mut score, LIMIT / 3);
        }
        assert!(i32::from(score) <= LIMIT && i32::from(score) > LIMIT / 2);
        for _ in 0..1000 {
            nudge(&mut score, -2 * LIMIT);
        }
        assert_eq!(i32::from(score), -LIMIT);
    }

    #[test]
    fn a_rewarded_move_rises_and_clearing_forgets() {
        let mut history = History::new();
        let (mv, piece) = ("h2e2".parse().unwrap(), Piece::RedCannon);
        history.reward_quiet(Side::Red, mv, piece, [NO_PIECE_TO, 3, NO_PIECE_TO], 500);
        assert_eq!(history.quiet(Side::Red, mv, piece, [NO_PIECE_TO, 3, NO_PIECE_TO]), 1000);
        assert_eq!(history.quiet(Side::Red, mv, piece, [NO_PIECE_TO; 3]), 500);
        history.clear();
        assert_eq!(history.quiet(Side::Red, mv, piece, [NO_PIECE_TO, 3, NO_PIECE_TO]), 0);
    }
}
