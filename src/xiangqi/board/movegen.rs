//! Legal moves: their generation, and tests of single moves.

use super::attacks;
use super::position::Position;
use crate::types::{Bitboard, Kind, Move, MoveList, Piece, Side, Square};

/// Which legal moves to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gen {
    /// All legal moves.
    All,
    /// Legal moves that capture.
    Captures,
    /// Legal moves that do not capture.
    Quiets,
}

/// A receiver of generated moves, a whole piece at a time; a [`MoveList`] is one.
///
/// ```
/// use xiangqi::board::{Gen, MoveSink, Position};
/// use xiangqi::types::{Bitboard, Square};
///
/// /// The squares that the side to move can capture on.
/// struct Targets(Bitboard);
///
/// impl MoveSink for Targets {
///     fn add(&mut self, _: Square, targets: Bitboard) {
///         self.0 |= targets;
///     }
/// }
///
/// let mut targets = Targets(Bitboard::EMPTY);
/// Position::startpos().generate(Gen::Captures, &mut targets);
/// assert_eq!(targets.0, ["b9".parse()?, "h9".parse()?].into_iter().collect());
/// # Ok::<(), xiangqi::types::SquareError>(())
/// ```
pub trait MoveSink {
    /// Takes the legal targets of the piece on `from`, of which there may be none.
    fn add(&mut self, from: Square, targets: Bitboard);
}

impl MoveSink for MoveList {
    #[inline]
    fn add(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::between(from, to));
        }
    }
}

/// Counts moves without making a list.
struct Count(u32);

impl MoveSink for Count {
    #[inline]
    fn add(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.len();
    }
}

/// Notes whether there is any move.
struct Any(bool);

impl MoveSink for Any {
    #[inline]
    fn add(&mut self, _: Square, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }
}

