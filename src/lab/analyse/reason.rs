//! Why a move was bad, in the few cases in which that is plain from the answer to it.

use juzhong_engine::score::{Score, Value};
use xiangqi::board::Position;
use xiangqi::types::{Kind, Move, Piece};

/// What a bad move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MistakeReason {
    /// The opponent mates in this many moves.
    AllowsMate(i32),
    /// The opponent wins this piece.
    Loses(Piece),
}

/// Plies of an exchange that are looked at.
const EXCHANGE: usize = 6;

impl MistakeReason {
    /// The reason why a move was bad. `line` begins with the move and continues with the answer; the scores before and
    /// after the move are those of the side that made it.
    pub fn of(
        before: &Position,
        line: &[Move],
        score_before: Value,
        score_after: Value,
    ) -> Option<MistakeReason> {
        match (Score::from(score_before), Score::from(score_after)) {
            (Score::Mate(moves), Score::Mate(_)) if moves < 0 => None,
            (_, Score::Mate(moves)) if moves < 0 => Some(MistakeReason::AllowsMate(-moves)),
            _ => lost_piece(before, line).map(MistakeReason::Loses),
        }
    }
}

/// The worth of a piece in pawns, for the balance of an exchange.
fn worth(kind: Kind) -> f64 {
    match kind {
        Kind::King => 100.0,
        Kind::Rook => 9.0,
        Kind::Cannon => 4.5,
        Kind::Horse => 4.0,
        Kind::Advisor | Kind::Elephant => 2.0,
        Kind::Pawn => 1.0,
    }
}

/// The piece that the exchange right after a move costs the side that made it, if it costs one.
fn lost_piece(before: &Position, line: &[Move]) -> Option<Piece> {
    let side = before.side();
    let mut position = before.clone();
    let mut balance = 0.0;
    let mut lost: Option<Piece> = None;
    for (ply, &mv) in line.iter().take(1 + EXCHANGE).enumerate() {
        let taken = position.piece_on(mv.to());
        match taken {
            Some(piece) if piece.side() == side => {
                balance -= worth(piece.kind());
                lost = lost
                    .into_iter()
                    .chain([piece])
                    .max_by(|a, b| worth(a.kind()).total_cmp(&worth(b.kind())));
            }
            Some(piece) => balance += worth(piece.kind()),
            // The exchange is over with the first quiet move behind the one that was played.
            None if ply > 0 => break,
            None => {}
        }
        position.play(mv).ok()?;
    }
    let lost = lost?;
    // A pawn is no reason, and a piece that was paid for is not lost.
    (-balance >= worth(lost.kind()) - 1.0 && worth(lost.kind()) > 1.0).then_some(lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use juzhong_engine::score::mated_in;
    use xiangqi::types::Side;

    fn reason(fen: &str, line: &str) -> Option<MistakeReason> {
        let line: Vec<Move> = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        MistakeReason::of(&Position::from_fen(fen).unwrap(), &line, 0, -300)
    }

    const ROOKS: &str = "3k5/9/9/r8/9/9/n8/9/R8/4K4 w";

    #[test]
    fn a_piece_is_lost_if_it_is_not_paid_for() {
        let hanging = "3k5/9/9/r8/9/9/9/9/R8/4K4 w";
        let Some(MistakeReason::Loses(piece)) = reason(hanging, "a1a4 a6a4") else { panic!("nothing lost") };
        assert_eq!((piece.kind(), piece.side()), (Kind::Rook, Side::Red));
        // A rook that took a horse was paid for in part, an exchange of rooks costs nothing, a quiet answer takes nothing.
        assert_eq!(reason(ROOKS, "a1a3 a6a3"), None);
        assert_eq!(reason("3k5/9/9/r8/9/9/9/9/9/R3K4 w", "a0a6 d9d8"), None);
        assert_eq!(reason(ROOKS, "a1b1 a6a5 b1b2 a3b1"), None);
    }

    #[test]
    fn a_mate_is_allowed_once() {
        let start = Position::startpos();
        assert_eq!(MistakeReason::of(&start, &[], 0, mated_in(6)), Some(MistakeReason::AllowsMate(3)));
        assert_eq!(MistakeReason::of(&start, &[], mated_in(8), mated_in(6)), None);
    }
}
