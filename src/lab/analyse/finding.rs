//! What an analysis finds: how good each move was, and what was missed.

use super::study::Verdict;
use juzhong_engine::eval::wdl;
use juzhong_engine::score::{MATE_BOUND, Score, Value};
use xiangqi::board::Position;
use xiangqi::types::{Move, Side};

/// How bad a move was, by the share of points it gave away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Less than five per cent.
    Fine,
    /// Five per cent and more.
    Inaccuracy,
    /// Ten per cent and more.
    Mistake,
    /// Twenty per cent and more.
    Blunder,
}

/// A move of the game and what is to be said about it.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The position before the move.
    pub before: Position,
    /// The move played.
    pub mv: Move,
    /// The score before it, for the side that moved.
    pub score_before: Value,
    /// The score after it, for the side that moved.
    pub score_after: Value,
    /// The expected points given away, 0 to 1.
    pub loss: f64,
    /// How bad it was.
    pub mark: Mark,
    /// A mate that was there and is gone, in moves.
    pub missed_mate: Option<i32>,
    /// What the engine would have played, and how it would go on.
    pub better: Vec<Move>,
}

impl Mark {
    const fn of(loss: f64) -> Mark {
        match loss {
            0.20.. => Mark::Blunder,
            0.10.. => Mark::Mistake,
            0.05.. => Mark::Inaccuracy,
            _ => Mark::Fine,
        }
    }

    /// The sign behind the move: `?!`, `?`, `??` or nothing.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Fine => "",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of PGN.
    pub const fn glyph(self) -> Option<u8> {
        match self {
            Mark::Fine => None,
            Mark::Inaccuracy => Some(6),
            Mark::Mistake => Some(2),
            Mark::Blunder => Some(4),
        }
    }
}

/// The points expected from a score: a win counts 1, a draw half.
pub fn expected(score: Value) -> f64 {
    let [win, draw, _] = wdl(score);
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// The findings on a game, given a verdict on each of its positions, the last included.
pub fn findings(positions: &[Position], moves: &[Move], verdicts: &[Verdict]) -> Vec<Finding> {
    let pairs = positions.iter().zip(moves).zip(verdicts.windows(2));
    pairs.map(|((before, &mv), pair)| find(before, mv, &pair[0], &pair[1])).collect()
}

fn find(before: &Position, mv: Move, verdict: &Verdict, answer: &Verdict) -> Finding {
    let (score_before, score_after) = (verdict.score, -answer.score);
    // The engine's own choice gives nothing away, whatever the deeper search behind it says.
    let chosen = verdict.line.first() == Some(&mv);
    let loss = if chosen { 0.0 } else { (expected(score_before) - expected(score_after)).max(0.0) };
    let missed_mate = match Score::from(score_before) {
        Score::Mate(moves) if moves > 0 && !chosen && score_after < MATE_BOUND => Some(moves),
        _ => None,
    };
    let mark = Mark::of(loss);
    let worth_showing = mark > Mark::Fine || missed_mate.is_some();
    let better = if worth_showing { legal_part(before, &verdict.line) } else { Vec::new() };
    Finding { before: before.clone(), mv, score_before, score_after, loss, mark, missed_mate, better }
}

/// The beginning of a line that can be played.
fn legal_part(position: &Position, line: &[Move]) -> Vec<Move> {
    let mut position = position.clone();
    line.iter().copied().take_while(|&mv| position.play(mv).is_ok()).collect()
}

/// A score from Red's view.
pub fn for_red(score: Value, mover: Side) -> Value {
    if mover == Side::Red { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use juzhong_engine::score::mate_in;

    fn verdict(score: Value, line: &str) -> Verdict {
        Verdict { score, depth: 1, line: line.split_whitespace().map(|mv| mv.parse().unwrap()).collect() }
    }

    #[test]
    fn losses_are_measured_in_points_and_the_best_move_loses_nothing() {
        let start = Position::startpos();
        let mv = "h2e2".parse().unwrap();
        let found = |score, line, answer| find(&start, mv, &verdict(score, line), &verdict(answer, ""));
        assert_eq!(found(50, "h2e2", 900).mark, Mark::Fine);
        assert_eq!(found(50, "h0g2", -50).mark, Mark::Fine);
        let blunder = found(0, "h0g2 h9g7 h2e2", 2000);
        assert_eq!((blunder.mark, blunder.mark.sign(), blunder.better.len()), (Mark::Blunder, "??", 2));
        assert!((0.0..=1.0).contains(&blunder.loss));
        let missed = found(mate_in(5), "h0g2", -3000);
        assert_eq!((missed.missed_mate, missed.mark), (Some(3), Mark::Fine));
        assert_eq!(found(mate_in(5), "h0g2", -mate_in(8)).missed_mate, None);
    }

    #[test]
    fn marks_grow_with_the_loss() {
        let marks: Vec<Mark> = [0.0, 0.049, 0.05, 0.1, 0.2, 1.0].into_iter().map(Mark::of).collect();
        assert!(marks.is_sorted() && marks[1] == Mark::Fine && marks[4] == Mark::Blunder);
        assert!(expected(0) == 0.5 && expected(500) > 0.6);
    }
}
