//! The effect of one move: its class, and what proves it.

use crate::types::{Bitboard, Move, Square};

/// The classes of a move, heaviest first (从重裁处, CXA 26.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveClass {
    /// 将: attacks the general (24.1).
    Check,
    /// 杀: threatens mate next move by one check or by consecutive checks (24.2).
    Kill,
    /// 捉: threatens to win a piece next move (24.3; Asian para. 15).
    Chase,
    /// 兑: offers an even exchange of like pieces (24.4).
    Exchange,
    /// 献: moves into capture (24.5).
    Offer,
    /// 拦: obstructs (24.6).
    Block,
    /// 跟: sticks to a protected piece (24.7).
    Follow,
    /// 闲: anything else (24.8).
    Idle,
}

impl MoveClass {
    /// All classes, heaviest first.
    pub const ALL: [MoveClass; 8] = [
        MoveClass::Check,
        MoveClass::Kill,
        MoveClass::Chase,
        MoveClass::Exchange,
        MoveClass::Offer,
        MoveClass::Block,
        MoveClass::Follow,
        MoveClass::Idle,
    ];

    /// The word used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Check => "check",
            MoveClass::Kill => "kill",
            MoveClass::Chase => "chase",
            MoveClass::Exchange => "exchange",
            MoveClass::Offer => "offer",
            MoveClass::Block => "block",
            MoveClass::Follow => "follow",
            MoveClass::Idle => "idle",
        }
    }

    /// The rule book's character.
    pub const fn hanzi(self) -> char {
        match self {
            MoveClass::Check => '将',
            MoveClass::Kill => '杀',
            MoveClass::Chase => '捉',
            MoveClass::Exchange => '兑',
            MoveClass::Offer => '献',
            MoveClass::Block => '拦',
            MoveClass::Follow => '跟',
            MoveClass::Idle => '闲',
        }
    }

    /// Check, kill and chase are attacks (打); the rest are all idle in a verdict.
    pub const fn is_attack(self) -> bool {
        matches!(self, MoveClass::Check | MoveClass::Kill | MoveClass::Chase)
    }
}

/// How a chased piece is protected (24.15, 24.16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// 无根: nothing can retake.
    Unprotected,
    /// 假根: the piece on this square seems to protect, but may not retake.
    False(Square),
    /// 少根 or a cheaper attacker: this piece retakes, and the exchange wins all the same.
    Insufficient(Square),
}

/// A threat to win a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chase {
    /// The piece that would move next.
    pub attacker: Square,
    /// The piece it takes; `None` if it wins by a check first.
    pub victim: Option<Square>,
    /// How the victim is protected; `None` without a direct victim.
    pub protection: Option<Protection>,
    /// The winning line on the passed board, the attacker's move first.
    pub line: Vec<Move>,
    /// The chase needs a partner, or its victim is only under-protected (24.17, 26.9).
    pub lesser: bool,
}

/// What proves the class of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing to show.
    None,
    /// The pieces that give check.
    Checkers(Bitboard),
    /// The mate that was threatened, on the passed board.
    Mate(Vec<Move>),
    /// What could be won.
    Chase(Chase),
    /// The pieces in exchange contact: the mover's and the other side's.
    Contact(Square, Square),
    /// The piece that may take the offered one.
    Offer(Square),
    /// The piece that is obstructed.
    Block(Square),
    /// The protected piece that is followed, and its protector.
    Follow(Square, Square),
    /// A general's answer to check is idle whatever it threatens (26.1(2)).
    KingReply,
}

/// The effect of one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The heaviest class.
    pub class: MoveClass,
    /// The other classes that fit, heaviest first.
    pub also: Vec<MoveClass>,
    /// What proves the class.
    pub evidence: Evidence,
    /// Chased pieces, by where they stand after the move.
    pub victims: Bitboard,
    /// Those of them that are rooks frozen by a horse (Asian para. 19).
    pub frozen: Bitboard,
    /// A pawn newly attacks a piece: a chase while both sides attack, under rulesets that say so.
    pub pawn_attack: bool,
}

impl Effect {
    /// An effect with this class and evidence and nothing beside.
    pub(super) fn new(class: MoveClass, evidence: Evidence) -> Effect {
        Effect {
            class,
            also: Vec::new(),
            evidence,
            victims: Bitboard::EMPTY,
            frozen: Bitboard::EMPTY,
            pawn_attack: false,
        }
    }

    /// Whether the attack is of the lighter grade of 26.9.
    pub fn is_lesser(&self) -> bool {
        matches!(&self.evidence, Evidence::Chase(chase) if chase.lesser)
    }
}
