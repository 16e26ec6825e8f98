//! What several commands of the laboratory share: record files, pictures, tables, and files that are replaced whole.

pub mod chart;
pub mod drawing;
pub mod files;
pub mod games;
pub mod state;
pub mod text_table;
