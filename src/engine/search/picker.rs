//! The order of moves: table move, good captures, killers, quiets by history, bad captures.
//!
//! Each stage is prepared only when the one before is used up, for most nodes end at an early move.

use super::history::{History, PieceTo};
use xiangqi::board::{Gen, Position, see};
use xiangqi::types::{Move, MoveList};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    MakeCaptures,
    GoodCaptures,
    Killers,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// What the order depends on besides the position.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    /// The move of the table, whose legality is checked here before it is used.
    pub table: Option<Move>,
    /// Quiet moves that refuted siblings.
    pub killers: [Option<Move>; 2],
    /// The plays one, two and four plies ago.
    pub before: [PieceTo; 3],
}

/// Which of the moves that win nothing at once are given: quiet ones, and captures that lose material.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// Moves that give check: a mate in xiangqi is mostly a run of checks, and often begins with a sacrifice.
    Checks,
    None,
}

impl Wanted {
    #[inline]
    fn has(self, position: &Position, mv: Move) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Checks => position.gives_check(mv),
            Wanted::None => false,
        }
    }
}

/// Gives the legal moves of one position, one by one, the best first. In check these are the evasions.
#[derive(Clone)]
pub(super) struct MovePicker {
    stage: Stage,
    hints: Hints,
    quiets: Wanted,
    losing: Wanted,
    moves: MoveList,
    /// The rank of each move, by its index in the list; see [`rank`].
    ranks: [i32; MoveList::CAPACITY],
    next: usize,
    bad: MoveList,
}

impl MovePicker {
    /// All moves. Quiet ones can be left out from any point on by [`MovePicker::skip_quiets`].
    pub(super) fn new(position: &Position, hints: Hints) -> MovePicker {
        MovePicker::with(position, hints, Wanted::All)
    }

    /// Captures that lose nothing by exchange, and all checks if they are wanted, for quiescence.
    pub(super) fn captures(
        position: &Position,
        table: Option<Move>,
        before: [PieceTo; 3],
        checks: bool,
    ) -> MovePicker {
        let table = table.filter(|&mv| position.is_capture(mv));
        let others = if checks { Wanted::Checks } else { Wanted::None };
        MovePicker::with(position, Hints { table, killers: [None; 2], before }, others)
    }

    fn with(position: &Position, mut hints: Hints, others: Wanted) -> MovePicker {
        let believable = |mv: &Move| position.is_pseudo_legal(*mv) && position.is_legal(*mv);
        hints.table = hints.table.filter(believable);
        let quiet = |mv: &Move| believable(mv) && !position.is_capture(*mv);
        hints.killers = hints.killers.map(|killer| killer.filter(quiet));
        if hints.killers[0] == hints.killers[1] {
            hints.killers[1] = None;
        }
        MovePicker {
            stage: Stage::TableMove,
            hints,
            quiets: others,
            losing: others,
            moves: MoveList::new(),
            ranks: [TAKEN; MoveList::CAPACITY],
            next: 0,
            bad: MoveList::new(),
        }
    }

    /// Stops giving quiet moves other than checks.
    pub(super) fn skip_quiets(&mut self, position: &Position) {
        if self.quiets == Wanted::All {
            self.quiets = Wanted::Checks;
            if self.stage == Stage::Quiets {
                self.keep_checks(position);
            }
        }
    }

