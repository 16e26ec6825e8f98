//! `go mate N` on positions with a known shortest mate: proved in N moves, refuted in one less.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use juzhong_engine::score::{MATE, MATE_BOUND};
use juzhong_engine::search::{Event, NoMate, Refuted, SearchLimits, ThreadPool};
use xiangqi::board::Position;

/// What came of a search for a mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// In so many moves.
    Mate(u32),
    /// Certainly none.
    None,
    /// The time was not enough.
    Open,
}

struct Case {
    fen: String,
    moves: u32,
    /// Whether only mates by consecutive checks were looked at when the length was proved.
    by_checks: bool,
}

fn cases() -> impl Iterator<Item = Case> {
    include_str!("data/mates-sample.jsonl").lines().map(|line| {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        Case {
            fen: case["fen"].as_str().unwrap().to_owned(),
            moves: case["mate"].as_u64().unwrap() as u32,
            by_checks: case["how"] == "checks-only proof",
        }
    })
}

/// Asks for a mate, and plays an announced one out.
fn ask(pool: &mut ThreadPool, fen: &str, moves: u32, limits: SearchLimits) -> (Outcome, Duration) {
    let position = Position::from_fen(fen).unwrap();
    let (sender, receiver) = mpsc::channel();
    let asked = Instant::now();
    pool.start(&position, SearchLimits { mate: Some(moves), ..limits }, move |event| {
        let _ = sender.send(event);
    });
    let (mut outcome, mut line) = (None, Vec::new());
    loop {
        match receiver.recv_timeout(Duration::from_secs(60)).expect("an answer within a minute") {
            Event::Info(info) => line = info.pv,
            Event::CurrMove { .. } => {}
            Event::NoMate(NoMate { certainty: Refuted::All, .. }) => outcome = Some(Outcome::None),
            Event::NoMate(_) => outcome = Some(Outcome::Open),
            Event::Done(report) => {
                assert_eq!(line.first().copied(), report.best, "{fen}");
                let outcome = outcome.unwrap_or_else(|| {
                    assert!(report.score >= MATE_BOUND, "{fen}: neither a mate nor a word about it");
                    let plies = (MATE - report.score) as usize;
                    assert!(plies < 2 * moves as usize, "{fen}: mate in {plies} plies");
                    let mut end = position.clone();
                    line.iter().for_each(|&mv| end.play(mv).unwrap());
                    assert!(plies == line.len() && !end.has_legal_move(), "{fen}: {line:?} is no mate");
                    Outcome::Mate(plies.div_ceil(2) as u32)
                });
                return (outcome, asked.elapsed());
            }
        }
    }
}

#[test]
fn every_tenth_mate_of_the_sample_is_proved_and_a_shorter_one_refuted() {
    let mut pool = ThreadPool::new(1, 4);
    let limits = || SearchLimits { nodes: Some(1_000_000), ..SearchLimits::default() };
    for Case { fen, moves, by_checks } in cases().step_by(10) {
        let (outcome, _) = ask(&mut pool, &fen, moves, limits());
        let expected = |found| if by_checks { found == moves } else { found <= moves };
        assert!(matches!(outcome, Outcome::Mate(found) if expected(found)), "{fen}: {outcome:?}");
        if moves <= 4 && by_checks {
            let (outcome, _) = ask(&mut pool, &fen, moves - 1, limits());
            assert_eq!(outcome, Outcome::None, "{fen}");
        }
    }
}

#[test]
fn the_limits_of_a_search_for_mate_are_kept() {
    let mut pool = ThreadPool::new(1, 4);
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let movetime = SearchLimits { movetime: Some(Duration::from_millis(200)), ..SearchLimits::default() };
    let (outcome, took) = ask(&mut pool, start, 20, movetime);
    assert_eq!(outcome, Outcome::Open);
    assert!(took > Duration::from_millis(150) && took < Duration::from_millis(450), "{took:?}");
    let depth = SearchLimits { depth: Some(4), ..SearchLimits::default() };
    assert_eq!(ask(&mut pool, start, 2, depth.clone()).0, Outcome::None);
    assert_eq!(ask(&mut pool, start, 3, depth).0, Outcome::Open, "four plies are too few");
}

/// How the questions of one length came out.
#[derive(Default)]
struct Row {
    asked: usize,
    proved: usize,
    /// A mate was found that is shorter than the known one.
    shorter: usize,
    refuted: usize,
    open: usize,
    longest: Duration,
}

/// Ten seconds a question: all 500 mates of up to 8 moves are proved, and at least nine of ten shorter ones refuted.
#[test]
#[ignore = "half an hour in a release build: make mates"]
#[allow(clippy::print_stderr)] // The table is what the run is for.
fn mates_of_the_sample_in_ten_seconds_each() {
    let limits = || SearchLimits { movetime: Some(Duration::from_secs(10)), ..SearchLimits::default() };
    let mut pool = ThreadPool::new(1, 64);
    let mut rows: [Row; 9] = Default::default();
    for Case { fen, moves, .. } in cases() {
        let row = &mut rows[moves as usize];
        row.asked += 1;
        let (outcome, took) = ask(&mut pool, &fen, moves, limits());
        row.proved += usize::from(matches!(outcome, Outcome::Mate(_)));
        row.longest = row.longest.max(took);
        match ask(&mut pool, &fen, moves - 1, limits()).0 {
            Outcome::None => row.refuted += 1,
            Outcome::Open => row.open += 1,
            Outcome::Mate(found) => {
                eprintln!("mate in {found}, not {moves}: {fen}");
                row.shorter += 1;
            }
        }
    }
    eprintln!("moves  asked proved longest  one less: refuted shorter open");
    for (moves, row) in rows.iter().enumerate().skip(1) {
        let Row { asked, proved, shorter, refuted, open, longest } = row;
        let longest = longest.as_secs_f64();
        eprintln!("{moves:>5} {asked:>6} {proved:>6} {longest:>6.2}s {refuted:>18} {shorter:>7} {open:>4}");
    }
    let sum = |part: fn(&Row) -> usize| rows.iter().map(part).sum::<usize>();
    assert_eq!(sum(|row| row.proved), 500);
    assert!(sum(|row| row.refuted + row.shorter) >= 450, "{} left open", sum(|row| row.open));
}
