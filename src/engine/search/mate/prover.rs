//! The two kinds of nodes: one mating move is enough for the attacker, one way out for the defender.

use super::super::report::Refuted;
use super::Problem;
use super::allowance::Allowance;
use super::escapes::Escapes;
use super::table::ProofTable;
use super::waiting::has_spare_moves;
use xiangqi::board::Position;
use xiangqi::types::{Move, MoveList, Square};

/// The number of nodes between two looks at the limits, a power of two.
const POLL_NODES: u64 = 1024;

/// The merit of a defender's check: the attacker has few answers, and seldom one that continues the attack.
const CHECK_MERIT: u32 = 200;
/// The merit of a defender's capture, which often removes part of the attack.
const CAPTURE_MERIT: u32 = 50;

/// How often a move, by source and target, has decided a node, weighted by what was left to search there.
struct Merits(Vec<u32>);

impl Merits {
    fn new() -> Merits {
        Merits(vec![0; Square::COUNT * Square::COUNT])
    }

    fn index(mv: Move) -> usize {
        mv.from().index() * Square::COUNT + mv.to().index()
    }

    fn of(&self, mv: Move) -> u32 {
        self.0[Merits::index(mv)]
    }

    fn add(&mut self, mv: Move, allowance: Allowance) {
        let merit = &mut self.0[Merits::index(mv)];
        *merit = merit.saturating_add(u32::from(allowance.moves).pow(2));
    }
}

/// A search for mate by the side to move at its root, the attacker.
pub(super) struct Prover<'a> {
    pub position: Position,
    /// The only moves of the attacker at the root.
    root: &'a [Move],
    table: ProofTable,
    pub escapes: Escapes,
    /// Called now and then; returns whether to stop.
    halt: &'a mut dyn FnMut() -> bool,
    pub nodes: u64,
    most_nodes: u64,
    pub stopped: bool,
    /// Plies of the record at the root.
    start: usize,
    /// The move found to mate at the root.
    pub root_move: Option<Move>,
    /// The merits of the attacker's and of the defender's moves.
    merits: [Merits; 2],
    /// The last way out found, by the attacker's moves left.
    killers: Vec<Option<Move>>,
}

