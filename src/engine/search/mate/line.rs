//! The line of a mate found: the quickest attack against the longest defence.

use super::budget::Budget;
use super::prover::Prover;
use xiangqi::types::Move;

impl Prover<'_> {
    /// The line of a mate that the budget is just enough for. If the search is stopped meanwhile it ends early.
    pub(super) fn line(&mut self, budget: Budget) -> Vec<Move> {
        let (mut line, mut budget, mut mating) = (Vec::new(), budget, self.root_move);
        while let Some(mv) = mating {
            let Some(left) = budget.after(self.position.gives_check(mv)) else { break };
            self.position.make(mv);
            line.push(mv);
            let Some((reply, rest)) = self.longest_defence(left) else { break };
            self.position.make(reply);
            line.push(reply);
            budget = rest;
            mating = self.attacks(None, budget).into_iter().find(|&mv| self.mates(mv, budget));
        }
        line.iter().for_each(|_| self.position.unmake());
        line
    }

    /// The reply that holds out longest, and the least budget that still mates then.
    fn longest_defence(&mut self, budget: Budget) -> Option<(Move, Budget)> {
        let replies = self.replies(budget);
        let held = replies.into_iter().filter_map(|mv| {
            self.position.make(mv);
            let least = (1..=budget.moves)
                .map(|moves| Budget::new(moves, budget.quiets))
                .find(|&rest| self.attack(rest));
            self.position.unmake();
            Some((mv, least?))
        });
        held.max_by_key(|(_, rest)| rest.moves)
    }
}
