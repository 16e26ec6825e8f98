//! Making and taking back moves.

use thiserror::Error;

use super::check_info::CheckInfo;
use super::position::{Counters, PlayedMove, Position, StateInfo};
use crate::types::{Move, Piece, Square};

/// How one move changed the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardChange {
    /// The piece that moved.
    pub piece: Piece,
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
    /// What stood there.
    pub captured: Option<Piece>,
}

/// Somebody who follows the changes of the board, such as an evaluation with incremental sums.
pub trait BoardObserver {
    /// A move was made.
    fn made(&mut self, change: BoardChange);
    /// The move was taken back.
    fn unmade(&mut self, change: BoardChange);
}

/// Nobody watches.
impl BoardObserver for () {
    #[inline]
    fn made(&mut self, _: BoardChange) {}
    #[inline]
    fn unmade(&mut self, _: BoardChange) {}
}

/// Why a move cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlayError {
    /// There is no piece of the side to move on the source square.
    #[error("{0}: no piece of the side to move on {from}", from = .0.from())]
    NoPiece(Move),
    /// The piece does not move like that here.
    #[error("{0}: the piece on {from} cannot go to {to}", from = .0.from(), to = .0.to())]
    CannotGo(Move),
    /// The move leaves the own general in check or facing the other one.
    #[error("{0}: the own general would be left in check")]
    LeavesCheck(Move),
}

/// The checks of one side that count towards the no-capture limit (CXA 2020, article 23).
const COUNTED_CHECKS: u16 = 10;

impl Position {
    /// Makes a move that is legal here (see [`Position::is_legal`]; debug builds insist).
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.make_observed(mv, &mut ());
    }

    /// Makes a legal move and tells the observer.
    #[inline]
    pub fn make_observed<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.board.piece_on(from) else {
            debug_assert!(false, "{mv} moves nothing in {self:?}");
            return;
        };
        debug_assert!(self.is_pseudo_legal(mv) && self.is_legal(mv), "{mv} in {self:?}");
        let captured = self.board.piece_on(to);
        let key = self.key_after(mv);
        self.board.shift(piece, from, to, captured);
        self.push(key, Some(mv), captured);
        observer.made(BoardChange { piece, from, to, captured });
    }

    /// The key that the position would have after a pseudo-legal move.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let word = |piece: Option<Piece>, square| piece.map_or(0, |piece| self.zobrist.piece(piece, square));
        let mover = self.board.piece_on(from);
        self.key()
            ^ self.zobrist.turn()
            ^ word(mover, from)
            ^ word(mover, to)
            ^ word(self.board.piece_on(to), to)
    }

    /// Takes back the last move or passed turn; at the start of the record nothing happens.
    #[inline]
    pub fn unmake(&mut self) {
        self.unmake_observed(&mut ());
    }

    /// Takes back the last move or passed turn and tells the observer.
    #[inline]
    pub fn unmake_observed<O: BoardObserver>(&mut self, observer: &mut O) {
        if self.top == 0 {
            return;
        }
        let PlayedMove { mv, captured, .. } = self.state().played;
        self.top -= 1;
        self.side = !self.side;
        if let Some(mv) = mv {
            let (from, to) = (mv.from(), mv.to());
            if let Some(piece) = self.board.piece_on(to) {
                self.board.unshift(piece, from, to, captured);
                observer.unmade(BoardChange { piece, from, to, captured });
            }
        }
        debug_assert!(self.is_consistent(), "{self:?}");
    }

    /// Passes the turn: the opponent moves twice. Take it back with [`Position::unmake`].
    ///
    /// The side that passes must not be in check, else its general could be captured.
    #[inline]
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a turn passed in check: {self:?}");
        self.push(self.key() ^ self.zobrist.turn(), None, None);
    }

    /// Plays a move from outside: makes it if it is legal, else says why not and changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        self.check_move(mv)?;
        self.make(mv);
        Ok(())
    }

    /// Whether a move from outside is legal here, and if not, why not.
    pub fn check_move(&self, mv: Move) -> Result<(), PlayError> {
        if self.board.piece_on(mv.from()).is_none_or(|piece| piece.side() != self.side) {
            Err(PlayError::NoPiece(mv))
        } else if !self.is_pseudo_legal(mv) {
            Err(PlayError::CannotGo(mv))
        } else if !self.is_legal(mv) {
            Err(PlayError::LeavesCheck(mv))
        } else {
            Ok(())
        }
    }

    /// Turns the move over to the other side and records the ply; the board has changed already.
    #[inline]
    fn push(&mut self, key: u64, mv: Option<Move>, captured: Option<Piece>) {
        let before = self.state();
        let (mut counters, was_check) = (before.counters, before.played.check);
        let mover = self.side;
        self.side = !self.side;
        self.top += 1;
        if self.top == self.states.len() {
            let played = PlayedMove { mv: None, captured: None, check: false };
            self.states.push(StateInfo { played, counters, check_info: CheckInfo::none() });
            self.keys.push(0);
        }
        self.keys[self.top] = key;
        let state = &mut self.states[self.top];
        state.check_info.recompute(&self.board, self.side);
        let check = !state.check_info.checkers().is_empty();
        state.played = PlayedMove { mv, captured, check };
        if captured.is_some() {
            counters = Counters::default();
        } else {
            let (own, others) = (&counters.checks[mover.index()], &counters.checks[1 - mover.index()]);
            let uncounted = check && *own >= COUNTED_CHECKS || was_check && *others > COUNTED_CHECKS;
            counters.counted = counters.counted.saturating_add(u16::from(!uncounted));
            counters.reversible = if mv.is_some() { counters.reversible + 1 } else { 0 };
        }
        counters.checks[mover.index()] = counters.checks[mover.index()].saturating_add(u16::from(check));
        state.counters = counters;
        debug_assert!(self.is_consistent(), "{self:?}");
    }
}
