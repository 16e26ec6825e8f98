//! DhtmlXQ, also called UBB: the records of dpxq.com, which people paste into forums.
//!
//! Fields stand between `[DhtmlXQ_name]` and `[/DhtmlXQ_name]`. A move is four digits, file and rank from
//! Black's left corner for each of its squares: `7747` is h2e2. `move_0_2_1` holds branch 1, which replaces
//! the second move of branch 0, the main line; `comment2` is said after the second move of the main line,
//! `comment1_3` after the third move of branch 1.

use super::error::{MAX_DEPTH, MoveNumber, NotationError, NotationFault, TextError, TextFault};
use super::game::{AnnotatedMove, RecordedGame, Variation, result_word};
use super::piece_list::{self, PieceList, PiecesError, square_from_top};
use crate::board::Position;
use crate::types::{Move, Outcome, Side, Square};

/// The fields that become tags, and the tags.
const FIELDS: [(&str, &str); 13] = [
    ("title", "Title"),
    ("event", "Event"),
    ("round", "Round"),
    ("table", "Board"),
    ("date", "Date"),
    ("place", "Site"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("timerule", "TimeControl"),
    ("open", "Opening"),
    ("author", "Annotator"),
];

/// Whether a text holds such records.
pub fn is_ubb(text: &str) -> bool {
    ["[DhtmlXQ]", "[DhtmlXQ_movelist]", "[DhtmlXQ_binit]"].iter().any(|tag| text.contains(tag))
}

/// Reads every record of a text as far as it makes sense, and what does not.
///
/// ```
/// use xiangqi::notation::ubb;
/// let text = "[DhtmlXQ]\n[DhtmlXQ_red]a[/DhtmlXQ_red]\n\
///     [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\n[/DhtmlXQ]";
/// let (game, faults) = ubb::salvage(text).next().unwrap();
/// let game = game.unwrap();
/// assert_eq!((game.tag("Red"), game.main.moves.len(), faults.len()), (Some("a"), 3, 0));
/// ```
pub fn salvage(text: &str) -> impl Iterator<Item = (Option<RecordedGame>, Vec<TextError>)> + '_ {
    let mut starts: Vec<usize> = ["[DhtmlXQ]", "[DhtmlXQHTML]"]
        .iter()
        .flat_map(|tag| text.match_indices(tag).map(|(at, _)| at))
        .collect();
    starts.sort_unstable();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| {
        let mut reader = UbbReader { text, fields: fields(text, start, end), faults: Vec::new() };
        (reader.game(), reader.faults)
    })
}

/// A named value and the byte of the text at which it begins.
struct Field<'a> {
    name: &'a str,
    value: &'a str,
    at: usize,
}

/// The fields between two bytes of a text.
fn fields(text: &str, mut at: usize, end: usize) -> Vec<Field<'_>> {
    const OPEN: &str = "[DhtmlXQ_";
    let mut fields = Vec::new();
    while let Some(found) = text[at..end].find(OPEN) {
        at += found + OPEN.len();
        let rest = &text[at..end];
        let Some(name) = rest.find(']') else { break };
        let value = &rest[name + 1..];
        let close = value.find("[/DhtmlXQ_").unwrap_or(value.len());
        // A field that is not closed ends with its line.
        let value = match value[..close].find(OPEN) {
            Some(next) => &value[..value.find('\n').unwrap_or(next).min(next)],
            None => &value[..close],
        };
        fields.push(Field { name: &rest[..name], value, at: at + name + 1 });
        at += name + 1 + value.len();
    }
    fields
}

/// A line of play under way.
struct Branch {
    /// Which line it leaves.
    parent: usize,
    /// The ply of its first move, counted from 0.
    start: usize,
    /// How many branches it is away from the main line.
    depth: usize,
    /// Its own moves.
    moves: Vec<AnnotatedMove>,
}

/// Reads one record.
struct UbbReader<'a> {
    text: &'a str,
    fields: Vec<Field<'a>>,
    faults: Vec<TextError>,
}

