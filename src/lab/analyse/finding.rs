//! What an analysis finds: how good each move was, what was missed, and why a move was bad.

use super::reason::MistakeReason;
use super::searches::Assessment;
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

/// A move of the game, and what the analysis found about it.
#[derive(Debug, Clone)]
pub struct MoveFinding {
    /// The position before the move.
    pub before: Position,
    /// The move played.
    pub mv: Move,
    /// The score before it, for the side that moved.
    pub score_before: Value,
    /// The score after it, for the side that moved.
    pub score_after: Value,
    /// The depth in plies to which both scores were searched at least.
    pub depth: u32,
    /// The expected points given away, 0 to 1.
    pub loss: f64,
    /// How bad it was.
    pub mark: Mark,
    /// The mate in moves that the move missed, if there was one.
    pub missed_mate: Option<i32>,
    /// Why it was bad, if that is plain.
    pub reason: Option<MistakeReason>,
    /// Whether the opening book of the program knows the move.
    pub in_book: bool,
    /// What the engine would have played, and how it would go on; empty after a good move.
    pub better: Vec<Move>,
    /// How the opponent punishes the move; empty after a good move.
    pub answer: Vec<Move>,
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

impl MoveFinding {
    /// What the searches of the positions before and after a move say of it.
    pub fn new(before: &Position, mv: Move, best: &Assessment, after: &Assessment) -> MoveFinding {
        let played = Assessment {
            score: -after.score,
            depth: after.depth + 1,
            line: std::iter::once(mv).chain(after.line.iter().copied()).collect(),
        };
        MoveFinding::compare(before, mv, best, &played)
    }

    /// What a search of all moves and one of the move that was played say of it, both from the position before it.
    pub fn compare(before: &Position, mv: Move, best: &Assessment, played: &Assessment) -> MoveFinding {
        let (score_before, score_after) = (best.score, played.score);
        // The engine's own choice gives nothing away, whatever the deeper search behind it says.
        let chosen = best.line.first() == Some(&mv);
        let loss = if chosen { 0.0 } else { (expected(score_before) - expected(score_after)).max(0.0) };
        let missed_mate = match Score::from(score_before) {
            Score::Mate(moves) if moves > 0 && !chosen && score_after < MATE_BOUND => Some(moves),
            _ => None,
        };
        let mark = Mark::of(loss);
        let doubtful = mark > Mark::Fine || missed_mate.is_some();
        let line = |line: &[Move]| if doubtful { legal_part(before, line) } else { Vec::new() };
        let (better, mut answer) = (line(&best.line), line(&played.line));
        let reason =
            if doubtful { MistakeReason::of(before, &answer, score_before, score_after) } else { None };
        if !answer.is_empty() {
            answer.remove(0);
        }
        MoveFinding {
            before: before.clone(),
            mv,
            score_before,
            score_after,
            depth: best.depth.min(played.depth),
            loss,
            mark,
            missed_mate,
            reason,
            in_book: false,
            better,
            answer,
        }
    }

    /// Whether the move is worth a closer look: it seems to give something away.
    pub fn is_doubtful(&self) -> bool {
        self.mark > Mark::Fine || self.missed_mate.is_some()
    }

    /// The side that moved.
    pub fn side(&self) -> Side {
        self.before.side()
    }
}

/// The points expected from a score: a win counts 1, a draw half.
pub fn expected(score: Value) -> f64 {
    let [win, draw, _] = wdl(score);
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// The moves of one side in numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideTotals {
    /// Moves made.
    pub moves: usize,
    /// Inaccuracies, mistakes and blunders.
    pub marks: [usize; 3],
    /// How near the moves were to the best ones, 0 to 100; `None` without a move. A move that gives away the share x
    /// of a point counts 100 e^(-5x): 5 % leave 78, 20 % leave 37.
    pub accuracy: Option<f64>,
}

impl SideTotals {
    /// The totals of one side.
    pub fn of(findings: &[MoveFinding], side: Side) -> SideTotals {
        let own: Vec<&MoveFinding> = findings.iter().filter(|finding| finding.side() == side).collect();
        let count = |mark| own.iter().filter(|finding| finding.mark == mark).count();
        let sum: f64 = own.iter().map(|finding| 100.0 * (-5.0 * finding.loss).exp()).sum();
        SideTotals {
            moves: own.len(),
            marks: [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].map(count),
            accuracy: (!own.is_empty()).then(|| sum / own.len() as f64),
        }
    }
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

    fn assessment(score: Value, line: &str) -> Assessment {
        Assessment { score, depth: 1, line: line.split_whitespace().map(|mv| mv.parse().unwrap()).collect() }
    }

    fn found(score: Value, line: &str, answer: Value) -> MoveFinding {
        let mv = "h2e2".parse().unwrap();
        MoveFinding::new(&Position::startpos(), mv, &assessment(score, line), &assessment(answer, ""))
    }

    #[test]
    fn losses_are_measured_in_points_and_the_best_move_loses_nothing() {
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

    #[test]
    fn each_side_has_its_totals() {
        let findings = [found(50, "h2e2", 900), found(0, "h0g2", 2000)];
        let red = SideTotals::of(&findings, Side::Red);
        assert_eq!((red.moves, red.marks), (2, [0, 0, 1]));
        let expected = (100.0 + 100.0 * (-5.0 * findings[1].loss).exp()) / 2.0;
        assert!((red.accuracy.unwrap() - expected).abs() < 1e-9);
        let black = SideTotals::of(&findings, Side::Black);
        assert_eq!((black.moves, black.accuracy), (0, None));
    }
}
