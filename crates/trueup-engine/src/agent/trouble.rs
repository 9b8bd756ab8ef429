//! What went wrong between an agent and its model, read from whatever an
//! agent passes on of it: an HTTP status, or the provider's own words.

use crate::sandbox::HowEnded;
use trueup_core::{
    ending::{Ending, SignIn},
    id::Timestamp,
    memory::{Claim, ClaimStatus},
};

/// How much of somebody's words an ending keeps.
const WORDS: usize = 4_000;

/// How much of standard error is read for a reason.
const STDERR: usize = 3_500;

/// How a call ended that came to its end in good order.
pub(super) fn finished(claim: &Claim) -> Ending {
    match &claim.says {
        ClaimStatus::Blocked(why) => Ending::Blocked { why: why.clone() },
        ClaimStatus::Nothing | ClaimStatus::Complete => Ending::Finished,
    }
}

/// A call whose program is gone without its last line.
pub(super) struct AbruptEnd<'a> {
    /// How the program ended.
    pub(super) how: &'a HowEnded,
    /// What it wrote to standard error.
    pub(super) stderr: &'a [u8],
    /// Whether it had introduced itself.
    pub(super) began: bool,
}

impl AbruptEnd<'_> {
    /// How it ended. `known` reads the words of a program that ended before it
    /// began, where its adapter knows them; what a program cannot even start
    /// with, it was given by its configuration.
    pub(super) fn ending(&self, known: impl FnOnce(&str) -> Option<Ending>) -> Ending {
        let code = match self.how {
            HowEnded::Exited(code) => *code,
            HowEnded::TimedOut => return Ending::TimedOut,
            HowEnded::Overran(excess) => {
                return Ending::Overran {
                    why: excess.to_string(),
                };
            }
            HowEnded::Stopped(_) | HowEnded::Dismissed => return Ending::Interrupted,
            HowEnded::NotStarted(why) | HowEnded::Unserved(why) => return Ending::Unusable { why: why.clone() },
        };
        let words = cut(&String::from_utf8_lossy(self.stderr), STDERR);
        match code {
            0 => Ending::Broken {
                why: "it ended without its last line".to_owned(),
            },
            129..=192 => Ending::Killed { signal: code - 128 },
            _ if self.began => {
                Trouble::Other.ending(&format!("it exited with {code} without its last line: {words}"), None)
            }
            _ => known(&words).unwrap_or_else(|| {
                Trouble::of_words(&words)
                    .unwrap_or(Trouble::Unusable)
                    .ending(&format!("it exited with {code}: {words}"), None)
            }),
        }
    }
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A rate or a usage limit.
    Limit,
    /// Overloaded, failing, not to be reached.
    Unreachable,
    /// Not signed in, refused, without credit.
    SignIn,
    /// No such model, no such option: configured wrongly.
    Unusable,
    /// The conversation is too long for the model.
    Context,
    /// The model, or its provider, refuses.
    Refusal,
    /// Anything else.
    Other,
}

impl Trouble {
    /// What an HTTP status says by itself.
    pub(super) const fn of_status(status: u16) -> Self {
        match status {
            429 => Self::Limit,
            401..=403 => Self::SignIn,
            404 => Self::Unusable,
            408 | 500..=599 => Self::Unreachable,
            _ => Self::Other,
        }
    }

    /// What words say, where nothing better was passed on. Only called with
    /// words that are known to tell of a failure.
    pub(super) fn of_words(words: &str) -> Option<Self> {
        let words = words.to_lowercase();
        // The order matters: a body that names a full context or an empty
        // account often carries the word "request" or "limit" as well.
        TABLE
            .iter()
            .find(|(_, signs)| signs.iter().any(|sign| words.contains(sign)))
            .map(|(trouble, _)| *trouble)
    }

    /// The same as an ending.
    pub(super) fn ending(self, why: &str, until: Option<Timestamp>) -> Ending {
        let why = cut(why, WORDS);
        match self {
            Self::Limit => Ending::Limited { until, why },
            Self::Unreachable => Ending::Unreachable { why },
            Self::SignIn => Ending::NotSignedIn {
                why,
                sign_in: SignIn::Same,
            },
            Self::Unusable => Ending::Unusable { why },
            Self::Context => Ending::ContextFull { why },
            Self::Refusal => Ending::Refused { why },
            Self::Other => Ending::Broken { why },
        }
    }
}

