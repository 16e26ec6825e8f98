//! What can be won next move: captures played out to the end (CXA 24.3, 26.5-26.8).
//!
//! A *threat* is the first move of a winning line: a capture, or a check that wins a piece. It must pass two
//! questions. *On the square*: does the exchange on the captured square gain? *Over the board*: when the
//! hunted side may also take elsewhere or check, does the hunter at least not lose by the complete exchange?
//! All moves inside the lines are legal, which by itself gives false roots, pins and discovered roots.

use crate::board::Position;
use crate::types::{Bitboard, Kind, Move, Piece, Square};

use super::super::budget::TryBudget;
use super::exempt::Exempt;
use super::gain::{Gain, standing};
use super::trade::Trade;

/// How the hunted side may answer when it is not in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// By retaking on the square of the capture.
    Retaking,
    /// By any capture, and by a few checks.
    Anything,
}

/// What a line has to achieve, and what it may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    /// The answers allowed.
    pub answers: Answers,
    /// The score that must be exceeded.
    pub above: i32,
    /// Whether it must be exceeded even where an equal outcome is enough (26.5, see [`Trade`]).
    pub strict: bool,
    /// Quiet checks the hunter may give along one line.
    pub checks: u8,
    /// Captures of the hunted side that it could make anyway, and that therefore do not count as answers.
    pub forgiven: &'a [Move],
}

/// Quiet checks a hunter may give along one line; more change no label we know of.
const HUNTER_CHECKS: u8 = 2;
/// Captures a hunter may make along one line.
const HUNTER_CAPTURES: u8 = 3;
/// Quiet checks the hunted side may give along one line.
const COUNTER_CHECKS: u8 = 2;

impl Terms<'static> {
    /// The exchange on the square must gain.
    pub const ON_THE_SQUARE: Terms<'static> =
        Terms { answers: Answers::Retaking, above: 0, strict: false, checks: HUNTER_CHECKS, forgiven: &[] };
    /// The complete exchange must not lose.
    pub const OVER_THE_BOARD: Terms<'static> = Terms { answers: Answers::Anything, ..Terms::ON_THE_SQUARE };
    /// The complete exchange must gain.
    pub const OUTRIGHT: Terms<'static> = Terms { strict: true, ..Terms::OVER_THE_BOARD };
}

/// The state of a line.
#[derive(Debug, Clone, Copy)]
struct HuntState {
    gain: Gain,
    /// What has been taken by whom since the hunter took first.
    trade: Trade,
    /// The square of the last move, if that was a capture.
    taken_on: Option<Square>,
    checks: u8,
    captures: u8,
    counter_checks: u8,
    exempt: Exempt,
}

/// A hunt: lines of captures and checks for one side of one position.
pub(super) struct Hunt<'a> {
    position: &'a mut Position,
    terms: Terms<'a>,
    exempt: Exempt,
    budget: &'a TryBudget,
}

