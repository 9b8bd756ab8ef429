//! How criteria are executed: each check on a fresh copy of the tree that no
//! agent ever saw, or by reading the tree itself.

mod altered;
mod answers;
mod case;
mod challenge;
mod files;
mod ground;
pub mod http;
mod objections;
mod report;
mod room;
mod tally;
mod tree_fact;
mod word;

use self::{answers::Answers, case::Case, ground::Ground, room::Ran};
use crate::{
    blobs::Blobs,
    crash,
    layer::{Layers, Prepared},
    sandbox::Sandbox,
    space::{self, Space},
    spool::Spool,
    stop::StopToken,
    trace,
    workspace::{self, Workspaces},
};
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::PathBuf,
    thread,
    time::Instant,
};
use trueup_core::{
    criterion::{self, Check, Criterion, How, Network},
    effect::Verify,
    event::{Shortage, Stop},
    evidence::{Because, Body, Conditions, Evidence, Isolation, Saw, Tally},
    gate::{self, Reading},
    id::{CheckId, RunId, TreeId},
    kind::Kind,
};
use trueup_inspect::because;

/// Everything checks need of the world.
#[derive(Clone, Debug)]
pub struct Checks {
    /// The run they belong to.
    pub run: RunId,
    /// Where trees are read and rooms are laid.
    pub workspaces: Workspaces,
    /// The wall round each program.
    pub sandbox: Sandbox,
    /// Where bodies and hidden files lie.
    pub blobs: Blobs,
    /// What is laid under trees.
    pub layers: Layers,
    /// Where evidence waits until its set is whole.
    pub spool: Spool,
    /// The lock that every sandbox of the run holds.
    pub alive: PathBuf,
    /// Hears when work shall end early.
    pub stop: StopToken,
    /// Space for files. What was seen without it proves nothing.
    pub space: Space,
    /// The folder of tasks, which nobody who carries one out may change.
    pub tasks: String,
}

/// Why a set of checks gave no evidence.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// Somebody asked for it.
    #[error("stopped")]
    Stopped(Stop),
    /// Git could not do what was asked of it.
    #[error(transparent)]
    Workspace(#[from] workspace::Error),
    /// A file could not be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// There was no space for files while a check ran.
    #[error("there was no space for files")]
    NoSpace(Shortage),
}

/// What happens while a set of checks is executed.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// A preparation runs.
    Prepares(&'a str),
    /// A check was seen.
    Saw(&'a CheckId, &'a Saw),
}

/// What a check saw, before it is bound to anything.
pub(crate) struct Sight {
    saw: Saw,
    stdout: Vec<u8>,
    stdout_total: u64,
    stderr: Vec<u8>,
    stderr_total: u64,
    tally: Option<Tally>,
    because: Option<Because>,
}

impl Sight {
    /// Something the engine saw itself, explained on standard output.
    fn told(saw: Saw, text: String) -> Self {
        let bytes = text.into_bytes();
        Self {
            saw,
            stdout_total: bytes.len() as u64,
            stdout: bytes,
            stderr: Vec::new(),
            stderr_total: 0,
            tally: None,
            because: None,
        }
    }

    fn cannot_run(why: impl Into<String>) -> Self {
        Self::told(Saw::CannotRun { why: why.into() }, String::new())
    }
}

/// A criterion and one check of it.
type Asked<'a> = (&'a Criterion, &'a Check);

/// Why the tests failed that a check asks for, where it runs tests.
fn why_tests_failed(check: &Check, saw: &Saw, ran: &Ran) -> Option<Because> {
    let (Saw::Failed { .. }, Kind::Tests(_)) = (saw, check.kind()) else {
        return None;
    };
    let name = if let How::Test { name, .. } = &check.how {
        Some(name.as_str())
    } else {
        None
    };
    let report = ran.report.as_ref().and_then(|report| report.as_ref().ok());
    because::because(report, name, [&ran.stdout.kept, &ran.stderr.kept])
}

/// How long something took so far.
fn elapsed_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Everything that is executed, in the order of the task: what one execution
/// answers stands together. A person's part is not executed.
fn batches(wish: &Verify) -> Vec<Vec<Asked<'_>>> {
    let mut batches: Vec<Vec<Asked<'_>>> = Vec::new();
    for criterion in &wish.criteria {
        for check in criterion.checks.iter().filter(|check| !check.is_manual()) {
            let mut known = batches.iter_mut();
            let shared = known.find(|batch| batch.iter().any(|(_, other)| is_same_execution(check, other)));
            match shared {
                Some(batch) => batch.push((criterion, check)),
                None => batches.push(vec![(criterion, check)]),
            }
        }
    }
    batches
}

