//! The conversation with Claude Code over its pipes: one message in, lines
//! out, and its questions answered by the policy.

use super::{
    ending::{EndingSigns, trouble_by_name},
    meter::{Meter, Speaker},
    stream::{Assistant, Block, ControlRequest, StreamEvent, StreamLine, System, TurnResult, User},
};
use crate::{
    agent::{
        bound, claim,
        dialogue::{Act, Dialogue},
        fact::{Began, Fact, Finish, ToolResult},
        object,
        trouble::{Trouble, cut},
    },
    sandbox::HowEnded,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::id::{SessionId, Timestamp};

/// What a denied request is answered with. Nobody is there to be asked, so
/// the agent is told to go on without it.
pub(super) const DENIED: &str = "This run does not allow it, and nobody can be asked. Go on without it.";

/// A conversation with Claude Code.
#[derive(Debug)]
pub struct ClaudeDialogue {
    prompt: String,
    heard: EndingSigns,
    meter: Meter,
    began: Began,
    /// Uses of tools that have not ended, and the file each would change.
    running: BTreeMap<String, Option<String>>,
    denied: BTreeSet<String>,
    last_words: String,
}

impl ClaudeDialogue {
    /// A conversation that tells the agent this.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self {
            prompt: prompt.into(),
            heard: EndingSigns::default(),
            meter: Meter::default(),
            began: Began::default(),
            running: BTreeMap::new(),
            denied: BTreeSet::new(),
            last_words: String::new(),
        }
    }

    fn system(&mut self, system: System) -> Vec<Act> {
        match system.subtype.as_deref() {
            Some("init") => {
                self.heard.began = true;
                self.began = Began {
                    session: system.session_id.map(SessionId::new),
                    version: system.claude_code_version,
                    model: system.model,
                };
                vec![Act::Fact(Fact::Began(self.began.clone()))]
            }
            Some("status") if system.status.as_deref() == Some("requesting") => vec![Act::Fact(Fact::Asked)],
            Some("api_retry") => self.retry(&system),
            Some("permission_denied") => {
                let name = system.tool_name.unwrap_or_default();
                let why = system.message.as_ref().and_then(Value::as_str).unwrap_or_default();
                self.deny(system.tool_use_id, format!("{name}: {}", cut(why, 200)))
            }
            _ => vec![Act::Fact(Fact::Unknown)],
        }
    }

    // 401 is tried ten times over three minutes by default, and what cannot
    // be paid for will not be paid for by asking again.
    fn retry(&mut self, system: &System) -> Vec<Act> {
        let why = system.error.clone().unwrap_or_else(|| "unknown".to_owned());
        let trouble = trouble_by_name(&why).or_else(|| system.error_status.map(Trouble::of_status));
        let status = system.error_status;
        let mut acts = vec![Act::Fact(Fact::Retries {
            why: why.clone(),
            status,
            after_ms: system.retry_delay_ms.map(|delay| delay as u64),
        })];
        if trouble == Some(Trouble::SignIn) {
            let words = status.map_or_else(|| why.clone(), |status| format!("{why} ({status})"));
            self.heard.hopeless = Some(Trouble::SignIn.ending(&words, None));
            acts.push(Act::End);
        }
        acts
    }

    fn assistant(&mut self, assistant: Assistant) -> Vec<Act> {
        let speaker = Speaker::of(assistant.parent_tool_use_id.as_ref());
        let message = assistant.message;
        if let Some(counted) = message.usage {
            self.meter
                .message(message.id.as_deref(), message.model.as_deref(), counted, speaker);
        }
        let blocks = message.blocks();
        if let Some(error) = assistant.error {
            // The program says this in the model's name.
            let texts = blocks.into_iter().filter_map(|block| match block {
                Block::Text { text } => Some(text),
                Block::ToolUse { .. } | Block::ToolResult { .. } | Block::Other => None,
            });
            self.heard.words = Some(texts.collect::<Vec<_>>().join("\n"));
            self.heard.error = Some(error);
            return vec![Act::Fact(Fact::Unknown)];
        }
        let mut acts = Vec::new();
        for block in blocks {
            match block {
                Block::Text { text } => {
                    if speaker == Speaker::Main {
                        self.last_words.clone_from(&text);
                    }
                    acts.push(Act::Fact(Fact::Spoke(text)));
                }
                Block::ToolUse { id, name, input } => {
                    bound::remember(&mut self.running, &id, changes(&name, &input));
                    let about = about(&input);
                    acts.push(Act::Fact(Fact::ToolBegan { id, name, about }));
                }
                Block::ToolResult { .. } | Block::Other => {}
            }
        }
        acts
    }

    fn user(&mut self, user: &User) -> Vec<Act> {
        let mut acts = Vec::new();
        for block in user.message.blocks() {
            let Block::ToolResult { tool_use_id, is_error } = block else {
                continue;
            };
            let worked = if is_error == Some(true) {
                ToolResult::No
            } else {
                ToolResult::Yes
            };
            let changed = self.running.remove(&tool_use_id).flatten();
            acts.push(Act::Fact(Fact::ToolEnded {
                id: tool_use_id,
                worked,
            }));
            if let (Some(path), ToolResult::Yes) = (changed, worked) {
                acts.push(Act::Fact(Fact::Changed(vec![path])));
            }
        }
        // The results go to the model once all of them are there.
        if self.running.is_empty() {
            acts.push(Act::Fact(Fact::Asked));
        }
        acts
    }

    fn piece(&mut self, event: StreamEvent) -> Vec<Act> {
        let speaker = Speaker::of(event.parent_tool_use_id.as_ref());
        let mut acts = vec![Act::Fact(Fact::Streamed)];
        match event.event.kind.as_deref() {
            Some("message_start") => {
                let message = event.event.message.unwrap_or_default();
                self.meter.begin(message.id.as_deref());
                if let Some(counted) = message.usage {
                    self.meter
                        .message(message.id.as_deref(), message.model.as_deref(), counted, speaker);
                }
            }
            Some("message_delta") => {
                if let Some(counted) = event.event.usage {
                    self.meter.piece(counted, speaker);
                    acts.push(Act::Fact(Fact::Used(self.meter.so_far())));
                }
            }
            _ => {}
        }
        acts
    }

    fn asked(&mut self, asked: ControlRequest) -> Vec<Act> {
        let ControlRequest { request_id, request } = asked;
        if !bound::is_name(&request_id) {
            return vec![Act::Fact(Fact::Unknown)];
        }
        if request.subtype.as_deref() != Some("can_use_tool") {
            let answer = json!({"subtype": "error", "request_id": request_id, "error": "not supported"});
            return vec![respond(&answer), Act::Fact(Fact::Unknown)];
        }
        // What is allowed is not asked for: `bypassPermissions` and
        // `acceptEdits` see to that. What still comes is an edit outside of
        // the tree, a command outside of the agent's own sandbox, or a
        // question to a person.
        let deny = json!({"behavior": "deny", "message": DENIED});
        let mut acts = vec![respond(&answer_to(&request_id, &deny))];
        let name = request.tool_name.unwrap_or_default();
        acts.extend(self.deny(request.tool_use_id, format!("{name}: {}", about(&request.input))));
        acts
    }

    fn deny(&mut self, id: Option<String>, what: String) -> Vec<Act> {
        let known = id.is_some_and(|id| bound::is_known(&mut self.denied, &id));
        if known {
            Vec::new()
        } else {
            vec![Act::Fact(Fact::Denied { what })]
        }
    }

    fn result(&mut self, result: Box<TurnResult>) -> Vec<Act> {
        let mut acts = Vec::new();
        for denial in &result.permission_denials {
            let what = format!(
                "{}: {}",
                denial.tool_name.as_deref().unwrap_or_default(),
                about(&denial.tool_input)
            );
            acts.extend(self.deny(denial.tool_use_id.clone(), what));
        }
        acts.push(Act::Fact(Fact::Used(self.meter.account(Some(&result)))));
        self.heard.result = Some(result);
        acts.push(Act::HangUp);
        acts
    }
}

