//! Whole games that ended by a ruling.

use super::corpus::word;
use serde::Deserialize;
use xiangqi::board::Position;
use xiangqi::rules::{ASIAN, Arbiter};

#[derive(Deserialize)]
struct Game {
    id: String,
    start_fen: String,
    moves: Vec<String>,
    verdict: String,
    disputed: bool,
    loop_len: usize,
}

/// The contested rulings, and what the Asian rules say.
///
/// `pika28`: Black's cannons chase the rook with every move, but Red's rook newly attacks the unprotected
/// cannon with every move too: both chase one piece, so it is a draw (paragraph 32), as the engine's
/// maintainer answered.
///
/// `pika27`: the cannon's step to i3 is answered by a block, for the horse h5 protects it there; one of
/// Red's two moves chases nothing, and one check of Black's is no perpetual check.
const CONTESTED: [(&str, &str); 2] = [("pika28", "draw"), ("pika27", "draw")];

#[test]
fn whole_games_are_judged_as_stated() {
    for line in include_str!("../data/games-ruled.jsonl").lines() {
        let game: Game = serde_json::from_str(line).unwrap();
        let mut position = Position::from_fen(&game.start_fen).unwrap();
        for mv in &game.moves {
            position.play(mv.parse().unwrap()).unwrap();
        }
        let ruling = Arbiter::new(&ASIAN).judge(&position);
        let contested = CONTESTED.iter().find(|(id, _)| *id == game.id);
        assert_eq!(contested.is_some(), game.disputed, "{}", game.id);
        let wanted = contested.map_or(game.verdict.as_str(), |(_, verdict)| verdict);
        assert_eq!(word(ruling.outcome()), wanted, "{}", game.id);
        let looped = ruling.looped.unwrap();
        assert_eq!((looped.length, looped.start_ply + looped.length), (game.loop_len, game.moves.len()));
    }
}
