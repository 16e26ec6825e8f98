//! What the later searches of a game say about its earlier positions.

use crate::data::ScoredMove;
use juzhong_engine::score::Value;

/// Centipawns by which the odds change by a factor of e.
const SPREAD: f64 = 330.0;
/// The least distance of chances from certainty, which would correspond to no number of centipawns.
const DOUBT: f64 = 1e-6;

/// The score of every ply of a game, for the side that moved, drawn by `foresight` (0 to 1) towards the one of the next
/// ply, which is drawn itself towards those that follow: an average in which a score n plies ahead counts `foresight`
/// to the power of n. What a search of few nodes cannot see yet, later ones do.
///
/// It is the return of TD(λ) with λ = `foresight` (Sutton 1988), in chances: s(t) + λ · (return(t + 1) − s(t)). It does
/// not reach beyond a ply that was not searched, whose move may be none that a player would choose; such a ply itself
/// gets 0.
pub(super) fn foreseen(plies: &[ScoredMove], foresight: f64) -> Vec<Value> {
    let mut ahead: Option<f64> = None;
    let mut scores: Vec<Value> = plies
        .iter()
        .rev()
        .map(|ply| {
            let own = ply.score.map(|score| 1.0 / (1.0 + (-f64::from(score) / SPREAD).exp()));
            // The next ply is the opponent's.
            ahead = own.map(|own| ahead.map_or(own, |theirs| own + foresight * (1.0 - theirs - own)));
            ahead.map_or(0, |chance| {
                let chance = chance.clamp(DOUBT, 1.0 - DOUBT);
                (SPREAD * (chance / (1.0 - chance)).ln()).round() as Value
            })
        })
        .collect();
    scores.reverse();
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use juzhong_engine::score::MATE;

    fn plies(scores: &[Option<Value>]) -> Vec<ScoredMove> {
        scores.iter().map(|&score| ScoredMove::new("h2e2".parse().unwrap(), score)).collect()
    }

    #[test]
    fn without_foresight_scores_are_as_they_were() {
        let scores = [Some(3000), Some(-2999), None, Some(0), Some(17), Some(-640)];
        assert_eq!(foreseen(&plies(&scores), 0.0), [3000, -2999, 0, 0, 17, -640]);
        assert!(foreseen(&[], 0.7).is_empty());
    }

    #[test]
    fn what_comes_counts_less_the_later_it_comes() {
        // The side that moves first is level until the opponent sees that it wins.
        let seen = foreseen(&plies(&[Some(0), Some(0), Some(0), Some(MATE - 5)]), 0.5);
        // Chances: 1 - 1e-6 at the end, then 1/4, 5/8 and 7/16.
        let centipawns = |chance: f64| (SPREAD * (chance / (1.0 - chance)).ln()).round() as Value;
        assert_eq!(seen[..3], [centipawns(7.0 / 16.0), centipawns(5.0 / 8.0), centipawns(0.25)]);
        assert!(seen[3] > 3000);
    }

    #[test]
    fn nothing_is_seen_beyond_a_ply_that_was_not_searched() {
        let seen = foreseen(&plies(&[Some(40), Some(-50), None, Some(900), Some(-900)]), 0.9);
        assert_eq!(seen[1..], [-50, 0, 900, -900]);
        assert!(seen[0] > 40 && seen[0] < 50, "{seen:?}");
    }
}