impl<'a> Prover<'a> {
    pub(super) fn new(
        problem: &Problem<'a>,
        escapes: Escapes,
        halt: &'a mut dyn FnMut() -> bool,
    ) -> Prover<'a> {
        Prover {
            position: problem.position.clone(),
            root: problem.root,
            table: ProofTable::new(problem.hash_mb),
            escapes,
            halt,
            nodes: 0,
            most_nodes: problem.nodes,
            stopped: problem.nodes == 0,
            start: problem.position.plies(),
            root_move: None,
            merits: [(); 2].map(|()| Merits::new()),
            killers: vec![None; usize::from(u8::MAX) + 1],
        }
    }

    /// What is certain: `refuted` if everything it covers was searched (`looked_at`).
    pub(super) fn certain(&self, looked_at: bool, refuted: Refuted) -> Refuted {
        if looked_at && !self.escapes.doubtful { refuted } else { Refuted::Nothing }
    }

    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        self.position.make(mv);
        self.nodes += 1;
        self.stopped |=
            self.nodes >= self.most_nodes || self.nodes.is_multiple_of(POLL_NODES) && (self.halt)();
    }

    /// Whether the attacker, to move, mates within the allowance. The result means nothing once the search is stopped.
    pub(super) fn attack(&mut self, allowance: Allowance) -> bool {
        let at_root = self.position.plies() == self.start;
        if self.stopped || !at_root && self.escapes.allow(&self.position) {
            return false;
        }
        if allowance.moves == 1 && !at_root {
            return self.mate_at_once(allowance.quiets > 0).is_some();
        }
        let key = self.escapes.key(&self.position);
        let known = self.table.probe(key);
        if let Some(verdict) = known.verdict(allowance) {
            return verdict;
        }
        let before = self.nodes;
        let mut mating = None;
        for mv in self.attacks(known.mv, allowance) {
            if self.mates(mv, allowance) {
                mating = Some(mv);
                break;
            }
            if self.stopped {
                return false;
            }
        }
        let nodes = self.nodes - before;
        if let Some(mv) = mating {
            self.merits[0].add(mv, allowance);
        }
        self.table.store(key, allowance, mating.is_some(), mating, nodes);
        if at_root {
            self.root_move = mating;
        }
        mating.is_some()
    }

    /// Whether the attacker's move leads to mate within the allowance.
    pub(super) fn mates(&mut self, mv: Move, allowance: Allowance) -> bool {
        let Some(left) = allowance.after(self.position.gives_check(mv)) else { return false };
        self.make(mv);
        let mates = self.defend(left);
        self.position.unmake();
        mates && !self.stopped
    }

    /// The attacker's moves in the order in which they are tried: checks first.
    pub(super) fn attacks(&self, hint: Option<Move>, allowance: Allowance) -> Vec<Move> {
        let legal = self.position.legal_moves();
        let at_root = self.position.plies() == self.start;
        let mut moves: Vec<(bool, bool, u32, Move)> = legal
            .iter()
            .filter(|mv| !at_root || self.root.contains(mv))
            .map(|&mv| (Some(mv) == hint, self.position.gives_check(mv), self.merits[0].of(mv), mv))
            .filter(|&(_, check, ..)| check || allowance.quiets > 0)
            .collect();
        moves.sort_unstable_by(|a, b| b.cmp(a));
        moves.into_iter().map(|(.., mv)| mv).collect()
    }

    /// A move that mates, or stalemates if that is allowed.
    fn mate_at_once(&mut self, stalemate: bool) -> Option<Move> {
        let legal = self.position.legal_moves();
        let mut quiets = MoveList::new();
        for &mv in &*legal {
            if !self.position.gives_check(mv) {
                quiets.push(mv);
            } else if self.ends(mv) {
                return Some(mv);
            }
        }
        if !stalemate || has_spare_moves(&self.position) {
            return None;
        }
        quiets.iter().copied().find(|&mv| self.ends(mv))
    }

    /// Whether the move leaves the defender without a legal move.
    fn ends(&mut self, mv: Move) -> bool {
        if self.stopped {
            return false;
        }
        self.make(mv);
        let ends = !self.position.has_legal_move();
        self.position.unmake();
        ends
    }

    /// Whether the defender, to move, is mated within what is left to the attacker, or has no move already.
    pub(super) fn defend(&mut self, allowance: Allowance) -> bool {
        if allowance.moves == 0 {
            return !self.position.has_legal_move();
        }
        if self.stopped {
            return false;
        }
        if self.escapes.allow(&self.position) {
            return !self.position.has_legal_move();
        }
        let key = self.escapes.key(&self.position);
        let known = self.table.probe(key);
        if let Some(verdict) = known.verdict(allowance) {
            return verdict;
        }
        let before = self.nodes;
        let escape = self.find_escape(known.mv, allowance);
        if self.stopped {
            return false;
        }
        if let Some(mv) = escape {
            self.merits[1].add(mv, allowance);
            self.killers[usize::from(allowance.moves)] = escape;
        }
        let nodes = self.nodes - before;
        self.table.store(key, allowance, escape.is_none(), escape, nodes);
        escape.is_none()
    }

    /// A reply after which there is no mate within the allowance.
    fn find_escape(&mut self, known: Option<Move>, allowance: Allowance) -> Option<Move> {
        let hints =
            [known, self.killers[usize::from(allowance.moves)].filter(|&killer| Some(killer) != known)];
        let mut tried = [None; 2];
        for (hint, tried) in hints.into_iter().flatten().zip(&mut tried) {
            if self.position.is_pseudo_legal(hint) && self.position.is_legal(hint) {
                if self.escapes_by(hint, allowance) {
                    return Some(hint);
                }
                *tried = Some(hint);
            }
        }
        self.replies(allowance)
            .into_iter()
            .filter(|&mv| !tried.contains(&Some(mv)))
            .find(|&mv| self.escapes_by(mv, allowance))
    }

    fn escapes_by(&mut self, mv: Move, allowance: Allowance) -> bool {
        if self.stopped {
            return false;
        }
        self.make(mv);
        let escapes = !self.attack(allowance);
        self.position.unmake();
        escapes && !self.stopped
    }

    /// The defender's moves in the order in which they are tried.
    pub(super) fn replies(&self, allowance: Allowance) -> Vec<Move> {
        let legal = self.position.legal_moves();
        let mut moves: Vec<(u32, Move)> = legal
            .iter()
            .map(|&mv| {
                let check = allowance.moves > 1 && self.position.gives_check(mv);
                let capture = self.position.is_capture(mv);
                let bonus = u32::from(check) * CHECK_MERIT + u32::from(capture) * CAPTURE_MERIT;
                (self.merits[1].of(mv).saturating_add(bonus), mv)
            })
            .collect();
        moves.sort_unstable_by(|a, b| b.cmp(a));
        moves.into_iter().map(|(_, mv)| mv).collect()
    }
}
