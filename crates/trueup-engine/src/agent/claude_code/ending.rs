//! What a call came to, by its last line; without one, by its exit code and
//! what it wrote to standard error.

use super::stream::TurnResult;
use crate::{
    agent::trouble::{Trouble, cut},
    sandbox::HowEnded,
};
use trueup_core::{
    budget::Limit,
    ending::Ending,
    id::Timestamp,
    memory::{Claim, Says},
};

/// What was heard that tells how a call ended.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// The last line.
    pub(super) result: Option<Box<TurnResult>>,
    /// The kind of the last API error, as the agent calls it.
    pub(super) error: Option<String>,
    /// The API's last words.
    pub(super) words: Option<String>,
    /// When a limit ends.
    pub(super) until: Option<Timestamp>,
    /// Why we ended it ourselves.
    pub(super) hopeless: Option<Ending>,
    /// Whether it introduced itself.
    pub(super) began: bool,
}

impl Heard {
    /// How the call ended.
    pub(super) fn ending(&self, how: &HowEnded, stderr: &[u8], claim: &Claim) -> Ending {
        match (&self.result, &self.hopeless) {
            (Some(result), _) => self.by_result(result, claim),
            (None, Some(hopeless)) => hopeless.clone(),
            (None, None) => self.without_last_line(how, stderr),
        }
    }

    // `subtype` is "success" for every API error, `terminal_reason` is
    // "completed" for them in 2.1.197, and the exit code is 0 or 1 for an
    // interruption: only `is_error: false` is success.
    fn by_result(&self, result: &TurnResult, claim: &Claim) -> Ending {
        let subtype = result.subtype.as_deref().unwrap_or_default();
        if result.is_error == Some(false) && subtype == "success" {
            return match &claim.says {
                Says::Blocked(why) => Ending::Blocked { why: why.clone() },
                Says::Nothing | Says::Complete => Ending::Finished,
            };
        }
        let reason = result.terminal_reason.as_deref().unwrap_or_default();
        let why = self.why(result);
        if result.stop_reason.as_deref() == Some("refusal") {
            return Trouble::Refusal.ending(&why, None);
        }
        if reason.starts_with("aborted") {
            return Ending::Interrupted;
        }
        match subtype {
            "error_max_budget_usd" => return Ending::Spent(Limit::Money),
            "error_max_turns" => return Trouble::Other.ending(&why, None),
            _ => {}
        }
        if reason == "prompt_too_long" {
            return Trouble::Context.ending(&why, None);
        }
        let by_name = self.error.as_deref().and_then(trouble_by_name);
        let by_status = || result.api_error_status.map(Trouble::of_status);
        let known = by_name.or_else(by_status).filter(|trouble| *trouble != Trouble::Other);
        let trouble = known
            .or_else(|| Trouble::of_words(&why))
            .filter(|_| self.error.as_deref() != Some("max_output_tokens"))
            .unwrap_or(Trouble::Other);
        trouble.ending(&why, self.until)
    }

    fn why(&self, result: &TurnResult) -> String {
        let said = result.result.as_deref().filter(|said| !said.is_empty());
        let words = said.or(self.words.as_deref());
        words.map_or_else(
            || match result.errors.as_slice() {
                [] => "it ended in error and did not say why".to_owned(),
                errors => errors.join("; "),
            },
            str::to_owned,
        )
    }

    fn without_last_line(&self, how: &HowEnded, stderr: &[u8]) -> Ending {
        let code = match how {
            HowEnded::Exited(code) => *code,
            HowEnded::TimedOut => return Ending::TimedOut,
            HowEnded::Stopped(_) | HowEnded::Dismissed => return Ending::Interrupted,
            HowEnded::NotStarted(why) | HowEnded::Unserved(why) => return Ending::Unusable { why: why.clone() },
        };
        let words = cut(&String::from_utf8_lossy(stderr), 2_000);
        match code {
            0 => Ending::Broken {
                why: "it ended without its last line".to_owned(),
            },
            129..=192 => Ending::Killed { signal: code - 128 },
            _ if self.began => {
                Trouble::Other.ending(&format!("it exited with {code} without its last line: {words}"), None)
            }
            // What it cannot even start with, it was given by its configuration;
            // only a session that is taken or gone is a matter of this one call.
            _ if words.contains("Session ID") || words.contains("No conversation found") => {
                Trouble::Other.ending(&words, None)
            }
            _ => Trouble::of_words(&words)
                .unwrap_or(Trouble::Unusable)
                .ending(&format!("it exited with {code}: {words}"), None),
        }
    }
}

/// What an API error's name says; some names say nothing.
pub(super) fn trouble_by_name(name: &str) -> Option<Trouble> {
    match name {
        "rate_limit" => Some(Trouble::Limit),
        "authentication_failed" | "billing_error" | "oauth_org_not_allowed" => Some(Trouble::SignIn),
        "model_not_found" => Some(Trouble::Unusable),
        "server_error" | "overloaded" => Some(Trouble::Unreachable),
        _ => None,
    }
}
