//! An agent one speaks with: what Claude Code and Codex have in common, which
//! is everything but their languages.

use super::{
    Answer, Call, Happening,
    claude_code::ClaudeCode,
    codex::{self, Codex},
    command,
    converse::{Talk, converse},
    dialogue::Dialogue,
    home::Home,
    sign_in::{Account, SignIn},
};
use crate::{
    sandbox::{Bounds, Sandbox},
    spool::write_quickly,
    stop::StopToken,
};
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

/// An agent one speaks with.
#[derive(Clone, Debug)]
pub struct Spoken {
    /// Its language.
    pub language: Language,
    /// Folders it may also read.
    pub read: Vec<PathBuf>,
    /// Folders it may also write.
    pub write: Vec<PathBuf>,
    /// Whose sign-in it is lent.
    pub person: Person,
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

impl Spoken {
    pub(super) async fn call(
        &self,
        sandbox: &Sandbox,
        call: &Call,
        stop: &StopToken,
        live: &mut dyn FnMut(Happening<'_>),
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
        live: &mut dyn FnMut(Happening<'_>),
    ) -> io::Result<Answer> {
        let program = self.language.program();
        let program = program
            .canonicalize()
            .map_err(|error| io::Error::other(format!("{}: {error}", program.display())))?;
        let home = Home::open(call.home.clone())?;
        self.language.furnish(home.folder())?;
        let talk = Talk {
            argv: self.argv(sandbox, call, &program),
            bounds: self.bounds(sandbox, call, &home, &program),
            policy: call.policy,
            sign_in: self.lend(home.folder())?,
        };
        let mut dialogue = self.language.dialogue(sandbox, call);
        let mut answer = converse(sandbox, talk, dialogue.as_mut(), stop, live).await;
        remember(&home, &mut answer)?;
        Ok(answer)
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

    fn bounds(&self, sandbox: &Sandbox, call: &Call, home: &Home, program: &Path) -> Bounds {
        let mut bounds = command::bounds(sandbox, call, program);
        bounds
            .variables
            .extend(self.language.variables(&home.seen_from(sandbox), sandbox));
        bounds.own.push(home.own());
        Bounds {
            read: self.read.clone(),
            write: self.write.clone(),
            ..bounds
        }
    }
}

impl Language {
    const fn program(&self) -> &PathBuf {
        match self {
            Self::ClaudeCode(agent) => &agent.program,
            Self::Codex(agent) => &agent.program,
        }
    }

    /// Lays the engine's own settings into the agent's home.
    fn furnish(&self, home: &Path) -> io::Result<()> {
        match self {
            // All of its settings are arguments and variables.
            Self::ClaudeCode(_) => Ok(()),
            Self::Codex(agent) => {
                let config = home.join("config.toml");
                // The agent may have made anything of it in the turn before.
                match std::fs::remove_file(&config) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    Ok(()) | Err(_) => {}
                }
                write_quickly(&config, agent.config().as_bytes())
            }
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

/// Has the conversation on disk before an event names it. One that left no
/// file cannot be gone on with, and is not named.
fn remember(home: &Home, answer: &mut Answer) -> io::Result<()> {
    if let Some(session) = &answer.session
        && home.sync(session)? == 0
    {
        answer.session = None;
    }
    Ok(())
}