impl Position {
    /// All legal moves.
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// let position = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1")?;
    /// let moves: Vec<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
    /// // The general may not step to d0, where it would face the other one.
    /// assert_eq!(moves, ["e0f0", "e0e1"]);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Gen::All, &mut list);
        list
    }

    /// The number of legal moves, much faster than a list of them.
    #[inline]
    pub fn count_legal(&self) -> u32 {
        let mut count = Count(0);
        self.generate(Gen::All, &mut count);
        count.0
    }

    /// Whether the side to move has a legal move; without one it has lost, by mate or by stalemate (困毙).
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.generate(Gen::All, &mut any);
        any.0
    }

    /// Generates the legal moves of the wanted sort into `sink`.
    #[inline]
    pub fn generate<S: MoveSink>(&self, wanted: Gen, sink: &mut S) {
        match self.side() {
            Side::Red => self.generate_for::<S, true>(wanted, sink),
            Side::Black => self.generate_for::<S, false>(wanted, sink),
        }
    }

    /// Generates for one side, which is a constant so that the compiler removes the tests for it.
    fn generate_for<S: MoveSink, const RED: bool>(&self, wanted: Gen, sink: &mut S) {
        let side = if RED { Side::Red } else { Side::Black };
        let (own, enemy, lines) = (self.pieces_of(side), self.pieces_of(!side), self.lines());
        let empty = !(own | enemy);
        let (check_info, king) = (self.check_info(), self.king(side));
        let wanted = match wanted {
            Gen::All => !own,
            Gen::Captures => enemy,
            Gen::Quiets => empty,
        };
        let mut safe = attacks::king(king) & wanted;
        for to in safe {
            if self.is_king_attacked(side, to) {
                safe = safe.without(to);
            }
        }
        sink.add(king, safe);
        let of = |kind| self.pieces(side, kind);
        for from in of(Kind::Rook) {
            sink.add(from, attacks::rook(from, lines) & wanted & check_info.targets(from));
        }
        for from in of(Kind::Cannon) {
            let reach = attacks::rook(from, lines) & empty | attacks::cannon(from, lines) & enemy;
            sink.add(from, reach & wanted & check_info.targets(from));
        }
        for from in of(Kind::Horse) {
            sink.add(from, attacks::horse(from, lines) & wanted & check_info.targets(from));
        }
        // The remaining kinds seldom capture, so one test of all their targets often saves a test of each piece.
        if attacks::pawn_steps(side, of(Kind::Pawn)).meets(wanted) {
            for from in of(Kind::Pawn) {
                sink.add(from, attacks::pawn(side, from) & wanted & check_info.targets(from));
            }
        }
        // The points are those of their own half: in a composed position they may stand elsewhere, and cannot move.
        let points = |kind| wanted & attacks::PLACES[Piece::new(side, kind).index()];
        let (advisor_points, elephant_points) = (points(Kind::Advisor), points(Kind::Elephant));
        if !advisor_points.is_empty() {
            for from in of(Kind::Advisor) {
                sink.add(from, attacks::advisor(from) & advisor_points & check_info.targets(from));
            }
        }
        if !elephant_points.is_empty() {
            for from in of(Kind::Elephant) {
                sink.add(from, attacks::elephant(from, lines) & elephant_points & check_info.targets(from));
            }
        }
    }

    /// Whether a piece of the side to move stands on the source of any move and can go to its target, whether or
    /// not its general would be safe.
    #[inline]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        match self.piece_on(mv.from()) {
            Some(piece) if piece.side() == self.side() => self.reach(piece, mv.from()).has(mv.to()),
            _ => false,
        }
    }

    /// Whether a move leaves the mover's own general safe, where [`Position::is_pseudo_legal`] holds.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        if mv.from() == self.king(self.side()) {
            !self.is_king_attacked(self.side(), mv.to())
        } else {
            self.check_info().targets(mv.from()).has(mv.to())
        }
    }

    /// Whether a legal move captures.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.piece_on(mv.to()).is_some()
    }

    /// Whether a legal move gives check, directly, by discovery or as the screen of a cannon.
    pub fn gives_check(&self, mv: Move) -> bool {
        let (side, from, to) = (self.side(), mv.from(), mv.to());
        let king = self.king(!side);
        let changed = Bitboard::of(from).with(to);
        let Some(mover) = self.piece_on(from) else { return false };
        if !attacks::check_zone(king).meets(changed) {
            return false;
        }
        let mut lines = self.lines().toggled(from);
        if self.piece_on(to).is_none() {
            lines.toggle(to);
        }
        let after = |kind| {
            let set = self.squares_of(Piece::new(side, kind));
            if mover.kind() == kind { set ^ changed } else { set }
        };
        let occupied = self.occupied().without(from).with(to);
        attacks::rook(king, &lines).meets(after(Kind::Rook))
            || attacks::cannon(king, &lines).meets(after(Kind::Cannon))
            || attacks::pawns_to(side, king).meets(after(Kind::Pawn))
            || !attacks::horses_to(king, after(Kind::Horse), occupied).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    fn all_moves() -> impl Iterator<Item = Move> {
        Square::all().flat_map(|from| Square::all().filter_map(move |to| Move::new(from, to)))
    }

    /// The slow truth to compare with: whether, after the move, no enemy piece attacks the general.
    fn leaves_general_safe(position: &Position, mv: Move) -> bool {
        let side = position.side();
        let mut board = position.board().clone();
        let piece = board.piece_on(mv.from()).unwrap();
        board.shift(piece, mv.from(), mv.to(), board.piece_on(mv.to()));
        let (king, other) = (board.king(side), board.king(!side));
        let facing =
            king.file() == other.file() && (attacks::between(king, other) & board.occupied()).is_empty();
        !facing && !board.attackers_to(king).meets(board.pieces_of(!side))
    }

    fn check_everything(position: &mut Position) {
        let generated = position.legal_moves();
        let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
        position.generate(Gen::Captures, &mut captures);
        position.generate(Gen::Quiets, &mut quiets);
        assert!(captures.iter().all(|&mv| position.is_capture(mv)));
        assert!(quiets.iter().all(|&mv| !position.is_capture(mv)));
        assert_eq!(captures.len() + quiets.len(), generated.len());
        assert_eq!(position.count_legal() as usize, generated.len());
        assert_eq!(position.has_legal_move(), !generated.is_empty());
        let mut legal = Vec::new();
        for mv in all_moves().filter(|&mv| position.is_pseudo_legal(mv)) {
            let safe = leaves_general_safe(position, mv);
            assert_eq!(position.is_legal(mv), safe, "{mv} in {position:?}");
            if safe {
                legal.push(mv);
            }
        }
        let mut sorted = generated.to_vec();
        sorted.sort_by_key(|mv| (mv.from(), mv.to()));
        assert_eq!(sorted, legal, "{position:?}");
        for &mv in &*generated {
            let (fen, key, predicted) = (position.to_fen(), position.key(), position.gives_check(mv));
            position.make(mv);
            let king = position.king(position.side());
            let truth = position.attackers_to(king).meets(position.pieces_of(!position.side()));
            assert_eq!(position.in_check(), truth, "{mv} to {position:?}");
            assert_eq!(predicted, truth, "{mv} to {position:?}");
            position.unmake();
            assert_eq!((position.to_fen(), position.key()), (fen, key));
        }
    }

    /// Compares 100,000 positions of random games in which a fifth of the moves are captures where there are any, so
    /// that endings with few pieces occur as well.
    #[test]
    fn legal_by_predicate_is_generated_is_makeable() {
        let mut rng = StdRng::seed_from_u64(20);
        let mut checked = 0;
        while checked < 100_000 {
            let mut position = Position::startpos();
            for _ in 0..150 {
                check_everything(&mut position);
                checked += 1;
                let mut moves = MoveList::new();
                if rng.random_bool(0.2) {
                    position.generate(Gen::Captures, &mut moves);
                }
                if moves.is_empty() {
                    moves = position.legal_moves();
                }
                if moves.is_empty() {
                    break;
                }
                position.make(moves[rng.random_range(0..moves.len())]);
            }
        }
    }
}
