//! `codex app-server`: JSON-RPC over pipes. It tells failures by name, counts
//! tokens as it goes, and asks before it does what it may not.

use super::{
    ending::{EndingFacts, Failure, Last},
    item::Item,
    meter::Meter,
};
use crate::{
    agent::{
        bound, claim,
        dialogue::{Act, Dialogue},
        fact::{Began, Fact, Finish},
        object,
        trouble::{Trouble, cut},
    },
    sandbox::HowEnded,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};
use trueup_core::{
    id::{SessionId, Timestamp},
    memory::Memory,
    turn::Permission,
};

/// The numbers of our requests.
const INITIALIZE: u64 = 1;
const THREAD: u64 = 2;
const TURN: u64 = 3;
const INTERRUPT: u64 = 4;

/// How one call is to be made.
#[derive(Clone, Debug)]
pub struct Start {
    /// What the agent is told.
    pub prompt: String,
    /// What it remembers.
    pub memory: Memory,
    /// The clone, as the agent sees it.
    pub folder: PathBuf,
    /// What it may do without asking us.
    pub leave: CodexPermissions,
}

/// What Codex is left to do by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodexPermissions {
    /// Its own sandbox, in its own word.
    pub sandbox: &'static str,
    /// When it asks, in its own word.
    pub approval: &'static str,
    /// What it is answered.
    pub permission: Permission,
}

impl CodexPermissions {
    /// Its own sandbox, in the word that a turn is begun with.
    const fn policy(self) -> &'static str {
        match self.sandbox.as_bytes() {
            b"danger-full-access" => "dangerFullAccess",
            b"workspace-write" => "workspaceWrite",
            _ => "readOnly",
        }
    }
}

/// A conversation with `codex app-server`.
#[derive(Debug)]
pub struct AppServerDialogue {
    start: Start,
    heard: EndingFacts,
    meter: Meter,
    began: Began,
    turn: Option<String>,
    /// What was begun and may be asked for by its id.
    items: BTreeMap<String, Item>,
    last_words: String,
}

/// One line: an answer to us, a question to us, or news.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Line {
    id: Option<Value>,
    method: Option<String>,
    params: Value,
    result: Option<Value>,
    error: Option<Value>,
    emitted_at_ms: Option<i64>,
}

/// `error`, and the error of a turn.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TurnError {
    message: String,
    codex_error_info: Option<Value>,
    additional_details: Option<String>,
}

impl TurnError {
    fn failure(self, at_ms: Option<i64>) -> Failure {
        // While it tries again, the message only counts; the details say why.
        let words = match self.additional_details {
            Some(details) if !details.is_empty() => details,
            _ => self.message,
        };
        Failure {
            words,
            info: self.codex_error_info,
            at_ms,
        }
    }
}

/// One of the windows of a subscription.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Window {
    used_percent: f64,
    resets_at: Option<i64>,
}

impl AppServerDialogue {
    /// A conversation that makes this call.
    pub fn new(start: Start) -> Self {
        Self {
            start,
            heard: EndingFacts::default(),
            meter: Meter::default(),
            began: Began::default(),
            turn: None,
            items: BTreeMap::new(),
            last_words: String::new(),
        }
    }

