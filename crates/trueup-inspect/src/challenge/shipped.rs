//! Goals in a build as users get it.
//!
//! Cargo builds tests for debugging: assertions that are left out of what is
//! shipped are executed, and numbers that do not fit end the program instead of
//! becoming others; nothing is optimised. Work that rests on any of these is not
//! there for users.

use super::{
    replay::Replay,
    step::{Ask, On, Overlay},
};
use crate::{code::is_test_path, rules};
use trueup_core::{
    criterion::Execution,
    judge::debug_only,
    kind::{Kind, Runner},
    objection::Objection,
};

/// Where cargo looks for its configuration; the first that is there counts.
const CONFIGS: [&str; 2] = [".cargo/config", ".cargo/config.toml"];

/// What says how all packages are built.
const MANIFEST: &str = "Cargo.toml";

/// Goals that pass only in a build for debugging.
pub(super) fn shipped(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let goals = replay.goals();
    let is_rust = |path: &str| path.ends_with(".rs") && !is_test_path(path);
    let is_changed = replay.trees.files.iter().any(|file| is_rust(&file.path));
    if goals.is_empty() || !is_changed || !is_built_for_debugging(replay.subject.execution) {
        return Ok(Vec::new());
    }
    let is_there = |path: &&str| replay.trees.paths.iter().any(|other| other == *path);
    let there = CONFIGS.iter().copied().find(|path| is_there(path));
    let wanted = there.into_iter().chain(Some(MANIFEST).filter(is_there));
    let texts = replay.texts(wanted.map(str::to_owned).collect())?;
    let text = |wanted: &str| texts.iter().find(|(path, _)| *path == wanted).map(|(_, text)| *text);
    let [_, usual] = CONFIGS;
    let path = there.unwrap_or(usual);
    let Some(config) = rules::shipped(text(path), text(MANIFEST)) else {
        return Ok(Vec::new());
    };
    let trial = replay.trial("shipped", On::Tree, vec![Overlay::text(path, config)])?;
    let red = trial.not_passed(goals).into_iter();
    Ok(red.map(|check| debug_only(&check.id, &replay.trees.tree)).collect())
}

/// Whether cargo builds what this executes, and not as it is shipped already.
fn is_built_for_debugging(execution: &Execution) -> bool {
    let is_cargo = matches!(execution.kind, Kind::Tests(Runner::CargoTest | Runner::Nextest));
    let is_release = |word: &String| matches!(word.as_str(), "--release" | "-r");
    is_cargo && !execution.argv.iter().any(is_release)
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
