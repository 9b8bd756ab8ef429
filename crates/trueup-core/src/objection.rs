//! Something about a change that a person must know before it counts: a rule
//! was changed, a test is gone, a warning was silenced.
//!
//! The agent is told first and may take it back. What stays is asked of a
//! person, unless the task allows it in advance.

use crate::{digest::Digest, rule::BrokenRule, task::Allow};
use alloc::{borrow::ToOwned, format, string::String};
use serde::{Deserialize, Serialize};

/// Something about a change that a person must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objection {
    /// What kind of thing.
    #[serde(rename = "about")]
    pub kind: ObjectionKind,
    /// The file, or the test, or the check.
    pub path: String,
    /// What, in a sentence that is true for whoever reads it: nobody is told in
    /// it what to do.
    pub what: String,
    /// The name of exactly this difference: other bytes are another objection.
    pub digest: Digest,
    /// Whether the task allows it in advance, by which of its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// The rule that found it, if a rule did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<BrokenRule>,
}

/// What kind of thing a person must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectionKind {
    /// A file that sets the rules differs.
    Protected,
    /// A lock file differs.
    Lockfile,
    /// A test of the base did not run.
    TestGone,
    /// A test that ran on the base is skipped.
    TestSkipped,
    /// A test was changed, and its former body fails now.
    TestChanged,
    /// A warning or a test was silenced in the code.
    Suppressed,
    /// Code that is no test speaks of the tools that judge it.
    Suspicious,
    /// Tests reach a smaller share of the changed lines than of those before.
    LessReached,
    /// A check writes a file while it judges it.
    Altered,
    /// A goal passes only by a change of the files that set the rules.
    RulesOnly,
    /// A goal passes only by a change of a page that its test reads.
    PageOnly,
    /// A goal passes only in a build for debugging.
    DebugOnly,
    /// A goal's tests pass although they expect something else.
    AnyAnswer,
    /// A goal's tests do not see the work where values differ a little from those
    /// that the new code names.
    VisibleOnly,
    /// A goal's tests pass only with the variables that checks are run with.
    HereOnly,
    /// A goal's tests pass once, and not twice in one process.
    OnceOnly,
    /// A person has to look.
    Manual,
    /// Nothing proves a criterion but tests that the run itself wrote.
    SelfTested,
}

impl Objection {
    /// Whether a person is asked about it: a note stops nobody.
    pub fn asks(&self) -> bool {
        self.rule.as_ref().is_none_or(|rule| rule.level.is_ask())
    }

    /// A test that ran on the base is told of no more.
    pub fn test_gone(id: &str, allowed: Option<String>) -> Self {
        let kind = ObjectionKind::TestGone;
        Self {
            kind,
            path: id.to_owned(),
            what: "this test ran on the base and does not run now".to_owned(),
            digest: kind.digest(&[id.as_bytes()]),
            allowed,
            rule: None,
        }
    }
}

impl ObjectionKind {
    /// The name of exactly this difference of the kind.
    pub fn digest(self, fields: &[&[u8]]) -> Digest {
        let kind = format!("{self:?}");
        Digest::of_fields([kind.as_bytes()].into_iter().chain(fields.iter().copied()))
    }

    /// What an agent can do about it, behind what it is told of. A person is not
    /// told this: they say whether it may stay.
    pub const fn way_out(self) -> Option<&'static str> {
        Some(match self {
            Self::Protected => "take that back unless the task asks for it",
            Self::Lockfile => "take that back unless the task needs it",
            Self::TestGone => "bring it back as it was",
            Self::TestSkipped => "let it run again",
            Self::TestChanged => {
                "do the work in the code, and put tests back as they were unless the task asks for the new behaviour"
            }
            Self::Suppressed => "take it out and mend what it silences",
            Self::Suspicious => "write it otherwise, or take it back",
            Self::LessReached => "test what is new",
            Self::Altered => "let it write elsewhere",
            Self::RulesOnly | Self::PageOnly => "do the work in the code",
            Self::DebugOnly => "have the code do the work in every build",
            Self::AnyAnswer => "give plain values, and compare them where the test reaches it",
            Self::VisibleOnly => "have the code do the work for every value, and not for those of the test",
            Self::HereOnly => "have the code and the test give the same answer everywhere",
            Self::OnceOnly => "have the code and the test keep nothing from one call to the next",
            Self::Manual | Self::SelfTested => return None,
        })
    }

    /// The words of the task that can allow this in advance.
    pub fn allowing(self, allow: &Allow) -> &[String] {
        match self {
            Self::Protected
            | Self::Suppressed
            | Self::Suspicious
            | Self::LessReached
            | Self::Altered
            | Self::PageOnly => &allow.change,
            Self::Lockfile => &allow.lockfiles,
            Self::TestGone | Self::TestSkipped | Self::TestChanged => &allow.remove_tests,
            Self::RulesOnly
            | Self::DebugOnly
            | Self::AnyAnswer
            | Self::VisibleOnly
            | Self::HereOnly
            | Self::OnceOnly
            | Self::Manual
            | Self::SelfTested => &[],
        }
    }
}
