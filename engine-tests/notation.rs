//! Text to move to text, in every notation, over the moves of real games and of crowded boards.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use xiangqi::board::Position;
use xiangqi::notation::chinese::{ChineseStyle, Digits};
use xiangqi::notation::{self, Notation};
use xiangqi::types::{Kind, Move, Piece, Side, Square};

const SAMPLE: &str = include_str!("data/games.iccs");

const NOTATIONS: [Notation; 7] = [
    Notation::Coordinates,
    Notation::Iccs,
    Notation::Wxf,
    Notation::Chinese(ChineseStyle::SIMPLIFIED),
    Notation::Chinese(ChineseStyle::TRADITIONAL),
    Notation::Chinese(ChineseStyle { digits: Digits::HalfWidth, ..ChineseStyle::SIMPLIFIED }),
    Notation::Chinese(ChineseStyle::SHORT),
];

/// Writes `mv` in every notation and reads it back.
fn round_trip(position: &Position, mv: Move) {
    for notation in NOTATIONS {
        let text = notation::write(position, mv, notation);
        assert_eq!(notation::read(position, &text), Ok(mv), "{text} for {mv} in {}", position.to_fen());
    }
}

/// Checks that no two legal moves are written alike.
fn all_different(position: &Position) {
    for notation in NOTATIONS {
        let mut seen = HashMap::new();
        for &mv in position.legal_moves().iter() {
            let text = notation::write(position, mv, notation);
            let twin = seen.insert(text, mv);
            assert_eq!(twin, None, "{mv} is written like {twin:?} in {}", position.to_fen());
        }
    }
}

/// Plays every game of the corpus text and returns how many games and moves there were.
fn play_all(games: &str, mut visit: impl FnMut(&Position, Move)) -> (usize, usize) {
    let (mut count, mut moves) = (0, 0);
    for game in games.lines() {
        let (_, record) = game.split_once('\t').expect("a result, a tab and moves");
        let mut position = Position::startpos();
        for text in record.split_whitespace() {
            let mv: Move = text.parse().expect("coordinates");
            visit(&position, mv);
            position.play(mv).expect("a legal move");
            moves += 1;
        }
        count += 1;
    }
    (count, moves)
}

#[test]
fn sample_games_round_trip() {
    let (games, moves) = play_all(SAMPLE, |position, mv| {
        round_trip(position, mv);
        // Every third position is enough here; the crowded boards below are the hard ones.
        if position.plies() % 3 == 0 {
            all_different(position);
        }
    });
    assert!(games >= 250 && moves >= 20_000, "{games} games, {moves} moves");
}

/// The Chinese text that Python's cchess gives for some of the games: the number of the game, a tab, the moves.
#[test]
fn another_program_writes_the_same_chinese() {
    let games: Vec<_> = SAMPLE.lines().collect();
    let mut compared = 0;
    for line in include_str!("data/chinese.txt").lines() {
        let (number, texts) = line.split_once('\t').expect("a number, a tab and moves");
        let game = games[number.parse::<usize>().expect("a number") - 1];
        let mut texts = texts.split(' ');
        play_all(game, |position, mv| {
            let ours = notation::write(position, mv, Notation::Chinese(ChineseStyle::SIMPLIFIED));
            assert_eq!(Some(ours.as_str()), texts.next(), "{mv} in {}", position.to_fen());
            compared += 1;
        });
        assert_eq!(texts.next(), None);
    }
    assert!(compared > 1_000, "{compared} moves");
}

/// The same for a whole collection: `JUZHONG_GAMES` names a file with a result, a tab and the moves in
/// coordinates on each line.
#[test]
#[ignore = "needs the file that JUZHONG_GAMES names"]
fn a_whole_collection_round_trips() {
    let path = std::env::var("JUZHONG_GAMES").expect("JUZHONG_GAMES names a collection of games");
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let (games, moves) = play_all(&text, round_trip);
    assert!(games >= 10_000, "{games} games, {moves} moves");
}

