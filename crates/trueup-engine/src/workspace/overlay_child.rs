//! Snapshots of an overlay: the same code as for any other workspace, in a process
//! of ours for which the veil is laid.

use super::{
    answers::Answers,
    error::Error,
    git,
    output::text,
    person::PersonRepository,
    snapshot::Snapshot,
    workspaces::{Overlays, Workspaces},
};
use crate::{
    crash,
    sandbox::{Veil, die_with_the_builder, lay},
    state::StateRoot,
    trace,
};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::{
    env,
    fs::File,
    io::{self, Read, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};
use trueup_core::{
    id::{RunId, TreeId},
    turn::Finding,
};

/// The word that makes the binary behave as this program.
pub const SUBCOMMAND: &str = "snapshot-behind";

/// What the process is told.
#[derive(Serialize, Deserialize)]
struct Request {
    state: PathBuf,
    person: PersonRepository,
    run: RunId,
    /// The ref that keeps the tree.
    name: String,
}

/// What it answers.
#[derive(Serialize, Deserialize)]
struct Reply {
    tree: TreeId,
    findings: Vec<Finding>,
}

impl Workspaces {
    /// Has an overlay snapshotted by a process that sees it.
    pub(super) fn snapshot_in_child(&self, veil: &Veil, run: &RunId, name: &str) -> Result<Snapshot, Error> {
        let request = Request {
            state: self.state.path().to_owned(),
            person: self.person.clone(),
            run: run.clone(),
            name: name.to_owned(),
        };
        let said = self.ask(veil, &request).map_err(Error::at(&veil.folder))?;
        if !said.status.success() {
            return Err(Error::Git {
                verb: "snapshot".to_owned(),
                why: text(&said.stderr),
            });
        }
        let Reply { tree, findings } =
            serde_json::from_slice(&said.stdout).map_err(|_| Error::unclear("snapshot", &said.stdout))?;
        Ok(Snapshot { tree, findings })
    }

    fn ask(&self, veil: &Veil, request: &Request) -> io::Result<std::process::Output> {
        let absent = || io::Error::other("nobody here can lay a veil");
        let entry = self.overlays.entry.as_ref().ok_or_else(absent)?;
        let mut command: Command = lay::command(entry, self.state.path(), &[veil], entry)?;
        command.arg(SUBCOMMAND).env_clear().process_group(0);
        command.env("PATH", env::var_os("PATH").unwrap_or_default());
        // Whether a filter has a program is the person's configuration to say.
        command.envs(git::personal());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let traced = trace::Child::outside("trueup", &[SUBCOMMAND]);
        let mut child = command.spawn()?;
        crash::spawned("snapshot.spawned");
        if let Some(mut stdin) = child.stdin.take() {
            // A process that does not listen says why in its exit and its words.
            drop(stdin.write_all(&serde_json::to_vec(request)?));
        }
        let output = child.wait_with_output()?;
        traced.exited(output.status);
        Ok(output)
    }

    /// The workspaces of a process for which a veil is laid.
    fn requested(request: &Request) -> io::Result<Self> {
        let state = StateRoot::open(&request.state)?;
        Ok(Self {
            person: request.person.clone(),
            state,
            overlays: Overlays::default(),
            answers: Answers::default(),
        })
    }
}

/// Snapshots what is told on standard input; the subcommand's own name is
/// already taken off.
pub fn main() -> ExitCode {
    match snapshot() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be listening any more, and there is nobody else to tell.
            drop(writeln!(io::stderr(), "{error}"));
            ExitCode::FAILURE
        }
    }
}

fn snapshot() -> Result<(), Error> {
    let here = Error::at(Path::new(SUBCOMMAND));
    let (workspaces, request, _alive) = listen().map_err(here)?;
    let Snapshot { tree, findings } = workspaces.snapshot_to(&request.run, &request.name)?;
    let answer = serde_json::to_vec(&Reply { tree, findings }).map_err(io::Error::other);
    let told = answer.and_then(|answer| io::stdout().write_all(&answer));
    told.map_err(Error::at(Path::new(SUBCOMMAND)))
}

/// Hears what is wanted. Whoever wants it may die meanwhile: then this process
/// dies as well, and until it has, nobody takes up the run.
fn listen() -> io::Result<(Workspaces, Request, File)> {
    die_with_the_builder()?;
    let mut told = Vec::new();
    io::stdin().read_to_end(&mut told)?;
    let request: Request = serde_json::from_slice(&told)?;
    let workspaces = Workspaces::requested(&request)?;
    let alive = File::options()
        .append(true)
        .create(true)
        .open(workspaces.state.run(&request.run).join("alive"))?;
    flock(&alive, FlockOperation::LockShared)?;
    Ok((workspaces, request, alive))
}
