//! Two subjects that take turns, their medians, and the bound between them.

use std::{
    fmt,
    time::{Duration, Instant},
};
use trueup_testkit::household::scale;

/// From this scale on everything is measured in full.
const FULL: usize = 10;

/// How often a figure may be measured until it keeps its bound.
const ATTEMPTS: usize = 3;

/// Whether everything is measured in full, as `just bench` does.
pub(crate) fn is_full() -> bool {
    scale() >= FULL
}

/// How many files the trees have that are measured.
pub(crate) fn sizes() -> &'static [usize] {
    if is_full() {
        &[1_000, 10_000, 100_000]
    } else {
        &[1_000, 10_000]
    }
}

/// How often each subject is measured.
pub(crate) fn rounds(in_ci: usize, in_full: usize) -> usize {
    if is_full() { in_full } else { in_ci }
}

/// Times of one subject.
#[derive(Debug)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// These, in order of length.
    pub(crate) fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        Self(times)
    }

    fn at(&self, percent: usize) -> Duration {
        let last = self.0.len().saturating_sub(1);
        self.0.get(last * percent / 100).copied().unwrap_or_default()
    }

    /// The one in the middle, in milliseconds.
    pub(crate) fn median(&self) -> f64 {
        self.at(50).as_secs_f64() * 1e3
    }
}

impl fmt::Display for Times {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.at(10).as_secs_f64() * 1e3, self.at(90).as_secs_f64() * 1e3);
        write!(out, "{:.2} ms ({low:.2} to {high:.2})", self.median())
    }
}

/// Times of ours and of the bare thing, taken in turns.
pub(crate) fn in_turns(
    rounds: usize,
    mut ours: impl FnMut() -> Duration,
    mut bare: impl FnMut() -> Duration,
) -> (Times, Times) {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        one.push(ours());
        other.push(bare());
    }
    (Times::of(one), Times::of(other))
}

/// How long something takes.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    drop(work());
    began.elapsed()
}

/// What a figure may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    /// At most this much.
    AtMost(f64),
    /// At least this much.
    AtLeast(f64),
}

impl fmt::Display for Bound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(out, "at most {most}"),
            Self::AtLeast(least) => write!(out, "at least {least}"),
        }
    }
}

/// One figure, and what it may be.
#[derive(Debug)]
pub(crate) struct Figure {
    /// What was measured.
    pub(crate) name: String,
    /// How much it is.
    pub(crate) value: f64,
    /// What it may be.
    pub(crate) bound: Bound,
    /// How far it may miss the bound in CI, as a factor, where the noise of a
    /// shared machine demands it; 1 where it does not. `just bench` gives none.
    pub(crate) slack: f64,
    /// Medians and spreads, for people.
    pub(crate) detail: String,
}

impl Figure {
    /// How ours compares with the bare thing, the smaller the better.
    pub(crate) fn ratio(name: impl Into<String>, (ours, bare): &(Times, Times), bound: Bound) -> Self {
        Self {
            name: name.into(),
            value: ours.median() / bare.median(),
            bound,
            slack: 1.0,
            detail: format!("ours {ours}, bare {bare}"),
        }
    }

    /// With room for noise in CI.
    #[must_use]
    pub(crate) fn with_slack(mut self, slack: f64) -> Self {
        self.slack = slack;
        self
    }

    /// Prints the figure; answers whether it keeps its bound.
    pub(crate) fn keeps(&self) -> bool {
        self.tell();
        self.holds()
    }

    fn slack(&self) -> f64 {
        if is_full() { 1.0 } else { self.slack }
    }

    fn holds(&self) -> bool {
        match self.bound {
            Bound::AtMost(most) => self.value <= most * self.slack(),
            Bound::AtLeast(least) => self.value >= least / self.slack(),
        }
    }

    fn tell(&self) {
        let verdict = if self.holds() { "kept" } else { "BROKEN" };
        println!(
            "measured: {}={:.3}, {} ({verdict}, slack {}); {}",
            self.name,
            self.value,
            self.bound,
            self.slack(),
            self.detail
        );
    }
}

/// Measures again what breaks its bound: a shared machine is busy for a while,
/// but what is slow is slow every time.
pub(crate) fn again(mut measure: impl FnMut() -> Figure) -> Figure {
    let mut figure = measure();
    for _ in 1..ATTEMPTS {
        if figure.holds() {
            break;
        }
        figure.tell();
        figure = measure();
    }
    figure
}

/// Prints figures that are told, not demanded: `docs/costs.md` gives the cause
/// of each that misses its bound.
pub(crate) fn tell(figures: &[Figure]) {
    for figure in figures {
        figure.keeps();
    }
}

/// Prints every figure, and in a release build demands that each keeps its
/// bound.
pub(crate) fn demand(figures: &[Figure]) {
    let broken: Vec<&Figure> = figures.iter().filter(|figure| !figure.keeps()).collect();
    assert!(
        cfg!(debug_assertions) || broken.is_empty(),
        "bounds are broken: {broken:#?}"
    );
}
