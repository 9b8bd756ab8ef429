//! Ten thousand lives of a run, and the proof that the simulation can fail.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};
use trueup_core::run::{Outcome, Position};
use trueup_testkit::simulation::{Bug, simulate};

/// Seeds at scale 1; `TRUEUP_TEST_SCALE` multiplies them.
const SEEDS: u64 = 10_000;

fn scale() -> u64 {
    std::env::var("TRUEUP_TEST_SCALE")
        .ok()
        .and_then(|scale| scale.parse().ok())
        .unwrap_or(1)
}

/// `TRUEUP_SEED` replays one seed alone.
fn seeds() -> std::ops::Range<u64> {
    match std::env::var("TRUEUP_SEED")
        .ok()
        .and_then(|seed| seed.parse::<u64>().ok())
    {
        Some(seed) => seed..seed + 1,
        None => 0..SEEDS * scale(),
    }
}

#[test]
fn every_seed_ends_as_it_would_in_fair_weather() {
    let started = Instant::now();
    let next = AtomicU64::new(seeds().start);
    let verified = AtomicU64::new(0);
    let faults = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < seeds().end) {
                    match simulate(seed, None) {
                        Ok(Position::Done(Outcome::Verified { .. })) => drop(verified.fetch_add(1, Ordering::Relaxed)),
                        Ok(_) => {}
                        Err(fault) => faults
                            .lock()
                            .unwrap()
                            .push(format!("seed {seed}: {fault}\n{}", replay(seed))),
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(
        faults.is_empty(),
        "{} seeds failed, the first:\n{}",
        faults.len(),
        faults[0]
    );
    let (count, verified) = (seeds().end - seeds().start, verified.into_inner());
    println!(
        "seeds: {count}, {verified} verified, {:.1} s",
        started.elapsed().as_secs_f32()
    );
    // A simulation in which nothing is ever proved would show nothing.
    assert!(
        count == 1 || verified > count / 10,
        "only {verified} of {count} runs were verified"
    );
}

/// What to type to live one life again.
fn replay(seed: u64) -> String {
    format!("  TRUEUP_SEED={seed} cargo nextest run -p trueup-testkit --test simulation every_seed")
}

#[test]
fn every_planted_bug_is_found_within_a_thousand_seeds() {
    for bug in Bug::ALL {
        let found = (0..1000).find(|seed| simulate(*seed, Some(bug)).is_err());
        println!("{bug:?}: found by seed {found:?}");
        assert!(found.is_some(), "{bug:?} was not found");
    }
}

#[test]
fn the_same_seed_lives_the_same_life() {
    for seed in 0..200 {
        assert_eq!(simulate(seed, None), simulate(seed, None));
    }
}
