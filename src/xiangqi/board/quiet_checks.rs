//! Quiet moves that give check, found without looking at the others.

use super::attacks;
use super::movegen::MoveSink;
use super::position::Position;
use crate::types::{Bitboard, Kind, Piece, Side, Square};

/// How quiet moves of one side can come to give check.
struct CheckSquares {
    /// Moves that end here may attack the general themselves, by kind.
    direct: [Bitboard; 7],
    /// Whoever steps here becomes the screen of a hollow cannon.
    screens: Bitboard,
    /// Whoever leaves from here may uncover a rook, a cannon or a horse.
    discoverers: Bitboard,
}

impl CheckSquares {
    fn of(position: &Position, side: Side) -> CheckSquares {
        let king = position.king(!side);
        let open = attacks::rook(king, position.lines());
        let mut direct = [Bitboard::EMPTY; 7];
        direct[Kind::Rook as usize] = open;
        direct[Kind::Cannon as usize] = attacks::cross(king) & !open;
        direct[Kind::Horse as usize] = attacks::horse_ring(king);
        direct[Kind::Pawn as usize] = attacks::pawns_to(side, king);
        let (mut screens, mut discoverers) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let cannons = position.pieces(side, Kind::Cannon);
        for slider in (cannons | position.pieces(side, Kind::Rook)) & attacks::cross(king) {
            let gap = attacks::between(king, slider);
            let between = gap & position.occupied();
            match (cannons.has(slider), between.len()) {
                (true, 0) => screens |= gap,
                (true, 2) | (false, 1) => discoverers |= between,
                _ => {}
            }
        }
        for horse in attacks::horse_ring(king) & position.pieces(side, Kind::Horse) {
            discoverers = discoverers.with(attacks::horse_leg(horse, king));
        }
        CheckSquares { direct, screens, discoverers }
    }

    fn targets(&self, kind: Kind, from: Square) -> Bitboard {
        if self.discoverers.has(from) { Bitboard::ALL } else { self.direct[kind as usize] | self.screens }
    }
}

impl Position {
    /// Gives every legal quiet move that may give check to the sink: all those that do, and a few more, for
    /// [`Position::gives_check`] to tell apart.
    pub fn generate_quiet_checks<S: MoveSink>(&self, sink: &mut S) {
        let side = self.side();
        let (check_squares, empty, check_info) =
            (CheckSquares::of(self, side), !self.occupied(), self.check_info());
        for kind in [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn, Kind::Advisor, Kind::Elephant] {
            for from in self.pieces(side, kind) {
                let targets = check_squares.targets(kind, from) & empty & check_info.targets(from);
                if !targets.is_empty() {
                    sink.add(from, targets & self.reach(Piece::new(side, kind), from));
                }
            }
        }
        let king = self.king(side);
        for to in check_squares.targets(Kind::King, king) & empty & attacks::king(king) {
            if !self.is_king_attacked(side, to) {
                sink.add(king, Bitboard::of(to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Gen, Position};
    use crate::types::{Move, MoveList};
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// The checks among the moves generated, in a fixed order.
    fn checks(position: &Position, generate: impl FnOnce(&mut MoveList)) -> Vec<Move> {
        let mut list = MoveList::new();
        generate(&mut list);
        let mut checks: Vec<_> = list.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
        checks.sort_by_key(|mv| mv.word());
        checks
    }

    #[test]
    fn quiet_checks_are_those_among_all_quiet_moves() {
        let mut dice = StdRng::seed_from_u64(7);
        let corpus = include_str!("../../../engine-tests/data/perft.csv");
        let mut seen = 0;
        for line in corpus.lines().skip(1) {
            for _ in 0..20 {
                let mut position = Position::from_fen(line.split(',').next().unwrap()).unwrap();
                for _ in 0..60 {
                    let found = checks(&position, |list| position.generate_quiet_checks(list));
                    let wanted = checks(&position, |list| position.generate(Gen::Quiets, list));
                    seen += wanted.len();
                    assert_eq!(found, wanted, "{}", position.to_fen());
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    // Checks are played more often than chance would have it, for the generals to be exposed.
                    let mv = match wanted.first() {
                        Some(&check) if dice.random_ratio(1, 4) => check,
                        _ => moves[dice.random_range(0..moves.len())],
                    };
                    position.make(mv);
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
