//! The chase (捉, CXA 24.3): threats that the judged move made possible, and their grade (26.9).

use crate::board::{Position, see};
use crate::types::{Bitboard, Kind, Move, Side, Square};

use super::super::budget::TryBudget;
use super::super::captures::{can_retake, is_playable};
use super::super::context::MoveContext;
use super::exempt::Exempt;
use super::gain::{Worth, crossed, standing, worth};
use super::hunt::{Hunt, Terms, is_king_or_pawn, openings, plain_threats, winning_threats};

/// A way to win something next move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Threat {
    /// Its first move on the passed board.
    pub opening: Move,
    /// One hunter alone wins an unprotected piece, or a dearer one, outright (26.9); else the chase is joint
    /// (24.17) or of an under-protected piece.
    pub single: bool,
}

/// The threats that `context`'s move made, given the pieces that stand in exchange contact.
pub(super) fn new_threats(
    context: &mut MoveContext,
    contacts: Bitboard,
    partners_renew: bool,
) -> Vec<Threat> {
    let old = old_victims(context);
    let exempt = Exempt { contacts, old };
    let mut threats = winning_threats(&mut context.passed, Terms::OVER_THE_BOARD, exempt, &context.budget);
    if holds_with_a_single_attacker(&context.before, context.mover()) {
        threats.retain(|threat| !takes_weak(&context.passed, *threat));
    }
    if threats.is_empty() {
        return Vec::new();
    }
    let newness = Newness::of(context, partners_renew);
    threats.retain(|&threat| !newness.is_old(context, threat));
    grade(&mut context.passed, threats, exempt, &context.budget)
}

/// The side can only hold the draw, and holds it with its last attacking piece, so that what it hits beside is
/// idle (26.2): its opponent attacks with more.
fn holds_with_a_single_attacker(position: &Position, side: Side) -> bool {
    let own = attackers(position, side);
    own.len() == 1 && wood(position, own) < wood(position, attackers(position, !side))
}

/// The pieces that can attack beyond the river: rooks, horses, cannons and crossed pawns.
fn attackers(position: &Position, side: Side) -> Bitboard {
    let strong = [Kind::Rook, Kind::Horse, Kind::Cannon];
    let pieces = strong.iter().fold(Bitboard::EMPTY, |set, &kind| set | position.pieces(side, kind));
    let pawns = position.pieces(side, Kind::Pawn).into_iter().filter(|&at| crossed(side, at));
    pieces | pawns.collect::<Bitboard>()
}

/// What the pieces on these squares are worth together, a pawn next to nothing.
fn wood(position: &Position, squares: Bitboard) -> i32 {
    squares.into_iter().filter_map(|square| position.piece_on(square)).map(|piece| 1 + standing(piece)).sum()
}

fn takes_weak(position: &Position, threat: Move) -> bool {
    position
        .piece_on(threat.to())
        .is_some_and(|victim| matches!(victim.kind(), Kind::Advisor | Kind::Elephant))
}

/// What could be won before the move, be it at an even exchange: pieces that a line may not pick up on its way,
/// so that a check first, or another capture, makes no new chase of them.
fn old_victims(context: &mut MoveContext) -> Bitboard {
    let none = Exempt::default();
    let before = &mut context.before;
    let threats = winning_threats(before, Terms::OVER_THE_BOARD, none, &context.budget).into_iter();
    let victims: Bitboard = threats.filter(|&threat| before.is_capture(threat)).map(Move::to).collect();
    if before.in_check() { victims | hanging_in_check(before, context.mv.from()) } else { victims }
}

/// In check, what hangs to pieces other than the one that answers: the check gave it away (26.3).
fn hanging_in_check(before: &Position, answering: Square) -> Bitboard {
    let hunters = before.pieces_of(before.side()).without(answering);
    let victims = before.pieces_of(!before.side());
    let mut hanging = Bitboard::EMPTY;
    for from in hunters {
        let Some(hunter) = before.piece_on(from) else { continue };
        for to in before.reach(hunter, from) & victims {
            if Move::new(from, to).is_some_and(|mv| hangs_to(before, mv)) {
                hanging = hanging.with(to);
            }
        }
    }
    hanging
}

/// What was there before the move: from chase to chase is idle (从捉到捉, 1999 29.2 and rules 2 and 6).
struct Newness {
    /// In check nothing but an answer is legal, so what was attacked is counted on the board instead.
    in_check: bool,
    /// What the opponent threatened before the move anyway.
    counter_threats: Vec<Move>,
    /// See [`Ruleset::partners_renew_chase`](crate::rules::Ruleset::partners_renew_chase).
    partners_renew: bool,
}

impl Newness {
    fn of(context: &mut MoveContext, partners_renew: bool) -> Newness {
        let in_check = context.before.in_check();
        let counter_threats = if in_check {
            Vec::new()
        } else {
            let mut turned = context.before.clone();
            turned.make_null();
            plain_threats(&mut turned, &context.budget)
        };
        Newness { in_check, counter_threats, partners_renew }
    }

    fn is_old(&self, context: &mut MoveContext, threat: Move) -> bool {
        let Some(original) = context.original(threat) else { return false };
        if self.in_check {
            Self::stood_in_check(context, original)
        } else {
            self.stood(context, original, threat)
        }
    }

