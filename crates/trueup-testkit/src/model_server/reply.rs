//! One answer of a scripted model, with everything that can go wrong in it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, time::Duration};

/// What stands for the second of a reset.
const RESET: &str = "{reset}";

/// What one request is answered with.
///
/// A reply says the same over every protocol; each protocol spells it in its
/// own way.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    /// What the model says.
    pub(super) text: Option<String>,
    /// What it thinks before.
    pub(super) thinking: Option<String>,
    /// The tools it calls after.
    pub(super) tools: Vec<ToolCall>,
    /// What it cost.
    pub(super) usage: Usage,
    /// Why it stopped, in Anthropic's words.
    pub(super) stop_reason: Option<String>,
    /// For how many requests in a row.
    pub(super) times: Option<usize>,
    /// An HTTP status other than 200.
    pub(super) status: Option<u16>,
    /// The body of a status other than 200.
    pub(super) error: Option<ApiError>,
    /// Further headers.
    pub(super) headers: BTreeMap<String, String>,
    /// How many seconds after its moment `{reset}` stands for, in headers and
    /// in fields of its error.
    pub(super) resets_in: Option<u64>,
    /// This very body, whatever the protocol.
    pub(super) raw: Option<String>,
    /// How long nothing at all is answered.
    pub(super) delay_ms: u64,
    /// How long each part of a stream waits.
    pub(super) chunk_delay_ms: u64,
    /// Where the answer stops coming, while the connection stays.
    pub(super) hang: Option<Hang>,
    /// Where the connection is cut.
    pub(super) drop: Option<Cut>,
    /// An error that arrives in the middle of a stream.
    pub(super) sse_error: Option<ApiError>,
    /// The end of a Responses stream that failed.
    pub(super) failed: Option<Failure>,
}

/// One tool call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The tool.
    pub(super) name: String,
    /// What it is called with.
    pub(super) input: Value,
}

/// Tokens. `input` is what was read outside every cache, so that a sum over
/// the four fields is the same for every protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    /// Read outside the cache.
    pub input: u64,
    /// Read and put into the cache.
    pub cache_creation: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written.
    pub output: u64,
}

/// The error of an API: its type, its sentence, and what else it carries.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ApiError {
    /// Its type, such as `rate_limit_error`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Its sentence.
    pub(super) message: String,
    /// Everything else, such as `code` or `resets_at`.
    #[serde(flatten)]
    pub(super) more: Map<String, Value>,
}

/// Why a Responses stream failed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The code, such as `context_length_exceeded`.
    pub(super) code: String,
    /// The sentence.
    pub(super) message: String,
}

/// Where an answer stops coming while its connection stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hang {
    /// Before the first byte.
    Before,
    /// After the headers.
    Headers,
    /// In the middle of the body.
    Mid,
}

/// Where a connection is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// In the middle of the body.
    Mid,
}

impl Reply {
    /// Says this and calls nothing.
    pub fn text(text: &str) -> Self {
        Self {
            text: Some(text.to_owned()),
            ..Self::default()
        }
    }

    /// Calls this tool.
    pub fn tool(name: &str, input: Value) -> Self {
        Self::default().and_tool(name, input)
    }

    /// Answers with this HTTP status, and with the customary error of it.
    pub fn status(status: u16) -> Self {
        Self {
            status: Some(status),
            ..Self::default()
        }
    }

    /// Answers with this very body, whatever the protocol.
    pub fn raw(body: &str) -> Self {
        Self {
            raw: Some(body.to_owned()),
            ..Self::default()
        }
    }

    /// Fails as `/v1/responses` does, at the end of a stream.
    pub fn failed(code: &str, message: &str) -> Self {
        Self {
            failed: Some(Failure {
                code: code.to_owned(),
                message: message.to_owned(),
            }),
            ..Self::default()
        }
    }

    /// Says this as well, before it calls tools.
    #[must_use]
    pub fn saying(mut self, text: &str) -> Self {
        self.text = Some(text.to_owned());
        self
    }

    /// Thinks this before.
    #[must_use]
    pub fn thinking(mut self, text: &str) -> Self {
        self.thinking = Some(text.to_owned());
        self
    }

