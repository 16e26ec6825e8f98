//! The accumulator: the sums of the feature transformer, which follow the moves.
//!
//! A move is only noted when it is made. The sums are brought up to date when a value is asked for, since many
//! positions are never valued. Where a move of a general changes the orientation of its side's perspective, every input
//! of that perspective changes; it is then refreshed from a cache, which holds for each orientation the last sums that
//! were computed in it, and the pieces that they belong to.

use super::arch::{InputSet, Inputs, MAX_IMAGES, Orientation, orientation_changes};
use super::transformer::{FeatureTransformer, HiddenVector};
use xiangqi::board::{Board, BoardChange, BoardObserver};
use xiangqi::types::{Bitboard, Kind, Piece, Side};

/// The sums of the feature transformer for both perspectives, Red's first, and each of their images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accumulator(pub [[HiddenVector; MAX_IMAGES]; 2]);

impl Accumulator {
    /// The sums of a board, computed afresh.
    pub fn fresh<I: InputSet>(transformer: &FeatureTransformer<I>, board: &Board) -> Accumulator {
        let mut accumulator = Accumulator([[HiddenVector::ZERO; MAX_IMAGES]; 2]);
        for view in Side::ALL {
            let images = accumulator.0[view.index()].iter_mut().take(I::IMAGES);
            images.enumerate().for_each(|(image, sums)| *sums = transformer.fresh(board, view, image));
        }
        accumulator
    }

    /// The sums of the images of a perspective.
    #[inline]
    pub fn perspective<I: InputSet>(&self, view: Side) -> &[HiddenVector] {
        &self.0[view.index()][..I::IMAGES]
    }
}

/// The accumulators of a line of play, one for each ply.
///
/// It must see every move made and unmade on the position that it is asked about.
#[derive(Debug, Clone)]
pub struct AccumulatorStack<'n, I: InputSet = Inputs> {
    transformer: &'n FeatureTransformer<I>,
    /// One entry a ply, the first for where the stack began; those above `top` are kept for reuse.
    entries: Vec<StackedAccumulator>,
    top: usize,
    cache: RefreshCache,
}

/// The accumulator after one ply.
#[derive(Debug, Clone)]
struct StackedAccumulator {
    sums: Accumulator,
    /// Whether the sums of each perspective have been computed.
    computed: [bool; 2],
    /// The ply; `None` for the first entry, which is always computed.
    change: Option<BoardChange>,
}

impl StackedAccumulator {
    /// Whether the ply changed the orientation of a perspective.
    fn reorients<I: InputSet>(&self, view: Side) -> bool {
        let moved = self.change.filter(|change| change.piece == Piece::new(view, Kind::King));
        moved.is_some_and(|BoardChange { from, to, .. }| {
            let [before, after] =
                [from, to].map(|square| [0, 1].map(|image| Orientation::of::<I>(view, square, image)));
            before != after
        })
    }
}

