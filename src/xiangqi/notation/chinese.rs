//! Chinese notation: 炮二平五, 马８进７, 前车进一.
//!
//! Of three pawns on a file the middle one is 中; four and five are numbered 一 to 五 from the front, in
//! Chinese numerals for both sides. Where two files have several pawns each, the file takes the place of the
//! piece: 前三平四 is the front pawn of the third file.
//!
//! The reader also takes numbers in place of 前中后 (with two such files they count over both, right file
//! first), any mixture of traditional, simplified, full-width and half-width characters, and the short form
//! of the 1999 rules (7.5), which leaves the direction out: 炮25 is 炮二平五, since 平 is meant where it is
//! legal.

use super::NotationError;
use super::descriptive::{Direction, MoveDescription, MovePattern, TandemOrder};
use super::text::{MoveScanner, digit as arabic};
use crate::board::Position;
use crate::types::{Kind, Move, Side};

/// The set of characters to write with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// 马, 车, 进, 后.
    Simplified,
    /// 馬, 車, 進, 後.
    Traditional,
}

/// Black's digits. Red's are always 一 to 九, except in the short form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// １ to ９, as wide as the other characters.
    FullWidth,
    /// 1 to 9.
    HalfWidth,
}

/// How to write Chinese notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChineseStyle {
    /// The characters.
    pub script: Script,
    /// Black's digits.
    pub digits: Digits,
    /// Whether to leave out the direction (炮25) wherever the text is still read as the same move.
    pub short: bool,
}

impl ChineseStyle {
    /// 炮二平五 马８进７.
    pub const SIMPLIFIED: ChineseStyle =
        ChineseStyle { script: Script::Simplified, digits: Digits::FullWidth, short: false };
    /// 炮二平五 馬８進７.
    pub const TRADITIONAL: ChineseStyle =
        ChineseStyle { script: Script::Traditional, ..ChineseStyle::SIMPLIFIED };
    /// 炮25 马87.
    pub const SHORT: ChineseStyle =
        ChineseStyle { digits: Digits::HalfWidth, short: true, ..ChineseStyle::SIMPLIFIED };
}

impl Default for ChineseStyle {
    fn default() -> ChineseStyle {
        ChineseStyle::SIMPLIFIED
    }
}

/// Writes `mv` in Chinese, or in coordinates if no piece of the position moves like this.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::chinese::{self, ChineseStyle};
/// let (start, mv) = (Position::startpos(), "h2e2".parse().unwrap());
/// assert_eq!(chinese::write(&start, mv, ChineseStyle::SIMPLIFIED), "炮二平五");
/// assert_eq!(chinese::write(&start, mv, ChineseStyle::SHORT), "炮25");
/// ```
pub fn write(position: &Position, mv: Move, style: ChineseStyle) -> String {
    let Some(described) = MoveDescription::of(position, mv) else { return mv.to_string() };
    if style.short {
        let text = spell(&described, style);
        if read(position, &text) == Ok(mv) {
            return text;
        }
    }
    spell(&described, ChineseStyle { short: false, ..style })
}

/// Reads a legal move in any of the forms the [module](self) describes.
///
/// ```
/// use xiangqi::{board::Position, notation::chinese};
/// assert_eq!(chinese::read(&Position::startpos(), "砲2平5").unwrap().to_string(), "h2e2");
/// ```
///
/// # Errors
/// Tells the first character that does not fit, or that no legal move or more than one is so called.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    let mut scanner = MoveScanner::new(text);
    let (kind, file, order) = subject(&mut scanner)?;
    let direction = scanner.maybe(direction);
    let wanted = if direction.is_some() { "a digit 1-9 or 一-九" } else { "进, 退, 平 or a digit" };
    let number = scanner.take(wanted, digit)?;
    scanner.end()?;
    MovePattern { kind, file, order, direction, number }.find(position, &scanner)
}

/// Whether a character is one of the words of this notation, not counting 1-9 and signs.
pub(super) fn is_word(letter: char) -> bool {
    !letter.is_ascii()
        && (kind(letter).is_some()
            || order(letter).is_some()
            || digit(letter).is_some()
            || direction(letter).is_some())
}

