//! Whether stalemate (困毙) can be ruled out at a glance.

use xiangqi::board::{Position, attacks};
use xiangqi::types::{Bitboard, Kind, Piece};

/// Whether the side not to move will have a move whatever the side to move plays, short of check.
///
/// A move counts if it neither leaves nor enters the squares that bear on its own general, so that it is legal whenever
/// the piece can go and no check is given. The squares it needs are its own, those it passes, its leg, and for a cannon
/// its empty target. One enemy move fills one square: two moves of this sort that share none of their squares cannot
/// both be prevented.
pub(super) fn has_spare_moves(position: &Position) -> bool {
    let side = !position.side();
    let aside = !attacks::check_zone(position.king(side));
    let mut first = None;
    for kind in [Kind::Pawn, Kind::Rook, Kind::Cannon, Kind::Horse] {
        for from in position.pieces(side, kind) & aside {
            let own = position.pieces_of(side);
            let mut targets = position.reach(Piece::new(side, kind), from) & aside & !own;
            if kind == Kind::Cannon {
                targets &= !position.occupied();
            }
            let needs = targets.into_iter().map(|to| {
                let needed = Bitboard::of(from) | attacks::between(from, to);
                match kind {
                    Kind::Cannon => needed.with(to),
                    Kind::Horse => attacks::horse_leg(from, to).map_or(needed, |leg| needed.with(leg)),
                    _ => needed,
                }
            });
            let Some(needs) = needs.min_by_key(|needs| needs.len()) else { continue };
            match first {
                None => first = Some(needs),
                Some(other) if !needs.meets(other) => return true,
                Some(_) => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// Positions of random games, thinned out by captures, compared with the truth.
    #[test]
    fn no_quiet_move_stalemates_whoever_has_spare_moves() {
        let mut rng = StdRng::seed_from_u64(8);
        let (mut spare, mut scarce) = (0, 0);
        for _ in 0..300 {
            let mut position = Position::startpos();
            for _ in 0..200 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                if has_spare_moves(&position) {
                    spare += 1;
                    for &mv in legal.iter().filter(|&&mv| !position.gives_check(mv)) {
                        let mut after = position.clone();
                        after.make(mv);
                        assert!(after.has_legal_move(), "{mv} in {position:?}");
                    }
                } else {
                    scarce += 1;
                }
                let captures: Vec<_> = legal.iter().copied().filter(|&mv| position.is_capture(mv)).collect();
                let from = if captures.is_empty() || rng.random_bool(0.7) { &*legal } else { &captures };
                position.make(from[rng.random_range(0..from.len())]);
            }
        }
        assert!(spare > 10_000 && scarce > 100, "{spare} {scarce}");
    }

    #[test]
    fn a_stalemate_is_not_ruled_out() {
        let position = Position::from_fen("3k5/1P7/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap();
        assert!(!has_spare_moves(&position));
        assert!(has_spare_moves(&Position::startpos()));
    }
}
