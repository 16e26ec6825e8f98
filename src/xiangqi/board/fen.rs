//! Reading and writing FEN: tolerant of how people write it, strict on what it says.

use thiserror::Error;

use super::placement::Board;
use super::position::Position;
use super::setup::{SetupError, check_composed, check_generals};
use crate::types::{Piece, Side, Square};

/// The FEN of the starting position.
pub const STARTPOS: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is no FEN of a legal position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FenError {
    /// There is no text.
    #[error("the FEN is empty")]
    Empty,
    /// The board does not have ten ranks.
    #[error("the board has {0} ranks instead of 10")]
    RankCount(usize),
    /// A rank does not have nine squares.
    #[error("rank {rank} has {files} squares instead of 9")]
    RankLength {
        /// The number of the rank, 9 for the first in the text and 0 for the last.
        rank: usize,
        /// The number of squares it has.
        files: usize,
    },
    /// A character of the board is neither a piece nor a digit from 1 to 9.
    #[error("`{letter}` in rank {rank} is neither a piece nor a count")]
    UnknownLetter {
        /// The character.
        letter: char,
        /// The number of its rank.
        rank: usize,
    },
    /// The word after the board does not name a side.
    #[error("the side to move must be w, r or b, not `{0}`")]
    Side(String),
    /// The pieces are no legal position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Position {
    /// Returns the starting position of the game.
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// assert_eq!(Position::startpos().legal_moves().len(), 44);
    /// ```
    pub fn startpos() -> Position {
        Position::from_fen(STARTPOS).unwrap_or_else(|error| unreachable!("the start position: {error}"))
    }

    /// Reads a FEN: the board, the side to move, the plies without capture and the number of the move.
    ///
    /// Besides the form that [`Position::to_fen`] writes, it accepts `r` for Red, capital letters for the side,
    /// `E` and `H` for elephant and horse, and any text after the side: the two numbers are taken from there where
    /// they can be read, and are 0 and 1 otherwise. A board alone is one with Red to move; an empty pocket `[]`
    /// behind the board and `_` or `%20` for blanks are read as sites print them.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a board and a side, or if the position is not legal.
    ///
    /// ```
    /// use xiangqi::board::{FenError, Position, SetupError};
    ///
    /// let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1")?;
    /// assert_eq!(position.legal_moves().len(), 19);
    ///
    /// let facing = Position::from_fen("4k4/9/9/9/9/9/9/9/9/4K4 w");
    /// assert_eq!(facing.unwrap_err(), FenError::Setup(SetupError::GeneralsFacing));
    /// # Ok::<(), FenError>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        match Position::from_composed_fen(fen)? {
            (position, None) => Ok(position),
            (_, Some(breach)) => Err(breach.into()),
        }
    }

    /// Reads a FEN of any position that can be played, as people compose them: with a pawn behind its own lines, an
    /// elephant across the river or six pawns. Beside the position stands the first such breach, if there is one.
    ///
    /// An advisor or elephant that is not on one of its own points cannot move.
    ///
    /// ```
    /// use xiangqi::board::{FenError, Position, SetupError};
    ///
    /// let (position, breach) = Position::from_composed_fen("3k5/9/9/9/2B6/9/9/9/9/4K4 w")?;
    /// assert_eq!(position.legal_moves().len(), 2); // the general alone: the elephant stands across the river
    /// assert!(matches!(breach, Some(SetupError::Misplaced(..))));
    /// assert!(Position::from_composed_fen("4k4/9/9/9/9/9/9/9/9/9 w").is_err());
    /// # Ok::<(), FenError>(())
    /// ```
    ///
    /// # Errors
    /// Tells the first thing for which the position cannot be played.
    pub fn from_composed_fen(fen: &str) -> Result<(Position, Option<SetupError>), FenError> {
        // Links and file names have `%20` and `_` for the blank.
        let fen = fen.replace("%20", " ").replace('_', " ");
        let mut words = fen.split_whitespace();
        let board = words.next().ok_or(FenError::Empty)?;
        // Sites that also know variants with drops print an empty pocket.
        let pieces = read_board(board.strip_suffix("[]").unwrap_or(board))?;
        let breach = check_composed(&pieces)?;
        let side = match words.next() {
            None | Some("w" | "W" | "r" | "R") => Side::Red,
            Some("b" | "B") => Side::Black,
            Some(other) => return Err(FenError::Side(other.chars().take(16).collect())),
        };
        let mut numbers = words
            .skip_while(|word| word.bytes().all(|byte| byte == b'-'))
            .map_while(|word| word.parse::<u32>().ok())
            .fuse();
        let counted = numbers.next().unwrap_or(0).min(u32::from(u16::MAX)) as u16;
        let fullmove = numbers.next().unwrap_or(1).max(1);
        let board = Board::new(pieces);
        check_generals(&board, side)?;
        Ok((Position::new(board, side, counted, fullmove), breach))
    }

    /// Writes the FEN: the board, `w` or `b`, two dashes, [`Position::quiet_plies`] and [`Position::fullmove`].
    pub fn to_fen(&self) -> String {
        let mut fen = String::with_capacity(80);
        for rank in (0..Square::RANKS).rev() {
            let mut empty = 0;
            for square in (0..Square::FILES).filter_map(|file| Square::new(file, rank)) {
                match self.piece_on(square) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            fen.push_str(&empty.to_string());
                            empty = 0;
                        }
                        fen.push(piece.letter());
                    }
                }
            }
            if empty > 0 {
                fen.push_str(&empty.to_string());
            }
            if rank > 0 {
                fen.push('/');
            }
        }
        format!("{fen} {} - - {} {}", self.side().letter(), self.quiet_plies(), self.fullmove())
    }
}

