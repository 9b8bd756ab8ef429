//! One repository and everything of it that trueup keeps elsewhere.

use crate::{
    config::{self, Config},
    exit::{Exit, Failure},
    logging, render,
    secrets::secrets,
    state_place::StateFolder,
};
use std::{
    cell::OnceCell,
    collections::BTreeMap,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use trueup_core::id::{RunId, Timestamp};
use trueup_engine::{
    clock::Clock,
    driver::DriveError,
    durable::{DeskError, LocalDesk, Lost, local_desk},
    machine::{Machine, MachineError},
    sandbox::{Error, Facts, Fix, Laying, Mode, Sandbox, Setup, fixes},
    space::Space,
    state::StateRoot,
    travel::{Blobs, FolderBlobs},
    workspace::{self, RepositoryPaths, Workspaces, paths_of},
};

/// One repository, its configuration and its state.
pub(crate) struct Project {
    /// The checkout a person works in; never written by a run.
    pub(crate) checkout: PathBuf,
    /// What was configured.
    pub(crate) config: Config,
    /// Where everything else lies.
    pub(crate) state: StateRoot,
    /// The time.
    pub(crate) clock: Clock,
    /// The person's environment, read once.
    pub(crate) environment: BTreeMap<String, String>,
    /// Why there is no repository, where there is none.
    pub(crate) nowhere: Option<Nowhere>,
    /// Git, once somebody asked for it.
    workspaces: OnceCell<Workspaces>,
    /// The desk, once somebody asked for it.
    desk: OnceCell<LocalDesk>,
}

/// No repository.
pub(crate) struct Nowhere {
    /// What was found in its place.
    pub(crate) why: String,
    _folder: TempDir,
}

impl Project {
    /// Finds the repository round this folder.
    pub(crate) fn find(folder: &Path) -> Result<Self, Failure> {
        match paths_round(folder)? {
            Ok(paths) => Self::of(paths),
            Err(why) => Err(Failure::new(Exit::Usage, why).next("git init")),
        }
    }

    /// The same, or nothing of a repository where there is none: for what can be
    /// said of the machine all the same.
    pub(crate) fn find_or_nowhere(folder: &Path) -> Result<Self, Failure> {
        match paths_round(folder)? {
            Ok(paths) => Self::of(paths),
            Err(why) => Self::nowhere(why),
        }
    }

    fn of(paths: RepositoryPaths) -> Result<Self, Failure> {
        let environment = environment();
        let config = configuration(&paths.checkout, &environment)?;
        let place = state_folder(&environment)?.place(&paths);
        let checkout = paths.checkout;
        let state = open_state(&checkout, &place.root)?;
        place.remember();
        Self::opened(checkout, (config, environment), state, None)
    }

    /// An empty folder in the place of a checkout, with a state root that is
    /// thrown away with it.
    fn nowhere(why: String) -> Result<Self, Failure> {
        let environment = environment();
        let folder = tempfile::Builder::new().prefix("trueup-nowhere-").tempdir()?;
        let checkout = folder.path().join("checkout");
        std::fs::create_dir(&checkout)?;
        let config = configuration(&checkout, &environment)?;
        let state = open_state(&checkout, &folder.path().join("state"))?;
        let nowhere = Nowhere { why, _folder: folder };
        Self::opened(checkout, (config, environment), state, Some(nowhere))
    }

    fn opened(
        checkout: PathBuf,
        (config, environment): (Config, BTreeMap<String, String>),
        state: StateRoot,
        nowhere: Option<Nowhere>,
    ) -> Result<Self, Failure> {
        let clock = clock(&environment)?;
        let project = Self {
            checkout,
            config,
            state,
            clock,
            environment,
            nowhere,
            workspaces: OnceCell::new(),
            desk: OnceCell::new(),
        };
        logging::keep_out(|| secrets(&project));
        Ok(project)
    }

    /// The command that sets a key where it can be set: in the repository, or
    /// without one in the person's own file.
    pub(crate) fn config_set(&self, key: &str, value: &str) -> String {
        let flags = self.nowhere.iter().map(|_| "--user").collect::<Vec<_>>();
        config::typed(key, value, &flags)
    }

    /// The journal and desk of this repository.
    pub(crate) fn desk(&self) -> Result<LocalDesk, Failure> {
        if let Some(opened) = self.desk.get() {
            return Ok(opened.clone());
        }
        let opened = local_desk(&self.state)?;
        Ok(self.desk.get_or_init(|| opened).clone())
    }

    /// What runs are driven on.
    pub(crate) fn machine(&self) -> Result<Machine, Failure> {
        Ok(Machine {
            state: self.state.clone(),
            workspaces: self.workspaces()?,
            wall: self.setup(self.config.mode)?,
            quota: self.config.quota,
            clock: self.clock,
            agents: self.config.agents.clone(),
            preparation_secrets: self.config.preparation_secrets.clone(),
            prompts: self.config.prompts.clone(),
            tasks: self.config.tasks.clone(),
            levels: Arc::new(self.config.levels.clone()),
            rules: Arc::clone(&self.config.rules),
        })
    }

    /// The failure of a run that could not be driven further here.
    pub(crate) fn not_driven(&self, run: &RunId, error: DriveError) -> Failure {
        let name = run.as_str();
        let task = name.rsplit_once('.').map_or(name, |(task, _)| task);
        match error {
            DriveError::Desk(refused) => refused.into(),
            DriveError::Lost(Lost::Full(why)) => DeskError::Full(why).into(),
            DriveError::Machine(error) => self.unusable(error),
            DriveError::TaskChanged(differences) => {
                let what = format!(
                    "the task file was changed in what {run} rests on; undo that, or begin anew:{}",
                    render::differences(&differences)
                );
                Failure::new(Exit::Conflict, what).next(format!("trueup run {task} --anew"))
            }
            DriveError::Unheard(ref run) => {
                Failure::new(Exit::Conflict, error.to_string()).next(format!("trueup show {run}"))
            }
            DriveError::Unkept(_) => Failure::new(Exit::NotVerified, error.to_string()),
            DriveError::Lost(_) | DriveError::Replay(_) | DriveError::Illegal(_) => Failure::unexpected(error),
        }
    }

    /// The failure of a machine that cannot drive a run.
    pub(crate) fn unusable(&self, error: MachineError) -> Failure {
        match error {
            MachineError::Workspace(error) => error.into(),
            MachineError::NoWall(error) => self.no_wall(&error),
            MachineError::NoAgent(_) => Failure::new(Exit::AgentUnusable, error.to_string()).next("trueup agent list"),
            MachineError::Prompts(mut flaw) => {
                if let Ok(below) = flaw.file.strip_prefix(&self.checkout) {
                    flaw.file = below.to_owned();
                }
                Failure::new(Exit::Usage, flaw.to_string())
            }
            MachineError::BranchInTheWay(_) => {
                Failure::new(Exit::Conflict, error.to_string()).next("git branch --move trueup trueup-kept")
            }
            MachineError::Incomplete | MachineError::OtherRules => Failure::new(Exit::Conflict, error.to_string()),
            MachineError::File(error) => error.into(),
        }
    }

    /// Git, for this repository.
    pub(crate) fn workspaces(&self) -> Result<Workspaces, Failure> {
        if let Some(opened) = self.workspaces.get() {
            return Ok(opened.clone());
        }
        let opened = Workspaces::open(&self.state, &self.checkout)?;
        let opened = opened.laying(self.config.laying, env::current_exe()?);
        Ok(self.workspaces.get_or_init(|| opened).clone())
    }

    /// Bodies.
    pub(crate) fn blobs(&self) -> Arc<dyn Blobs> {
        Arc::new(FolderBlobs::at(self.state.blobs()))
    }

    /// The person's home.
    pub(crate) fn home(&self) -> Result<PathBuf, Failure> {
        home(&self.environment)
    }

    /// Space for files.
    pub(crate) fn space(&self) -> Space {
        Space::of(self.state.path(), self.config.quota)
    }

    /// The wall, or why there can be none here.
    pub(crate) fn sandbox(&self) -> Result<Sandbox, Failure> {
        Sandbox::new(self.setup(self.config.mode)?).map_err(|error| self.no_wall(&error))
    }

    /// What sandboxes of this mode are built from.
    pub(crate) fn setup(&self, mode: Mode) -> Result<Setup, Failure> {
        Ok(Setup {
            entry: env::current_exe()?,
            home: self.home()?,
            path: self.environment.get("PATH").cloned().unwrap_or_default().into(),
            environment: self.environment.clone(),
            repository: self.checkout.clone(),
            read: self.config.read.clone(),
            laying: self.config.laying,
            state: self.state.path().to_owned(),
            secrets: secrets(self),
            mode,
            sockets: self.config.sockets.clone(),
            share: self.config.share,
        })
    }

    /// The failure that says there is no wall, and how to get one.
    pub(crate) fn no_wall(&self, error: &Error) -> Failure {
        let fix = self.fixes(error).into_iter().next();
        let fix = fix.map(|fix| match fix.lines.as_slice() {
            [command] => format!(". {} Type: {command}", fix.what),
            [] | [..] => format!(". {}", fix.what),
        });
        let what = format!(
            "no sandbox, so nothing can be proved: {error}{}",
            fix.unwrap_or_default()
        );
        Failure::new(Exit::Unexpected, what).next("trueup doctor")
    }

    /// What to do about a wall that cannot stand. A path that may not be shown,
    /// or a file that cannot be written, is not the machine's fault.
    pub(crate) fn fixes(&self, error: &Error) -> Vec<Fix> {
        match (error, self.setup(Mode::Bubblewrap)) {
            (Error::Missing | Error::TooOld { .. } | Error::Unusable { .. }, Ok(setup)) => {
                fixes(&Facts::after(error, &setup))
            }
            (Error::Refused { .. } | Error::Io { .. }, _) | (_, Err(_)) => Vec::new(),
        }
    }

    /// The file of the user's own layer, if there can be one.
    pub(crate) fn user_layer(&self) -> Option<PathBuf> {
        user_layer(&self.environment)
    }
}

/// The repository round a folder, or why there is none.
fn paths_round(folder: &Path) -> Result<Result<RepositoryPaths, String>, Failure> {
    if !folder.is_dir() {
        let what = format!("there is no folder {}", folder.display());
        return Err(Failure::new(Exit::Usage, what));
    }
    match paths_of(folder) {
        Ok(paths) => Ok(Ok(paths)),
        Err(error @ workspace::Error::Bare { .. }) => {
            let next = "git worktree add ../work && cd ../work";
            Err(Failure::new(Exit::Usage, error.to_string()).next(next))
        }
        Err(workspace::Error::NoRepository { why, .. }) => {
            let place = folder.canonicalize()?;
            let what = format!("{} is not in a git repository", place.display());
            Ok(Err(match why.contains("not a git repository") {
                true => what,
                false => format!("{what} that can be used: {why}"),
            }))
        }
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// What was configured for this checkout, and by variables.
fn configuration(checkout: &Path, environment: &BTreeMap<String, String>) -> Result<Config, Failure> {
    let mut config = Config::read(checkout, user_layer(environment).as_deref())?;
    if let Some(word) = environment.get("TRUEUP_SANDBOX").filter(|word| !word.is_empty()) {
        config.mode = config::mode(Some(word), "TRUEUP_SANDBOX")?;
    }
    if config.mode != Mode::Bubblewrap {
        // A veil is a mount, and only bubblewrap has mounts of its own.
        config.laying = Laying::Copy;
    }
    Ok(config)
}

fn home(environment: &BTreeMap<String, String>) -> Result<PathBuf, Failure> {
    let home = environment.get("HOME").filter(|home| home.starts_with('/'));
    home.map(PathBuf::from)
        .ok_or_else(|| Failure::new(Exit::Usage, "HOME is not set to an absolute path").next("export HOME=~"))
}

pub(crate) fn user_layer(environment: &BTreeMap<String, String>) -> Option<PathBuf> {
    let folder = match environment.get("XDG_CONFIG_HOME").filter(|path| path.starts_with('/')) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(environment.get("HOME")?).join(".config"),
    };
    Some(folder.join("trueup/config.toml"))
}

/// `$TRUEUP_STATE`; else the platform's state folder.
pub(crate) fn state_folder(environment: &BTreeMap<String, String>) -> Result<StateFolder, Failure> {
    if let Some(path) = environment.get("TRUEUP_STATE").filter(|path| !path.is_empty()) {
        return Ok(StateFolder::Chosen(std::path::absolute(path)?));
    }
    let folder = match environment.get("XDG_STATE_HOME").filter(|path| path.starts_with('/')) {
        Some(path) => PathBuf::from(path),
        None => home(environment)?.join(".local/state"),
    };
    Ok(StateFolder::OfAll(folder.join("trueup")))
}

/// What to type where the state root cannot be.
const ELSEWHERE: &str = "export TRUEUP_STATE=/a/folder/of/your/own";

/// Opens the state root. Inside the checkout it would be untracked work, go
/// into a base by `--with-changes`, and so come before the eyes of an agent.
fn open_state(checkout: &Path, root: &Path) -> Result<StateRoot, Failure> {
    let real = |path: &Path| path.canonicalize().ok();
    let nearest = root.ancestors().find_map(real).unwrap_or_else(|| root.to_owned());
    let checkout = real(checkout).unwrap_or_else(|| checkout.to_owned());
    let in_git = nearest
        .strip_prefix(&checkout)
        .is_ok_and(|rest| rest.starts_with(".git"));
    if nearest.starts_with(&checkout) && !in_git {
        let what = format!("the state root {} lies inside the checkout", root.display());
        return Err(Failure::new(Exit::Usage, what).next(ELSEWHERE));
    }
    StateRoot::open(root).map_err(|error| {
        let what = format!("the state root {} cannot be used: {error}", root.display());
        Failure::new(Exit::Usage, what).next(ELSEWHERE)
    })
}

/// The person's environment. A variable that is no text is nobody's we know,
/// and no reason to fail.
pub(crate) fn environment() -> BTreeMap<String, String> {
    let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    env::vars_os().filter_map(text).collect()
}

/// The machine's clock, or the frozen one of `$TRUEUP_CLOCK`.
pub(crate) fn clock(environment: &BTreeMap<String, String>) -> Result<Clock, Failure> {
    let Some(text) = environment.get("TRUEUP_CLOCK") else {
        return Ok(Clock::System);
    };
    let time: jiff::Timestamp = text
        .parse()
        .map_err(|error| Failure::new(Exit::Usage, format!("TRUEUP_CLOCK={text}: {error}")))?;
    Ok(Clock::Frozen(Timestamp(time.as_millisecond())))
}
