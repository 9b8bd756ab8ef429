//! One question to an agent, behind the wall, in a folder that is thrown away:
//! whether it answers at all.

use super::{
    Agent, Answer, Call, Happening,
    fact::Fact,
    spec::{AgentKind, AgentSpec},
};
use crate::{
    sandbox::{Folder, Sandbox},
    state::{StateRoot, Visit, make_private},
    stop::StopToken,
};
use std::{fs, io, time::Duration};
use trueup_core::{
    memory::Memory,
    patience::Patience,
    turn::{Permission, Policy},
};

/// What the agent is asked.
const QUESTION: &str = "Answer with the one word `ready`. Use no tools, and do nothing else.\n";

/// How long it may take to answer.
pub const WITHIN: Duration = Duration::from_secs(60);

/// How much of what it prints is kept.
const KEPT: u64 = 1024 * 1024;

/// A question that can be put to an agent.
#[derive(Debug)]
pub struct Question {
    call: Call,
    /// The folder in which it is put, as long as it lasts.
    _visit: Visit,
}

impl Question {
    /// The question as this agent is asked it.
    pub fn to(spec: &AgentSpec, state: &StateRoot, patience: Patience) -> io::Result<Self> {
        let visit = state.visit()?;
        let folder = state.run(visit.run());
        let tree = folder.join("tree");
        make_private(&tree)?;
        let prompt_file = folder.join("prompt.md");
        fs::write(&prompt_file, QUESTION)?;
        let call = Call {
            workspace: Folder::Plain(tree),
            own: Vec::new(),
            borrowed: Vec::new(),
            prompt: QUESTION.to_owned(),
            prompt_file,
            shown: Vec::new(),
            run: visit.run().to_string(),
            task: "agent-test".to_owned(),
            turn: 1,
            memory: Memory::Fresh,
            session_files: None,
            home: folder.join("home"),
            policy: Policy {
                time_limit_ms: u64::try_from(WITHIN.as_millis()).unwrap_or(u64::MAX),
                output_limit: KEPT,
                network: spec.network,
                permission: Permission::Nothing,
                patience,
                tokens_left: None,
                millicents_left: None,
            },
            alive: folder.join("alive"),
        };
        Ok(Self { call, _visit: visit })
    }

    /// Puts it; answers with the model that was asked, where the agent says so.
    pub async fn ask(&self, agent: &Agent, sandbox: &Sandbox, stop: &StopToken) -> (Answer, Option<String>) {
        let mut model = None;
        let mut live = |happening: Happening<'_>| {
            if let Happening::Did(Fact::Began(began)) = happening {
                model = began.model.clone().or(model.take());
            }
        };
        let answer = agent.call(sandbox, &self.call, stop, &mut live).await;
        (answer, model)
    }
}

/// What it said: its last words, or all that a program of no known kind printed.
pub fn said(kind: AgentKind, answer: &Answer) -> String {
    let said = match kind {
        AgentKind::Command => String::from_utf8_lossy(&answer.transcript).into_owned(),
        AgentKind::ClaudeCode | AgentKind::Codex => answer.claim.summary.clone(),
    };
    said.trim().to_owned()
}
