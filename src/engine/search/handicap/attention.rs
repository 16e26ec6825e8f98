//! What a weak player overlooks.
//!
//! People do not play badly by choosing a bad move from good knowledge, but by not seeing some moves at all: quiet
//! moves, long moves, backward moves, and moves whose point lies with another piece, above all among the replies
//! several plies deep. So the search of a level leaves out, at the root and below, the moves that escape its attention.
//! Which moves escape is drawn once per search for each piece, source and target: a player who does not see that a
//! cannon can go from h2 to h9 does not see it in any line of this search, and may notice it in the next.

use super::Handicap;
use xiangqi::board::{Position, attacks, see};
use xiangqi::types::{Kind, Move, Side, Square};

/// The obscurity of a quiet move nearby, the unit of all other obscurities.
const QUIET: f64 = 1.0;
/// The obscurity of a check: players look for checks.
const CHECK: f64 = 0.3;
/// The obscurity of a capture before the lure of its victim: players look for captures too.
const CAPTURE: f64 = 0.6;
/// How much less obscure a capture is for each centipawn of its victim's value.
const LURE: f64 = 0.5 / 900.0;
/// The factor by which a backward move is more obscure, because players seldom think of stepping back.
const BACKWARD: f64 = 1.4;
/// The share by which a move becomes more obscure for each square beyond [`NEARBY`].
const FAR: f64 = 0.08;
/// The factor by which a hidden attack is more obscure: one that another piece has uncovered, or for which it has
/// become the screen, is most easily overlooked.
const UNCOVERED: f64 = 2.5;
/// The factor by which a move near the last one is less obscure, because players look where something has just moved.
const NEAR: f64 = 0.7;
/// The largest distance, in squares, that counts as near.
const NEARBY: i32 = 2;
/// The share by which the chance of overlooking a move grows with each ply from the root.
const BY_PLY: f64 = 0.25;
/// The ply from which on the chance of overlooking a move grows no further.
const DEEPEST: usize = 4;
/// The largest chance of overlooking a move: some attention is always left.
const MOST: f64 = 0.95;

/// The attention of a player during one search.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Attention {
    blindness: f64,
    seed: u64,
}

impl Attention {
    /// The attention that a player of this level pays to a position.
    pub(in crate::search) fn new(level: Handicap, seed: u64, position: &Position) -> Attention {
        Attention { blindness: level.blindness, seed: mixed(seed ^ position.key()) }
    }

    /// Whether the player does not see this legal move, `ply` plies from the root. In check every move is looked at,
    /// and a recapture is always seen.
    pub(in crate::search) fn overlooks(&self, position: &Position, mv: Move, ply: usize) -> bool {
        let last = position.last_played().and_then(|played| played.mv);
        if position.in_check() || last.is_some_and(|last| last.to() == mv.to()) {
            return false;
        }
        let depth = 1.0 + BY_PLY * ply.min(DEEPEST) as f64;
        self.draw(position, mv) < (self.blindness * depth * obscurity(position, mv)).min(MOST)
    }

