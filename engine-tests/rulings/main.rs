//! The arbiter against the rule books' own cases, and its invariants.

mod argued;
mod clauses;
mod consistency;
mod corpus;
mod games;
mod labels;
mod pending;
mod play;
mod played;
mod properties;
mod verdicts;