impl UbbReader<'_> {
    fn field(&self, name: &str) -> Option<&Field<'_>> {
        self.fields.iter().find(|field| field.name == name && !field.value.trim().is_empty())
    }

    fn game(&mut self) -> Option<RecordedGame> {
        let start = match self.start() {
            Ok(start) => start,
            Err(error) => {
                self.faults.push(error);
                return None;
            }
        };
        let mut game = RecordedGame::new(start);
        for (name, tag) in FIELDS {
            if let Some(field) = self.field(name) {
                game.set_tag(tag, field.value.trim());
            }
        }
        game.outcome = self.field("result").and_then(|field| outcome(field.value.trim()));
        if let Some(field) = self.field("comment0") {
            game.main.comment = said(field.value);
        }
        let mut branches: Vec<(usize, Branch)> = Vec::new();
        let main = self.field("movelist").map(|field| (field.at, field.value.to_owned()));
        let main = main.unwrap_or((self.text.len(), String::new()));
        let main_line = Branch { parent: 0, start: 0, depth: 0, moves: Vec::new() };
        branches.push((0, self.play(game.start.clone(), main_line, &main, 0)));
        for (parent, ply, number, list) in self.branch_fields() {
            match self.branch(&game.start, &branches, (parent, ply)) {
                Ok((position, branch)) => {
                    let branch = self.play(position, branch, &list, number);
                    branches.push((number, branch));
                }
                Err(fault) => self.faults.push(TextError::at(self.text, list.0, fault)),
            }
        }
        game.main.moves = joined(branches);
        Some(game)
    }

    /// The start position.
    fn start(&self) -> Result<Position, TextError> {
        let error = |at, fault| TextError::at(self.text, at, fault);
        if let Some(field) = self.field("fen") {
            return Position::from_fen(field.value.trim())
                .map_err(|fault| error(field.at, TextFault::Fen(fault)));
        }
        let Some(field) = self.field("binit") else { return Ok(Position::startpos()) };
        let digits: Vec<u8> =
            field.value.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let mut list: PieceList = [None; 32];
        for (place, pair) in list.iter_mut().zip(digits.chunks_exact(2)) {
            *place = square_from_top(pair[0], pair[1]);
        }
        let first = self.field("movelist").and_then(|field| squares(field.value.trim().as_bytes()));
        piece_list::position(&list, first.map(|(from, _)| from), Side::Red)
            .map_err(|fault| error(field.at, TextFault::Fen(fault)))
    }

    /// The branches by their numbers: parent, ply counted from 0, number, place and moves.
    fn branch_fields(&self) -> Vec<(usize, usize, usize, (usize, String))> {
        let parse = |field: &Field| {
            let mut numbers = field.name.strip_prefix("move_")?.split('_').map(|word| word.parse().ok());
            let (parent, ply, number): (usize, usize, usize) =
                (numbers.next()??, numbers.next()??, numbers.next()??);
            Some((parent, ply.checked_sub(1)?, number, (field.at, field.value.to_owned())))
        };
        let mut branches: Vec<_> = self.fields.iter().filter_map(parse).collect();
        branches.sort_by_key(|branch| branch.2);
        branches
    }

    /// The position at which a branch leaves its parent, and the empty branch.
    fn branch(
        &self,
        start: &Position,
        branches: &[(usize, Branch)],
        (parent, ply): (usize, usize),
    ) -> Result<(Position, Branch), TextFault> {
        let missing = TextFault::Missing("the move that this branch replaces");
        let index = branches.iter().position(|(number, _)| *number == parent).ok_or(missing.clone())?;
        let own = &branches[index].1;
        if ply < own.start || ply > own.start + own.moves.len() {
            return Err(missing);
        }
        if own.depth + 1 > MAX_DEPTH {
            return Err(TextFault::TooDeep);
        }
        // The moves before the branch, from its parent back to the main line.
        let mut moves: Vec<Move> = Vec::new();
        let (mut line, mut end) = (index, ply);
        loop {
            let branch = &branches[line].1;
            moves.extend(branch.moves[..end - branch.start].iter().rev().map(|mv| mv.mv));
            if branch.start == 0 {
                break;
            }
            (line, end) = (branch.parent, branch.start);
        }
        let mut position = start.clone();
        moves.iter().rev().for_each(|&mv| position.make(mv));
        Ok((position, Branch { parent: index, start: ply, depth: own.depth + 1, moves: Vec::new() }))
    }

    /// Plays the moves of a branch as far as they are legal.
    fn play(
        &mut self,
        mut position: Position,
        mut branch: Branch,
        (at, list): &(usize, String),
        number: usize,
    ) -> Branch {
        let list = list.as_bytes();
        let digits: Vec<usize> = (0..list.len()).filter(|&index| list[index].is_ascii_digit()).collect();
        for four in digits.chunks(4) {
            let word: Vec<u8> = four.iter().map(|&index| list[index]).collect();
            let mv = squares(&word).and_then(|(from, to)| Move::new(from, to));
            let played = match mv {
                None => Err(NotationFault::NoMove),
                Some(mv) => position.play(mv).map(|()| mv).map_err(NotationFault::Illegal),
            };
            match played {
                Ok(mv) => {
                    let ply = branch.start + branch.moves.len() + 1;
                    let name = match number {
                        0 => format!("comment{ply}"),
                        _ => format!("comment{number}_{ply}"),
                    };
                    let comment = self.field(&name).map_or(String::new(), |field| said(field.value));
                    branch.moves.push(AnnotatedMove { comment, ..AnnotatedMove::new(mv) });
                }
                Err(fault) => {
                    let move_number = MoveNumber(position.fullmove(), position.side());
                    let error = NotationError::new(&String::from_utf8_lossy(&word), 1, fault);
                    let fault = TextFault::Move(move_number, error);
                    self.faults.push(TextError::at(self.text, at + four[0], fault));
                    break;
                }
            }
        }
        branch
    }
}

