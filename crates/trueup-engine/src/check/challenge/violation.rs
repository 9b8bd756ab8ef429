//! A fault that a tool of its kind must find.

use super::{
    Tried,
    canary::tried,
    places::means,
    subject::Subject,
    trial::{On, Scene},
};
use crate::check::{Checks, Halt, room::Lay};
use trueup_core::control::Turned;
use trueup_inspect::code::{self, Tongue, is_test_path};

/// How many files are tried, or one of each language where there are more.
const MOST_PLACES: usize = 3;

impl Checks {
    /// Lays a fault into a file and sees whether the check turns red.
    pub(super) async fn violation(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Tried, Halt> {
        let mut best: Option<Tried> = None;
        let places = places(scene, subject);
        let mut texts = self.texts(scene, places.clone()).await?;
        texts.sort_by_key(|(path, _)| places.iter().position(|place| place == path));
        for (path, text) in texts {
            let Some(source) = code::violation(&path, &text, subject.execution.kind) else {
                continue;
            };
            let lay = Lay::whole(path.clone(), source);
            let seen = self.attempt(scene, subject, On::Tree, &[lay]).await?;
            let saw = self.judged(scene, subject.first, &seen)?;
            let turned = match seen.turned(&saw) {
                Turned::Red { .. } => Turned::Red { by: path.clone() },
                turned @ (Turned::Green
                | Turned::Otherwise { .. }
                | Turned::NotLaid { .. }
                | Turned::Nothing { .. }) => turned,
            };
            let mut one = tried(path, turned, &seen);
            one.took_ms += best.as_ref().map_or(0, |best| best.took_ms);
            let is_red = matches!(one.turned, Turned::Red { .. });
            best = Some(one);
            if is_red {
                break;
            }
        }
        match best {
            Some(best) => Ok(best),
            None => {
                let why = "there is no file of a language in which a fault could be laid".to_owned();
                Ok(self.untried(Turned::NotLaid { why })?)
            }
        }
    }
}

/// A few files of code: what the check's words name and what the run wrote
/// first, then one of each language.
fn places(scene: &Scene, subject: &Subject<'_>) -> Vec<String> {
    let is_changed = |path: &str| scene.files.iter().any(|file| file.path == path);
    let in_words = |path: &str| subject.execution.argv.iter().any(|word| means(word, path, &[]));
    let mut code: Vec<&String> = scene.paths.iter().filter(|path| Tongue::of(path).is_some()).collect();
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
        let tongue = Tongue::of(path);
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
