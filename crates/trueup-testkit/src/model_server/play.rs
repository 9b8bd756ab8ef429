//! Where each script stands, and what was asked so far.

use serde::Serialize;
use serde_json::Value;
use std::{collections::BTreeMap, fs::File, io::Write, time::Duration};

use super::{
    reply::Reply,
    script::{Script, Scripts, mentions},
};

/// One request as the server saw it.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// `POST`, `GET` or `HEAD`.
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// What stands behind the question mark.
    pub query: Option<String>,
    /// Its headers, by their names in small letters.
    pub headers: BTreeMap<String, String>,
    /// Its body; a string where it is not JSON.
    pub body: Value,
    /// When it came, counted from the server's start.
    #[serde(rename = "at_ms", serialize_with = "in_milliseconds")]
    pub at: Duration,
    /// The words by which its script knew it, if that script asks for any.
    pub script: Option<String>,
    /// The number of the reply it was given, from 0; none to what offers no tools.
    pub reply: Option<usize>,
}

impl Request {
    /// Whether these words occur in any string of its body.
    pub fn mentions(&self, words: &str) -> bool {
        mentions(&self.body, words)
    }

    /// Whether it offers the model tools, and so consumed a reply.
    pub fn offers_tools(&self) -> bool {
        offers_tools(&self.body)
    }
}

/// The scripts with where each stands, and every request so far.
#[derive(Debug)]
pub(super) struct Play {
    scripts: Vec<(Script, usize)>,
    requests: Vec<Request>,
    log: Option<File>,
}

impl Play {
    /// A play that has not begun; each request also becomes a line of the log.
    pub(super) fn new(scripts: Scripts, log: Option<File>) -> Self {
        let mut play = Self {
            scripts: Vec::new(),
            requests: Vec::new(),
            log,
        };
        play.replace(scripts);
        play
    }

    /// Begins other scripts; what was asked so far is kept.
    pub(super) fn replace(&mut self, scripts: Scripts) {
        self.scripts = scripts.list().into_iter().map(|script| (script, 0)).collect();
    }

    /// What is said to this request, which is noted together with that.
    pub(super) fn reply(&mut self, mut request: Request) -> Reply {
        let fitting = self.scripts.iter_mut().find(|(script, _)| script.fits(&request.body));
        let reply = match fitting {
            Some((script, next)) => {
                request.script = script.needle().map(str::to_owned);
                if offers_tools(&request.body) {
                    request.reply = Some(*next);
                    *next += 1;
                    script.at(request.reply.unwrap_or_default())
                } else {
                    script.aside()
                }
            }
            None => Reply::status(400).error("invalid_request_error", "no script fits this request"),
        };
        self.note(request);
        reply
    }

    /// Notes a request that consumes nothing.
    pub(super) fn note(&mut self, request: Request) {
        if let Some(log) = &mut self.log
            && let Ok(line) = serde_json::to_string(&request)
        {
            // A log that cannot be written is missed by its reader; the play goes on.
            drop(writeln!(log, "{line}"));
        }
        self.requests.push(request);
    }

    /// Every request so far.
    pub(super) fn requests(&self) -> &[Request] {
        &self.requests
    }
}

fn offers_tools(body: &Value) -> bool {
    body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
}

fn in_milliseconds<S: serde::Serializer>(at: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(at.as_millis()).unwrap_or(u64::MAX))
}
