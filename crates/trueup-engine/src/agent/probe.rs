//! What can be seen of an agent without a word to its model: where its program
//! lies, which version it is, and by what it would sign in.

use super::{
    sign_in::Account,
    spec::{AgentKind, AgentSpec, find_program},
};
use crate::{
    sandbox::{Bounds, Folder, HowEnded, Program, Purpose, ReadOnlyMount, Sandbox, Setup},
    state::{StateRoot, Visit, make_private},
    stop::StopSource,
};
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::Duration,
};
use trueup_core::criterion::Network;

/// How long a program may take to say its version.
const VERSION_WITHIN: Duration = Duration::from_secs(20);

/// How much of what it prints then is read.
const VERSION_LENGTH: u64 = 4096;

/// What is seen of one agent.
#[derive(Clone, Debug)]
pub struct AgentProbe {
    /// Its name in the configuration, or the name it would customarily have.
    pub name: String,
    /// How it is spoken to.
    pub kind: AgentKind,
    /// Where its program lies, or why it cannot be called.
    pub program: Result<PathBuf, String>,
    /// Its version, or why it is not known.
    pub version: Result<String, String>,
    /// The model it asks, where the person chose one.
    pub model: Option<String>,
    /// By what it signs in.
    pub sign_in: SignInSource,
}

/// By what an agent signs in.
#[derive(Clone, Debug)]
pub enum SignInSource {
    /// By a variable of this name.
    Variable(&'static str),
    /// By this file of the person's.
    File(String),
    /// By nothing that was found.
    Nothing,
    /// trueup knows nothing of it.
    ItsOwn,
}

/// The kinds that are looked for on the PATH.
const KNOWN: [AgentKind; 2] = [AgentKind::ClaudeCode, AgentKind::Codex];

/// Whether an agent's program may be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A person allowed what the repository configures, or it configures nothing of this.
    Given,
    /// Nobody allowed it yet.
    Missing,
}

/// What programs are looked at with.
#[derive(Debug)]
pub struct Look<'a> {
    state: &'a StateRoot,
    setup: Setup,
    /// The wall behind which they say their versions, or why they are not asked.
    wall: Result<(Sandbox, Visit), String>,
}

impl<'a> Look<'a> {
    /// Looks from here, behind this wall, or says why there is none.
    pub fn new(state: &'a StateRoot, setup: Setup, sandbox: Result<Sandbox, String>) -> io::Result<Self> {
        let wall = match sandbox {
            Ok(sandbox) => Ok((sandbox, state.visit()?)),
            Err(why) => Err(why),
        };
        Ok(Self { state, setup, wall })
    }

    /// Every known agent that is here and not among these.
    pub fn others(&self, agents: &BTreeMap<String, AgentSpec>) -> Vec<(&'static str, AgentSpec)> {
        let missing = KNOWN
            .into_iter()
            .filter(|kind| agents.values().all(|spec| spec.kind != *kind));
        let here = missing.filter_map(|kind| {
            let word = kind.program()?;
            let is_here = find_program(&self.setup, word).is_absolute();
            is_here.then(|| (word, AgentSpec::usual(kind, word)))
        });
        here.collect()
    }

    /// Looks at one agent.
    pub async fn at(&self, name: &str, spec: &AgentSpec, trust: Trust) -> io::Result<AgentProbe> {
        let program = spec.program(&self.setup);
        let version = match (&program, trust) {
            (Err(_), _) => Err("its program is not here".to_owned()),
            (Ok(_), Trust::Missing) => Err("not asked: this repository's commands may not run yet".to_owned()),
            (Ok(program), Trust::Given) => self.version(spec, program).await?,
        };
        Ok(AgentProbe {
            name: name.to_owned(),
            kind: spec.kind,
            program,
            version,
            model: spec.model.clone(),
            sign_in: self.sign_in(spec),
        })
    }

    /// Has the program say its version. One of no known kind is not asked:
    /// nobody knows what it would take `--version` for.
    async fn version(&self, spec: &AgentSpec, program: &Path) -> io::Result<Result<String, String>> {
        if spec.kind == AgentKind::Command {
            return Ok(Err("a command is not asked".to_owned()));
        }
        let (sandbox, visit) = match &self.wall {
            Ok(wall) => wall,
            Err(why) => return Ok(Err(why.clone())),
        };
        let folder = self.state.run(visit.run());
        let tree = folder.join("tree");
        make_private(&tree)?;
        let bounds = Bounds {
            tree: Folder::Plain(tree),
            own: Vec::new(),
            network: Network::Off,
            egress: None,
            read: spec.read.clone(),
            write: Vec::new(),
            lay: vec![ReadOnlyMount {
                host: program.to_owned(),
                inner: program.to_owned(),
            }],
            services: Vec::new(),
            sockets: Vec::new(),
            variables: BTreeMap::new(),
            alive: folder.join("alive"),
        };
        let asked = Program {
            purpose: Purpose::Probe,
            argv: vec![program.display().to_string(), "--version".to_owned()],
            stdin: Vec::new(),
            time_limit: VERSION_WITHIN,
            output_limit: VERSION_LENGTH,
        };
        let nobody = StopSource::default();
        let ended = sandbox.run(&bounds, &asked, &nobody.token(), &mut |_, _| {}).await;
        Ok(match ended.how {
            HowEnded::Exited(0) => number(&String::from_utf8_lossy(&ended.stdout.kept)),
            HowEnded::Exited(code) => Err(format!("`--version` ended with exit {code}")),
            HowEnded::TimedOut => Err("`--version` did not end in time".to_owned()),
            HowEnded::Overran(excess) => Err(format!("`--version` took {excess}")),
            HowEnded::Stopped(_) | HowEnded::Dismissed => Err("`--version` was stopped".to_owned()),
            HowEnded::NotStarted(why) | HowEnded::Unserved(why) => Err(why),
        })
    }

    fn sign_in(&self, spec: &AgentSpec) -> SignInSource {
        let account = match spec.kind {
            AgentKind::Command => return SignInSource::ItsOwn,
            AgentKind::ClaudeCode => Account::Claude,
            AgentKind::Codex => Account::Codex,
        };
        let Setup { home, environment, .. } = &self.setup;
        if let Some(name) = account.variable_of(&spec.variables(environment)) {
            return SignInSource::Variable(name);
        }
        let file = account.file_of(home, environment);
        if !file.is_file() {
            return SignInSource::Nothing;
        }
        SignInSource::File(match file.strip_prefix(home) {
            Ok(below) => format!("~/{}", below.display()),
            Err(_) => file.display().to_string(),
        })
    }
}

/// The version in `2.1.325 (Claude Code)` or `codex-cli 0.166.0`.
fn number(said: &str) -> Result<String, String> {
    let starts = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    let found = said.split_whitespace().find(starts);
    found
        .map(str::to_owned)
        .ok_or_else(|| "`--version` says none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_version_is_the_first_word_that_begins_with_a_digit() {
        assert_eq!(number("2.1.325 (Claude Code)\n").as_deref(), Ok("2.1.325"));
        assert_eq!(number("codex-cli 0.166.0\n").as_deref(), Ok("0.166.0"));
        assert!(number("no number\n").is_err() && number("").is_err());
    }
}
