//! Positions that no game can reach: refused if they cannot be played, else played with one remark.

use super::*;

/// `refused-fen-go`: what a puzzle program sent, with a black pawn on its own back rank.
const PUZZLE: &str = "3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w - - 0 1";

#[test]
fn what_can_be_played_is_played_with_one_remark() {
    for mut client in [Client::ucci(), Client::uci()] {
        for fen in
            [PUZZLE, "3k5/9/9/2B6/9/9/9/9/9/4K4 w - - 0 1", "3k5/4a4/9/9/9/9/PPPPPP3/9/3A5/4K4 w - - 0 1"]
        {
            client.send("position startpos");
            client.send(&format!("position fen {fen}"));
            let notes = client.settle();
            assert_eq!(notes.len(), 1, "{fen}: {notes:?}");
            assert!(notes[0].contains("no game leads to this position"), "{notes:?}");
            client.send("go depth 5");
            let mv = client.best_move();
            let (position, _) = Position::from_composed_fen(fen).unwrap();
            assert!(position.legal_moves().contains(&mv), "{fen}: {mv}");
            assert_eq!(client.fen(), position.to_fen());
        }
    }
}

#[test]
fn a_refused_position_has_no_move() {
    for (mut client, answer) in [(Client::ucci(), "nobestmove"), (Client::uci(), "bestmove (none)")] {
        for fen in [
            "3k5/9/9/9/9/9/9/9/9/3KK4 w",
            "4k4/9/9/9/9/9/9/9/4R4/3K5 w",
            "4k4/9/9/9/9/9/9/9/9 w",
            "3k5/9/9/9/9/9/RRRRRRRRR/9/9/4K4 w",
        ] {
            client.send("position startpos");
            client.send(&format!("position fen {fen}"));
            client.until("info ");
            client.send("go depth 5");
            let lines = client.answer();
            assert_eq!(lines.last().unwrap(), answer, "{fen}");
            assert!(lines[0].contains("there is no position"), "{lines:?}");
            client.send_all(&["position startpos", "go depth 2"]);
            client.best_move();
        }
    }
}

/// Random boards with pieces anywhere: nothing panics, and each move is legal.
#[test]
fn random_boards_are_played_or_refused() {
    let mut client = Client::uci();
    client.send_all(&["setoption name Hash value 1", "setoption name UCI_ShowWDL value true"]);
    let mut state = 20_261_201_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mut played, mut composed) = (0, 0);
    for _ in 0..300 {
        let mut board = [['1'; 9]; 10];
        board[9][3 + random(3) as usize] = 'K';
        board[0][3 + random(3) as usize] = 'k';
        for _ in 0..1 + random(14) {
            let (rank, file) = (random(10) as usize, random(9) as usize);
            if board[rank][file] == '1' {
                let letters: Vec<char> = "AABBPPNRCaabbppnrc".chars().collect();
                board[rank][file] = letters[random(letters.len() as u64) as usize];
            }
        }
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        let fen = format!("{} {} - - 0 1", ranks.join("/"), if random(2) == 0 { "w" } else { "b" });
        client.send_all(&[&format!("position fen {fen}"), "go depth 4"]);
        let answer = client.answer().pop().unwrap();
        match Position::from_composed_fen(&fen) {
            Ok((position, breach)) => {
                played += 1;
                composed += usize::from(breach.is_some());
                match moved(&answer) {
                    Some(mv) => assert!(position.legal_moves().contains(&mv), "{fen}: {answer}"),
                    None => assert!(!position.has_legal_move(), "{fen}: {answer}"),
                }
            }
            Err(_) => assert_eq!(answer, "bestmove (none)", "{fen}"),
        }
    }
    assert!(played > 100 && composed > 50, "{played} played, {composed} of them composed");
}
