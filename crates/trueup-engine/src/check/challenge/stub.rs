//! Functions that the run changed, taken away from under its goals.

use super::{
    Tried,
    canary::{listed, tried},
    over_base::OverBase,
    places::Place,
    subject::{Subject, asked},
    trial::{On, Scene, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::is_called,
    room::Lay,
    word::unguessable,
};
use std::collections::BTreeSet;
use trueup_core::{
    control::{Control, Sabotage, Turned},
    criterion::Check,
    evidence::Saw,
};
use trueup_inspect::code::{self, Elsewhere, Item, Language, Stub, is_test_path};

/// How many functions are taken away one by one.
const MOST_ALONE: usize = 8;

/// A file, its text, and some of its functions.
pub(super) type Functions = (String, String, Vec<String>);

/// What a run did to code that is no test.
pub(super) struct Work {
    /// Functions by file, with the file's text.
    functions: Vec<Functions>,
    /// Whether something differs that no stub can take away.
    elsewhere: Elsewhere,
}

/// What is taken away, and from whom.
pub(super) struct Loss<'a> {
    pub(super) scene: &'a Scene,
    pub(super) subject: &'a Subject<'a>,
    pub(super) goals: Vec<&'a Check>,
    work: Work,
    over: OverBase,
}

/// One time that functions were taken away: which, and what was seen.
struct Taken {
    names: Vec<String>,
    seen: Seen,
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
            controls.extend(self.failing(&loss).await?);
            controls.extend(self.defaulting(&loss).await?);
            controls.extend(self.as_before(&loss).await?);
        }
        Ok(controls)
    }

    /// All that the run changed fails.
    async fn failing(&self, loss: &Loss<'_>) -> Result<Vec<Control>, Halt> {
        let token = format!("trueup_stub_{}", unguessable()?);
        let (lays, names) = lay(&loss.work.functions, Stub::Failing(&token));
        if lays.is_empty() {
            return self.nothing_to_stub(loss, Sabotage::Failing).await;
        }
        let seen = self.attempt(loss.scene, loss.subject, On::Tree, &lays).await?;
        let mut controls = Vec::new();
        for check in &loss.goals {
            let turned = self.missed(loss, check, &seen).await?;
            let one = tried(listed(&names), turned, &seen);
            controls.push(one.of_check(Sabotage::Failing, check));
        }
        Ok(controls)
    }

    /// What the run changed gives a default value: one after the other of the
    /// functions that a goal's tests call, until one is missed. All at once, a
    /// comparison that says yes to everything would itself say no.
    async fn defaulting(&self, loss: &Loss<'_>) -> Result<Vec<Control>, Halt> {
        if lay(&loss.work.functions, Stub::Defaulting).0.is_empty() {
            return self.nothing_to_stub(loss, Sabotage::Defaulting).await;
        }
        let mut taken: Vec<Taken> = Vec::new();
        let mut controls = Vec::new();
        for check in &loss.goals {
            let calls = self.calls(loss, check).await?;
            let mut steps: Vec<Vec<Functions>> = alone(&loss.work.functions, &calls);
            steps.retain(|step| !lay(step, Stub::Defaulting).0.is_empty());
            steps.truncate(MOST_ALONE);
            if steps.is_empty() {
                steps.push(loss.work.functions.clone());
            }
            let one = self.one_by_one(loss, check, steps, &mut taken).await?;
            controls.push(one.of_check(Sabotage::Defaulting, check));
        }
        Ok(controls)
    }

    /// Takes functions away in these steps until the goal misses some.
    async fn one_by_one(
        &self,
        loss: &Loss<'_>,
        check: &Check,
        steps: Vec<Vec<Functions>>,
        taken: &mut Vec<Taken>,
    ) -> Result<Tried, Halt> {
        let mut best: Option<Tried> = None;
        for step in steps {
            let (lays, names) = lay(&step, Stub::Defaulting);
            let at = match taken.iter().position(|taken| taken.names == names) {
                Some(at) => at,
                None => {
                    let seen = self.attempt(loss.scene, loss.subject, On::Tree, &lays).await?;
                    taken.push(Taken { names, seen });
                    taken.len() - 1
                }
            };
            let Some(Taken { names, seen }) = taken.get(at) else {
                continue;
            };
            let turned = self.missed(loss, check, seen).await?;
            let known = best
                .as_ref()
                .map(|best| format!("{}, ", best.about))
                .unwrap_or_default();
            let is_missed = turned != Turned::Green;
            let mut one = tried(listed(names), turned, seen);
            if !is_missed {
                one.about = format!("{known}{}", one.about);
            }
            one.took_ms += best.as_ref().map_or(0, |best| best.took_ms);
            best = Some(one);
            if is_missed {
                break;
            }
        }
        match best {
            Some(best) => Ok(best),
            None => Ok(self.untried(Turned::Green)?),
        }
    }

    /// The names that the tests of a goal call.
    async fn calls(&self, loss: &Loss<'_>, check: &Check) -> Result<BTreeSet<String>, Halt> {
        let tests = self.tests_of(loss, check).await?;
        let called = tests.iter().flat_map(|(place, items)| {
            let of = |item| code::names_in(&place.path, &place.text, item);
            items.iter().flat_map(of)
        });
        Ok(called.collect())
    }

    /// The tests that a goal asks for; where it names none, those that it most
    /// likely runs.
    async fn tests_of(&self, loss: &Loss<'_>, check: &Check) -> Result<Vec<(Place, Vec<Item>)>, Halt> {
        let Some(runner) = check.kind().runner() else {
            return Ok(Vec::new());
        };
        let name = asked(check);
        let places = self.places(loss.scene, loss.subject, runner).await?;
        let tests = places.into_iter().map(|place| {
            let items = code::items(&place.path, &place.text).unwrap_or_default().into_iter();
            let is_meant =
                |item: &Item| item.sort == code::Sort::Test && name.is_none_or(|name| is_called(name, &item.name));
            (place, items.filter(is_meant).collect())
        });
        Ok(tests.collect())
    }

    /// There is no function to take away. What made a test green that was there
    /// before must then be something else of the code, or it lies in the tests.
    async fn nothing_to_stub(&self, loss: &Loss<'_>, sabotage: Sabotage) -> Result<Vec<Control>, Halt> {
        let why = "the run changed no function that could be taken away".to_owned();
        let mut controls = Vec::new();
        for check in &loss.goals {
            let rests_on_tests = was_there(loss, check) && !self.is_red_over_base(loss, check).await?;
            let turned = if rests_on_tests && sabotage == Sabotage::Failing {
                Turned::Green
            } else {
                Turned::Nothing { why: why.clone() }
            };
            let mut one = self.untried(turned)?;
            if rests_on_tests {
                one.about = "all that the run changed outside of tests".to_owned();
            }
            controls.push(one.of_check(sabotage, check));
        }
        Ok(controls)
    }

    /// What a goal did without the functions.
    pub(super) async fn missed(&self, loss: &Loss<'_>, check: &Check, seen: &Seen) -> Result<Turned, Halt> {
        let saw = self.judged(loss.scene, check, seen)?;
        let turned = seen.turned(&saw);
        if turned != Turned::Green {
            return Ok(turned);
        }
        let why = if loss.work.elsewhere == Elsewhere::Yes && self.is_red_over_base(loss, check).await? {
            "it needs what the run changed outside of functions"
        } else {
            return Ok(turned);
        };
        Ok(Turned::Nothing { why: why.to_owned() })
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
    let (Some(before), Some(_)) = (&loss.subject.before, &loss.subject.now) else {
        return loss.over.seen.is_none();
    };
    match asked(check) {
        Some(name) => !before.named(name).is_empty(),
        None => !loss.subject.mended().is_empty(),
    }
}

