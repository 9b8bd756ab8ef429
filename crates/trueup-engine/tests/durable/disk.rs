//! A journal on disk to work with.

use std::fs;
use tempfile::TempDir;
use trueup_core::{event::Event, id::RunId};
use trueup_engine::{
    durable::{
        Claimed, Desk, DeskError, Durable, Filter, Hold, Lost, Query, Request, Summary,
        sqlite::{Journal, Sqlite},
    },
    state::StateRoot,
};
use trueup_testkit::{conformance::wait, sample};

pub(crate) fn root() -> (TempDir, StateRoot) {
    let folder = tempfile::tempdir().unwrap();
    let root = StateRoot::open(folder.path()).unwrap();
    (folder, root)
}

pub(crate) fn open(desk: &Sqlite, run: &RunId, opening: &Event) -> Result<(), DeskError> {
    wait(desk.open(&Request::fresh(), run, opening)).unwrap()
}

pub(crate) fn claim(desk: &Sqlite, run: &RunId) -> Result<Claimed<Journal>, DeskError> {
    wait(desk.claim(&Request::fresh(), run)).unwrap()
}

pub(crate) fn history(desk: &Sqlite, run: &RunId) -> Result<Vec<Event>, DeskError> {
    wait(desk.history(run, 0)).unwrap()
}

pub(crate) fn hold(desk: &Sqlite, run: &RunId) -> Hold {
    wait(desk.hold(run)).unwrap().unwrap()
}

pub(crate) fn ask_to_stop(desk: &Sqlite, run: &RunId) -> Hold {
    wait(desk.ask_to_stop(&Request::fresh(), run)).unwrap().unwrap()
}

/// Every run that passes a filter.
pub(crate) fn listed(desk: &Sqlite, filter: Filter) -> Result<Vec<Summary>, DeskError> {
    wait(desk.headlines(&Query::first(filter, 1000)))
        .unwrap()
        .map(|page| page.runs)
}

pub(crate) fn keep(journal: &mut Journal, id: &str, event: &Event) -> Result<Event, Lost> {
    wait(journal.record(&sample::effect(id), async { event.clone() })).unwrap()
}

/// Keeps a whole sample run, each event under an effect of its own.
pub(crate) fn keep_sample(desk: &Sqlite, name: &str) -> RunId {
    let (run, events) = (RunId::new(name), sample::journal(name));
    open(desk, &run, &events[0]).unwrap();
    let mut journal = claim(desk, &run).unwrap().journal;
    for (n, event) in events.iter().enumerate().skip(1) {
        keep(&mut journal, &format!("effect-{n}"), event).unwrap();
    }
    run
}

/// Every file of the state root, by name and content.
pub(crate) fn files(root: &StateRoot) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(root.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}
