//! What a session waits for.

use crate::search::Event;

/// One thing that reaches a session through its channel.
pub enum Message {
    /// The client sent a line.
    Line(String),
    /// The client will send nothing more.
    End,
    /// The search has something to tell.
    Search(Event),
    /// The search has gone without an answer.
    SearchLost,
    /// Nothing has come for a while.
    Silence,
    /// A tool has a line to show.
    Tool(String),
    /// The tool is through.
    ToolEnded,
}
