//! The one way git is run.
//!
//! The environment is built from nothing and the configuration that could run
//! a program or bend what is read is overridden, so that no hook, monitor,
//! filter or setting of an agent, and none of a machine, has a say.

use super::{
    error::Error,
    lock,
    output::{GitOutput, text},
};
use crate::{
    crash,
    fault::{self, Fault},
    trace,
};
use std::{
    borrow::Cow,
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    io::Write,
    os::unix::{
        ffi::{OsStrExt as _, OsStringExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
};

/// Set for every git, whoever's repository it reads.
const ALWAYS: [(&str, &str); 7] = [
    ("LC_ALL", "C"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_ALLOW_PROTOCOL", "file"),
];

/// Set where nothing of the machine's configuration may count.
const ALONE: [(&str, &str); 3] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
];

/// What the person's own view of their repository depends on.
const PERSONAL: [&str; 11] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "USER",
    "TMPDIR",
];

/// Overridden for every git: nothing runs, nothing tidies, all is flushed.
const QUIET: [(&str, &str); 9] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.splitIndex", "false"),
    ("core.untrackedCache", "false"),
    ("core.fsync", "all"),
    ("core.fsyncMethod", "fsync"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("submodule.recurse", "false"),
];

/// Overridden where nothing of the machine's configuration may count.
const PLAIN: [(&str, &str); 16] = [
    // The one version that whoever reads indexes writes as well.
    ("index.version", "2"),
    // As many as there are processors; a checkout is mostly waiting.
    ("checkout.workers", "0"),
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.autocrlf", "false"),
    ("core.eol", "lf"),
    ("core.fileMode", "true"),
    ("core.symlinks", "true"),
    ("core.ignoreCase", "false"),
    ("core.trustctime", "true"),
    ("core.checkStat", "default"),
    ("core.logAllRefUpdates", "false"),
    ("diff.ignoreSubmodules", "all"),
    ("protocol.file.allow", "always"),
    ("protocol.version", "2"),
    ("safe.directory", "*"),
];

/// What logs call it.
const GIT: &str = "git";

/// What an empty pipe takes without anybody reading it.
const FITS_A_PIPE: usize = 4096;

/// A git about to be run, in one repository.
#[derive(Clone, Debug)]
pub(super) struct Git {
    side: Side,
    directory: PathBuf,
    variables: Vec<(OsString, OsString)>,
    config: Vec<(Cow<'static, str>, &'static str)>,
}

/// Whose repository it is.
#[derive(Clone, Debug)]
enum Side {
    /// Ours, below this state root: a stale lock is ours to remove.
    Ours(PathBuf),
    /// The person's: a lock is theirs.
    Theirs,
}

impl Git {
    /// Git in a directory of our own, below the state root.
    pub(super) fn ours(state: &Path, git_dir: &Path) -> Self {
        let mut git = Self::alone(Side::Ours(state.to_path_buf()), git_dir);
        // Packs rather than loose objects: one flush instead of thousands.
        git.config.push(("fetch.unpackLimit".into(), "1"));
        git
    }

    /// What it writes into its git directory is its owner's alone. The files
    /// it checks out keep the modes their tree gives them.
    pub(super) fn private(mut self) -> Self {
        self.config.push(("core.sharedRepository".into(), "0600"));
        self
    }

    /// Git in the person's repository, blind to their configuration elsewhere.
    pub(super) fn theirs(git_dir: &Path) -> Self {
        Self::alone(Side::Theirs, git_dir)
    }

    /// Git as the person would run it in this folder: it finds the repository,
    /// and says what is ignored or who they are by their own configuration.
    pub(super) fn as_person(folder: &Path) -> Self {
        Self {
            side: Side::Theirs,
            directory: folder.to_path_buf(),
            variables: ALWAYS.iter().map(pair).chain(personal()).collect(),
            config: QUIET.iter().map(setting).collect(),
        }
    }

    fn alone(side: Side, git_dir: &Path) -> Self {
        let mut variables: Vec<_> = ALWAYS.iter().chain(&ALONE).map(pair).collect();
        variables.push(("GIT_DIR".into(), git_dir.into()));
        Self {
            side,
            directory: git_dir.to_path_buf(),
            variables,
            config: QUIET.iter().chain(&PLAIN).map(setting).collect(),
        }
    }

    /// With this work tree.
    pub(super) fn work_tree(mut self, folder: &Path) -> Self {
        self.directory = folder.to_path_buf();
        self.variable("GIT_WORK_TREE", folder)
    }

    /// With this index.
    pub(super) fn index(self, file: &Path) -> Self {
        self.variable("GIT_INDEX_FILE", file)
    }

    /// With this variable.
    pub(super) fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.into(), value.as_ref().to_os_string()));
        self
    }

    /// In the directory it was given, but not yet as a repository.
    pub(super) fn nowhere(mut self) -> Self {
        self.variables.retain(|(name, _)| name != "GIT_DIR");
        self
    }

    /// For the one command that refuses to be told that names are names.
    pub(super) fn patterns(self) -> Self {
        self.variable("GIT_LITERAL_PATHSPECS", "0")
    }

    /// Without the programs of these filters.
    pub(super) fn without_filters(mut self, filters: impl IntoIterator<Item = String>) -> Self {
        for filter in filters {
            let programs = ["clean", "smudge", "process"].map(|program| format!("filter.{filter}.{program}"));
            self.config.extend(programs.map(|program| (program.into(), "")));
            self.config.push((format!("filter.{filter}.required").into(), "false"));
        }
        self
    }

    /// For files nobody will miss after a crash: nothing waits for the disk.
    pub(super) fn throwaway(mut self) -> Self {
        self.config.push(("core.fsync".into(), "none"));
        self
    }

    /// What git prints, which must succeed.
    pub(super) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<u8>, Error> {
        self.feed(arguments, &[])
    }

    /// What git prints, given this input; it must succeed.
    pub(super) fn feed<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Result<Vec<u8>, Error> {
        let answer = self.call(arguments, input)?;
        if answer.succeeded() {
            Ok(answer.stdout)
        } else {
            Err(failed(arguments, &answer.stderr))
        }
    }

    /// The one line git prints, which must succeed.
    pub(super) fn line<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<String, Error> {
        Ok(text(&self.run(arguments)?))
    }

    /// What git says, whatever it is. Waits for locks.
    pub(super) fn call<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Result<GitOutput, Error> {
        let ours = match &self.side {
            Side::Ours(state) => Some(state.as_path()),
            Side::Theirs => None,
        };
        lock::patiently(ours, || self.once(arguments, input))
    }

    /// Sends what this git prints into another one.
    pub(super) fn pipe(&self, arguments: &[&str], input: &[u8], into: &Self, then: &[&str]) -> Result<(), Error> {
        let (sending, receiving) = (trace::Child::outside(GIT, arguments), trace::Child::outside(GIT, then));
        let mut source = self.spawn(arguments)?;
        give(source.stdin.take(), input);
        let packed = source.stdout.take().map_or_else(Stdio::null, Stdio::from);
        let sink = into.command(then)?.stdin(packed).stdout(Stdio::null()).spawn();
        crash::spawned("git.spawned");
        let sunk = sink
            .and_then(Child::wait_with_output)
            .map_err(Error::at(&into.directory))?;
        receiving.exited(sunk.status);
        let sent = source.wait_with_output().map_err(Error::at(&self.directory))?;
        sending.exited(sent.status);
        if !sent.status.success() {
            return Err(failed(arguments, &text(&sent.stderr)));
        }
        if !sunk.status.success() {
            return Err(failed(then, &text(&sunk.stderr)));
        }
        Ok(())
    }

    fn once<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Result<GitOutput, Error> {
        let traced = trace::Child::outside(GIT, arguments);
        let mut child = self.spawn(arguments)?;
        let stdin = child.stdin.take();
        let output = if input.len() <= FITS_A_PIPE {
            give(stdin, input);
            child.wait_with_output()
        } else {
            thread::scope(|scope| {
                scope.spawn(|| give(stdin, input));
                child.wait_with_output()
            })
        };
        let output = output.map_err(Error::at(&self.directory))?;
        traced.exited(output.status);
        Ok(GitOutput {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: text(&output.stderr),
        })
    }

    fn spawn<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Child, Error> {
        let mut command = self.command(arguments)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = command.spawn().map_err(Error::at(&self.directory))?;
        crash::spawned("git.spawned");
        Ok(child)
    }

    fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Command, Error> {
        let (program, path) = program()?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.directory).env_clear();
        command.env("PATH", path).envs(self.variables.iter().cloned());
        command.env("GIT_CONFIG_COUNT", self.config.len().to_string());
        for (number, (key, value)) in self.config.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{number}"), key.as_ref());
            command.env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        // Ctrl-C at a terminal goes to a whole process group; what git is doing is ours to finish.
        command.stderr(Stdio::piped()).process_group(0);
        Ok(command)
    }
}

