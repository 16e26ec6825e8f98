//! CBF, the XML records that CCBridge (象棋桥) exports: the main line, read only.
//!
//! A move is written `file rank - file rank` with ranks counted from Black's side: `77-47` is h2e2. How the
//! format holds variations is not known; the moves behind the end of the main line are not read.

use roxmltree::{Document, Node};

use super::error::{MoveNumber, NotationError, NotationFault, TextError, TextFault};
use super::game::{AnnotatedMove, RecordedGame};
use super::piece_list::square_from_top;
use crate::board::{Position, STARTPOS};
use crate::types::{Move, Outcome, Side};

/// The name of the outermost element.
pub(super) const ROOT: &str = "ChineseChessRecord";

/// The elements of the head that become tags, and the tags.
const FIELDS: [(&str, &str); 11] = [
    ("Name", "Title"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("Commentator", "Annotator"),
];

/// Reads the main line of a record as far as it makes sense, and what does not.
///
/// ```
/// use xiangqi::notation::cbf;
/// let text = r#"<ChineseChessRecord><Head/><MoveList><Move value="00-00"/><Move value="77-47"/>
///     </MoveList></ChineseChessRecord>"#;
/// assert_eq!(cbf::salvage(text).unwrap().0.main.moves[0].mv.to_string(), "h2e2");
/// ```
///
/// # Errors
/// The text is not XML, or it has no start position or no list of moves.
pub fn salvage(text: &str) -> Result<(RecordedGame, Vec<TextError>), TextError> {
    let error = |at, fault| TextError::at(text, at, fault);
    let document = Document::parse(text).map_err(|fault| {
        let place = fault.pos();
        let fault = TextFault::Xml(fault.to_string().chars().take(60).collect());
        TextError { line: place.row as usize, column: place.col as usize, fault }
    })?;
    let root = document.root_element();
    let child =
        |node: Node<'_, '_>, name| node.children().find(|child| child.has_tag_name(name)).map(|n| n.id());
    let head = child(root, "Head").and_then(|id| document.get_node(id));
    let field = |name| {
        let node = document.get_node(child(head?, name)?)?;
        let value = node.text().unwrap_or("").trim();
        (!value.is_empty()).then_some((node.range().start, value))
    };
    let (at, fen) = field("FEN").unwrap_or((0, STARTPOS));
    let start = Position::from_fen(fen).map_err(|fault| error(at, TextFault::Fen(fault)))?;
    let list = child(root, "MoveList").and_then(|id| document.get_node(id));
    let list = list.ok_or_else(|| error(root.range().end, TextFault::Missing("the list of moves")))?;

    let mut game = RecordedGame::new(start);
    for (element, tag) in FIELDS {
        if let Some((_, value)) = field(element) {
            game.set_tag(tag, value);
        }
    }
    game.outcome = match field("RecordResult").map(|(_, value)| value) {
        Some("1") => Some(Outcome::Win(Side::Red)),
        Some("2") => Some(Outcome::Win(Side::Black)),
        Some("3" | "4") => Some(Outcome::Draw),
        _ => None,
    };
    let mut faults = Vec::new();
    let mut position = game.start.clone();
    for node in list.children().filter(|child| child.has_tag_name("Move")) {
        let value = node.attribute("value").unwrap_or("");
        let comment = node.text().unwrap_or("").trim().to_owned();
        if value == "00-00" && game.main.moves.is_empty() {
            game.main.comment = comment;
        } else {
            match play(&mut position, value) {
                Ok(mv) => game.main.moves.push(AnnotatedMove { comment, ..AnnotatedMove::new(mv) }),
                Err(fault) => {
                    let number = MoveNumber(position.fullmove(), position.side());
                    faults.push(error(node.range().start, TextFault::Move(number, fault)));
                    break;
                }
            }
        }
        if node.attribute("end") == Some("1") {
            break;
        }
    }
    Ok((game, faults))
}

/// Plays a move such as `77-47`.
fn play(position: &mut Position, value: &str) -> Result<Move, NotationError> {
    let digits: Vec<u8> = value.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let squares = match digits[..] {
        [file, row, to_file, to_row] => square_from_top(file, row).zip(square_from_top(to_file, to_row)),
        _ => None,
    };
    let mv = squares.and_then(|(from, to)| Move::new(from, to));
    let mv = mv.ok_or_else(|| NotationError::new(value, 1, NotationFault::NoMove))?;
    position.play(mv).map_err(|reason| NotationError::new(value, 1, NotationFault::Illegal(reason)))?;
    Ok(mv)
}
