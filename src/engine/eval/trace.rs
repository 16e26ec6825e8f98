//! What the network sees in a position: the value by each set of output weights, and what each piece is worth.

use std::fmt;

use super::arch::{OUTPUT_BUCKETS, output_bucket};
use super::network::Network;
use crate::score::Value;
use xiangqi::board::Position;
use xiangqi::types::{Piece, Side, Square};

/// The network's view of a position. All values are in centipawns, for Red.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The name of the network.
    pub network: String,
    /// The side to move.
    pub side: Side,
    /// The value by each set of output weights.
    pub buckets: [Value; OUTPUT_BUCKETS],
    /// Which of them counts.
    pub bucket: usize,
    /// Each piece, and by how much the value is larger with it than without it. Generals cannot be taken away.
    pub pieces: Vec<(Square, Piece, Option<Value>)>,
}

impl Trace {
    /// Takes the evaluation of a position apart.
    pub fn new(network: &Network, position: &Position) -> Trace {
        let (board, side) = (position.board(), position.side());
        let red = |value: Value| if side == Side::Red { value } else { -value };
        let count = board.occupied().len();
        let accumulator = network.accumulator(board);
        let buckets = [const { 0 }; OUTPUT_BUCKETS];
        let mut trace = Trace {
            network: network.name().to_owned(),
            side,
            buckets,
            bucket: output_bucket(count),
            pieces: Vec::new(),
        };
        for (at, value) in trace.buckets.iter_mut().enumerate() {
            *value = red(network.value(&accumulator, side, at));
        }
        let whole = trace.red_value();
        for square in board.occupied() {
            let Some(piece) = board.piece_on(square) else { continue };
            let worth = board.without(square).map(|rest| whole - red(network.evaluate(&rest, side)));
            trace.pieces.push((square, piece, worth));
        }
        trace
    }

    /// The value of the position for Red.
    pub fn red_value(&self) -> Value {
        self.buckets[self.bucket]
    }

    /// The value of the position for the side to move.
    pub fn value(&self) -> Value {
        if self.side == Side::Red { self.red_value() } else { -self.red_value() }
    }
}

impl fmt::Display for Trace {
    /// The board with the worth of each piece below it, then the value by each set of weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = |square| self.pieces.iter().find(|(place, ..)| *place == square);
        for rank in (0..Square::RANKS).rev() {
            let row = || (0..Square::FILES).filter_map(|file| Square::new(file, rank));
            write!(f, "{rank} ")?;
            for square in row() {
                match on(square) {
                    // A Chinese name is two columns wide.
                    Some((_, piece, _)) => write!(f, "   {}{} ", piece.letter(), piece.hanzi())?,
                    None => write!(f, "     · ")?,
                }
            }
            write!(f, "\n  ")?;
            for square in row() {
                match on(square).and_then(|(.., worth)| *worth) {
                    Some(worth) => write!(f, "{worth:>+6} ")?,
                    None => write!(f, "       ")?,
                }
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        ('a'..='i').try_for_each(|file| write!(f, "     {file} "))?;
        writeln!(f, "\nBelow a piece: what it is worth here, in centipawns for Red.")?;
        write!(f, "By the number of pieces (bucket {} counts):", self.bucket)?;
        self.buckets.iter().try_for_each(|value| write!(f, " {value:+}"))?;
        writeln!(f, "\nNetwork {}", self.network)?;
        write!(f, "evaluation {:+} for Red", self.red_value())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Evaluator;
    use super::super::network::tests::along_random_games;
    use super::*;

    #[test]
    fn the_trace_gives_the_value_of_the_search() {
        let network = Network::random(5);
        along_random_games(10, |position| {
            let value = Evaluator::new(&network, position).evaluate(position);
            assert_eq!(Trace::new(&network, position).value(), value, "{position:?}");
        });
    }

    #[test]
    fn a_piece_is_worth_what_its_absence_costs() {
        let network = Network::random(6);
        let with = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 0 1").unwrap();
        let trace = Trace::new(&network, &with);
        let bare = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1").unwrap();
        let less = Trace::new(&network, &bare).red_value();
        let rook = ("a1".parse().unwrap(), Piece::RedRook, Some(trace.red_value() - less));
        assert!(trace.pieces.contains(&rook), "{trace:?}");
        let generals = trace.pieces.iter().filter(|(.., worth)| worth.is_none()).count();
        assert_eq!((trace.pieces.len(), generals), (3, 2));
        let text = trace.to_string();
        assert!(text.contains(&format!("{:+}", trace.red_value() - less)) && text.ends_with(" for Red"));
    }
}
