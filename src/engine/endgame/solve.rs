//! Exact results by retrograde analysis: from the mates backwards, ply by ply.
//!
//! A class is solved after all classes that captures lead to. Its positions lie in two arrays, one for each side to
//! move, a byte each. Captures are looked at once, in the smaller classes, and give each position the ply at which one
//! wins or the last of them loses; then the plies are gone through in order. Every position lost in n plies makes those
//! before it won in n + 1; every position won in n makes those before it candidates for lost in n + 1, which they are
//! if all their moves lose by then. Positions that are never reached are drawn. Repetition rules are not considered.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use super::capture::{AfterCapture, SlotMapping, closure, rest};
use super::class::EndgameClass;
use super::exact::ExactResult;
use super::index::{EndgameLayout, MOST_ALIKE, MOST_NUMBERS};
use super::setup::EndgameBoard;
use xiangqi::types::{Side, Square};

/// The byte of a position not reached yet, which is a draw if it never is.
const OPEN: u8 = ExactResult::DRAWN;
/// The byte of a number without a legal position.
const ILLEGAL: u8 = 255;
/// The largest byte of a won or lost position, which is its number of plies.
const LONGEST: u8 = ExactResult::LONGEST;

/// The byte of a position in which no capture matters; others stand for a win or loss at a ply (odd or even), or for a
/// draw by capture.
const NO_CAPTURE: u8 = 0;
const DRAWING: u8 = 254;

/// Why a class cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SolveError {
    /// Its positions cannot be numbered.
    #[error("{0} has more than {MOST_ALIKE} like pieces, or more than {MOST_NUMBERS} positions")]
    TooLarge(EndgameClass),
    /// A class that captures lead to has not been solved.
    #[error("{0} leads to {1}, which is not solved")]
    Missing(EndgameClass, EndgameClass),
    /// The plies of a win do not fit into a byte.
    #[error("a win of {0} takes more than {LONGEST} plies")]
    TooLong(EndgameClass),
}

/// The exact results of a class.
#[derive(Debug, Clone)]
pub struct SolvedClass {
    layout: EndgameLayout,
    /// The results with Red (the stronger side) to move and with Black to move.
    plies: [Vec<u8>; 2],
}

/// The numbers of wins, draws and losses among the positions of a class with one side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResultCounts {
    /// The number of legal positions, with mirror images counted separately.
    pub positions: u64,
    /// The number of positions that the stronger side wins.
    pub won: u64,
    /// The number of drawn positions.
    pub drawn: u64,
    /// The number of positions that the stronger side loses.
    pub lost: u64,
    /// The longest way to mate of the stronger side, in plies.
    pub longest: u8,
}

impl SolvedClass {
    /// How its positions are numbered.
    pub fn layout(&self) -> &EndgameLayout {
        &self.layout
    }

    /// The result of the position with this number ([`EndgameLayout::index`]); `None` if it is not legal.
    #[inline]
    pub fn get(&self, side: Side, index: usize) -> Option<ExactResult> {
        self.plies[side.index()].get(index).copied().and_then(ExactResult::of_byte)
    }

    /// The sums over all positions with this side to move.
    pub fn tally(&self, side: Side) -> ResultCounts {
        let count = |mut tally: ResultCounts, index: usize| {
            let images = EndgameLayout::images(&self.layout.squares(index));
            let (result, plies) = match self.get(side, index) {
                None => return tally,
                Some(ExactResult::Draw) => (&mut tally.drawn, 0),
                Some(ExactResult::Win(plies)) if side == Side::Red => (&mut tally.won, plies),
                Some(ExactResult::Loss(plies)) if side == Side::Black => (&mut tally.won, plies),
                Some(ExactResult::Win(_) | ExactResult::Loss(_)) => (&mut tally.lost, 0),
            };
            *result += images;
            tally.positions += images;
            tally.longest = tally.longest.max(plies);
            tally
        };
        let add = |a: ResultCounts, b: ResultCounts| ResultCounts {
            positions: a.positions + b.positions,
            won: a.won + b.won,
            drawn: a.drawn + b.drawn,
            lost: a.lost + b.lost,
            longest: a.longest.max(b.longest),
        };
        (0..self.layout.size())
            .into_par_iter()
            .fold(ResultCounts::default, count)
            .reduce(ResultCounts::default, add)
    }
}

