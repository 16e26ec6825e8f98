//! A position: a board, the side to move, and the moves that led there.

use std::fmt;
use std::ops::Deref;

use super::check_info::CheckInfo;
use super::placement::Board;
use super::zobrist::Zobrist;
use crate::types::{Bitboard, Move, Piece, Side, Square};

/// One ply of the record of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move, or `None` for a passed turn.
    pub mv: Option<Move>,
    /// The piece that the move captured.
    pub captured: Option<Piece>,
    /// Whether the move gave check.
    pub check: bool,
}

/// The counts of plies that decide draws and bound repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counters {
    /// Plies since the last capture that count, including those that the FEN says were played before.
    pub counted: u16,
    /// Checks that each side has given since the last capture.
    pub checks: [u16; 2],
    /// Plies since the last capture or passed turn, as far back as the record goes.
    pub reversible: u32,
}

/// What is known of the position after one ply, and what unmaking that ply needs.
#[derive(Clone)]
pub(super) struct StateInfo {
    pub played: PlayedMove,
    pub counters: Counters,
    pub check_info: CheckInfo,
}

/// A legal position together with the record of the moves made on it, each of which can be unmade.
///
/// A position dereferences to its [`Board`], so every question to a board can be asked of a position.
///
/// ```
/// use xiangqi::board::Position;
///
/// let mut position = Position::startpos();
/// position.play("h2e2".parse()?)?;
/// position.play("h9g7".parse()?)?;
/// assert_eq!(position.to_fen(), "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
///
/// position.unmake();
/// position.unmake();
/// assert_eq!(position.key(), Position::startpos().key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    pub(super) board: Board,
    pub(super) side: Side,
    /// The number of the full move at the start of the record, and the side that moved first there.
    pub(super) first_move: (u32, Side),
    /// One state for each ply, after that of the start of the record; those above `top` are kept for reuse.
    pub(super) states: Vec<StateInfo>,
    /// The key after each ply, apart from the states because the search for repetitions reads nothing else.
    pub(super) keys: Vec<u64>,
    pub(super) top: usize,
    pub(super) zobrist: &'static Zobrist,
}

impl Position {
    /// The position of a board that is known to be legal, at the start of its record.
    pub(super) fn new(board: Board, side: Side, counted: u16, fullmove: u32) -> Position {
        let zobrist = Zobrist::get();
        let key = board.fresh_key() ^ zobrist.side(side);
        let mut check_info = CheckInfo::none();
        check_info.recompute(&board, side);
        let played = PlayedMove { mv: None, captured: None, check: !check_info.checkers().is_empty() };
        let counters = Counters { counted, ..Counters::default() };
        Position {
            board,
            side,
            first_move: (fullmove, side),
            states: vec![StateInfo { played, counters, check_info }],
            keys: vec![key],
            top: 0,
            zobrist,
        }
    }

    #[inline]
    pub(super) fn state(&self) -> &StateInfo {
        &self.states[self.top]
    }

    /// The pieces on their squares.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The Zobrist key of the board and the side to move, the same in every run and on every machine.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys[self.top]
    }

    /// The key of the position mirrored left to right, computed from scratch.
    pub fn mirrored_key(&self) -> u64 {
        let word = |square: Square| {
            self.board.piece_on(square).map_or(0, |piece| self.zobrist.piece(piece, square.mirrored()))
        };
        self.occupied().into_iter().fold(self.zobrist.side(self.side), |key, square| key ^ word(square))
    }

    /// The checks on the general of the side to move and the targets they leave to its other pieces.
    #[inline]
    pub(super) fn check_info(&self) -> &CheckInfo {
        &self.state().check_info
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.check_info().checkers()
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Whether the general of the side not to move could be captured, which no game leads to.
    pub(crate) fn opponent_in_check(&self) -> bool {
        let waiting = !self.side;
        self.is_king_attacked(waiting, self.king(waiting))
    }

    /// The number of plies since the start of the record, passed turns included.
    #[inline]
    pub fn plies(&self) -> usize {
        self.top
    }

    /// The plies since the start of the record, oldest first.
    pub fn record(&self) -> impl DoubleEndedIterator<Item = PlayedMove> + ExactSizeIterator + '_ {
        self.states[1..=self.top].iter().map(|state| state.played)
    }

    /// The last ply, or `None` at the start of the record.
    #[inline]
    pub fn last_played(&self) -> Option<PlayedMove> {
        (self.top > 0).then(|| self.state().played)
    }

    /// Whether the ply that led to the position `back` plies ago gave check, where 0 stands for the last ply.
    #[inline]
    pub(crate) fn was_check(&self, back: usize) -> bool {
        back <= self.top && self.states[self.top - back].played.check
    }

    /// The key of the position `back` plies ago, where 0 stands for now, or `None` before the start of the record.
    #[inline]
    pub fn key_before(&self, back: usize) -> Option<u64> {
        self.top.checked_sub(back).map(|index| self.keys[index])
    }

    /// The plies since the last capture or passed turn of the record, which is how far back a repetition can lie.
    #[inline]
    pub fn reversible_plies(&self) -> usize {
        self.state().counters.reversible as usize
    }

    /// How many plies ago this position last occurred in the record, or `None` if it is new.
    #[inline]
    pub fn last_occurrence(&self) -> Option<usize> {
        let (key, limit) = (self.key(), self.reversible_plies());
        // A position cannot recur in two plies: each side must go and come back.
        let past = &self.keys[self.top - limit..=self.top];
        (4..=limit).step_by(2).find(|&back| past[limit - back] == key)
    }

    /// The plies since the last capture that count towards the no-capture limit.
    ///
    /// At most ten checks of either side count; the later ones and the replies to them do not (CXA 2020, 3.3
    /// and 23.3).
    #[inline]
    pub fn quiet_plies(&self) -> u32 {
        u32::from(self.state().counters.counted)
    }

    /// The number of the full move, which is 1 at the start of a game and grows after each move of Black.
    pub fn fullmove(&self) -> u32 {
        let (number, first) = self.first_move;
        number.saturating_add(((self.top + first.index()) / 2) as u32)
    }

    /// The same position at the start of a new record, cheap to clone and with nothing to unmake.
    pub fn without_past(&self) -> Position {
        Position::new(self.board.clone(), self.side, 0, self.fullmove())
    }

    /// The same position at the start of a new record, with the piece on `square` removed, or `None` if no piece or
    /// a general stands there.
    ///
    /// The side not to move may then be in check (see [`Position::opponent_in_check`]). Single moves of such a
    /// position can still be checked and made, but the list of its legal moves may capture a general.
    pub(crate) fn without(&self, square: Square) -> Option<Position> {
        let board = self.board.without(square)?;
        Some(Position::new(board, self.side, 0, self.fullmove()))
    }

    /// Whether all derived parts agree with the board, which debug builds check after each move.
    pub(super) fn is_consistent(&self) -> bool {
        self.board.is_consistent() && self.key() == self.board.fresh_key() ^ self.zobrist.side(self.side)
    }
}

impl Deref for Position {
    type Target = Board;
    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl fmt::Debug for Position {
    /// Draws the board and writes the FEN below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.board, self.to_fen())
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
