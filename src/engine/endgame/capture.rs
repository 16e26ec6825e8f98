//! Where captures lead: from one class into another, or to a board on which neither side can win.

use super::class::EndgameClass;
use super::index::{EndgameLayout, PieceSquares};
use xiangqi::types::{Piece, Side};

/// What is left when a piece of a class is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AfterCapture {
    /// A draw: neither side has a piece that can cross the river.
    Bare,
    /// Another class.
    Class(EndgameClass, SlotMapping),
}

/// Which piece of the larger class each piece of the smaller one is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SlotMapping {
    /// Whether the weaker side becomes the stronger one, so that colours are exchanged.
    pub flipped: bool,
    slots: Vec<usize>,
}

impl SlotMapping {
    /// The squares of the pieces left, as the smaller class lists them.
    #[inline]
    pub fn squares(&self, squares: &PieceSquares) -> PieceSquares {
        let mut rest = *squares;
        for (to, &from) in rest.iter_mut().zip(&self.slots) {
            let square = squares[from & (squares.len() - 1)];
            *to = if self.flipped { square.flipped() } else { square };
        }
        rest
    }

    /// The side to move as the smaller class sees it.
    #[inline]
    pub fn side(&self, side: Side) -> Side {
        if self.flipped { !side } else { side }
    }
}

/// What is left when the piece in this slot of the layout is taken.
pub(super) fn rest(layout: &EndgameLayout, taken: usize) -> AfterCapture {
    let piece = layout.pieces()[taken];
    let mut counts = layout.class().counts();
    counts[piece.side().index()][piece.kind().index()] -= 1;
    let Some((class, flipped)) = EndgameClass::of_counts(counts) else { return AfterCapture::Bare };
    let seen = |piece: Piece| if flipped { Piece::new(!piece.side(), piece.kind()) } else { piece };
    let mut free: Vec<usize> = (0..layout.pieces().len()).filter(|&slot| slot != taken).collect();
    let smaller = EndgameLayout::new(class);
    let wanted = smaller.iter().flat_map(|layout| layout.pieces().iter().copied());
    let slots = wanted.filter_map(|piece| {
        let at = free.iter().position(|&slot| seen(layout.pieces()[slot]) == piece)?;
        Some(free.remove(at))
    });
    AfterCapture::Class(class, SlotMapping { flipped, slots: slots.collect() })
}

/// The classes that captures from `classes` lead to, including `classes` themselves, each after all the classes that it
/// leads to.
pub fn closure(classes: &[EndgameClass]) -> Vec<EndgameClass> {
    let mut found = classes.to_vec();
    let mut next = 0;
    while let Some(&class) = found.get(next) {
        next += 1;
        let Some(layout) = EndgameLayout::new(class) else { continue };
        let kings = Side::ALL.len();
        for taken in kings..layout.pieces().len() {
            if let AfterCapture::Class(smaller, _) = rest(&layout, taken)
                && !found.contains(&smaller)
            {
                found.push(smaller);
            }
        }
    }
    found.sort_by_key(|class| (class.pieces(), class.to_string()));
    found.dedup();
    found
}
