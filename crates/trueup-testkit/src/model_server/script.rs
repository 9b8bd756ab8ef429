//! What a scripted model says, and in what order.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use super::reply::Reply;

/// The replies of one conversation, in order.
///
/// Only requests that offer tools consume replies: titles, summaries and
/// probes offer none, may come at any moment, and are answered by `side`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Which requests this script answers: those with these words in a string
    /// of their body. Without it, all.
    #[serde(rename = "match", default)]
    needle: Option<String>,
    /// What is said, in order.
    #[serde(default)]
    replies: Vec<Reply>,
    /// What requests without tools are told.
    #[serde(default = "Script::ok")]
    side: Reply,
    /// What is said when all replies are used up.
    #[serde(default)]
    then: Then,
}

/// What a script says when all of its replies are used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// The word "done" and no tool call, which ends every agent's loop.
    #[default]
    Done,
    /// The last reply again, for ever.
    Repeat,
    /// Status 400, for tests in which one more request is a fault.
    Refuse,
}

/// The scripts one server plays; the first that fits a request answers it.
#[derive(Clone, Debug)]
pub enum Scripts {
    /// One script for everybody.
    One(Box<Script>),
    /// A script for each conversation.
    Many(Vec<Script>),
}

impl Script {
    /// A script of these replies, then "done".
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self {
            needle: None,
            replies: replies.into_iter().collect(),
            side: Self::ok(),
            then: Then::Done,
        }
    }

    /// Answers only requests with these words in a string of their body.
    #[must_use]
    pub fn matching(mut self, needle: &str) -> Self {
        self.needle = Some(needle.to_owned());
        self
    }

    /// Says this to requests without tools.
    #[must_use]
    pub fn side(mut self, reply: Reply) -> Self {
        self.side = reply;
        self
    }

    /// Goes on like this when all replies are used up.
    #[must_use]
    pub const fn then(mut self, then: Then) -> Self {
        self.then = then;
        self
    }

    /// The words by which its requests are known.
    pub(super) fn needle(&self) -> Option<&str> {
        self.needle.as_deref()
    }

    /// Whether it answers a request with this body.
    pub(super) fn fits(&self, body: &Value) -> bool {
        self.needle.as_deref().is_none_or(|needle| mentions(body, needle))
    }

    /// What it says to a request without tools.
    pub(super) fn aside(&self) -> Reply {
        self.side.clone()
    }

    /// What it says to the request number `index` with tools, from 0.
    pub(super) fn at(&self, index: usize) -> Reply {
        let mut first = 0;
        for reply in &self.replies {
            first += reply.repetitions();
            if index < first {
                return reply.clone();
            }
        }
        match (self.then, self.replies.last()) {
            (Then::Repeat, Some(last)) => last.clone(),
            (Then::Done, _) => Reply::text("done"),
            (Then::Refuse, _) | (Then::Repeat, None) => {
                Reply::status(400).error("invalid_request_error", "the script is used up")
            }
        }
    }

    fn ok() -> Reply {
        Reply::text("ok")
    }
}

impl Scripts {
    /// The scripts in the order in which they are asked.
    pub(super) fn list(self) -> Vec<Script> {
        match self {
            Self::One(script) => vec![*script],
            Self::Many(scripts) => scripts,
        }
    }
}

// By hand, because a derived one would only say that neither variant fits.
impl<'de> Deserialize<'de> for Scripts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let scripts = if value.is_array() {
            Vec::deserialize(value).map(Self::Many)
        } else {
            Script::deserialize(value).map(Self::from)
        };
        scripts.map_err(D::Error::custom)
    }
}

impl From<Script> for Scripts {
    fn from(script: Script) -> Self {
        Self::One(Box::new(script))
    }
}

impl From<Vec<Script>> for Scripts {
    fn from(scripts: Vec<Script>) -> Self {
        Self::Many(scripts)
    }
}

impl<const N: usize> From<[Script; N]> for Scripts {
    fn from(scripts: [Script; N]) -> Self {
        Self::Many(scripts.into())
    }
}

impl<const N: usize> From<[Reply; N]> for Scripts {
    fn from(replies: [Reply; N]) -> Self {
        Script::new(replies).into()
    }
}

/// Whether the words occur in any string of the value.
pub(super) fn mentions(value: &Value, words: &str) -> bool {
    match value {
        Value::String(text) => text.contains(words),
        Value::Array(items) => items.iter().any(|item| mentions(item, words)),
        Value::Object(fields) => fields.values().any(|field| mentions(field, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
