//! A failing test of random name, laid where a check selects.

use super::{
    Tried,
    places::Place,
    subject::Subject,
    trial::{On, Scene, Seen},
};
use crate::check::{Checks, Halt, room::Lay, word::unguessable};
use trueup_core::{control::Turned, kind::Runner};
use trueup_inspect::code;

/// How many tests of a file are broken at once, where none is known to run.
const MOST_BROKEN: usize = 500;

impl Checks {
    /// Lays a failing test and sees whether the check turns red by it. Where it
    /// is not selected, a test that is gets broken instead.
    pub(super) async fn canary(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Tried, Halt> {
        let Some(runner) = subject.execution.kind.runner().filter(|runner| runner.takes_canaries()) else {
            let why = "nobody knows how to lay a failing test for this runner".to_owned();
            return Ok(self.untried(Turned::Nothing { why })?);
        };
        let places = self.places(scene, subject, runner).await?;
        let mut best: Option<Tried> = None;
        for (nth, place) in places.iter().enumerate() {
            let tried = self.laid(scene, subject, runner, place).await?;
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

    /// A new test that fails, in or beside this file.
    async fn laid(
        &self,
        scene: &Scene,
        subject: &Subject<'_>,
        runner: Runner,
        place: &Place,
    ) -> Result<Option<Tried>, Halt> {
        let Some(canary) = code::canary(runner, &place.path, &place.text, &unguessable()?) else {
            return Ok(None);
        };
        let lay = Lay::whole(canary.path.clone(), canary.source);
        let seen = self.attempt(scene, subject, On::Tree, &[lay]).await?;
        let turned = seen.turned_by(&canary.name, &[]);
        Ok(Some(tried(
            format!("{} in {}", canary.name, canary.path),
            turned,
            &seen,
        )))
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
