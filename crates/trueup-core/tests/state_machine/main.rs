//! What every fact means at every position, as one page for people.
//!
//! The page is `docs/state-machine.md`. A change of behaviour is a change of
//! that page; `TRUEUP_BLESS=1` writes it anew.

mod asked;
#[path = "../facts/changed.rs"]
mod changed;
mod columns;
#[path = "../facts/mod.rs"]
mod facts;
mod page;
mod situations;

use columns::columns;
use page::{Apply, Legal, leads, name, page, read};
use situations::situations;
use std::{fs, path::Path};
use trueup_core::{event::Event, run::Run};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/state-machine.md");

fn honest(run: &mut Run, event: &Event) -> bool {
    run.apply(event).is_ok()
}

/// A core that let a paused run be stopped once more.
fn lenient(run: &mut Run, event: &Event) -> bool {
    matches!(event, Event::Troubled(_)) || honest(run, event)
}

/// The first pair of which the page says something else than the core does.
fn difference(legal: &Legal, apply: Apply) -> Option<String> {
    for situation in situations() {
        for (column, event) in columns() {
            let said = legal.get(&(situation.name.clone(), column.to_owned()));
            let done = leads(&situation, &event(&situation.run), apply);
            if said != done.as_ref() {
                return Some(format!(
                    "{}, {column}: the page says {said:?}, the core {done:?}",
                    situation.name
                ));
            }
        }
    }
    None
}

#[test]
fn the_page_says_what_the_core_does() {
    let now = page(honest);
    if std::env::var_os("TRUEUP_BLESS").is_some() {
        fs::create_dir_all(Path::new(PAGE).parent().expect("a folder")).expect("the folder is made");
        fs::write(PAGE, &now).expect("the page is written");
    }
    let written = fs::read_to_string(PAGE).expect("docs/state-machine.md is there");
    for (now, written) in now.lines().zip(written.lines()) {
        assert_eq!(now, written, "run with TRUEUP_BLESS=1 if this change is meant");
    }
    assert_eq!(now.len(), written.len());
}

#[test]
fn everything_the_page_does_not_list_is_refused() {
    let legal = read(&page(honest));
    assert!(!legal.is_empty());
    assert_eq!(difference(&legal, honest), None);
    assert!(difference(&legal, lenient).is_some(), "a rule that changed is not seen");
}

#[test]
fn a_refused_fact_changes_nothing() {
    for situation in situations() {
        for (column, event) in columns() {
            let mut run = situation.run.clone();
            if run.apply(&event(&situation.run)).is_err() {
                assert_eq!(run, situation.run, "{}, {column}", situation.name);
            }
        }
    }
}

#[test]
fn a_changed_rule_changes_the_page() {
    assert_ne!(page(honest), page(lenient));
}

#[test]
fn every_position_stands_on_the_page() {
    let all: Vec<String> = situations()
        .iter()
        .map(|situation| name(situation.run.position()))
        .collect();
    let mut wanted: Vec<String> = Vec::new();
    for work in [
        "baseline",
        "turn",
        "verify",
        "confirm",
        "challenge",
        "commit",
        "publish",
    ] {
        wanted.push(format!("working: {work}"));
        for reason in ["stopped by keyboard", "stopped by request", "trouble", "no space"] {
            wanted.push(format!("paused: {work}, {reason}"));
        }
    }
    for reason in [
        "agent unusable",
        "waits for the model",
        "not signed in",
        "blocked",
        "stuck",
        "turns spent",
        "time spent",
        "tokens spent",
        "money spent",
    ] {
        wanted.push(format!("paused: turn, {reason}"));
    }
    wanted.push("paused: publish, branch conflict".to_owned());
    wanted.push("paused: commit, asks".to_owned());
    wanted.push("paused: verify, flaky".to_owned());
    wanted.push("paused: verify, stuck".to_owned());
    for end in ["verified", "waived", "refused", "nothing to do"] {
        wanted.push(format!("done: {end}"));
    }
    for name in &wanted {
        assert!(all.contains(name), "{name} is missing");
    }
    for name in &all {
        assert!(wanted.contains(name), "{name} is new");
    }
}

#[test]
fn only_one_fact_at_one_place_ends_in_verified() {
    let mut ways = Vec::new();
    for situation in situations() {
        for (column, event) in columns() {
            if leads(&situation, &event(&situation.run), honest).as_deref() == Some("done: verified") {
                ways.push((situation.name.clone(), column));
            }
        }
    }
    assert_eq!(ways, [("working: publish".to_owned(), "published")]);
}

#[test]
fn what_was_waived_is_never_called_verified() {
    for situation in situations()
        .into_iter()
        .filter(|situation| situation.run.waiver().is_some())
    {
        for (column, event) in columns() {
            let led = leads(&situation, &event(&situation.run), honest);
            assert_ne!(led.as_deref(), Some("done: verified"), "{}, {column}", situation.name);
        }
    }
}
