//! An agent one speaks with: what Claude Code and Codex have in common, which
//! is everything but their languages.

use super::{
    call::{Answer, Call, Happening},
    claude_code::ClaudeCode,
    codex::{self, Codex},
    command,
    converse::{Talk, converse},
    dialogue::Dialogue,
    home::{Home, Kept},
    model_network::ModelNetwork,
    sign_in::{Account, SignIn},
    spec::absent,
};
use crate::{
    blocking::blocking,
    sandbox::{Bounds, Sandbox},
    stop::StopToken,
    travel::SessionFiles,
    write::write_quickly,
};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

/// An agent one speaks with.
#[derive(Clone, Debug)]
pub struct InteractiveAgent {
    /// Its language.
    pub language: Language,
    /// Folders it may also read.
    pub read: Vec<PathBuf>,
    /// Folders it may also write.
    pub write: Vec<PathBuf>,
    /// Whose sign-in it is lent.
    pub person: Person,
    /// What it reaches its model through, where it has a network of its own.
    pub network: Option<ModelNetwork>,
}

/// A language, with what is said in it.
#[derive(Clone, Debug)]
pub enum Language {
    /// Claude Code's.
    ClaudeCode(ClaudeCode),
    /// Codex's.
    Codex(Codex),
}

/// Whose sign-in an agent is lent.
#[derive(Clone, Debug)]
pub struct Person {
    /// Their home.
    pub home: PathBuf,
    /// Their environment, which may say that it lies elsewhere.
    pub environment: BTreeMap<String, String>,
}