impl<'a> Hunt<'a> {
    /// A hunt by the side to move of `position`, which is left as it was found.
    pub fn new(
        position: &'a mut Position,
        terms: Terms<'a>,
        exempt: Exempt,
        budget: &'a TryBudget,
    ) -> Hunt<'a> {
        Hunt { position, terms, exempt, budget }
    }

    /// Whether the threat that starts with the legal move `threat` reaches its terms.
    pub fn wins(&mut self, threat: Move) -> bool {
        self.plays(threat, self.start())
    }

    /// Whether the side to move, having just lost `victim` on `square`, comes out ahead.
    pub fn recovers(&mut self, victim: Piece, square: Square) -> bool {
        let start = self.start();
        self.hunts(HuntState { gain: start.gain.losing(victim, square), taken_on: Some(square), ..start })
    }

    /// A line that shows how the winning `threat` goes on: the threat, one answer, and so forth.
    pub fn line(&mut self, threat: Move) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut line = self.start();
        let mut next = Some(threat);
        while let Some(mv) = next {
            line = self.after_hunter(mv, line);
            self.position.make(mv);
            moves.push(mv);
            let Some(answer) = self.answers(&line).first().copied() else { break };
            line = self.after_answer(answer, line);
            self.position.make(answer);
            moves.push(answer);
            if !self.position.in_check() && self.content(&line) {
                break;
            }
            let continuations = self.continuations(&line);
            next = continuations.into_iter().find(|&mv| self.plays(mv, line));
        }
        for _ in &moves {
            self.position.unmake();
        }
        moves
    }

    fn start(&self) -> HuntState {
        HuntState {
            gain: Gain::default(),
            trade: Trade::default(),
            taken_on: None,
            checks: self.terms.checks,
            captures: HUNTER_CAPTURES,
            counter_checks: COUNTER_CHECKS,
            exempt: self.exempt,
        }
    }

    /// The hunter may stop here.
    fn content(&self, line: &HuntState) -> bool {
        let score = line.gain.score(self.budget.pawn_buys_rook);
        let even_is_enough = !self.terms.strict && line.trade.may_be_even();
        line.gain.took && (score > self.terms.above || even_is_enough && score == self.terms.above)
    }

    /// The hunter plays `mv`; true if every answer leaves it content in the end.
    fn plays(&mut self, mv: Move, line: HuntState) -> bool {
        if !self.budget.spend() {
            return false;
        }
        let line = self.after_hunter(mv, line);
        self.position.make(mv);
        let won = self.holds(line);
        self.position.unmake();
        won
    }

    fn after_hunter(&self, mv: Move, mut line: HuntState) -> HuntState {
        line.exempt = line.exempt.after(mv);
        line.trade = line.trade.continued_by(mv);
        line.taken_on = None;
        match (self.position.piece_on(mv.from()), self.position.piece_on(mv.to())) {
            (Some(captor), Some(victim)) => {
                let began_here = line.trade.began_on(mv.to());
                if !line.gain.took {
                    line.trade = Trade::opened_by(self.position, mv);
                }
                line.gain = line.gain.taking(captor, victim, mv.to(), began_here);
                line.captures = line.captures.saturating_sub(1);
                line.taken_on = Some(mv.to());
            }
            // An answer to check is forced, so it uses nothing up.
            _ if self.position.in_check() => {}
            _ => line.checks = line.checks.saturating_sub(1),
        }
        line
    }

    /// The hunted side is to move: whatever it does, the hunter gets there.
    fn holds(&mut self, line: HuntState) -> bool {
        if !self.position.in_check() && !self.content(&line) {
            // Nothing forces an answer: the hunted side simply declines.
            return false;
        }
        self.answers(&line).into_iter().all(|answer| {
            let line = self.after_answer(answer, line);
            self.position.make(answer);
            let won = self.budget.spend() && self.hunts(line);
            self.position.unmake();
            won
        })
    }

    /// The answers the hunted side may try.
    fn answers(&self, line: &HuntState) -> Vec<Move> {
        let position = &self.position;
        let in_check = position.in_check();
        let tries = |mv: Move| {
            if in_check {
                return true;
            }
            let capture = position.is_capture(mv);
            if capture && line.taken_on == Some(mv.to()) {
                return true;
            }
            match self.terms.answers {
                Answers::Retaking => false,
                Answers::Anything if capture => !self.terms.forgiven.contains(&mv),
                Answers::Anything => line.counter_checks > 0 && position.gives_check(mv),
            }
        };
        position.legal_moves().iter().copied().filter(|&mv| tries(mv)).collect()
    }

    fn after_answer(&self, mv: Move, mut line: HuntState) -> HuntState {
        line.exempt = line.exempt.after(mv);
        match self.position.piece_on(mv.to()) {
            Some(victim) => {
                line.gain = line.gain.losing(victim, mv.to());
                if line.gain.took {
                    line.trade = line.trade.answered_by(mv, line.taken_on == Some(mv.to()));
                }
                line.taken_on = Some(mv.to());
            }
            None => {
                line.taken_on = None;
                if !self.position.in_check() {
                    line.counter_checks = line.counter_checks.saturating_sub(1);
                }
            }
        }
        line
    }

    /// The hunter is to move: it is content, or has a move that wins.
    fn hunts(&mut self, line: HuntState) -> bool {
        if !self.position.in_check() && self.content(&line) {
            return true;
        }
        self.continuations(&line).into_iter().any(|mv| self.plays(mv, line))
    }

    /// The moves with which the hunter may go on, captures first.
    fn continuations(&self, line: &HuntState) -> Vec<Move> {
        let moves = self.position.legal_moves();
        let (mut captures, quiets): (Vec<Move>, Vec<Move>) =
            moves.iter().partition(|&&mv| self.position.is_capture(mv));
        captures.retain(|&mv| line.captures > 0 && self.may_take(mv, line));
        let in_check = self.position.in_check();
        captures.extend(
            quiets.into_iter().filter(|&mv| in_check || line.checks > 0 && self.position.gives_check(mv)),
        );
        captures
    }

    fn may_take(&self, mv: Move, line: &HuntState) -> bool {
        // An answer to check is free, and so is retaking; but neither king nor pawn may start an exchange (26.1,
        // 26.8), and what hung before is not won anew.
        let retakes = line.taken_on == Some(mv.to());
        if self.position.in_check() {
            return true;
        }
        if !retakes && (is_king_or_pawn(self.position, mv) || line.exempt.old.has(mv.to())) {
            return false;
        }
        !is_exchange(self.position, mv, line.exempt.contacts)
    }
}

