//! The network in the search: hidden sums that follow the moves.

use super::network::{Network, Sums};
use crate::score::Value;
use xiangqi::board::{BoardChange, BoardObserver, Position};

/// Keeps the hidden sums of a position, and values it.
///
/// It must see every move made and unmade on the position that it values ([`Position::make_observed`],
/// [`Position::unmake_observed`]). A move is only noted when it is made: sums are brought up to date when a value is
/// asked for, since many positions never are.
///
/// There is no cache of sums by the general's square, as networks whose inputs depend on it need: no input here
/// does, and a general's move is like any other.
#[derive(Debug, Clone)]
pub struct Evaluator<'n> {
    network: &'n Network,
    /// One step a ply, the first for where the evaluator began. Steps above `top` are kept for reuse.
    steps: Vec<Step>,
    top: usize,
}

/// What one ply did to the sums.
#[derive(Debug, Clone)]
struct Step {
    /// The sums after the ply, if they have been computed.
    sums: Sums,
    known: bool,
    /// The ply; `None` for the first step, which is always known.
    change: Option<BoardChange>,
}

impl<'n> Evaluator<'n> {
    /// The sums of a position, computed afresh.
    pub fn new(network: &'n Network, position: &Position) -> Evaluator<'n> {
        let first = Step { sums: network.sums(position.board()), known: true, change: None };
        Evaluator { network, steps: vec![first], top: 0 }
    }

    /// The value of `position` for the side to move, in centipawns within ±[`MAX_EVAL`](crate::score::MAX_EVAL).
    /// Positions in check have a value too, but not one to rely on.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Value {
        self.catch_up();
        let sums = &self.steps[self.top].sums;
        debug_assert_eq!(*sums, self.network.sums(position.board()), "a move was missed: {position:?}");
        self.network.value(sums, position.side(), position.occupied().len())
    }

    /// How many moves the sums have yet to follow before a value can be computed.
    pub fn pending(&self) -> usize {
        self.steps[..=self.top].iter().rev().take_while(|step| !step.known).count()
    }

    /// Computes the sums of the present step from the last ones that are known.
    fn catch_up(&mut self) {
        for at in self.top + 1 - self.pending()..=self.top {
            let (before, rest) = self.steps.split_at_mut(at);
            if let (Some(last), Some(step)) = (before.last(), rest.first_mut())
                && let Some(change) = step.change
            {
                step.sums = self.network.after(&last.sums, change);
                step.known = true;
            }
        }
    }
}

impl BoardObserver for Evaluator<'_> {
    #[inline]
    fn made(&mut self, change: BoardChange) {
        self.top += 1;
        match self.steps.get_mut(self.top) {
            Some(step) => (step.known, step.change) = (false, Some(change)),
            None => {
                let sums = self.steps[0].sums;
                self.steps.push(Step { sums, known: false, change: Some(change) });
            }
        }
    }

    #[inline]
    fn unmade(&mut self, change: BoardChange) {
        debug_assert_eq!(self.steps[self.top].change, Some(change), "another move is taken back");
        self.top = self.top.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays every line of so many plies, and compares the sums at every node, or at some only.
    fn walk(
        position: &mut Position,
        evaluator: &mut Evaluator,
        depth: u32,
        ask: &impl Fn(&Position) -> bool,
    ) {
        if ask(position) {
            let fresh = Evaluator::new(evaluator.network, position).evaluate(position);
            assert_eq!(evaluator.evaluate(position), fresh, "{position:?}");
            assert_eq!(evaluator.pending(), 0);
            assert_eq!(evaluator.steps[evaluator.top].sums, evaluator.network.sums(position.board()));
        }
        if depth > 0 {
            for &mv in position.legal_moves().iter() {
                position.make_observed(mv, evaluator);
                walk(position, evaluator, depth - 1, ask);
                position.unmake_observed(evaluator);
            }
        }
    }

    #[test]
    fn sums_follow_every_line_there_and_back() {
        let network = Network::random(3);
        for fen in [
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
            "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
        ] {
            let mut position = Position::from_fen(fen).unwrap();
            let mut evaluator = Evaluator::new(&network, &position);
            walk(&mut position, &mut evaluator, 3, &|_| true);
            // Where hardly any value is asked for, many plies are caught up with at once.
            walk(&mut position, &mut evaluator, 3, &|position| position.key().is_multiple_of(5));
            assert_eq!(evaluator.top, 0);
        }
    }

    #[test]
    fn a_passed_turn_changes_the_side_only() {
        let network = Network::random(4);
        let mut position = Position::startpos();
        let mut evaluator = Evaluator::new(&network, &position);
        position.make_observed("h2e2".parse().unwrap(), &mut evaluator);
        position.make_null();
        assert_eq!(evaluator.pending(), 1);
        assert_eq!(evaluator.evaluate(&position), Evaluator::new(&network, &position).evaluate(&position));
        position.unmake_observed(&mut evaluator);
        position.unmake_observed(&mut evaluator);
        assert_eq!(evaluator.top, 0);
    }
}