fn failed<S: AsRef<OsStr>>(arguments: &[S], said: &str) -> Error {
    let verb = arguments
        .first()
        .map(|verb| verb.as_ref().to_string_lossy().into_owned());
    Error::Git {
        verb: verb.unwrap_or_default(),
        why: said.to_string(),
    }
}

/// What is known of where programs may be taken from.
struct Origins {
    /// The repositories that this process works for.
    repositories: BTreeSet<PathBuf>,
    /// Where git was found outside of them, and the PATH for it.
    found: Option<(PathBuf, OsString)>,
}

static ORIGINS: Mutex<Origins> = Mutex::new(Origins {
    repositories: BTreeSet::new(),
    found: None,
});

/// From now on no program is taken from the repository round this folder,
/// wherever it stands on the PATH: whoever wrote it is not trusted by that.
pub fn take_nothing_from(folder: &Path) {
    let Ok(folder) = folder.canonicalize() else { return };
    let root = folder.ancestors().find(|above| above.join(".git").exists());
    if let (Some(root), Ok(mut origins)) = (root, ORIGINS.lock())
        && origins.repositories.insert(root.to_owned())
    {
        origins.found = None;
    }
}

/// Where git is, and a PATH for it; looked for once. Relative entries are
/// dropped: git is run in folders an agent has written, and must not find itself
/// there.
pub fn program() -> Result<(PathBuf, OsString), Error> {
    let mut origins = ORIGINS.lock().map_err(|_| Error::NoGit)?;
    if origins.found.is_none() {
        origins.found = find(&origins.repositories);
    }
    origins.found.clone().ok_or(Error::NoGit)
}

