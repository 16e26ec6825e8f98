//! What a report says, in Chinese or in English.

use clap::ValueEnum;

use super::finding::{Finding, Mark, for_red};
use super::opening::Opening;
use juzhong_engine::score::{Score, Value};
use xiangqi::board::Position;
use xiangqi::notation::{self, Notation, chinese::ChineseStyle};
use xiangqi::types::Move;

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
    pub fn opening(self, opening: &Opening) -> String {
        let name = self.choose(opening.chinese, opening.english);
        opening.code.map_or_else(|| name.to_owned(), |code| format!("{code} {name}"))
    }

    /// What there is to say about a move; nothing about a good one.
    pub fn remark(self, finding: &Finding) -> String {
        let mut parts = Vec::new();
        if finding.mark > Mark::Fine {
            let name = match finding.mark {
                Mark::Blunder => self.choose("严重失误", "blunder"),
                Mark::Mistake => self.choose("失误", "mistake"),
                _ => self.choose("欠准确", "inaccuracy"),
            };
            let side = finding.before.side();
            let (before, after) = (for_red(finding.score_before, side), for_red(finding.score_after, side));
            let percent = (100.0 * finding.loss).round();
            parts.push(format!("{name} ({} → {}, -{percent}%)", self.score(before), self.score(after)));
        }
        if let Some(moves) = finding.missed_mate {
            parts.push(match self {
                Language::Zh => format!("错过{moves}步杀"),
                Language::En => format!("missed a mate in {moves}"),
            });
        }
        if let Some(&best) = finding.better.first() {
            let best = in_chinese(&finding.before, best);
            parts.push(format!("{} {best}", self.choose("应走", "better was")));
        }
        parts.join(self.choose("，", ", "))
    }
}

/// A move as players write it.
pub fn in_chinese(position: &Position, mv: Move) -> String {
    notation::write(position, mv, Notation::Chinese(ChineseStyle::SIMPLIFIED))
}

/// A line of play as players write it.
pub fn line_in_chinese(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in line {
        words.push(in_chinese(&position, mv));
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

    #[test]
    fn scores_and_remarks_are_said_in_both_languages() {
        assert_eq!(Language::Zh.score(-135), "-1.35");
        assert_eq!(Language::Zh.score(mate_in(5)), "红3步杀");
        assert_eq!(Language::En.score(-mate_in(4)), "Black mates in 2");
        let finding = Finding {
            before: Position::startpos(),
            mv: "a0a1".parse().unwrap(),
            score_before: mate_in(3),
            score_after: -50,
            loss: 0.52,
            mark: Mark::Blunder,
            missed_mate: Some(2),
            better: vec!["h2e2".parse().unwrap()],
        };
        let zh = Language::Zh.remark(&finding);
        assert_eq!(zh, "严重失误 (红2步杀 → -0.50, -52%)，错过2步杀，应走 炮二平五");
        assert!(Language::En.remark(&finding).starts_with("blunder (Red mates in 2 → -0.50, -52%), missed"));
        let fine = Finding { mark: Mark::Fine, missed_mate: None, better: Vec::new(), ..finding };
        assert_eq!(Language::Zh.remark(&fine), "");
    }

    #[test]
    fn openings_go_by_code_and_name() {
        let opening = Opening { code: Some("D20"), chinese: "顺炮", english: "same-direction cannons" };
        assert_eq!(Language::Zh.opening(&opening), "D20 顺炮");
        assert_eq!(Language::En.opening(&Opening { code: None, ..opening }), "same-direction cannons");
    }

    #[test]
    fn lines_are_written_move_by_move() {
        let line: Vec<Move> = ["h2e2", "h9g7"].iter().map(|mv| mv.parse().unwrap()).collect();
        assert_eq!(line_in_chinese(&Position::startpos(), &line), ["炮二平五", "马８进７"]);
    }
}