/// Solves a class. `smaller` holds all classes that captures lead to; it runs on the threads of rayon's current pool.
///
/// # Errors
/// Returns an error if a smaller class is missing, or if this one cannot be solved at all.
pub fn solve(
    class: EndgameClass,
    smaller: &HashMap<EndgameClass, SolvedClass>,
) -> Result<SolvedClass, SolveError> {
    let layout = EndgameLayout::new(class).ok_or(SolveError::TooLarge(class))?;
    let mut leads = Vec::new();
    for slot in 0..layout.pieces().len() {
        // Generals are never taken.
        let lead = if slot < Side::ALL.len() { AfterCapture::Bare } else { rest(&layout, slot) };
        leads.push(match lead {
            AfterCapture::Bare => None,
            AfterCapture::Class(next, mapping) => {
                let solved = smaller.get(&next).ok_or(SolveError::Missing(class, next))?;
                Some((solved, mapping))
            }
        });
    }
    let analysis = RetrogradeAnalysis::new(&layout, leads);
    analysis.find_ends();
    let solved = analysis.go_back();
    let plies = analysis.plies.map(|plies| plies.into_iter().map(AtomicU8::into_inner).collect());
    if solved { Ok(SolvedClass { layout, plies }) } else { Err(SolveError::TooLong(class)) }
}

/// Solves classes and all classes that captures in them lead to, each after the classes that it needs, and calls `done`
/// with each.
///
/// # Errors
/// Returns an error if one of them cannot be solved.
pub fn solve_all(
    classes: &[EndgameClass],
    mut done: impl FnMut(&SolvedClass),
) -> Result<HashMap<EndgameClass, SolvedClass>, SolveError> {
    let mut solved = HashMap::new();
    for class in closure(classes) {
        let table = solve(class, &solved)?;
        done(&table);
        solved.insert(class, table);
    }
    Ok(solved)
}

/// A class being solved.
struct RetrogradeAnalysis<'a> {
    layout: &'a EndgameLayout,
    /// Where taking the piece in each slot leads; `None` to a bare board.
    leads: Vec<Option<(&'a SolvedClass, SlotMapping)>>,
    plies: [Vec<AtomicU8>; 2],
    captures: [Vec<u8>; 2],
}

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 13;

