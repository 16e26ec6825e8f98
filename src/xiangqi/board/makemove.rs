//! Making and unmaking moves.

use thiserror::Error;

use super::check_info::CheckInfo;
use super::position::{Counters, PlayedMove, Position, StateInfo};
use crate::types::{Move, Piece, Square};

/// How one move changed the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardChange {
    /// The piece that moved.
    pub piece: Piece,
    /// The square it moved from.
    pub from: Square,
    /// The square it moved to.
    pub to: Square,
    /// The piece that it captured there.
    pub captured: Option<Piece>,
}

/// A listener to the changes of a board, such as an evaluation that is updated move by move.
///
/// ```
/// use xiangqi::board::{BoardChange, BoardObserver, Position};
///
/// /// The balance of captured pieces.
/// struct Captures(i32);
///
/// impl BoardObserver for Captures {
///     fn made(&mut self, change: BoardChange) {
///         self.0 += i32::from(change.captured.is_some());
///     }
///     fn unmade(&mut self, change: BoardChange) {
///         self.0 -= i32::from(change.captured.is_some());
///     }
/// }
///
/// let (mut position, mut captures) = (Position::startpos(), Captures(0));
/// position.make_observed("h2h9".parse()?, &mut captures);
/// assert_eq!(captures.0, 1);
/// position.unmake_observed(&mut captures);
/// assert_eq!(captures.0, 0);
/// # Ok::<(), xiangqi::types::MoveError>(())
/// ```
pub trait BoardObserver {
    /// Called after a move was made.
    fn made(&mut self, change: BoardChange);
    /// Called with the same change after the move was unmade.
    fn unmade(&mut self, change: BoardChange);
}

/// The observer that ignores every change.
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
    /// The piece on the source square cannot go to the target square.
    #[error("{0}: the piece on {from} cannot go to {to}", from = .0.from(), to = .0.to())]
    CannotGo(Move),
    /// The move leaves the mover's own general in check or facing the other one.
    #[error("{0}: the move would leave its own general in check")]
    LeavesCheck(Move),
}

/// The checks of one side that count towards the no-capture limit (CXA 2020, article 23).
const COUNTED_CHECKS: u16 = 10;

impl Position {
    /// Makes a move that the caller knows to be legal here, such as one of [`Position::legal_moves`].
    ///
    /// Use [`Position::play`] for a move that may be illegal.
    ///
    /// # Panics
    ///
    /// Debug builds panic if the move is illegal; release builds leave a position that no longer makes sense.
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// let mut position = Position::startpos();
    /// for &mv in position.legal_moves().iter() {
    ///     position.make(mv);
    ///     assert!(!position.in_check() || mv.to_string() == "b2b9" || mv.to_string() == "h2h9");
    ///     position.unmake();
    /// }
    /// assert_eq!(position.plies(), 0);
    /// ```
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.make_observed(mv, &mut ());
    }

    /// Makes a move like [`Position::make`] and tells the observer how it changed the board.
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

    /// The key that the position will have after a pseudo-legal move.
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

    /// Unmakes the last move or passed turn, and does nothing at the start of the record.
    #[inline]
    pub fn unmake(&mut self) {
        self.unmake_observed(&mut ());
    }

    /// Unmakes like [`Position::unmake`] and tells the observer, unless a passed turn was unmade.
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

    /// Passes the turn, as in null-move pruning; [`Position::unmake`] takes it back.
    ///
    /// # Panics
    ///
    /// Debug builds panic if the side to move is in check, since its general could then be captured.
    #[inline]
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a turn passed in check: {self:?}");
        self.push(self.key() ^ self.zobrist.turn(), None, None);
    }

    /// Makes a move if it is legal here.
    ///
    /// # Errors
    ///
    /// Says why the move is illegal and leaves the position as it was.
    ///
    /// ```
    /// use xiangqi::board::{PlayError, Position};
    ///
    /// let mut position = Position::startpos();
    /// position.play("b0c2".parse()?)?;
    /// let error = position.play("h9h8".parse()?).unwrap_err();
    /// assert_eq!(error, PlayError::CannotGo("h9h8".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        self.check_move(mv)?;
        self.make(mv);
        Ok(())
    }

    /// Checks that a move is legal here.
    ///
    /// # Errors
    ///
    /// Says why the move is illegal.
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

    /// Records a ply and hands the move to the other side, after the board has changed.
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
