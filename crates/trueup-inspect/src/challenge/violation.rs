//! A fault that a tool of its kind must find.

use super::{
    places::means,
    replay::Replay,
    step::{Ask, Layout, On, Overlay},
};
use crate::code::{self, FaultLanguage, is_test_path};
use trueup_core::{control::Reaction, judge::ControlResult};

/// How many files are tried, or one of each language where there are more.
const MOST_PLACES: usize = 3;

/// Lays a fault into a file and sees whether the check turns red.
pub(super) fn violation(replay: &Replay<'_>) -> Result<ControlResult, Ask> {
    let mut best: Option<ControlResult> = None;
    for (path, text) in replay.texts(places(replay))? {
        let laid = replay.attempt(&format!("violation in {path}"), |_| {
            let source = code::violation(path, text, replay.subject.execution.kind)?;
            Some(Layout::of(On::Tree, vec![Overlay::text(path, source)]))
        })?;
        let Some(laid) = laid else { continue };
        let turned = match laid.trial.reaction_of(&replay.subject.first.id) {
            Reaction::Red { .. } => Reaction::Red { by: path.to_owned() },
            turned @ (Reaction::Green
            | Reaction::Otherwise { .. }
            | Reaction::NotLaid { .. }
            | Reaction::Nothing { .. }) => turned,
        };
        let mut one = ControlResult::of(path.to_owned(), turned, &laid.trial);
        one.took_ms += best.map_or(0, |best| best.took_ms);
        if one.is_red() {
            return Ok(one);
        }
        best = Some(one);
    }
    Ok(best.unwrap_or_else(|| {
        let why = "there is no file of a language in which a fault could be laid".to_owned();
        ControlResult::untried(Reaction::NotLaid { why })
    }))
}

/// A few files of code: what the check's words name and what the run wrote
/// first, then one of each language.
fn places(replay: &Replay<'_>) -> Vec<String> {
    let is_changed = |path: &str| replay.changed(path).is_some();
    let in_words = |path: &str| replay.subject.execution.argv.iter().any(|word| means(word, path, &[]));
    let mut code: Vec<&String> = replay
        .trees
        .paths
        .iter()
        .filter(|path| FaultLanguage::of(path).is_some())
        .collect();
    code.sort_by_cached_key(|path| {
        let depth = path.matches('/').count();
        (
            !in_words(path),
            is_test_path(path),
            !is_changed(path),
            depth,
            path.len(),
        )
    });
    one_of_each(&code)
}

/// The first of each language, then the rest. A tool may look at the language
/// that comes last, so none is left out.
fn one_of_each(code: &[&String]) -> Vec<String> {
    let mut tongues = Vec::new();
    let (mut places, mut rest) = (Vec::new(), Vec::new());
    for path in code {
        let tongue = FaultLanguage::of(path);
        if tongues.contains(&tongue) {
            rest.push((*path).clone());
        } else {
            tongues.push(tongue);
            places.push((*path).clone());
        }
    }
    places.extend(rest);
    places.truncate(MOST_PLACES.max(tongues.len()));
    places
}

#[cfg(test)]
mod tests {
    use super::one_of_each;

    #[test]
    fn a_fault_is_laid_in_every_language_that_is_there() {
        let of = |paths: &[&str]| {
            let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
            one_of_each(&paths.iter().collect::<Vec<_>>())
        };
        assert_eq!(of(&["a.py", "b.py", "a.c", "c.py"]), ["a.py", "a.c", "b.py"]);
        assert_eq!(
            of(&["a.py", "b.py", "a.js", "a.go", "a.c"]),
            ["a.py", "a.js", "a.go", "a.c"]
        );
    }
}
