//! Each rule by its own examples.

use std::collections::BTreeSet;
use trueup_core::rule::RuleId;
use trueup_inspect::rules::{
    Detector, Example, Rule, Seeks, catalogue, differences, doubles, silencing, suppressions_since, suspicions,
};

/// The folder of tasks that examples speak of.
const TASKS: &str = "tasks";

/// What only a tree can tell: the engine's tests try the examples.
const TOLD_BY_TREES: [Detector; 3] = [Detector::LinkForRules, Detector::LinkForCode, Detector::ExecutableRules];

fn path_of(rule: &Rule, example: &Example) -> String {
    example.path.clone().or_else(|| rule.usual_path()).unwrap_or_default()
}

/// Every rule that an example breaks.
fn broken(path: &str, example: &Example) -> BTreeSet<RuleId> {
    let before = example.before.as_deref();
    // A rule about paths does not ask what the file holds.
    let after = example.after.as_deref().unwrap_or("something new\n");
    let mut found = BTreeSet::new();
    for suspicion in suspicions(catalogue(), path, before, after) {
        found.extend(suspicion.breaks.into_iter().map(|breach| breach.rule.id));
    }
    let bytes = before.map(str::as_bytes);
    let of_files = differences(catalogue(), path, bytes, Some(after.as_bytes()), TASKS);
    found.extend(of_files.into_iter().map(|difference| difference.rule.id));
    for (marker, number) in suppressions_since(catalogue(), path, before, after) {
        let known = before.map(|text| trueup_inspect::rules::suppressions(catalogue(), path, text));
        if number > known.and_then(|known| known.get(marker).copied()).unwrap_or_default() {
            found.extend(silencing(catalogue(), path, marker).map(|rule| rule.id.clone()));
        }
    }
    if before.is_none() {
        let there = |other: &str| Some(other) == example.beside.as_deref();
        found.extend(doubles(&[path], &there).into_iter().map(|double| double.rule.id));
    }
    found
}

fn tried() -> impl Iterator<Item = &'static Rule> {
    let is_of_trees = |rule: &&Rule| TOLD_BY_TREES.iter().any(|one| one.id() == rule.id.as_str());
    catalogue().rules().filter(move |rule| !is_of_trees(rule))
}

#[test]
fn every_rule_says_what_it_is_about_and_has_two_examples_of_each_kind() {
    assert!(catalogue().rules().count() > 200, "the packs were read");
    let mut reasons = BTreeSet::new();
    for rule in catalogue().rules() {
        assert!(rule.message.len() > 10 && !rule.message.ends_with('.'), "{}", rule.id);
        assert!(rule.why.len() > 60 && rule.why.ends_with('.'), "{}", rule.id);
        assert!(reasons.insert(&rule.why), "{} gives the reason of another", rule.id);
        assert!(rule.bad.len() >= 2 && rule.good.len() >= 2, "{}", rule.id);
        assert_eq!(rule.unsound(), None, "{}", rule.id);
        let examples = rule.bad.iter().chain(&rule.good);
        assert!(
            examples.into_iter().all(|one| !path_of(rule, one).is_empty()),
            "{}",
            rule.id
        );
    }
}

#[test]
fn every_bad_example_breaks_its_rule() {
    let mut wrong = Vec::new();
    for rule in tried() {
        for example in &rule.bad {
            let path = path_of(rule, example);
            let found = broken(&path, example);
            if !found.contains(&rule.id) {
                wrong.push(format!("{}: {path} {example:?} breaks {found:?}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_good_example_breaks_any_rule() {
    // Where lines that run before the tests stand is itself worth a look.
    let is_place = |id: &RuleId| {
        let rule = catalogue().find(id);
        rule.is_some_and(|rule| matches!(rule.seeks, Seeks::Paths(_)))
    };
    let mut wrong = Vec::new();
    for rule in tried() {
        for example in &rule.good {
            let path = path_of(rule, example);
            let mut found = broken(&path, example);
            if matches!(rule.seeks, Seeks::Lines(_)) {
                found.retain(|id| !is_place(id));
            }
            if !found.is_empty() {
                wrong.push(format!("{}: {path} {example:?} breaks {found:?}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_code_finds_has_a_rule_and_every_such_rule_is_found_by_code() {
    let of_code = catalogue().rules().filter(|rule| matches!(rule.seeks, Seeks::Code));
    let ids: BTreeSet<&str> = of_code.map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, Detector::ALL.into_iter().map(Detector::id).collect());
}

#[test]
fn a_pack_that_says_too_little_or_too_much_is_refused() {
    let rule = |keys: &str| {
        format!(
            "languages = [\"python\"]\n[[rule]]\nid = \"x/y\"\nlevel = \"ask\"\nmessage = \"m\"\nwhy = \"w\"\n\
             bad = []\ngood = []\n{keys}\n"
        )
    };
    let read = |keys: &str| trueup_inspect::rules::Catalogue::read(&[("x", rule(keys).as_str())]).is_ok();
    assert!(read("where = \"production\"\ncode = ['a']"));
    assert!(!read("where = \"production\""), "it looks for nothing");
    assert!(!read("code = ['a']"), "it looks nowhere");
    assert!(
        !read("where = \"anywhere\"\ncode = ['a']"),
        "only markers are looked for anywhere"
    );
    assert!(
        !read("paths = ['a']\ncode = ['a']\nwhere = \"tests\""),
        "two things at once"
    );
    assert!(!read("where = \"tests\"\ncode = ['a']\nsurprise = 1"));
    let twice = rule("paths = ['a']");
    let twice = [("one", twice.as_str()), ("two", twice.as_str())];
    assert!(trueup_inspect::rules::Catalogue::read(&twice).is_err());
}
