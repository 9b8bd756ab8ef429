//! One statement that must hold, and the checks that execute it.

use crate::{
    digest::Digest,
    id::{CheckId, CriterionId, TreeId},
    kind::{Format, Kind, Ratchet},
    scope::Scope,
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use serde::{Deserialize, Serialize};

/// One statement that must hold in the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// Its printed id.
    pub id: CriterionId,
    /// The statement, as the author wrote it.
    pub text: String,
    /// The line of the task file it stands on.
    pub line: u32,
    /// How it is executed; all of them must hold. Empty means unverifiable.
    pub checks: Vec<Check>,
}

/// One line under a criterion: how it is executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Its id within the task.
    pub id: CheckId,
    /// What it must show on the base.
    pub role: Role,
    /// Whether the agent may know of it.
    pub sight: Visibility,
    /// The line of the task file it stands on.
    pub line: u32,
    /// The check as the author wrote it, without the leading word.
    pub source: String,
    /// What is executed.
    pub how: CheckMethod,
}

/// What a check must show on the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Red on the base, green in the end.
    Goal,
    /// Green on the base, and stays so.
    Guard,
}

/// Whether an agent may know of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// The agent is told the check and what it saw.
    Open,
    /// The agent hears only the criterion's text; the files lie in blobs and
    /// are laid only into clean rooms.
    Hidden(Vec<HiddenFile>),
}

/// A file that only clean rooms ever hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenFile {
    /// Where it is laid, relative to the tree.
    pub path: String,
    /// Its bytes, by digest.
    pub blob: Digest,
    /// Whether it may be executed.
    pub mode: FileMode,
}

/// The one permission git and trueup both care about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileMode {
    /// A plain file.
    Plain,
    /// A file that may be executed.
    Executable,
}

/// What is executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckMethod {
    /// A program in a clean room; exit 0 passes.
    Command(Execution),
    /// A program the project named in `[checks.NAME]`.
    Named {
        /// Its name.
        name: String,
        /// What the name stands for.
        execution: Execution,
    },
    /// The tree holds this file.
    FileExists {
        /// The path, relative to the tree.
        path: String,
    },
    /// The tree holds this file, and its text matches.
    FileHas {
        /// The path, relative to the tree.
        path: String,
        /// A regular expression.
        pattern: String,
    },
    /// No file of the tree that the glob selects matches.
    NoneIn {
        /// A regular expression.
        pattern: String,
        /// Which files.
        glob: String,
    },
    /// The difference to the base stays inside the task's scope.
    InScope {
        /// What the difference is taken against.
        base: TreeId,
        /// The limits.
        scope: Scope,
    },
    /// One test ran, among those that a named check runs, and passed.
    Test {
        /// The test, as its runner or the author spells it.
        name: String,
        /// The check that runs it.
        of: String,
        /// What that name stands for.
        execution: Execution,
    },
    /// Tests that the run wrote or changed ran, among those that a named check
    /// runs, and passed. Whether they show its work, a control decides.
    RunTests {
        /// Only those of this name, where the author says one.
        name: Option<String>,
        /// The check that runs them.
        of: String,
        /// What the run started from; filled in when a base is known.
        since: Option<TreeId>,
        /// What that name stands for.
        execution: Execution,
    },
    /// Tests reach so much of the code.
    Coverage {
        /// Of which lines.
        of: Measured,
        /// How much, in hundredths of a percent.
        least: u32,
        /// The check that measures it.
        by: String,
        /// What that name stands for.
        execution: Execution,
    },
    /// A service answers a request.
    Http {
        /// The request's method.
        method: String,
        /// What is asked for, from the slash on.
        path: String,
        /// The status that must come.
        status: u16,
        /// The service that is asked, and how long it may take.
        execution: Execution,
    },
    /// A person looks, and says so. It never passes by itself.
    Manual {
        /// Who is asked.
        who: String,
        /// What they shall do.
        steps: String,
    },
}

/// Which lines coverage is measured of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measured {
    /// All that the report knows.
    All,
    /// Those that differ from this tree; filled in when a base is known.
    Changed {
        /// That tree.
        since: Option<TreeId>,
    },
}

/// A program with its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// The program and its arguments; never a shell line.
    pub argv: Vec<String>,
    /// How long it may take.
    pub timeout_ms: u64,
    /// Whether it may reach the network.
    pub network: Network,
    /// Folders of the tree whose content from the base warms later rooms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cache: Vec<String>,
    /// What has to run beside it, in the order in which it is started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<Service>,
    /// Sockets of the machine it may reach, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sockets: Vec<String>,
    /// What it looks at.
    #[serde(default, skip_serializing_if = "Kind::is_plain")]
    pub kind: Kind,
    /// How what it wrote is read; by its exit code alone where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parse: Option<Format>,
    /// Which findings make it red.
    #[serde(default, skip_serializing_if = "Ratchet::is_none")]
    pub ratchet: Ratchet,
}

