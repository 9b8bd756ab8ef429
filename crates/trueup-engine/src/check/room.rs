//! A program in a clean room: a fresh checkout of the candidate's own bytes.

use super::{
    altered::Stamps,
    checks::Checks,
    ground::LaidLayers,
    http,
    report::{self, ReportFolder, Stdout},
};
use crate::{
    blocking::blocking,
    deep,
    halt::Halt,
    layer::{InTheWay, Shown},
    sandbox::{Bounds, Ended, Folder, HowEnded, Output, Program, Purpose, Stream},
    stop::StopSource,
    workspace::Room,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Component, Path, PathBuf},
    time::Duration,
};
use trueup_core::{
    criterion::{self, Check, CheckMethod, Execution, FileMode, HiddenFile},
    evidence::{CHECK_OUTPUT_LIMIT, CheckOutcome},
    id::TreeId,
};
use trueup_inspect::{challenge::Overlay, report::Report};

/// What one execution of a program gave, before anybody judges it.
pub(super) struct ProgramRun {
    /// Its exit code; or what was seen where it did not run to its end.
    pub(super) ended: Result<i32, CheckOutcome>,
    /// What it wrote to its standard output.
    pub(super) stdout: Output,
    /// What it wrote to its standard error.
    pub(super) stderr: Output,
    /// What it reported, or why that cannot be read; nothing where it is not
    /// asked for a report.
    pub(super) report: Option<Result<Report, String>>,
    /// Files of the tree that it wrote or took away; nothing is looked at where
    /// something else was laid over them.
    pub(super) altered: Vec<String>,
}

impl ProgramRun {
    /// It did not run at all.
    pub(super) fn not(why: impl Into<String>) -> Self {
        Self {
            ended: Err(CheckOutcome::CannotRun { why: why.into() }),
            stdout: Output::default(),
            stderr: Output::default(),
            report: None,
            altered: Vec::new(),
        }
    }
}

/// What a program finds: a tree's own bytes, and what is laid over them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contents<'a> {
    /// The tree.
    pub(super) tree: &'a TreeId,
    /// What is laid over it.
    pub(super) overlay: &'a [Overlay],
    /// Variables besides those of every check.
    pub(super) variables: &'a BTreeMap<String, String>,
}

static NO_VARIABLES: BTreeMap<String, String> = BTreeMap::new();

impl<'a> From<&'a TreeId> for Contents<'a> {
    fn from(tree: &'a TreeId) -> Self {
        Self {
            tree,
            overlay: &[],
            variables: &NO_VARIABLES,
        }
    }
}

/// Lays a file over a room's own.
fn lay(file: &Overlay, room: &Path) -> io::Result<()> {
    let path = own_path(room, Path::new(&file.path))?;
    let there = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file);
    deep::clear(&path)?;
    if let Some(bytes) = &file.bytes {
        fs::write(&path, bytes)?;
        if let Some(there) = there {
            fs::set_permissions(&path, there.permissions())?;
        }
    }
    Ok(())
}

