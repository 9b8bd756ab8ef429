//! Goals in a build as users get it.
//!
//! Cargo builds tests for debugging: assertions that are left out of what is
//! shipped are executed, and numbers that do not fit end the program instead of
//! becoming others. Work that rests on either is not there for users.

use super::{
    subject::Subject,
    trial::{On, Scene},
};
use crate::check::{Checks, Halt, objections::digest, room::Lay};
use trueup_core::{
    criterion::{Check, Execution},
    kind::{Kind, Runner},
    objection::{About, Objection},
};
use trueup_inspect::{code::is_test_path, rules};

/// Where cargo looks for its configuration; the first that is there counts.
const CONFIGS: [&str; 2] = [".cargo/config", ".cargo/config.toml"];

impl Checks {
    /// Goals that pass only in a build for debugging.
    pub(super) async fn shipped(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Vec<Objection>, Halt> {
        let goals: Vec<&Check> = subject.goals().collect();
        let is_rust = |path: &str| path.ends_with(".rs") && !is_test_path(path);
        let is_changed = scene.files.iter().any(|file| is_rust(&file.path));
        if goals.is_empty() || !is_changed || !is_built_for_debugging(subject.execution) {
            return Ok(Vec::new());
        }
        let there = CONFIGS
            .iter()
            .find(|path| scene.paths.iter().any(|other| other == *path));
        let texts = match there {
            Some(path) => self.texts(scene, vec![(*path).to_owned()]).await?,
            None => Vec::new(),
        };
        let [_, usual] = CONFIGS;
        let path = there.copied().unwrap_or(usual);
        let Some(config) = rules::shipped(texts.first().map(|(_, text)| text.as_str())) else {
            return Ok(Vec::new());
        };
        let lay = Lay::whole(path.to_owned(), config);
        let seen = self.attempt(scene, subject, On::Tree, &[lay]).await?;
        let red = self.red(scene, goals, &seen)?.into_iter();
        Ok(red.map(|check| objection(scene, check)).collect())
    }
}

/// Whether cargo builds what this executes, and not as it is shipped already.
fn is_built_for_debugging(execution: &Execution) -> bool {
    let is_cargo = matches!(execution.kind, Kind::Tests(Runner::CargoTest | Runner::Nextest));
    let is_release = |word: &String| matches!(word.as_str(), "--release" | "-r");
    is_cargo && !execution.argv.iter().any(is_release)
}

fn objection(scene: &Scene, check: &Check) -> Objection {
    let about = About::DebugOnly;
    let fields = [check.id.as_str().as_bytes(), scene.wish.tree.as_str().as_bytes()];
    Objection {
        about,
        path: check.id.to_string(),
        what: format!(
            "{} does not pass in a build without debug assertions and overflow checks, as users get it: \
             have the code do the work in every build",
            check.id
        ),
        digest: digest(about, &fields),
        allowed: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::criterion::Network;

    #[test]
    fn what_is_built_as_it_is_shipped_is_not_built_again() {
        let of = |words: &[&str], kind| Execution {
            kind,
            ..Execution::new(
                words.iter().map(|word| (*word).to_owned()).collect(),
                1000,
                Network::Off,
            )
        };
        let cargo = Kind::Tests(Runner::CargoTest);
        assert!(is_built_for_debugging(&of(&["cargo", "test"], cargo)));
        assert!(is_built_for_debugging(&of(
            &["cargo", "nextest", "run"],
            Kind::Tests(Runner::Nextest)
        )));
        assert!(!is_built_for_debugging(&of(&["cargo", "test", "--release"], cargo)));
        assert!(!is_built_for_debugging(&of(&["pytest"], Kind::Tests(Runner::Pytest))));
    }
}