impl Dialogue for ClaudeDialogue {
    fn open(&mut self) -> Vec<Act> {
        let content = json!([{"type": "text", "text": self.prompt}]);
        let message = json!({"type": "user", "message": {"role": "user", "content": content}});
        vec![Act::line(&message), Act::Fact(Fact::Asked)]
    }

    fn hear(&mut self, line: &[u8]) -> Vec<Act> {
        let line = match object::heard(line) {
            Ok(line) => line,
            Err(acts) => return acts,
        };
        match line {
            StreamLine::System(system) => self.system(system),
            StreamLine::Assistant(assistant) => self.assistant(assistant),
            StreamLine::User(user) => self.user(&user),
            StreamLine::StreamEvent(event) => self.piece(event),
            StreamLine::ControlRequest(asked) => self.asked(asked),
            StreamLine::RateLimitEvent(event) => {
                let info = event.rate_limit_info;
                if info.status.as_deref() == Some("rejected") {
                    self.heard.until = info.resets_at.map(|at| Timestamp(at.saturating_mul(1_000)));
                }
                vec![Act::Fact(Fact::Unknown)]
            }
            StreamLine::Result(result) => self.result(result),
            StreamLine::Unknown => vec![Act::Fact(Fact::Unknown)],
        }
    }

    fn interrupt(&mut self) -> Vec<Act> {
        if self.heard.result.is_some() {
            return Vec::new();
        }
        let request = json!({"subtype": "interrupt"});
        vec![Act::line(
            &json!({"type": "control_request", "request_id": "trueup-interrupt", "request": request}),
        )]
    }

    fn finish(&mut self, how: &HowEnded, stderr: &[u8]) -> Finish {
        let result = self.heard.result.as_deref();
        let last = result.filter(|result| result.is_error == Some(false));
        let last = last.and_then(|result| result.result.as_deref());
        let claim = claim::read(last.filter(|text| !text.is_empty()).unwrap_or(&self.last_words));
        Finish {
            ending: self.heard.ending(how, stderr, &claim),
            session: self.began.session.clone(),
            usage: self.meter.account(result),
            version: self.began.version.clone(),
            claim,
        }
    }
}

fn respond(response: &Value) -> Act {
    Act::line(&json!({"type": "control_response", "response": response}))
}

fn answer_to(request_id: &str, answer: &Value) -> Value {
    json!({"subtype": "success", "request_id": request_id, "response": answer})
}

/// The file a use of a tool would change.
fn changes(name: &str, input: &Value) -> Option<String> {
    let key = match name {
        "Write" | "Edit" | "MultiEdit" => "file_path",
        "NotebookEdit" => "notebook_path",
        _ => return None,
    };
    let path = input.get(key).and_then(Value::as_str);
    path.filter(|path| bound::is_path(path)).map(str::to_owned)
}

/// What a tool is used on, in a few words.
fn about(input: &Value) -> String {
    const KEYS: [&str; 8] = [
        "command",
        "file_path",
        "notebook_path",
        "path",
        "pattern",
        "url",
        "query",
        "description",
    ];
    let found = KEYS.iter().find_map(|key| input.get(key).and_then(Value::as_str));
    cut(found.unwrap_or_default(), 200)
}
