//! Quiescence: captures, checks at first, and every answer to a check, until the position can be judged as it stands.

use super::node::{NodeType, cutoff};
use super::params::*;
use super::picker::{Hints, MovePicker};
use super::thread_data::{NodeEnd, ThreadData};
use super::tt::{Bound, TtEntry};
use crate::score::{INFINITE, MAX_PLY, RULED_BOUND, Value, is_mate, is_ruled, mated_in};
use xiangqi::board::see;
use xiangqi::types::Move;

impl ThreadData<'_> {
    /// The value of the position once captures have run out; with `checks`, the best check counts too.
    pub(super) fn quiesce<K: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        checks: bool,
    ) -> Value {
        self.stats.quiescence();
        self.pvs[ply].clear();
        if self.stopped {
            return 0;
        }
        match self.game_end(ply) {
            Some(NodeEnd::Over(value)) => value,
            Some(NodeEnd::AtLeast(value)) if value >= beta => value,
            Some(NodeEnd::AtLeast(value)) => {
                self.quiesce_on::<K>(alpha.max(value), beta, ply, checks, true).max(value)
            }
            None => self.quiesce_on::<K>(alpha, beta, ply, checks, false),
        }
    }

    /// The value of a position in which the game goes on; if a ruling is `pending`, the table is not trusted.
    fn quiesce_on<K: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        checks: bool,
        pending: bool,
    ) -> Value {
        if ply >= MAX_PLY {
            return self.evaluate();
        }
        self.root.seldepth = self.root.seldepth.max(ply);
        let entry = if pending { None } else { self.probe(ply, 0) };
        if !K::PV
            && let Some(value) = cutoff(entry, 0, alpha, beta)
        {
            self.stats.settled();
            return value;
        }
        let in_check = self.position.in_check();
        let mut best = -INFINITE;
        if !in_check {
            best = self.evaluate();
            // A mate known from the table would cut the line short of its end.
            if let Some(TtEntry { bound, score, .. }) = entry
                && !(K::PV && is_mate(score))
                && (bound == Bound::Exact || (bound == Bound::Lower) == (score > best))
            {
                best = score;
            }
            if best >= beta {
                return best;
            }
        }
        self.stack[ply].eval = (!in_check).then_some(best);
        self.try_captures::<K>(alpha, beta, ply, best, entry, checks)
    }

    /// Tries the captures, or in check all moves; `best` is the value of standing pat, if that is allowed.
    fn try_captures<K: NodeType>(
        &mut self,
        original: Value,
        beta: Value,
        ply: usize,
        mut best: Value,
        entry: Option<TtEntry>,
        checks: bool,
    ) -> Value {
        let mut alpha = original.max(best);
        let (table, before) = (entry.and_then(|entry| entry.mv), self.earlier(ply));
        let (in_check, stand) = (self.position.in_check(), best);
        let mut picker = if in_check {
            MovePicker::new(&self.position, Hints { table, killers: [None; 2], before })
        } else {
            MovePicker::captures(&self.position, table, before, checks)
        };
        let mut best_move = None;
        while let Some(mv) = picker.next(&self.position, self.history) {
            if self.overlooks(mv, ply) {
                continue;
            }
            self.prefetch(mv, 0);
            if in_check {
                // One answer that does not lose at once is enough of the quiet ones.
                if best > -RULED_BOUND && !self.position.is_capture(mv) {
                    picker.skip_quiets(&self.position);
                    continue;
                }
            } else if let Some(value) = self.futile(mv, stand, alpha) {
                best = best.max(value);
                continue;
            }
            self.make(mv, ply);
            let value = -self.quiesce::<K>(-beta, -alpha, ply + 1, false);
            self.unmake();
            if self.stopped {
                return best;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if best == -INFINITE {
            return mated_in(ply);
        }
        if !is_ruled(best) {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if K::PV && best > original && best_move.is_some() => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = TtEntry { mv: best_move, score: best, depth: 0, bound, pv: K::PV };
            self.keep(ply, entry);
        }
        best
    }

    /// The most a capture can lift the score to, if that is still below alpha.
    fn futile(&self, mv: Move, stand: Value, alpha: Value) -> Option<Value> {
        let victim = self.position.piece_on(mv.to())?;
        let hope = stand + see::value_on(victim, mv.to()) + qs_futility();
        (hope <= alpha && !self.position.gives_check(mv)).then_some(hope)
    }
}
