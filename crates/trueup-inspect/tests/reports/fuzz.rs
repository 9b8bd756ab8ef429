//! Nothing that can be made of a real report makes a reader panic, hang, or
//! give more than its limits allow. Each format is tried for five seconds, and
//! for ten minutes where `TRUEUP_TEST_SCALE` is 10 or more; `TRUEUP_SEED`
//! replays one input alone.

use crate::{
    all,
    mutation::{Dice, mutated},
};
use std::{
    env,
    panic::{self, RefUnwindSafe},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use trueup_core::kind::Format;
use trueup_inspect::report::{self, MOST_FINDINGS, MOST_ID, MOST_MESSAGE, MOST_TESTS, Report, Unreadable};

/// An input is short, so whoever needs longer has lost its way.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 2 });

type Reader = dyn Fn(&[u8]) -> Result<Report, Unreadable> + RefUnwindSafe;

fn time() -> Duration {
    let scale = env::var("TRUEUP_TEST_SCALE").ok().and_then(|scale| scale.parse().ok());
    match scale.unwrap_or(1_usize) {
        0..10 => Duration::from_secs(5),
        _ => Duration::from_mins(10),
    }
}

/// How many inputs were tried and how many of them were read, or the first that was too much.
fn fuzz(corpus: &[Vec<u8>], reader: &Reader, time: Duration) -> Result<(usize, usize), String> {
    if let Some(seed) = env::var("TRUEUP_SEED").ok().and_then(|seed| seed.parse().ok()) {
        return attempt(corpus, reader, seed).map(|read| (1, usize::from(read)));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time");
    let first = now.as_secs().wrapping_mul(1_000_000_000);
    let (began, mut seed, mut read) = (Instant::now(), first, 0);
    while began.elapsed() < time {
        read += usize::from(attempt(corpus, reader, seed)?);
        seed += 1;
    }
    Ok((usize::try_from(seed - first).expect("a number"), read))
}

/// Whether the input of a seed could be read.
fn attempt(corpus: &[Vec<u8>], reader: &Reader, seed: u64) -> Result<bool, String> {
    let input = mutated(corpus, &mut Dice::of(seed));
    let began = Instant::now();
    let result = panic::catch_unwind(|| reader(&input)).map_err(|_| format!("TRUEUP_SEED={seed}: it panics"))?;
    if began.elapsed() > LONGEST {
        return Err(format!("TRUEUP_SEED={seed}: it took {:?}", began.elapsed()));
    }
    match result {
        Ok(report) => within(&report)
            .map(|()| true)
            .map_err(|what| format!("TRUEUP_SEED={seed}: {what}")),
        Err(Unreadable { why }) if why.is_empty() => Err(format!("TRUEUP_SEED={seed}: no reason is given")),
        Err(_) => Ok(false),
    }
}

/// Whether a report keeps every limit.
fn within(report: &Report) -> Result<(), &'static str> {
    if report.tests.len() > MOST_TESTS || report.findings.len() > MOST_FINDINGS {
        return Err("it tells of too much");
    }
    let tests = report
        .tests
        .iter()
        .flat_map(|test| [Some(&test.id), test.file.as_ref()]);
    let findings = report
        .findings
        .iter()
        .flat_map(|finding| [Some(&finding.path), Some(&finding.rule)]);
    let names = tests.chain(findings).flatten().chain(report.lines.0.keys());
    // What is put before a name after it was cut is a name that was cut itself.
    if names.clone().any(|name| name.len() > 2 * MOST_ID + 2) {
        return Err("a name is too long");
    }
    if names.clone().any(|name| name.chars().any(char::is_control)) {
        return Err("a name holds a control character");
    }
    let messages = report.tests.iter().map(|test| &test.message);
    let mut messages = messages.chain(report.findings.iter().map(|finding| &finding.message));
    if messages.any(|message| message.len() > MOST_MESSAGE || message.contains('\u{1b}')) {
        return Err("a message is too long, or would move a cursor");
    }
    Ok(())
}

fn corpus(format: Format) -> Vec<Vec<u8>> {
    let same = all().into_iter().filter(|real| real.format == format);
    same.map(|real| real.bytes).collect()
}

fn holds(format: Format) {
    let reader = move |bytes: &[u8]| report::read(format, bytes);
    match fuzz(&corpus(format), &reader, time()) {
        Ok((tried, read)) => println!("measured: {format:?}: {tried} inputs, {read} of them read, no panic"),
        Err(what) => panic!("{format:?}: {what}"),
    }
}

#[test]
fn junit_survives_anything() {
    holds(Format::Junit);
}

#[test]
fn go_survives_anything() {
    holds(Format::Go);
}

#[test]
fn jest_survives_anything() {
    holds(Format::Jest);
}

#[test]
fn libtest_survives_anything() {
    holds(Format::Libtest);
}

#[test]
fn lcov_survives_anything() {
    holds(Format::Lcov);
}

#[test]
fn sarif_survives_anything() {
    holds(Format::Sarif);
}

#[test]
fn cargo_survives_anything() {
    holds(Format::Cargo);
}

#[test]
fn eslint_survives_anything() {
    holds(Format::Eslint);
}

/// Three readers that are wrong in three ways; each is caught within seconds.
#[test]
fn the_fuzzer_catches_readers_that_are_known_to_be_bad() {
    let indexes = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        for line in text.lines().filter(|line| line.starts_with("DA:")) {
            let parts: Vec<&str> = line.split(',').collect();
            assert!(!parts[1].is_empty(), "a number of hits");
        }
        report::read(Format::Lcov, bytes)
    };
    let keeps_all = |bytes: &[u8]| {
        let mut report = report::read(Format::Lcov, bytes)?;
        let text = String::from_utf8_lossy(bytes).into_owned();
        report.lines.0.insert(text, Default::default());
        Ok(report)
    };
    let says_nothing = |bytes: &[u8]| report::read(Format::Lcov, bytes).map_err(|_| Unreadable { why: String::new() });
    let corpus = corpus(Format::Lcov);
    let bad: [(&[&str], &Reader); 3] = [
        (&["panics"], &indexes),
        // What it keeps breaks two rules; which one it breaks first is chance.
        (&["control character", "too long"], &keeps_all),
        (&["no reason"], &says_nothing),
    ];
    for (words, reader) in bad {
        let caught = fuzz(&corpus, reader, Duration::from_secs(20)).expect_err("a bad reader is caught");
        assert!(words.iter().any(|word| caught.contains(word)), "{caught}");
    }
}