    /// The next move.
    #[inline]
    pub(super) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            let given = match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::MakeCaptures;
                    self.hints.table
                }
                Stage::MakeCaptures => {
                    self.make_captures(position, history);
                    self.stage = Stage::GoodCaptures;
                    None
                }
                Stage::GoodCaptures => match self.take_best() {
                    Some(mv) if position.see(mv, 0) => Some(mv),
                    Some(mv) => {
                        self.bad.push(mv);
                        None
                    }
                    None => {
                        self.stage = Stage::Killers;
                        self.next = 0;
                        None
                    }
                },
                Stage::Killers => self.next_killer(position),
                Stage::MakeQuiets => {
                    self.make_quiets(position, history);
                    self.stage = Stage::Quiets;
                    None
                }
                Stage::Quiets => {
                    let mv = self.take_best();
                    if mv.is_none() {
                        self.stage = Stage::BadCaptures;
                        self.next = 0;
                    }
                    mv.filter(|&mv| !self.hints.killers.contains(&Some(mv)))
                }
                Stage::BadCaptures => {
                    let mv = self.bad.get(self.next).copied();
                    self.next += 1;
                    if mv.is_none() {
                        self.stage = Stage::Done;
                    }
                    mv.filter(|&mv| self.losing.has(position, mv))
                }
                Stage::Done => return None,
            };
            if given.is_some() && (self.stage == Stage::MakeCaptures || given != self.hints.table) {
                return given;
            }
        }
    }

    /// Whether the move just given is a capture that loses material.
    pub(super) fn is_bad_capture(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    fn next_killer(&mut self, position: &Position) -> Option<Move> {
        let killer = self.hints.killers.get(self.next).copied();
        self.next += 1;
        if killer.is_none() {
            self.stage = Stage::MakeQuiets;
        }
        killer.flatten().filter(|&mv| self.quiets.has(position, mv))
    }

    fn make_captures(&mut self, position: &Position, history: &History) {
        position.generate(Gen::Captures, &mut self.moves);
        for (index, &mv) in self.moves.iter().enumerate() {
            let (Some(piece), Some(victim)) = (position.piece_on(mv.from()), position.piece_on(mv.to()))
            else {
                continue;
            };
            // Most valuable victim first; the history decides among its captors.
            let score = 16 * see::value_on(victim, mv.to()) - see::value(piece.kind()) / 8
                + history.capture(piece, mv.to(), victim) / 4;
            self.ranks[index] = rank(score, index);
        }
        self.next = 0;
    }

    fn make_quiets(&mut self, position: &Position, history: &History) {
        self.moves.clear();
        self.next = 0;
        match self.quiets {
            Wanted::All => position.generate(Gen::Quiets, &mut self.moves),
            Wanted::Checks => position.generate_quiet_checks(&mut self.moves),
            Wanted::None => return,
        }
        let score = history.quiets(position.side(), self.hints.before);
        for (index, &mv) in self.moves.iter().enumerate() {
            if let Some(piece) = position.piece_on(mv.from()) {
                self.ranks[index] = rank(score(mv, piece), index);
            }
        }
        if self.quiets == Wanted::Checks {
            self.keep_checks(position);
        }
    }

    /// Drops the quiet moves that do not give check.
    fn keep_checks(&mut self, position: &Position) {
        for (rank, &mv) in self.ranks.iter_mut().zip(self.moves.iter()) {
            if *rank != TAKEN && !position.gives_check(mv) {
                *rank = TAKEN;
            }
        }
    }

    /// The best move not yet taken. The ranks are plain numbers, so that the compiler compares eight at once.
    #[inline]
    fn take_best(&mut self) -> Option<Move> {
        let ranks = self.ranks.get_mut(..self.moves.len())?;
        let top = ranks.iter().copied().max().filter(|&top| top != TAKEN)?;
        let index = LAST - (top & LAST as i32) as usize;
        ranks[index] = TAKEN;
        self.moves.get(index).copied()
    }
}

/// The rank of a move that was given already.
const TAKEN: i32 = i32::MIN;
/// The last index of a list, all bits of an index.
const LAST: usize = MoveList::CAPACITY - 1;

/// The rank of the move at this index: by score, and among equal scores by the lower index.
#[inline]
fn rank(score: i32, index: usize) -> i32 {
    score * MoveList::CAPACITY as i32 + (LAST - index) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::NO_PIECE_TO;

    fn perft(position: &mut Position, depth: u32, history: &History, hint: Option<Move>) -> u64 {
        if depth == 0 {
            return 1;
        }
        // A killer and a table move that may or may not fit: neither may add or lose a move.
        let hints =
            Hints { table: hint, killers: [hint.map(Move::mirrored), hint], before: [NO_PIECE_TO; 3] };
        let mut picker = MovePicker::new(position, hints);
        let mut nodes = 0;
        while let Some(mv) = picker.next(position, history) {
            position.make(mv);
            nodes += perft(position, depth - 1, history, Some(mv.reversed()));
            position.unmake();
        }
        nodes
    }

    #[test]
    fn the_picker_gives_every_legal_move_once() {
        let history = History::new();
        let corpus = include_str!("../../../engine-tests/data/perft.csv");
        for line in corpus.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            let mut position = Position::from_fen(fields[0]).unwrap();
            for (depth, count) in (1..=3).zip(&fields[1..]) {
                for hint in [None, "h2e2".parse().ok(), "b0c2".parse().ok(), "e9e8".parse().ok()] {
                    let counted = perft(&mut position, depth, &history, hint);
                    assert_eq!(counted.to_string(), *count, "{}", fields[0]);
                }
            }
        }
    }
}
