//! Failing tests of random name, laid where a check selects.

use super::{
    Tried,
    places::Place,
    subject::Subject,
    trial::{On, Scene, Seen},
};
use crate::check::{Checks, Halt, room::Lay, word::unguessable};
use trueup_core::{control::Turned, kind::Runner};
use trueup_inspect::code::{self, Fault};

/// How many tests of a file are broken at once, where none is known to run.
const MOST_BROKEN: usize = 500;

impl Checks {
    /// Lays failing tests and sees whether the check turns red by them. Where they
    /// are not selected, a test that is gets broken instead.
    pub(super) async fn canary(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Tried, Halt> {
        let Some(runner) = subject.execution.kind.runner().filter(|runner| runner.takes_canaries()) else {
            let why = "nobody knows how to lay a failing test for this runner".to_owned();
            return Ok(self.untried(Turned::Nothing { why })?);
        };
        let places = self.places(scene, subject, runner).await?;
        let mut best: Option<Tried> = None;
        for (nth, place) in places.iter().enumerate() {
            let tried = match self.laid(scene, subject, runner, place).await? {
                Laid::Tried(tried) => Some(tried),
                // It ran where the check looks, and whoever broke another test would see less.
                Laid::Passed(tried) => return Ok(tried),
                Laid::Not => None,
            };
            best = better(best, tried);
            if nth == 0 && !best.as_ref().is_some_and(is_red) {
                best = better(best, self.broken(scene, subject, &places).await?);
            }
            if best.as_ref().is_some_and(is_red) {
                break;
            }
        }
        match best {
            Some(best) => Ok(best),
            None => {
                let why = "there is no file of tests in which a failing one could be laid".to_owned();
                Ok(self.untried(Turned::NotLaid { why })?)
            }
        }
    }

    /// New tests that fail, in or beside this file: by the runner's own
    /// assertions, which something may have replaced, and by a failure of
    /// their own. Where a runner ends with the first failure, what it left is
    /// laid again.
    async fn laid(&self, scene: &Scene, subject: &Subject<'_>, runner: Runner, place: &Place) -> Result<Laid, Halt> {
        let is_told = subject.now.as_ref().is_some_and(|report| !report.tests.is_empty());
        let mut faults = Fault::of(runner).to_vec();
        if !is_told {
            faults.truncate(1);
        }
        let mut took_ms = 0;
        // Where nothing is told, one that throws shows whether the other was run.
        let mut silent: Option<Tried> = None;
        loop {
            let Some(canary) = code::canary(runner, &place.path, &place.text, &unguessable()?, &faults) else {
                return Ok(Laid::Not);
            };
            let lay = Lay::whole(canary.path.clone(), canary.source);
            let seen = self.attempt(scene, subject, On::Tree, &[lay]).await?;
            took_ms += seen.took_ms;
            let told = |turned, name: &str| {
                let mut tried = tried(format!("{name} in {}", canary.path), turned, &seen);
                tried.took_ms = took_ms;
                tried
            };
            if let Some(test) = canary.tests.iter().find(|test| seen.passed(test)) {
                return Ok(Laid::Passed(told(Turned::Green, test)));
            }
            let turned = seen.turned_by(&canary.name, &[]);
            if !is_told && turned == Turned::Green && silent.is_none() {
                silent = Some(told(turned, &canary.name));
                faults = vec![Fault::Thrown];
                continue;
            }
            if let (Some(silent), Turned::Red { .. }) = (&silent, &turned) {
                return Ok(Laid::Passed(silent.clone()));
            }
            let is_left =
                |(_, test): &(&Fault, &String)| !seen.failed().any(|failed| failed.id.contains(test.as_str()));
            let left = faults.iter().zip(&canary.tests).filter(is_left);
            let left: Vec<Fault> = left.map(|(fault, _)| *fault).collect();
            let goes_on = matches!(turned, Turned::Red { .. }) && is_told && left.len() < faults.len();
            if left.is_empty() || !goes_on {
                return Ok(Laid::Tried(told(turned, &canary.name)));
            }
            faults = left;
        }
    }

    /// Tests that are there, made to fail: for checks that select single ones.
    async fn broken(&self, scene: &Scene, subject: &Subject<'_>, places: &[Place]) -> Result<Option<Tried>, Halt> {
        let token = format!("trueup_canary_{}", unguessable()?);
        let mut lays = Vec::new();
        let mut names = Vec::new();
        for place in places {
            let known = if place.passed.is_empty() {
                &place.tests
            } else {
                &place.passed
            };
            let mut text = place.text.clone();
            let mut done = Vec::new();
            for test in known.iter().take(MOST_BROKEN) {
                if let Some(made) = code::break_test(&place.path, &text, test, &token) {
                    text = made;
                    done.push(test.clone());
                }
            }
            if !done.is_empty() {
                lays.push(Lay::whole(place.path.clone(), text));
                names.extend(done);
            }
        }
        if lays.is_empty() {
            return Ok(None);
        }
        let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
        let turned = seen.turned_by(&token, &names);
        let about = format!("{token} in {}", listed(&names));
        Ok(Some(tried(about, turned, &seen)))
    }
}

/// What came of new tests in one place.
enum Laid {
    /// None could be written there.
    Not,
    /// This.
    Tried(Tried),
    /// One ran and is said to have passed.
    Passed(Tried),
}

pub(super) fn tried(about: String, turned: Turned, seen: &Seen) -> Tried {
    Tried {
        about,
        turned,
        output: seen.output.clone(),
        took_ms: seen.took_ms,
    }
}

const fn is_red(tried: &Tried) -> bool {
    matches!(tried.turned, Turned::Red { .. })
}

/// Red is what is looked for; staying green says more than another failure.
fn better(one: Option<Tried>, other: Option<Tried>) -> Option<Tried> {
    let (Some(one), Some(other)) = (&one, &other) else {
        return one.or(other);
    };
    let worth = |tried: &Tried| match tried.turned {
        Turned::Red { .. } => 3,
        Turned::Green => 2,
        Turned::Otherwise { .. } => 1,
        Turned::NotLaid { .. } | Turned::Nothing { .. } => 0,
    };
    let mut best = if worth(other) > worth(one) { other } else { one }.clone();
    best.took_ms = one.took_ms + other.took_ms;
    Some(best)
}

/// The first few of these names.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
