//! The arbiter against the rule books' own cases, and its invariants.

mod clauses;
mod consistency;
mod corpus;
mod games;
mod labels;
mod play;
mod played;
mod properties;
mod verdicts;
