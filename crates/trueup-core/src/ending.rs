//! How an agent ended, in a small closed set. Every adapter translates the
//! many ways of its agent into it; what each of them means is decided here.

use crate::{budget::Limit, id::Timestamp};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// How an agent ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// A program of no known kind exited by itself.
    Exited {
        /// Its exit code; 128 + n after signal n, as shells count.
        code: i32,
    },
    /// It came to its end by itself, in good order.
    Finished,
    /// It says that it cannot go on.
    Blocked {
        /// Its own words.
        why: String,
    },
    /// The provider gives it nothing more for now: a rate or a usage limit.
    Limited {
        /// When that ends, if the provider said so.
        until: Option<Timestamp>,
        /// What the provider said.
        why: String,
    },
    /// The model is overloaded, failing, or not to be reached.
    Unreachable {
        /// What was said of it.
        why: String,
    },
    /// The account cannot be used: not signed in, refused, or without credit.
    NotSignedIn {
        /// What was said of it.
        why: String,
        /// Whether somebody renewed the sign-in while the agent held the old one.
        #[serde(default, skip_serializing_if = "SignIn::is_same")]
        sign_in: SignIn,
    },
    /// Its conversation no longer fits into the model's window.
    ContextFull {
        /// What was said of it.
        why: String,
    },
    /// The model refused to do it.
    Refused {
        /// What was said of it.
        why: String,
    },
    /// The model was asked and said nothing for too long.
    Hung {
        /// For how long.
        silent_ms: u64,
    },
    /// The agent itself said nothing for too long, and awaited nothing.
    Silent {
        /// For how long.
        silent_ms: u64,
    },
    /// It was told to break off, and not by this run.
    Interrupted,
    /// A signal ended it, and not by this run.
    Killed {
        /// Which.
        signal: i32,
    },
    /// What it printed makes no sense, or ends before its end.
    Broken {
        /// What is wrong with it.
        why: String,
    },
    /// It reached the turn's time limit and was ended.
    TimedOut,
    /// It took too much of the machine and was ended.
    Overran {
        /// More than how much of what.
        why: String,
    },
    /// It used up what the task may cost, and was ended.
    Spent(Limit),
    /// It could not be started at all, or not as it is configured.
    Unusable {
        /// What the system said.
        why: String,
    },
}

/// Whether a sign-in is still the one an agent was started with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignIn {
    /// It is: only a person can help.
    #[default]
    Same,
    /// Somebody else renewed it meanwhile: the next try has a better one.
    Renewed,
}

impl SignIn {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    const fn is_same(&self) -> bool {
        matches!(self, Self::Same)
    }
}

/// What made an agent end, which decides what the run does about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The agent had its turn: it counts, and its tree is looked at.
    Agent,
    /// Something outside the agent failed. It is waited for, and no turn is spent.
    External {
        /// When it is over, if that is known.
        until: Option<Timestamp>,
        /// What to say of it.
        why: String,
    },
    /// The agent's memory is full: it goes on with a fresh one.
    MemoryFull,
    /// Nothing was tried: only a person can set the agent up.
    Setup,
}

impl Ending {
    /// What somebody else said of it, to be shown or cleaned.
    pub const fn words_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Blocked { why }
            | Self::Limited { why, .. }
            | Self::Unreachable { why }
            | Self::NotSignedIn { why, .. }
            | Self::ContextFull { why }
            | Self::Refused { why }
            | Self::Broken { why }
            | Self::Unusable { why } => Some(why),
            Self::Exited { .. }
            | Self::Finished
            | Self::Hung { .. }
            | Self::Silent { .. }
            | Self::Interrupted
            | Self::Killed { .. }
            | Self::TimedOut
            | Self::Overran { .. }
            | Self::Spent(_) => None,
        }
    }

    /// What made it end.
    pub fn cause(&self) -> Cause {
        let external = |until: Option<Timestamp>, why: &str| Cause::External { until, why: why.into() };
        match self {
            Self::Limited { until, why } => external(*until, why),
            Self::Unreachable { why } => external(None, why),
            Self::Hung { .. } => external(None, "the model was asked and did not answer"),
            Self::NotSignedIn {
                sign_in: SignIn::Renewed,
                ..
            } => external(None, "the sign-in was renewed meanwhile"),
            Self::NotSignedIn { .. } | Self::Unusable { .. } => Cause::Setup,
            Self::ContextFull { .. } => Cause::MemoryFull,
            Self::Exited { .. }
            | Self::Finished
            | Self::Blocked { .. }
            | Self::Refused { .. }
            | Self::Silent { .. }
            | Self::Interrupted
            | Self::Killed { .. }
            | Self::Broken { .. }
            | Self::TimedOut
            | Self::Overran { .. }
            | Self::Spent(_) => Cause::Agent,
        }
    }
}
