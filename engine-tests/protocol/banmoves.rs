//! Moves that must not be played (UCCI).

use super::*;

#[test]
fn banned_moves_are_never_played() {
    let mut client = Client::ucci();
    let legal = position(&format!("{START} w"), &[]).legal_moves();
    let mut banned: Vec<Move> = Vec::new();
    // Ban whatever it wants to play, again and again.
    for _ in 0..10 {
        client.send("position startpos");
        let list: Vec<String> = banned.iter().map(Move::to_string).collect();
        client.send(&format!("banmoves {}", list.join(" ")));
        client.send("go depth 2");
        let mv = client.best_move();
        assert!(legal.contains(&mv) && !banned.contains(&mv), "{mv} of {banned:?}");
        banned.push(mv);
    }
}

#[test]
fn a_new_list_replaces_the_old_one_and_a_new_position_ends_it() {
    let mut client = Client::ucci();
    client.send("position startpos");
    let legal = position(&format!("{START} w"), &[]).legal_moves();
    let all_but = |kept: &Move| {
        let list: Vec<String> = legal.iter().filter(|mv| *mv != kept).map(Move::to_string).collect();
        format!("banmoves {}", list.join(" "))
    };
    for kept in [legal[0], legal[legal.len() - 1]] {
        client.send(&all_but(&kept));
        for go in ["go depth 2", "go ponder depth 2"] {
            client.send(go);
            client.send("stop");
            assert_eq!(client.best_move(), kept, "{go}");
            // `stop` may have come when the search was over.
            client.settle();
        }
    }
    // Two programs with nothing in their tables yet.
    let [banned, free] = [&[all_but(&legal[0])][..], &[]].map(|bans| {
        let mut client = Client::ucci();
        client.send("position startpos");
        bans.iter().for_each(|bans| client.send(bans));
        client.send("position startpos");
        client.send("go depth 3");
        client.best_move()
    });
    assert_ne!(free, legal[0], "the move that is left would be played in any case");
    assert_eq!(banned, free, "the position lifted the bans");
}

#[test]
fn all_moves_banned_is_none_banned() {
    let mut client = Client::ucci();
    client.send(&format!("position fen {ONE_REPLY}"));
    client.send("banmoves e9f9");
    client.send("go depth 2");
    assert_eq!(client.best_move().to_string(), "e9f9");
}
