//! Functions that the run changed, taken away from under its goals.

use super::{
    canary::{listed, tried},
    over_base::OverBase,
    places::Place,
    subject::{Subject, asked},
    trial::{On, Scene, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::{Ran, Ways, is_called},
    room::Lay,
    word::unguessable,
};
use trueup_core::{
    control::{Control, Sabotage, Turned},
    criterion::Check,
    evidence::Saw,
};
use trueup_inspect::code::{self, Elsewhere, Language, Stub, is_test_path};

/// What a run did to code that is no test.
struct Work {
    /// Functions by file, with the file's text.
    functions: Vec<(String, String, Vec<String>)>,
    /// Whether something differs that no stub can take away.
    elsewhere: Elsewhere,
}

/// What is taken away, and from whom.
struct Loss<'a> {
    scene: &'a Scene,
    subject: &'a Subject<'a>,
    goals: Vec<&'a Check>,
    work: Work,
    over: OverBase,
}

/// How functions are taken away.
#[derive(Clone, Copy)]
enum Way {
    /// They fail.
    Failing,
    /// They give a default value.
    Defaulting,
}

impl Way {
    const fn sabotage(self) -> Sabotage {
        match self {
            Self::Failing => Sabotage::Failing,
            Self::Defaulting => Sabotage::Defaulting,
        }
    }
}

