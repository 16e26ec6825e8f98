//! Mate by consecutive checks (杀, CXA 24.2): a small AND-OR solver.

use std::collections::HashMap;

use crate::board::Position;
use crate::types::{Bitboard, Move};

use super::super::budget::TryBudget;
use super::super::context::MoveContext;
use super::exempt::Exempt;

/// The longest mate that is looked for, in checks.
const LONGEST_MATE: u32 = 10;

/// The mate that the move threatens.
pub(in super::super) fn kill(context: &mut MoveContext, contacts: Bitboard) -> Option<Vec<Move>> {
    let exempt = Exempt { contacts, old: Bitboard::EMPTY };
    let line = MateSolver::new(&mut context.passed, &context.kill_budget).mate(LONGEST_MATE, exempt)?;
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
        && MateSolver::new(&mut unchecked, &context.kill_budget).mate(LONGEST_MATE, exempt).is_some()
}

/// A search for mate by checks alone.
pub(super) struct MateSolver<'a> {
    position: &'a mut Position,
    budget: &'a TryBudget,
    /// Positions with the pieces in contact, and how many checks are known not to mate there.
    refuted: HashMap<(u64, Bitboard), u32>,
    /// Whether a line was given up for its length alone, so that a longer one may mate.
    was_cut: bool,
}

impl<'a> MateSolver<'a> {
    /// A solver for the side to move of `position`, which is left as it was found.
    pub fn new(position: &'a mut Position, budget: &'a TryBudget) -> MateSolver<'a> {
        MateSolver { position, budget, refuted: HashMap::new(), was_cut: false }
    }

    /// The shortest mate within `longest` checks: the checks and the longest-lasting answers.
    ///
    /// A line whose mating move takes a piece in exchange contact on its square does not count: a mate that
    /// exists only by taking the offered piece leaves the offer an exchange (24.4, 26.10).
    pub fn mate(&mut self, longest: u32, exempt: Exempt) -> Option<Vec<Move>> {
        for checks in 1..=longest {
            self.was_cut = false;
            let line = self.attack(checks, exempt);
            if line.is_some() || !self.was_cut {
                return line;
            }
        }
        None
    }

    /// The side to move mates with at most `checks` checks.
    fn attack(&mut self, checks: u32, exempt: Exempt) -> Option<Vec<Move>> {
        let node = (self.position.key(), exempt.contacts);
        if checks > 1 && self.refuted.get(&node).is_some_and(|&refuted| refuted >= checks) {
            self.was_cut = true;
            return None;
        }
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
        if checks > 1 && self.budget.is_left() {
            self.refuted.insert(node, checks);
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
            self.was_cut = true;
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
