//! One-line reasons in English and Chinese: for each move of a loop, and for the verdict.

use crate::board::Position;
use crate::types::{Bitboard, Kind, Move, Outcome, Piece, Side, Square};

use super::arbiter::{Judged, Judgement, Status};
use super::effect::{Chase, Evidence, Root};

/// A sentence in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// English, with squares.
    pub english: String,
    /// Chinese, with file numbers as in move notation.
    pub chinese: String,
}

impl Reason {
    fn new(english: impl Into<String>, chinese: impl Into<String>) -> Reason {
        Reason { english: english.into(), chinese: chinese.into() }
    }
}

impl Judged {
    /// Why the move has its class.
    pub fn reason(&self) -> Reason {
        let mut moved = self.before.clone();
        moved.make(self.mv);
        let class = self.effect.class.hanzi();
        let reason = match &self.effect.evidence {
            Evidence::None => Reason::new("attacks nothing", ""),
            Evidence::KingReply => Reason::new(
                "answers check with the general, which is idle whatever it threatens",
                "(帅将应将按闲)",
            ),
            Evidence::Checkers(pieces) => checking(&moved, *pieces),
            Evidence::Mate(line) => mating(line),
            Evidence::Chase(chase) => chasing(&moved, chase, self.mv.to()),
            Evidence::Contact(own, other) => contact(&moved, *own, *other),
            Evidence::Offer(taker) => Reason::new(
                format!("may be taken by the {} at no loss", english(&moved, *taker)),
                format!("({}可吃)", chinese(&moved, *taker)),
            ),
            Evidence::Block(blocked) => {
                Reason::new(format!("obstructs the {}", english(&moved, *blocked)), chinese(&moved, *blocked))
            }
            Evidence::Follow(victim, root) => Reason::new(
                format!(
                    "follows the {}, protected by the {}",
                    english(&moved, *victim),
                    english(&moved, *root)
                ),
                format!("{} (有根: {})", chinese(&moved, *victim), chinese(&moved, *root)),
            ),
        };
        let chinese = format!("{class} {}", reason.chinese).trim_end().to_string();
        Reason { chinese, ..reason }
    }
}

fn checking(position: &Position, pieces: Bitboard) -> Reason {
    let names = |name: fn(&Position, Square) -> String, join: &str| {
        pieces.into_iter().map(|square| name(position, square)).collect::<Vec<_>>().join(join)
    };
    Reason::new(
        format!("gives check with the {}", names(english, " and the ")),
        format!("({})", names(chinese, "、")),
    )
}

fn mating(line: &[Move]) -> Reason {
    let checks = line.len().div_ceil(2);
    Reason::new(
        format!("threatens mate in {checks}: {}", coordinates(line)),
        format!("({checks}着将死: {})", coordinates(line)),
    )
}

fn chasing(position: &Position, chase: &Chase, moved: Square) -> Reason {
    let by = (chase.attacker != moved).then_some(chase.attacker);
    let (by_english, by_chinese) = match by {
        Some(attacker) => (
            format!(" with the {}", english(position, attacker)),
            format!("{} ", chinese(position, attacker)),
        ),
        None => (String::new(), String::new()),
    };
    let Some(victim) = chase.victim else {
        let line = coordinates(&chase.line);
        return Reason::new(
            format!("threatens to win a piece by check{by_english}: {line}"),
            format!("({by_chinese}将军得子: {line})"),
        );
    };
    let joint = chase.lesser && !matches!(chase.root, Some(Root::Insufficient(_)));
    let (how, how_chinese) = match chase.root {
        None => (String::new(), String::new()),
        Some(Root::Unprotected) => (": unprotected".into(), "无根".into()),
        Some(Root::False(root)) => (
            format!(": the {} protects it falsely", english(position, root)),
            format!("假根: {}", chinese(position, root)),
        ),
        Some(Root::Insufficient(root)) => (
            format!(
                ": the {} does not protect it enough, {}",
                english(position, root),
                coordinates(&chase.line)
            ),
            format!(
                "{}: {}, {}",
                if chase.lesser { "少根" } else { "得子" },
                chinese(position, root),
                coordinates(&chase.line)
            ),
        ),
    };
    Reason::new(
        format!(
            "{} the {}{by_english}{how}",
            if joint { "jointly chases" } else { "chases" },
            english(position, victim)
        ),
        format!(
            "{by_chinese}{}{} ({how_chinese})",
            if joint { "联合捉 " } else { "" },
            chinese(position, victim)
        ),
    )
}

fn contact(position: &Position, own: Square, other: Square) -> Reason {
    Reason::new(
        format!("offers to exchange the {} for the {}", english(position, own), english(position, other)),
        format!("{} ({})", chinese(position, other), chinese(position, own)),
    )
}

fn coordinates(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// The English name of a kind.
pub const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::King => "general",
        Kind::Advisor => "advisor",
        Kind::Elephant => "elephant",
        Kind::Horse => "horse",
        Kind::Rook => "rook",
        Kind::Cannon => "cannon",
        Kind::Pawn => "pawn",
    }
}

/// `horse g9`.
fn english(position: &Position, square: Square) -> String {
    let kind = position.piece_on(square).map_or("empty square", |piece| kind_name(piece.kind()));
    format!("{kind} {square}")
}

/// `马7`: the piece and its file, counted from the right of its own side.
fn chinese(position: &Position, square: Square) -> String {
    match position.piece_on(square) {
        Some(piece) => format!("{}{}", piece.hanzi(), file_numeral(piece, square)),
        None => square.to_string(),
    }
}

fn file_numeral(piece: Piece, square: Square) -> char {
    const CHINESE: [char; 9] = ['九', '八', '七', '六', '五', '四', '三', '二', '一'];
    const ARABIC: [char; 9] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    let file = usize::from(square.file());
    match piece.side() {
        Side::Red => CHINESE[file],
        Side::Black => ARABIC[file],
    }
}

impl Judgement {
    /// The verdict in one sentence.
    pub fn reason(&self) -> Reason {
        let Some(outcome) = self.verdict else {
            return Reason::new("No position has been repeated.", "没有循环重复局面。");
        };
        let [red, black] = self.conduct.map(|conduct| conduct.words());
        let acts = format!("Red: {}; Black: {}", red.english, black.english);
        let acts_chinese = format!("红方{}，黑方{}", red.chinese, black.chinese);
        let (verdict, verdict_chinese) = self.verdict_words(outcome);
        Reason::new(
            format!("{acts}. {verdict} ({}).", self.clause),
            format!("{acts_chinese}。{verdict_chinese}（{}）。", self.clause),
        )
    }

    fn verdict_words(&self, outcome: Outcome) -> (String, String) {
        let names = |side: Side| match side {
            Side::Red => ("Red", "红方"),
            Side::Black => ("Black", "黑方"),
        };
        match (outcome, self.status) {
            (Outcome::Draw, Status::Final) => ("Drawn".into(), "不变作和".into()),
            (Outcome::Draw, _) => ("A draw if nobody changes".into(), "双方不变作和".into()),
            (Outcome::Win(side), Status::Final) => {
                let (loser, chinese) = names(!side);
                (format!("{loser} loses"), format!("判{chinese}负"))
            }
            (Outcome::Win(side), _) => {
                let (loser, chinese) = names(!side);
                (format!("{loser} must change or lose"), format!("{chinese}须变着，不变判负"))
            }
        }
    }
}