/// These functions of these files, stubbed: the files, and what was stubbed.
pub(super) fn lay(functions: &[Functions], stub: Stub<'_>) -> (Vec<Lay>, Vec<String>) {
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

/// Those of these functions that are called by one of these names, each alone.
fn alone(functions: &[Functions], calls: &BTreeSet<String>) -> Vec<Vec<Functions>> {
    let mut steps = Vec::new();
    for (path, text, names) in functions {
        let called = names.iter().filter(|name| is_called_by(name, calls));
        steps.extend(called.map(|name| vec![(path.clone(), text.clone(), vec![name.clone()])]));
    }
    steps
}

/// Whether one of these names calls a function: its own, or that of the class
/// that it makes.
pub(super) fn is_called_by(function: &str, calls: &BTreeSet<String>) -> bool {
    let mut parts = function.rsplit(['.', ':']).filter(|part| !part.is_empty());
    let (last, class) = (parts.next().unwrap_or_default(), parts.next());
    let makes = matches!(last, "__init__" | "__new__" | "constructor" | "new");
    calls.contains(last) || (makes && class.is_some_and(|class| calls.contains(class)))
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
        functions.map(|item| item.name).collect::<BTreeSet<_>>()
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
    fn functions_that_are_called_are_taken_away_one_by_one() {
        let names = ["discount", "Paid::eq", "Cart.__init__", "Cart.total"].map(str::to_owned);
        let functions = [("a".to_owned(), String::new(), names.to_vec())];
        let steps = |calls: &[&str]| {
            let calls = calls.iter().map(|call| (*call).to_owned()).collect();
            let steps = alone(&functions, &calls).into_iter().flatten();
            steps.map(|(_, _, names)| names.join("+")).collect::<Vec<_>>()
        };
        assert_eq!(steps(&["discount", "assert_eq"]), ["discount"]);
        assert_eq!(steps(&["Cart", "total"]), ["Cart.__init__", "Cart.total"]);
        assert!(steps(&["Paid", "other"]).is_empty());
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
