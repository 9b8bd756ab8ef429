//! The page: what is legal where, and where it leads.

use crate::{
    columns::columns,
    situations::{Situation, situations},
};
use std::collections::BTreeMap;
use trueup_core::{
    budget::Limit,
    event::{Event, Stop},
    id::EffectId,
    run::{Outcome, Position, Reason, Run, Step, Work},
};

const INTRODUCTION: &str = "\
# What every fact means at every position

This page is generated; do not edit it. `cargo test -p trueup-core --test state_machine` compares it with what the
core does, and `TRUEUP_BLESS=1 cargo test -p trueup-core --test state_machine` writes it anew.

Each table says where a run can stand, which facts fit there, and where it stands then. The task behind the page
has two goals and a guard, and may take three turns; where it is *tests*, its checks call a test runner, so they
are tried on sabotaged trees as well. *Known* is the tree of the last turn; *first*, *retry* and *last* are the
first turn, one after a red round, and the only one left.
";

/// How the line begins that names positions at which the same holds.
const ALIKE: &str = "The same holds at: ";

/// A way of applying an event: the core's, or that of one which is wrong.
pub(crate) type Apply = fn(&mut Run, &Event) -> bool;

/// Where a fact leads, by its name and the name of the position.
pub(crate) type Legal = BTreeMap<(String, String), String>;

const fn work(work: &Work) -> &'static str {
    match work {
        Work::Baseline => "baseline",
        Work::Turn => "turn",
        Work::Verify => "verify",
        Work::Confirm => "confirm",
        Work::Challenge => "challenge",
        Work::Commit => "commit",
        Work::Publish(_) => "publish",
    }
}

pub(crate) fn name(position: &Position) -> String {
    match position {
        Position::Working(wanted) => format!("working: {}", work(wanted)),
        Position::Paused(wanted, reason) => format!(
            "paused: {}, {}",
            work(wanted),
            match reason {
                Reason::Stopped(Stop::Keyboard) => "stopped by keyboard",
                Reason::Stopped(Stop::Request) => "stopped by request",
                Reason::Trouble(_) => "trouble",
                Reason::NoSpace(_) => "no space",
                Reason::External { .. } => "waits for the model",
                Reason::AgentUnusable(_) => "agent unusable",
                Reason::NotSignedIn(_) => "not signed in",
                Reason::Blocked(_) => "blocked",
                Reason::BudgetSpent(Limit::Turns) => "turns spent",
                Reason::BudgetSpent(Limit::Time) => "time spent",
                Reason::BudgetSpent(Limit::Tokens) => "tokens spent",
                Reason::BudgetSpent(Limit::Money) => "money spent",
                Reason::BranchConflict(_) => "branch conflict",
                Reason::Asks(_) => "asks",
                Reason::Flaky(_) => "flaky",
                Reason::Stuck(_) => "stuck",
            }
        ),
        Position::Done(outcome) => format!(
            "done: {}",
            match outcome {
                Outcome::Verified { .. } => "verified",
                Outcome::Waived { .. } => "waived",
                Outcome::Refused(_) => "refused",
                Outcome::NothingToDo => "nothing to do",
            }
        ),
    }
}

/// Where an event leads from a situation; nothing where it is refused.
pub(crate) fn leads(situation: &Situation, event: &Event, apply: Apply) -> Option<String> {
    let mut run = situation.run.clone();
    let fits = apply(&mut run, event);
    let stays = run.position() == situation.run.position() && wanted(&run) == wanted(&situation.run);
    match (fits, stays) {
        (false, _) => None,
        (true, true) => Some("stays there".into()),
        (true, false) => Some(name(run.position())),
    }
}

/// The name of the effect that a run wants, if it wants one.
fn wanted(run: &Run) -> Option<EffectId> {
    match run.next() {
        Step::Do(effect) => Some(effect.id),
        Step::Await(_) | Step::Done(_) => None,
    }
}

/// The facts that fit, under where they lead.
type Ways = Vec<(String, Vec<&'static str>)>;

fn ways(situation: &Situation, apply: Apply) -> Ways {
    let mut ways = Ways::new();
    for (column, event) in columns() {
        let Some(target) = leads(situation, &event(&situation.run), apply) else {
            continue;
        };
        match ways.iter_mut().find(|(known, _)| *known == target) {
            Some((_, facts)) => facts.push(column),
            None => ways.push((target, vec![column])),
        }
    }
    ways
}

/// Situations in which the same facts fit and lead to the same positions.
fn groups(of: &[Situation], apply: Apply) -> Vec<(Vec<&str>, Ways)> {
    let mut groups: Vec<(Vec<&str>, Ways)> = Vec::new();
    for situation in of {
        let ways = ways(situation, apply);
        match groups.iter_mut().find(|(_, known)| *known == ways) {
            Some((names, _)) => names.push(&situation.name),
            None => groups.push((vec![&situation.name], ways)),
        }
    }
    groups
}

/// The page, as it would be under this way of applying events.
pub(crate) fn page(apply: Apply) -> String {
    let all = situations();
    let mut page = INTRODUCTION.to_owned();
    let mut legal = 0;
    for (names, ways) in groups(&all, apply) {
        page.push_str(&format!("\n## {}\n\n", names[0]));
        if names.len() > 1 {
            page.push_str(&format!("{ALIKE}{}.\n\n", names[1..].join("; ")));
        }
        if ways.is_empty() {
            page.push_str("Nothing fits: it is over.\n");
            continue;
        }
        page.push_str("| fact | leads to |\n|---|---|\n");
        for (target, facts) in ways {
            legal += facts.len() * names.len();
            page.push_str(&format!("| {} | {target} |\n", facts.join("; ")));
        }
    }
    let cells = all.len() * columns().len();
    page.push_str(&format!(
        "\n## Everything else\n\nOf {} positions and {} facts, {legal} pairs are legal, and stand above. The other {} \
         are refused, and a\nrefused fact changes nothing; the test tries each of them.\n",
        all.len(),
        columns().len(),
        cells - legal
    ));
    page
}

/// What a page says is legal.
pub(crate) fn read(page: &str) -> Legal {
    let mut legal = Legal::new();
    let mut names: Vec<&str> = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            names = vec![heading];
        }
        if let Some(alike) = line.strip_prefix(ALIKE).and_then(|line| line.strip_suffix('.')) {
            names.extend(alike.split("; "));
        }
        let row = line.strip_prefix("| ").and_then(|row| row.strip_suffix(" |"));
        let Some((facts, target)) = row.and_then(|row| row.split_once(" | ")) else {
            continue;
        };
        for fact in facts.split("; ").filter(|fact| *fact != "fact") {
            for name in &names {
                legal.insert(((*name).to_owned(), fact.to_owned()), target.to_owned());
            }
        }
    }
    legal
}
