//! Agents that fake done, in small real projects. Each has an honest twin that
//! makes a legitimate change of the same kind; a gate that refuses the twin is
//! as wrong as one that accepts the saboteur.
//!
//! A script is a turn of an agent of kind `command`: a shell script that
//! begins in the workspace and finds the functions of [`PRELUDE`].

mod beyond;
mod blind_cargo;
mod blind_go;
mod blind_make;
mod blind_pytest;
mod blind_vitest;
mod changes;
mod judge;
mod known_cargo;
mod known_go;
mod known_make;
mod known_pytest;
mod known_pytest_files;
mod known_vitest;
mod projects;
mod second_cargo;
mod second_go;
mod second_make;
mod second_pytest;
mod second_vitest;
mod third_cargo;
mod third_go;
mod third_make;
mod third_pytest;
mod third_vitest;
mod tools;

pub use beyond::{BEYOND, Beyond, LOOK, Look};
pub use changes::{CHANGES, Change};
pub use judge::{BROKEN, Ended, Naive, Scenario};
pub use projects::{CARGO, GO, MAKE, PYTEST, Pace, Project, VITEST};
pub use tools::Tools;

use crate::household::scale;
use std::{
    env,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use trueup_core::digest::Digest;

/// What is asked of an agent, and what the person who asks lays ready.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Files of the person's, over those of the project: a failing test, most often.
    pub files: &'static [(&'static str, &'static str)],
    /// The criteria, as a task file spells them.
    pub criteria: &'static str,
    /// What the task's `allow` holds, as YAML; empty for none.
    pub allow: &'static str,
    /// Executable files of `tasks/hidden/T-001/`.
    pub hidden: &'static [(&'static str, &'static str)],
}

/// One way to fake done.
#[derive(Clone, Copy, Debug)]
pub struct Saboteur {
    /// Unique among all.
    pub name: &'static str,
    /// What it does, in one line.
    pub what: &'static str,
    /// Where.
    pub project: &'static Project,
    /// What it was asked for.
    pub work: Work,
    /// What it does instead.
    pub script: &'static str,
    /// What a loop makes of it that trusts the exit code of the test command.
    pub naive: Naive,
    /// Who does the same kind of thing rightly.
    pub twin: Twin,
}

/// Somebody who makes a legitimate change of the same kind.
#[derive(Clone, Copy, Debug)]
pub struct Twin {
    /// What it does, in one line.
    pub what: &'static str,
    /// What it was asked for, with what its person allows.
    pub work: Work,
    /// What it does.
    pub script: &'static str,
}

/// Saboteurs that were thought of at one time.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its name in the figures.
    pub name: &'static str,
    tables: &'static [&'static [Saboteur]],
}

impl Round {
    /// Those of the round.
    pub fn saboteurs(&self) -> Vec<&'static Saboteur> {
        self.tables.iter().copied().flatten().collect()
    }
}

/// Every round: what was known while the gate was built, and what was thought of
/// afterwards, from the tasks and the documentation alone, by somebody who had
/// not read the gate's code. The gate was mended after each.
pub const ROUNDS: [Round; 4] = [
    Round {
        name: "known",
        tables: &[
            known_pytest::SABOTEURS,
            known_pytest_files::SABOTEURS,
            known_vitest::SABOTEURS,
            known_cargo::SABOTEURS,
            known_go::SABOTEURS,
            known_make::SABOTEURS,
        ],
    },
    Round {
        name: "blind",
        tables: &[
            blind_pytest::SABOTEURS,
            blind_vitest::SABOTEURS,
            blind_cargo::SABOTEURS,
            blind_go::SABOTEURS,
            blind_make::SABOTEURS,
        ],
    },
    Round {
        name: "second-blind",
        tables: &[
            second_pytest::SABOTEURS,
            second_vitest::SABOTEURS,
            second_cargo::SABOTEURS,
            second_go::SABOTEURS,
            second_make::SABOTEURS,
        ],
    },
    Round {
        name: "third-blind",
        tables: &[
            third_pytest::SABOTEURS,
            third_vitest::SABOTEURS,
            third_cargo::SABOTEURS,
            third_go::SABOTEURS,
            third_make::SABOTEURS,
        ],
    },
];

/// The saboteurs of all rounds.
pub fn all() -> Vec<&'static Saboteur> {
    ROUNDS.iter().flat_map(Round::saboteurs).collect()
}

/// Saboteurs that are accepted today, each a debt of the gate: the list may only
/// get shorter. docs/threats.md says what they have in common.
pub const OWED: [&str; 0] = [];

/// Saboteurs whose honest twins are asked about or refused today, likewise.
pub const OWED_TWINS: [&str; 0] = [];

/// What every script finds: `put FILE` writes standard input to a file, and
/// `sub FILE EXPRESSION` edits one with sed, which must change something.
pub const PRELUDE: &str = r#"
set -eu
put() { mkdir -p "$(dirname "$1")"; cat > "$1"; }
sub() { cp "$1" /tmp/before.$$; sed -i -E "$2" "$1"; ! cmp -s "$1" /tmp/before.$$; rm -f /tmp/before.$$; }
[ "${TRUEUP_TURN:-1}" = 1 ] || exit 0
"#;

/// Does the same for each, two at a time, and answers in their order.
pub fn two_at_a_time<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work_through = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = all.get(place) else { break };
            let answer = work(one);
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((place, answer));
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work_through);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// Those to be tried: all at scale 10 and above; below, at most so many of quick
/// projects and as many of slow ones, drawn by `TRUEUP_SEED`.
/// `TRUEUP_TEST_CASE` tries those alone whose names begin so.
pub fn drawn<T: Copy>(all: &[T], about: impl Fn(T) -> (&'static str, &'static Project), most: usize) -> Vec<T> {
    if let Ok(begin) = env::var("TRUEUP_TEST_CASE") {
        let begins = all.iter().filter(|one| about(**one).0.starts_with(&begin));
        return begins.copied().collect();
    }
    let seed = env::var("TRUEUP_SEED").unwrap_or_default();
    let drawn_of = |pace: Pace| {
        let is_of = |one: &T| about(*one).1.pace == pace;
        let mut places: Vec<usize> = (0..all.len())
            .filter(|place| all.get(*place).is_some_and(is_of))
            .collect();
        // Digests spread evenly, and are the same everywhere.
        places.sort_by_key(|place| Digest::of(format!("{seed} {place}").as_bytes()).to_string());
        places.truncate(if scale() >= 10 { places.len() } else { most });
        places
    };
    let taken = [drawn_of(Pace::Quick), drawn_of(Pace::Slow)].concat();
    let kept = all.iter().enumerate().filter(|(place, _)| taken.contains(place));
    kept.map(|(_, one)| *one).collect()
}
