//! Rulesets as data: what counts as an offence, how grave it is, under which clause, and when it is final.
//!
//! All the tables of verdicts of the rule books have one shape: each side's conduct over the loop has a
//! grade, the graver conduct loses unless it changes, and equal grades draw. So a ruleset is a scale of
//! grades and a few numbers; the arbiter has no branch for any one book.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::bilingual::Bilingual;
use crate::types::Side;

/// What one side did over a whole loop, the heaviest description that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conduct {
    /// At least one move is no attack (允许着法), or the ruleset does not forbid what was done.
    Allowed,
    /// Attacks all along, but one of them is a joint chase or a chase of an under-protected piece (26.9).
    LesserAttack,
    /// Every move is a check, a kill or a chase (禁止着法); Asian: one piece is chased on every move.
    Attack,
    /// Asian: on every move the chased piece is a rook that may not leave because a horse would give check.
    FrozenRook,
    /// Every move is a check (长将).
    PerpetualCheck,
}

impl Conduct {
    /// All conducts, lightest first.
    pub const ALL: [Conduct; 5] = [
        Conduct::Allowed,
        Conduct::LesserAttack,
        Conduct::Attack,
        Conduct::FrozenRook,
        Conduct::PerpetualCheck,
    ];

    /// The name of the conduct.
    pub const fn name(self) -> Bilingual<&'static str> {
        match self {
            Conduct::Allowed => Bilingual::fixed("allowed moves", "允许着法"),
            Conduct::LesserAttack => {
                Bilingual::fixed("attacks with a joint or under-protected chase", "含联合捉或捉少根子")
            }
            Conduct::Attack => Bilingual::fixed("perpetual attack", "禁止着法"),
            Conduct::FrozenRook => Bilingual::fixed("perpetual chase of a frozen rook", "长捉被牵车"),
            Conduct::PerpetualCheck => Bilingual::fixed("perpetual check", "长将"),
        }
    }
}

/// Whose definitions tell the class of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Classifier {
    /// Checks are told from other moves, and nothing else is.
    ChecksOnly,
    /// The Asian and World rules: checks, and new legal captures that stand on the board (paragraph 15).
    Axf,
    /// The Chinese rules: checks, kills, and chases by what can be won next move (CXA 24.1-24.3).
    Cxa,
}

/// A conduct that a ruleset forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offence {
    /// The forbidden conduct.
    pub conduct: Conduct,
    /// The weight of the offence: of two sides the heavier loses, and equal weights draw.
    pub weight: u8,
    /// The clause that forbids it.
    pub clause: &'static str,
    /// The number of loops after which the game is lost: three, or one more that is left to change.
    pub final_after: u32,
}

/// Which side must break a drawn loop in the first rounds of a game.
#[derive(Debug, PartialEq, Eq)]
pub struct OpeningRule {
    /// The rounds of a game, counted from the start position, within which the loop must have become ripe.
    pub rounds: u32,
    /// The side that must change.
    pub must_change: Side,
    /// The clause that says so.
    pub clause: &'static str,
    /// The number of loops after which that side has lost.
    pub final_after: u32,
}

/// The number of loops that make a position ripe for a ruling (待判局面), in every book.
pub const RIPE: u32 = 3;

/// A body of rules for repeated moves.
#[derive(Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The name used on the command line and in JSON.
    pub name: &'static str,
    /// The full title.
    pub title: Bilingual<&'static str>,
    /// How the class of a move is found.
    pub classifier: Classifier,
    /// The offences, lightest first; a conduct that is not listed weighs nothing.
    pub scale: &'static [Offence],
    /// The clauses under which equal conduct is a draw: allowed on both sides, and forbidden on both.
    pub draw_clauses: [&'static str; 2],
    /// The rule against drawn loops in the first rounds of a game, if there is one.
    pub opening: Option<OpeningRule>,
    /// A pawn's attack is a chase while both sides attack (1999, rule 11).
    pub pawns_chase_in_mutual_attack: bool,
    /// A piece that moves and goes on taking part in a gain that was there before chases anew: so 2020,
    /// where only a piece without direct part is left out (26.3); idle in 1999 (rule 6, 相关子).
    pub partners_renew_chase: bool,
    /// A crossed pawn given for a rook is a gain: so 2020 (26.7); in 1999 a pawn for any piece is even (25.3).
    pub pawn_buys_rook: bool,
}

const fn offence(conduct: Conduct, weight: u8, clause: &'static str, final_after: u32) -> Offence {
    Offence { conduct, weight, clause, final_after }
}

/// Every repetition is a draw. The other rulesets say what they add.
pub static ALWAYSDRAW: Ruleset = NO_RULES;

const NO_RULES: Ruleset = Ruleset {
    name: "alwaysdraw",
    title: Bilingual::fixed("every repetition draws", "重复作和"),
    classifier: Classifier::ChecksOnly,
    scale: &[],
    draw_clauses: ["alwaysdraw"; 2],
    opening: None,
    pawns_chase_in_mutual_attack: false,
    partners_renew_chase: false,
    pawn_buys_rook: false,
};

/// The computer leagues' simplification: perpetual check alone is forbidden.
pub static CHECKBAN: Ruleset = Ruleset {
    name: "checkban",
    title: Bilingual::fixed("perpetual check banned", "禁止长将"),
    scale: &[offence(Conduct::PerpetualCheck, 1, "checkban", RIPE)],
    draw_clauses: ["checkban"; 2],
    ..NO_RULES
};

