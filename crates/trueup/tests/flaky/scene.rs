//! A task with a check that rolls a die.

use serde_json::Value;
use std::{
    fs, iter,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use trueup_testkit::household::Household;

/// The task everything is about.
pub(crate) const TASK: &str = "T-001";

/// Fails one time in three, whatever the tree.
const DIE: &str = "[ $(( $(od -An -N4 -tu4 /dev/urandom) % 3 )) -ne 0 ]\n";

/// Which check rolls the die.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rolls {
    /// The guard, on every tree.
    Guard,
    /// The goal, once the work is done.
    Goal,
    /// None: the subject that must be verified each time.
    Nothing,
    /// None, and the guard is red once the work is done: the subject that must
    /// cost turns.
    Broken,
}

/// What came of one run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ran {
    pub(crate) verified: bool,
    /// Whether it was said to be flaky.
    pub(crate) detected: bool,
    /// Turns beyond the one that an honest agent needs.
    pub(crate) burnt: u64,
}

/// A repository of its own whose agent needs one turn. Equal ones have equal
/// trees, so that what one of them learnt holds for the others.
pub(crate) fn household(rolls: Rolls) -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "echo done > done.txt\n");
    let (goal, guard) = match rolls {
        Rolls::Guard => ("test -e done.txt\n".to_owned(), DIE.to_owned()),
        Rolls::Goal => (format!("test -e done.txt && {DIE}"), "true\n".to_owned()),
        Rolls::Nothing => ("test -e done.txt\n".to_owned(), "true\n".to_owned()),
        Rolls::Broken => ("test -e done.txt\n".to_owned(), "test ! -e done.txt\n".to_owned()),
    };
    household.file("goal.sh", &goal);
    household.file("guard.sh", &guard);
    household.task(
        TASK,
        &format!(
            "---\nv: 1\nid: {TASK}\ntitle: Do it\nbudget:\n  turns: 3\n---\n\nDo it.\n\n## Acceptance criteria\n\n\
             - [ ] **AC-1** It is done.\n  - verify: `sh goal.sh`\n  - guard: `sh guard.sh`\n"
        ),
    );
    household.commit("A project");
    household
}

/// How many runs there are at once; most of a run is waiting for the disk.
const AT_ONCE: usize = 3;

/// Runs the task so often, each time from nothing but the answers that were
/// kept elsewhere.
pub(crate) fn runs(often: usize, rolls: Rolls, answers: Option<&Path>) -> Vec<Ran> {
    let begun = AtomicUsize::new(0);
    let some = || {
        let mine = iter::from_fn(|| (begun.fetch_add(1, Ordering::Relaxed) < often).then(|| run(rolls, answers).0));
        mine.collect::<Vec<Ran>>()
    };
    thread::scope(|scope| {
        let all: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(some)).collect();
        let all = all.into_iter().flat_map(|runs| runs.join().expect("runs that ended"));
        all.collect()
    })
}

/// Runs the task once, from nothing but the answers that were kept elsewhere.
pub(crate) fn run(rolls: Rolls, answers: Option<&Path>) -> (Ran, Household) {
    let household = household(rolls);
    if let Some(answers) = answers {
        copy(answers, &household.state().join("answers"));
    }
    let run = household.trueup(&["run", TASK]);
    let shown = household.show(TASK);
    let told = format!("{}{}{shown}", run.stdout, run.stderr);
    let turns = shown["turns"].as_u64().unwrap_or_else(|| panic!("{shown:#}"));
    let ran = Ran {
        verified: run.code == 0,
        detected: told.contains("flaky"),
        burnt: turns.saturating_sub(1),
    };
    // What is believed to be red makes the agent stuck, or uses up the turns.
    assert!([0, 3, 4, 5, 6].contains(&run.code), "{rolls:?}: {run:#?}");
    (ran, household)
}

/// Runs the task, each time from what was learnt before, until some answers
/// that were kept contradict each other.
pub(crate) fn learn(rolls: Rolls) -> Household {
    let mut last: Option<Household> = None;
    for _ in 0..200 {
        let answers = last.as_ref().map(|household| household.state().join("answers"));
        let (_, household) = run(rolls, answers.as_deref());
        if knows(&household.state().join("answers")) {
            return household;
        }
        last = Some(household);
    }
    panic!("a check that fails one time in three was never seen to");
}

fn knows(answers: &Path) -> bool {
    kept(answers).iter().any(|(_, kept)| {
        let kept: Value = serde_json::from_slice(kept).expect("answers");
        kept["green"] != 0 && kept["red"] != 0
    })
}

/// Every kept answer, by its path.
fn kept(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for first in fs::read_dir(folder).expect("answers").flatten() {
        for key in fs::read_dir(first.path()).expect("answers").flatten() {
            let name = key.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') {
                let path = format!("{}/{name}", first.file_name().to_string_lossy());
                found.push((path, fs::read(key.path()).expect("an answer")));
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in kept(from) {
        let place = to.join(path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(place, bytes).expect("an answer");
    }
}
