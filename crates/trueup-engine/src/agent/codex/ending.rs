//! What a call of Codex came to.

use crate::{
    agent::trouble::{AbruptEnd, Trouble, finished, stated_wait},
    sandbox::HowEnded,
};
use serde_json::Value;
use trueup_core::{ending::Ending, id::Timestamp, memory::Claim};

/// How a turn ended, as Codex tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// In good order.
    Completed,
    /// It was told to break off.
    Interrupted,
    /// Not.
    Failed(Failure),
}

/// Why something failed, as Codex tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Failure {
    /// In words.
    pub(super) words: String,
    /// In Codex's own terms: a name, or an object with one key. `exec` has none.
    pub(super) info: Option<Value>,
    /// When it was told.
    pub(super) at_ms: Option<i64>,
}

impl Failure {
    /// The HTTP status behind it.
    pub(super) fn status(&self) -> Option<u16> {
        let inside = self.info.as_ref()?.as_object()?.values().next()?;
        u16::try_from(inside.get("httpStatusCode")?.as_u64()?).ok()
    }

    /// What kind of trouble it is.
    pub(super) fn trouble(&self) -> Trouble {
        let words = Trouble::of_words(&self.words);
        let name = match &self.info {
            Some(Value::String(name)) => name.as_str(),
            Some(Value::Object(object)) => object.keys().next().map_or("", String::as_str),
            _ => "",
        };
        match name {
            "contextWindowExceeded" => Trouble::Context,
            // An account without credit comes under this name too.
            "usageLimitExceeded" if words == Some(Trouble::SignIn) => Trouble::SignIn,
            "usageLimitExceeded" | "rateLimitExceeded" => Trouble::Limit,
            "serverOverloaded" | "internalServerError" | "flexUnavailable" | "policyCapacityUnavailable" => {
                Trouble::Unreachable
            }
            "modelNotFound" => Trouble::Unusable,
            "unauthorized" => Trouble::SignIn,
            "cyberPolicy" | "misalignmentPolicyViolation" => Trouble::Refusal,
            "httpConnectionFailed"
            | "responseStreamConnectionFailed"
            | "responseStreamDisconnected"
            | "responseTooManyFailedAttempts" => self
                .status()
                .map(Trouble::of_status)
                .or(words)
                .unwrap_or(Trouble::Unreachable),
            _ => words.unwrap_or(Trouble::Other),
        }
    }

    fn ending(&self, until: Option<Timestamp>) -> Ending {
        let stated = || Some(Timestamp(self.at_ms?.checked_add(stated_wait(&self.words)?)?));
        self.trouble().ending(&self.words, until.or_else(stated))
    }
}

/// What was heard that tells how a call ended.
#[derive(Debug, Default)]
pub(super) struct EndingFacts {
    /// How the turn ended.
    pub(super) last: Option<Last>,
    /// Why we ended it ourselves, or never came to a turn.
    pub(super) hopeless: Option<Failure>,
    /// When a limit ends.
    pub(super) until: Option<Timestamp>,
    /// Whether it introduced itself.
    pub(super) began: bool,
}

impl EndingFacts {
    /// How the call ended.
    pub(super) fn ending(&self, how: &HowEnded, stderr: &[u8], claim: &Claim) -> Ending {
        match (&self.last, &self.hopeless) {
            (Some(Last::Completed), _) => finished(claim),
            (Some(Last::Interrupted), _) => Ending::Interrupted,
            (Some(Last::Failed(failure)), _) | (None, Some(failure)) => failure.ending(self.until),
            (None, None) => self.without_last_line(how, stderr),
        }
    }

    // `exec` breaks off at SIGINT with 1 and without a word, like a program that
    // fell over: it is called broken, not interrupted.
    fn without_last_line(&self, how: &HowEnded, stderr: &[u8]) -> Ending {
        let began = self.began;
        AbruptEnd { how, stderr, began }.ending(|_| None)
    }
}