/// Whether one execution answers both: the same program under the same limits,
/// and nothing is laid into its room that the other's has not.
fn is_same_execution(one: &Check, other: &Check) -> bool {
    let is_plain = |check: &Check| check.sight == criterion::Sight::Open && !matches!(check.how, How::Http { .. });
    is_plain(one) && is_plain(other) && one.execution().is_some() && one.execution() == other.execution()
}

impl Checks {
    /// Executes a set of checks in parallel. Each piece of evidence is spooled
    /// by its key as soon as it is seen, so a redo runs only what is missing.
    pub async fn verify(&self, wish: &Verify, mut seen: impl FnMut(Seen<'_>) + Send) -> Result<Vec<Evidence>, Halt> {
        self.workspaces.sweep_rooms(&self.run)?;
        let all = wish.checks();
        let runs_programs = all.into_iter().any(|check| check.execution().is_some());
        let prepared = match runs_programs {
            true => {
                self.layers
                    .prepared(&wish.into(), &mut |name| seen(Seen::Prepares(name)))
                    .await?
            }
            false => Prepared::Ready(Vec::new()),
        };
        let width = thread::available_parallelism().map_or(2, usize::from);
        // Boxed one by one, because the compiler cannot see that a closure's future may change threads.
        let mut executions = Vec::new();
        for batch in batches(wish) {
            executions.push(self.evidence(wish, &prepared, batch).boxed());
        }
        let mut evidence: Vec<Evidence> = stream::iter(executions)
            .buffer_unordered(width)
            .inspect_ok(|batch| {
                for evidence in batch {
                    seen(Seen::Saw(&evidence.check, &evidence.saw));
                }
            })
            .try_concat()
            .await?;
        let order = |evidence: &Evidence| {
            let mut checks = wish.checks();
            checks.position(|check| check.id == evidence.check)
        };
        evidence.sort_by_key(order);
        Ok(evidence)
    }

    /// The evidence of checks that one execution answers.
    async fn evidence(&self, wish: &Verify, prepared: &Prepared, batch: Vec<Asked<'_>>) -> Result<Vec<Evidence>, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let Some((_, first)) = batch.first().copied() else {
            return Ok(Vec::new());
        };
        let ground = Ground::of(&self.layers, wish, first, prepared);
        let answers = Answers::at(self.layers.state.answers());
        let mut evidence = Vec::new();
        let mut cases = Vec::new();
        for asked in batch {
            let case = Case::open(wish, asked, self.conditions(asked.1, &ground), &answers);
            match self.spooled(&case) {
                Some(spooled) => evidence.push(spooled),
                None => cases.push(case),
            }
        }
        let mut altered = BTreeSet::new();
        while cases.iter().any(Case::is_open) {
            if let Some(by) = self.stop.raised() {
                return Err(Halt::Stopped(by));
            }
            let started = Instant::now();
            let ran = self.execute(&wish.tree, first, &ground).await?;
            altered.extend(ran.iter().flat_map(|ran| ran.altered.iter().cloned()));
            let list = self.keep_report(ran.as_ref().ok().and_then(|ran| ran.report.as_ref()))?;
            for case in cases.iter_mut().filter(|case| case.is_open()) {
                let sight = match &ran {
                    Ok(ran) => self.judge(wish, case.check, (ran, &list))?,
                    Err(()) => self.read_off(&wish.tree, case.check).await?,
                };
                self.refuse_without_space(&sight)?;
                case.take(sight, elapsed_ms(started));
            }
        }
        for case in cases {
            let answered = case.answered();
            let Some(mut done) = case.close(&self.blobs)? else {
                continue;
            };
            done.altered = altered.iter().cloned().collect();
            if let Some(now) = answered {
                answers.keep(&done.key, now)?;
            }
            crash::point("evidence.before");
            self.spool.put(&format!("evidence-{}", done.key), &done)?;
            crash::point("evidence.after");
            evidence.push(done);
        }
        Ok(evidence)
    }

