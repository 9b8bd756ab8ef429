//! The crash sweep: the binary is killed at every point it passes, once and
//! again while it recovers, and must come to the end it would have come to.
//!
//! Points are discovered by counting, so a boundary that is added later is
//! swept without anybody remembering to. What the sweep would notice is shown
//! on a binary with planted faults.

mod case;
mod points;

use case::{Case, Played, play};
use points::{Points, spread};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::{household::scale, known_bad::known_bad};

/// How many cases run at once; most of a case is waiting for the disk.
const AT_ONCE: usize = 3;
/// The fewest points that deserve the name of a sweep.
const FEWEST_POINTS: usize = 60;
/// How many points right after a git was started are tried in CI.
const GITS: usize = 20;
/// Among how many first points the first kill of a pair falls.
const FIRST: usize = 20;
/// How many pairs are tried in CI.
const PAIRS: usize = 20;
/// How often a name at which nobody died is tried again, and at how many points
/// each time: where a machine is busy, a name of many points may be missed.
const AGAIN: usize = 3;
const AGAIN_AT: usize = 60;
/// By how many points the numbers of one run can be shifted against another's.
const SHIFTED: u64 = 8;
/// From this scale on everything is tried.
const FULL: usize = 10;

#[test]
fn a_run_that_is_killed_anywhere_comes_to_the_same_end() {
    let began = Instant::now();
    let (good, bad) = (Path::new(env!("CARGO_BIN_EXE_trueup")), known_bad());
    let points = Points::of(good, None);
    assert!(points.boundaries().len() >= FEWEST_POINTS, "{points:?}");
    let singles = singles(&points);
    let mut outcomes = play_all(&points, &singles);
    for again in 0..AGAIN {
        let missed = play_all(&points, &missed(&points, &outcomes, again));
        outcomes.extend(missed);
    }
    let pairs = pairs(&points, &outcomes);
    let paired = play_all(&points, &pairs);
    let caught = caught(&bad);
    let all: Vec<&Result<Played, String>> = outcomes.iter().chain(&paired).map(|(_, outcome)| outcome).collect();
    let played = || all.iter().filter_map(|outcome| outcome.as_ref().ok());
    let names: BTreeSet<&str> = played()
        .flat_map(|played| &played.died_at)
        .map(String::as_str)
        .collect();
    let slowest = played()
        .map(|played| played.empty_after.clone())
        .max()
        .unwrap_or_default();
    println!(
        "sweep: points={} cases={} fired={} same_end={} pairs={} names={} empty_after_ms={} known_bad_caught={}/{} seconds={}",
        points.all().len(),
        all.len(),
        played().map(|played| played.died_at.len()).sum::<usize>(),
        played().count(),
        paired.len(),
        names.len(),
        slowest.0.as_millis(),
        caught.iter().filter(|(_, caught)| *caught).count(),
        caught.len(),
        began.elapsed().as_secs()
    );
    println!("alive for longest after {}", slowest.1);
    println!("died at: {}", names.iter().copied().collect::<Vec<_>>().join(" "));
    let failures: Vec<&String> = all.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        all.len(),
        join(&failures)
    );
    let unseen: Vec<&str> = points.names().filter(|name| !names.contains(name)).collect();
    assert!(unseen.is_empty(), "nobody died at {unseen:?}");
    for (fault, caught) in caught {
        assert!(caught, "a binary with the fault {fault} passed the sweep");
    }
}

/// One kill each: at every boundary, and at points right after a git started.
fn singles(points: &Points) -> Vec<Case> {
    let gits = points.gits();
    let most = if scale() >= FULL { gits.len() } else { GITS * scale() };
    let mut kills = points.boundaries();
    kills.extend(spread(&gits, most, (0, 1)));
    kills.into_iter().map(|at| Case::of(&[at])).collect()
}

/// Names at which nobody died: a git that had to be asked twice shifts the
/// numbers of everything behind it.
fn missed(points: &Points, outcomes: &[(Case, Result<Played, String>)], again: usize) -> Vec<Case> {
    let played = outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok());
    let names: BTreeSet<&str> = played.flat_map(|played| &played.died_at).map(String::as_str).collect();
    let last = points.all().len() as u64;
    let near = |at: u64| at.saturating_sub(SHIFTED).max(1)..=last.min(at + SHIFTED);
    let missed = points.names().filter(|name| !names.contains(name));
    let kills = missed.flat_map(|name| {
        let kills: Vec<u64> = points.named(name).into_iter().flat_map(near).collect();
        spread(&kills, AGAIN_AT * scale(), (again, AGAIN))
    });
    kills.map(|at| Case::of(&[at])).collect()
}

/// Two kills each: one among the first points, one while that is recovered from.
fn pairs(points: &Points, outcomes: &[(Case, Result<Played, String>)]) -> Vec<Case> {
    let recoveries: BTreeMap<u64, &Points> = outcomes
        .iter()
        .filter_map(|(case, outcome)| Some((*case.kills.first()?, &outcome.as_ref().ok()?.recovery)))
        .collect();
    let mut pairs = Vec::new();
    for (number, first) in points.boundaries().into_iter().take(FIRST).enumerate() {
        let Some(recovery) = recoveries.get(&first) else {
            continue;
        };
        let seconds = if scale() >= FULL {
            recovery.boundaries()
        } else {
            spread(&recovery.all(), PAIRS * scale() / FIRST, (number, FIRST))
        };
        pairs.extend(seconds.into_iter().map(|second| Case::of(&[first, second])));
    }
    pairs
}

fn play_all(points: &Points, cases: &[Case]) -> Vec<(Case, Result<Played, String>)> {
    let good = Path::new(env!("CARGO_BIN_EXE_trueup"));
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = play(good, case, points);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((case.clone(), outcome));
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Which planted faults the sweep notices. Each is killed where it shows: a
/// journal that writes after showing at the next effect, an adapter that does
/// a finished turn again between doing and keeping.
fn caught(bad: &Path) -> Vec<(&'static str, bool)> {
    let faults = [
        ("keeps-late", "effect.before", "was shown and is not kept"),
        ("turn-twice", "spool.after", "was finished and ran again"),
    ];
    let catch = |(fault, at, words): (&'static str, &str, &str)| {
        let points = Points::of(bad, Some(fault));
        let outcomes = points.named(at).into_iter().map(|kill| {
            let case = Case {
                fault: Some(fault),
                ..Case::of(&[kill])
            };
            play(bad, &case, &points)
        });
        let caught = outcomes
            .into_iter()
            .any(|outcome| outcome.is_err_and(|why| why.contains(words)));
        (fault, caught)
    };
    faults.map(catch).to_vec()
}

fn join(failures: &[&String]) -> String {
    let shown: Vec<&str> = failures.iter().take(10).map(|failure| failure.as_str()).collect();
    shown.join("\n\n")
}

/// How long anything of a killed binary may live on.
const GRACE: Duration = Duration::from_secs(2);
