//! An analysis as PGN and as JSON.

use serde::Serialize;

use super::GameAnalysis;
use super::finding::{MoveFinding, SideTotals, for_red};
use super::language::{Language, written_line};
use juzhong_engine::score::{Score, Value};
use xiangqi::notation::pgn::{self, AnnotatedMove, Variation, result_sign};
use xiangqi::notation::{self, Notation, chinese::ChineseStyle};
use xiangqi::types::{Move, Side};

/// The name under which the program signs its remarks.
const ANNOTATOR: &str = "Juzhong";

/// The game with glyphs, remarks, and what would have been better as variations. What the game itself said stays,
/// before what the analysis says, and so does its annotator.
pub fn pgn(analysis: &GameAnalysis, language: Language, notation: Notation) -> String {
    let mut game = analysis.game.clone();
    let annotator = match game.tag("Annotator").filter(|name| !name.is_empty()) {
        Some(own) if own.contains(ANNOTATOR) => own.to_owned(),
        Some(own) => format!("{own}, {ANNOTATOR}"),
        None => ANNOTATOR.to_owned(),
    };
    game.set_tag("Annotator", annotator);
    let code = analysis.opening.and_then(|opening| opening.code);
    let name = analysis.opening.map(|opening| language.choose(opening.chinese, opening.english));
    for (tag, value) in [("ECCO", code), ("Opening", name)] {
        let told = game.tag(tag).is_some_and(|told| !told.is_empty());
        if let Some(value) = value.filter(|_| !told) {
            game.set_tag(tag, value);
        }
    }
    for side in [Side::Red, Side::Black] {
        let totals = language.totals(side, &SideTotals::of(&analysis.findings, side));
        add(&mut game.main.comment, &totals);
    }
    for (ply, finding) in game.main.moves.iter_mut().zip(&analysis.findings) {
        ply.glyphs.extend(finding.mark.glyph());
        add(&mut ply.comment, &language.remark(finding, notation));
        if !finding.better.is_empty() {
            let moves = finding.better.iter().map(|&mv| AnnotatedMove::new(mv)).collect();
            ply.variations.push(Variation { comment: String::new(), moves });
        }
    }
    if let (Some(last), Some(ruling)) = (game.main.moves.last_mut(), &analysis.ruling) {
        add(&mut last.comment, language.choose(&ruling.chinese, &ruling.english));
    }
    pgn::write(&game, notation)
}

fn add(comment: &mut String, text: &str) {
    if !comment.is_empty() && !text.is_empty() {
        comment.push('\n');
    }
    comment.push_str(text);
}

/// The analysis of a game as a JSON object. Fields are only ever added. Scores are in centipawns from Red's view; `mate`
/// is there instead where a mate is seen, positive if Red mates.
#[derive(Serialize)]
struct GameJson {
    tags: Vec<(String, String)>,
    result: &'static str,
    start: String,
    ecco: Option<&'static str>,
    opening: Option<&'static str>,
    opening_zh: Option<&'static str>,
    ruling: Option<String>,
    ruling_zh: Option<String>,
    red: TotalsJson,
    black: TotalsJson,
    moves: Vec<FindingJson>,
}

/// The totals of a side; `accuracy` is from 0 to 100.
#[derive(Serialize)]
struct TotalsJson {
    moves: usize,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    accuracy: Option<f64>,
}

/// A move; `depth` is that of the searches that its mark rests on, in plies.
#[derive(Serialize)]
struct FindingJson {
    #[serde(rename = "move")]
    mv: String,
    name: String,
    side: &'static str,
    fen: String,
    before: ScoreJson,
    after: ScoreJson,
    depth: u32,
    loss: f64,
    mark: &'static str,
    missed_mate: Option<i32>,
    reason: Option<String>,
    reason_zh: Option<String>,
    book: bool,
    better: Vec<String>,
    better_zh: Vec<String>,
    answer: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ScoreJson {
    Cp(i32),
    Mate(i32),
}

impl ScoreJson {
    /// A score from Red's view.
    pub fn new(red: Value) -> ScoreJson {
        match Score::from(red) {
            Score::Centipawns(value) => ScoreJson::Cp(value),
            Score::Mate(moves) => ScoreJson::Mate(moves),
        }
    }
}

/// The analysis as JSON, fit for other programs.
///
/// # Errors
/// None that plain strings and numbers could cause.
pub fn json(analysis: &GameAnalysis) -> serde_json::Result<String> {
    let report = GameJson {
        tags: analysis.game.tags.clone(),
        result: result_sign(analysis.game.outcome),
        start: analysis.game.start.to_fen(),
        ecco: analysis.opening.and_then(|opening| opening.code),
        opening: analysis.opening.map(|opening| opening.english),
        opening_zh: analysis.opening.map(|opening| opening.chinese),
        ruling: analysis.ruling.as_ref().map(|ruling| ruling.english.clone()),
        ruling_zh: analysis.ruling.as_ref().map(|ruling| ruling.chinese.clone()),
        red: TotalsJson::of(analysis, Side::Red),
        black: TotalsJson::of(analysis, Side::Black),
        moves: analysis.findings.iter().map(FindingJson::of).collect(),
    };
    serde_json::to_string_pretty(&report)
}

impl TotalsJson {
    fn of(analysis: &GameAnalysis, side: Side) -> TotalsJson {
        let SideTotals { moves, marks: [inaccuracies, mistakes, blunders], accuracy } =
            SideTotals::of(&analysis.findings, side);
        let accuracy = accuracy.map(|accuracy| (accuracy * 10.0).round() / 10.0);
        TotalsJson { moves, inaccuracies, mistakes, blunders, accuracy }
    }
}

impl FindingJson {
    fn of(finding: &MoveFinding) -> FindingJson {
        const CHINESE: Notation = Notation::Chinese(ChineseStyle::SIMPLIFIED);
        let side = finding.side();
        FindingJson {
            mv: finding.mv.to_string(),
            name: notation::write(&finding.before, finding.mv, CHINESE),
            side: if side == Side::Red { "red" } else { "black" },
            fen: finding.before.to_fen(),
            before: ScoreJson::new(for_red(finding.score_before, side)),
            after: ScoreJson::new(for_red(finding.score_after, side)),
            depth: finding.depth,
            loss: (finding.loss * 1000.0).round() / 1000.0,
            mark: finding.mark.sign(),
            missed_mate: finding.missed_mate,
            reason: finding.reason.map(|reason| Language::En.reason(reason)),
            reason_zh: finding.reason.map(|reason| Language::Zh.reason(reason)),
            book: finding.in_book,
            better: finding.better.iter().map(Move::to_string).collect(),
            better_zh: written_line(&finding.before, &finding.better, CHINESE),
            answer: finding.answer.iter().map(Move::to_string).collect(),
        }
    }
}