/// Takes what says which piece moves: kind, file, order among its like.
fn subject(scanner: &mut MoveScanner) -> Result<(Kind, Option<u8>, Option<TandemOrder>), NotationError> {
    if let Some(kind) = scanner.maybe(kind) {
        return match scanner.maybe(order) {
            Some(order) => Ok((kind, None, Some(order))),
            None => Ok((kind, Some(scanner.take("a file 1-9 or 一-九", digit)?), None)),
        };
    }
    if let Some(order) = scanner.maybe(order) {
        return match scanner.maybe(digit) {
            Some(file) => Ok((Kind::Pawn, Some(file), Some(order))),
            None => Ok((scanner.take("a piece or a file", kind)?, None, Some(order))),
        };
    }
    let number = scanner.take("a piece, or 前, 中, 后 or a number,", digit)?;
    Ok((scanner.take("a piece", kind)?, None, Some(TandemOrder::Nth(number))))
}

fn spell(described: &MoveDescription, style: ChineseStyle) -> String {
    let MoveDescription { side, kind, file, place, direction, number } = *described;
    let digit = |number| digit_of(number, side, style);
    let mut text = String::with_capacity(12);
    if !described.is_tandem() {
        text.extend([name(side, kind, style.script), digit(file)]);
    } else if place.elsewhere {
        text.extend([order_word(place.ahead, place.count, style.script), digit(file)]);
    } else if place.count > 3 {
        // The index is a Chinese numeral for both sides; only files and distances follow the side.
        text.extend([han(place.ahead + 1), name(side, kind, style.script)]);
    } else {
        text.extend([order_word(place.ahead, place.count, style.script), name(side, kind, style.script)]);
    }
    if !style.short {
        text.push(direction_word(direction, style.script));
    }
    text.push(digit(number));
    text
}

fn name(side: Side, kind: Kind, script: Script) -> char {
    let names = match (script, side) {
        (Script::Simplified, Side::Red) => ['帅', '仕', '相', '马', '车', '炮', '兵'],
        (Script::Simplified, Side::Black) => ['将', '士', '象', '马', '车', '炮', '卒'],
        (Script::Traditional, Side::Red) => ['帥', '仕', '相', '馬', '車', '炮', '兵'],
        (Script::Traditional, Side::Black) => ['將', '士', '象', '馬', '車', '炮', '卒'],
    };
    names[kind.index()]
}

/// 前, 中 or 后 for a piece with `ahead` of `count` before it.
fn order_word(ahead: u8, count: u8, script: Script) -> char {
    match (ahead, script) {
        (0, _) => '前',
        (ahead, _) if ahead + 1 < count => '中',
        (_, Script::Simplified) => '后',
        (_, Script::Traditional) => '後',
    }
}

fn han(number: u8) -> char {
    const HAN: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    HAN[usize::from(number % 10)]
}

fn digit_of(number: u8, side: Side, style: ChineseStyle) -> char {
    let base = match (style.digits, side) {
        (_, Side::Red) if !style.short => return han(number),
        (Digits::FullWidth, _) => '０',
        (Digits::HalfWidth, _) => '0',
    };
    char::from_u32(base as u32 + u32::from(number % 10)).unwrap_or(base)
}

fn direction_word(direction: Direction, script: Script) -> char {
    match (direction, script) {
        (Direction::Forward, Script::Simplified) => '进',
        (Direction::Forward, Script::Traditional) => '進',
        (Direction::Back, _) => '退',
        (Direction::Across, _) => '平',
    }
}

fn kind(letter: char) -> Option<Kind> {
    Some(match letter {
        '帅' | '帥' | '将' | '將' => Kind::King,
        '仕' | '士' => Kind::Advisor,
        '相' | '象' => Kind::Elephant,
        '马' | '馬' | '傌' | '㐷' => Kind::Horse,
        '车' | '車' | '俥' | '伡' => Kind::Rook,
        '炮' | '砲' | '包' | '礮' => Kind::Cannon,
        '兵' | '卒' => Kind::Pawn,
        _ => return None,
    })
}

