//! Mate by consecutive checks (杀, CXA 24.2): a small AND-OR solver.

use crate::board::Position;
use crate::types::{Bitboard, Move};

use super::super::budget::TryBudget;
use super::super::context::MoveContext;
use super::exempt::Exempt;

/// The longest mate that is looked for, in checks.
const LONGEST_MATE: u32 = 6;

/// The mate that the move threatens.
pub(in super::super) fn kill(context: &mut MoveContext, contacts: Bitboard) -> Option<Vec<Move>> {
    let exempt = Exempt { contacts, old: Bitboard::EMPTY };
    let line = MateSolver::new(&mut context.passed, &context.budget).mate(LONGEST_MATE, exempt)?;
    (!is_self_inflicted(context, &line, exempt)).then_some(line)
}

/// The opponent's check left it open to a mate to which the answer adds nothing (自毙, 24.18, 26.3): its
/// first check was on the board before the answer, and it mates there once the checking pieces are lifted.
fn is_self_inflicted(context: &MoveContext, line: &[Move], exempt: Exempt) -> bool {
    let mut unchecked = context.before.clone();
    for checker in context.before.checkers() {
        if let Some(lifted) = unchecked.without(checker) {
            unchecked = lifted;
        }
    }
    context.before.in_check()
        && line.first().is_some_and(|&mv| mv.from() != context.mv.to() && context.before.is_pseudo_legal(mv))
        && !unchecked.opponent_in_check()
        && MateSolver::new(&mut unchecked, &context.budget).mate(LONGEST_MATE, exempt).is_some()
}

/// A search for mate by checks alone.
pub(super) struct MateSolver<'a> {
    position: &'a mut Position,
    budget: &'a TryBudget,
}

impl<'a> MateSolver<'a> {
    /// A solver for the side to move of `position`, which is left as it was found.
    pub fn new(position: &'a mut Position, budget: &'a TryBudget) -> MateSolver<'a> {
        MateSolver { position, budget }
    }

    /// The shortest mate within `longest` checks: the checks and the longest-lasting answers.
    ///
    /// A line whose mating move takes a piece in exchange contact on its square does not count: a mate that
    /// exists only by taking the offered piece leaves the offer an exchange (24.4, 26.10).
    pub fn mate(&mut self, longest: u32, exempt: Exempt) -> Option<Vec<Move>> {
        (1..=longest).find_map(|checks| self.attack(checks, exempt))
    }

    /// The side to move mates with at most `checks` checks.
    fn attack(&mut self, checks: u32, exempt: Exempt) -> Option<Vec<Move>> {
        let moves = self.position.legal_moves();
        for &mv in moves.iter() {
            if !self.position.gives_check(mv) {
                continue;
            }
            if !self.budget.spend() {
                return None;
            }
            self.position.make(mv);
            let mut line = self.defend(checks, exempt.after(mv), exempt.contacts.has(mv.to()));
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
    fn defend(&mut self, checks: u32, exempt: Exempt, took_contact: bool) -> Option<Vec<Move>> {
        let replies = self.position.legal_moves();
        if replies.is_empty() {
            return if took_contact { None } else { Some(Vec::new()) };
        }
        if checks == 1 {
            return None;
        }
        let mut longest = Vec::new();
        for &reply in replies.iter() {
            if !self.budget.spend() {
                return None;
            }
            self.position.make(reply);
            let line = self.attack(checks - 1, exempt.after(reply));
            self.position.unmake();
            let line = line?;
            if line.len() + 1 > longest.len() {
                longest = std::iter::once(reply).chain(line).collect();
            }
        }
        Some(longest)
    }
}