impl Checks {
    /// Executes a check's program in a fresh room, once.
    pub(super) async fn run_in_room(
        &self,
        held: Contents<'_>,
        check: &Check,
        execution: &Execution,
        laid: &LaidLayers,
    ) -> Result<ProgramRun, Halt> {
        let place = ProgramLocation::of(check, execution);
        if let (ProgramLocation::OnPath, Some(word)) = (place, execution.argv.first())
            && self.sandbox.resolve(word).is_none()
        {
            return Ok(ProgramRun::not(format!(
                "the program `{word}` is not on the PATH inside the sandbox"
            )));
        }
        if let Err(error) = self.sandbox.demand_sockets(&execution.sockets) {
            return Ok(ProgramRun::not(error.to_string()));
        }
        self.layers.wait_until_later(&laid.cached).await?;
        let LaidRoom { room, shown, stamps } = match self.lay_room(held, check, laid).await? {
            Ok(laid) => laid,
            Err(InTheWay(why)) => return Ok(ProgramRun::not(why)),
        };
        let (checks, asked) = (self.clone(), check.clone());
        let out = match execution.writes_out() {
            true => Some(blocking(move || ReportFolder::make(&checks, asked.id.as_str())).await?),
            false => None,
        };
        let bounds = Bounds {
            tree: Folder::from(room.path()),
            own: shown
                .own
                .iter()
                .cloned()
                .chain(out.as_ref().map(ReportFolder::own))
                .collect(),
            network: execution.network,
            egress: None,
            read: Vec::new(),
            write: Vec::new(),
            lay: Vec::new(),
            services: execution.services.clone(),
            sockets: execution.sockets.clone(),
            variables: held.variables.clone(),
            alive: self.alive.clone(),
        };
        let argv = self.argv(check, execution, out.as_ref());
        let (ended, said) = self.perform(&bounds, argv, execution).await;
        if matches!(ended.how, HowEnded::Stopped(_)) {
            return Err(self.why_stopped());
        }
        let saw = place.ended(ended.how);
        let place = room.path().to_owned();
        let altered = blocking(move || stamps.map(|stamps| stamps.altered(&place))).await;
        // What was left where there was no space would warm others with half a build.
        if saw.is_ok() && self.space.at_work().is_none() {
            self.layers.fill(&laid.cached, execution, &room).await?;
        }
        let inner = self.sandbox.tree_at(&bounds.tree).display().to_string();
        let (parse, secrets) = (execution.parse, self.sandbox.secrets().clone());
        // Reading a long report and removing a large tree take a while.
        let read = blocking(move || {
            let report = parse.map(|format| match &out {
                Some(out) => out.read(format),
                None => said.read(format),
            });
            drop((room, shown, out));
            report.map(|read| read.map(|read| report::tidied(read, &inner, &secrets)))
        });
        Ok(ProgramRun {
            report: read.await,
            ended: saw,
            stdout: ended.stdout,
            stderr: ended.stderr,
            altered: altered.unwrap_or_default(),
        })
    }

    /// What is really executed.
    fn argv(&self, check: &Check, execution: &Execution, out: Option<&ReportFolder>) -> Vec<String> {
        if let CheckMethod::Http {
            method, path, status, ..
        } = &check.how
        {
            return http::argv(&self.sandbox, execution, (method, path, *status));
        }
        match out {
            Some(out) => out.named_in(&execution.argv, &self.sandbox),
            None => execution.argv.clone(),
        }
    }

    /// Runs the program, and listens to what it reports on standard output.
    async fn perform(&self, bounds: &Bounds, argv: Vec<String>, execution: &Execution) -> (Ended, Stdout) {
        let program = Program {
            purpose: Purpose::Check,
            argv,
            stdin: Vec::new(),
            time_limit: Duration::from_millis(execution.timeout_ms),
            output_limit: CHECK_OUTPUT_LIMIT,
        };
        let guard = StopSource::default();
        let token = guard.token();
        let mut said = Stdout::of(execution);
        let mut live = |stream, bytes: &[u8]| {
            if stream == Stream::Stdout {
                said.hear(bytes);
            }
        };
        let ended = tokio::select! {
            ended = self.sandbox.run(bounds, &program, &token, &mut live) => ended,
            never = self.space.guard(&self.stop, &guard) => match never {},
        };
        (ended, said)
    }

    /// Somebody asked, or there was no space to go on in.
    fn why_stopped(&self) -> Halt {
        match self.stop.raised() {
            Some(by) => Halt::Stopped(by),
            None => Halt::NoSpace(self.space.told_full()),
        }
    }

    async fn lay_room(
        &self,
        held: Contents<'_>,
        check: &Check,
        laid: &LaidLayers,
    ) -> Result<Result<LaidRoom, InTheWay>, Halt> {
        let (checks, tree, check, folders) = (self.clone(), held.tree.clone(), check.clone(), laid.folders());
        let overlay = held.overlay.to_vec();
        blocking(move || {
            for path in check.execution().iter().flat_map(|execution| &execution.cache) {
                if checks.workspaces.tree_has(&tree, path)? {
                    let why = format!("`{path}` is a cache of this check, but the tree holds it too");
                    return Ok(Err(InTheWay(why)));
                }
            }
            let room = checks.workspaces.room(&checks.run, check.id.as_str(), &tree)?;
            if let criterion::Visibility::Hidden(files) = &check.sight {
                checks.lay_hidden(room.path(), files)?;
            }
            overlay.iter().try_for_each(|file| lay(file, room.path()))?;
            let stamps = match overlay.is_empty() {
                true => Some(Stamps::of(room.path(), &hidden_files(&check))?),
                false => None,
            };
            let shown = checks.layers.show(check.id.as_str(), room.path(), &folders)?;
            Ok(shown.map(|shown| LaidRoom { room, shown, stamps }))
        })
        .await
    }

