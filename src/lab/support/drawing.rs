//! The board as an SVG picture.

use std::fmt::{self, Display};

use xiangqi::board::Position;
use xiangqi::types::{Move, Side, Square};

/// Distance between two lines, in pixels.
const CELL: i32 = 60;
/// Distance of the outer lines from the edge.
const MARGIN: i32 = 48;
/// Radius of a piece.
const RADIUS: i32 = 27;
const WIDTH: i32 = 8 * CELL + 2 * MARGIN;
const HEIGHT: i32 = 9 * CELL + 2 * MARGIN;

const WOOD: &str = "#f3d9a4";
const PIECE: &str = "#fdf1d3";
const INK: &str = "#3b2a18";
const RED: &str = "#b3201a";
const BLACK: &str = "#1d1d1d";
const MARK: &str = "#2f6fb3";
const FONT: &str = "KaiTi,STKaiti,Kaiti SC,AR PL UKai CN,Noto Serif CJK SC,serif";

/// Where cannons and pawns stand at the beginning, as file and rank.
const POINTS: [(i32, i32); 14] = [
    (1, 2),
    (7, 2),
    (1, 7),
    (7, 7),
    (0, 3),
    (2, 3),
    (4, 3),
    (6, 3),
    (8, 3),
    (0, 6),
    (2, 6),
    (4, 6),
    (6, 6),
    (8, 6),
];

/// The board without pieces and coordinates, which looks the same from both sides: lines, palaces, river and the marks of
/// cannons and pawns.
pub fn grid() -> String {
    let at = |steps: i32| MARGIN + steps * CELL;
    let mut path = String::new();
    for row in 0..10 {
        path += &format!("M{} {}H{}", at(0), at(row), at(8));
    }
    for column in [0, 8] {
        path += &format!("M{} {}V{}", at(column), at(0), at(9));
    }
    // The inner files end at the river.
    for column in 1..8 {
        path += &format!("M{0} {1}V{2}M{0} {3}V{4}", at(column), at(0), at(4), at(5), at(9));
    }
    for (top, bottom) in [(0, 2), (7, 9)] {
        path += &format!("M{0} {2}L{1} {3}M{1} {2}L{0} {3}", at(3), at(5), at(top), at(bottom));
    }
    path += &point_marks();
    let mut text = format!("<path d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\"/>\n");
    let (x, y, width, height) = (at(0) - 6, at(0) - 6, 8 * CELL + 12, 9 * CELL + 12);
    text += &format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"3\"/>\n"
    );
    for (column, river) in [(2, "楚河"), (6, "汉界")] {
        let (x, y) = (at(column), MARGIN + 9 * CELL / 2);
        text += &format!(
            "<text x=\"{x}\" y=\"{y}\" dy=\".35em\" text-anchor=\"middle\" font-family=\"{FONT}\" font-size=\"30\" \
             letter-spacing=\"18\" fill=\"{INK}\">{river}</text>\n"
        );
    }
    text
}

/// Four corners around each point, less those beyond the edge.
fn point_marks() -> String {
    const GAP: i32 = 5;
    const LENGTH: i32 = 10;
    let mut path = String::new();
    for (file, rank) in POINTS {
        let (x, y) = (MARGIN + file * CELL, MARGIN + rank * CELL);
        for right in [-1, 1].into_iter().filter(|right| (0..=8).contains(&(file + right))) {
            for down in [-1, 1] {
                let (x, y) = (x + right * GAP, y + down * GAP);
                path += &format!("M{} {y}H{x}V{}", x + right * LENGTH, y + down * LENGTH);
            }
        }
    }
    path
}

/// A position as an SVG picture; its text is Chinese.
#[derive(Debug, Clone, Copy)]
pub struct BoardPicture<'a> {
    /// What to draw.
    pub position: &'a Position,
    /// The move to mark.
    pub last: Option<Move>,
    /// Whether Black is at the bottom.
    pub flipped: bool,
}

impl Display for BoardPicture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">"#)?;
        writeln!(f, "<title>{}</title>", self.position.to_fen())?;
        writeln!(f, r#"<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{WOOD}"/>"#)?;
        f.write_str(&grid())?;
        self.coordinates(f)?;
        self.mark(f)?;
        self.pieces(f)?;
        writeln!(f, "</svg>")
    }
}

