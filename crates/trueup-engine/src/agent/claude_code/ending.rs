//! What a call came to, by its last line; without one, by its exit code and
//! what it wrote to standard error.

use super::stream::TurnResult;
use crate::{
    agent::trouble::{AbruptEnd, Trouble, finished},
    sandbox::HowEnded,
};
use trueup_core::{budget::Limit, ending::Ending, id::Timestamp, memory::Claim};

/// What was heard that tells how a call ended.
#[derive(Debug, Default)]
pub(super) struct EndingSigns {
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

impl EndingSigns {
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
            return finished(claim);
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
        let began = self.began;
        AbruptEnd { how, stderr, began }.ending(|words| {
            // A session that is taken or gone is a matter of this one call.
            let session = words.contains("Session ID") || words.contains("No conversation found");
            session.then(|| Trouble::Other.ending(words, None))
        })
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
