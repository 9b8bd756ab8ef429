//! What can be seen of an agent without a word to its model: where its program
//! lies, which version it is, and by what it would sign in.

use crate::{exit::Failure, foreground::runtime, project::Project};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};
use trueup_core::criterion::Network;
use trueup_engine::{
    agent::{
        sign_in::Account,
        spec::{AgentKind, AgentSpec, find_program},
    },
    sandbox::{Bounds, Folder, HowEnded, Laid, Program, Purpose, Sandbox},
    state::{Visit, make_private},
    stop::StopSource,
};

/// How long a program may take to say its version.
const VERSION_WITHIN: Duration = Duration::from_secs(20);

/// How much of what it prints then is read.
const VERSION_LENGTH: u64 = 4096;

/// What is seen of one agent.
pub(crate) struct AgentProbe {
    /// Its name in the configuration, or the name it would customarily have.
    pub(crate) name: String,
    /// How it is spoken to.
    pub(crate) kind: AgentKind,
    /// What the configuration says of it.
    pub(crate) registration: Registration,
    /// Where its program lies, or why it cannot be called.
    pub(crate) program: Result<PathBuf, String>,
    /// Its version, or why it is not known.
    pub(crate) version: Result<String, String>,
    /// The model it asks, where the person chose one.
    pub(crate) model: Option<String>,
    /// By what it signs in.
    pub(crate) sign_in: SignIn,
}

/// What the configuration says of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registration {
    /// It works unless somebody says otherwise.
    Default,
    /// It is configured.
    Configured,
    /// It is here, and not configured.
    Unconfigured,
}

/// By what an agent signs in.
pub(crate) enum SignIn {
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

/// Every agent that is configured.
pub(crate) fn configured(project: &Project) -> Result<Vec<AgentProbe>, Failure> {
    Look::new(project)?.at_configured()
}

/// The same, and every known one that is here and could be.
pub(crate) fn all(project: &Project) -> Result<Vec<AgentProbe>, Failure> {
    let look = Look::new(project)?;
    let mut found = look.at_configured()?;
    for kind in KNOWN {
        let configured = project.config.agents.values().any(|config| config.kind == kind);
        let word = kind.program().unwrap_or_default();
        if !configured && look.program(word)?.is_absolute() {
            let config = AgentSpec::usual(kind, word);
            found.push(look.at(word, &config, Registration::Unconfigured)?);
        }
    }
    Ok(found)
}

/// What programs are looked at with.
struct Look<'a> {
    project: &'a Project,
    /// The wall behind which they say their versions, or why they are not asked.
    wall: Result<(Sandbox, Visit), String>,
}

impl<'a> Look<'a> {
    fn new(project: &'a Project) -> Result<Self, Failure> {
        let wall = match project.sandbox() {
            Ok(sandbox) => Ok((sandbox, project.state.visit()?)),
            Err(failure) => Err(failure.what),
        };
        Ok(Self { project, wall })
    }

    fn program(&self, word: &str) -> Result<PathBuf, Failure> {
        Ok(find_program(&self.project.setup(self.project.config.mode)?, word))
    }

    fn at_configured(&self) -> Result<Vec<AgentProbe>, Failure> {
        let config = &self.project.config;
        let look = |(name, agent): (&String, &AgentSpec)| {
            let registration = match config.default_agent.as_ref() == Some(name) {
                true => Registration::Default,
                false => Registration::Configured,
            };
            self.at(name, agent, registration)
        };
        config.agents.iter().map(look).collect()
    }

    fn at(&self, name: &str, config: &AgentSpec, registration: Registration) -> Result<AgentProbe, Failure> {
        let word = config.command.first().map(String::as_str).unwrap_or_default();
        let path = self.program(word)?;
        let program = path
            .canonicalize()
            .map_err(|error| format!("{}: {error}", path.display()));
        let version = match (&program, registration) {
            (Err(_), _) => Err("its program is not here".to_owned()),
            (Ok(_), Registration::Default | Registration::Configured) if self.project.require_trust().is_err() => {
                Err("not asked: this repository's commands may not run yet".to_owned())
            }
            (Ok(program), _) => self.version(config, program)?,
        };
        Ok(AgentProbe {
            name: name.to_owned(),
            kind: config.kind,
            registration,
            program,
            version,
            model: config.model.clone(),
            sign_in: sign_in(self.project, config)?,
        })
    }

    /// Has the program say its version. One of no known kind is not asked:
    /// nobody knows what it would take `--version` for.
    fn version(&self, config: &AgentSpec, program: &Path) -> Result<Result<String, String>, Failure> {
        if config.kind == AgentKind::Command {
            return Ok(Err("a command is not asked".to_owned()));
        }
        let (sandbox, visit) = match &self.wall {
            Ok(wall) => wall,
            Err(why) => return Ok(Err(why.clone())),
        };
        let folder = self.project.state.run(visit.run());
        let tree = folder.join("tree");
        make_private(&tree)?;
        let bounds = Bounds {
            tree: Folder::Plain(tree),
            own: Vec::new(),
            network: Network::Off,
            read: config.read.clone(),
            write: Vec::new(),
            lay: vec![Laid {
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
        let ended = runtime()?.block_on(sandbox.run(&bounds, &asked, &nobody.token(), &mut |_, _| {}));
        Ok(match ended.how {
            HowEnded::Exited(0) => number(&String::from_utf8_lossy(&ended.stdout.kept)),
            HowEnded::Exited(code) => Err(format!("`--version` ended with exit {code}")),
            HowEnded::TimedOut => Err("`--version` did not end in time".to_owned()),
            HowEnded::Stopped(_) | HowEnded::Dismissed => Err("`--version` was stopped".to_owned()),
            HowEnded::NotStarted(why) | HowEnded::Unserved(why) => Err(why),
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

fn sign_in(project: &Project, config: &AgentSpec) -> Result<SignIn, Failure> {
    let account = match config.kind {
        AgentKind::Command => return Ok(SignIn::ItsOwn),
        AgentKind::ClaudeCode => Account::Claude,
        AgentKind::Codex => Account::Codex,
    };
    if let Some(name) = account.variable_of(&config.variables(&project.environment)) {
        return Ok(SignIn::Variable(name));
    }
    let home = project.home()?;
    let file = account.file_of(&home, &project.environment);
    if !file.is_file() {
        return Ok(SignIn::Nothing);
    }
    Ok(SignIn::File(match file.strip_prefix(&home) {
        Ok(below) => format!("~/{}", below.display()),
        Err(_) => file.display().to_string(),
    }))
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
