//! Functions that the run changed, taken away from under its goals.

use super::{
    canary::listed,
    over_base::OverBase,
    reds::word,
    subject::Subject,
    trial::{On, Scene, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    room::Lay,
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

impl Checks {
    /// Takes the work away from under the tests: its code, and then what its
    /// functions do.
    pub(super) async fn without(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Vec<Control>, Halt> {
        let over = self.over_base(scene, subject).await?;
        let mut controls = over.tried.clone().of(Sabotage::OverBase, subject);
        let goals: Vec<&Check> = subject.goals().collect();
        if goals.is_empty() {
            return Ok(controls);
        }
        let work = work(&scene.files);
        for sabotage in [Sabotage::Failing, Sabotage::Defaulting] {
            controls.extend(self.stubbed(scene, subject, &goals, &work, &over, sabotage).await?);
        }
        Ok(controls)
    }

    async fn stubbed(
        &self,
        scene: &Scene,
        subject: &Subject<'_>,
        goals: &[&Check],
        work: &Work,
        over: &OverBase,
        sabotage: Sabotage,
    ) -> Result<Vec<Control>, Halt> {
        let token = format!("trueup_stub_{}", word()?);
        let stub = match sabotage {
            Sabotage::Defaulting => Stub::Defaulting,
            _ => Stub::Failing(&token),
        };
        let (lays, names) = lay(&work.functions, stub);
        let control = |check: &Check, turned: Turned, seen: Option<&Seen>| -> Result<Control, Halt> {
            let output = match seen {
                Some(seen) => seen.output.clone(),
                None => self.blobs.put_body(b"", 0)?,
            };
            Ok(Control {
                check: check.id.clone(),
                sabotage,
                about: listed(&names),
                turned,
                output,
                took_ms: seen.map_or(0, |seen| seen.took_ms),
            })
        };
        if lays.is_empty() {
            let why = "the run changed no function that could be taken away".to_owned();
            let nothing = |check: &&Check| control(check, Turned::Nothing { why: why.clone() }, None);
            return goals.iter().map(nothing).collect();
        }
        let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
        let mut controls = Vec::new();
        for check in goals {
            let saw = self.judged(scene, check, &seen)?;
            let turned = match (seen.turned(&saw), work.elsewhere) {
                (Turned::Green, Elsewhere::Yes) if self.is_red_over_base(scene, subject, check, over).await? => {
                    Turned::Nothing {
                        why: "it needs what the run changed outside of functions".to_owned(),
                    }
                }
                (turned, _) => turned,
            };
            controls.push(control(check, turned, Some(&seen))?);
        }
        Ok(controls)
    }

    /// Whether the goal's tests, as they are now, fail without all of the work.
    async fn is_red_over_base(
        &self,
        scene: &Scene,
        subject: &Subject<'_>,
        check: &Check,
        over: &OverBase,
    ) -> Result<bool, Halt> {
        let seen = match &over.seen {
            Some(seen) => seen,
            None => &self.seen_over_base(scene, subject).await?,
        };
        Ok(matches!(
            self.judged(scene, check, seen)?,
            Saw::Failed { .. } | Saw::TimedOut
        ))
    }
}

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