    /// The threat won before the move too, or would have but for what the opponent threatened.
    fn stood(&self, context: &mut MoveContext, original: Move, threat: Move) -> bool {
        if !openings(&context.before, Bitboard::EMPTY).contains(&original) {
            return false;
        }
        let none = Exempt::default();
        let (before, passed, budget) = (&mut context.before, &mut context.passed, &context.budget);
        // What only comes out even now is old if it came out even before.
        let wanted = if Hunt::new(passed, Terms::OUTRIGHT, none, budget).wins(threat) {
            Terms::OUTRIGHT
        } else {
            Terms::OVER_THE_BOARD
        };
        if Hunt::new(before, Terms::ON_THE_SQUARE, none, budget).wins(original)
            && Hunt::new(before, wanted, none, budget).wins(original)
        {
            return true;
        }
        let forgiving = Terms { forgiven: &self.counter_threats, ..wanted };
        if !Hunt::new(before, forgiving, none, budget).wins(original) {
            return false;
        }
        if threat.from() == context.mv.to() || !self.partners_renew {
            // The moved piece hits the same victim from its new square.
            return true;
        }
        // A piece that steps out of danger frees a capture that was there all along: idle, unless the
        // moved piece takes part in it.
        context.passed.without(context.mv.to()).is_some_and(|mut lifted| {
            is_playable(&lifted, threat)
                && Hunt::new(&mut lifted, Terms::ON_THE_SQUARE, none, budget).wins(threat)
        })
    }

    /// The opponent's check left the piece hanging, which is its own doing (26.3).
    fn stood_in_check(context: &mut MoveContext, original: Move) -> bool {
        let none = Exempt::default();
        let before = &mut context.before;
        if is_playable(before, original) {
            return openings(before, Bitboard::EMPTY).contains(&original)
                && Hunt::new(before, Terms::ON_THE_SQUARE, none, &context.budget).wins(original);
        }
        original.from() != context.mv.from() && hangs_to(before, original)
    }
}

/// The engine's exchange values part the cannon from the horse by this much; the book does not (25.3).
const CANNON_OVER_HORSE: i32 = see::value(Kind::Cannon) - see::value(Kind::Horse);

/// The capture gains by counting captors and protectors alone, the safety of the generals aside.
fn hangs_to(position: &Position, capture: Move) -> bool {
    position.is_pseudo_legal(capture)
        && !is_king_or_pawn(position, capture)
        && position.piece_on(capture.to()).is_some_and(|victim| worth(victim, capture.to()) != Worth::Nothing)
        && position.see(capture, CANNON_OVER_HORSE + 1)
}

/// Keeps the threats with the highest gain and finds out which of them need no partner.
fn grade(position: &mut Position, threats: Vec<Move>, exempt: Exempt, budget: &TryBudget) -> Vec<Threat> {
    let levels: Vec<(Move, i32)> =
        threats.into_iter().map(|threat| (threat, gain_level(position, threat, exempt, budget))).collect();
    let best = levels.iter().map(|&(_, level)| level).max().unwrap_or(0);
    let kept = levels.into_iter().filter(|&(_, level)| level == best);
    kept.map(|(opening, _)| Threat { opening, single: needs_one(position, opening, exempt, budget) })
        .collect()
}

/// Whether the threat, or another capture of the same victim, needs one piece alone: pieces chase jointly only
/// if none of them can be spared (24.17).
fn needs_one(position: &mut Position, threat: Move, exempt: Exempt, budget: &TryBudget) -> bool {
    let victim = position.is_capture(threat).then(|| threat.to());
    let captures: Vec<Move> = position.legal_moves().iter().copied().collect();
    let others = captures.into_iter().filter(|mv| victim == Some(mv.to()) && *mv != threat);
    let own = others.filter(|&mv| !is_king_or_pawn(position, mv)).collect::<Vec<_>>();
    std::iter::once(threat).chain(own).any(|mv| is_single(position, mv, exempt, budget))
}

/// The most that a threat wins for certain, in steps: a rook, a minor piece, more than a pawn, anything; -1 if
/// it only comes out even.
fn gain_level(position: &mut Position, threat: Move, exempt: Exempt, budget: &TryBudget) -> i32 {
    const LEVELS: [i32; 4] = [19, 9, 1, 0];
    LEVELS
        .into_iter()
        .find(|&above| Hunt::new(position, Terms { above, ..Terms::OUTRIGHT }, exempt, budget).wins(threat))
        .unwrap_or(-1)
}

/// The threat's victim is unprotected, or a rook hit by something cheaper, and no other piece is needed.
fn is_single(position: &mut Position, threat: Move, exempt: Exempt, budget: &TryBudget) -> bool {
    let (Some(captor), victim) = (position.piece_on(threat.from()), position.piece_on(threat.to())) else {
        return false;
    };
    let clean = match victim {
        None => true,
        Some(victim) => {
            victim.kind() == Kind::Rook && standing(captor) < standing(victim)
                || !can_retake(position, threat)
        }
    };
    clean
        && partners(position, threat)
            .into_iter()
            .all(|partner| spares(position, threat, partner, exempt, budget))
}

/// The other strong pieces of the hunter: advisors, elephants, pawns and the king are screens, not partners.
fn partners(position: &Position, threat: Move) -> Bitboard {
    let side = position.side();
    let strong = [Kind::Rook, Kind::Horse, Kind::Cannon];
    strong.iter().fold(Bitboard::EMPTY, |set, &kind| set | position.pieces(side, kind)).without(threat.from())
}

/// Whether the threat can be carried out without `partner` (缺少其中任何一个都无法吃子, 24.17). A piece that only
/// pins a root is no partner, for a false root counts as none (24.16); a threat by check must still win.
fn spares(position: &Position, threat: Move, partner: Square, exempt: Exempt, budget: &TryBudget) -> bool {
    match position.without(partner) {
        None => true,
        Some(lifted) if lifted.in_check() && !position.in_check() => true,
        Some(mut lifted) => {
            is_playable(&lifted, threat)
                && (lifted.is_capture(threat)
                    || Hunt::new(&mut lifted, Terms::ON_THE_SQUARE, exempt, budget).wins(threat))
        }
    }
}
