//! Tables of plain text.

use comfy_table::{CellAlignment, Table, presets};

/// A table without lines.
pub fn new_table() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table
}

/// The text of a table: the columns in `left` are aligned to the left, all others to the right.
pub fn aligned(mut table: Table, left: &[usize]) -> String {
    for (i, column) in table.column_iter_mut().enumerate() {
        let side = if left.contains(&i) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(side);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}