    /// What was seen before, where it can be used again. What gave two answers
    /// and ended red is looked at once more.
    fn spooled(&self, case: &Case<'_>) -> Option<Evidence> {
        let spooled: Option<Evidence> = self.spool.get(&format!("evidence-{}", case.key()));
        spooled.filter(|evidence| case.is_of(evidence) && (evidence.passed() || !evidence.runs.is_flaky()))
    }

    /// A check that met a full disk saw the disk and not the tree.
    fn refuse_without_space(&self, sight: &Sight) -> Result<(), Halt> {
        let told = match &sight.saw {
            // The words may be the candidate's own, of its service or its script:
            // they count only where space is missing by our own measure.
            Saw::CannotRun { why } if space::says_full(why) => {
                Some(self.space.told_full()).filter(|shortage| shortage.free < shortage.need)
            }
            Saw::CannotRun { .. } | Saw::Passed | Saw::Failed { .. } | Saw::TimedOut => None,
        };
        match told.or_else(|| self.space.at_work()) {
            Some(shortage) => Err(Halt::NoSpace(shortage)),
            None => Ok(()),
        }
    }

    /// Executes a check's program once; nothing where it has none.
    async fn execute(&self, tree: &TreeId, check: &Check, ground: &Ground) -> Result<Result<Ran, ()>, Halt> {
        match (check.execution(), ground) {
            (None, _) => Ok(Err(())),
            (Some(_), Ground::Not(why)) => Ok(Ok(Ran::not(why))),
            (Some(execution), Ground::Laid(laid)) => {
                self.run_in_room(tree.into(), check, execution, laid).await.map(Ok)
            }
        }
    }

    /// What an execution means for one of the checks that it answers.
    fn judge(&self, wish: &Verify, check: &Check, (ran, list): (&Ran, &Body)) -> Result<Sight, Halt> {
        let reading = match &ran.ended {
            Ok(_) => self.reading(wish, check, (ran.report.as_ref(), list))?,
            Err(_) => Reading::None,
        };
        let saw = match &ran.ended {
            Ok(exit) => gate::saw(check, *exit, &reading),
            Err(saw) => saw.clone(),
        };
        Ok(Sight {
            because: why_tests_failed(check, &saw, ran),
            saw,
            stdout: ran.stdout.kept.clone(),
            stdout_total: ran.stdout.total,
            stderr: ran.stderr.kept.clone(),
            stderr_total: ran.stderr.total,
            tally: match reading {
                Reading::Read(tally) => Some(tally),
                Reading::None | Reading::Unreadable(_) => None,
            },
        })
    }

    /// What the engine reads off the tree itself.
    async fn read_off(&self, tree: &TreeId, check: &Check) -> Result<Sight, Halt> {
        let (workspaces, tree, how) = (self.workspaces.clone(), tree.clone(), check.how.clone());
        let seeing = trace::spawn_blocking(move || tree_fact::see(&workspaces, &tree, &how));
        Ok(seeing.await.map_err(io::Error::other)??)
    }

    fn conditions(&self, check: &Check, ground: &Ground) -> Conditions {
        let architecture = std::env::consts::ARCH.to_owned();
        let (layers, warmth) = (ground.layers(), ground.warmth());
        match check.execution() {
            Some(execution) => Conditions {
                program: self.program(check),
                variables: self.variables(),
                network: self.sandbox.network(execution.network),
                isolation: self.sandbox.isolation(),
                architecture,
                layers,
                warmth,
                sockets: execution.sockets.clone(),
            },
            None => Conditions {
                program: None,
                variables: Default::default(),
                network: Network::Off,
                isolation: Isolation::Engine,
                architecture,
                layers,
                warmth,
                sockets: Vec::new(),
            },
        }
    }

    /// What a check can see of the environment, as it may be stored.
    fn variables(&self) -> BTreeMap<String, String> {
        let secrets = self.sandbox.secrets();
        let seen = self.sandbox.variables().into_iter();
        seen.map(|(name, value)| (name, secrets.redact_text(&value))).collect()
    }

    /// The program a check will run: found on the path, or named by a path.
    fn program(&self, check: &Check) -> Option<String> {
        if let How::Http { .. } = check.how {
            return None;
        }
        let word = check.execution()?.argv.first()?;
        if word.contains('/') {
            return Some(word.clone());
        }
        self.sandbox.resolve(word).map(|path| path.display().to_string())
    }
}
