//! An analysis as one page of HTML that needs nothing else: a board, the moves with their marks, a curve, and lines that
//! can be played through. The script draws what the data of the game say.

use std::fmt::Write;

use serde::Serialize;

use super::GameAnalysis;
use super::finding::{Mark, MoveFinding, SideTotals, expected, for_red};
use super::language::Language;
use crate::support::drawing::grid;
use xiangqi::board::Position;
use xiangqi::notation::pgn::result_sign;
use xiangqi::notation::{self, Notation};
use xiangqi::types::{Move, Side};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The size of the curve in pixels.
const CURVE: (f64, f64) = (900.0, 160.0);

/// What the script knows of the game.
#[derive(Serialize)]
struct GameData {
    start: String,
    comment: String,
    plies: Vec<PlyData>,
}

/// A move of the game.
#[derive(Serialize)]
struct PlyData {
    #[serde(flatten)]
    step: StepData,
    number: String,
    side: &'static str,
    mark: &'static str,
    score: String,
    remark: String,
    comment: String,
    book: bool,
    better: Vec<StepData>,
    answer: Vec<StepData>,
}

/// A move and the position after it.
#[derive(Serialize)]
struct StepData {
    mv: String,
    name: String,
    fen: String,
}

impl StepData {
    /// The moves of a line that can be played from `position`.
    fn line(position: &Position, line: &[Move], notation: Notation) -> Vec<StepData> {
        let mut position = position.clone();
        let step = |&mv: &Move| {
            let name = notation::write(&position, mv, notation);
            position.play(mv).ok()?;
            Some(StepData { mv: mv.to_string(), name, fen: position.to_fen() })
        };
        line.iter().map_while(step).collect()
    }
}

impl PlyData {
    fn new(
        finding: &MoveFinding,
        after: &Position,
        comment: &str,
        language: Language,
        notation: Notation,
    ) -> PlyData {
        let side = finding.side();
        PlyData {
            step: StepData {
                mv: finding.mv.to_string(),
                name: notation::write(&finding.before, finding.mv, notation),
                fen: after.to_fen(),
            },
            number: match side {
                Side::Red => format!("{}.", finding.before.fullmove()),
                Side::Black => "…".to_owned(),
            },
            side: if side == Side::Red { "red" } else { "black" },
            mark: finding.mark.sign(),
            score: language.score(for_red(finding.score_after, side)),
            remark: language.remark(finding, notation),
            comment: comment.to_owned(),
            book: finding.in_book,
            better: StepData::line(&finding.before, &finding.better, notation),
            answer: StepData::line(after, &finding.answer, notation),
        }
    }
}

/// The page.
pub fn html(analysis: &GameAnalysis, language: Language, notation: Notation) -> String {
    let title = title(analysis, language);
    let (facts, curve, data) =
        (facts(analysis, language), curve(analysis), data(analysis, language, notation));
    let say = |chinese, english| language.choose(chinese, english);
    let totals: String = [Side::Red, Side::Black]
        .map(|side| language.totals(side, &SideTotals::of(&analysis.findings, side)))
        .map(|totals| format!("<p>{}</p>\n", escape(&totals)))
        .concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>{title}</h1>\n<p class=\"facts\">{facts}</p></header>\n\
         <main>\n<section id=\"left\">\n<svg id=\"board\" viewBox=\"0 0 576 636\" role=\"img\" aria-label=\"{board}\">\n\
         <rect width=\"576\" height=\"636\" rx=\"6\" class=\"wood\"/>\n{grid}<g id=\"files\"></g>\
         <g id=\"last\"></g><g id=\"pieces\"></g><g id=\"arrows\"></g></svg>\n\
         <nav><button id=\"first\" title=\"Home\">«</button><button id=\"back\" title=\"←\">‹</button>\
         <button id=\"forward\" title=\"→\">›</button><button id=\"end\" title=\"End\">»</button>\
         <button id=\"flip\" title=\"F\">⇅ {flip}</button></nav>\n</section>\n\
         <section id=\"right\">\n<div id=\"remark\" aria-live=\"polite\"></div>\n{curve}\n\
         <ol id=\"moves\"></ol>\n<footer>\n{totals}</footer>\n</section>\n</main>\n\
         <script id=\"game\" type=\"application/json\">{data}</script>\n\
         <script>\nconst WORDS = {{ better: \"{better}\", answer: \"{answer}\", book: \"{book}\", back: \"{back}\" }};\n\
         {SCRIPT}</script>\n</body>\n</html>\n",
        lang = say("zh-CN", "en"),
        grid = grid(),
        board = say("棋盘", "board"),
        flip = say("翻转", "flip"),
        better = say("应走", "better"),
        answer = say("对方应着", "answer"),
        book = say("谱着", "book"),
        back = say("回到对局", "back to the game"),
    )
}