impl<'n, I: InputSet> AccumulatorStack<'n, I> {
    /// A stack that begins with the accumulator of a board, computed afresh.
    pub fn new(transformer: &'n FeatureTransformer<I>, board: &Board) -> AccumulatorStack<'n, I> {
        let sums = Accumulator::fresh(transformer, board);
        let first = StackedAccumulator { sums, computed: [true; 2], change: None };
        AccumulatorStack { transformer, entries: vec![first], top: 0, cache: RefreshCache::new(transformer) }
    }

    /// The accumulator of `board`, which must be the one that all moves seen so far have led to.
    #[inline]
    pub fn current(&mut self, board: &Board) -> &Accumulator {
        for view in Side::ALL {
            self.update(view, board);
        }
        let sums = &self.entries[self.top].sums;
        debug_assert_eq!(*sums, Accumulator::fresh(self.transformer, board), "a move was missed: {board:?}");
        sums
    }

    /// How many moves the sums have yet to follow before they are those of the present board.
    pub fn pending(&self) -> usize {
        self.entries[..=self.top].iter().rev().take_while(|entry| entry.computed != [true; 2]).count()
    }

    /// Brings a perspective up to date, from the last sums that are known or from the cache.
    fn update(&mut self, view: Side, board: &Board) {
        let mut known = self.top;
        while !self.entries[known].computed[view.index()] {
            if const { orientation_changes::<I>() } && self.entries[known].reorients::<I>(view) {
                let entry = &mut self.entries[self.top];
                self.cache.refresh(self.transformer, board, view, &mut entry.sums.0[view.index()]);
                entry.computed[view.index()] = true;
                return;
            }
            known -= 1;
        }
        for at in known + 1..=self.top {
            let (before, rest) = self.entries.split_at_mut(at);
            if let (Some(last), Some(entry)) = (before.last(), rest.first_mut())
                && let Some(change) = entry.change
            {
                for image in 0..I::IMAGES {
                    let orientation = Orientation::of::<I>(view, board.king(view), image);
                    let sums = &last.sums.0[view.index()][image];
                    entry.sums.0[view.index()][image] =
                        self.transformer.after(sums, view, orientation, change);
                }
                entry.computed[view.index()] = true;
            }
        }
    }
}

impl<I: InputSet> BoardObserver for AccumulatorStack<'_, I> {
    #[inline]
    fn made(&mut self, change: BoardChange) {
        self.top += 1;
        match self.entries.get_mut(self.top) {
            Some(entry) => (entry.computed, entry.change) = ([false; 2], Some(change)),
            None => {
                let sums = self.entries[0].sums;
                self.entries.push(StackedAccumulator { sums, computed: [false; 2], change: Some(change) });
            }
        }
    }

    #[inline]
    fn unmade(&mut self, change: BoardChange) {
        debug_assert_eq!(self.entries[self.top].change, Some(change), "another move is taken back");
        self.top = self.top.saturating_sub(1);
    }
}

/// The last sums of each orientation of each perspective ("finny tables" elsewhere).
///
/// It is empty where no move changes an orientation.
#[derive(Debug, Clone)]
struct RefreshCache(Vec<CachedSums>);

/// Sums, and the pieces that they belong to.
#[derive(Debug, Clone)]
struct CachedSums {
    sums: HiddenVector,
    pieces: [Bitboard; 14],
}

impl RefreshCache {
    /// The cache of an empty board.
    fn new<I: InputSet>(transformer: &FeatureTransformer<I>) -> RefreshCache {
        let empty = CachedSums { sums: transformer.bias, pieces: [Bitboard::EMPTY; 14] };
        let orientations =
            if orientation_changes::<I>() { 2 * FeatureTransformer::<I>::ORIENTATIONS } else { 0 };
        RefreshCache(vec![empty; orientations])
    }

