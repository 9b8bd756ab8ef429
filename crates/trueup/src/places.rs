//! Every repository of a person that has runs on this machine.

use crate::{
    args::Global,
    exit::Failure,
    render,
    state_place::{KnownState, StateFolder},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use trueup_core::{
    event::Event,
    id::{RunId, TaskId, Timestamp},
    run::{Position, Reason, Run},
    schedule::Readiness,
};
use trueup_engine::{
    clock::Clock,
    driver,
    durable::{Desk, DeskError, Filter, Hold, LocalDesk, local_desk},
    state::StateRoot,
};

/// How often is looked for other repositories.
const LOOK: Duration = Duration::from_secs(5);

/// How many ready runs of one repository are looked at in one go.
const AT_ONCE: usize = 200;

/// A run of one of the repositories.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RunAt {
    /// The state root of its repository.
    root: PathBuf,
    /// Its name there.
    pub(crate) run: RunId,
}

/// A repository.
pub(crate) struct Place {
    /// A folder of it.
    pub(crate) checkout: PathBuf,
    /// Where its state lies.
    pub(crate) state: StateRoot,
    /// Who knows its runs.
    pub(crate) desk: LocalDesk,
}

/// A run that waits for a person.
pub(crate) struct Waiting {
    /// A folder of its repository.
    pub(crate) checkout: PathBuf,
    /// The run.
    pub(crate) run: Run,
    /// Since when nothing happened to it.
    pub(crate) since: Timestamp,
}

/// All repositories that have runs.
pub(crate) struct Places {
    folder: StateFolder,
    clock: Clock,
    open: BTreeMap<PathBuf, Place>,
    /// State roots that could not be read, of which somebody was told.
    unreadable: BTreeSet<PathBuf>,
    looked: Option<Instant>,
}

/// What can be carried on now, by repository.
pub(crate) struct Ready {
    pub(crate) runs: Vec<Vec<(RunAt, Readiness)>>,
    /// Whether nothing else will be ready by itself.
    pub(crate) is_all: bool,
}

impl Places {
    /// Those whose state lies in this folder; none is looked at yet.
    pub(crate) const fn of(folder: StateFolder, clock: Clock) -> Self {
        Self {
            folder,
            clock,
            open: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            looked: None,
        }
    }

    /// What time it is.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// How many they are.
    pub(crate) fn count(&self) -> usize {
        self.open.len()
    }

