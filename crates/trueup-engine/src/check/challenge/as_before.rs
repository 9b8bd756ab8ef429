//! What was there before, as it was, under tests that came from the run.
//!
//! A test that was written together with the work can be red on the base for
//! want of a name alone. It must miss what the work does.

use super::{
    canary::{listed, tried},
    stub::{Loss, is_called_by},
    subject::asked,
    trial::{On, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::{Written, is_called, written},
    room::Lay,
};
use std::collections::BTreeSet;
use trueup_core::{
    control::{Control, Sabotage, Turned},
    criterion::Check,
};
use trueup_inspect::code::{self, Sort, is_test_path};

impl Checks {
    /// Lets the functions that the run changed do what they did before.
    pub(super) async fn as_before(&self, loss: &Loss<'_>) -> Result<Vec<Control>, Halt> {
        let (lays, names) = lay(&loss.scene.files);
        let mut known: Option<Seen> = None;
        let mut controls = Vec::new();
        for check in &loss.goals {
            let spared = match lays.is_empty() {
                true => Some("the run changed no function that was there before".to_owned()),
                false => spared(&loss.scene.files, check),
            };
            let one = match spared {
                Some(why) => self.untried(Turned::Nothing { why })?,
                None => {
                    let seen = match known.take() {
                        Some(seen) => seen,
                        None => self.attempt(loss.scene, loss.subject, On::Tree, &lays).await?,
                    };
                    let turned = match self.missed(loss, check, &seen).await? {
                        Turned::Red { .. } if loss.subject.now.is_some() && seen.tests().is_none() => {
                            let why = "with what was there before, nothing runs".to_owned();
                            Turned::Nothing { why }
                        }
                        turned @ (Turned::Red { .. }
                        | Turned::Green
                        | Turned::Otherwise { .. }
                        | Turned::NotLaid { .. }
                        | Turned::Nothing { .. }) => turned,
                    };
                    let one = tried(listed(&names), turned, &seen);
                    known = Some(seen);
                    one
                }
            };
            controls.push(one.of_check(Sabotage::AsBefore, check));
        }
        Ok(controls)
    }
}

/// The files whose functions were changed, as before; and these functions.
fn lay(files: &[File]) -> (Vec<Lay>, Vec<String>) {
    let (mut lays, mut names) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|file| !is_test_path(&file.path)) {
        let (Some(before), Some(after)) = (file.text(Side::Before), file.text(Side::After)) else {
            continue;
        };
        if let Some(made) = code::as_before(&file.path, before, after).filter(|made| !made.functions.is_empty()) {
            names.extend(made.functions.iter().map(|name| format!("{name} in {}", file.path)));
            lays.push(Lay::whole(file.path.clone(), made.source));
        }
    }
    (lays, names)
}

/// Why a goal need not miss what changed, if it need not.
fn spared(files: &[File], check: &Check) -> Option<String> {
    let (old, new) = (written(files, Side::Before), written(files, Side::After));
    let is_known = |one: &Written| old.iter().any(|old| old.key == one.key);
    let is_meant = |one: &Written| asked(check).is_none_or(|name| is_called(name, &one.item.name));
    let fresh: Vec<&Written> = new.iter().filter(|one| is_meant(one) && !is_known(one)).collect();
    if fresh.is_empty() {
        return Some("its test was there before".to_owned());
    }
    let paths: BTreeSet<&str> = fresh.iter().map(|one| one.path.as_str()).collect();
    let calls = calls(files, &paths);
    let new = added(files).into_iter().find(|name| is_called_by(name, &calls))?;
    Some(format!("its test calls `{new}`, which is new"))
}

/// What is called anywhere in these files.
fn calls(files: &[File], paths: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut calls = BTreeSet::new();
    for file in files.iter().filter(|file| paths.contains(file.path.as_str())) {
        let text = file.text(Side::After).unwrap_or_default();
        for item in code::items(&file.path, text).unwrap_or_default() {
            if item.sort == Sort::Test || is_test_path(&file.path) {
                calls.extend(code::names_in(&file.path, text, &item));
            }
        }
    }
    calls
}

/// The functions outside of tests that the base does not have.
fn added(files: &[File]) -> Vec<String> {
    let names = |file: &File, side| {
        let items = file.text(side).and_then(|text| code::items(&file.path, text));
        let functions = items.unwrap_or_default().into_iter();
        let functions = functions.filter(|item| item.sort == Sort::Function);
        functions.map(|item| item.name).collect::<BTreeSet<String>>()
    };
    let code = files.iter().filter(|file| !is_test_path(&file.path));
    code.flat_map(|file| {
        let before = names(file, Side::Before);
        let after = names(file, Side::After).into_iter();
        after.filter(|name| !before.contains(name)).collect::<Vec<_>>()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::{
        criterion::{Check, Execution, How, Network, Role, Sight},
        id::CheckId,
    };

    fn file(path: &str, before: Option<&str>, after: &str) -> File {
        File {
            path: path.to_owned(),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        }
    }

    #[test]
    fn a_new_test_must_miss_the_work_unless_it_calls_something_new() {
        let execution = Execution::new(vec!["pytest".to_owned()], 1000, Network::Off);
        let check = Check {
            id: CheckId::new("A.1"),
            role: Role::Goal,
            how: How::Command(execution),
            sight: Sight::Open,
            source: String::new(),
            line: 1,
        };
        let code = file(
            "a.py",
            Some("def f():\n    return 1\n"),
            "def g():\n    return 2\n\n\ndef f():\n    return g()\n",
        );
        let test = |before, after| file("tests/test_a.py", before, after);
        let of_f = "def test_f():\n    assert f() == 2\n";
        assert!(spared(&[code.clone(), test(None, of_f)], &check).is_none());
        assert!(spared(&[code.clone(), test(Some(of_f), of_f)], &check).is_some());
        let of_g = "def test_g():\n    assert g() == 2\n";
        assert!(spared(&[code.clone(), test(None, of_g)], &check).is_some());
        let (lays, names) = lay(&[code]);
        assert_eq!((lays.len(), names.as_slice()), (1, &["f in a.py".to_owned()][..]));
    }
}
