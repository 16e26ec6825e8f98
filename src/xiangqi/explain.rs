//! A ruling in words: the table that `judge` prints.

use crate::notation::chinese::{self, ChineseStyle, Digits};
use crate::rules::{Judged, Judgement, Status};

/// The style of the table's Chinese moves.
const STYLE: ChineseStyle = ChineseStyle { digits: Digits::HalfWidth, ..ChineseStyle::SIMPLIFIED };

/// The table for people: one line a move of the loop, then the verdict in both languages.
pub fn table(judgement: &Judgement) -> String {
    let mut lines = vec![format!("{} ({})", judgement.rules.title.english, judgement.rules.title.chinese)];
    if let Some(looped) = judgement.looped {
        lines.push(format!(
            "Loop of {} plies from ply {}, {} times",
            looped.length,
            looped.start_ply + 1,
            looped.count
        ));
    }
    lines.extend(judgement.moves.iter().map(row));
    let reason = judgement.reason();
    lines.push(format!("Status: {}", status_name(judgement.status)));
    lines.push(reason.english);
    lines.push(reason.chinese);
    lines.join("\n") + "\n"
}

fn row(judged: &Judged) -> String {
    let reason = judged.reason();
    format!(
        "{:4}  {:8}  「{} {}」  {} {}",
        judged.ply + 1,
        judged.effect.class.name(),
        chinese::write(&judged.before, judged.mv, STYLE),
        reason.chinese,
        judged.mv,
        reason.english
    )
}

/// The word for a status: `none`, `pending` or `final`.
pub const fn status_name(status: Status) -> &'static str {
    match status {
        Status::None => "none",
        Status::Pending => "pending",
        Status::Final => "final",
    }
}
