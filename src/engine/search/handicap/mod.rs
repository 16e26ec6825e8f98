//! Playing levels: how many nodes a player of a rating looks at, and how much it overlooks.
//!
//! Both are counted in the search's own work and never in time, so that a level is the same on every machine, and both
//! change from rung to rung, so that a weak player is shallow and inattentive at once. docs/LEVELS.md describes how the
//! rungs were measured.

mod attention;
mod randomness;

pub(super) use attention::Attention;
pub(super) use randomness::Randomness;

/// The lowest rating that has a level.
pub const LEAST_ELO: u32 = 800;
/// The highest rating that has a level; above it there is only full strength.
pub const MOST_ELO: u32 = 2800;

/// How well to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handicap {
    /// Nodes a move may take.
    pub nodes: u64,
    /// The chance to overlook a quiet move of ordinary obscurity, 0 to 1.
    pub blindness: f64,
}

/// Rungs of the ladder, measured to be 200 Elo apart, from [`LEAST_ELO`] up.
const LADDER: [Handicap; 11] = [
    Handicap { nodes: 460, blindness: 0.79 },
    Handicap { nodes: 580, blindness: 0.672 },
    Handicap { nodes: 680, blindness: 0.587 },
    Handicap { nodes: 915, blindness: 0.485 },
    Handicap { nodes: 1450, blindness: 0.367 },
    Handicap { nodes: 2350, blindness: 0.266 },
    Handicap { nodes: 3400, blindness: 0.184 },
    Handicap { nodes: 5000, blindness: 0.115 },
    Handicap { nodes: 7500, blindness: 0.06 },
    Handicap { nodes: 11_500, blindness: 0.02 },
    Handicap { nodes: 16_000, blindness: 0.0 },
];
/// Elo between two rungs.
const RUNG: u32 = (MOST_ELO - LEAST_ELO) / (LADDER.len() as u32 - 1);

impl Handicap {
    /// The level of a rating, which is clamped to the range from [`LEAST_ELO`] to [`MOST_ELO`].
    pub fn of_elo(elo: u32) -> Handicap {
        let above = elo.clamp(LEAST_ELO, MOST_ELO) - LEAST_ELO;
        let below = LADDER[(above / RUNG) as usize];
        let next = LADDER[((above / RUNG + 1) as usize).min(LADDER.len() - 1)];
        let share = f64::from(above % RUNG) / f64::from(RUNG);
        let ratio = next.nodes as f64 / below.nodes as f64;
        Handicap {
            nodes: (below.nodes as f64 * ratio.powf(share)).round() as u64,
            blindness: below.blindness + (next.blindness - below.blindness) * share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_ratings_see_more_and_overlook_less() {
        let levels: Vec<Handicap> = (LEAST_ELO..=MOST_ELO).step_by(25).map(Handicap::of_elo).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].blindness > pair[1].blindness, "{pair:?}");
        }
        assert_eq!(levels[0], Handicap::of_elo(0));
        assert_eq!(levels.last(), Some(&Handicap::of_elo(9999)));
    }
}