    /// A number from 0 to 1, always the same for the same piece, source and target.
    fn draw(&self, position: &Position, mv: Move) -> f64 {
        let piece = position.piece_on(mv.from()).map_or(0, |piece| piece.index() as u64 + 1);
        let word = mixed(self.seed ^ (piece << 16 | u64::from(mv.word())));
        (word >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The bits of a word well mixed: the finaliser of splitmix64 (Steele, Lea and Flood 2014).
pub(super) fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// How easily a legal move escapes notice, where 1 stands for a quiet move nearby.
fn obscurity(position: &Position, mv: Move) -> f64 {
    let (from, to) = (mv.from(), mv.to());
    let check = position.gives_check(mv);
    let plain = match position.piece_on(to) {
        Some(victim) => CAPTURE - LURE * f64::from(see::value_on(victim, to)),
        None if check => CHECK,
        None => QUIET,
    };
    let last = position.last_played().and_then(|played| played.mv);
    let near = |last: Move| distance(from, last.to()).min(distance(to, last.to())) <= NEARBY;
    let factors = [
        1.0 + FAR * f64::from((distance(from, to) - NEARBY).max(0)),
        if is_backward(position.side(), mv) { BACKWARD } else { 1.0 },
        if is_hidden(position, mv, check) { UNCOVERED } else { 1.0 },
        if last.is_some_and(near) { NEAR } else { 1.0 },
    ];
    plain * factors.iter().product::<f64>()
}

/// Whether the move leads back towards the mover's own side of the board.
fn is_backward(side: Side, mv: Move) -> bool {
    let ahead = i32::from(mv.to().rank()) - i32::from(mv.from().rank());
    if side == Side::Red { ahead < 0 } else { ahead > 0 }
}

/// How far two squares are apart, in steps of a piece that may go in all eight directions.
fn distance(a: Square, b: Square) -> i32 {
    let along = |a: u8, b: u8| i32::from(a.abs_diff(b));
    along(a.file(), b.file()).max(along(a.rank(), b.rank()))
}

/// Whether the point of a move lies with another piece: a check that the mover does not give itself, or a
/// capture along a line that one of the last two moves has opened or has put a screen on.
fn is_hidden(position: &Position, mv: Move, check: bool) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = position.piece_on(from) else { return false };
    if position.piece_on(to).is_none() {
        return check && !position.reach(piece, to).has(position.king(!position.side()));
    }
    let line = attacks::between(from, to);
    matches!(piece.kind(), Kind::Rook | Kind::Cannon)
        && position
            .record()
            .rev()
            .take(2)
            .filter_map(|played| played.mv)
            .any(|last| line.has(last.from()) || line.has(last.to()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEDS: u64 = 1000;
    /// Rooks face each other along a file; Red's has room before and behind it.
    const OPEN: &str = "3k1a3/4a4/r3b4/9/4p1n2/9/4P4/4C3N/R8/2BAKA3 w - - 0 1";

    fn position(fen: &str, moves: &[&str]) -> Position {
        let mut position = Position::from_fen(fen).unwrap();
        moves.iter().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
        position
    }

    /// How often, in per cent, a player of this blindness overlooks a legal move.
    fn overlooked(blindness: f64, position: &Position, mv: &str, ply: usize) -> f64 {
        let (level, mv) = (Handicap { nodes: 1, blindness }, mv.parse().unwrap());
        assert!(position.legal_moves().contains(&mv), "{mv}");
        let blind = |&seed: &u64| Attention::new(level, seed, position).overlooks(position, mv, ply);
        (0..SEEDS).filter(blind).count() as f64 * 100.0 / SEEDS as f64
    }

    #[track_caller]
    fn assert_near(found: f64, expected: f64) {
        // Three standard deviations of a share among as many draws.
        let error = 300.0 * (expected / 100.0 * (1.0 - expected / 100.0) / SEEDS as f64).sqrt();
        assert!((found - expected).abs() <= error, "{found} instead of {expected} ± {error}");
    }

    #[test]
    fn what_wins_much_is_seen_and_what_is_quiet_far_backward_or_deep_is_not() {
        let position = position(OPEN, &[]);
        let overlooked = |mv, ply| overlooked(0.3, &position, mv, ply);
        assert_near(overlooked("a1a2", 0), 30.0);
        assert_near(overlooked("a1a7", 0), 3.0 * 1.32);
        assert_near(overlooked("a1a6", 0), 30.0 * 1.24);
        assert_near(overlooked("a1a0", 0), 30.0 * 1.4);
        assert_near(overlooked("a1a2", 2), 30.0 * 1.5);
        assert_near(overlooked("a1a0", 9), 30.0 * 1.4 * 2.0);
    }

    #[test]
    fn eyes_follow_the_last_move() {
        let black = OPEN.replace(" w ", " b ");
        assert_near(overlooked(0.3, &position(&black, &["e5e4"]), "e2d2", 0), 30.0 * 0.7);
        assert_near(overlooked(0.3, &position(&black, &["a7b7"]), "e2d2", 0), 30.0);
    }

    #[test]
    fn an_attack_through_a_line_that_has_just_changed_is_hidden() {
        // The horse that leaves the e-file uncovers the rook's way to the cannon; one that enters is the screen.
        let opened = "3k5/9/4c4/9/4n4/9/9/9/4R4/5K3 b - - 0 1";
        let victim = 0.6 - 450.0 * LURE;
        assert_near(overlooked(0.3, &position(opened, &["e5c4"]), "e1e7", 0), 30.0 * victim * 1.32 * 2.5);
        let screened = "3k5/9/4n4/9/9/6n2/9/9/4C4/5K3 b - - 0 1";
        let victim = 0.6 - 400.0 * LURE;
        assert_near(
            overlooked(0.3, &position(screened, &["g4e3"]), "e1e7", 0),
            30.0 * victim * 1.32 * 2.5 * 0.7,
        );
        // A check is hidden if the rook behind gives it; the rook's own check is not.
        let battery = "3k5/9/9/9/9/9/3N5/9/3R5/4K4 w - - 0 1";
        assert_near(overlooked(0.3, &position(battery, &[]), "d3b4", 0), 30.0 * 0.3 * 2.5);
        let direct = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
        assert_near(overlooked(0.3, &position(direct, &[]), "e1d1", 0), 30.0 * 0.3);
    }

    #[test]
    fn recaptures_and_answers_to_checks_are_seen_by_all() {
        let trade = position("3k5/9/9/r8/9/9/9/9/R8/R3K4 b - - 0 1", &["a6a1"]);
        assert_eq!(overlooked(1.0, &trade, "a0a1", 4), 0.0);
        let check = position("4k4/9/9/9/9/9/9/9/4r4/R2K5 b - - 0 1", &["e1d1"]);
        check
            .legal_moves()
            .iter()
            .for_each(|mv| assert_eq!(overlooked(1.0, &check, &mv.to_string(), 0), 0.0));
    }

    #[test]
    fn a_think_is_of_one_mind_and_the_next_of_another() {
        let (before, level) = (position(OPEN, &[]), Handicap { nodes: 1, blindness: 0.5 });
        let (mind, after) = (Attention::new(level, 7, &before), position(OPEN, &["a1a2", "a7b7"]));
        let seen = |attention: Attention, position: &Position| -> Vec<Move> {
            position
                .legal_moves()
                .iter()
                .copied()
                .filter(|&mv| !attention.overlooks(position, mv, 0))
                .collect()
        };
        // Moves far from where the play was are as they were.
        let [here, later] = [&before, &after].map(|position| seen(mind, position));
        for mv in ["e3e4", "d0e1", "f0e1", "i2h4"].map(|mv| mv.parse().unwrap()) {
            assert_eq!(here.contains(&mv), later.contains(&mv), "{mv}");
        }
        assert_ne!(here, seen(Attention::new(level, 8, &before), &before));
        assert_ne!(later, seen(Attention::new(level, 7, &after), &after));
        assert_eq!(
            seen(Attention::new(Handicap { blindness: 0.0, ..level }, 7, &before), &before).len(),
            before.legal_moves().len()
        );
    }
}
