//! The searches behind an analysis.
//!
//! Each is made by one thread with a fresh table and, unless told otherwise, a fixed number of nodes: what it finds
//! depends neither on the other searches nor on how busy the machine is, and several can run at a time. What has been
//! searched is kept in a file until all is done, so that an interrupted analysis continues where it stopped.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use juzhong_engine::score::{Value, mated_in};
use juzhong_engine::search::{Bound, Event, SearchLimits, ThreadPool};
use xiangqi::board::Position;
use xiangqi::types::Move;

/// Size of the transposition table of a search in MB: enough for the nodes of one, for as many as there are cores.
const HASH_MB: usize = 16;

/// The nodes of a search where nothing else is asked for.
pub const DEFAULT_NODES: u64 = 150_000;

/// How many times the budget a search gets that decides about a mark.
const CLOSER: u32 = 8;

/// The plies by which a search to a fixed depth goes deeper when it decides about a mark.
const DEEPER: u32 = 3;

/// What a search may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// A number of nodes, which gives the same result on every machine.
    Nodes(u64),
    /// A number of plies.
    Depth(u32),
    /// An amount of time.
    Time(Duration),
}

impl Budget {
    /// The budget of a search that decides about a mark: about eight times this one.
    pub fn closer(self) -> Budget {
        match self {
            Budget::Nodes(nodes) => Budget::Nodes(nodes.saturating_mul(u64::from(CLOSER))),
            Budget::Depth(depth) => Budget::Depth(depth.saturating_add(DEEPER)),
            Budget::Time(time) => Budget::Time(time.saturating_mul(CLOSER)),
        }
    }

    /// The limits of a search with this budget.
    pub fn limits(self) -> SearchLimits {
        match self {
            Budget::Nodes(nodes) => SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
            Budget::Depth(depth) => SearchLimits { depth: Some(depth), ..SearchLimits::default() },
            Budget::Time(time) => SearchLimits { movetime: Some(time), ..SearchLimits::default() },
        }
    }
}

/// A search to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// Number of the position in the game, from 0.
    pub ply: usize,
    /// What the search may spend.
    pub budget: Budget,
    /// The only move to look at; `None` for all.
    pub only: Option<Move>,
}

/// The key that distinguishes searches: position, budget and the only move looked at.
type SearchKey = (usize, String, Option<Move>);

/// What the engine thinks of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// The score for the side to move.
    pub score: Value,
    /// The last iteration completed, in plies.
    pub depth: u32,
    /// The best line; empty where the game is over.
    pub line: Vec<Move>,
}

/// A search as it is kept in the file.
#[derive(Serialize, Deserialize)]
struct KeptSearch {
    ply: usize,
    fen: String,
    budget: String,
    only: Option<String>,
    score: Value,
    depth: u32,
    line: Vec<String>,
}

/// Answers questions about the positions of one game, several at a time.
pub struct Searches<'a> {
    positions: &'a [Position],
    threads: usize,
    kept: &'a Path,
    known: HashMap<SearchKey, Assessment>,
}

impl<'a> Searches<'a> {
    /// Searches of these positions, `threads` at a time. `kept` is the file of the searches done so far: those that fit
    /// are not made again, and an invalid line, such as one that was half written, is left out.
    pub fn new(positions: &'a [Position], threads: usize, kept: &'a Path) -> Searches<'a> {
        let text = fs::read_to_string(kept).unwrap_or_default();
        let records = text.lines().filter_map(|line| serde_json::from_str::<KeptSearch>(line).ok());
        let fits =
            |kept: &KeptSearch| positions.get(kept.ply).is_some_and(|position| position.to_fen() == kept.fen);
        let known = records.filter(fits).filter_map(|kept| kept.answer()).collect();
        Searches { positions, threads, kept, known }
    }

    /// The answers to these questions, in their order.
    ///
    /// # Errors
    /// The file of the searches cannot be written.
    pub fn answer(&mut self, questions: &[Question]) -> io::Result<Vec<Assessment>> {
        let open: Vec<&Question> =
            questions.iter().filter(|question| !self.known.contains_key(&key(question))).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(self.kept)?;
        // Shown on a terminal only.
        let progress =
            ProgressBar::new(questions.len() as u64).with_position((questions.len() - open.len()) as u64);
        let (next, positions) = (AtomicUsize::new(0), self.positions);
        let found = thread::scope(|scope| {
            let (sender, answers) = mpsc::channel();
            for _ in 0..self.threads.clamp(1, open.len().max(1)) {
                let (sender, open, next) = (sender.clone(), &open, &next);
                scope.spawn(move || work(positions, open, next, &sender));
            }
            drop(sender);
            let mut found = Vec::with_capacity(open.len());
            for (index, assessment) in answers {
                let question = open[index];
                let record = KeptSearch::new(question, &positions[question.ply], &assessment);
                writeln!(file, "{}", serde_json::to_string(&record)?)?;
                progress.inc(1);
                found.push((key(question), assessment));
            }
            io::Result::Ok(found)
        });
        progress.finish_and_clear();
        self.known.extend(found?);
        Ok(questions.iter().filter_map(|question| self.known.get(&key(question)).cloned()).collect())
    }
}

