//! The record of a game: its moves, its result and why it ended.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::engine::ReportedScore;
use xiangqi::types::{Move, Outcome, Side};

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Mate (将死).
    Checkmate,
    /// Stalemate (困毙), a loss.
    Stalemate,
    /// A repetition was ruled on.
    Repetition,
    /// The no-capture limit (自然限着).
    NaturalLimit,
    /// Neither side can win with what it has.
    BareDraw,
    /// A draw was offered and accepted.
    Agreement,
    /// A player resigned.
    Resignation,
    /// A draw by the scores of both players.
    DrawAdjudication,
    /// A loss by a player's own scores.
    ResignAdjudication,
    /// The result of an ending by the exact tables.
    TableAdjudication,
    /// The greatest length allowed was reached: a draw.
    MaxMoves,
    /// Three fouls.
    Fouls,
    /// A move that is not legal, or not readable.
    IllegalMove,
    /// No move, though there is one.
    NoMove,
    /// The time was used up.
    TimeForfeit,
    /// The program crashed, or could not be started.
    Crash,
    /// The program closed the connection.
    Disconnect,
    /// The program did not answer at all.
    Hang,
    /// A game that was not played because a player did not appear.
    Forfeit,
}

impl Termination {
    /// The word used in records.
    pub const fn word(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "repetition",
            Termination::NaturalLimit => "natural-limit",
            Termination::BareDraw => "bare-draw",
            Termination::Agreement => "agreement",
            Termination::Resignation => "resignation",
            Termination::DrawAdjudication => "draw-adjudication",
            Termination::ResignAdjudication => "resign-adjudication",
            Termination::TableAdjudication => "table-adjudication",
            Termination::MaxMoves => "max-moves",
            Termination::Fouls => "fouls",
            Termination::IllegalMove => "illegal-move",
            Termination::NoMove => "no-move",
            Termination::TimeForfeit => "time-forfeit",
            Termination::Crash => "crash",
            Termination::Disconnect => "disconnect",
            Termination::Hang => "hang",
            Termination::Forfeit => "forfeit",
        }
    }

    /// Whether the loser's process cannot be used for another game.
    pub const fn breaks_connection(self) -> bool {
        matches!(self, Termination::Crash | Termination::Disconnect | Termination::Hang)
    }

    /// Whether a program's misbehaviour, not its play, lost the game.
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Termination::IllegalMove
                | Termination::NoMove
                | Termination::Crash
                | Termination::Disconnect
                | Termination::Hang
        )
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveRecord {
    /// The move.
    pub mv: Move,
    /// What the player reported; `None` for a move of the opening.
    pub thought: Option<MoveData>,
}

/// What a player reported with its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveData {
    /// Time used.
    pub time: Duration,
    /// Score from the mover's view.
    pub score: Option<ReportedScore>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// FEN of the position that the moves start from.
    pub start: String,
    /// All moves, those of the opening first.
    pub plies: Vec<MoveRecord>,
    /// The result.
    pub outcome: Outcome,
    /// Why it ended.
    pub termination: Termination,
    /// More about the end: the illegal move, the signal, the time over the limit.
    pub detail: String,
    /// Fouls of red and black.
    pub fouls: [u32; 2],
}

impl GameRecord {
    /// Half points of a side: 0, 1 or 2.
    pub fn half_points(&self, side: Side) -> u8 {
        half_points(self.outcome, side)
    }

    /// The side that lost, if any.
    pub fn loser(&self) -> Option<Side> {
        match self.outcome {
            Outcome::Win(side) => Some(!side),
            Outcome::Draw => None,
        }
    }
}

/// Half points of a side from a result: 0, 1 or 2.
pub fn half_points(outcome: Outcome, side: Side) -> u8 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if winner == side => 2,
        Outcome::Win(_) => 0,
    }
}

/// The result as PGN writes it.
pub const fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::Red) => "1-0",
        Outcome::Win(Side::Black) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// The outcome of a PGN result.
pub fn read_result(text: &str) -> Option<Outcome> {
    match text {
        "1-0" => Some(Outcome::Win(Side::Red)),
        "0-1" => Some(Outcome::Win(Side::Black)),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}