    /// Calls this tool as well.
    #[must_use]
    pub fn and_tool(mut self, name: &str, input: Value) -> Self {
        self.tools.push(ToolCall {
            name: name.to_owned(),
            input,
        });
        self
    }

    /// Costs this.
    #[must_use]
    pub const fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Stops for this reason, in Anthropic's words.
    #[must_use]
    pub fn stop_reason(mut self, reason: &str) -> Self {
        self.stop_reason = Some(reason.to_owned());
        self
    }

    /// Answers so many requests in a row.
    #[must_use]
    pub const fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    /// Carries this error in the body of its status.
    #[must_use]
    pub fn error(mut self, kind: &str, message: &str) -> Self {
        self.error = Some(ApiError::new(kind, message));
        self
    }

    /// Puts another field, such as `code`, into its error.
    #[must_use]
    pub fn error_field(mut self, name: &str, value: Value) -> Self {
        let error = self.error.get_or_insert_with(|| ApiError::of(self.status));
        error.more.insert(name.to_owned(), value);
        self
    }

    /// Carries this header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Lets `{reset}` in its headers and in fields of its error be the second
    /// so long after the request.
    #[must_use]
    pub const fn resets_in(mut self, wait: Duration) -> Self {
        self.resets_in = Some(wait.as_secs());
        self
    }

    /// Waits so long before the first byte.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay_ms = milliseconds(delay);
        self
    }

    /// Waits so long before each part of the stream.
    #[must_use]
    pub fn chunk_delay(mut self, delay: Duration) -> Self {
        self.chunk_delay_ms = milliseconds(delay);
        self
    }

    /// Stops coming there, while the connection stays open.
    #[must_use]
    pub const fn hang(mut self, hang: Hang) -> Self {
        self.hang = Some(hang);
        self
    }

    /// Cuts the connection in the middle of the body.
    #[must_use]
    pub const fn cut(mut self) -> Self {
        self.drop = Some(Cut::Mid);
        self
    }

    /// Breaks off with this error in the middle of the stream.
    #[must_use]
    pub fn sse_error(mut self, kind: &str, message: &str) -> Self {
        self.sse_error = Some(ApiError::new(kind, message));
        self
    }

    /// The same with the second of its reset, as it is said at this second.
    pub(super) fn at(mut self, now: u64) -> Self {
        let Some(wait) = self.resets_in else { return self };
        let reset = now + wait;
        for value in self.headers.values_mut() {
            *value = value.replace(RESET, &reset.to_string());
        }
        let fields = self.error.iter_mut().flat_map(|error| error.more.values_mut());
        for field in fields.filter(|field| *field == RESET) {
            *field = Value::from(reset);
        }
        self
    }

    /// How many requests in a row it answers.
    pub(super) fn repetitions(&self) -> usize {
        self.times.unwrap_or(1)
    }

    /// The error in its body, where its status is one.
    pub(super) fn failure(&self) -> ApiError {
        self.error.clone().unwrap_or_else(|| ApiError::of(self.status))
    }

    /// Why it stopped, in Anthropic's words.
    pub(super) fn stopped(&self) -> &str {
        match &self.stop_reason {
            Some(reason) => reason,
            None if self.tools.is_empty() => "end_turn",
            None => "tool_use",
        }
    }
}

impl Usage {
    /// So many tokens read and written, none of them in a cache.
    pub const fn of(input: u64, output: u64) -> Self {
        Self {
            input,
            cache_creation: 0,
            cache_read: 0,
            output,
        }
    }

    /// So many tokens put into the cache, and so many read from it.
    #[must_use]
    pub const fn cached(mut self, creation: u64, read: u64) -> Self {
        self.cache_creation = creation;
        self.cache_read = read;
        self
    }

    /// Everything that was read, in a cache or not.
    pub(super) const fn all_input(self) -> u64 {
        self.input + self.cache_creation + self.cache_read
    }
}

impl Default for Usage {
    fn default() -> Self {
        Self::of(100, 20)
    }
}

impl ApiError {
    fn new(kind: &str, message: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            message: message.to_owned(),
            more: Map::new(),
        }
    }

    /// The customary error of a status.
    fn of(status: Option<u16>) -> Self {
        let kind = match status.unwrap_or(500) {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            400..=499 => "invalid_request_error",
            _ => "api_error",
        };
        Self::new(kind, "the script says so")
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
