//! Names of things, each its own type so that one cannot stand for another.

use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

macro_rules! name {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $type(String);

        impl $type {
            /// Wraps a name as it was read or computed.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// A task, as its front matter calls it: `T-014`.
    TaskId
}
name! {
    /// One run of a task: `T-014.2` is the second.
    RunId
}
name! {
    /// A criterion, as the task file prints it: `AC-1`.
    CriterionId
}
name! {
    /// One check of a criterion: `AC-1.2` is the second line under `AC-1`.
    CheckId
}
name! {
    /// A git tree, in git's own hexadecimal.
    TreeId
}
name! {
    /// A git commit, in git's own hexadecimal.
    CommitId
}
name! {
    /// An agent's conversation, as the agent itself names it.
    SessionId
}
name! {
    /// A wish of a run; the same wish has the same id on every machine.
    EffectId
}

/// Milliseconds since the Unix epoch, as some clock outside reported them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);
