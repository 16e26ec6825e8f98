//! The arbiter: judges the record of a game and says why.

use crate::board::Position;
use crate::types::{Bitboard, Move, Outcome, Side};

use super::classify::classify;
use super::effect::{Class, Effect};
use super::history::{Loop, last_loop, moves_of};
use super::pursuit::Names;
use super::ruleset::{CXA2020, Conduct, RIPE, Reading, Ruleset};

/// How far a ruling has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// No loop, or fewer loops than make a ruling.
    None,
    /// The position is ripe (待判局面): somebody has to change, and has one more loop to do so.
    Pending,
    /// The game is decided.
    Final,
}

/// One ply of the judged loop.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Side,
    /// The ply's number in the record, from 0.
    pub ply: usize,
    /// The position before the move, without its past.
    pub before: Position,
    /// Its class, with the proof.
    pub effect: Effect,
}

/// A ruling on the loop that the last move of a record closed.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The rules applied.
    pub rules: &'static Ruleset,
    /// How far it has got.
    pub status: Status,
    /// What happens if nobody changes; `None` without a loop.
    pub verdict: Option<Outcome>,
    /// The side that has to change to avoid a loss, or to play on from a draw in the opening.
    pub must_change: Option<Side>,
    /// The clause applied; empty without a loop.
    pub clause: &'static str,
    /// The loop, if there is one.
    pub looped: Option<Loop>,
    /// What Red and Black did over it.
    pub conduct: [Conduct; 2],
    /// Its plies.
    pub moves: Vec<Judged>,
}

/// Judges repetitions under one ruleset.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Arbiter, Class, Status};
/// use xiangqi::types::Outcome;
/// use xiangqi::types::Side;
///
/// // A rook chases a cannon that nothing protects, and the cannon runs along its rank.
/// let mut game = Position::from_fen("3ak4/9/9/9/9/2c6/9/9/2R6/3K5 b - - 0 1")?;
/// for _ in 0..3 {
///     for mv in ["c4b4", "c1b1", "b4c4", "b1c1"] {
///         game.play(mv.parse()?)?;
///     }
/// }
/// let judgement = Arbiter::default().judge(&game);
/// assert_eq!(judgement.status, Status::Pending);
/// assert_eq!(judgement.verdict, Some(Outcome::Win(Side::Black)));
/// assert_eq!(judgement.moves[1].effect.class, Class::Chase);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Arbiter {
    rules: &'static Ruleset,
}

impl Default for Arbiter {
    /// The arbiter of the Chinese rules of 2020.
    fn default() -> Arbiter {
        Arbiter::new(&CXA2020)
    }
}

impl Arbiter {
    /// An arbiter under these rules.
    pub fn new(rules: &'static Ruleset) -> Arbiter {
        Arbiter { rules }
    }

    /// The rules it applies.
    pub fn rules(&self) -> &'static Ruleset {
        self.rules
    }

    /// Judges the record that led to `game`.
    pub fn judge(&self, game: &Position) -> Judgement {
        let Some(looped) = last_loop(game) else {
            return Judgement {
                rules: self.rules,
                status: Status::None,
                verdict: None,
                must_change: None,
                clause: "",
                looped: None,
                conduct: [Conduct::Allowed; 2],
                moves: Vec::new(),
            };
        };
        let moves = self.judge_moves(game, looped);
        let conduct = conducts(self.rules, &moves);
        let ruling = Ruling::of(self.rules, conduct);
        self.sentence(game, looped, moves, conduct, ruling)
    }

    fn judge_moves(&self, game: &Position, looped: Loop) -> Vec<Judged> {
        let mut position = game.clone();
        for _ in looped.start_ply..game.plies() {
            position.unmake();
        }
        let mut judged = Vec::with_capacity(looped.length);
        for mv in moves_of(game, looped) {
            let before = position.without_past();
            let effect = classify(&before, mv, self.rules);
            let ply = looped.start_ply + judged.len();
            judged.push(Judged { mv, side: position.side(), ply, before, effect });
            position.make(mv);
        }
        judged
    }

    fn sentence(
        &self,
        game: &Position,
        looped: Loop,
        moves: Vec<Judged>,
        conduct: [Conduct; 2],
        ruling: Ruling,
    ) -> Judgement {
        let rules = self.rules;
        let mut judgement = Judgement {
            rules,
            status: Status::Final,
            verdict: Some(ruling.outcome),
            must_change: None,
            clause: ruling.clause,
            looped: Some(looped),
            conduct,
            moves,
        };
        let mut final_after = ruling.final_after;
        match ruling.outcome {
            Outcome::Win(side) => judgement.must_change = Some(!side),
            Outcome::Draw if is_opening(game, ripe_at(game, looped), rules) => {
                // A drawn loop within the first rounds has to be broken by Red.
                judgement.must_change = Some(Side::Red);
                judgement.verdict = Some(Outcome::Win(Side::Black));
                judgement.clause = OPENING_CLAUSE;
                final_after = RIPE + 1;
            }
            Outcome::Draw => {}
        }
        judgement.status = match looped.count {
            count if count < RIPE => Status::None,
            count if count < final_after => Status::Pending,
            _ => Status::Final,
        };
        judgement
    }
}