/// The moves of the main line with all branches in their places.
fn joined(mut branches: Vec<(usize, Branch)>) -> Vec<AnnotatedMove> {
    // A branch leaves one that stands before it, so the last one is complete.
    while branches.len() > 1 {
        let Some((_, branch)) = branches.pop() else { break };
        let parent = &mut branches[branch.parent].1;
        let index = branch.start - parent.start;
        if branch.moves.is_empty() {
        } else if let Some(replaced) = parent.moves.get_mut(index) {
            replaced.variations.insert(0, Variation { comment: String::new(), moves: branch.moves });
        } else {
            parent.moves.extend(branch.moves);
        }
    }
    branches.pop().map_or(Vec::new(), |(_, main)| main.moves)
}

/// The two squares of four digits.
fn squares(word: &[u8]) -> Option<(Square, Square)> {
    let digit = |index: usize| word.get(index).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    let from = square_from_top(digit(0)?, digit(1)?)?;
    Some((from, square_from_top(digit(2)?, digit(3)?)?))
}

fn outcome(word: &str) -> Option<Outcome> {
    match word {
        "先胜" | "红方胜" => Some(Outcome::Win(Side::Red)),
        "先负" | "黑方胜" => Some(Outcome::Win(Side::Black)),
        "先和" | "平局" => Some(Outcome::Draw),
        _ => result_word(word).flatten(),
    }
}

/// A comment with its line breaks.
fn said(value: &str) -> String {
    value.replace("||", "\n").trim().to_owned()
}

/// Writes a game as a DhtmlXQ record.
///
/// Annotation glyphs are left out, for which the format has no place.
///
/// ```
/// use xiangqi::{board::Position, notation::{pgn::RecordedGame, ubb}};
/// let mut game = RecordedGame::new(Position::startpos());
/// game.push("h2e2".parse().unwrap(), "");
/// assert!(ubb::write(&game).unwrap().contains("[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"));
/// ```
///
/// # Errors
/// The start position has more pieces of a kind than a set.
pub fn write(game: &RecordedGame) -> Result<String, PiecesError> {
    let mut text = String::from("[DhtmlXQ]\n");
    let mut field = |name: &str, value: &str| {
        let value = value.replace("[/", "[ /").replace("\r\n", "\n").replace('\n', "||");
        text.push_str(&format!("[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]\n"));
    };
    field("init", "500,350");
    for (name, tag) in FIELDS {
        if let Some(value) = game.tag(tag) {
            field(name, value);
        }
    }
    let result = match game.outcome {
        Some(Outcome::Win(Side::Red)) => "红胜",
        Some(Outcome::Win(Side::Black)) => "黑胜",
        Some(Outcome::Draw) => "和棋",
        None => "未知",
    };
    field("result", result);
    let places = piece_list::list(&game.start)?.map(|square| square.map_or("99".to_owned(), digits));
    field("binit", &places.concat());
    if !game.main.comment.is_empty() {
        field("comment0", &game.main.comment);
    }
    // Each line with the ply before its first move and its number; what it holds is put behind it.
    let mut lines: Vec<(&str, &[AnnotatedMove], usize)> = vec![("", &game.main.moves, 0)];
    let mut names = vec!["movelist".to_owned()];
    let mut number = 0;
    while let Some(&(preface, moves, start)) = lines.get(number) {
        let list: String = moves.iter().map(|mv| digits(mv.mv.from()) + &digits(mv.mv.to())).collect();
        field(&names[number], &list);
        for (index, mv) in moves.iter().enumerate() {
            let ply = start + index + 1;
            let before = if index == 0 { preface } else { "" };
            let comment = [before, &mv.comment].into_iter().filter(|part| !part.is_empty());
            let comment = comment.collect::<Vec<_>>().join("\n");
            if !comment.is_empty() && number == 0 {
                field(&format!("comment{ply}"), &comment);
            } else if !comment.is_empty() {
                field(&format!("comment{number}_{ply}"), &comment);
            }
            // What replaces the first move of a branch replaces a move of its parent.
            if index > 0 || number == 0 {
                for line in mv.replacements() {
                    names.push(format!("move_{number}_{ply}_{}", lines.len()));
                    lines.push((&line.comment, &line.moves, ply - 1));
                }
            }
        }
        number += 1;
    }
    text.push_str("[/DhtmlXQ]\n");
    Ok(text)
}

/// A square as two digits.
fn digits(square: Square) -> String {
    format!("{}{}", square.file(), Square::RANKS - 1 - square.rank())
}
