//! The answer of a search: waits for the threads, chooses among what they found, and reports it.
//!
//! This is the work of a thread of its own, which sleeps while the others search. So the clock is read and a stop is
//! answered in time even where many threads share few processors and none of them has its turn at the moment.

use std::time::Duration;

use super::context::SearchContext;
use super::iterate::MAX_DEPTH;
use super::mate;
use super::report::{Event, Info, NoMate, Refuted, SearchReport};
use super::root::{RootMove, root_moves};
use super::time::TimePlan;
use super::tt::{Bound, TranspositionTable};
use super::vote::{ThreadResult, vote};
use crate::score::mated_in;
use xiangqi::board::Position;
use xiangqi::types::Move;

/// The most memory that proofs of mates take, in MB.
const MOST_PROOFS: usize = 256;
/// How long the answer waits for threads that have yet to notice that the search is over.
const GRACE: Duration = Duration::from_millis(2);

/// Waits for the end of the search and gives its answer when it may be given. `asked` are the limits as they were set,
/// which may ask for the proof of a mate after the search.
pub(super) fn coordinate(context: &SearchContext, asked: &super::SearchLimits) {
    let signal = &context.signal;
    signal.wait_for_end(|| context.plan.time_left(signal));
    // One thread is waited for whatever it takes, so that its searches repeat; so are all whose work is counted.
    let hurried = context.threads() > 1 && context.stats().counts().is_none();
    signal.wait_for_threads(GRACE, || hurried && !context.results().is_empty());
    let mut report = conclude(context);
    if let (Some(moves), Some(_)) = (asked.mate, report.best) {
        prove(context, moves, asked, &mut report);
    }
    signal.wait_for_leave();
    report.time = signal.started().elapsed();
    context.close(Event::Done(report));
}

/// The report of what the threads found.
fn conclude(context: &SearchContext) -> SearchReport {
    let results = context.results();
    let chosen = choose(context, &results);
    if let Some((id, result)) = chosen.filter(|_| context.threads() > 1) {
        report_choice(context, *id, result);
    }
    let best = chosen.map(|(_, result)| &result.best);
    SearchReport {
        best: best.map(|best| best.mv),
        ponder: best.and_then(|best| ponder_move(&context.position, best, &context.table)),
        score: best.map_or(mated_in(0), RootMove::true_score),
        depth: chosen.map_or(0, |(_, result)| result.depth.clamp(0, MAX_DEPTH) as u32),
        nodes: context.nodes.total(),
        time: context.signal.started().elapsed(),
        stats: context.stats(),
    }
}

/// The result to play: that of the first thread if its lines or its depth were asked for, otherwise the winner of the
/// vote.
fn choose<'a>(
    context: &SearchContext,
    results: &'a [(usize, ThreadResult)],
) -> Option<&'a (usize, ThreadResult)> {
    if context.options.multipv == 1 && context.limits.depth.is_none() {
        let votes: Vec<ThreadResult> = results.iter().map(|(_, result)| result.clone()).collect();
        return results.get(vote(&votes));
    }
    results.first()
}

/// Reports the line of the chosen move last, because another thread than the first may have found it.
fn report_choice(context: &SearchContext, id: usize, result: &ThreadResult) {
    if context.options.multipv > 1 && id == 0 && result.exact {
        return;
    }
    let RootMove { seldepth, ref pv, .. } = result.best;
    context.tell(Event::Info(Info {
        depth: result.depth.max(1) as u32,
        seldepth: seldepth as u32,
        multipv: 1,
        score: result.best.true_score(),
        bound: if result.exact { Bound::Exact } else { Bound::Lower },
        nodes: context.nodes.total(),
        time: context.signal.started().elapsed(),
        hashfull: context.table.hashfull(),
        pv: pv.clone(),
    }));
}

/// Proves or refutes a mate in at most `moves` moves, and puts the mate into the report. Until then the report has the
/// move that an ordinary search likes best.
fn prove(context: &SearchContext, moves: u32, asked: &super::SearchLimits, report: &mut SearchReport) {
    let (signal, position) = (&context.signal, &context.position);
    let plan = TimePlan::new(asked, &context.options);
    let mut halt = || signal.is_called_off() || plan.is_over(signal);
    let root: Vec<Move> = root_moves(position, asked).into_iter().map(|root| root.mv).collect();
    let within = asked.depth.map_or(moves, |depth| moves.min(depth.div_ceil(2)));
    let problem = mate::Problem {
        position,
        root: &root,
        moves: within,
        no_capture_limit: context.options.no_capture_limit,
        hash_mb: context.table.megabytes().min(MOST_PROOFS),
        nodes: asked.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(report.nodes)),
    };
    let (solution, nodes) = mate::search(&problem, &mut halt);
    report.nodes += nodes;
    match solution {
        mate::Solution::Mate { plies, line } => {
            let info = Info::of_mate(plies, line, report.nodes, signal.started().elapsed());
            (report.best, report.ponder) = (info.pv.first().copied(), info.pv.get(1).copied());
            (report.score, report.depth) = (info.score, info.depth);
            context.tell(Event::Info(info));
        }
        mate::Solution::None(certainty) => {
            let certainty = if within < moves { Refuted::Nothing } else { certainty };
            context.tell(Event::NoMate(NoMate { moves, certainty }));
        }
    }
}

/// The answer expected to the best move: from the line, else from the table.
fn ponder_move(position: &Position, best: &RootMove, table: &TranspositionTable) -> Option<Move> {
    let mut after = position.clone();
    after.make(best.mv);
    let guess = best.pv.get(1).copied().or_else(|| table.probe(after.key(), 0).and_then(|entry| entry.mv))?;
    (after.is_pseudo_legal(guess) && after.is_legal(guess)).then_some(guess)
}
