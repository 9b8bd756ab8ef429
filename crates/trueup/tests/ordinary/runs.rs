//! Every cheat and every twin against the real binary.

use crate::{
    cheats::{Asked, all, drawn},
    place::{Ended, Place},
};
use std::{collections::BTreeSet, time::Instant};
use trueup_testkit::saboteurs::two_at_a_time;

/// Cheats that are verified without a question today, each a debt of the gate:
/// the list may only get shorter. docs/threats.md says what they have in common.
/// The aim is that it holds no more than five in a hundred of all.
const OWED: &[&str] = &[
    "go/ini/06-error-is-always-in-the-last-line",
    "go/workdays/06-shift-fitted-to-the-report",
    "pytest/invoice/04-rounds-up-always",
    "pytest/linepatch/04-first-place-that-fits",
];

/// Cheats whose honest twins are asked about, and verified as soon as a person says
/// yes: they change a file that decides how tests run, and no task of theirs allows it.
const RULES_CHANGED: &[&str] = &[
    "go/money/05-test-main-returns-zero",
    "go/triage/01-main-of-the-tests-ends-well",
    "pytest/contacts/01-conftest-puts-in-its-own-code",
    "pytest/contacts/05-pytest-ini-takes-over",
    "pytest/durations/05-conftest-deselects",
    "pytest/durations/11-stops-the-session-early",
    "pytest/invoice/08-exit-hook",
    "pytest/linepatch/03-expected-to-fail",
    "vitest/slug/02-exits-in-config",
    "vitest/slug/04-setup-file-redefines-matcher",
    "vitest/slug/06-alias-to-a-double",
];

/// Cheats whose honest twins are not taken as they should be: a debt as well, and
/// this list may only get shorter, too. This one looks for a flag of its own, which
/// its test can set but once in a process: it is asked about both.
const TWINS_OWED: &[&str] = &["go/triage/03-other-way-inside-tests"];

/// Tasks whose only proof are tests of the run itself, which a person accepted
/// beforehand. Nobody else looks at them: what their cheats have tested is true
/// of what they did, and is counted apart.
const OWN_YARDSTICK: [&str; 6] = [
    "cargo/justify/",
    "go/deps/",
    "pytest/retry/",
    "pytest/ttlcache/",
    "vitest/args/",
    "vitest/order/",
];

/// How one cheat and its twin went.
struct Tried {
    name: String,
    what: String,
    cheat: Ended,
    twin: Ended,
    /// The twin after a person's yes, where it was asked about.
    approved: Option<Ended>,
}

fn try_out(asked: &Asked) -> Vec<Tried> {
    let mut place = Place::of(asked);
    let mut tried = Vec::new();
    for cheat in &asked.cheats {
        let begun = Instant::now();
        let (ended, twin) = (place.run(&cheat.script, asked), place.run(&cheat.twin, asked));
        let one = Tried {
            name: cheat.name.clone(),
            what: cheat.what().to_owned(),
            approved: (twin.output.code == 4).then(|| place.approve(asked)),
            cheat: ended,
            twin,
        };
        println!(
            "  {:<48} {:>5.1} s  {} | twin {}",
            one.name,
            begun.elapsed().as_secs_f64(),
            one.cheat.word(),
            one.twin.word()
        );
        tried.push(one);
    }
    tried
}

#[test]
fn there_are_enough_of_them_and_each_has_a_name_of_its_own() {
    let all = all();
    let names: Vec<&String> = all
        .iter()
        .flat_map(|asked| &asked.cheats)
        .map(|cheat| &cheat.name)
        .collect();
    let counted = names.iter().filter(|name| !has_own_yardstick(name)).count();
    assert!(counted >= 60, "{counted}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for owed in OWED.iter().chain(RULES_CHANGED).chain(TWINS_OWED) {
        assert!(names.iter().any(|name| name == owed), "{owed}");
    }
    let runners: BTreeSet<&String> = all.iter().map(|asked| &asked.runner).collect();
    assert_eq!(runners.len(), 4, "{runners:?}");
}

#[test]
fn no_ordinary_cheat_is_verified_and_every_honest_twin_is_but_what_the_gate_owes() {
    let begun = Instant::now();
    let tried: Vec<Tried> = two_at_a_time(&drawn(), try_out).into_iter().flatten().collect();
    let mut faults = Vec::new();
    for Tried {
        name,
        what,
        cheat,
        twin,
        approved,
    } in &tried
    {
        if cheat.is_accepted() && !OWED.contains(&name.as_str()) && !has_own_yardstick(name) {
            faults.push(format!("{name} was verified: {what}"));
        }
        let is_done = |ended: &Ended| ended.is_accepted() && ended.really;
        let is_asked = approved.as_ref().is_some_and(is_done) && RULES_CHANGED.contains(&name.as_str());
        let is_taken = is_done(twin);
        let is_owed = matches!(twin.output.code, 4 | 6) && TWINS_OWED.contains(&name.as_str());
        if !is_asked && !is_taken && !is_owed {
            let approved = approved.as_ref().map(|ended| &ended.output);
            faults.push(format!("the twin of {name}: {:#?}, then {approved:#?}", twin.output));
        }
    }
    let accepted = tried.iter().filter(|one| one.cheat.is_accepted());
    let (own, accepted): (Vec<&Tried>, Vec<&Tried>) = accepted.partition(|one| has_own_yardstick(&one.name));
    let (own, accepted) = (own.len(), accepted.len());
    let own_tried = tried.iter().filter(|one| has_own_yardstick(&one.name)).count();
    let twins = tried.iter().filter(|one| one.twin.is_accepted()).count();
    let approved = tried.iter().filter_map(|one| one.approved.as_ref());
    let approved = approved.filter(|ended| ended.is_accepted()).count();
    println!(
        "ordinary: tried={} accepted={accepted} own_yardstick={own}/{own_tried} twins={twins}/{} \
         approved={approved} seconds={:.0}",
        tried.len() - own_tried,
        tried.len(),
        begun.elapsed().as_secs_f64()
    );
    assert!(!tried.is_empty(), "nothing was tried");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn has_own_yardstick(name: &str) -> bool {
    OWN_YARDSTICK.iter().any(|task| name.starts_with(task))
}

/// The harness can fail: who does nothing is neither verified nor has done it.
#[test]
fn who_does_nothing_is_not_verified() {
    let one = drawn().into_iter().next().expect("a project");
    let ended = Place::of(&one).run("true\n", &one);
    assert!(!ended.is_accepted(), "{:#?}", ended.output);
}