/// What stands in a check's words for the folder in which it writes reports.
pub const OUT: &str = "{{out}}";

impl Execution {
    /// A program with nothing beside it, judged by its exit code.
    pub const fn new(argv: Vec<String>, timeout_ms: u64, network: Network) -> Self {
        Self {
            argv,
            timeout_ms,
            network,
            cache: Vec::new(),
            services: Vec::new(),
            sockets: Vec::new(),
            kind: Kind::Plain,
            parse: None,
            ratchet: Ratchet::None,
        }
    }

    /// Whether it writes its report into the folder it is given.
    pub fn writes_out(&self) -> bool {
        self.argv.iter().any(|word| word.contains(OUT))
    }
}

/// A program that runs beside a check, in the same sandbox, while it lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// Its name in the configuration.
    pub name: String,
    /// The program and its arguments; it stays in the foreground.
    pub argv: Vec<String>,
    /// A program that exits with 0 once the service can be used; without one,
    /// the port accepts a connection.
    pub ready: Option<Vec<String>>,
    /// Where it listens.
    pub port: Option<u16>,
}

/// Whether a sandbox may reach the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Network {
    /// Only its own loopback.
    Off,
    /// The model of an agent, and what a person named besides.
    Model,
    /// What the machine reaches.
    On,
}

impl Check {
    /// What is executed, as words; facts about trees are spelled like commands.
    pub fn argv(&self) -> Vec<String> {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        let and = |first: &[&str], rest: &[String]| {
            let first = first.iter().map(ToString::to_string);
            first.chain(rest.iter().cloned()).collect()
        };
        match &self.how {
            CheckMethod::Command(execution) | CheckMethod::Named { execution, .. } => execution.argv.clone(),
            CheckMethod::Test { name, execution, .. } => and(&["test", name, "in"], &execution.argv),
            CheckMethod::RunTests { name, execution, .. } => match name {
                Some(name) => and(&["test", name, "of this run in"], &execution.argv),
                None => and(&["tests of this run in"], &execution.argv),
            },
            CheckMethod::Coverage {
                of, least, execution, ..
            } => {
                let of = match of {
                    Measured::All => "all",
                    Measured::Changed { .. } => "changed",
                };
                and(&["coverage", of, ">=", &least.to_string(), "by"], &execution.argv)
            }
            CheckMethod::Http {
                method, path, status, ..
            } => words(&["http", method, path, "is", &status.to_string()]),
            CheckMethod::Manual { who, steps } => words(&["manual", who, steps]),
            CheckMethod::FileExists { path } => words(&["file", path, "exists"]),
            CheckMethod::FileHas { path, pattern } => words(&["file", path, "has", &format!("/{pattern}/")]),
            CheckMethod::NoneIn { pattern, glob } => words(&["no", &format!("/{pattern}/"), "in", glob]),
            CheckMethod::InScope { .. } => words(&["scope"]),
        }
    }

    /// Whether the check runs a program, in a clean room.
    pub const fn execution(&self) -> Option<&Execution> {
        match &self.how {
            CheckMethod::Command(execution)
            | CheckMethod::Named { execution, .. }
            | CheckMethod::Test { execution, .. }
            | CheckMethod::RunTests { execution, .. }
            | CheckMethod::Coverage { execution, .. }
            | CheckMethod::Http { execution, .. } => Some(execution),
            CheckMethod::FileExists { .. }
            | CheckMethod::FileHas { .. }
            | CheckMethod::NoneIn { .. }
            | CheckMethod::InScope { .. }
            | CheckMethod::Manual { .. } => None,
        }
    }

    /// The same, to be told what was learnt of it later.
    pub const fn execution_mut(&mut self) -> Option<&mut Execution> {
        match &mut self.how {
            CheckMethod::Command(execution)
            | CheckMethod::Named { execution, .. }
            | CheckMethod::Test { execution, .. }
            | CheckMethod::RunTests { execution, .. }
            | CheckMethod::Coverage { execution, .. }
            | CheckMethod::Http { execution, .. } => Some(execution),
            CheckMethod::FileExists { .. }
            | CheckMethod::FileHas { .. }
            | CheckMethod::NoneIn { .. }
            | CheckMethod::InScope { .. }
            | CheckMethod::Manual { .. } => None,
        }
    }

