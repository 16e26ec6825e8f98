//! What a report says, in Chinese or in English.

use clap::ValueEnum;

use super::finding::{Mark, MoveFinding, SideTotals, for_red};
use super::opening::OpeningName;
use super::reason::MistakeReason;
use juzhong_engine::score::{Score, Value};
use xiangqi::board::Position;
use xiangqi::notation::{self, Notation};
use xiangqi::rules::kind_name;
use xiangqi::types::{Move, Side};

/// The language of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Chinese.
    Zh,
    /// English; moves stay in Chinese notation, as they are in every book on the game.
    En,
}

impl Language {
    /// One of two texts.
    pub fn choose<'a>(self, chinese: &'a str, english: &'a str) -> &'a str {
        match self {
            Language::Zh => chinese,
            Language::En => english,
        }
    }

    /// A score from Red's view.
    pub fn score(self, red: Value) -> String {
        match Score::from(red) {
            Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Score::Mate(moves) => {
                let winner = if red > 0 { self.choose("红", "Red ") } else { self.choose("黑", "Black ") };
                match self {
                    Language::Zh => format!("{winner}{}步杀", moves.abs()),
                    Language::En => format!("{winner}mates in {}", moves.abs()),
                }
            }
        }
    }

    /// The code and the name of an opening.
    pub fn opening(self, opening: &OpeningName) -> String {
        let name = self.choose(opening.chinese, opening.english);
        opening.code.map_or_else(|| name.to_owned(), |code| format!("{code} {name}"))
    }

    /// The remark on a move; empty for a good one.
    pub fn remark(self, finding: &MoveFinding, notation: Notation) -> String {
        let mut parts = Vec::new();
        if finding.mark > Mark::Fine {
            let name = match finding.mark {
                Mark::Blunder => self.choose("严重失误", "blunder"),
                Mark::Mistake => self.choose("失误", "mistake"),
                _ => self.choose("欠准确", "inaccuracy"),
            };
            let side = finding.before.side();
            let (before, after) = (for_red(finding.score_before, side), for_red(finding.score_after, side));
            // Whole per cent below the loss: rounded up, an inaccuracy would look like a mistake.
            let percent = (100.0 * finding.loss + 1e-9).floor();
            parts.push(format!("{name} ({} → {}, -{percent}%)", self.score(before), self.score(after)));
        }
        if let Some(moves) = finding.missed_mate {
            parts.push(match self {
                Language::Zh => format!("错过{moves}步杀"),
                Language::En => format!("missed a mate in {moves}"),
            });
        }
        parts.extend(finding.reason.map(|reason| self.reason(reason)));
        if finding.mark > Mark::Fine && finding.in_book {
            parts.push(self.choose("谱着", "a book move").to_owned());
        }
        if let Some(&best) = finding.better.first() {
            let best = notation::write(&finding.before, best, notation);
            parts.push(format!("{} {best}", self.choose("应走", "better was")));
        }
        parts.join(self.choose("，", ", "))
    }

    /// Why a move was bad.
    pub fn reason(self, reason: MistakeReason) -> String {
        match (reason, self) {
            (MistakeReason::AllowsMate(moves), Language::Zh) => format!("允许{moves}步杀"),
            (MistakeReason::AllowsMate(moves), Language::En) => format!("allows a mate in {moves}"),
            (MistakeReason::Loses(piece), Language::Zh) => format!("丢{}", piece.hanzi()),
            (MistakeReason::Loses(piece), Language::En) => {
                format!("loses the {}", kind_name(piece.kind()))
            }
        }
    }

    /// The totals of a side in one line.
    pub fn totals(self, side: Side, totals: &SideTotals) -> String {
        let name =
            if side == Side::Red { self.choose("红方", "Red") } else { self.choose("黑方", "Black") };
        let accuracy = totals.accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.0}"));
        let [inaccuracies, mistakes, blunders] = totals.marks;
        match self {
            Language::Zh => {
                format!(
                    "{name}：准确度 {accuracy}，欠准确 {inaccuracies}，失误 {mistakes}，严重失误 {blunders}"
                )
            }
            Language::En => {
                let count = |number: usize, one: &str, many: &str| {
                    format!("{number} {}", if number == 1 { one } else { many })
                };
                format!(
                    "{name}: accuracy {accuracy}, {}, {}, {}",
                    count(inaccuracies, "inaccuracy", "inaccuracies"),
                    count(mistakes, "mistake", "mistakes"),
                    count(blunders, "blunder", "blunders"),
                )
            }
        }
    }
}