    /// Lays hidden files over the tree's own bytes. Whatever the candidate put
    /// into the hidden folder goes first: it could shadow what is laid.
    fn lay_hidden(&self, room: &Path, files: &[HiddenFile]) -> io::Result<()> {
        for folder in files.iter().filter_map(|file| hidden_folder(&file.path)) {
            deep::clear(&own_path(room, folder)?)?;
        }
        for file in files {
            let path = own_path(room, Path::new(&file.path))?;
            deep::clear(&path)?;
            fs::write(&path, self.blobs.get(&file.blob)?)?;
            let mode = match file.mode {
                FileMode::Plain => 0o644,
                FileMode::Executable => 0o755,
            };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }
}

/// A room with everything that is laid into it.
struct LaidRoom {
    room: Room,
    shown: Shown,
    stamps: Option<Stamps>,
}

/// What is in the room and in no tree.
fn hidden_files(check: &Check) -> BTreeSet<PathBuf> {
    match &check.sight {
        criterion::Visibility::Hidden(files) => files.iter().map(|file| PathBuf::from(&file.path)).collect(),
        criterion::Visibility::Open => BTreeSet::new(),
    }
}

/// The folder of hidden files that this one lies in. It is named by the file
/// itself, because a task may lie elsewhere than in the folder of tasks.
fn hidden_folder(file: &str) -> Option<&Path> {
    let mut folders = Path::new(file).ancestors().skip(1);
    folders.find(|folder| folder.file_name().is_some_and(|name| name == "hidden"))
}

/// Where a check's program lies, which decides what its absence means.
#[derive(Clone, Copy)]
enum ProgramLocation {
    /// In the tree: absent is red, the candidate may still bring it.
    InTree,
    /// Named by an absolute path.
    Outside,
    /// A bare name.
    OnPath,
}

impl ProgramLocation {
    fn of(check: &Check, execution: &Execution) -> Self {
        match execution.argv.first() {
            // The program is our own, and always there.
            _ if matches!(check.how, CheckMethod::Http { .. }) => Self::Outside,
            Some(word) if word.starts_with('/') => Self::Outside,
            Some(word) if word.contains('/') => Self::InTree,
            Some(_) | None => Self::OnPath,
        }
    }

    /// The exit code of what ran to its end, or what it is that did not.
    fn ended(self, how: HowEnded) -> Result<i32, CheckOutcome> {
        match how {
            HowEnded::Exited(code) => Ok(code),
            HowEnded::TimedOut => Err(CheckOutcome::TimedOut),
            HowEnded::Overran(excess) => Err(CheckOutcome::Failed {
                exit: None,
                why: Some(format!("it was ended: it took {excess}")),
            }),
            HowEnded::NotStarted(why) => Err(self.not_started(why)),
            HowEnded::Unserved(why) => Err(CheckOutcome::CannotRun { why }),
            // Nobody talks with a check. What did not run to its end proves nothing.
            HowEnded::Dismissed | HowEnded::Stopped(_) => Err(CheckOutcome::CannotRun {
                why: "it was ended before its end".to_owned(),
            }),
        }
    }

    fn not_started(self, why: String) -> CheckOutcome {
        match self {
            Self::InTree => CheckOutcome::red(Some(127)),
            Self::Outside | Self::OnPath => CheckOutcome::CannotRun { why },
        }
    }
}

/// The path inside the room, with real folders down to it: a link that the
/// candidate put in the way is replaced, never followed.
fn own_path(room: &Path, relative: &Path) -> io::Result<PathBuf> {
    let mut path = room.to_owned();
    let mut components = relative.components().peekable();
    while let Some(component) = components.next() {
        let Component::Normal(name) = component else {
            return Err(io::Error::other(format!(
                "{} leads out of the tree",
                relative.display()
            )));
        };
        path.push(name);
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir());
        if components.peek().is_some() && !is_folder {
            deep::clear(&path)?;
            fs::create_dir(&path)?;
        }
    }
    Ok(path)
}
