//! Small cases of our own on which an earlier arbiter was wrong, each argued from the text of a clause.

use super::corpus::{Turn, word};
use serde::Deserialize;
use xiangqi::board::Position;
use xiangqi::rules::{Arbiter, Ruleset, Ruling, VerdictStatus};

#[derive(Deserialize)]
struct Case {
    id: String,
    rules: String,
    fen: String,
    moves: String,
    expected: String,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../data/rulings-2.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("a case a line")).collect()
}

impl Case {
    fn game(&self) -> Position {
        let mut game = Position::from_fen(&self.fen).unwrap();
        for mv in self.moves.split(' ') {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    /// Whether the ruling is what the case expects: a verdict, a status, or the class of one ply. `None` if the
    /// case is about the search.
    fn is_met(&self, game: &Position) -> Option<bool> {
        let ruling = Arbiter::new(Ruleset::named(&self.rules).unwrap()).judge(game);
        let expected = self.expected.as_str();
        if let Some(ply) = expected.strip_prefix("ply ") {
            let index: usize = ply[..1].parse().unwrap();
            let class = ply.split(": ").nth(1).unwrap().split([' ', ';']).next().unwrap();
            return Some(ruling.moves[index].effect.class.name() == class);
        }
        let status = [VerdictStatus::None, VerdictStatus::Pending, VerdictStatus::Final]
            .into_iter()
            .find(|status| expected.contains(&format!("status {}", xiangqi::explain::status_name(*status))));
        let verdict =
            ["red_wins", "black_wins", "draw"].into_iter().find(|verdict| expected.starts_with(verdict));
        (status.is_some() || verdict.is_some()).then(|| {
            status.is_none_or(|status| ruling.status() == status)
                && verdict.is_none_or(|verdict| word(ruling.outcome()) == verdict)
        })
    }
}

/// The cases that are still wrong; what each asks for stands in its `clause`.
const STILL_WRONG: [&str; 7] = [
    "joint-by-pin",
    "lone-rook-no-key-square",
    "lone-rook-against-more-wood",
    "four-captures-on-a-square",
    "capture-now-uncovers-a-rook",
    "block-lifts-a-mate",
    "kill-by-block",
];

#[test]
fn the_text_decides_small_cases() {
    let (mut wrong, mut about_search) = (Vec::new(), 0);
    for case in cases() {
        match case.is_met(&case.game()) {
            Some(true) => {}
            Some(false) => wrong.push(case.id.clone()),
            None => about_search += 1,
        }
    }
    assert_eq!(wrong, STILL_WRONG);
    assert_eq!(about_search, 2, "these are tried among the pending rulings");
}

#[test]
fn so_it_does_mirrored() {
    let classes = |ruling: &Ruling| ruling.moves.iter().map(|ply| ply.effect.class).collect::<Vec<_>>();
    for case in cases() {
        let arbiter = Arbiter::new(Ruleset::named(&case.rules).unwrap());
        let (game, mirrored) = (case.game(), Turn::Mirror.game(&case.game()));
        let (plain, mirrored) = (arbiter.judge(&game), arbiter.judge(&mirrored));
        assert_eq!(classes(&plain), classes(&mirrored), "{}", case.id);
        assert_eq!((plain.outcome(), plain.status()), (mirrored.outcome(), mirrored.status()), "{}", case.id);
    }
}