/// A line of play, move by move.
pub fn written_line(position: &Position, line: &[Move], notation: Notation) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in line {
        words.push(notation::write(&position, mv, notation));
        if position.play(mv).is_err() {
            break;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use juzhong_engine::score::mate_in;
    use xiangqi::notation::chinese::ChineseStyle;

    fn finding() -> MoveFinding {
        MoveFinding {
            before: Position::startpos(),
            mv: "a0a1".parse().unwrap(),
            score_before: mate_in(3),
            score_after: -50,
            depth: 9,
            loss: 0.52,
            mark: Mark::Blunder,
            missed_mate: Some(2),
            reason: None,
            in_book: false,
            better: vec!["h2e2".parse().unwrap()],
            answer: Vec::new(),
        }
    }

    const CHINESE: Notation = Notation::Chinese(ChineseStyle::SIMPLIFIED);

    #[test]
    fn scores_and_remarks_are_said_in_both_languages() {
        assert_eq!(Language::Zh.score(-135), "-1.35");
        assert_eq!(Language::Zh.score(mate_in(5)), "红3步杀");
        assert_eq!(Language::En.score(-mate_in(4)), "Black mates in 2");
        let finding = finding();
        let zh = Language::Zh.remark(&finding, CHINESE);
        assert_eq!(zh, "严重失误 (红2步杀 → -0.50, -52%)，错过2步杀，应走 炮二平五");
        let english = Language::En.remark(&finding, Notation::Wxf);
        assert!(english.starts_with("blunder (Red mates in 2 → -0.50, -52%), missed"), "{english}");
        assert!(english.ends_with("better was C2=5"), "{english}");
        let fine = MoveFinding { mark: Mark::Fine, missed_mate: None, better: Vec::new(), ..finding };
        assert_eq!(Language::Zh.remark(&fine, CHINESE), "");
    }

    #[test]
    fn reasons_are_said_where_they_are_plain() {
        let horse = Position::startpos().piece_on("b0".parse().unwrap()).unwrap();
        let with =
            |reason| MoveFinding { missed_mate: None, reason: Some(reason), in_book: true, ..finding() };
        let zh = Language::Zh.remark(&with(MistakeReason::Loses(horse)), CHINESE);
        assert!(zh.contains("，丢马，谱着，应走"), "{zh}");
        let english = Language::En.remark(&with(MistakeReason::AllowsMate(3)), CHINESE);
        assert!(english.contains(", allows a mate in 3, a book move, better"), "{english}");
    }

    #[test]
    fn an_inaccuracy_never_looks_like_a_mistake() {
        for (loss, percent) in [(0.0999, "-9%"), (0.1, "-10%"), (0.29, "-29%"), (0.0501, "-5%")] {
            let remark = Language::En.remark(&MoveFinding { loss, ..finding() }, CHINESE);
            assert!(remark.contains(percent), "{loss}: {remark}");
        }
    }

    #[test]
    fn totals_are_said_in_both_languages() {
        let totals = SideTotals { moves: 20, marks: [2, 1, 0], accuracy: Some(91.4) };
        assert_eq!(Language::Zh.totals(Side::Red, &totals), "红方：准确度 91，欠准确 2，失误 1，严重失误 0");
        assert_eq!(
            Language::En.totals(Side::Black, &totals),
            "Black: accuracy 91, 2 inaccuracies, 1 mistake, 0 blunders"
        );
    }

    #[test]
    fn openings_go_by_code_and_name() {
        let opening = OpeningName { code: Some("D20"), chinese: "顺炮", english: "same-direction cannons" };
        assert_eq!(Language::Zh.opening(&opening), "D20 顺炮");
        assert_eq!(Language::En.opening(&OpeningName { code: None, ..opening }), "same-direction cannons");
    }

    #[test]
    fn lines_are_written_move_by_move() {
        let line: Vec<Move> = ["h2e2", "h9g7"].iter().map(|mv| mv.parse().unwrap()).collect();
        assert_eq!(written_line(&Position::startpos(), &line, CHINESE), ["炮二平五", "马８进７"]);
    }
}