const OPENING_CLAUSE: &str = "CXA 2020 3.3 (25 rounds)";

/// Whether the rule for the first rounds applies to a loop that was ripe after `plies` plies of the record. Only a
/// game has first rounds: a record from the start position, or from one whose FEN counts enough rounds for all that
/// was taken, as that of a client that leaves out what came before the last capture. Others may be any study.
pub(super) fn is_opening(game: &Position, plies: usize, rules: &Ruleset) -> bool {
    let now = 2 * (game.fullmove() as usize).saturating_sub(1) + game.side().index();
    let before_record = now.saturating_sub(game.plies());
    let early = |rounds: u32| (before_record + plies).div_ceil(2) <= rounds as usize;
    rules.opening_rounds.is_some_and(early) && (started_at_home(game) || is_of_a_game(game, before_record))
}

/// Whether so many plies are likely to have led from the start position to a position with these pieces. A study may
/// have been played on for a few plies, and games seldom lose a piece more often than every second ply.
fn is_of_a_game(game: &Position, plies: usize) -> bool {
    const PIECES: usize = 32;
    const PLAYED_ON: usize = 8;
    let taken = PIECES.saturating_sub(game.occupied().len() as usize);
    plies >= PLAYED_ON + 2 * taken
}

/// The ply after which the loop had been played often enough for a ruling.
fn ripe_at(game: &Position, looped: Loop) -> usize {
    let since = looped.count.saturating_sub(RIPE) as usize;
    game.plies().saturating_sub(since * looped.length)
}

fn started_at_home(game: &Position) -> bool {
    game.key_before(game.plies()) == Some(Position::startpos().key())
}

/// What a side did over the loop, for both sides.
pub(super) fn conducts(rules: &Ruleset, moves: &[Judged]) -> [Conduct; 2] {
    let plies: Vec<(Side, Move, &Effect)> =
        moves.iter().map(|judged| (judged.side, judged.mv, &judged.effect)).collect();
    conducts_of(rules, &plies)
}

/// As [`conducts`], of bare plies.
pub(super) fn conducts_of(rules: &Ruleset, plies: &[(Side, Move, &Effect)]) -> [Conduct; 2] {
    match rules.reading {
        Reading::ChecksOnly => Side::ALL.map(|side| checking(plies, side)),
        Reading::Contact => Side::ALL.map(|side| pursuing(plies, side)),
        Reading::Gain => {
            let plain = Side::ALL.map(|side| attacking(rules, plies, side, false));
            if !rules.pawns_chase_in_mutual_attack {
                return plain;
            }
            // Pawns count for a side whose opponent attacks all along.
            let with_pawns = Side::ALL.map(|side| attacking(rules, plies, side, true));
            match plain.map(|conduct| conduct > Conduct::Allowed) {
                [true, false] => [plain[0], with_pawns[1]],
                [false, true] => [with_pawns[0], plain[1]],
                [true, true] => plain,
                [false, false] if with_pawns.iter().all(|&conduct| conduct > Conduct::Allowed) => with_pawns,
                [false, false] => plain,
            }
        }
    }
}

