//! An analysis as PGN and as JSON.

use serde::Serialize;

use super::Analysis;
use super::finding::{Finding, for_red};
use super::words::{Language, in_chinese, line_in_chinese};
use juzhong_engine::score::Score;
use xiangqi::notation::pgn::{self, AnnotatedMove, Variation, result_sign};
use xiangqi::notation::{Notation, chinese::ChineseStyle};
use xiangqi::types::{Move, Side};

/// The game with glyphs, remarks, and what would have been better as variations. What the game itself said
/// stays, before what the analysis says.
pub fn pgn(analysis: &Analysis, language: Language) -> String {
    let mut game = analysis.game.clone();
    game.set_tag("Annotator", "Juzhong");
    let code = analysis.opening.and_then(|opening| opening.code);
    let name = analysis.opening.map(|opening| language.choose(opening.chinese, opening.english));
    for (tag, value) in [("ECCO", code), ("Opening", name)] {
        let told = game.tag(tag).is_some_and(|told| !told.is_empty());
        if let Some(value) = value.filter(|_| !told) {
            game.set_tag(tag, value);
        }
    }
    for (ply, finding) in game.main.moves.iter_mut().zip(&analysis.findings) {
        ply.glyphs.extend(finding.mark.glyph());
        add(&mut ply.comment, &language.remark(finding));
        if !finding.better.is_empty() {
            let moves = finding.better.iter().map(|&mv| AnnotatedMove::new(mv)).collect();
            ply.variations.push(Variation { comment: String::new(), moves });
        }
    }
    if let (Some(last), Some(ruling)) = (game.main.moves.last_mut(), &analysis.ruling) {
        add(&mut last.comment, language.choose(&ruling.chinese, &ruling.english));
    }
    pgn::write(&game, Notation::Chinese(ChineseStyle::SIMPLIFIED))
}

fn add(comment: &mut String, text: &str) {
    if !comment.is_empty() && !text.is_empty() {
        comment.push('\n');
    }
    comment.push_str(text);
}

/// The analysis as a JSON object. Fields are only ever added. Scores are in centipawns from Red's view; `mate` is
/// there instead where a mate is seen, positive if Red mates.
#[derive(Serialize)]
struct Report {
    tags: Vec<(String, String)>,
    result: &'static str,
    start: String,
    ecco: Option<&'static str>,
    opening: Option<&'static str>,
    opening_zh: Option<&'static str>,
    ruling: Option<String>,
    ruling_zh: Option<String>,
    moves: Vec<MoveReport>,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    name: String,
    side: &'static str,
    fen: String,
    before: ScoreReport,
    after: ScoreReport,
    loss: f64,
    mark: &'static str,
    missed_mate: Option<i32>,
    better: Vec<String>,
    better_zh: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ScoreReport {
    Cp(i32),
    Mate(i32),
}

/// The analysis as JSON, fit for other programs.
///
/// # Errors
/// None that plain strings and numbers could cause.
pub fn json(analysis: &Analysis) -> serde_json::Result<String> {
    let report = Report {
        tags: analysis.game.tags.clone(),
        result: result_sign(analysis.game.outcome),
        start: analysis.game.start.to_fen(),
        ecco: analysis.opening.and_then(|opening| opening.code),
        opening: analysis.opening.map(|opening| opening.english),
        opening_zh: analysis.opening.map(|opening| opening.chinese),
        ruling: analysis.ruling.as_ref().map(|ruling| ruling.english.clone()),
        ruling_zh: analysis.ruling.as_ref().map(|ruling| ruling.chinese.clone()),
        moves: analysis.findings.iter().map(MoveReport::of).collect(),
    };
    serde_json::to_string_pretty(&report)
}

impl MoveReport {
    fn of(finding: &Finding) -> MoveReport {
        let side = finding.before.side();
        let score = |value| match Score::from(for_red(value, side)) {
            Score::Centipawns(value) => ScoreReport::Cp(value),
            Score::Mate(moves) => ScoreReport::Mate(moves),
        };
        MoveReport {
            mv: finding.mv.to_string(),
            name: in_chinese(&finding.before, finding.mv),
            side: if side == Side::Red { "red" } else { "black" },
            fen: finding.before.to_fen(),
            before: score(finding.score_before),
            after: score(finding.score_after),
            loss: (finding.loss * 1000.0).round() / 1000.0,
            mark: finding.mark.sign(),
            missed_mate: finding.missed_mate,
            better: finding.better.iter().map(Move::to_string).collect(),
            better_zh: line_in_chinese(&finding.before, &finding.better),
        }
    }
}
