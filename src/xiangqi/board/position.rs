//! A position: a board, whose turn it is, and the moves that led there.

use std::fmt;
use std::ops::Deref;

use super::check_info::CheckInfo;
use super::fen::STARTPOS;
use super::placement::Board;
use super::zobrist::Zobrist;
use crate::types::{Bitboard, Move, Piece, Side, Square};

/// One ply of a position's past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move, or `None` for a passed turn.
    pub mv: Option<Move>,
    /// What it captured.
    pub captured: Option<Piece>,
    /// Whether it gave check.
    pub check: bool,
}

/// The counters that decide draws without capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counters {
    /// Counted plies since the last capture: as the FEN said, and without the checks that do not count.
    pub counted: u16,
    /// Checks each side has given since the last capture.
    pub checks: [u16; 2],
    /// Plies since the last capture or passed turn, as far back as this record goes.
    pub reversible: u32,
}

/// What one ply adds to the past, and what it takes to undo it.
#[derive(Clone)]
pub(super) struct StateInfo {
    pub played: PlayedMove,
    pub counters: Counters,
    pub check_info: CheckInfo,
}

/// A legal position with its past: every move made on it can be taken back.
///
/// It dereferences to its [`Board`], so everything that can be asked of a board can be asked of a position.
#[derive(Clone)]
pub struct Position {
    pub(super) board: Board,
    pub(super) side: Side,
    /// The number of the full move at the start of the record, and the side that moved first there.
    pub(super) first_move: (u32, Side),
    /// One state a ply, the first for the start of the record. Slots above `top` are kept for reuse.
    pub(super) states: Vec<StateInfo>,
    /// The key after each ply, beside the states because repetitions are looked for here all the time.
    pub(super) keys: Vec<u64>,
    pub(super) top: usize,
    pub(super) zobrist: &'static Zobrist,
}

impl Position {
    /// The starting position of the game.
    pub fn startpos() -> Position {
        Position::from_fen(STARTPOS).unwrap_or_else(|error| unreachable!("the start position: {error}"))
    }

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

    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The Zobrist key of board and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys[self.top]
    }

    /// The key of the position mirrored left to right. It is computed afresh: books ask for it, search does not.
    pub fn mirrored_key(&self) -> u64 {
        let word = |square: Square| {
            self.board.piece_on(square).map_or(0, |piece| self.zobrist.piece(piece, square.mirrored()))
        };
        self.occupied().into_iter().fold(self.zobrist.side(self.side), |key, square| key ^ word(square))
    }

    /// What the safety of the general of the side to move demands.
    #[inline]
    pub fn check_info(&self) -> &CheckInfo {
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

    /// How many plies have been made since the start of the record.
    #[inline]
    pub fn plies(&self) -> usize {
        self.top
    }

    /// The plies made since the start of the record, oldest first.
    pub fn record(&self) -> impl DoubleEndedIterator<Item = PlayedMove> + ExactSizeIterator + '_ {
        self.states[1..=self.top].iter().map(|state| state.played)
    }

    /// The last ply, if any was made.
    #[inline]
    pub fn last_played(&self) -> Option<PlayedMove> {
        (self.top > 0).then(|| self.state().played)
    }

    /// Whether the ply that led to the position `back` plies ago gave check (0: the last ply).
    #[inline]
    pub fn was_check(&self, back: usize) -> bool {
        back <= self.top && self.states[self.top - back].played.check
    }

    /// The key `back` plies ago (0: now), as far as the record goes.
    #[inline]
    pub fn key_before(&self, back: usize) -> Option<u64> {
        self.top.checked_sub(back).map(|index| self.keys[index])
    }

    /// Plies since the last capture or passed turn within this record: how far back a repetition can lie.
    #[inline]
    pub fn reversible_plies(&self) -> usize {
        self.state().counters.reversible as usize
    }

    /// How many plies ago this position last occurred in the record, if it did.
    #[inline]
    pub fn last_occurrence(&self) -> Option<usize> {
        let (key, limit) = (self.key(), self.reversible_plies());
        // A position cannot recur in two plies: each side must go and come back.
        let past = &self.keys[self.top - limit..=self.top];
        (4..=limit).step_by(2).find(|&back| past[limit - back] == key)
    }

    /// Plies since the last capture that count towards the no-capture limit: at most ten checks of either
    /// side are counted, and neither the eleventh and later ones nor the replies to them (CXA 2020, 3.3
    /// and 23.3; rules digest section 4).
    #[inline]
    pub fn quiet_plies(&self) -> u32 {
        u32::from(self.state().counters.counted)
    }

    /// The number of the full move, 1 at the start of a game.
    pub fn fullmove(&self) -> u32 {
        let (number, first) = self.first_move;
        number.saturating_add(((self.top + first.index()) / 2) as u32)
    }

    /// Whether every derived part agrees with the board; debug builds ask after each move.
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.board, self.to_fen())
    }
}
