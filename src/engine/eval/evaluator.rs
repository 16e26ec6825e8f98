//! The network in the search.

use super::accumulator::AccumulatorStack;
use super::arch::output_bucket;
use super::network::Network;
use crate::score::Value;
use xiangqi::board::{BoardChange, BoardObserver, Position};

/// Evaluates a position, whose moves it has to see ([`Position::make_observed`], [`Position::unmake_observed`]).
#[derive(Debug, Clone)]
pub struct Evaluator<'n> {
    network: &'n Network,
    accumulators: AccumulatorStack<'n>,
}

impl<'n> Evaluator<'n> {
    /// An evaluator that begins at a position.
    pub fn new(network: &'n Network, position: &Position) -> Evaluator<'n> {
        Evaluator { network, accumulators: AccumulatorStack::new(&network.transformer, position) }
    }

    /// The value of `position` for the side to move, in centipawns within ±[`MAX_EVAL`](crate::score::MAX_EVAL).
    ///
    /// Positions in check have a value too, but not one to rely on.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Value {
        let accumulator = self.accumulators.current(position);
        self.network.value(accumulator, position.side(), output_bucket(position.occupied().len()))
    }

    /// How many moves the accumulator has yet to follow before a value can be computed.
    pub fn pending(&self) -> usize {
        self.accumulators.pending()
    }
}

impl BoardObserver for Evaluator<'_> {
    #[inline]
    fn made(&mut self, change: BoardChange) {
        self.accumulators.made(change);
    }

    #[inline]
    fn unmade(&mut self, change: BoardChange) {
        self.accumulators.unmade(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(evaluator.pending(), 0);
        assert_eq!(evaluator.evaluate(&position), Evaluator::new(&network, &position).evaluate(&position));
    }
}
