//! What several commands of the laboratory share: record files, charts, and files that are replaced whole.

pub mod chart;
pub mod drawing;
pub mod files;
pub mod games;
