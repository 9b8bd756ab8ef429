//! `codex exec --json`: the simpler of Codex's two interfaces. It asks
//! nothing, and tells why it failed in words alone.

use super::{
    ending::{EndingFacts, Failure, Last},
    item::Item,
    meter::{Meter, TokenCounts, TokenUsage},
};
use crate::{
    agent::{
        claim,
        dialogue::{Act, Dialogue},
        fact::{Began, Fact, Finish},
        object,
        trouble::Trouble,
    },
    sandbox::HowEnded,
};
use serde::Deserialize;
use trueup_core::{id::SessionId, memory::Memory, usage::Usage};

/// A conversation with `codex exec --json`.
#[derive(Debug)]
pub struct ExecDialogue {
    prompt: String,
    memory: Memory,
    heard: EndingFacts,
    meter: Meter,
    session: Option<SessionId>,
    last_words: String,
}

/// One line.
#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum Line {
    #[serde(rename = "thread.started")]
    ThreadStarted { thread_id: String },
    #[serde(rename = "turn.started")]
    TurnStarted,
    #[serde(rename = "item.started")]
    ItemStarted { item: Item },
    #[serde(rename = "item.completed")]
    ItemCompleted { item: Item },
    #[serde(rename = "error")]
    Error { message: String },
    #[serde(rename = "turn.completed")]
    TurnCompleted {
        #[serde(default)]
        usage: TokenCounts,
    },
    #[serde(rename = "turn.failed")]
    TurnFailed { error: Told },
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Deserialize)]
struct Told {
    message: String,
}

impl ExecDialogue {
    /// A conversation that tells the agent this.
    pub fn new(prompt: impl Into<String>, memory: &Memory) -> Self {
        Self {
            prompt: prompt.into(),
            memory: memory.clone(),
            heard: EndingFacts::default(),
            meter: Meter::default(),
            session: None,
            last_words: String::new(),
        }
    }

    // On a thread that goes on, the count is the thread's from its beginning,
    // and nothing tells how much of it is new: unknown, then.
    fn usage(&self) -> Usage {
        match self.memory {
            Memory::Fresh => self.meter.usage(),
            Memory::Continue { .. } => Usage::default(),
        }
    }

    // An error line is a retry unless `turn.failed` follows it.
    fn error(&mut self, message: String) -> Vec<Act> {
        let failure = Failure {
            words: message.clone(),
            ..Failure::default()
        };
        let mut acts = vec![Act::Fact(Fact::Retries {
            why: message,
            status: None,
            after_ms: None,
        })];
        if failure.trouble() == Trouble::SignIn {
            self.heard.hopeless = Some(failure);
            acts.push(Act::End);
        }
        acts
    }
}

impl Dialogue for ExecDialogue {
    fn open(&mut self) -> Vec<Act> {
        vec![
            Act::Say(self.prompt.clone().into_bytes()),
            // It waits for the end of its input before it begins.
            Act::HangUp,
            Act::Fact(Fact::Asked),
        ]
    }

    fn hear(&mut self, line: &[u8]) -> Vec<Act> {
        let line = match object::heard(line) {
            Ok(line) => line,
            Err(acts) => return acts,
        };
        match line {
            Line::ThreadStarted { thread_id } => {
                self.heard.began = true;
                self.session = Some(SessionId::new(thread_id));
                let session = self.session.clone();
                vec![Act::Fact(Fact::Began(Began {
                    session,
                    ..Began::default()
                }))]
            }
            Line::TurnStarted => vec![Act::Fact(Fact::Asked)],
            Line::ItemStarted { item } => item.began(),
            Line::ItemCompleted { item } => {
                if let Some(words) = item.words() {
                    self.last_words = words.to_owned();
                }
                item.ended()
            }
            Line::Error { message } => self.error(message),
            Line::TurnCompleted { usage } => {
                self.meter.count(TokenUsage {
                    total: usage,
                    last: usage,
                    model_context_window: None,
                });
                self.heard.last = Some(Last::Completed);
                vec![Act::Fact(Fact::Used(self.usage()))]
            }
            Line::TurnFailed { error } => {
                self.heard.last = Some(Last::Failed(Failure {
                    words: error.message,
                    ..Failure::default()
                }));
                Vec::new()
            }
            Line::Unknown => vec![Act::Fact(Fact::Unknown)],
        }
    }

    fn interrupt(&mut self) -> Vec<Act> {
        // It hears nothing more; a signal is all there is.
        Vec::new()
    }

    fn finish(&mut self, how: &HowEnded, stderr: &[u8]) -> Finish {
        let claim = claim::read(&self.last_words);
        Finish {
            ending: self.heard.ending(how, stderr, &claim),
            session: self.session.clone(),
            usage: self.usage(),
            version: None,
            claim,
        }
    }
}