/// What words are a sign of what, the surest first.
const TABLE: &[(Trouble, &[&str])] = &[
    (
        Trouble::Context,
        &[
            "prompt is too long",
            "context_length_exceeded",
            "context window",
            "exceed_context_size",
            "maximum context length",
        ],
    ),
    (
        Trouble::SignIn,
        &[
            "insufficient_quota",
            "quota exceeded",
            "credit balance",
            "billing",
            "payment required",
            "not logged in",
            "please run /login",
            "invalid api key",
            "failed to authenticate",
            "authentication_error",
            "oauth token",
            "unauthorized",
            "status 401",
            "status 403",
            "forbidden",
            "missing environment variable",
        ],
    ),
    (
        Trouble::Limit,
        &[
            "rate limit",
            "rate_limit",
            "too many requests",
            "usage limit",
            "hit your limit",
            "session limit",
            "5-hour limit",
            "weekly limit",
            "status: 429",
            "status 429",
        ],
    ),
    (
        Trouble::Unusable,
        &[
            "model not found",
            "model_not_found",
            "issue with the selected model",
            "model does not exist",
            "cannot be used with root/sudo",
            "unknown option",
            "unexpected argument",
            "is invalid. allowed choices",
            "unrecognized subcommand",
            "error loading config",
            "reserved built-in provider",
            "not inside a trusted directory",
        ],
    ),
    // Codex says "stream disconnected" of an answer that its model broke off:
    // the world is well, and asking again would have the same answer.
    (
        Trouble::Refusal,
        &["usage policy", "content policy", "reason: content_filter"],
    ),
    (Trouble::Other, &["incomplete response returned"]),
    (
        Trouble::Unreachable,
        &[
            "overloaded",
            "high demand",
            "internal server error",
            "service unavailable",
            "bad gateway",
            "timed out",
            "timeout",
            "connection refused",
            "connectionrefused",
            "econnrefused",
            "econnreset",
            "enotfound",
            "unable to connect",
            "connection failed",
            "connection error",
            "stream disconnected",
            "error sending request",
            "status 500",
            "status 502",
            "status 503",
            "status 504",
            "status 529",
        ],
    ),
];

/// Text cut to at most so many bytes, on a boundary of characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    text.trim()
        .char_indices()
        .take_while(|(at, char)| at + char.len_utf8() <= most)
        .map(|(_, char)| char)
        .collect()
}

/// The wait that words like `try again in 1.5s` name, in milliseconds.
pub(super) fn stated_wait(words: &str) -> Option<i64> {
    let words = words.to_lowercase();
    let (_, rest) = words.split_once("try again in ")?;
    let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let unit = rest.get(number.len()..)?.trim_start();
    let factor = match unit {
        unit if unit.starts_with("ms") || unit.starts_with("milli") => 1.0,
        unit if unit.starts_with('s') => 1_000.0,
        unit if unit.starts_with('m') => 60_000.0,
        unit if unit.starts_with('h') => 3_600_000.0,
        unit if unit.starts_with('d') => 86_400_000.0,
        _ => return None,
    };
    let wait = number.trim_end_matches('.').parse::<f64>().ok()? * factor;
    (0.0..=1e10).contains(&wait).then_some(wait as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_account_is_not_a_rate_limit() {
        let words = "429 insufficient_quota: you exceeded your rate limit and your quota, check billing";
        assert_eq!(Trouble::of_words(words), Some(Trouble::SignIn));
        assert_eq!(Trouble::of_words("Rate limit reached"), Some(Trouble::Limit));
        assert_eq!(Trouble::of_words("all is well"), None);
    }

    #[test]
    fn an_answer_that_the_model_broke_off_is_not_a_failure_of_the_world() {
        let words = |reason: &str| {
            let told = format!("stream disconnected before completion: Incomplete response returned, reason: {reason}");
            Trouble::of_words(&told)
        };
        assert_eq!(words("content_filter"), Some(Trouble::Refusal));
        assert_eq!(words("max_output_tokens"), Some(Trouble::Other));
        let cut = "stream disconnected before completion: error decoding response body";
        assert_eq!(Trouble::of_words(cut), Some(Trouble::Unreachable));
    }

    #[test]
    fn a_stated_wait_is_read_in_every_unit() {
        assert_eq!(stated_wait("Please try again in 1.5s."), Some(1_500));
        assert_eq!(stated_wait("try again in 20 minutes"), Some(1_200_000));
        assert_eq!(stated_wait("Try again in 300ms"), Some(300));
        assert_eq!(stated_wait("try again in 2h"), Some(7_200_000));
        assert_eq!(stated_wait("try again in a moment"), None);
        assert_eq!(stated_wait("try again in 9999999999999999 days"), None);
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(cut("äöü", 3), "ä");
        assert_eq!(cut(" abc ", 10), "abc");
    }
}