/// The data of the game as JSON that can stand in a script element.
fn data(analysis: &GameAnalysis, language: Language, notation: Notation) -> String {
    let comments = analysis.game.main.moves.iter().map(|ply| ply.comment.as_str());
    let after = analysis.positions.iter().skip(1);
    let plies = analysis.findings.iter().zip(after).zip(comments);
    let data = GameData {
        start: analysis.game.start.to_fen(),
        comment: analysis.game.main.comment.clone(),
        plies: plies
            .map(|((finding, after), comment)| PlyData::new(finding, after, comment, language, notation))
            .collect(),
    };
    // Plain strings cannot fail to be written; `<` must not end the element.
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}

fn title(analysis: &GameAnalysis, language: Language) -> String {
    let player = |tag, chinese, english| {
        let name = analysis.game.tag(tag).filter(|name| !name.is_empty());
        escape(name.unwrap_or(language.choose(chinese, english)))
    };
    format!("{} — {}", player("Red", "红方", "Red"), player("Black", "黑方", "Black"))
}

/// Event, date, opening, result, ruling, annotator.
fn facts(analysis: &GameAnalysis, language: Language) -> String {
    let tag = |name: &str| analysis.game.tag(name).map(str::to_owned);
    let opening = analysis.opening.map(|opening| language.opening(&opening));
    let ruling =
        analysis.ruling.as_ref().map(|ruling| language.choose(&ruling.chinese, &ruling.english).to_owned());
    let result = Some(result_sign(analysis.game.outcome).to_owned());
    let annotator = tag("Annotator").filter(|name| !name.is_empty());
    let annotator = annotator.map(|name| format!("{}{name}", language.choose("评注：", "comments by ")));
    let all = [tag("Event"), tag("Date"), opening, result, ruling, annotator].into_iter().flatten();
    all.filter(|fact| !fact.is_empty()).map(|fact| escape(&fact)).collect::<Vec<_>>().join(" · ")
}

/// The expected points of Red over the game, as a line that rises for Red, with a dot at each marked move.
fn curve(analysis: &GameAnalysis) -> String {
    let (width, height) = CURVE;
    let scores = analysis.positions.iter().zip(&analysis.assessments);
    let red = scores.map(|(position, assessment)| {
        let points = expected(assessment.score);
        if position.side() == Side::Red { points } else { 1.0 - points }
    });
    let step = width / analysis.findings.len().max(1) as f64;
    let places: Vec<(f64, f64)> =
        red.enumerate().map(|(ply, points)| (ply as f64 * step, height * (1.0 - points))).collect();
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let mut dots = String::new();
    for (finding, (x, y)) in analysis.findings.iter().zip(places.iter().skip(1)) {
        let class = match finding.mark {
            Mark::Fine => continue,
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        };
        // A line without length is drawn round whatever the stretch of the curve. Writing to a string cannot fail.
        let _ = write!(dots, "<path class=\"{class}\" d=\"M{x:.1} {y:.1}h0.01\"/>");
    }
    format!(
        "<svg id=\"curve\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\">\
         <rect width=\"{width}\" height=\"{half}\" class=\"red\"/>\
         <rect y=\"{half}\" width=\"{width}\" height=\"{half}\" class=\"black\"/>\
         <polyline points=\"{}\"/>{dots}<line id=\"cursor\" y1=\"0\" y2=\"{height}\" data-step=\"{step:.3}\"/></svg>",
        points.join(" "),
        half = height / 2.0,
    )
}

/// Text that can stand in HTML, also within quotation marks.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out() {
        assert_eq!(escape("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }

    #[test]
    fn lines_end_where_they_cannot_be_played() {
        let line: Vec<Move> = ["h2e2", "h9g7", "e2e9"].iter().map(|mv| mv.parse().unwrap()).collect();
        let steps = StepData::line(&Position::startpos(), &line, Notation::Wxf);
        assert_eq!(steps.iter().map(|step| step.name.as_str()).collect::<Vec<_>>(), ["C2=5", "H8+7"]);
        assert!(steps[1].fen.contains(" w "), "{}", steps[1].fen);
    }
}