    fn answered(&mut self, id: &Value, result: &Value) -> Vec<Act> {
        match id.as_u64() {
            Some(INITIALIZE) => vec![Act::line(&json!({"method": "initialized"})), self.begin_thread()],
            Some(THREAD) => self.thread_began(result),
            Some(TURN) => {
                self.turn = text(result, "/turn/id");
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    // What is forked is not written again; its turns need not be told to us,
    // and with them it would tell their tokens once more.
    //
    // Whoever begins a thread that may write has the folder taken for trusted:
    // its `.codex` then runs servers of tools and hooks, past every approval.
    // A folder that is said not to be trusted has its `AGENTS.md` left unread.
    // So a thread begins as one that reads, and the turn says what it may do.
    fn begin_thread(&self) -> Act {
        let mut params = json!({
            "cwd": self.start.folder,
            "sandbox": "read-only",
            "approvalPolicy": self.start.leave.approval,
        });
        let method = match &self.start.memory {
            Memory::Fresh => "thread/start",
            Memory::Continue { session } => {
                if let Some(params) = params.as_object_mut() {
                    params.insert("threadId".to_owned(), json!(session));
                    params.insert("excludeTurns".to_owned(), json!(true));
                }
                "thread/fork"
            }
        };
        request(THREAD, method, &params)
    }

    fn thread_began(&mut self, result: &Value) -> Vec<Act> {
        let Some(thread) = text(result, "/thread/id") else {
            return self.give_up("it began a thread and did not name it");
        };
        self.heard.began = true;
        self.began = Began {
            session: Some(SessionId::new(thread.clone())),
            version: text(result, "/thread/cliVersion"),
            model: text(result, "/model"),
        };
        let params = json!({
            "threadId": thread,
            "input": [{"type": "text", "text": self.start.prompt}],
            "sandboxPolicy": {"type": self.start.leave.policy()},
            "approvalPolicy": self.start.leave.approval,
        });
        vec![
            Act::Fact(Fact::Began(self.began.clone())),
            request(TURN, "turn/start", &params),
            Act::Fact(Fact::Asked),
        ]
    }

    fn give_up(&mut self, words: &str) -> Vec<Act> {
        self.heard.hopeless = Some(Failure {
            words: words.to_owned(),
            ..Failure::default()
        });
        vec![Act::HangUp]
    }

    fn refused(&mut self, id: &Value, error: &Value) -> Vec<Act> {
        match id.as_u64() {
            Some(INITIALIZE | THREAD | TURN) => {
                let words = text(error, "/message").unwrap_or_else(|| error.to_string());
                self.give_up(&words)
            }
            // An interruption that comes too late is refused.
            _ => vec![Act::Fact(Fact::Unknown)],
        }
    }

    /// Whether news are of the turn we asked for, not of one the agent began.
    fn is_ours(&self, params: &Value) -> bool {
        let own = self.began.session.as_ref().map(SessionId::as_str);
        params.get("threadId").and_then(Value::as_str) == own
    }

    fn news(&mut self, method: &str, mut params: Value, at_ms: Option<i64>) -> Vec<Act> {
        let ours = self.is_ours(&params);
        match method {
            "item/started" => {
                let item = read::<Item>(&mut params, "item");
                let acts = item.began();
                if let Some(noted) = item.noted() {
                    bound::remember(&mut self.items, &item.id, noted);
                }
                acts
            }
            "item/completed" => {
                let item = read::<Item>(&mut params, "item");
                self.items.remove(&item.id);
                if let (true, Some(words)) = (ours, item.words()) {
                    self.last_words = words.to_owned();
                }
                item.ended()
            }
            "thread/tokenUsage/updated" if ours && self.is_this_turn(&params) => {
                self.meter.count(read(&mut params, "tokenUsage"));
                vec![Act::Fact(Fact::Used(self.meter.usage()))]
            }
            "account/rateLimits/updated" => {
                self.limits(&mut params);
                vec![Act::Fact(Fact::Unknown)]
            }
            "error" if ours => self.failed(&mut params, at_ms),
            "turn/completed" if ours => self.turn_ended(&mut params, at_ms),
            _ if method.starts_with("item/") && method.to_lowercase().ends_with("delta") => {
                vec![Act::Fact(Fact::Streamed)]
            }
            _ => vec![Act::Fact(Fact::Unknown)],
        }
    }

    fn is_this_turn(&self, params: &Value) -> bool {
        self.turn.is_none() || params.get("turnId").and_then(Value::as_str) == self.turn.as_deref()
    }

    fn limits(&mut self, params: &mut Value) {
        let Some(limits) = params.get_mut("rateLimits") else {
            return;
        };
        let windows = ["primary", "secondary"].map(|name| read::<Window>(limits, name));
        let spent = windows.iter().filter(|window| window.used_percent >= 100.0);
        let until = spent.filter_map(|window| window.resets_at).max();
        self.heard.until = until.map(|seconds| Timestamp(seconds.saturating_mul(1_000)));
    }

    // A limit that it waits for is left to it: how long is not told (an hour
    // of `retry-after` is waited for without a word), and whoever watches the
    // call ends it if the model stays silent for too long.
    fn failed(&mut self, params: &mut Value, at_ms: Option<i64>) -> Vec<Act> {
        let again = params.get("willRetry").and_then(Value::as_bool) == Some(true);
        let failure = read::<TurnError>(params, "error").failure(at_ms);
        if !again {
            // The end of the turn says it once more.
            return vec![Act::Fact(Fact::Unknown)];
        }
        let mut acts = vec![Act::Fact(Fact::Retries {
            why: cut(&failure.words, 200),
            status: failure.status(),
            after_ms: None,
        })];
        if failure.trouble() == Trouble::SignIn {
            self.heard.hopeless = Some(failure);
            acts.push(Act::End);
        }
        acts
    }

    fn turn_ended(&mut self, params: &mut Value, at_ms: Option<i64>) -> Vec<Act> {
        let Some(turn) = params.get_mut("turn") else {
            return vec![Act::Fact(Fact::Unknown)];
        };
        let last = match turn.get("status").and_then(Value::as_str) {
            Some("completed") => Last::Completed,
            Some("interrupted") => Last::Interrupted,
            Some("failed") => Last::Failed(read::<TurnError>(turn, "error").failure(at_ms)),
            status => Last::Failed(Failure {
                words: format!("its turn ended as {}", status.unwrap_or("nothing")),
                ..Failure::default()
            }),
        };
        self.heard.last = Some(last);
        vec![Act::HangUp]
    }

    fn asked(&mut self, id: &Value, method: &str, params: &Value) -> Vec<Act> {
        if !bound::is_name(&id.to_string()) {
            return vec![Act::Fact(Fact::Unknown)];
        }
        let item = params.get("itemId").and_then(Value::as_str);
        let item = item.and_then(|id| self.items.get(id));
        let allowed = match method {
            "item/fileChange/requestApproval" => {
                self.start.leave.permission != Permission::Nothing && self.is_inside(item)
            }
            _ => false,
        };
        if allowed {
            return vec![answer(id, &json!({"decision": "accept"}))];
        }
        let what = item.map_or_else(|| method.to_owned(), Item::what);
        let said = match method {
            "item/fileChange/requestApproval" | "item/commandExecution/requestApproval" => {
                answer(id, &json!({"decision": "decline"}))
            }
            "applyPatchApproval" | "execCommandApproval" => answer(id, &json!({"decision": "denied"})),
            "mcpServer/elicitation/request" => {
                answer(id, &json!({"action": "decline", "content": null, "_meta": null}))
            }
            _ => Act::line(&json!({"id": id, "error": {"code": -32601, "message": "nobody is there to answer"}})),
        };
        vec![said, Act::Fact(Fact::Denied { what })]
    }

    // With its own sandbox off, Codex asks for files anywhere in the same words.
    fn is_inside(&self, item: Option<&Item>) -> bool {
        let inside = |path: &str| {
            let path = Path::new(path);
            let plain = !path.components().any(|part| part == Component::ParentDir);
            plain && (path.is_relative() || path.starts_with(&self.start.folder))
        };
        item.is_some_and(|item| !item.changes.is_empty() && item.changes.iter().all(|change| inside(&change.path)))
    }
}

impl Dialogue for AppServerDialogue {
    fn open(&mut self) -> Vec<Act> {
        let client = json!({"name": "trueup", "title": "trueup", "version": env!("CARGO_PKG_VERSION")});
        vec![request(INITIALIZE, "initialize", &json!({"clientInfo": client}))]
    }

    fn hear(&mut self, line: &[u8]) -> Vec<Act> {
        let line = match object::heard::<Line>(line) {
            Ok(line) => line,
            Err(acts) => return acts,
        };
        match (line.id, line.method) {
            (Some(id), Some(method)) => self.asked(&id, &method, &line.params),
            (None, Some(method)) => self.news(&method, line.params, line.emitted_at_ms),
            (Some(id), None) => match (line.result, line.error) {
                (_, Some(error)) => self.refused(&id, &error),
                (Some(result), None) => self.answered(&id, &result),
                (None, None) => vec![Act::Fact(Fact::Unknown)],
            },
            (None, None) => vec![Act::Fact(Fact::Unknown)],
        }
    }

    fn interrupt(&mut self) -> Vec<Act> {
        if self.heard.last.is_some() {
            return Vec::new();
        }
        match (&self.began.session, &self.turn) {
            (Some(thread), Some(turn)) => {
                let params = json!({"threadId": thread, "turnId": turn});
                vec![request(INTERRUPT, "turn/interrupt", &params)]
            }
            // There is no turn yet: without input it ends.
            _ => vec![Act::HangUp],
        }
    }

    fn finish(&mut self, how: &HowEnded, stderr: &[u8]) -> Finish {
        let claim = claim::read(&self.last_words);
        Finish {
            ending: self.heard.ending(how, stderr, &claim),
            session: self.began.session.clone(),
            usage: self.meter.usage(),
            version: self.began.version.clone(),
            claim,
        }
    }
}

fn request(id: u64, method: &str, params: &Value) -> Act {
    Act::line(&json!({"id": id, "method": method, "params": params}))
}

fn answer(id: &Value, result: &Value) -> Act {
    Act::line(&json!({"id": id, "result": result}))
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

/// A part of a line, or nothing of it where it has another shape.
fn read<T: Default + for<'a> Deserialize<'a>>(value: &mut Value, key: &str) -> T {
    let part = value.get_mut(key).map(Value::take);
    part.and_then(|part| serde_json::from_value(part).ok())
        .unwrap_or_default()
}
