//! The evaluation: what a quiet position is worth, in centipawns.
//!
//! Material and piece-square values are kept in step with the board by an [`Evaluator`], which watches the
//! moves made; mobility, king danger and the links between pieces are counted when a value is asked for.
//! Every weight stands in one table ([`weights`]) and every value is linear in it, so that it can be tuned.

mod cache;
mod features;
mod file;
mod network;
mod tapered;
mod terms;
mod trace;
mod wdl;
pub mod weights;

pub use cache::Cache;
pub use features::{FEATURES, Pair, feature};
pub use file::{NetworkError, NetworkFault, NetworkFileError};
pub use network::{BUCKETS, HIDDEN, MAX_HIDDEN, MAX_OUTPUT, Network, ONE, Row, Sight, Sums, UNIT, bucket};
pub use tapered::Tapered;
pub use terms::{Tally, Term};
pub use trace::{Entry, Trace};
pub use wdl::wdl;

use crate::board::{Board, Change, Observer, Position};
use crate::types::score::{MAX_EVAL, Value};
use crate::types::{Kind, PerSquare, Piece, Side, Square};
use terms::{count_side, square_weight};

/// The game stage while all rooks, cannons and horses are on the board.
pub const FULL_PHASE: i32 = 32;
/// The scale of an evaluation that is taken as it is.
pub const FULL_SCALE: i32 = 16;

/// Which evaluation this is: noted beside the games that were played with it.
pub fn identity() -> String {
    "hand-made".to_owned()
}

/// What a piece adds to the game stage.
const fn stage(kind: Kind) -> i32 {
    match kind {
        Kind::Rook => 4,
        Kind::Horse | Kind::Cannon => 2,
        _ => 0,
    }
}

/// Material and piece-square value of each piece on each square, from Red's view.
static PIECE_SQUARES: [PerSquare<Tapered>; 14] = {
    let mut tables = [const { PerSquare::filled(Tapered::ZERO) }; 14];
    let mut piece = 0;
    while piece < 14 {
        let mut table = PerSquare::filled(Tapered::ZERO);
        let (side, kind) = (Piece::ALL[piece].side(), Piece::ALL[piece].kind());
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::at(index);
            let red = matches!(side, Side::Red);
            let seen = if red { square } else { square.flipped() };
            if let Some((term, entry)) = square_weight(kind, seen) {
                let worth = Term::Material.weights()[kind.index()].plus(term.weights()[entry]);
                let (middle, end) = (worth.middle() as i16, worth.end() as i16);
                table = table.with(index, if red { worth } else { Tapered::new(-middle, -end) });
            }
            index += 1;
        }
        tables[piece] = table;
        piece += 1;
    }
    tables
};

/// Keeps the sums that change with each move, and values positions with them.
///
/// It must see every move made and unmade on the position that it values
/// ([`Position::make_watched`], [`Position::unmake_watched`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluator {
    /// Piece-square values, Red's less Black's.
    squares: Tapered,
    /// Game stage, 0 (endgame) to [`FULL_PHASE`] (opening).
    phase: i32,
}

impl Evaluator {
    /// The sums of a position, computed afresh.
    pub fn new(position: &Position) -> Evaluator {
        let mut evaluator = Evaluator { squares: Tapered::ZERO, phase: 0 };
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                evaluator.squares += PIECE_SQUARES[piece.index()][square];
                evaluator.phase += stage(piece.kind());
            }
        }
        evaluator
    }

    /// The value of `position` for the side to move, in centipawns within ±[`MAX_EVAL`]. Positions in check
    /// have a value too, but not one to rely on.
    pub fn evaluate(&self, position: &Position) -> Value {
        debug_assert_eq!(*self, Evaluator::new(position), "a move was missed: {position:?}");
        let mut total = Total(self.squares);
        total.add(position.side(), Term::Tempo, 0, 1);
        count_side(position, Side::Red, &mut total);
        count_side(position, Side::Black, &mut total);
        let red = total.0.at(self.phase);
        let stronger = if red > 0 { Side::Red } else { Side::Black };
        let red = (red * scale(position, stronger) / FULL_SCALE).clamp(-MAX_EVAL, MAX_EVAL);
        if position.side() == Side::Red { red } else { -red }
    }
}

impl Observer for Evaluator {
    #[inline]
    fn made(&mut self, change: Change) {
        let table = &PIECE_SQUARES[change.piece.index()];
        self.squares += table[change.to] - table[change.from];
        if let Some(victim) = change.captured {
            self.squares -= PIECE_SQUARES[victim.index()][change.to];
            self.phase -= stage(victim.kind());
        }
    }

    #[inline]
    fn unmade(&mut self, change: Change) {
        let table = &PIECE_SQUARES[change.piece.index()];
        self.squares -= table[change.to] - table[change.from];
        if let Some(victim) = change.captured {
            self.squares += PIECE_SQUARES[victim.index()][change.to];
            self.phase += stage(victim.kind());
        }
    }
}

/// The sum of all terms, Red's less Black's.
struct Total(Tapered);

impl Tally for Total {
    #[inline]
    fn add(&mut self, side: Side, term: Term, index: usize, count: i32) {
        let worth = term.weights()[index] * count;
        match side {
            Side::Red => self.0 += worth,
            Side::Black => self.0 -= worth,
        }
    }
}

/// The game stage of a board, computed afresh.
fn phase(board: &Board) -> i32 {
    Kind::ALL.into_iter().map(|kind| stage(kind) * board.kind(kind).len() as i32).sum()
}

