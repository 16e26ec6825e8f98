//! Quiet moves that give check, generated without the other quiet moves.

use super::attacks;
use super::movegen::MoveSink;
use super::position::Position;
use crate::types::{Bitboard, Kind, Piece, Side, Square};

/// The squares on which quiet moves of one side can give check.
struct CheckSquares {
    /// The targets from which a piece may attack the general itself, by kind.
    direct: [Bitboard; 7],
    /// The targets on which a piece becomes the screen of a hollow cannon.
    screens: Bitboard,
    /// The sources from which a piece may discover the check of a rook, a cannon or a horse.
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
            discoverers = discoverers.with(attacks::leg_of_leap(horse, king));
        }
        CheckSquares { direct, screens, discoverers }
    }

    /// The targets where a piece of this kind may give check.
    fn targets(&self, kind: Kind, from: Square) -> Bitboard {
        if self.discoverers.has(from) { Bitboard::ALL } else { self.direct[kind as usize] | self.screens }
    }
}

impl Position {
    /// Generates into `sink` all legal quiet moves that give check, and a few that do not, which
    /// [`Position::gives_check`] tells apart.
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
