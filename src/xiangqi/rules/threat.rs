//! Mate by consecutive checks (杀, CXA 24.2): a small AND-OR solver.

use crate::board::Position;
use crate::types::Move;

use super::marks::Marks;
use super::measure::Measure;

/// The longest mate that is looked for, in checks.
pub(super) const LONGEST_MATE: u32 = 6;

/// A search for mate by checks alone.
pub(super) struct Solver<'a> {
    position: &'a mut Position,
    measure: &'a Measure,
}

impl<'a> Solver<'a> {
    /// A solver for the side to move of `position`, which is left as it was found.
    pub fn new(position: &'a mut Position, measure: &'a Measure) -> Solver<'a> {
        Solver { position, measure }
    }

    /// The shortest mate within `longest` checks: the checks and the longest-lasting answers.
    ///
    /// A line whose mating move takes a piece in exchange contact on its square does not count: a mate that
    /// exists only by taking the offered piece leaves the offer an exchange (24.4, 26.10).
    pub fn mate(&mut self, longest: u32, marks: Marks) -> Option<Vec<Move>> {
        (1..=longest).find_map(|checks| self.attack(checks, marks))
    }

    /// The side to move mates with at most `checks` checks.
    fn attack(&mut self, checks: u32, marks: Marks) -> Option<Vec<Move>> {
        let moves = self.position.legal_moves();
        for &mv in moves.iter() {
            if !self.position.gives_check(mv) {
                continue;
            }
            if !self.measure.spend() {
                return None;
            }
            self.position.make(mv);
            let mut line = self.defend(checks, marks.after(mv), marks.contacts.has(mv.to()));
            self.position.unmake();
            if let Some(line) = &mut line {
                line.insert(0, mv);
            }
            if line.is_some() {
                return line;
            }
        }
        None
    }

    /// The checked side has no answer that outlasts `checks - 1` more checks.
    fn defend(&mut self, checks: u32, marks: Marks, took_contact: bool) -> Option<Vec<Move>> {
        let replies = self.position.legal_moves();
        if replies.is_empty() {
            return if took_contact { None } else { Some(Vec::new()) };
        }
        if checks == 1 {
            return None;
        }
        let mut longest = Vec::new();
        for &reply in replies.iter() {
            if !self.measure.spend() {
                return None;
            }
            self.position.make(reply);
            let line = self.attack(checks - 1, marks.after(reply));
            self.position.unmake();
            let line = line?;
            if line.len() + 1 > longest.len() {
                longest = std::iter::once(reply).chain(line).collect();
            }
        }
        Some(longest)
    }
}