impl BoardPicture<'_> {
    /// Where a square is.
    fn point(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        let (column, row) = if self.flipped { (8 - file, rank) } else { (file, 9 - rank) };
        (MARGIN + column * CELL, MARGIN + row * CELL)
    }

    /// The letters of the files below and the numbers of the ranks on the left.
    fn coordinates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"<g font-family="sans-serif" font-size="13" fill="{INK}" text-anchor="middle">"#)?;
        for square in Square::all().filter(|square| square.rank() == 0) {
            let (x, y) = (self.point(square).0, HEIGHT - 6);
            write!(f, r#"<text x="{x}" y="{y}">{}</text>"#, (b'a' + square.file()) as char)?;
        }
        for square in Square::all().filter(|square| square.file() == 0) {
            let y = self.point(square).1;
            write!(f, r#"<text x="10" y="{y}" dy=".35em">{}</text>"#, square.rank())?;
        }
        writeln!(f, "</g>")
    }

    /// A frame where the last move came from; one around its piece.
    fn mark(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in self.last.iter().flat_map(|mv| [mv.from(), mv.to()]) {
            let (x, y) = self.point(square);
            let (x, y, size) = (x - RADIUS - 2, y - RADIUS - 2, 2 * RADIUS + 4);
            write!(f, r#"<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="4" fill="{MARK}" "#)?;
            writeln!(f, r#"fill-opacity=".18" stroke="{MARK}" stroke-width="2.5"/>"#)?;
        }
        Ok(())
    }

    fn pieces(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"<g font-family="{FONT}" font-size="34" text-anchor="middle">"#)?;
        for square in Square::all() {
            let Some(piece) = self.position.piece_on(square) else { continue };
            let (x, y) = self.point(square);
            let colour = if piece.side() == Side::Red { RED } else { BLACK };
            writeln!(
                f,
                r#"<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{PIECE}" stroke="{colour}" stroke-width="2"/>"#
            )?;
            writeln!(f, r#"<circle cx="{x}" cy="{y}" r="{}" fill="none" stroke="{colour}"/>"#, RADIUS - 4)?;
            writeln!(f, r#"<text x="{x}" y="{y}" dy=".35em" fill="{colour}">{}</text>"#, piece.hanzi())?;
        }
        writeln!(f, "</g>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(fen: &str, last: Option<&str>, flipped: bool) -> String {
        let position = Position::from_fen(fen).unwrap();
        BoardPicture { position: &position, last: last.map(|mv| mv.parse().unwrap()), flipped }.to_string()
    }

    const FEN: &str = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";

    #[test]
    fn each_piece_stands_on_its_square_in_its_colour() {
        let picture = drawn(FEN, None, false);
        assert_eq!(picture.matches("<circle").count(), 6);
        let rook =
            format!(r#"<text x="{MARGIN}" y="{}" dy=".35em" fill="{RED}">车</text>"#, MARGIN + 8 * CELL);
        let king =
            format!(r#"<text x="{}" y="{MARGIN}" dy=".35em" fill="{BLACK}">将</text>"#, MARGIN + 3 * CELL);
        assert!(picture.contains(&rook) && picture.contains(&king), "{picture}");
        assert!(picture.contains(&format!("<title>{FEN}</title>")));
    }

    #[test]
    fn cannons_and_pawns_have_their_marks() {
        // Four corners around ten inner points, two around four at the edges.
        assert_eq!(point_marks().matches('H').count(), 10 * 4 + 4 * 2);
    }

    #[test]
    fn the_board_can_be_turned() {
        let rook =
            format!(r#"<text x="{}" y="{}" dy=".35em" fill="{RED}">车"#, MARGIN + 8 * CELL, MARGIN + CELL);
        assert!(drawn(FEN, None, true).contains(&rook));
    }

    #[test]
    fn both_ends_of_the_last_move_are_marked() {
        let marks = |picture: String| picture.matches(MARK).count();
        assert_eq!(marks(drawn(FEN, None, false)), 0);
        assert_eq!(marks(drawn(FEN, Some("a2a1"), false)), 4);
    }

    #[test]
    fn tags_are_closed() {
        let picture = drawn(FEN, Some("a2a1"), false);
        for tag in ["svg", "g", "text", "title"] {
            let opened =
                picture.matches(&format!("<{tag}>")).count() + picture.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, picture.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
