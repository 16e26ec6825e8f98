//! A ruling in words: the table that `judge` prints.

use crate::notation::chinese::{self, ChineseStyle, Digits};
use crate::rules::{ClassifiedMove, Ruling, VerdictStatus};

/// The style of the table's Chinese moves.
const STYLE: ChineseStyle = ChineseStyle { digits: Digits::HalfWidth, ..ChineseStyle::SIMPLIFIED };

/// The table for people: one line a move of the loop, then the verdict in both languages.
pub fn table(ruling: &Ruling) -> String {
    let mut lines = vec![format!("{} ({})", ruling.rules.title.english, ruling.rules.title.chinese)];
    if let Some(looped) = ruling.looped {
        lines.push(format!(
            "Loop of {} plies from ply {}, {} times",
            looped.length,
            looped.start_ply + 1,
            looped.count
        ));
    }
    lines.extend(ruling.moves.iter().map(row));
    let reason = ruling.reason();
    lines.push(format!("Status: {}", status_name(ruling.status())));
    lines.push(reason.english);
    lines.push(reason.chinese);
    lines.join("\n") + "\n"
}

fn row(judged: &ClassifiedMove) -> String {
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
pub const fn status_name(status: VerdictStatus) -> &'static str {
    match status {
        VerdictStatus::None => "none",
        VerdictStatus::Pending => "pending",
        VerdictStatus::Final => "final",
    }
}