fn order(letter: char) -> Option<TandemOrder> {
    Some(match letter {
        '前' => TandemOrder::Front,
        '中' => TandemOrder::Middle,
        '后' | '後' => TandemOrder::Rear,
        _ => return None,
    })
}

fn digit(letter: char) -> Option<u8> {
    let han = "一二三四五六七八九".chars().position(|han| han == letter);
    han.map(|index| index as u8 + 1).or_else(|| arabic(letter))
}

fn direction(letter: char) -> Option<Direction> {
    Some(match letter {
        '进' | '進' | '+' => Direction::Forward,
        '退' | '-' => Direction::Back,
        '平' | '=' | '.' => Direction::Across,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::NotationFault;
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// Checks that `mv` is written as `text` and that `text` and the `others` are read as it.
    fn agree(fen: &str, mv: &str, text: &str, others: &[&str]) {
        let position = position(fen);
        let mv: Move = mv.parse().unwrap();
        assert_eq!(write(&position, mv, ChineseStyle::SIMPLIFIED), text);
        for text in [text].iter().chain(others) {
            assert_eq!(read(&position, text), Ok(mv), "{text}");
        }
        let traditional = write(&position, mv, ChineseStyle::TRADITIONAL);
        assert_eq!(read(&position, &traditional), Ok(mv), "{traditional}");
        let short = write(&position, mv, ChineseStyle::SHORT);
        assert_eq!(read(&position, &short), Ok(mv), "{short}");
    }

    const START: &str = crate::board::STARTPOS;
    const BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";

    #[test]
    fn first_moves() {
        agree(START, "h2e2", "炮二平五", &["砲二平五", "炮2平5", "炮25", "炮２５", "炮二=五", "包二平五"]);
        agree(START, "h0g2", "马二进三", &["馬二進三", "傌23", "马二三"]);
        agree(START, "i0i2", "车一进二", &["車一進二", "俥1进2"]);
        agree(START, "d0e1", "仕六进五", &["士六进五"]);
        agree(BLACK, "h9g7", "马８进７", &["馬８進７", "马8进7", "马八进七", "馬87"]);
        agree(BLACK, "c9e7", "象３进５", &["相3进5"]);
        agree(BLACK, "e6e5", "卒５进１", &["兵五进一"]);
    }

    #[test]
    fn traditional_and_short_forms_are_written() {
        let mv = "h9g7".parse().unwrap();
        assert_eq!(write(&position(BLACK), mv, ChineseStyle::TRADITIONAL), "馬８進７");
        assert_eq!(write(&position(BLACK), mv, ChineseStyle::SHORT), "马87");
        let half = ChineseStyle { digits: Digits::HalfWidth, ..ChineseStyle::SIMPLIFIED };
        assert_eq!(write(&position(BLACK), mv, half), "马8进7");
        assert_eq!(write(&position(START), "h2e2".parse().unwrap(), ChineseStyle::SHORT), "炮25");
    }

    /// 炮84 is 炮8进4 in the rule book's table, where 炮8平4 is not possible; where it is, it goes first.
    #[test]
    fn the_short_form_is_left_where_it_would_mean_another_move() {
        let open = position("4k4/9/7c1/9/9/9/9/9/9/3K5 b - - 0 1");
        let (advance, across) = ("h7h3".parse().unwrap(), "h7d7".parse().unwrap());
        assert_eq!(read(&open, "炮84"), Ok(across));
        assert_eq!(write(&open, across, ChineseStyle::SHORT), "炮84");
        assert_eq!(write(&open, advance, ChineseStyle::SHORT), "炮8进4");
        let horse = position("4k4/9/9/9/4n4/9/9/9/9/3K5 b - - 0 1");
        let error = read(&horse, "马57").unwrap_err();
        assert_eq!(error.to_string(), "`马57` may be e5g4 or e5g6");
        assert_eq!(write(&horse, "e5g4".parse().unwrap(), ChineseStyle::SHORT), "马5进7");
    }

    #[test]
    fn two_on_a_file() {
        let rooks = "3k5/9/9/4R4/9/9/4R4/9/9/5K3 w - - 0 1";
        agree(rooks, "e6e7", "前车进一", &["前車進一", "车前进一", "前车进1", "一车进一"]);
        agree(rooks, "e3a3", "后车平九", &["後車平九", "二车平九"]);
        // 车五平九 could be either; 车五进三 only the front one's.
        assert!(matches!(read(&position(rooks), "车五平九").unwrap_err().fault, NotationFault::Ambiguous(_)));
        let black = "3k5/9/9/4c4/9/9/4c4/9/9/5K3 b - - 0 1";
        agree(black, "e3e2", "前炮进１", &["前砲進1"]);
        agree(black, "e6e7", "后炮退１", &["後砲退一"]);
    }

    #[test]
    fn advisors_and_elephants_keep_their_file() {
        let fen = "3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w - - 0 1";
        agree(fen, "d0e1", "仕六进五", &["后仕进五"]);
        agree(fen, "d2e1", "仕六退五", &["前仕退五"]);
        agree(fen, "c4e2", "相七退五", &["前相退五"]);
        agree(fen, "c0e2", "相七进五", &["后相进五"]);
    }

    #[test]
    fn three_four_and_five_pawns_on_a_file() {
        let three = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        agree(three, "e7f7", "前兵平四", &["一兵平四"]);
        agree(three, "e6f6", "中兵平四", &["二兵平四"]);
        agree(three, "e5f5", "后兵平四", &["三兵平四"]);
        let four = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        agree(four, "e8f8", "一兵平四", &["前兵平四"]);
        agree(four, "e6f6", "三兵平四", &[]);
        agree(four, "e5f5", "四兵平四", &["后兵平四"]);
        let five = "3k5/4P4/4P4/4P4/4P4/9/4P4/9/9/5K3 w - - 0 1";
        agree(five, "e6f6", "三兵平四", &["中兵平四"]);
        agree(five, "e3e4", "五兵进一", &["后兵进一"]);
        let black = "5k3/9/9/9/9/4p4/4p4/4p4/4p4/3K5 b - - 0 1";
        agree(black, "e1f1", "一卒平６", &["１卒平６", "前卒平6", "一卒平六"]);
        agree(black, "e3f3", "三卒平６", &["３卒平６", "三卒平6"]);
    }

    #[test]
    fn pawns_on_two_files() {
        // c7, c5 and f7, f5 of Red: files 七 and 四; 一 to 四 count the right file first.
        let fen = "3k5/9/2P2P3/9/2P2P3/9/9/9/9/4K4 w - - 0 1";
        agree(fen, "c7d7", "前七平六", &["三兵平六"]);
        agree(fen, "c5d5", "后七平六", &["四兵平六"]);
        agree(fen, "f7g7", "前四平三", &["一兵平三"]);
        agree(fen, "f5f6", "后四进一", &[]);
        assert!(matches!(read(&position(fen), "前兵进一").unwrap_err().fault, NotationFault::Ambiguous(_)));
    }

    #[test]
    fn errors_tell_the_place() {
        let fault = |text| {
            let error = read(&position(START), text).unwrap_err();
            (error.column, error.fault)
        };
        assert_eq!(fault("炮二平"), (4, NotationFault::Incomplete("a digit 1-9 or 一-九")));
        assert_eq!(fault("炮二上五").0, 3);
        assert_eq!(fault("炮十平五").0, 2);
        assert_eq!(fault("炮二平五五"), (5, NotationFault::Unexpected('五', "the end of the move")));
        assert_eq!(fault("炮二平二"), (1, NotationFault::NoMove));
        assert_eq!(fault("前炮进一"), (1, NotationFault::NoMove));
        assert_eq!(fault("").0, 1);
    }

    #[test]
    fn a_move_of_no_piece_is_written_in_coordinates() {
        assert_eq!(write(&position(START), "e4e5".parse().unwrap(), ChineseStyle::SIMPLIFIED), "e4e5");
        assert_eq!(write(&position(START), "h0h2".parse().unwrap(), ChineseStyle::SIMPLIFIED), "h0h2");
    }
}
