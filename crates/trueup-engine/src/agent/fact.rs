//! What an agent does, in one language. Adapters translate into it; what is
//! shown live, watched and counted is read from it.

use trueup_core::{ending::Ending, id::SessionId, memory::Claim, usage::Usage};

/// Something an agent did. Shown as live and counted by the policy; what a
/// turn came to is its [`Finish`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// It is there.
    Began(Began),
    /// It asked the model and awaits an answer.
    Asked,
    /// A piece of the model's answer came.
    Streamed,
    /// It said something: a whole block of text.
    Spoke(String),
    /// It began to use a tool.
    ToolBegan {
        /// Which use of a tool, as the agent numbers them.
        id: String,
        /// Which tool.
        name: String,
        /// On what, in a few words: a path, a command.
        about: String,
    },
    /// A use of a tool ended.
    ToolEnded {
        /// Which use.
        id: String,
        /// Whether it worked.
        worked: ToolResult,
    },
    /// It changed these files, by its own word.
    Changed(Vec<String>),
    /// What this call has cost so far, in all.
    Used(Usage),
    /// It asked for something it may not do, and was denied.
    Denied {
        /// What it asked for.
        what: String,
    },
    /// It tries again by itself what the world failed.
    Retries {
        /// What failed, in its own words.
        why: String,
        /// The HTTP status, if there was one.
        status: Option<u16>,
        /// In how many milliseconds, if it says so.
        after_ms: Option<u64>,
    },
    /// A line that means nothing to the adapter. It is kept, and ignored.
    Unknown,
}

/// How an agent introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Began {
    /// Its conversation.
    pub session: Option<SessionId>,
    /// Its version.
    pub version: Option<String>,
    /// The model it asks.
    pub model: Option<String>,
}

/// Whether a use of a tool worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolResult {
    /// It did.
    Yes,
    /// It did not.
    No,
}

/// What a call of an agent came to, as far as its own words tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// How it ended.
    pub ending: Ending,
    /// Its conversation, to go on from.
    pub session: Option<SessionId>,
    /// What it says of its work.
    pub claim: Claim,
    /// What it cost.
    pub usage: Usage,
    /// Its version.
    pub version: Option<String>,
}