fn find(repositories: &BTreeSet<PathBuf>) -> Option<(PathBuf, OsString)> {
    let path = env::var_os("PATH")?;
    let lies_in_one = |path: &Path| repositories.iter().any(|root| path.starts_with(root));
    let is_ours = |entry: &PathBuf| {
        if fault::planted(Fault::RunsAnyProgram) {
            return true;
        }
        let leads_there = entry.canonicalize().is_ok_and(|real| lies_in_one(&real));
        entry.is_absolute() && !lies_in_one(entry) && !leads_there
    };
    let entries: Vec<PathBuf> = env::split_paths(&path).filter(is_ours).collect();
    let mut programs = entries.iter().map(|entry| entry.join("git"));
    let program = programs.find(|file| file.is_file())?;
    Some((program, env::join_paths(&entries).ok()?))
}

fn give(stdin: Option<impl Write>, input: &[u8]) {
    if let Some(mut stdin) = stdin {
        // A git that stops reading says why in its exit and its words.
        drop(stdin.write_all(input));
    }
}

/// A path as git reads it from a list of paths: quoted, so that a colon in it
/// does not end it.
pub(super) fn quoted(path: &Path) -> OsString {
    let mut quoted = vec![b'"'];
    for byte in path.as_os_str().as_bytes() {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    quoted.push(b'"');
    OsString::from_vec(quoted)
}

/// What the person's own view of their repository depends on, as it is here.
pub(super) fn personal() -> impl Iterator<Item = (OsString, OsString)> {
    PERSONAL
        .iter()
        .filter_map(|name| Some((name.into(), env::var_os(name)?)))
}

fn setting((key, value): &(&'static str, &'static str)) -> (Cow<'static, str>, &'static str) {
    (Cow::Borrowed(key), value)
}

fn pair((name, value): &(&str, &str)) -> (OsString, OsString) {
    (name.into(), value.into())
}