fn read_board(text: &str) -> Result<Vec<(Square, Piece)>, FenError> {
    let ranks = text.split('/').count();
    if ranks != 10 {
        return Err(FenError::RankCount(ranks));
    }
    let mut pieces = Vec::with_capacity(32);
    for (index, row) in text.split('/').enumerate() {
        let rank = 9 - index;
        let mut file = 0usize;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(count @ 1..=9) => file += count as usize,
                _ => {
                    let piece = Piece::from_letter(letter).ok_or(FenError::UnknownLetter { letter, rank })?;
                    if let Some(square) = u8::try_from(file).ok().and_then(|f| Square::new(f, rank as u8)) {
                        pieces.push((square, piece));
                    }
                    file += 1;
                }
            }
        }
        if file != 9 {
            return Err(FenError::RankLength { rank, files: file });
        }
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Kind;

    fn error(fen: &str) -> FenError {
        Position::from_fen(fen).expect_err(fen)
    }

    #[test]
    fn the_start_position_round_trips() {
        assert_eq!(Position::startpos().to_fen(), STARTPOS);
    }

    #[test]
    fn what_people_write_is_read() {
        let board = STARTPOS.split(' ').next().unwrap();
        let eh = board.replace('N', "H").replace('n', "h").replace('B', "E").replace('b', "e");
        for fen in [
            format!("{board} w"),
            format!("{board} r"),
            format!("{eh} r - - 0 1"),
            format!("{board} w -- 0 1"),
            format!("  {board}   w  -   -  0   1  "),
            format!("{board} w - - 0 1   ;comment - - 7 9"),
            format!("{board} w ;comment"),
            format!("{board} w - - x 5"),
        ] {
            assert_eq!(Position::from_fen(&fen).unwrap().to_fen(), STARTPOS, "{fen}");
        }
        let later = Position::from_fen(&format!("{board} b - - 12 34 ; 5 6")).unwrap();
        assert_eq!(later.to_fen(), format!("{board} b - - 12 34"));
    }

    #[test]
    fn composed_positions_are_played_and_their_breach_is_named() {
        for (fen, piece) in [
            ("3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w - - 0 1", Piece::BlackPawn),
            ("3k5/9/9/2B6/9/9/9/9/9/4K4 w", Piece::RedElephant),
            ("3k5/9/9/9/2B6/9/9/9/9/4K4 w", Piece::RedElephant),
            ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", Piece::RedAdvisor),
            ("3k5/4A4/9/9/9/9/9/9/9/5K3 b", Piece::RedAdvisor),
        ] {
            let (position, breach) = Position::from_composed_fen(fen).unwrap();
            assert!(
                matches!(breach, Some(SetupError::Misplaced(found, _)) if found == piece),
                "{fen}: {breach:?}"
            );
            assert_eq!(Position::from_fen(fen).err(), breach.map(FenError::Setup), "{fen}");
            for &mv in position.legal_moves().iter() {
                let mover = position.piece_on(mv.from()).unwrap();
                assert!(mover.kind() != piece.kind() || piece.kind() == Kind::Pawn, "{fen}: {mv}");
                assert!(position.is_pseudo_legal(mv) && position.is_legal(mv), "{fen}: {mv}");
            }
        }
        let six = "3k5/9/9/9/9/9/PPPPPP3/9/9/4K4 w";
        let (position, breach) = Position::from_composed_fen(six).unwrap();
        assert_eq!(breach, Some(SetupError::TooMany(Piece::RedPawn, 6)));
        assert_eq!(position.legal_moves().len(), 9);
        assert_eq!(Position::from_composed_fen(STARTPOS).unwrap().1, None);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let refused = |fen: &str| Position::from_composed_fen(fen).err().unwrap();
        assert_eq!(refused("3k5/9/9/9/9/9/9/9/9/3KK4 w"), SetupError::Generals(Side::Red, 2).into());
        assert!(matches!(
            refused("9/9/9/3k5/9/9/9/9/9/4K4 w"),
            FenError::Setup(SetupError::Misplaced(Piece::BlackKing, _))
        ));
        assert_eq!(
            refused("3k5/9/9/9/9/9/RRRRRRRRR/9/9/4K4 w"),
            SetupError::TooMany(Piece::RedRook, 9).into()
        );
        let pawns = "3k5/9/9/9/9/PPPPPPPPP/PPPPPPPPP/9/9/4K4 w";
        assert_eq!(refused(pawns), SetupError::TooMany(Piece::RedPawn, 18).into());
        assert_eq!(refused("4k4/9/9/9/9/9/9/9/4R4/3K5 w"), SetupError::OpponentInCheck(Side::Black).into());
    }

    #[test]
    fn nonsense_is_named() {
        assert_eq!(error(""), FenError::Empty);
        assert_eq!(error("4k4/9 w"), FenError::RankCount(2));
        let with = |rank: &str| format!("4k4/9/9/9/9/9/9/{rank}/9/3K5 w");
        assert_eq!(error(&with("8")), FenError::RankLength { rank: 2, files: 8 });
        assert_eq!(error(&with("55")), FenError::RankLength { rank: 2, files: 10 });
        assert_eq!(error(&with("9999999999r")), FenError::RankLength { rank: 2, files: 91 });
        assert_eq!(error(&with("4x4")), FenError::UnknownLetter { letter: 'x', rank: 2 });
        assert_eq!(error(&with("4041")), FenError::UnknownLetter { letter: '0', rank: 2 });
        assert_eq!(error(&with("3K5")), SetupError::Generals(Side::Red, 2).into());
        assert_eq!(error("9/9/9/9/9/9/9/9/9/3K5 w"), SetupError::Generals(Side::Black, 0).into());
        assert_eq!(error(&with("RRR6")), SetupError::TooMany(Piece::RedRook, 3).into());
        assert_eq!(error(&with("P8")), SetupError::Misplaced(Piece::RedPawn, "a2".parse().unwrap()).into());
        assert_eq!(error("4k4/9/9/9/9/9/9/9/9/3K5 x"), FenError::Side("x".into()));
        assert_eq!(error("4k4/9/9/9/9/9/9/9/9/3K5[R] w"), FenError::UnknownLetter { letter: '[', rank: 0 });
        assert_eq!(error("4k4/9/9/9/9/9/9/9/4R4/3K5 w"), SetupError::OpponentInCheck(Side::Black).into());
        assert_eq!(error("4k4/9/9/9/9/9/9/9/9/4K4 w"), SetupError::GeneralsFacing.into());
    }
}