    /// Looks for repositories that came or went, now and then.
    pub(crate) fn look(&mut self, global: &Global) {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return;
        }
        self.looked = Some(Instant::now());
        let known = self.folder.known();
        self.open
            .retain(|root, _| known.iter().any(|known| known.root == *root));
        for one in known {
            if self.open.contains_key(&one.root) || self.unreadable.contains(&one.root) {
                continue;
            }
            match opened(&one) {
                Ok(Some(place)) => drop(self.open.insert(one.root, place)),
                // Nothing was run there yet.
                Ok(None) => {}
                Err(failure) => self.is_unreadable(one.root, &failure, global),
            }
        }
    }

    fn is_unreadable(&mut self, root: PathBuf, failure: &Failure, global: &Global) {
        let what = format!("{}: its runs cannot be read: {}", root.display(), failure.what);
        if !global.json {
            render::note(&what);
        }
        self.open.remove(&root);
        self.unreadable.insert(root);
    }

    /// Every run that somebody drives now.
    pub(crate) async fn driven(&self) -> Vec<RunAt> {
        let mut driven = Vec::new();
        for (root, place) in &self.open {
            let unfinished = driver::all_runs(&place.desk, Filter::Unfinished)
                .await
                .unwrap_or_default();
            let held = unfinished.into_iter().filter(|run| run.hold == Hold::Driven);
            driven.extend(held.map(|run| RunAt {
                root: root.clone(),
                run: run.run,
            }));
        }
        driven
    }

    /// Whether somebody drives this one now.
    pub(crate) async fn is_driven(&self, name: &RunAt) -> bool {
        match self.place(name) {
            Some(place) => place.desk.hold(&name.run).await.is_ok_and(|hold| hold == Hold::Driven),
            None => false,
        }
    }

    /// What can be carried on now.
    pub(crate) async fn ready(&mut self, global: &Global) -> Ready {
        let mut ready = Ready {
            runs: Vec::new(),
            is_all: true,
        };
        let mut unreadable = Vec::new();
        for (root, place) in &self.open {
            match ready_at(root, place, self.now()).await {
                Ok((runs, is_all)) => {
                    ready.runs.push(runs);
                    ready.is_all &= is_all;
                }
                // It may answer the next time.
                Err(DeskError::Full(_) | DeskError::Unreachable(_)) => ready.is_all = false,
                Err(error) => unreadable.push((root.clone(), error)),
            }
        }
        for (root, error) in unreadable {
            self.is_unreadable(root, &error.into(), global);
        }
        ready
    }

    /// Every run that waits for a person, the one that has waited longest first: the last run of its task, which
    /// nobody drives, which does not go on by itself, and which nobody has answered yet.
    pub(crate) async fn waiting(&self) -> Result<Vec<Waiting>, Failure> {
        let mut waiting = Vec::new();
        for place in self.open.values() {
            let ready = place.desk.ready(self.now(), usize::MAX).await?.runs;
            let is_answered = |run: &RunId| ready.contains(&(run.clone(), Readiness::Answered));
            for listed in driver::all_runs(&place.desk, Filter::Unfinished).await? {
                let waits = listed.hold == Hold::Free && waits_for_a_person(&listed.headline.position);
                if !waits || is_answered(&listed.run) || !is_last(&place.desk, &listed.run).await? {
                    continue;
                }
                let events = place.desk.history(&listed.run, 0).await?;
                let run = Run::replay(&events).map_err(Failure::unexpected)?;
                waiting.push(Waiting {
                    checkout: place.checkout.clone(),
                    since: events.last().map_or(run.opening().at, Event::at),
                    run,
                });
            }
        }
        waiting.sort_by_key(|one| one.since);
        Ok(waiting)
    }

    /// A run as its events make it.
    pub(crate) async fn run(&self, name: &RunAt) -> Result<Run, Failure> {
        let place = self
            .place(name)
            .ok_or_else(|| Failure::unexpected("its repository is gone"))?;
        let events = place.desk.history(&name.run, 0).await?;
        Run::replay(&events).map_err(Failure::unexpected)
    }

    /// The repository of a run.
    pub(crate) fn place(&self, name: &RunAt) -> Option<&Place> {
        self.open.get(&name.root)
    }
}

/// The repository, where anything was ever run in it.
fn opened(known: &KnownState) -> Result<Option<Place>, Failure> {
    let state = StateRoot::open(&known.root)?;
    if !state.journal().exists() {
        return Ok(None);
    }
    Ok(Some(Place {
        checkout: known.checkout.clone(),
        desk: local_desk(&state)?,
        state,
    }))
}

/// The last runs of tasks that are ready in a repository, and whether no moment
/// is waited for there. A run that a later one has overtaken is left alone.
async fn ready_at(root: &Path, place: &Place, now: Timestamp) -> Result<(Vec<(RunAt, Readiness)>, bool), DeskError> {
    let ready = place.desk.ready(now, AT_ONCE).await?;
    let mut runs = Vec::new();
    for (run, readiness) in ready.runs {
        if is_last(&place.desk, &run).await? {
            let root = root.to_owned();
            runs.push((RunAt { root, run }, readiness));
        }
    }
    Ok((runs, ready.next.is_none()))
}

/// Whether no later run of its task has overtaken it.
async fn is_last(desk: &LocalDesk, run: &RunId) -> Result<bool, DeskError> {
    let (task, _) = run.as_str().rsplit_once('.').unwrap_or_default();
    Ok(desk.runs_of(&TaskId::new(task)).await?.last.as_ref() == Some(run))
}

/// Whether a run that stands here, and that nobody drives, goes on only where a
/// person says so. One whose driver was killed may have nobody else.
const fn waits_for_a_person(position: &Position) -> bool {
    !matches!(
        position,
        Position::Done(_) | Position::Paused(_, Reason::External { .. } | Reason::NoSpace(_))
    )
}
