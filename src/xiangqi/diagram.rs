//! A position as text for people to look at.

use std::fmt;

use crate::board::Position;
use crate::types::{Move, Side, Square};

// Codes that give a terminal the colours of Red, of Black and of the squares of the last move, and end them.
const RED: &str = "\x1b[1;31m";
const BLACK: &str = "\x1b[1;36m";
const LAST: &str = "\x1b[7m";
const PLAIN: &str = "\x1b[0m";

/// A position drawn with the names of its pieces and coordinates, above its FEN, its key and the checkers.
///
/// Each piece is shown as its letter in a FEN, which tells the sides apart, and its Chinese name. A star marks both
/// squares of the last move.
///
/// ```
/// use xiangqi::{board::Position, diagram::Diagram};
///
/// let position = Position::startpos();
/// let text = Diagram::new(&position, false).to_string();
/// assert!(text.starts_with("9  r车 n马 b象 a士 k将 a士 b象 n马 r车\n"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Diagram<'a> {
    /// The position to draw.
    pub position: &'a Position,
    /// The move to mark.
    pub last: Option<Move>,
    /// Whether to add the colours of a terminal.
    pub colour: bool,
    /// The number of Red's back rank, which is 0 in this library and 1 in some other programs.
    pub first_rank: u8,
}

impl<'a> Diagram<'a> {
    /// A diagram of `position` that marks the last move of its record and counts ranks from 0.
    pub fn new(position: &'a Position, colour: bool) -> Diagram<'a> {
        let last = position.last_played().and_then(|played| played.mv);
        Diagram { position, last, colour, first_rank: 0 }
    }

    /// The number of a rank.
    fn rank(&self, rank: u8) -> u16 {
        u16::from(rank) + u16::from(self.first_rank)
    }

    /// The name of a square.
    fn name(&self, square: Square) -> String {
        format!("{}{}", (b'a' + square.file()) as char, self.rank(square.rank()))
    }

    /// Writes the piece on a square.
    fn square(&self, f: &mut fmt::Formatter<'_>, square: Square) -> fmt::Result {
        let moved = self.last.is_some_and(|mv| [mv.from(), mv.to()].contains(&square));
        let piece = self.position.piece_on(square);
        let name = piece.map_or(" · ".to_owned(), |piece| format!("{}{}", piece.letter(), piece.hanzi()));
        f.write_str(if moved { "*" } else { " " })?;
        if !self.colour {
            return f.write_str(&name);
        }
        let side = piece.map_or("", |piece| if piece.side() == Side::Red { RED } else { BLACK });
        write!(f, "{side}{}{name}{PLAIN}", if moved { LAST } else { "" })
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let width = self.rank(Square::RANKS - 1).to_string().len();
        for rank in (0..Square::RANKS).rev() {
            write!(f, "{:>width$} ", self.rank(rank))?;
            for square in (0..Square::FILES).filter_map(|file| Square::new(file, rank)) {
                self.square(f, square)?;
            }
            writeln!(f)?;
            if rank == 5 {
                writeln!(f, "{:width$}  -------- 楚河 ---------- 汉界 --------", "")?;
            }
        }
        writeln!(f, "{:width$}  a   b   c   d   e   f   g   h   i", "")?;
        writeln!(f, "Fen: {}", position.to_fen())?;
        writeln!(f, "Key: {:016X}", position.key())?;
        let checkers: Vec<String> = position.checkers().into_iter().map(|square| self.name(square)).collect();
        write!(f, "Checkers: {}", checkers.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_stand_where_they_are() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/3R5/4K4 b").unwrap();
        let text = Diagram::new(&position, false).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "9   ·   ·   ·  k将  ·   ·   ·   ·   · ");
        assert_eq!(lines[9], "1   ·   ·   ·  R车  ·   ·   ·   ·   · ");
        assert_eq!(lines[12], "Fen: 3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1");
        assert_eq!(lines[14], "Checkers: d1");
    }

    #[test]
    fn ranks_are_numbered_as_the_client_counts() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/3R5/4K4 b").unwrap();
        let text = Diagram { first_rank: 1, ..Diagram::new(&position, false) }.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "10   ·   ·   ·  k将  ·   ·   ·   ·   · ");
        assert_eq!(lines[9], " 2   ·   ·   ·  R车  ·   ·   ·   ·   · ");
        assert_eq!(lines[11], "    a   b   c   d   e   f   g   h   i");
        assert_eq!(lines[14], "Checkers: d2");
        let far = Diagram { first_rank: u8::MAX, ..Diagram::new(&position, false) }.to_string();
        assert!(far.starts_with("264   ·") && far.ends_with("Checkers: d256"), "{far}");
    }

    #[test]
    fn the_last_move_is_marked_and_colours_change_nothing_else() {
        let mut position = Position::startpos();
        position.play("h2e2".parse().unwrap()).unwrap();
        let plain = Diagram::new(&position, false).to_string();
        assert!(plain.contains("*C炮  ·   · * · "), "{plain}");
        let mut coloured = Diagram::new(&position, true).to_string();
        assert!(coloured.contains(&format!("{RED}{LAST}C炮{PLAIN}")) && coloured.contains(BLACK));
        for code in [RED, BLACK, LAST, PLAIN] {
            coloured = coloured.replace(code, "");
        }
        assert_eq!(coloured, plain);
    }
}