impl Checks {
    /// Takes the work away from under the tests: its code, and then what its
    /// functions do.
    pub(super) async fn without(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Vec<Control>, Halt> {
        let over = self.over_base(scene, subject).await?;
        let mut controls = over.tried.of(Sabotage::OverBase, subject);
        let loss = Loss {
            scene,
            subject,
            goals: subject.goals().collect(),
            work: work(&scene.files),
            over,
        };
        if !loss.goals.is_empty() {
            controls.extend(self.stubbed(&loss, Way::Failing).await?);
            controls.extend(self.stubbed(&loss, Way::Defaulting).await?);
        }
        Ok(controls)
    }

    async fn stubbed(&self, loss: &Loss<'_>, way: Way) -> Result<Vec<Control>, Halt> {
        let token = format!("trueup_stub_{}", unguessable()?);
        let stub = match way {
            Way::Failing => Stub::Failing(&token),
            Way::Defaulting => Stub::Defaulting,
        };
        let (lays, names) = lay(&loss.work.functions, stub);
        if lays.is_empty() {
            return self.nothing_to_stub(loss, way).await;
        }
        let seen = self.attempt(loss.scene, loss.subject, On::Tree, &lays).await?;
        let mut controls = Vec::new();
        for check in &loss.goals {
            let turned = self.missed(loss, way, check, &seen).await?;
            let one = tried(listed(&names), turned, &seen);
            controls.push(one.of_check(way.sabotage(), check));
        }
        Ok(controls)
    }

    /// There is no function to take away. What made a test green that was there
    /// before must then be something else of the code, or it lies in the tests.
    async fn nothing_to_stub(&self, loss: &Loss<'_>, way: Way) -> Result<Vec<Control>, Halt> {
        let why = "the run changed no function that could be taken away".to_owned();
        let mut controls = Vec::new();
        for check in &loss.goals {
            let rests_on_tests = was_there(loss, check) && !self.is_red_over_base(loss, check).await?;
            let turned = match (rests_on_tests, way) {
                (true, Way::Failing) => Turned::Green,
                (true, Way::Defaulting) | (false, _) => Turned::Nothing { why: why.clone() },
            };
            let mut one = self.untried(turned)?;
            if rests_on_tests {
                one.about = "all that the run changed outside of tests".to_owned();
            }
            controls.push(one.of_check(way.sabotage(), check));
        }
        Ok(controls)
    }

    /// What a goal did without the functions.
    async fn missed(&self, loss: &Loss<'_>, way: Way, check: &Check, seen: &Seen) -> Result<Turned, Halt> {
        let saw = self.judged(loss.scene, check, seen)?;
        let turned = seen.turned(&saw);
        if turned != Turned::Green {
            return Ok(turned);
        }
        let why = if matches!(way, Way::Failing) && self.asks_for_failure(loss, check).await? {
            "its test asks for a failure, so that one more tells nothing"
        } else if loss.work.elsewhere == Elsewhere::Yes && self.is_red_over_base(loss, check).await? {
            "it needs what the run changed outside of functions"
        } else {
            return Ok(turned);
        };
        Ok(Turned::Nothing { why: why.to_owned() })
    }

    /// Whether the test that a goal asks for is content with any failure.
    async fn asks_for_failure(&self, loss: &Loss<'_>, check: &Check) -> Result<bool, Halt> {
        let (Some(name), Some(runner)) = (asked(check), check.kind().runner()) else {
            return Ok(false);
        };
        let places = self.places(loss.scene, loss.subject, runner).await?;
        let asks = |place: &Place| {
            let items = code::items(&place.path, &place.text).unwrap_or_default().into_iter();
            let mut meant = items.filter(|item| item.sort == code::Sort::Test && is_called(name, &item.name));
            meant.any(|item| {
                let text = place.text.get(item.span).unwrap_or_default();
                FAILURE.iter().any(|word| text.contains(word))
            })
        };
        Ok(places.iter().any(asks))
    }

    /// Whether the goal's tests, as they are now, fail without all of the work.
    async fn is_red_over_base(&self, loss: &Loss<'_>, check: &Check) -> Result<bool, Halt> {
        let seen = match &loss.over.seen {
            Some(seen) => seen,
            None => &self.seen_over_base(loss.scene, loss.subject).await?,
        };
        let saw = self.judged(loss.scene, check, seen)?;
        Ok(matches!(saw, Saw::Failed { .. } | Saw::TimedOut))
    }
}

/// Whether a test of the base makes the goal: then it was red there, and the
/// tests alone must not be what turned it green.
fn was_there(loss: &Loss<'_>, check: &Check) -> bool {
    let (Some(before), Some(now)) = (&loss.subject.before, &loss.subject.now) else {
        return loss.over.seen.is_none();
    };
    match asked(check) {
        Some(name) => !before.named(name).is_empty(),
        None => {
            let (before, now) = (Ran::of([before]), Ran::of([now]));
            let mut failed = before.0.iter().filter(|(_, (way, _))| *way == Ways::Failed);
            failed.any(|(id, _)| now.way(id) == Some(Ways::Passed))
        }
    }
}

/// What stands in tests that ask for a failure.
const FAILURE: [&str; 7] = [
    "raises",
    "assertRaises",
    "toThrow",
    "throws",
    "rejects",
    "should_panic",
    "recover()",
];

/// These functions of these files, stubbed: the files, and what was stubbed.
pub(super) fn lay(functions: &[(String, String, Vec<String>)], stub: Stub<'_>) -> (Vec<Lay>, Vec<String>) {
    let (mut lays, mut names) = (Vec::new(), Vec::new());
    for (path, text, functions) in functions {
        let stubbed = code::stub(path, text, functions, stub);
        if let Some(stubbed) = stubbed.filter(|stubbed| !stubbed.functions.is_empty()) {
            names.extend(stubbed.functions.iter().map(|name| format!("{name} in {path}")));
            lays.push(Lay::whole(path.clone(), stubbed.source));
        }
    }
    (lays, names)
}

/// What was changed in code that is no test.
fn work(files: &[File]) -> Work {
    let mut work = Work {
        functions: Vec::new(),
        elsewhere: Elsewhere::No,
    };
    for file in files.iter().filter(|file| !is_test_path(&file.path)) {
        let known = Language::of(&file.path).is_some();
        let changed = match (known, file.text(Side::After)) {
            (true, Some(after)) => code::changed(&file.path, file.text(Side::Before), after).map(|one| (after, one)),
            (_, _) => None,
        };
        match changed {
            Some((after, changed)) => {
                if changed.elsewhere == Elsewhere::Yes || lost_functions(file) {
                    work.elsewhere = Elsewhere::Yes;
                }
                if !changed.functions.is_empty() {
                    work.functions
                        .push((file.path.clone(), after.to_owned(), changed.functions));
                }
            }
            // A template, a query, a page of style: it may be what the goal is about.
            None if !is_prose(&file.path) => work.elsewhere = Elsewhere::Yes,
            None => {}
        }
    }
    work
}

/// Whether a function is gone: that can be the work, and no stub takes it away.
fn lost_functions(file: &File) -> bool {
    let names = |side| {
        let items = file
            .text(side)
            .and_then(|text| code::items(&file.path, text))
            .unwrap_or_default();
        let functions = items.into_iter().filter(|item| item.sort == code::Sort::Function);
        functions
            .map(|item| item.name)
            .collect::<std::collections::BTreeSet<_>>()
    };
    !names(Side::Before).is_subset(&names(Side::After))
}

/// Whether no program reads it.
fn is_prose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "md" | "rst" | "adoc") || matches!(name, "LICENSE" | ".gitignore" | "CHANGELOG")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, before: Option<&str>, after: Option<&str>) -> File {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        File {
            path: path.to_owned(),
            before: bytes(before),
            after: bytes(after),
        }
    }

    #[test]
    fn work_is_the_functions_that_changed_outside_of_tests() {
        let work = work(&[
            file(
                "a.py",
                Some("def f():\n    return 1\n"),
                Some("def f():\n    return 2\n"),
            ),
            file("tests/test_a.py", None, Some("def test_f():\n    assert 1\n")),
            file("README.md", None, Some("text\n")),
        ]);
        assert_eq!(work.elsewhere, Elsewhere::No);
        let [(path, _, functions)] = work.functions.as_slice() else {
            panic!("{:?}", work.functions);
        };
        assert_eq!((path.as_str(), functions.as_slice()), ("a.py", &["f".to_owned()][..]));
    }

    #[test]
    fn a_lost_function_or_a_file_no_stubber_reads_is_work_elsewhere() {
        let lost = file(
            "a.py",
            Some("def f():\n    pass\n\n\ndef g():\n    pass\n"),
            Some("def f():\n    pass\n"),
        );
        assert_eq!(work(&[lost]).elsewhere, Elsewhere::Yes);
        let page = file("page.html", Some("a"), Some("b"));
        assert_eq!(work(&[page]).elsewhere, Elsewhere::Yes);
    }
}
