//! What several commands of the laboratory share: record files, pictures, tables, and files that are replaced whole.

pub(crate) mod chart;
pub mod drawing;
pub mod files;
pub(crate) mod games;
pub(crate) mod notation_name;
pub(crate) mod state;
pub(crate) mod text_table;
