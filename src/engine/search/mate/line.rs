//! The line of a mate found: the quickest attack against the longest defence.

use super::allowance::Allowance;
use super::prover::Prover;
use xiangqi::types::Move;

impl Prover<'_> {
    /// The line of a mate for which the allowance is just enough. It ends early if the search is stopped meanwhile.
    pub(super) fn line(&mut self, allowance: Allowance) -> Vec<Move> {
        let (mut line, mut allowance, mut mating) = (Vec::new(), allowance, self.root_move);
        while let Some(mv) = mating {
            let Some(left) = allowance.after(self.position.gives_check(mv)) else { break };
            self.position.make(mv);
            line.push(mv);
            let Some((reply, rest)) = self.longest_defence(left) else { break };
            self.position.make(reply);
            line.push(reply);
            allowance = rest;
            mating = self.attacks(None, allowance).into_iter().find(|&mv| self.mates(mv, allowance));
        }
        line.iter().for_each(|_| self.position.unmake());
        line
    }

    /// The reply that holds out longest, and the least allowance that still mates then.
    fn longest_defence(&mut self, allowance: Allowance) -> Option<(Move, Allowance)> {
        let replies = self.replies(allowance);
        let held = replies.into_iter().filter_map(|mv| {
            self.position.make(mv);
            let least = (1..=allowance.moves)
                .map(|moves| Allowance::new(moves, allowance.quiets))
                .find(|&rest| self.attack(rest));
            self.position.unmake();
            Some((mv, least?))
        });
        held.max_by_key(|(_, rest)| rest.moves)
    }
}