/// A board with all five pawns of the side to move, crowded on a few files beyond the river, and a rook,
/// a cannon and a horse of each side.
fn crowded() -> impl Strategy<Value = Position> {
    let squares = proptest::sample::subsequence((0..90).collect::<Vec<usize>>(), 6);
    let pawns = proptest::collection::btree_set((0..3u8, 5..10u8), 5);
    let files = proptest::sample::subsequence((0..9u8).collect::<Vec<_>>(), 3).prop_shuffle();
    (squares, pawns, files, any::<bool>()).prop_filter_map(
        "a legal position",
        |(squares, pawns, files, red)| {
            let side = if red { Side::Red } else { Side::Black };
            let seen = |square: Square| if red { square } else { square.flipped() };
            let mut board: HashMap<Square, Piece> = HashMap::new();
            let kinds = [Kind::Rook, Kind::Cannon, Kind::Horse];
            let others = kinds.iter().flat_map(|&kind| [Piece::new(side, kind), Piece::new(!side, kind)]);
            board.extend(squares.iter().filter_map(|&index| Square::from_index(index)).zip(others));
            for (file, rank) in pawns {
                board
                    .insert(seen(Square::new(files[usize::from(file)], rank)?), Piece::new(side, Kind::Pawn));
            }
            board.insert(seen(Square::new(3, 0)?), Piece::new(side, Kind::King));
            board.insert(seen(Square::new(5, 9)?), Piece::new(!side, Kind::King));
            Position::from_fen(&fen(&board, side)).ok()
        },
    )
}

fn fen(board: &HashMap<Square, Piece>, side: Side) -> String {
    let letter = |file, rank| {
        let piece = Square::new(file, rank).and_then(|square| board.get(&square));
        piece.map_or('1', |piece| piece.letter())
    };
    let rank = |rank| (0..9).map(|file| letter(file, rank)).collect::<String>();
    let ranks: Vec<String> = (0..10).rev().map(rank).collect();
    format!("{} {}", ranks.join("/"), side.letter())
}

/// Writes every pawn's move of `cases` crowded boards in WXF and in Chinese, reads it back, and checks that no two
/// are written alike.
fn tandem_pawns_round_trip(cases: u32) {
    // Boards on which somebody stands in check at the wrong time are thrown away.
    let config = ProptestConfig {
        max_local_rejects: u32::MAX,
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    };
    let mut runner = TestRunner::new(config);
    let notations = [Notation::Wxf, Notation::Chinese(ChineseStyle::SIMPLIFIED)];
    let outcome = runner.run(&crowded(), |position| {
        let is_pawn =
            |mv: &Move| position.piece_on(mv.from()).is_some_and(|piece| piece.kind() == Kind::Pawn);
        let moves: Vec<Move> = position.legal_moves().iter().copied().filter(is_pawn).collect();
        for notation in notations {
            let mut seen = HashMap::new();
            for &mv in &moves {
                let text = notation::write(&position, mv, notation);
                prop_assert_eq!(
                    notation::read(&position, &text),
                    Ok(mv),
                    "{} in {}",
                    text,
                    position.to_fen()
                );
                prop_assert_eq!(seen.insert(text, mv), None, "{} in {}", mv, position.to_fen());
            }
        }
        Ok(())
    });
    outcome.expect("every move of a pawn has a text of its own");
}

#[test]
fn some_thousand_boards_with_tandem_pawns_round_trip() {
    tandem_pawns_round_trip(4_000);
}

#[test]
#[ignore = "takes some minutes"]
fn a_million_boards_with_tandem_pawns_round_trip() {
    tandem_pawns_round_trip(1_000_000);
}

proptest! {
    #[test]
    fn crowded_pawns_round_trip(position in crowded()) {
        all_different(&position);
        for &mv in position.legal_moves().iter() {
            round_trip(&position, mv);
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[a-iA-I0-9HRCPxX+=.炮马車兵卒前中后一二三四五進退平 ２-]{0,7}|.{0,8}") {
        let position = Position::startpos();
        for read in [notation::read, notation::chinese::read, notation::wxf::read, notation::iccs::read] {
            match read(&position, &text) {
                Ok(mv) => prop_assert!(position.legal_moves().contains(&mv)),
                Err(error) => prop_assert!(error.column <= text.chars().count() + 1, "{error}"),
            }
        }
    }
}
