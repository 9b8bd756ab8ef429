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
    space::{SpaceBefore, size_of},
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
use tokio::time::timeout;
use trueup_core::{
    criterion::{self, Check, CheckMethod, Execution, FileMode, HiddenFile, Network},
    evidence::{CHECK_OUTPUT_LIMIT, CheckOutcome},
    id::TreeId,
};
use trueup_inspect::{challenge::Overlay, report::Report};

/// How often a check begins anew that was broken off for want of space.
const TRIES_WITHOUT_SPACE: usize = 10;

/// How often, and how long apart, it is looked whether there is space again.
const LOOKS: usize = 25;
const LOOK_AGAIN: Duration = Duration::from_millis(200);

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

/// Where what a program writes lies.
fn written(room: &Room, shown: &Shown, out: Option<&ReportFolder>) -> Vec<PathBuf> {
    let places = [Some(room.path()), shown.place(), out.map(ReportFolder::place)];
    places.into_iter().flatten().map(Path::to_owned).collect()
}

fn size_of_all(places: &[PathBuf]) -> u64 {
    places.iter().map(|place| size_of(place)).sum()
}

impl Checks {
    /// Executes a check's program in a fresh room, once to its end. Where it was
    /// broken off because somebody else took all space, and that comes back
    /// soon, that one was ended for it and this one begins anew.
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
            return Ok(ProgramRun::not(self.sandbox.why_absent(word)));
        }
        if let Err(error) = self.sandbox.demand_sockets(&execution.sockets) {
            return Ok(ProgramRun::not(error.to_string()));
        }
        // What it did outside before it was broken off would be done twice.
        let is_alone = execution.network == Network::Off && execution.sockets.is_empty();
        let tries = if is_alone { TRIES_WITHOUT_SPACE } else { 1 };
        for left in (0..tries).rev() {
            if let Some(ran) = self.try_in_room(held, (check, place), execution, laid).await? {
                return Ok(ran);
            }
            if left > 0 {
                self.await_space().await?;
            }
        }
        Err(Halt::NoSpace(self.space.told_full()))
    }

    /// Waits for a moment until there is space again.
    async fn await_space(&self) -> Result<(), Halt> {
        for _ in 0..LOOKS {
            if let Ok(by) = timeout(LOOK_AGAIN, self.stop.wait()).await {
                return Err(Halt::Stopped(by));
            }
            let space = self.space.clone();
            let is_there = blocking(move || {
                space.measure_again();
                space.before_work().is_none()
            });
            if is_there.await {
                return Ok(());
            }
        }
        Err(Halt::NoSpace(self.space.told_full()))
    }

    /// What a program gave; nothing where it was broken off for want of space
    /// that it did not take.
    async fn try_in_room(
        &self,
        held: Contents<'_>,
        (check, place): (&Check, ProgramLocation),
        execution: &Execution,
        laid: &LaidLayers,
    ) -> Result<Option<ProgramRun>, Halt> {
        self.layers.wait_until_later(&laid.cached).await?;
        let LaidRoom { room, shown, stamps } = match self.lay_room(held, check, laid).await? {
            Ok(laid) => laid,
            Err(InTheWay(why)) => return Ok(Some(ProgramRun::not(why))),
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
        let written = written(&room, &shown, out.as_ref());
        let before = self.space_before(written.clone()).await;
        let (ended, said) = self.perform(&bounds, argv, execution).await;
        let Some(how) = self.why_ended(ended.how, written, before).await? else {
            return Ok(None);
        };
        let saw = place.ended(how);
        let place = room.path().to_owned();
        let altered = blocking(move || stamps.map(|stamps| stamps.altered(&place))).await;
        // What was left where there was no space would warm others with half a build.
        if saw.is_ok() && self.space.look_at_work().await.is_none() {
            self.layers.fill(&laid.cached, execution, &room).await?;
        }
        let inner = self.sandbox.tree_at(&bounds.tree).display().to_string();
        let (parse, secrets) = (execution.parse, self.sandbox.secrets().clone());
        // What took too much is gone with its room.
        let took_too_much = matches!(saw, Err(CheckOutcome::Failed { .. }));
        let space = self.space.clone();
        // Reading a long report and removing a large tree take a while.
        let read = blocking(move || {
            let report = parse.map(|format| match &out {
                Some(out) => out.read(format),
                None => said.read(format),
            });
            drop((room, shown, out));
            if took_too_much {
                space.measure_again();
            }
            report.map(|read| read.map(|read| report::tidied(read, &inner, &secrets)))
        });
        let report = read.await;
        Ok(Some(ProgramRun {
            report,
            ended: saw,
            stdout: ended.stdout,
            stderr: ended.stderr,
            altered: altered.unwrap_or_default(),
        }))
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

    /// How much is free before a program works that writes to these places.
    async fn space_before(&self, written: Vec<PathBuf>) -> SpaceBefore {
        let space = self.space.clone();
        blocking(move || space.before_taking(|| size_of_all(&written))).await
    }

    /// How a program really ended: one that was broken off for want of space
    /// that it took itself took too much. Nothing where others took it.
    async fn why_ended(
        &self,
        how: HowEnded,
        written: Vec<PathBuf>,
        before: SpaceBefore,
    ) -> Result<Option<HowEnded>, Halt> {
        if !matches!(how, HowEnded::Stopped(_)) {
            return Ok(Some(how));
        }
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let space = self.space.clone();
        let shortage = blocking(move || space.shortage_since(before, || size_of_all(&written))).await;
        Ok(shortage.and_then(|(_, blame)| blame).map(HowEnded::Overran))
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
