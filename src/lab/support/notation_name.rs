//! The notations by the names of the command line.

use clap::ValueEnum;

use xiangqi::notation::Notation;
use xiangqi::notation::chinese::ChineseStyle;

/// A notation that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NotationName {
    /// h2e2
    Coordinates,
    /// H2-E2
    Iccs,
    /// 炮二平五 马８进７
    Chinese,
    /// 炮二平五 馬８進７
    Traditional,
    /// 炮25 马87
    Short,
    /// C2=5 H8+7
    Wxf,
}

impl NotationName {
    /// The notation of this name.
    pub fn notation(self) -> Notation {
        match self {
            NotationName::Coordinates => Notation::Coordinates,
            NotationName::Iccs => Notation::Iccs,
            NotationName::Chinese => Notation::Chinese(ChineseStyle::SIMPLIFIED),
            NotationName::Traditional => Notation::Chinese(ChineseStyle::TRADITIONAL),
            NotationName::Short => Notation::Chinese(ChineseStyle::SHORT),
            NotationName::Wxf => Notation::Wxf,
        }
    }
}
