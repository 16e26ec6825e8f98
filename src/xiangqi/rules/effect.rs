//! The effect of one move: its class, and what proves it.

use crate::types::{Bitboard, Move, Square};

/// The classes of a move, heaviest first (从重裁处, CXA 26.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
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

impl Class {
    /// All classes, heaviest first.
    pub const ALL: [Class; 8] = [
        Class::Check,
        Class::Kill,
        Class::Chase,
        Class::Exchange,
        Class::Offer,
        Class::Block,
        Class::Follow,
        Class::Idle,
    ];

    /// The word used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Check => "check",
            Class::Kill => "kill",
            Class::Chase => "chase",
            Class::Exchange => "exchange",
            Class::Offer => "offer",
            Class::Block => "block",
            Class::Follow => "follow",
            Class::Idle => "idle",
        }
    }

    /// The rule book's character.
    pub const fn hanzi(self) -> char {
        match self {
            Class::Check => '将',
            Class::Kill => '杀',
            Class::Chase => '捉',
            Class::Exchange => '兑',
            Class::Offer => '献',
            Class::Block => '拦',
            Class::Follow => '跟',
            Class::Idle => '闲',
        }
    }

    /// Check, kill and chase are attacks (打); the rest are all idle in a verdict.
    pub const fn is_attack(self) -> bool {
        matches!(self, Class::Check | Class::Kill | Class::Chase)
    }
}

/// How a chased piece is protected (24.15, 24.16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
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
    pub root: Option<Root>,
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
    pub class: Class,
    /// The other classes that fit, heaviest first.
    pub also: Vec<Class>,
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
    pub(super) fn new(class: Class, evidence: Evidence) -> Effect {
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
