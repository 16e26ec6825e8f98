//! An analysis as one page of HTML that needs nothing else: boards, curve, slider, moves.

use std::fmt::Write;

use super::Analysis;
use super::finding::{Finding, expected, for_red};
use super::words::{Language, in_chinese, line_in_chinese};
use crate::support::drawing::BoardPicture;
use xiangqi::notation::pgn::result_sign;
use xiangqi::types::Side;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The size of the curve in pixels.
const CURVE: (f64, f64) = (900.0, 160.0);

/// The page.
pub fn html(analysis: &Analysis, language: Language) -> String {
    let title = title(analysis, language);
    let plies = analysis.findings.len();
    let (boards, curve, moves) = (boards(analysis), curve(analysis), moves(analysis, language));
    let lang = language.choose("zh-CN", "en");
    let facts = facts(analysis, language);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p class=\"facts\">{facts}</p>\n\
         <main>\n<div id=\"boards\">\n{boards}</div>\n<ol id=\"moves\">\n{moves}</ol>\n</main>\n\
         <input id=\"slider\" type=\"range\" min=\"0\" max=\"{plies}\" value=\"0\" aria-label=\"{ply}\">\n\
         {curve}\n<p id=\"remark\"></p>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        ply = language.choose("着数", "ply"),
    )
}

fn title(analysis: &Analysis, language: Language) -> String {
    let player = |tag, chinese, english| {
        let name = analysis.game.tag(tag).filter(|name| !name.is_empty());
        escape(name.unwrap_or(language.choose(chinese, english)))
    };
    format!("{} — {}", player("Red", "红方", "Red"), player("Black", "黑方", "Black"))
}

/// Event, date, opening, result, ruling.
fn facts(analysis: &Analysis, language: Language) -> String {
    let tags = ["Event", "Date"].into_iter().filter_map(|tag| analysis.game.tag(tag)).map(str::to_owned);
    let opening = analysis.opening.map(|opening| language.opening(&opening));
    let ruling =
        analysis.ruling.as_ref().map(|ruling| language.choose(&ruling.chinese, &ruling.english).to_owned());
    let result = Some(result_sign(analysis.game.outcome).to_owned());
    let all = tags.chain(opening).chain(result).chain(ruling);
    all.filter(|fact| !fact.is_empty()).map(|fact| escape(&fact)).collect::<Vec<_>>().join(" · ")
}

/// A picture of each position, of which the script shows one.
fn boards(analysis: &Analysis) -> String {
    let mut text = String::new();
    for (ply, position) in analysis.positions.iter().enumerate() {
        let last = ply.checked_sub(1).and_then(|ply| analysis.findings.get(ply)).map(|finding| finding.mv);
        let picture = BoardPicture { position, last, flipped: false };
        let hidden = if ply == 0 { "" } else { " hidden" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<div{hidden}>{picture}</div>");
    }
    text
}

/// The expected points of Red over the game, as a line that rises for Red.
fn curve(analysis: &Analysis) -> String {
    let (width, height) = CURVE;
    let scores = analysis.positions.iter().zip(&analysis.verdicts);
    let red = scores.map(|(position, verdict)| {
        let points = expected(verdict.score);
        if position.side() == Side::Red { points } else { 1.0 - points }
    });
    let step = width / analysis.findings.len().max(1) as f64;
    let points: Vec<String> = red
        .enumerate()
        .map(|(ply, points)| format!("{:.1},{:.1}", ply as f64 * step, height * (1.0 - points)))
        .collect();
    format!(
        "<svg id=\"curve\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\">\
         <rect width=\"{width}\" height=\"{half}\" class=\"red\"/>\
         <rect y=\"{half}\" width=\"{width}\" height=\"{half}\" class=\"black\"/>\
         <polyline points=\"{}\"/><line id=\"cursor\" y1=\"0\" y2=\"{height}\" data-step=\"{step:.3}\"/></svg>",
        points.join(" "),
        half = height / 2.0,
    )
}

fn moves(analysis: &Analysis, language: Language) -> String {
    let mut text = String::new();
    for (ply, finding) in (1..).zip(&analysis.findings) {
        let number = match finding.before.side() {
            Side::Red => format!("{}.", finding.before.fullmove()),
            Side::Black => "…".to_owned(),
        };
        let score = language.score(for_red(finding.score_after, finding.before.side()));
        let (mark, name) = (finding.mark.sign(), in_chinese(&finding.before, finding.mv));
        let class = if mark.is_empty() { "fine" } else { "marked" };
        let side = if finding.before.side() == Side::Red { "red" } else { "black" };
        let _ = writeln!(
            text,
            "<li class=\"{class}\" data-ply=\"{ply}\" data-remark=\"{}\"><i>{number}</i> \
             <b class=\"{side}\">{name}</b> <em>{mark}</em> <span>{score}</span></li>",
            escape(&remark(finding, language)),
        );
    }
    text
}

/// The remark on a move with the whole better line.
fn remark(finding: &Finding, language: Language) -> String {
    let line = line_in_chinese(&finding.before, &finding.better);
    let mut text = language.remark(finding);
    if line.len() > 1 {
        text.push_str(&format!(" {}", line[1..].join(" ")));
    }
    text
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
}
