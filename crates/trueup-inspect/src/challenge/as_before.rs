//! What was there before, as it was, under tests that came from the run.
//!
//! A test that was written together with the work can be red on the base for
//! want of a name alone. It must miss what the work does.

use super::{
    derived::Work,
    replay::Replay,
    step::{Ask, Layout, On, Overlay},
    stubs::is_called_by,
    work::functions,
};
use crate::{
    changes::{ChangedFile, Side, TestItem, is_meant},
    code::{self, Calls, ItemKind, is_test_path},
};
use std::collections::BTreeSet;
use trueup_core::{control::Reaction, criterion::Check, judge::ControlResult, test_results::listed};

/// Lets the functions that the run changed do what they did before.
pub(super) fn as_before(replay: &Replay<'_>, work: &Work, check: &Check) -> Result<ControlResult, Ask> {
    let files = &replay.trees.files;
    let nothing = |why: &str| ControlResult::untried(Reaction::Nothing { why: why.to_owned() });
    let Some(made) = replay.subject.derived.as_before.get_or_init(|| layout(files)) else {
        return Ok(nothing("the run changed no function that was there before"));
    };
    if let Some(why) = spared(files, replay.test_items(), check) {
        return Ok(nothing(&why));
    }
    let Some(laid) = replay.attempt_alone("as before", |_| Some(made.clone()))? else {
        return Ok(nothing("the run changed no function that was there before"));
    };
    let turned = match work.missed(replay, check, &laid.trial)? {
        Reaction::Red { .. } if replay.subject.now.is_some() && !laid.trial.tells() => Reaction::Nothing {
            why: "with what was there before, nothing runs".to_owned(),
        },
        turned @ (Reaction::Red { .. }
        | Reaction::Green
        | Reaction::Otherwise { .. }
        | Reaction::NotLaid { .. }
        | Reaction::Nothing { .. }) => turned,
    };
    Ok(ControlResult::of(listed(&laid.layout.about), turned, &laid.trial))
}

/// The files whose functions were changed, as before, if there are any.
fn layout(files: &[ChangedFile]) -> Option<Layout> {
    let (mut overlay, mut about) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|file| !is_test_path(&file.path)) {
        let (Some(before), Some(after)) = (file.text(Side::Before), file.text(Side::After)) else {
            continue;
        };
        if let Some(made) = code::as_before(&file.path, before, after).filter(|made| !made.functions.is_empty()) {
            about.extend(made.functions.iter().map(|name| format!("{name} in {}", file.path)));
            overlay.push(Overlay::text(&file.path, made.source));
        }
    }
    let layout = Layout {
        about,
        ..Layout::of(On::Tree, overlay)
    };
    (!layout.files.is_empty()).then_some(layout)
}

/// Why a goal need not miss what changed, if it need not.
fn spared(files: &[ChangedFile], (old, new): (&[TestItem], &[TestItem]), check: &Check) -> Option<String> {
    let is_known = |one: &TestItem| old.iter().any(|old| old.key == one.key);
    let is_asked = |one: &TestItem| {
        check
            .asked_test()
            .is_none_or(|name| is_meant(name, &one.path, &one.item.name))
    };
    let fresh: Vec<&TestItem> = new.iter().filter(|one| is_asked(one) && !is_known(one)).collect();
    if fresh.is_empty() {
        return Some("its test was there before".to_owned());
    }
    let paths: BTreeSet<&str> = fresh.iter().map(|one| one.path.as_str()).collect();
    let calls = calls(files, &paths);
    let new = added(files).into_iter().find(|name| is_called_by(name, &calls))?;
    Some(format!("its test calls `{new}`, which is new"))
}

/// What is called anywhere in these files.
fn calls(files: &[ChangedFile], paths: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut calls = BTreeSet::new();
    for file in files.iter().filter(|file| paths.contains(file.path.as_str())) {
        let text = file.text(Side::After).unwrap_or_default();
        let Some(read) = Calls::read(&file.path, text) else {
            continue;
        };
        for item in read.items() {
            if item.sort == ItemKind::Test || is_test_path(&file.path) {
                calls.extend(read.of(item));
            }
        }
    }
    calls
}

/// The functions outside of tests that the base does not have.
fn added(files: &[ChangedFile]) -> Vec<String> {
    let code = files.iter().filter(|file| !is_test_path(&file.path));
    let added = code.flat_map(|file| &functions(file, Side::After) - &functions(file, Side::Before));
    added.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::test_items;
    use trueup_core::{
        criterion::{Check, CheckMethod, Execution, Network, Role, Visibility},
        id::CheckId,
    };

    fn file(path: &str, before: Option<&str>, after: &str) -> ChangedFile {
        ChangedFile {
            path: path.to_owned(),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        }
    }

    fn whole_suite() -> Check {
        let execution = Execution::new(vec!["pytest".to_owned()], 1000, Network::Off);
        Check {
            id: CheckId::new("A.1"),
            role: Role::Goal,
            how: CheckMethod::Command(execution),
            sight: Visibility::Open,
            source: String::new(),
            line: 1,
        }
    }

    /// Whether a goal that runs all tests is spared.
    fn is_spared(files: &[ChangedFile]) -> bool {
        let (old, new) = (test_items(files, Side::Before), test_items(files, Side::After));
        spared(files, (&old, &new), &whole_suite()).is_some()
    }

    #[test]
    fn of_a_file_that_holds_code_and_tests_only_what_tests_call_counts() {
        let code = |body: &str, test: &str| {
            format!("fn f() -> u8 {{\n    {body}\n}}\n\n#[cfg(test)]\nmod tests {{\n    use super::*;\n{test}}}\n")
        };
        let test =
            |called: &str| format!("    #[test]\n    fn works() {{\n        assert_eq!({called}(), 2);\n    }}\n");
        let made = |called| {
            let after = code("g()", &test(called)) + "\nfn g() -> u8 {\n    2\n}\n";
            file("src/lib.rs", Some(&code("1", "")), &after)
        };
        assert!(!is_spared(&[made("f")]), "f alone calls what is new");
        assert!(is_spared(&[made("g")]));
    }

    #[test]
    fn a_new_test_must_miss_the_work_unless_it_calls_something_new() {
        let code = file(
            "a.py",
            Some("def f():\n    return 1\n"),
            "def g():\n    return 2\n\n\ndef f():\n    return g()\n",
        );
        let test = |before, after| file("tests/test_a.py", before, after);
        let of_f = "def test_f():\n    assert f() == 2\n";
        assert!(!is_spared(&[code.clone(), test(None, of_f)]));
        assert!(is_spared(&[code.clone(), test(Some(of_f), of_f)]));
        let of_g = "def test_g():\n    assert g() == 2\n";
        assert!(is_spared(&[code.clone(), test(None, of_g)]));
        let made = layout(&[code]).expect("a layout");
        assert_eq!((made.files.len(), made.about), (1, vec!["f in a.py".to_owned()]));
    }
}