/// Whether `mv` moves a king or a pawn.
pub(super) fn is_king_or_pawn(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.from()).is_some_and(|piece| matches!(piece.kind(), Kind::King | Kind::Pawn))
}

/// Whether the capture `mv` only carries out an exchange on offer: its victim stands in exchange contact, and
/// the captor is its like or a rook beside its like (26.11). A cheaper captor, or another of the same worth that
/// joins in, makes it a chase (26.4, 26.11(2)).
fn is_exchange(position: &Position, mv: Move, contacts: Bitboard) -> bool {
    contacts.has(mv.to())
        && match (position.piece_on(mv.from()), position.piece_on(mv.to())) {
            (Some(captor), Some(victim)) => {
                captor.kind() == victim.kind() || standing(captor) > standing(victim)
            }
            _ => false,
        }
}

/// The moves of the side to move that may open a winning line: captures and checks, but by the king or a
/// pawn only captures that give check (26.1, 26.8).
pub(super) fn openings(position: &Position, contacts: Bitboard) -> Vec<Move> {
    let opens = |mv: Move| match position.is_capture(mv) {
        true => {
            !is_exchange(position, mv, contacts)
                && (!is_king_or_pawn(position, mv) || position.gives_check(mv))
        }
        false => position.gives_check(mv),
    };
    position.legal_moves().iter().copied().filter(|&mv| opens(mv)).collect()
}

/// The openings of the side to move that win both on the square and over the board.
pub(super) fn winning_threats(
    position: &mut Position,
    over_the_board: Terms<'_>,
    exempt: Exempt,
    budget: &TryBudget,
) -> Vec<Move> {
    let mut threats = openings(position, exempt.contacts);
    threats.retain(|&threat| {
        Hunt::new(position, Terms::ON_THE_SQUARE, exempt, budget).wins(threat)
            && Hunt::new(position, over_the_board, exempt, budget).wins(threat)
    });
    threats
}

/// Captures of the side to move that gain on the square without any check.
pub(super) fn plain_threats(position: &mut Position, budget: &TryBudget) -> Vec<Move> {
    let terms = Terms { checks: 0, ..Terms::ON_THE_SQUARE };
    let captures: Vec<Move> =
        position.legal_moves().iter().copied().filter(|&mv| position.is_capture(mv)).collect();
    let none = Exempt::default();
    captures.into_iter().filter(|&mv| Hunt::new(position, terms, none, budget).wins(mv)).collect()
}
