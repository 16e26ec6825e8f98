//! One-line reasons in English and Chinese: for each move of a loop, and for the verdict.

use crate::board::Position;
use crate::types::{Bitboard, Kind, Move, Outcome, Piece, Side, Square};

use super::arbiter::{ClassifiedMove, Ruling};
use super::bilingual::Bilingual;
use super::effect::{Chase, Evidence, Protection};
use super::verdict::{Verdict, VerdictStatus};

impl ClassifiedMove {
    /// Why the move has its class.
    pub fn reason(&self) -> Bilingual {
        let mut moved = self.before.clone();
        moved.make(self.mv);
        let class = self.effect.class.hanzi();
        let reason = match &self.effect.evidence {
            Evidence::None => Bilingual::new("attacks nothing", ""),
            Evidence::KingReply => Bilingual::new(
                "answers check with the general, which is idle whatever it threatens",
                "(帅将应将按闲)",
            ),
            Evidence::Checkers(pieces) => checking(&moved, *pieces),
            Evidence::Mate(line) => mating(line),
            Evidence::Chase(chase) => chasing(&moved, chase, self.mv.to()),
            Evidence::Contact(own, other) => contact(&moved, *own, *other),
            Evidence::Offer(taker) => Bilingual::new(
                format!("may be taken by the {} at no loss", english(&moved, *taker)),
                format!("({}可吃)", chinese(&moved, *taker)),
            ),
            Evidence::Block(blocked) => Bilingual::new(
                format!("obstructs the {}", english(&moved, *blocked)),
                chinese(&moved, *blocked),
            ),
            Evidence::Follow(victim, root) => Bilingual::new(
                format!(
                    "follows the {}, protected by the {}",
                    english(&moved, *victim),
                    english(&moved, *root)
                ),
                format!("{} (有根: {})", chinese(&moved, *victim), chinese(&moved, *root)),
            ),
        };
        let chinese = format!("{class} {}", reason.chinese).trim_end().to_string();
        Bilingual { chinese, ..reason }
    }
}

fn checking(position: &Position, pieces: Bitboard) -> Bilingual {
    let names = |name: fn(&Position, Square) -> String, join: &str| {
        pieces.into_iter().map(|square| name(position, square)).collect::<Vec<_>>().join(join)
    };
    Bilingual::new(
        format!("gives check with the {}", names(english, " and the ")),
        format!("({})", names(chinese, "、")),
    )
}

fn mating(line: &[Move]) -> Bilingual {
    let checks = line.len().div_ceil(2);
    Bilingual::new(
        format!("threatens mate in {checks}: {}", coordinates(line)),
        format!("({checks}着将死: {})", coordinates(line)),
    )
}

fn chasing(position: &Position, chase: &Chase, moved: Square) -> Bilingual {
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
        return Bilingual::new(
            format!("threatens to win a piece by check{by_english}: {line}"),
            format!("({by_chinese}将军得子: {line})"),
        );
    };
    let joint = chase.lesser && !matches!(chase.protection, Some(Protection::Insufficient(_)));
    let (how, how_chinese) = match chase.protection {
        None => (String::new(), String::new()),
        Some(Protection::Unprotected) => (": unprotected".into(), "无根".into()),
        Some(Protection::False(root)) => (
            format!(": the {} protects it falsely", english(position, root)),
            format!("假根: {}", chinese(position, root)),
        ),
        Some(Protection::Insufficient(root)) => (
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
    Bilingual::new(
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

fn contact(position: &Position, own: Square, other: Square) -> Bilingual {
    Bilingual::new(
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

impl Ruling {
    /// The verdict in one sentence.
    pub fn reason(&self) -> Bilingual {
        let Some(verdict) = self.verdict else {
            return Bilingual::new("No position has been repeated.", "没有循环重复局面。");
        };
        let [red, black] = self.conduct.map(|conduct| conduct.name());
        let acts = format!("Red: {}; Black: {}", red.english, black.english);
        let acts_chinese = format!("红方{}，黑方{}", red.chinese, black.chinese);
        let (words, words_chinese) = verdict_words(verdict);
        Bilingual::new(
            format!("{acts}. {words} ({}).", verdict.clause),
            format!("{acts_chinese}。{words_chinese}（{}）。", verdict.clause),
        )
    }
}

fn verdict_words(verdict: Verdict) -> (String, String) {
    let names = |side: Side| match side {
        Side::Red => ("Red", "红方"),
        Side::Black => ("Black", "黑方"),
    };
    match (verdict.outcome, verdict.status) {
        (Outcome::Draw, VerdictStatus::Final) => ("Drawn".into(), "不变作和".into()),
        (Outcome::Draw, _) => ("A draw if nobody changes".into(), "双方不变作和".into()),
        (Outcome::Win(side), VerdictStatus::Final) => {
            let (loser, chinese) = names(!side);
            (format!("{loser} loses"), format!("判{chinese}负"))
        }
        (Outcome::Win(side), _) => {
            let (loser, chinese) = names(!side);
            (format!("{loser} must change or lose"), format!("{chinese}须变着，不变判负"))
        }
    }
}