fn own<'a>(plies: &'a [(Side, Move, &'a Effect)], side: Side) -> impl Iterator<Item = &'a Effect> + 'a {
    plies.iter().filter(move |ply| ply.0 == side).map(|ply| ply.2)
}

fn checking(plies: &[(Side, Move, &Effect)], side: Side) -> Conduct {
    if own(plies, side).all(|effect| effect.class == Class::Check) {
        Conduct::PerpetualCheck
    } else {
        Conduct::Allowed
    }
}

/// The Chinese reading: every move an attack; one of the lesser grade puts the loop in the lesser grade.
fn attacking(rules: &Ruleset, plies: &[(Side, Move, &Effect)], side: Side, pawns: bool) -> Conduct {
    if checking(plies, side) == Conduct::PerpetualCheck {
        return Conduct::PerpetualCheck;
    }
    if !own(plies, side).all(|effect| effect.class.is_attack() || pawns && effect.pawn_attack) {
        return Conduct::Allowed;
    }
    if rules.grade(Conduct::LesserAttack).is_some() && own(plies, side).any(Effect::is_lesser) {
        Conduct::LesserAttack
    } else {
        Conduct::Attack
    }
}

/// The Asian reading: one and the same piece newly attacked by every move. Two that every move attacks are no
/// chase, for several victims are allowed (para. 32).
fn pursuing(plies: &[(Side, Move, &Effect)], side: Side) -> Conduct {
    if checking(plies, side) == Conduct::PerpetualCheck {
        return Conduct::PerpetualCheck;
    }
    let mut names = Names::at_start();
    let (mut chased, mut frozen) = (Bitboard::ALL, true);
    for (mover, mv, effect) in plies {
        names.follow(*mv);
        if *mover == side {
            chased &= names.of(effect.victims);
            frozen &= !effect.frozen.is_empty();
        }
    }
    match (chased.len() == 1, frozen) {
        (false, _) => Conduct::Allowed,
        (true, true) => Conduct::FrozenRook,
        (true, false) => Conduct::Attack,
    }
}

/// What a ruleset makes of two conducts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ruling {
    pub outcome: Outcome,
    pub clause: &'static str,
    pub final_after: u32,
}

impl Ruling {
    /// The graver conduct loses; equal conduct draws.
    pub fn of(rules: &'static Ruleset, conduct: [Conduct; 2]) -> Ruling {
        let [red, black] = conduct.map(|conduct| rules.weight(conduct));
        let (loser, offence) = match red.cmp(&black) {
            std::cmp::Ordering::Greater => (Side::Red, conduct[0]),
            std::cmp::Ordering::Less => (Side::Black, conduct[1]),
            std::cmp::Ordering::Equal => {
                let final_after = RIPE;
                let clause = rules.draw_clauses[usize::from(red > 0)];
                return Ruling { outcome: Outcome::Draw, clause, final_after };
            }
        };
        let grade = rules.grade(offence);
        Ruling {
            outcome: Outcome::Win(!loser),
            clause: grade.map_or("", |grade| grade.clause),
            final_after: grade.map_or(RIPE, |grade| grade.final_after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ALWAYSDRAW, ASIAN, CHECKBAN, CXA1999};
    use super::*;
    use Conduct::{Allowed, Attack, FrozenRook, LesserAttack, PerpetualCheck};

    /// The conducts of a book, lightest first, each heavier than the one before: the tables of verdicts.
    const TABLES: [(&Ruleset, &[Conduct]); 5] = [
        (&CXA2020, &[Allowed, LesserAttack, Attack, PerpetualCheck]),
        (&CXA1999, &[Allowed, Attack, PerpetualCheck]),
        (&ASIAN, &[Allowed, Attack, FrozenRook, PerpetualCheck]),
        (&CHECKBAN, &[Allowed, PerpetualCheck]),
        (&ALWAYSDRAW, &[Allowed]),
    ];

    #[test]
    fn the_graver_conduct_loses_and_equal_ones_draw() {
        for (rules, conducts) in TABLES {
            for (i, &red) in conducts.iter().enumerate() {
                for (j, &black) in conducts.iter().enumerate() {
                    let wanted = match i.cmp(&j) {
                        std::cmp::Ordering::Less => Outcome::Win(Side::Red),
                        std::cmp::Ordering::Equal => Outcome::Draw,
                        std::cmp::Ordering::Greater => Outcome::Win(Side::Black),
                    };
                    let ruling = Ruling::of(rules, [red, black]);
                    assert_eq!(ruling.outcome, wanted, "{rules}: {red:?} against {black:?}");
                    assert!(!ruling.clause.is_empty());
                }
            }
        }
    }
}