fn key(question: &Question) -> SearchKey {
    (question.ply, format!("{:?}", question.budget), question.only)
}

/// Takes questions in turn until none is left or nobody wants the answers.
fn work(
    positions: &[Position],
    questions: &[&Question],
    next: &AtomicUsize,
    answers: &Sender<(usize, Assessment)>,
) {
    let mut pool = ThreadPool::new(1, HASH_MB);
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(question) = questions.get(index) else { return };
        // Nothing is carried over, so that it makes no difference who searches what after what.
        pool.clear();
        let limits = SearchLimits { only: question.only.into_iter().collect(), ..question.budget.limits() };
        if answers.send((index, search(&mut pool, &positions[question.ply], limits))).is_err() {
            return;
        }
    }
}

fn search(pool: &mut ThreadPool, position: &Position, limits: SearchLimits) -> Assessment {
    let (sender, receiver) = mpsc::channel();
    pool.start(position, limits, move |event| {
        // The receiver waits for the last event.
        let _ = sender.send(event);
    });
    let mut found = Assessment { score: mated_in(0), depth: 0, line: Vec::new() };
    for event in receiver {
        match event {
            Event::Info(info) if info.bound == Bound::Exact && info.multipv == 1 => found.line = info.pv,
            Event::Done(report) => {
                if found.line.first() != report.best.as_ref() {
                    found.line = report.best.into_iter().chain(report.ponder).collect();
                }
                (found.score, found.depth) = (report.score, report.depth);
            }
            _ => {}
        }
    }
    found
}

impl KeptSearch {
    fn new(question: &Question, position: &Position, found: &Assessment) -> KeptSearch {
        KeptSearch {
            ply: question.ply,
            fen: position.to_fen(),
            budget: format!("{:?}", question.budget),
            only: question.only.map(|mv| mv.to_string()),
            score: found.score,
            depth: found.depth,
            line: found.line.iter().map(Move::to_string).collect(),
        }
    }

    /// Which search it was, and its result; `None` if a move makes no sense.
    fn answer(self) -> Option<(SearchKey, Assessment)> {
        let only = self.only.map(|mv| mv.parse()).transpose().ok()?;
        let line = self.line.iter().map(|mv| mv.parse()).collect::<Result<_, _>>().ok()?;
        Some(((self.ply, self.budget, only), Assessment { score: self.score, depth: self.depth, line }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use juzhong_engine::score::mate_in;

    fn mate_in_one() -> Vec<Position> {
        let mut position = Position::from_fen("3k5/R8/1R7/9/9/9/9/9/9/4K4 w").unwrap();
        let mut positions = vec![position.clone()];
        position.play("b7b9".parse().unwrap()).unwrap();
        positions.push(position);
        positions
    }

    fn questions(count: usize, budget: Budget) -> Vec<Question> {
        (0..count).map(|ply| Question { ply, budget, only: None }).collect()
    }

    #[test]
    fn an_interrupted_analysis_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        let positions = mate_in_one();
        let asked = questions(2, Budget::Depth(3));
        let first = Searches::new(&positions, 2, &kept).answer(&asked).unwrap();
        assert_eq!((first[0].score, first[1].score), (mate_in(1), mated_in(0)));
        assert!(first[1].line.is_empty());
        // What is in the file is believed: a changed score comes back, and half a line does no harm.
        let text = fs::read_to_string(&kept).unwrap();
        assert_eq!(text.lines().count(), 2);
        fs::write(&kept, text.replace(&format!("\"score\":{}", mate_in(1)), "\"score\":77") + "{\"ply\":0,")
            .unwrap();
        let second = Searches::new(&positions, 1, &kept).answer(&asked).unwrap();
        assert_eq!((second[0].score, &second[1]), (77, &first[1]));
        // Another budget and another question need other searches.
        let mut searches = Searches::new(&positions, 1, &kept);
        assert_eq!(searches.answer(&questions(1, Budget::Depth(4))).unwrap()[0].score, mate_in(1));
        let only = Some("a8a7".parse().unwrap());
        let forced = searches.answer(&[Question { only, ..asked[0] }]).unwrap();
        assert!(forced[0].line.first() == only.as_ref() && forced[0].score < mate_in(1), "{forced:?}");
    }

    #[test]
    fn nodes_give_the_same_answers_whatever_else_is_searched() {
        let mut position = Position::startpos();
        let mut positions = vec![position.clone()];
        for mv in ["h2e2", "h9g7", "h0g2", "i9h9"] {
            position.play(mv.parse().unwrap()).unwrap();
            positions.push(position.clone());
        }
        let folder = tempfile::tempdir().unwrap();
        let asked = questions(5, Budget::Nodes(3000));
        let answers = |threads: usize, asked: &[Question]| {
            let kept = folder.path().join(format!("kept-{threads}-{}", asked.len()));
            Searches::new(&positions, threads, &kept).answer(asked).unwrap()
        };
        let alone = answers(1, &asked);
        assert_eq!(answers(3, &asked), alone);
        assert_eq!(answers(1, &asked[4..]), alone[4..]);
    }
}
