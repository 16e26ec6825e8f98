//! The evaluation taken apart, term by term.

use std::fmt;

use super::terms::{Tally, Term, count_side, count_square};
use super::{FULL_PHASE, FULL_SCALE, Tapered, phase, scale};
use crate::board::Position;
use crate::types::Side;
use crate::types::score::Value;

/// One weight, and how often it counts for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// For whom it counts.
    pub side: Side,
    /// The term.
    pub term: Term,
    /// Which of the weights of the term.
    pub index: usize,
    /// How often.
    pub count: i32,
}

/// How an evaluation comes about: its value is linear in the weights, and these are the coefficients.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Every weight that counts.
    pub entries: Vec<Entry>,
    /// Game stage, 0 (endgame) to [`FULL_PHASE`] (opening).
    pub phase: i32,
    /// Winning chances of the stronger side, of [`FULL_SCALE`].
    pub scale: i32,
    /// The side to move.
    pub side: Side,
}

impl Tally for Vec<Entry> {
    fn add(&mut self, side: Side, term: Term, index: usize, count: i32) {
        if count != 0 {
            self.push(Entry { side, term, index, count });
        }
    }
}

impl Trace {
    /// Takes the evaluation of a position apart.
    pub fn new(position: &Position) -> Trace {
        let mut entries = Vec::new();
        entries.add(position.side(), Term::Tempo, 0, 1);
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                count_square(piece, square, &mut entries);
            }
        }
        Side::ALL.into_iter().for_each(|side| count_side(position, side, &mut entries));
        let mut trace = Trace { entries, phase: phase(position), scale: FULL_SCALE, side: position.side() };
        let unscaled = trace.sum().at(trace.phase);
        trace.scale = scale(position, if unscaled > 0 { Side::Red } else { Side::Black });
        trace
    }

    /// What one term gives to one side.
    fn of(&self, side: Side, term: Term) -> Tapered {
        self.entries
            .iter()
            .filter(|entry| entry.side == side && entry.term == term)
            .map(|entry| term.weights()[entry.index] * entry.count)
            .sum()
    }

    /// Everything, Red less Black.
    fn sum(&self) -> Tapered {
        Term::ALL.iter().map(|&term| self.of(Side::Red, term) - self.of(Side::Black, term)).sum()
    }

    /// The value of the position for Red, in centipawns.
    pub fn red_value(&self) -> Value {
        self.sum().at(self.phase) * self.scale / FULL_SCALE
    }

    /// The value of the position for the side to move, as [`Evaluator::evaluate`](super::Evaluator::evaluate)
    /// gives it.
    pub fn value(&self) -> Value {
        if self.side == Side::Red { self.red_value() } else { -self.red_value() }
    }
}

impl fmt::Display for Trace {
    /// A table: each term for Red and for Black, middle game and endgame, and their difference at this stage.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<20} {:^13} {:^13} {:>7}",
            "term (centipawns)", "Red mg   eg", "Black mg   eg", "total"
        )?;
        for &term in Term::ALL {
            let (red, black) = (self.of(Side::Red, term), self.of(Side::Black, term));
            let total = (red - black).at(self.phase);
            let pair = |side: Tapered| format!("{:>6} {:>6}", side.middle(), side.end());
            writeln!(f, "{:<20} {} {} {total:>+7}", term.name(), pair(red), pair(black))?;
        }
        writeln!(f, "stage {} of {FULL_PHASE}, winning chances {} of {FULL_SCALE}", self.phase, self.scale)?;
        write!(f, "evaluation {:+} for Red", self.red_value())
    }
}