impl<'a> RetrogradeAnalysis<'a> {
    /// Finds out which positions are legal, and what captures do for them.
    fn new(
        layout: &'a EndgameLayout,
        leads: Vec<Option<(&'a SolvedClass, SlotMapping)>>,
    ) -> RetrogradeAnalysis<'a> {
        let blank = || (0..layout.size()).map(|_| AtomicU8::new(ILLEGAL)).collect();
        let none = || vec![NO_CAPTURE; layout.size()];
        let mut analysis =
            RetrogradeAnalysis { layout, leads, plies: [blank(), blank()], captures: [none(), none()] };
        let mut captures = std::mem::take(&mut analysis.captures);
        for (side, captures) in Side::ALL.into_iter().zip(&mut captures) {
            captures.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, captures)| {
                for (index, capture) in (chunk * CHUNK..).zip(captures) {
                    let Some(setup) = EndgameBoard::new(layout, layout.squares(index)) else { continue };
                    if !setup.in_check(!side) {
                        analysis.plies[side.index()][index].store(OPEN, Ordering::Relaxed);
                        *capture = analysis.by_captures(&setup, side);
                    }
                }
            });
        }
        RetrogradeAnalysis { captures, ..analysis }
    }

    #[inline]
    fn at(&self, side: Side, index: usize) -> u8 {
        self.plies[side.index()][index].load(Ordering::Relaxed)
    }

    /// What the captures of `side` do for it.
    fn by_captures(&self, setup: &EndgameBoard, side: Side) -> u8 {
        let (mut win, mut loss, mut draws) = (u8::MAX, 0, false);
        for slot in setup.slots(side) {
            for to in setup.captures(slot) {
                let Some(taken) = setup.slot_on(to) else { continue };
                match self.after_capture(setup, (slot, to), taken).map(ExactResult::before) {
                    None => {}
                    Some(ExactResult::Draw) => draws = true,
                    Some(ExactResult::Win(plies)) => win = win.min(plies),
                    Some(ExactResult::Loss(plies)) => loss = loss.max(plies),
                }
            }
        }
        match (win, draws) {
            (u8::MAX, true) => DRAWING,
            (u8::MAX, false) => loss,
            (win, _) => win,
        }
    }

    /// What a capture leaves for the other side; `None` if it is not legal.
    fn after_capture(
        &self,
        setup: &EndgameBoard,
        (slot, to): (usize, Square),
        taken: usize,
    ) -> Option<ExactResult> {
        match &self.leads[taken] {
            Some((solved, mapping)) => {
                let mut squares = setup.squares;
                squares[slot] = to;
                let index = solved.layout.index(&mapping.squares(&squares));
                let next = !self.layout.pieces()[slot].side();
                solved.get(mapping.side(next), index)
            }
            None => setup.is_safe_after(slot, to, Some(taken)).then_some(ExactResult::Draw),
        }
    }

    /// Marks the positions in which the side to move has no legal move.
    fn find_ends(&self) {
        for side in Side::ALL {
            let captures = &self.captures[side.index()];
            (0..self.layout.size()).into_par_iter().with_min_len(CHUNK).for_each(|index| {
                if self.at(side, index) == OPEN && captures[index] == NO_CAPTURE {
                    let squares = self.layout.squares(index);
                    let stuck = EndgameBoard::new(self.layout, squares)
                        .is_some_and(|setup| self.quiet_moves(&setup, side).next().is_none());
                    if stuck {
                        self.plies[side.index()][index].store(0, Ordering::Relaxed);
                    }
                }
            });
        }
    }

    /// The results of the legal moves of `side` that do not capture, for the other side.
    fn quiet_moves<'s>(&'s self, setup: &'s EndgameBoard, side: Side) -> impl Iterator<Item = u8> + 's {
        let moves =
            setup.slots(side).flat_map(move |slot| setup.quiets(slot).into_iter().map(move |to| (slot, to)));
        let result = move |(slot, to)| {
            let mut squares = setup.squares;
            squares[slot] = to;
            self.at(!side, self.layout.index(&squares))
        };
        moves.map(result).filter(|&plies| plies != ILLEGAL)
    }

    /// Goes through the plies. Returns whether every number of plies fits into a byte.
    fn go_back(&self) -> bool {
        let last_capture = self.captures.iter().flatten().copied().filter(|&ply| ply <= LONGEST).max();
        let last_capture = last_capture.unwrap_or(0);
        for ply in 0..=LONGEST {
            for side in Side::ALL {
                self.settle_by_captures(side, ply);
            }
            let found = AtomicBool::new(false);
            for side in Side::ALL {
                self.spread(side, ply, &found);
            }
            if !found.into_inner() && ply >= last_capture {
                return true;
            }
        }
        false
    }

    /// Settles the positions that a capture wins at this ply, or in which the last capture loses at it.
    fn settle_by_captures(&self, side: Side, ply: u8) {
        if ply == 0 {
            return;
        }
        self.captures[side.index()].par_chunks(CHUNK).enumerate().for_each(|(chunk, captures)| {
            for (index, _) in (chunk * CHUNK..).zip(captures).filter(|&(_, &at)| at == ply) {
                let open = self.at(side, index) == OPEN;
                if open && (ply % 2 == 1 || self.is_lost(side, index, ply)) {
                    self.plies[side.index()][index].store(ply, Ordering::Relaxed);
                }
            }
        });
    }

    /// Goes back from the positions with `side` to move that end after `ply` plies.
    fn spread(&self, side: Side, ply: u8, found: &AtomicBool) {
        self.plies[side.index()].par_chunks(CHUNK).enumerate().for_each(|(chunk, plies)| {
            for (index, _) in (chunk * CHUNK..).zip(plies).filter(|(_, at)| at.load(Ordering::Relaxed) == ply)
            {
                found.store(true, Ordering::Relaxed);
                let Some(setup) = EndgameBoard::new(self.layout, self.layout.squares(index)) else {
                    continue;
                };
                for slot in setup.slots(!side) {
                    for from in setup.sources(slot) {
                        let mut squares = setup.squares;
                        squares[slot] = from;
                        self.settle(!side, self.layout.index(&squares), ply + 1);
                        if slot == 0 && from.file() == 4 && setup.squares[0].file() != 4 {
                            // The mirror image of this position, too, leads here, by its own mirror move.
                            let mirrored = squares.map(Square::mirrored);
                            self.settle(!side, self.layout.index(&mirrored), ply + 1);
                        }
                    }
                }
            }
        });
    }

    /// Settles a position that has a move to one that ends a ply earlier.
    #[inline]
    fn settle(&self, side: Side, index: usize, ply: u8) {
        if self.at(side, index) == OPEN && (ply % 2 == 1 || self.is_lost(side, index, ply)) {
            self.plies[side.index()][index].store(ply, Ordering::Relaxed);
        }
    }

    /// Whether all moves of a position lose in `ply` plies or fewer.
    fn is_lost(&self, side: Side, index: usize, ply: u8) -> bool {
        let capture = self.captures[side.index()][index];
        // A capture that wins or draws, or holds out longer.
        if capture % 2 == 1 || capture > ply {
            return false;
        }
        let squares = self.layout.squares(index);
        EndgameBoard::new(self.layout, squares)
            .is_some_and(|setup| self.quiet_moves(&setup, side).all(|plies| plies % 2 == 1 && plies < ply))
    }
}
