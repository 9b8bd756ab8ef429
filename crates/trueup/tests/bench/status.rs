//! `trueup status` where there are ten thousand runs.

use crate::meter::{Bound, Figure, Times, rounds, tell, timed};
use std::{future::ready, path::Path};
use trueup_core::{event::Event, id::RunId};
use trueup_engine::{
    durable::{Desk, Durable, sqlite::Sqlite},
    state::StateRoot,
};
use trueup_testkit::{household::Household, sample};

/// How many runs there are, each of a task of its own: the longest list.
const RUNS: usize = 10_000;

/// How many of them were carried to their end, and how many wait; the others
/// were refused when they were opened, which is over just as well.
const VERIFIED: usize = 500;
const WAITING: usize = 500;

/// Keeps the runs. Not on a disk, where many minutes would go by.
fn keep_runs(state: &Path) {
    let root = StateRoot::open(state).expect("a state root");
    let desk = Sqlite::open(&root).expect("a journal");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    for number in 0..RUNS {
        let name = format!("T-{number:05}.1");
        let run = RunId::new(&name);
        let mut opening = sample::opening(&name);
        if number >= VERIFIED + WAITING {
            opening.task.budget.tokens = Some(1);
        }
        desk.open(&run, &Event::Opened(Box::new(opening))).expect("a run");
        if number >= VERIFIED {
            continue;
        }
        let (mut journal, _) = desk.claim(&run).expect("the run");
        for (at, event) in sample::journal(&name).into_iter().skip(1).enumerate() {
            let effect = sample::effect(&format!("effect-{at}"));
            runtime.block_on(journal.record(&effect, ready(event))).expect("kept");
        }
    }
}

/// How many lines of a list hold a word.
fn count(listed: &str, word: &str) -> usize {
    listed.lines().filter(|line| line.contains(word)).count()
}

#[test]
fn ten_thousand_runs_are_listed_at_once() {
    let memory = tempfile::Builder::new().prefix("status-").tempdir_in("/dev/shm");
    let memory = memory.or_else(|_| tempfile::tempdir()).expect("a folder");
    let state = memory.path().join("state");
    keep_runs(&state);
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "exit 0\n")
        .with_variable("TRUEUP_STATE", &state.display().to_string());
    household.commit("Nothing yet");
    let listed = household.trueup(&["status"]);
    assert_eq!(listed.stdout.lines().count(), RUNS, "{}", listed.stderr);
    assert_eq!(count(&listed.stdout, " verified "), VERIFIED);
    assert_eq!(count(&listed.stdout, " refused "), RUNS - VERIFIED - WAITING);
    let mut times = Vec::new();
    for _ in 0..rounds(9, 31) {
        times.push(timed(|| household.trueup(&["status"])));
    }
    let times = Times::of(times);
    let figure = Figure {
        name: format!("status_ms_with_{RUNS}_runs"),
        value: times.median(),
        bound: Bound::AtMost(50.0),
        slack: 1.0,
        detail: format!("ours {times}"),
    };
    // An absolute time, so a busy machine breaks it; docs/costs.md has the figure of a quiet one.
    tell(&[figure]);
}
