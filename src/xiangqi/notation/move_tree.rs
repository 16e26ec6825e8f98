//! The tree of moves as binary record files keep it: each move, then all that follows it, then what replaces
//! it.

use thiserror::Error;

use super::game::{AnnotatedMove, Variation};
use crate::board::{FenError, PlayError, Position};
use crate::types::{Move, Square};

/// A place in a binary file at which reading a game failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: {fault}")]
pub struct TreeError {
    /// The byte of the file, counted from 0.
    pub offset: usize,
    /// What is wrong there.
    pub fault: TreeFault,
}

/// What is wrong with a game in a binary file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TreeFault {
    /// The file does not begin as the format has it.
    #[error("not {0}")]
    Signature(&'static str),
    /// The file ends too early.
    #[error("the file ends where {0} is wanted")]
    Truncated(&'static str),
    /// The start position makes no sense.
    #[error("the start position: {0}")]
    Start(FenError),
    /// A move has a square outside the board.
    #[error("ply {0}: a square outside the board")]
    Square(usize),
    /// A move is not legal.
    #[error("ply {0}: {1}")]
    Illegal(usize, PlayError),
    /// Variations lie deeper than 256 in each other.
    #[error("variations lie too deep in each other")]
    TooDeep,
}

/// How deep variations may lie in each other.
const MAX_DEPTH: usize = 256;

/// One move of a tree, as the file has it.
pub(super) struct TreeNode {
    /// The byte of the file at which it begins.
    pub(super) offset: usize,
    pub(super) from: Option<Square>,
    pub(super) to: Option<Square>,
    /// Whether a move follows this one.
    pub(super) has_next: bool,
    /// Whether another move is given in place of this one, after all that follows this one.
    pub(super) has_sibling: bool,
    /// The bytes of what is said after the move.
    pub(super) remark: Vec<u8>,
}

/// The moves of a tree in the order of the file.
pub(super) struct TreeNodes {
    pub(super) nodes: Vec<TreeNode>,
    /// Why there are no more although more were announced.
    pub(super) broken: Option<TreeError>,
}

impl TreeNodes {
    /// Takes nodes from `next` until the tree is complete.
    pub(super) fn read(mut next: impl FnMut() -> Result<TreeNode, TreeError>) -> TreeNodes {
        let mut nodes = Vec::new();
        let mut announced = 1;
        while announced > 0 {
            match next() {
                Ok(node) => {
                    announced += usize::from(node.has_next) + usize::from(node.has_sibling);
                    announced -= 1;
                    nodes.push(node);
                }
                Err(error) => return TreeNodes { nodes, broken: Some(error) },
            }
        }
        TreeNodes { nodes, broken: None }
    }

    /// Plays the tree from `start` and returns its main line and what is wrong with it.
    ///
    /// A bad move is left out with all that follows it; what replaces it is kept, the first of it in its place.
    pub(super) fn play(
        self,
        start: &Position,
        text: impl Fn(&[u8]) -> String,
    ) -> (Variation, Vec<TreeError>) {
        let mut walker = TreeWalker {
            nodes: self.nodes.into_iter(),
            broken: self.broken,
            text,
            position: start.clone(),
            faults: Vec::new(),
        };
        let (mut main, mut more) = walker.line(0, true);
        while more {
            let (variation, again) = walker.line(1, true);
            attach(&mut main, 0, variation);
            more = again;
        }
        walker.faults.extend(walker.broken);
        (main, walker.faults)
    }
}

/// Walks through a tree.
struct TreeWalker<F> {
    nodes: std::vec::IntoIter<TreeNode>,
    broken: Option<TreeError>,
    text: F,
    /// The position before the next move.
    position: Position,
    faults: Vec<TreeError>,
}

impl<F: Fn(&[u8]) -> String> TreeWalker<F> {
    /// Takes a line of play with the variations on all moves but the first, and takes its moves back.
    ///
    /// Returns it and whether another move is given in place of its first. Nothing is played, only read
    /// over, if the line is not `playable`.
    fn line(&mut self, depth: usize, playable: bool) -> (Variation, bool) {
        let mut line = Variation::default();
        if depth > MAX_DEPTH {
            let offset = self.nodes.as_slice().first().map_or(0, |node| node.offset);
            self.faults.push(TreeError { offset, fault: TreeFault::TooDeep });
            // Without the whole branch, nobody knows to which move the rest belongs.
            self.nodes = Vec::new().into_iter();
            return (line, false);
        }
        let mut siblings = Vec::new();
        let mut good = playable;
        while let Some(node) = self.nodes.next() {
            siblings.push(node.has_sibling);
            if good {
                match self.make(&node) {
                    Ok(mv) => {
                        let comment = (self.text)(&node.remark);
                        line.moves.push(AnnotatedMove { comment, ..AnnotatedMove::new(mv) });
                    }
                    Err(error) => {
                        self.faults.push(error);
                        good = false;
                    }
                }
            }
            if !node.has_next {
                break;
            }
        }
        // What replaces a move comes after everything that follows it, so the last move's is first.
        let made = line.moves.len();
        for index in (1..siblings.len()).rev() {
            if index < made {
                self.position.unmake();
            }
            let mut more = siblings[index];
            while more {
                let (variation, again) = self.line(depth + 1, playable && index <= made);
                attach(&mut line, index, variation);
                more = again;
            }
        }
        if made > 0 {
            self.position.unmake();
        }
        (line, siblings.first().is_some_and(|&sibling| sibling) && !self.nodes.as_slice().is_empty())
    }

    fn make(&mut self, node: &TreeNode) -> Result<Move, TreeError> {
        let ply = self.position.plies() + 1;
        let error = |fault| TreeError { offset: node.offset, fault };
        let mv = node.from.zip(node.to).and_then(|(from, to)| Move::new(from, to));
        let mv = mv.ok_or_else(|| error(TreeFault::Square(ply)))?;
        self.position.play(mv).map_err(|reason| error(TreeFault::Illegal(ply, reason)))?;
        Ok(mv)
    }
}

/// Adds what replaces the move at `index` of a line; it goes on with the line if there is no such move.
fn attach(line: &mut Variation, index: usize, variation: Variation) {
    if variation.moves.is_empty() {
    } else if let Some(replaced) = line.moves.get_mut(index) {
        replaced.variations.push(variation);
    } else if line.moves.len() == index {
        line.moves.extend(variation.moves);
    }
}