    /// What it looks at.
    pub fn kind(&self) -> Kind {
        self.execution().map_or(Kind::Plain, |execution| execution.kind)
    }

    /// Whether a way is known to make it fail on purpose.
    pub fn can_be_challenged(&self) -> bool {
        match (self.kind(), self.role) {
            (Kind::Plain, _) => false,
            (Kind::Lint | Kind::Types | Kind::Build, _) | (Kind::Tests(_), Role::Goal) => true,
            (Kind::Tests(runner) | Kind::Coverage(runner), _) => runner.takes_canaries(),
        }
    }

    /// Whether a person has to answer it.
    pub const fn is_manual(&self) -> bool {
        matches!(self.how, CheckMethod::Manual { .. })
    }

    /// The test that it asks for by name.
    pub fn asked_test(&self) -> Option<&str> {
        match &self.how {
            CheckMethod::Test { name, .. } => Some(name),
            CheckMethod::RunTests { name, .. } => name.as_deref(),
            CheckMethod::Command(_)
            | CheckMethod::Named { .. }
            | CheckMethod::FileExists { .. }
            | CheckMethod::FileHas { .. }
            | CheckMethod::NoneIn { .. }
            | CheckMethod::InScope { .. }
            | CheckMethod::Coverage { .. }
            | CheckMethod::Http { .. }
            | CheckMethod::Manual { .. } => None,
        }
    }

    /// Whether its yardstick is what the run itself wrote.
    pub const fn is_of_run(&self) -> bool {
        matches!(self.how, CheckMethod::RunTests { .. })
    }

    /// The digest of everything that defines this check but the tree: role,
    /// words, limits, hidden files. A changed definition is another check.
    pub fn definition(&self) -> Digest {
        let mut fields: Vec<Vec<u8>> = vec![match self.role {
            Role::Goal => b"goal".to_vec(),
            Role::Guard => b"guard".to_vec(),
        }];
        if let Some(execution) = self.execution() {
            fields.push(execution.timeout_ms.to_be_bytes().to_vec());
            fields.push(match execution.network {
                Network::Off => b"offline".to_vec(),
                Network::Model => b"model".to_vec(),
                Network::On => b"online".to_vec(),
            });
            fields.extend(execution.cache.iter().map(|path| format!("cache {path}").into_bytes()));
            fields.extend(execution.services.iter().flat_map(Service::fields));
            fields.extend(
                execution
                    .sockets
                    .iter()
                    .map(|path| format!("socket {path}").into_bytes()),
            );
            if execution.kind != Kind::Plain || execution.parse.is_some() || !execution.ratchet.is_none() {
                let read = (execution.kind, execution.parse, execution.ratchet);
                fields.push(format!("{read:?}").into_bytes());
            }
        }
        if let CheckMethod::Coverage {
            of: Measured::Changed { since },
            ..
        }
        | CheckMethod::RunTests { since, .. } = &self.how
        {
            fields.push(format!("since {since:?}").into_bytes());
        }
        if let CheckMethod::InScope { base, scope } = &self.how {
            fields.push(base.as_str().as_bytes().to_vec());
            fields.extend(scope.touch.iter().map(|glob| format!("touch {glob}").into_bytes()));
            fields.extend(scope.never.iter().map(|glob| format!("never {glob}").into_bytes()));
            fields.push(format!("{:?}", scope.max_new_lines).into_bytes());
        }
        if let Visibility::Hidden(files) = &self.sight {
            for file in files {
                fields.push(file.path.as_bytes().to_vec());
                fields.push(file.blob.as_str().as_bytes().to_vec());
                fields.push(format!("{:?}", file.mode).into_bytes());
            }
        }
        Digest::of_fields(fields.iter().map(Vec::as_slice))
    }
}

impl Service {
    /// Everything that defines it. The counts keep words of one kind from
    /// being read as words of the next.
    fn fields(&self) -> Vec<Vec<u8>> {
        let ready = self.ready.as_deref().unwrap_or_default();
        let counts = format!("service {} {} {:?}", self.argv.len(), ready.len(), self.port);
        let words = self.argv.iter().chain(ready);
        [counts.into_bytes(), self.name.clone().into_bytes()]
            .into_iter()
            .chain(words.map(|word| word.as_bytes().to_vec()))
            .collect()
    }
}

impl Criterion {
    /// The digest of the statement itself.
    pub fn digest(&self) -> Digest {
        Digest::of_fields([self.id.as_str().as_bytes(), self.text.as_bytes()])
    }
}
