//! A move as players describe it: which piece, on which file, which direction, and how far or to which file.
//!
//! Each player counts the files 1 to 9 from the own right hand, and "forward" is towards the opponent.
//! General, rook, cannon and pawn go forward or back by a number of points; every other move names the file
//! it ends on. Two or more like pieces on one file are told apart by their order from the front.

use super::NotationError;
use super::text::MoveScanner;
use crate::board::Position;
use crate::types::{Bitboard, Kind, Move, Side, Square};

/// The direction of a move, from the mover's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Towards the opponent: 进, `+`.
    Forward,
    /// Towards the own side: 退, `-`.
    Back,
    /// Along the rank: 平, `=` or `.`.
    Across,
}

/// The place of a piece among the like pieces of its side on its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TandemPlace {
    /// How many of them stand before it.
    pub(super) ahead: u8,
    /// How many there are in all, itself included.
    pub(super) count: u8,
    /// Whether another file has two or more of them too, which happens to pawns alone.
    pub(super) elsewhere: bool,
    /// Its number, from 1, among all such pieces of files with two or more: rightmost file first, front to rear.
    pub(super) overall: u8,
}

/// A word for one of several like pieces on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TandemOrder {
    /// The foremost: 前, or WXF `++`.
    Front,
    /// The middle one of three or five: 中.
    Middle,
    /// The rearmost: 后, or WXF `--`.
    Rear,
    /// WXF `+`: the foremost of two or three, the second of four or five.
    Plus,
    /// WXF `-`: the rearmost of two or three, the last but one of four or five.
    Minus,
    /// This one, counted from 1 at the front, over both files where two have several pawns.
    Nth(u8),
    /// This one of its file, counted from 1 at the front.
    OnFile(u8),
}

/// A move described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveDescription {
    pub(super) side: Side,
    pub(super) kind: Kind,
    /// The file the piece leaves, 1-9 from the mover's right.
    pub(super) file: u8,
    pub(super) place: TandemPlace,
    pub(super) direction: Direction,
    /// Points gone, or the file reached.
    pub(super) number: u8,
}

/// What a text says about a move; what it leaves open is `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovePattern {
    pub(super) kind: Kind,
    pub(super) file: Option<u8>,
    pub(super) order: Option<TandemOrder>,
    pub(super) direction: Option<Direction>,
    pub(super) number: u8,
}

impl MoveDescription {
    /// Describes `mv`; `None` if no piece stands on its source or the piece never moves like this.
    pub(super) fn of(position: &Position, mv: Move) -> Option<MoveDescription> {
        let piece = position.piece_on(mv.from())?;
        let (side, kind) = (piece.side(), piece.kind());
        let (from, to) = (mv.from(), mv.to());
        let steps = i16::from(height(side, to)) - i16::from(height(side, from));
        let direction = match steps {
            0 => Direction::Across,
            1.. => Direction::Forward,
            _ => Direction::Back,
        };
        let straight = matches!(kind, Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn);
        let along_the_file = from.file() == to.file();
        if straight != (along_the_file || direction == Direction::Across) {
            return None;
        }
        let number = if straight && direction != Direction::Across {
            steps.unsigned_abs() as u8
        } else {
            file(side, to)
        };
        let place = TandemPlace::of(from, side, position.pieces(side, kind));
        Some(MoveDescription { side, kind, file: file(side, from), place, direction, number })
    }

    /// Whether the piece has to be told from others of its file. Advisors and elephants never need it:
    /// of two on a file only one can go forward, and only the other back.
    pub(super) fn is_tandem(&self) -> bool {
        self.place.count > 1 && !matches!(self.kind, Kind::Advisor | Kind::Elephant)
    }
}

impl TandemPlace {
    /// The place of the piece on `square` among `like`, the pieces of its side and kind.
    fn of(square: Square, side: Side, like: Bitboard) -> TandemPlace {
        let on = |file: u8| like & Bitboard::file(file);
        let ahead = |square: Square| {
            let before = |other: &Square| height(side, *other) > height(side, square);
            on(square.file()).into_iter().filter(before).count() as u8
        };
        let count = on(square.file()).len() as u8;
        let crowded = |file: &u8| *file != square.file() && on(*file).has_many();
        let others: Vec<u8> = (0..Square::FILES).filter(crowded).collect();
        let right_of = |other: &&u8| file_number(side, **other) < file(side, square);
        let before: u32 = others.iter().filter(right_of).map(|&file| on(file).len()).sum();
        let ahead = ahead(square);
        TandemPlace { ahead, count, elsewhere: !others.is_empty(), overall: before as u8 + ahead + 1 }
    }

    /// Whether `order` means this piece.
    fn is(self, order: TandemOrder) -> bool {
        let behind = self.count - self.ahead - 1;
        let inner = u8::from(self.count > 3);
        self.count > 1
            && match order {
                TandemOrder::Front => self.ahead == 0,
                TandemOrder::Middle => self.ahead == behind,
                TandemOrder::Rear => behind == 0,
                TandemOrder::Plus => self.ahead == inner,
                TandemOrder::Minus => behind == inner,
                TandemOrder::Nth(number) if self.elsewhere => self.overall == number,
                TandemOrder::Nth(number) | TandemOrder::OnFile(number) => self.ahead + 1 == number,
            }
    }
}

impl MovePattern {
    /// The one legal move of the position that fits; the scanner is asked for the error otherwise.
    ///
    /// A direction left out is "across" wherever that is legal: the table of the 1999 rules (7.5) has 車12
    /// for 車一平二 where 車一进二 is legal too.
    pub(super) fn find(&self, position: &Position, scanner: &MoveScanner) -> Result<Move, NotationError> {
        if self.direction.is_none() {
            let across = MovePattern { direction: Some(Direction::Across), ..*self };
            if let Ok(mv) = across.find(position, scanner) {
                return Ok(mv);
            }
        }
        let fits = |mv: &Move| self.fits(position, *mv);
        scanner.only(position.legal_moves().iter().copied().filter(fits).collect())
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        position.piece_on(mv.from()).is_some_and(|piece| piece.kind() == self.kind)
            && MoveDescription::of(position, mv).is_some_and(|described| {
                described.number == self.number
                    && self.direction.is_none_or(|direction| direction == described.direction)
                    && self.file.is_none_or(|file| file == described.file)
                    && self.order.is_none_or(|order| described.place.is(order))
            })
    }
}

/// How far up the board a square is, seen by `side`: 0 on the own back rank, 9 on the opponent's.
fn height(side: Side, square: Square) -> u8 {
    match side {
        Side::Red => square.rank(),
        Side::Black => square.flipped().rank(),
    }
}

/// The number of a square's file, 1-9 from the right hand of `side`.
fn file(side: Side, square: Square) -> u8 {
    file_number(side, square.file())
}

fn file_number(side: Side, file: u8) -> u8 {
    match side {
        Side::Red => Square::FILES - file,
        Side::Black => file + 1,
    }
}