/// How much of its advantage `strong` can make use of, of [`FULL_SCALE`]: nothing without a piece that can
/// attack, little with the few that so many guards hold. What holds is known from complete tables of such
/// endings.
fn scale(board: &Board, strong: Side) -> i32 {
    let has = |kind| board.pieces(strong, kind).len();
    let home = 1 + has(Kind::Advisor) + has(Kind::Elephant);
    if board.pieces_of(strong).len() - home > 2 {
        return FULL_SCALE;
    }
    // Advisors and elephants, and attackers that have to defend.
    let guards = board.pieces_of(!strong).len() - 1;
    let holds = match (has(Kind::Rook), has(Kind::Horse), has(Kind::Cannon), has(Kind::Pawn)) {
        (0, 0, 0, 0) => return 0,
        (1, 0, 0, 0) => guards >= 4,
        (0, 1, 0, 0) => guards >= 2,
        (0, 0, 1, 0) => guards >= 3 || has(Kind::Advisor) == 0,
        (0, 0, 0, 1) => guards >= 1,
        (0, 0, 0, 2) => guards >= 3,
        _ => false,
    };
    if holds { FULL_SCALE / 4 } else { FULL_SCALE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MoveList;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// Calls `check` on positions of random games, with an evaluator that has seen every move.
    fn along_random_games(games: u64, mut check: impl FnMut(&mut Position, &mut Evaluator)) {
        for seed in 0..games {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut position = Position::startpos();
            let mut evaluator = Evaluator::new(&position);
            for _ in 0..150 {
                let moves: MoveList = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make_watched(moves[rng.random_range(0..moves.len())], &mut evaluator);
                check(&mut position, &mut evaluator);
            }
        }
    }

    fn value(fen: &str) -> Value {
        let position = Position::from_fen(fen).unwrap();
        Evaluator::new(&position).evaluate(&position)
    }

    /// The FEN with each rank changed by `rank`, and the ranks and the side to move swapped if `turn`.
    fn transformed(position: &Position, turn: bool, rank: impl Fn(&str) -> String) -> String {
        let fen = position.to_fen();
        let mut fields = fen.split(' ');
        let (board, side) = (fields.next().unwrap(), fields.next().unwrap());
        let mut ranks: Vec<_> = board.split('/').map(rank).collect();
        if turn {
            ranks.reverse();
        }
        let side = if (side == "b") == turn { "w" } else { "b" };
        format!("{} {side} - - 0 1", ranks.join("/"))
    }

    fn swapped(position: &Position) -> String {
        let other =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        transformed(position, true, |rank| rank.chars().map(other).collect())
    }

    fn mirrored(position: &Position) -> String {
        transformed(position, false, |rank| rank.chars().rev().collect())
    }

    #[test]
    fn neither_colour_nor_wing_matters() {
        along_random_games(40, |position, evaluator| {
            let here = evaluator.evaluate(position);
            assert_eq!(value(&swapped(position)), here, "{position:?}");
            assert_eq!(value(&mirrored(position)), here, "{position:?}");
        });
    }

    #[test]
    fn the_sums_follow_every_move_there_and_back() {
        along_random_games(20, |position, evaluator| {
            let before = evaluator.clone();
            assert_eq!(before, Evaluator::new(position));
            for &mv in position.legal_moves().iter() {
                position.make_watched(mv, evaluator);
                assert_eq!(*evaluator, Evaluator::new(position), "{mv} in {position:?}");
                position.unmake_watched(evaluator);
                assert_eq!(*evaluator, before, "{mv} in {position:?}");
            }
        });
    }

    #[test]
    fn the_trace_adds_up_to_the_value() {
        along_random_games(40, |position, evaluator| {
            assert_eq!(Trace::new(position).value(), evaluator.evaluate(position), "{position:?}");
        });
    }

    #[test]
    fn only_the_move_counts_in_the_starting_position() {
        let position = Position::startpos();
        let evaluator = Evaluator::new(&position);
        assert_eq!(evaluator.phase, FULL_PHASE);
        assert_eq!(evaluator.evaluate(&position), Term::Tempo.weights()[0].middle());
    }

    #[test]
    fn what_cannot_attack_cannot_win() {
        assert_eq!(value("4k4/9/9/9/9/2B6/9/4B4/4A4/3AK4 w - - 0 1"), 0);
        assert_eq!(value("4k4/9/9/9/9/2B6/9/4B4/4A4/3AK4 b - - 0 1"), 0);
        let pawn = "3k5/4a4/9/4P4/9/9/9/9/9/4K4 w - - 0 1";
        let bare = "3k5/9/9/4P4/9/9/9/9/9/4K4 w - - 0 1";
        assert!(value(pawn) * 3 < value(bare), "{} {}", value(pawn), value(bare));
    }

    #[test]
    fn the_guards_that_hold_are_known() {
        let scale_of = |fen| scale(&Position::from_fen(fen).unwrap(), Side::Red);
        for (fen, holds) in [
            ("2bak4/9/b2a5/9/9/9/9/9/9/R2K5 w", true),
            ("3ak4/4a4/9/9/9/9/9/9/9/R2K5 w", false),
            ("3ak4/4a4/9/9/9/9/9/9/9/N2K5 w", true),
            ("3ak4/9/9/9/9/9/9/9/9/N2K5 w", false),
            ("3ak4/4a4/9/9/9/9/9/9/9/C2K5 w", true),
            ("3ak4/4a4/9/9/9/9/9/9/4A4/C2K5 w", false),
            ("2bak4/4a4/9/4PP3/9/9/9/9/9/3K5 w", true),
            ("3ak4/4a4/9/4PP3/9/9/9/9/9/3K5 w", false),
            ("2bak4/4a4/9/4PPP2/9/9/9/9/9/3K5 w", false),
        ] {
            assert_eq!(scale_of(fen) < FULL_SCALE, holds, "{fen}");
        }
    }
}
