//! The settings that decide which games a match consists of, so that an interrupted match continues only as it began.

use super::config::MatchConfig;
use super::openings::Opening;

impl MatchConfig {
    /// The settings that decide which games are played and how: an interrupted match continues only under the same
    /// plan.
    pub fn plan(&self, openings: &[Opening]) -> serde_json::Value {
        let rules = self.rules();
        let engines: Vec<_> = self
            .engines
            .iter()
            .map(|e| serde_json::json!({"cmd": e.cmd, "option": e.options, "limits": e.limits.to_string()}))
            .collect();
        serde_json::json!({
            "engines": engines,
            "format": self.format,
            "limits": self.limits().map(|limits| limits.to_string()),
            "openings": format!("{} ({:016x})", openings.len(), fingerprint(openings)),
            "natural-limit": rules.no_capture,
            "rules": rules.ruleset.name,
            "scoring": self.scoring,
            "rounds": self.rounds,
            // Not there in the plans of matches from before there was a choice.
            "tables": self.tables.then_some(true),
            "sprt": self.sprt,
        })
    }
}

/// A number that changes when any opening does (FNV-1a, 64 bits).
fn fingerprint(openings: &[Opening]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for opening in openings {
        let moves: String = opening.moves().iter().map(ToString::to_string).collect();
        for byte in opening.start().to_fen().bytes().chain(moves.bytes()).chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
