//! The board as text, for `d`.

use std::fmt;

use crate::board::Position;
use crate::types::Square;

/// A position drawn with the names of its pieces and the coordinates around them; FEN, key and checkers below.
///
/// Each piece is its FEN letter, which tells the sides apart, and its Chinese name.
pub struct Drawing<'a>(pub &'a Position);

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drawing(position) = *self;
        for rank in (0..Square::RANKS).rev() {
            write!(f, "{rank} ")?;
            for square in (0..Square::FILES).filter_map(|file| Square::new(file, rank)) {
                match position.piece_on(square) {
                    Some(piece) => write!(f, " {}{}", piece.letter(), piece.hanzi())?,
                    None => write!(f, "  · ")?,
                }
            }
            writeln!(f)?;
            if rank == 5 {
                writeln!(f, "   -------- 楚河 ---------- 汉界 --------")?;
            }
        }
        writeln!(f, "   a   b   c   d   e   f   g   h   i")?;
        writeln!(f, "Fen: {}", position.to_fen())?;
        writeln!(f, "Key: {:016X}", position.key())?;
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        write!(f, "Checkers: {}", checkers.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_stand_where_they_are() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/9/3R5/4K4 b").unwrap();
        let text = Drawing(&position).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "9   ·   ·   ·  k将  ·   ·   ·   ·   · ");
        assert_eq!(lines[9], "1   ·   ·   ·  R车  ·   ·   ·   ·   · ");
        assert_eq!(lines[12], "Fen: 3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1");
        assert_eq!(lines[14], "Checkers: d1");
    }
}
