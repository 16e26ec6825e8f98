//! The chase (捉, CXA 24.3): plans that the judged move made possible, and their grade (26.9).

use crate::board::{Position, see};
use crate::types::{Bitboard, Kind, Move, Side, Square};

use super::contact::{can_retake, is_playable};
use super::exchange::{Hunt, Terms, is_king_or_pawn, openings, plain_threats, winning_plans};
use super::gain::{Worth, crossed, standing, worth};
use super::marks::Marks;
use super::measure::Measure;
use super::ruleset::Ruleset;

/// The positions around one judged move. None has a past, so all are cheap to copy.
pub(super) struct Scene {
    /// Before the move, the mover to play.
    pub before: Position,
    /// After it, the other side to play.
    pub moved: Position,
    /// After it, the turn handed back to the mover.
    pub passed: Position,
    /// The move.
    pub mv: Move,
    /// How its gains are counted.
    pub measure: Measure,
}

impl Scene {
    /// The scene of a legal move that does not give check. `None` if it does, for then no turn can be passed.
    pub fn of(position: &Position, mv: Move, rules: &Ruleset) -> Option<Scene> {
        let before = position.without_past();
        let mut moved = before.clone();
        moved.make(mv);
        if moved.in_check() {
            return None;
        }
        let mut passed = moved.without_past();
        passed.make_null();
        Some(Scene { before, moved, passed, mv, measure: Measure::new(rules.pawn_buys_rook) })
    }

    /// Who moved.
    pub fn mover(&self) -> Side {
        self.before.side()
    }

    /// Where the piece on `square` after the move stood before it.
    fn origin(&self, square: Square) -> Square {
        if square == self.mv.to() { self.mv.from() } else { square }
    }

    /// A plan of the passed position, as the same plan would read before the move.
    fn original(&self, plan: Move) -> Option<Move> {
        Move::new(self.origin(plan.from()), plan.to())
    }
}

/// A way to win something next move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    /// Its first move on the passed board.
    pub opening: Move,
    /// One hunter alone wins an unprotected piece, or a dearer one, outright (26.9); else the chase is joint
    /// (24.17) or of an under-protected piece.
    pub single: bool,
}