impl InteractiveAgent {
    pub(super) async fn call(
        &self,
        sandbox: &Sandbox,
        call: &Call,
        stop: &StopToken,
        live: &mut (dyn FnMut(Happening<'_>) + Send),
    ) -> Answer {
        match self.try_call(sandbox, call, stop, live).await {
            Ok(answer) => answer,
            Err(error) => Answer::unusable(error.to_string()),
        }
    }

    async fn try_call(
        &self,
        sandbox: &Sandbox,
        call: &Call,
        stop: &StopToken,
        live: &mut (dyn FnMut(Happening<'_>) + Send),
    ) -> io::Result<Answer> {
        let program = self.language.program();
        let program = program
            .canonicalize()
            .map_err(|error| io::Error::other(absent(program, &error)))?;
        let (agent, folder, before) = (self.clone(), call.home.clone(), call.session_files.clone());
        let furnishing = move || agent.furnish(folder, before.as_ref());
        let (home, sign_in) = blocking(furnishing).await?;
        let talk = Talk {
            argv: self.argv(sandbox, call, &program),
            bounds: self.bounds(sandbox, call, &home, &program)?,
            policy: call.policy,
            sign_in,
        };
        let mut dialogue = self.language.dialogue(sandbox, call);
        let answer = converse(sandbox, talk, dialogue.as_mut(), stop, live).await;
        Ok(blocking(move || remembered(&home, answer)).await)
    }

    /// The agent's home, with the conversation it goes on from and the person's
    /// sign-in.
    fn furnish(&self, folder: PathBuf, before: Option<&SessionFiles>) -> io::Result<(Home, Option<SignIn>)> {
        let home = Home::open(folder)?;
        self.language.furnish(&home)?;
        if let Some(before) = before {
            home.lay(before)?;
        }
        let sign_in = self.lend(home.folder())?;
        Ok((home, sign_in))
    }

    /// The person's sign-in, unless a variable makes it unnecessary.
    fn lend(&self, home: &Path) -> io::Result<Option<SignIn>> {
        let (account, variables) = match &self.language {
            Language::ClaudeCode(agent) => (Account::Claude, &agent.variables),
            Language::Codex(agent) => (Account::Codex, &agent.variables),
        };
        if account.signs_in_by(variables) {
            return Ok(None);
        }
        let Person {
            home: person,
            environment,
        } = &self.person;
        SignIn::lend(account, &account.file_of(person, environment), person, home)
    }

    fn argv(&self, sandbox: &Sandbox, call: &Call, program: &Path) -> Vec<String> {
        let mut argv = vec![program.display().to_string()];
        argv.extend(self.language.argv(sandbox, call));
        argv
    }

    fn bounds(&self, sandbox: &Sandbox, call: &Call, home: &Home, program: &Path) -> io::Result<Bounds> {
        let mut bounds = command::bounds(sandbox, call, program);
        bounds
            .variables
            .extend(self.language.variables(&home.seen_from(sandbox), sandbox));
        bounds.own.push(home.own());
        if let Some(network) = &self.network {
            network.furnish(sandbox, call, &mut bounds)?;
        }
        Ok(Bounds {
            read: self.read.clone(),
            write: self.write.clone(),
            ..bounds
        })
    }
}

impl Language {
    const fn program(&self) -> &PathBuf {
        match self {
            Self::ClaudeCode(agent) => &agent.program,
            Self::Codex(agent) => &agent.program,
        }
    }

    /// Removes what the turn before left in the agent's home, whatever it made
    /// of it, and lays the engine's own settings there.
    fn furnish(&self, home: &Home) -> io::Result<()> {
        home.sweep(&|path| self.keeps(path))?;
        match self {
            // All of its settings are arguments and variables.
            Self::ClaudeCode(_) => Ok(()),
            Self::Codex(agent) => write_quickly(&home.folder().join("config.toml"), agent.config().as_bytes()),
        }
    }

    /// What of its home an agent finds again in the next turn: conversations,
    /// which it goes on from, and a sign-in that may not be written back yet.
    fn keeps(&self, path: &Path) -> Kept {
        let parts: Option<Vec<&str>> = path.iter().map(OsStr::to_str).collect();
        match (self, parts.unwrap_or_default().as_slice()) {
            (Self::ClaudeCode(_), [name]) if *name == Account::Claude.file() => Kept::File,
            (Self::Codex(_), [name]) if *name == Account::Codex.file() => Kept::File,
            (Self::ClaudeCode(_), ["projects"] | ["projects", _]) => Kept::Folder,
            // Beside them lie notes that it reads at every start.
            (Self::ClaudeCode(_), ["projects", _, name]) if is_conversation(name) => Kept::Whole,
            (Self::Codex(_), ["sessions"]) => Kept::Whole,
            (_, _) => Kept::No,
        }
    }

    fn argv(&self, sandbox: &Sandbox, call: &Call) -> Vec<String> {
        match self {
            Self::ClaudeCode(agent) => agent.argv(&call.memory, &call.policy, sandbox.mode()),
            Self::Codex(agent) => agent.argv(),
        }
    }

    fn variables(&self, home: &Path, sandbox: &Sandbox) -> BTreeMap<String, String> {
        match self {
            Self::ClaudeCode(agent) => agent.environment(home, sandbox.mode()),
            Self::Codex(agent) => agent.environment(home),
        }
    }

    fn dialogue(&self, sandbox: &Sandbox, call: &Call) -> Box<dyn Dialogue> {
        match self {
            Self::ClaudeCode(agent) => Box::new(agent.dialogue(call.prompt.clone())),
            Self::Codex(agent) => {
                let leave = codex::leave(call.policy.permission, sandbox.mode());
                let tree = sandbox.tree_at(&call.workspace);
                Box::new(agent.dialogue(call.prompt.clone(), &call.memory, &tree, leave))
            }
        }
    }
}

/// Whether Claude Code would call a conversation, or the folder of one, so.
fn is_conversation(name: &str) -> bool {
    let id = name.strip_suffix(".jsonl").unwrap_or(name);
    id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// The answer with the files of its conversation, so that they can be kept
/// before an event names it. One that left no file, or none that can be found
/// and read, cannot be gone on with, and is not named: what the turn did counts
/// all the same.
fn remembered(home: &Home, mut answer: Answer) -> Answer {
    let found = answer.session.as_ref().map(|session| home.session_files(session));
    answer.session_files = found.and_then(Result::ok).filter(|found| !found.files.is_empty());
    if answer.session_files.is_none() {
        answer.session = None;
    }
    answer
}