/// The Asian rules, which the World Xiangqi Federation adopted.
pub static ASIAN: Ruleset = Ruleset {
    name: "asian",
    title: Bilingual::fixed("Asian and World rules", "亚洲规则"),
    classifier: Classifier::Axf,
    scale: &[
        offence(Conduct::Attack, 1, "AXF 15, 32", RIPE),
        offence(Conduct::FrozenRook, 2, "AXF 19", RIPE),
        offence(Conduct::PerpetualCheck, 3, "AXF 1", RIPE),
    ],
    draw_clauses: ["AXF 32, 36, 39, 40", "AXF 32"],
    ..NO_RULES
};

/// The Chinese Xiangqi Association's rules of 1999.
pub static CXA1999: Ruleset = Ruleset {
    name: "cxa1999",
    title: Bilingual::fixed("CXA rules 1999", "中国象棋协会规则1999版"),
    classifier: Classifier::Cxa,
    scale: &[
        offence(Conduct::Attack, 1, "CXA 1999 24.3, 26.4", RIPE + 1),
        offence(Conduct::PerpetualCheck, 2, "CXA 1999 24.3, 26.1", RIPE + 1),
    ],
    draw_clauses: ["CXA 1999 24.2, 26.2", "CXA 1999 24.2, 26.3"],
    pawns_chase_in_mutual_attack: true,
    ..NO_RULES
};

/// The Chinese Xiangqi Association's rules of 2020, the default.
pub static CXA2020: Ruleset = Ruleset {
    name: "cxa2020",
    title: Bilingual::fixed("CXA rules 2020", "中国象棋协会规则2020版"),
    classifier: Classifier::Cxa,
    scale: &[
        offence(Conduct::LesserAttack, 1, "CXA 2020 25, 26.9", RIPE + 1),
        offence(Conduct::Attack, 2, "CXA 2020 25, 26.9", RIPE + 1),
        offence(Conduct::PerpetualCheck, 3, "CXA 2020 24.9, 25", RIPE),
    ],
    draw_clauses: ["CXA 2020 24.14, 25", "CXA 2020 26.9(4)"],
    opening: Some(OpeningRule {
        rounds: 25,
        must_change: Side::Red,
        clause: "CXA 2020 3.3 (25 rounds)",
        final_after: RIPE + 1,
    }),
    partners_renew_chase: true,
    pawn_buys_rook: true,
    ..NO_RULES
};

impl Ruleset {
    /// All rulesets, the default first.
    pub const ALL: [&'static Ruleset; 5] = [&CXA2020, &CXA1999, &ASIAN, &CHECKBAN, &ALWAYSDRAW];

    /// The grade of a conduct; `None` if it weighs nothing here.
    pub fn offence(&self, conduct: Conduct) -> Option<&Offence> {
        self.scale.iter().find(|offence| offence.conduct == conduct)
    }

    /// The weight of a conduct, 0 for one that is allowed.
    pub fn weight(&self, conduct: Conduct) -> u8 {
        self.offence(conduct).map_or(0, |offence| offence.weight)
    }

    /// The ruleset of a name; the protocols' own words are read too, in any case.
    ///
    /// # Errors
    /// [`UnknownRuleset`] with the word that was not understood.
    pub fn named(name: &str) -> Result<&'static Ruleset, UnknownRuleset> {
        match name.trim().to_ascii_lowercase().as_str() {
            "cxa2020" | "cxa" | "chineserule" | "chinese" | "chinese2020" => Ok(&CXA2020),
            "cxa1999" | "chinese1999" => Ok(&CXA1999),
            "asian" | "asianrule" | "axf" | "wxf" | "world" => Ok(&ASIAN),
            "checkban" => Ok(&CHECKBAN),
            "alwaysdraw" | "draw" => Ok(&ALWAYSDRAW),
            _ => Err(UnknownRuleset(name.chars().take(32).collect())),
        }
    }
}

/// A ruleset name that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no ruleset: cxa2020, cxa1999, asian, checkban or alwaysdraw is wanted")]
pub struct UnknownRuleset(pub String);

impl FromStr for &'static Ruleset {
    type Err = UnknownRuleset;
    fn from_str(name: &str) -> Result<&'static Ruleset, UnknownRuleset> {
        Ruleset::named(name)
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_own_ruleset() {
        for rules in Ruleset::ALL {
            assert_eq!(Ruleset::named(rules.name), Ok(rules));
            assert_eq!(Ruleset::named(&rules.name.to_uppercase()), Ok(rules));
        }
        assert!(Ruleset::named("western").is_err());
        assert_eq!(Ruleset::named("chineserule"), Ok(&CXA2020));
    }

    #[test]
    fn scales_rise_with_the_offence_and_perpetual_check_is_the_worst() {
        for rules in Ruleset::ALL {
            assert!(rules.scale.is_sorted_by(|a, b| a.conduct < b.conduct && a.weight < b.weight));
            assert_eq!(rules.weight(Conduct::Allowed), 0);
            let worst = Conduct::ALL.map(|conduct| rules.weight(conduct)).into_iter().max();
            assert_eq!(Some(rules.weight(Conduct::PerpetualCheck)), worst);
        }
    }
}
