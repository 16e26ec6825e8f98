//! Static exchange evaluation: whether a capture, with all recaptures on its square, gains at least a threshold.

use super::attacks::{self, Lines, RED_HALF};
use super::position::Position;
use crate::types::{Bitboard, Kind, Move, Piece, Side, Square};

/// Exchange values in centipawns by [`Kind::index`], where the general's exceeds all others together.
const VALUES: [i32; 7] = [10_000, 200, 200, 400, 900, 450, 100];

/// The exchange value of a kind of piece in centipawns, of a pawn before it crosses the river.
#[inline]
pub const fn value(kind: Kind) -> i32 {
    VALUES[kind as usize]
}

/// The exchange value of a piece on a square in centipawns, where a pawn across the river is worth two.
#[inline]
pub fn value_on(piece: Piece, square: Square) -> i32 {
    let crossed = piece.kind() == Kind::Pawn && (piece.side() == Side::Red) != RED_HALF.has(square);
    if crossed { 2 * value(Kind::Pawn) } else { value(piece.kind()) }
}

impl Position {
    /// Whether the exchange that a pseudo-legal move starts on its target gains at least `threshold` centipawns for
    /// the mover.
    ///
    /// Each side captures with its least valuable attacker and stops when that is best for it. Screens and blockers
    /// that leave the board are taken into account, since the attackers are found again after each capture; pins
    /// are not.
    ///
    /// ```
    /// use xiangqi::board::{Position, see};
    /// use xiangqi::types::Kind;
    ///
    /// // The cannon takes a horse (400) and is taken by a rook (-450).
    /// let position = Position::startpos();
    /// assert!(position.see("h2h9".parse()?, see::value(Kind::Horse) - see::value(Kind::Cannon)));
    /// assert!(!position.see("h2h9".parse()?, 0));
    /// # Ok::<(), xiangqi::types::MoveError>(())
    /// ```
    pub fn see(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from) else { return false };
        let mut balance = self.piece_on(to).map_or(0, |victim| value_on(victim, to)) - threshold;
        if balance < 0 {
            return false;
        }
        balance = value_on(mover, to) - balance;
        if balance <= 0 {
            return true;
        }
        let (mut lines, mut occupied) = (self.lines().toggled(from), self.occupied().without(from));
        if !occupied.has(to) {
            lines.toggle(to);
            occupied = occupied.with(to);
        }
        // In each pass the side to recapture either comes back above its limit or stops and loses the exchange.
        let (mut side, mut mover_wins) = (!mover.side(), true);
        while let Some((square, kind)) = self.least_attacker(side, to, &lines, occupied) {
            mover_wins = !mover_wins;
            lines.toggle(square);
            occupied = occupied.without(square);
            if kind == Kind::King {
                // The general can only capture last: it may not go to an attacked square, including one attacked
                // through the square that it leaves.
                return mover_wins != self.least_attacker(!side, to, &lines, occupied).is_some();
            }
            balance = value_on(Piece::new(side, kind), to) - balance;
            if balance < i32::from(mover_wins) {
                return mover_wins;
            }
            side = !side;
        }
        mover_wins
    }

    /// The least valuable piece of `side` that attacks `to` over an occupancy.
    #[inline]
    fn least_attacker(
        &self,
        side: Side,
        to: Square,
        lines: &Lines,
        occupied: Bitboard,
    ) -> Option<(Square, Kind)> {
        let of = |kind| self.pieces(side, kind) & occupied;
        let found = |set: Bitboard, kind| set.first().map(|square| (square, kind));
        found(attacks::pawns_to(side, to) & of(Kind::Pawn), Kind::Pawn)
            .or_else(|| found(attacks::advisor(to) & of(Kind::Advisor), Kind::Advisor))
            .or_else(|| found(attacks::elephant(to, lines) & of(Kind::Elephant), Kind::Elephant))
            .or_else(|| found(attacks::horses_to(to, of(Kind::Horse), occupied), Kind::Horse))
            .or_else(|| found(attacks::cannon(to, lines) & of(Kind::Cannon), Kind::Cannon))
            .or_else(|| found(attacks::rook(to, lines) & of(Kind::Rook), Kind::Rook))
            .or_else(|| found(attacks::king(to) & of(Kind::King), Kind::King))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds from the least valuable to the most.
    const ORDER: [Kind; 7] =
        [Kind::Pawn, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Cannon, Kind::Rook, Kind::King];

    /// The value of the exchange by minimax over the captures on the square, where pins are ignored.
    fn exchange(position: &Position, to: Square, standing: i32, occupied: Bitboard, side: Side) -> i32 {
        let attackers = position.attackers_over(to, &Lines::new(occupied), occupied);
        let own = attackers & position.pieces_of(side);
        let least = own.into_iter().filter_map(|square| Some((square, position.piece_on(square)?.kind())));
        let Some((square, kind)) = least.min_by_key(|&(_, kind)| ORDER.iter().position(|&k| k == kind))
        else {
            return 0;
        };
        let (left, worth) = (occupied.without(square), value_on(Piece::new(side, kind), to));
        (standing - exchange(position, to, worth, left, !side)).max(0)
    }

    fn full_value(position: &Position, mv: Move) -> i32 {
        let mover = position.piece_on(mv.from()).unwrap();
        let gain = position.piece_on(mv.to()).map_or(0, |victim| value_on(victim, mv.to()));
        let occupied = position.occupied().without(mv.from()).with(mv.to());
        gain - exchange(position, mv.to(), value_on(mover, mv.to()), occupied, !mover.side())
    }

    #[test]
    fn thresholds_agree_with_the_exchange_played_out() {
        use rand::{Rng, SeedableRng, rngs::StdRng};
        let mut rng = StdRng::seed_from_u64(5);
        for _ in 0..300 {
            let mut position = Position::startpos();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &mv in moves.iter().filter(|mv| mv.from() != position.king(position.side())) {
                    let value = full_value(&position, mv);
                    for threshold in [value - 50, value, value + 1, value + 300, 0, -100, 1] {
                        assert_eq!(
                            position.see(mv, threshold),
                            value >= threshold,
                            "{mv} worth {value}, asked for {threshold}: {position:?}"
                        );
                    }
                }
                position.make(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn a_cannon_protects_only_over_a_screen() {
        // Behind its rook the cannon protects the horse that takes on e6: the black rook stays away.
        let position = Position::from_fen("3kr4/9/9/4p4/9/3N5/4R4/9/4C4/5K3 w - - 0 1").unwrap();
        let horse = "d4e6".parse().unwrap();
        assert!(position.is_pseudo_legal(horse));
        assert!(position.see(horse, 100) && !position.see(horse, 101));
        // Without the rook the cannon has no screen, and the horse is lost for the pawn.
        let position = Position::from_fen("3kr4/9/9/4p4/9/3N5/9/9/4C4/5K3 w - - 0 1").unwrap();
        assert!(position.see(horse, -300) && !position.see(horse, -299));
    }
}