    /// Brings the sums of a perspective up to date by the pieces that came and went since this orientation was last
    /// seen.
    fn refresh<I: InputSet>(
        &mut self,
        transformer: &FeatureTransformer<I>,
        board: &Board,
        view: Side,
        images: &mut [HiddenVector; MAX_IMAGES],
    ) {
        for (image, sums) in images.iter_mut().take(I::IMAGES).enumerate() {
            let orientation = Orientation::of::<I>(view, board.king(view), image);
            let number = 2 * orientation.bucket + usize::from(orientation.mirrored);
            let cached = &mut self.0[view.index() * FeatureTransformer::<I>::ORIENTATIONS + number];
            for (piece, seen) in Piece::ALL.into_iter().zip(&mut cached.pieces) {
                let now = board.squares_of(piece);
                let weights = |square| transformer.of_piece(view, orientation, piece, square);
                (*seen & !now).into_iter().for_each(|square| cached.sums.subtract(weights(square)));
                (now & !*seen).into_iter().for_each(|square| cached.sums.add(weights(square)));
                *seen = now;
            }
            *sums = cached.sums;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::board::Position;

    /// Both perspectives mirrored, with a bucket of its own for each other square of the general.
    #[derive(Clone, Copy)]
    struct Mirrored;
    impl InputSet for Mirrored {
        const IMAGES: usize = 1;
        const GENERAL_BUCKETS: [[u8; 3]; 3] = [[0, 1, 0], [2, 3, 2], [4, 5, 4]];
    }

    /// Two images of each perspective, with two buckets.
    #[derive(Clone, Copy)]
    struct TwoBuckets;
    impl InputSet for TwoBuckets {
        const IMAGES: usize = 2;
        const GENERAL_BUCKETS: [[u8; 3]; 3] = [[0, 0, 1], [0, 0, 1], [1, 1, 1]];
    }

    /// No bucket, but mirrored.
    #[derive(Clone, Copy)]
    struct OneBucket;
    impl InputSet for OneBucket {
        const IMAGES: usize = 1;
        const GENERAL_BUCKETS: [[u8; 3]; 3] = [[0; 3]; 3];
    }

    const FENS: [&str; 3] = [
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
        "3k5/4P4/9/9/9/9/9/2n6/9/4K1B2 b - - 0 1",
    ];

    /// Plays every line of so many plies, and compares the sums at every node, or at some only.
    fn walk<I: InputSet>(
        position: &mut Position,
        stack: &mut AccumulatorStack<I>,
        depth: u32,
        ask: &impl Fn(&Position) -> bool,
        refreshed: &mut u64,
    ) {
        if ask(position) {
            let top = &stack.entries[stack.top];
            *refreshed += u64::from(Side::ALL.into_iter().any(|view| top.reorients::<I>(view)));
            let fresh = Accumulator::fresh(stack.transformer, position);
            assert_eq!(*stack.current(position), fresh, "{position:?}");
            assert_eq!(stack.pending(), 0);
        }
        if depth > 0 {
            for &mv in position.legal_moves().iter() {
                position.make_observed(mv, stack);
                walk(position, stack, depth - 1, ask, refreshed);
                position.unmake_observed(stack);
            }
        }
    }

    /// Walks through the lines of all positions; returns in how many nodes the last move changed an orientation.
    fn walk_all<I: InputSet>() -> u64 {
        let transformer = FeatureTransformer::<I>::random(3);
        let mut refreshed = 0;
        for (fen, depth) in FENS.into_iter().zip([2, 3, 5]) {
            let mut position = Position::from_fen(fen).unwrap();
            let mut stack = AccumulatorStack::new(&transformer, &position);
            walk(&mut position, &mut stack, depth, &|_| true, &mut refreshed);
            // Where hardly any value is asked for, many plies are caught up with at once.
            walk(
                &mut position,
                &mut stack,
                depth,
                &|position| position.key().is_multiple_of(5),
                &mut refreshed,
            );
            assert_eq!(stack.top, 0);
        }
        refreshed
    }

    #[test]
    fn sums_follow_every_line_there_and_back() {
        assert_eq!(walk_all::<Inputs>() > 0, orientation_changes::<Inputs>());
    }

    #[test]
    fn sums_are_refreshed_where_the_bucket_of_a_general_changes() {
        assert!(walk_all::<TwoBuckets>() > 100);
        assert!(walk_all::<Mirrored>() > 100);
        assert!(walk_all::<OneBucket>() > 0);
    }

    #[test]
    fn buckets_make_a_difference() {
        let board = Position::from_fen(FENS[2]).unwrap();
        let transformer = FeatureTransformer::<TwoBuckets>::random(7);
        let mut one = transformer.clone();
        one.weights.copy_within(..super::super::arch::FEATURES, super::super::arch::FEATURES);
        assert_ne!(Accumulator::fresh(&transformer, &board), Accumulator::fresh(&one, &board));
    }

    #[test]
    fn mirror_images_look_alike_to_a_mirrored_perspective() {
        let transformer = FeatureTransformer::<Mirrored>::random(5);
        let [left, right] = ["3k5/9/9/9/9/9/9/7R1/9/5K3 w", "5k3/9/9/9/9/9/9/1R7/9/3K5 w"]
            .map(|fen| Accumulator::fresh(&transformer, &Position::from_fen(fen).unwrap()));
        assert_eq!(left, right);
    }
}