/// The plans that `scene`'s move made, given the pieces that stand in exchange contact.
pub(super) fn new_plans(scene: &mut Scene, contacts: Bitboard, partners_renew: bool) -> Vec<Plan> {
    let old = old_victims(scene);
    let marks = Marks { contacts, old };
    let mut plans = winning_plans(&mut scene.passed, Terms::OVER_THE_BOARD, marks, &scene.measure);
    if holds_with_a_single_attacker(&scene.before, scene.mover()) {
        plans.retain(|plan| !takes_weak(&scene.passed, *plan));
    }
    if plans.is_empty() {
        return Vec::new();
    }
    let newness = Newness::of(scene, partners_renew);
    plans.retain(|&plan| !newness.is_old(scene, plan));
    grade(&mut scene.passed, plans, marks, &scene.measure)
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

fn takes_weak(position: &Position, plan: Move) -> bool {
    position.piece_on(plan.to()).is_some_and(|victim| matches!(victim.kind(), Kind::Advisor | Kind::Elephant))
}

/// What could be won before the move, be it at an even exchange: pieces that a line may not pick up on its way,
/// so that a check first, or another capture, makes no new chase of them.
fn old_victims(scene: &mut Scene) -> Bitboard {
    let none = Marks::default();
    let before = &mut scene.before;
    let plans = winning_plans(before, Terms::OVER_THE_BOARD, none, &scene.measure).into_iter();
    let victims: Bitboard = plans.filter(|&plan| before.is_capture(plan)).map(Move::to).collect();
    if before.in_check() { victims | hanging_in_check(before, scene.mv.from()) } else { victims }
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
    threats: Vec<Move>,
    /// See [`Ruleset::partners_renew_chase`](super::ruleset::Ruleset::partners_renew_chase).
    partners_renew: bool,
}

impl Newness {
    fn of(scene: &mut Scene, partners_renew: bool) -> Newness {
        let in_check = scene.before.in_check();
        let threats = if in_check {
            Vec::new()
        } else {
            let mut turned = scene.before.clone();
            turned.make_null();
            plain_threats(&mut turned, &scene.measure)
        };
        Newness { in_check, threats, partners_renew }
    }

    fn is_old(&self, scene: &mut Scene, plan: Move) -> bool {
        let Some(original) = scene.original(plan) else { return false };
        if self.in_check { Self::stood_in_check(scene, original) } else { self.stood(scene, original, plan) }
    }

    /// The plan won before the move too, or would have but for what the opponent threatened.
    fn stood(&self, scene: &mut Scene, original: Move, plan: Move) -> bool {
        if !openings(&scene.before, Bitboard::EMPTY).contains(&original) {
            return false;
        }
        let none = Marks::default();
        let (before, passed, measure) = (&mut scene.before, &mut scene.passed, &scene.measure);
        // What only comes out even now is old if it came out even before.
        let wanted = if Hunt::new(passed, Terms::OUTRIGHT, none, measure).wins(plan) {
            Terms::OUTRIGHT
        } else {
            Terms::OVER_THE_BOARD
        };
        if Hunt::new(before, Terms::ON_THE_SQUARE, none, measure).wins(original)
            && Hunt::new(before, wanted, none, measure).wins(original)
        {
            return true;
        }
        let forgiving = Terms { forgiven: &self.threats, ..wanted };
        if !Hunt::new(before, forgiving, none, measure).wins(original) {
            return false;
        }
        if plan.from() == scene.mv.to() || !self.partners_renew {
            // The moved piece hits the same victim from its new square.
            return true;
        }
        // A piece that steps out of danger frees a capture that was there all along: idle, unless the
        // moved piece takes part in it.
        scene.passed.without(scene.mv.to()).is_some_and(|mut lifted| {
            is_playable(&lifted, plan)
                && Hunt::new(&mut lifted, Terms::ON_THE_SQUARE, none, measure).wins(plan)
        })
    }

    /// The opponent's check left the piece hanging, which is its own doing (26.3).
    fn stood_in_check(scene: &mut Scene, original: Move) -> bool {
        let none = Marks::default();
        let before = &mut scene.before;
        if is_playable(before, original) {
            return openings(before, Bitboard::EMPTY).contains(&original)
                && Hunt::new(before, Terms::ON_THE_SQUARE, none, &scene.measure).wins(original);
        }
        original.from() != scene.mv.from() && hangs_to(before, original)
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

/// Keeps the plans with the highest gain and finds out which of them need no partner.
fn grade(position: &mut Position, plans: Vec<Move>, marks: Marks, measure: &Measure) -> Vec<Plan> {
    let levels: Vec<(Move, i32)> =
        plans.into_iter().map(|plan| (plan, gain_level(position, plan, marks, measure))).collect();
    let best = levels.iter().map(|&(_, level)| level).max().unwrap_or(0);
    let kept = levels.into_iter().filter(|&(_, level)| level == best);
    kept.map(|(opening, _)| Plan { opening, single: needs_one(position, opening, marks, measure) }).collect()
}

/// Whether the plan, or another capture of the same victim, needs one piece alone: pieces chase jointly only
/// if none of them can be spared (24.17).
fn needs_one(position: &mut Position, plan: Move, marks: Marks, measure: &Measure) -> bool {
    let victim = position.is_capture(plan).then(|| plan.to());
    let captures: Vec<Move> = position.legal_moves().iter().copied().collect();
    let others = captures.into_iter().filter(|mv| victim == Some(mv.to()) && *mv != plan);
    let own = others.filter(|&mv| !is_king_or_pawn(position, mv)).collect::<Vec<_>>();
    std::iter::once(plan).chain(own).any(|mv| is_single(position, mv, marks, measure))
}

/// The most that a plan wins for certain, in steps: a rook, a minor piece, more than a pawn, anything; -1 if
/// it only comes out even.
fn gain_level(position: &mut Position, plan: Move, marks: Marks, measure: &Measure) -> i32 {
    const LEVELS: [i32; 4] = [19, 9, 1, 0];
    LEVELS
        .into_iter()
        .find(|&above| Hunt::new(position, Terms { above, ..Terms::OUTRIGHT }, marks, measure).wins(plan))
        .unwrap_or(-1)
}

/// The plan's victim is unprotected, or a rook hit by something cheaper, and no other piece is needed.
fn is_single(position: &mut Position, plan: Move, marks: Marks, measure: &Measure) -> bool {
    let (Some(captor), victim) = (position.piece_on(plan.from()), position.piece_on(plan.to())) else {
        return false;
    };
    let clean = match victim {
        None => true,
        Some(victim) => {
            victim.kind() == Kind::Rook && standing(captor) < standing(victim) || !can_retake(position, plan)
        }
    };
    clean
        && partners(position, plan).into_iter().all(|partner| spares(position, plan, partner, marks, measure))
}

/// The other strong pieces of the hunter: advisors, elephants, pawns and the king are screens, not partners.
fn partners(position: &Position, plan: Move) -> Bitboard {
    let side = position.side();
    let strong = [Kind::Rook, Kind::Horse, Kind::Cannon];
    strong.iter().fold(Bitboard::EMPTY, |set, &kind| set | position.pieces(side, kind)).without(plan.from())
}

/// Whether the plan can be carried out without `partner` (缺少其中任何一个都无法吃子, 24.17). A piece that only
/// pins a root is no partner, for a false root counts as none (24.16); a plan by check must still win.
fn spares(position: &Position, plan: Move, partner: Square, marks: Marks, measure: &Measure) -> bool {
    match position.without(partner) {
        None => true,
        Some(lifted) if lifted.in_check() && !position.in_check() => true,
        Some(mut lifted) => {
            is_playable(&lifted, plan)
                && (lifted.is_capture(plan)
                    || Hunt::new(&mut lifted, Terms::ON_THE_SQUARE, marks, measure).wins(plan))
        }
    }
}
