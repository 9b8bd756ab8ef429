//! A journal on disk to work with.

use std::fs;
use tempfile::TempDir;
use trueup_core::{event::Event, id::RunId};
use trueup_engine::{
    durable::{
        Desk, Durable, Lost,
        sqlite::{Journal, Sqlite},
    },
    state::StateRoot,
};
use trueup_testkit::sample;

pub(crate) fn root() -> (TempDir, StateRoot) {
    let folder = tempfile::tempdir().unwrap();
    let root = StateRoot::open(folder.path()).unwrap();
    (folder, root)
}

pub(crate) fn keep(journal: &mut Journal, id: &str, event: &Event) -> Result<Event, Lost> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(journal.record(&sample::effect(id), async { event.clone() }))
}

/// Keeps a whole sample run, each event under an effect of its own.
pub(crate) fn keep_sample(desk: &Sqlite, name: &str) -> RunId {
    let (run, events) = (RunId::new(name), sample::journal(name));
    desk.open(&run, &events[0]).unwrap();
    let (mut journal, _) = desk.claim(&run).unwrap();
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
