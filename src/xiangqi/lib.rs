//! The rules of xiangqi (Chinese chess): legal moves, notation, game records and rulings on repetition.
//!
//! | for | see |
//! | --- | --- |
//! | squares, pieces, sets of squares, moves, results | [`types`] |
//! | positions, legal moves, FEN, attacks, exchanges | [`board`] |
//! | moves in Chinese, WXF and coordinates, PGN and XQF files | [`notation`] |
//! | the end of a game, perpetual check and chase | [`rules`] |
//! | a ruling in words | [`explain`] |
//! | node counts to compare with other programs | [`perft`] |
//! | a position as text | [`diagram`] |
//!
//! # A position from a FEN
//!
//! ```
//! use xiangqi::{Piece, Position, Side};
//!
//! let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1")?;
//! assert_eq!(position.side(), Side::Red);
//! assert_eq!(position.piece_on("e1".parse()?), Some(Piece::RedRook));
//! assert!(Position::from_fen("4k4/9/9/9/9/9/9/9/9/4K4 w").is_err(), "the generals face each other");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Legal moves
//!
//! Generated moves are always legal. A side without any has lost, by mate or by stalemate.
//!
//! ```
//! use xiangqi::Position;
//!
//! let start = Position::startpos();
//! assert_eq!(start.count_legal(), 44);
//! assert!(start.legal_moves().contains(&"h2e2".parse()?));
//!
//! let mated = Position::from_fen("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b")?;
//! assert!(mated.in_check() && !mated.has_legal_move());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Making and unmaking moves
//!
//! [`Position::play`] checks a move from outside; [`Position::make`] is the fast way for a generated one.
//!
//! ```
//! use xiangqi::Position;
//!
//! let mut position = Position::startpos();
//! position.play("h2e2".parse()?)?;
//! assert!(position.play("h2e2".parse()?).is_err(), "the cannon has left h2");
//! for &mv in position.legal_moves().iter() {
//!     position.make(mv);
//!     position.unmake();
//! }
//! assert_eq!(position.plies(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Perft
//!
//! ```
//! use xiangqi::{Position, perft::perft};
//!
//! assert_eq!(perft(&mut Position::startpos(), 3), 79_666);
//! ```
//!
//! # Notation both ways
//!
//! [`notation::read`] takes a move in any notation and returns the legal move it names.
//!
//! ```
//! use xiangqi::Position;
//! use xiangqi::notation::{self, Notation, chinese::ChineseStyle};
//!
//! let position = Position::startpos();
//! let mv = notation::read(&position, "炮二平五")?;
//! assert_eq!(mv, "h2e2".parse()?);
//! assert_eq!(notation::read(&position, "C2=5")?, mv);
//! assert_eq!(notation::write(&position, mv, Notation::Chinese(ChineseStyle::SIMPLIFIED)), "炮二平五");
//! assert_eq!(notation::write(&position, mv, Notation::Wxf), "C2=5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A file of game records
//!
//! [`notation::read_games`] reads the bytes of a PGN or XQF file in any of the usual encodings.
//!
//! ```
//! use xiangqi::{Outcome, Side, notation};
//!
//! let file = "[Red \"Li\"]\n[Black \"Wang\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0\n";
//! let games = notation::read_games(file.as_bytes())?;
//! assert_eq!(games[0].tag("Red"), Some("Li"));
//! assert_eq!(games[0].outcome, Some(Outcome::Win(Side::Red)));
//! assert_eq!(games[0].play_out()?.plies(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A ruling with its explanation
//!
//! An [`Arbiter`](rules::Arbiter) rules on the repetition that the moves of a position ended in, by the rules of the
//! Chinese association of 2020 or 1999 or by the Asian ones.
//!
//! ```
//! use xiangqi::rules::{Arbiter, VerdictStatus};
//! use xiangqi::{Outcome, Position, Side, explain};
//!
//! // Red's rook gives check again and again.
//! let mut game = Position::from_fen("3ak4/9/9/9/9/9/9/4R4/9/3K5 b")?;
//! for _ in 0..4 {
//!     for mv in ["e9f9", "e2f2", "f9e9", "f2e2"] {
//!         game.play(mv.parse()?)?;
//!     }
//! }
//! let ruling = Arbiter::default().judge(&game);
//! assert_eq!(ruling.status(), VerdictStatus::Final);
//! assert_eq!(ruling.outcome(), Some(Outcome::Win(Side::Black)));
//! let text = explain::table(&ruling);
//! assert!(text.contains("perpetual check") && text.contains("长将"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `rayon` shares the first moves of [`perft::divide`] among threads; without it, one thread counts them all.

pub mod board;
pub mod diagram;
pub mod explain;
pub mod notation;
pub mod perft;
pub mod rules;
pub mod types;

pub use board::Position;
pub use types::{Bitboard, Kind, Move, Outcome, Piece, Side, Square};

/// Runs the examples of the README with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
