//! The proof, criterion by criterion and check by check.

use super::{
    super::{document, proof, time, words},
    mark::Mark,
    stands::wall,
    text,
    words::harmless,
};
use crate::commands::views::RunPage;
use maud::{Markup, html};
use trueup_core::{
    control::{Control, Reaction},
    criterion::{Check, Network, Role},
    evidence::{Evidence, Isolation, Tally},
    gate::Standing,
    report::Reported,
};

/// Every criterion with what was seen of it.
pub(super) fn section(view: &RunPage) -> Markup {
    html! {
        section #proof aria-labelledby="proof-head" {
            h2 #proof-head { "Proof" }
            p {
                "trueup executes every check itself: before the agent starts, on the base, and after its work, on "
                "exactly the files that are delivered. A " em { "goal" } " must be red on the base and green afterwards; a "
                em { "guard" } " must be green on both. What an agent says of its work counts for nothing."
            }
            @for reported in &view.shown.report.criteria { (criterion(reported, view)) }
        }
    }
}

fn criterion(reported: &Reported, view: &RunPage) -> Markup {
    let is_stale = reported.evidence.iter().any(|evidence| !view.shown.is_valid(evidence));
    let (mark, word) = match reported.standing {
        _ if is_stale => (Mark::Unknown, "not valid now"),
        Standing::Met => (Mark::Good, "met"),
        Standing::Unmet => (Mark::Bad, "not met"),
        Standing::Asked => (Mark::Open, "waits for a person"),
        Standing::Unproven => (Mark::Unknown, "not proved"),
    };
    let criterion = &reported.criterion;
    html! {
        article.criterion {
            h3 { (mark.with(word)) " " span.id { (harmless(criterion.id.as_str())) } " " (harmless(&criterion.text)) }
            @if criterion.checks.is_empty() { p { "It has no check." } }
            @for one in &criterion.checks { (check(one, reported, view)) }
        }
    }
}

fn check(check: &Check, reported: &Reported, view: &RunPage) -> Markup {
    let of = |seen: &'_ [Evidence]| seen.iter().find(|evidence| evidence.check == check.id).cloned();
    let (base, now) = (of(&reported.base), of(&reported.evidence));
    let judged = reported.judged.iter().find(|judged| judged.check == check.id);
    let role = match check.role {
        Role::Goal => "goal",
        Role::Guard => "guard",
    };
    let source = check.source.trim();
    let command = source.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    html! {
        div.check {
            h4 {
                span.role { (role) } " "
                @match command { Some(command) => code { (harmless(command)) }, None => (harmless(source)) }
            }
            p.colours {
                (colour(base.as_ref())) " on the base"
                @if let Some(now) = &now { " → " (colour(Some(now))) " afterwards" }
            }
            @if let Some(argv) = executed([&base, &now], command) { p { "Executed: " code { (argv) } } }
            @if base.is_some() || now.is_some() { (seen(base.as_ref(), now.as_ref(), view)) }
            @match judged.and_then(proof::sentence) {
                Some(sentence) => p { (capital(&sentence)) "." },
                None => p { "What counts as its proof: " (proof::promise(check, &[])) "." },
            }
            @if let Some(judged) = judged.filter(|judged| !judged.controls.is_empty()) { (controls(&judged.controls)) }
            @if let Some(base) = &base { (printed(base, "on the base", view)) }
            @if let Some(now) = &now { (printed(now, "afterwards", view)) }
        }
    }
}

/// What was executed, where the author wrote something else for it.
fn executed(seen: [&Option<Evidence>; 2], written: Option<&str>) -> Option<String> {
    let mut programs = seen.into_iter().flatten();
    let program = programs.find(|evidence| evidence.conditions.isolation != Isolation::Engine)?;
    let argv = text::line(&words::words(&program.binding.argv));
    (Some(argv.as_str()) != written).then_some(argv)
}

/// The colour of what was seen, as a sign, a word and a colour.
fn colour(seen: Option<&Evidence>) -> Markup {
    match seen {
        Some(evidence) => Mark::of(&evidence.saw).with(words::colour(&evidence.saw)),
        None => Mark::Unknown.with("not executed"),
    }
}

/// What was seen on the base and afterwards, side by side.
fn seen(base: Option<&Evidence>, now: Option<&Evidence>, view: &RunPage) -> Markup {
    let sides = || [base, now].into_iter();
    let row = |name: &str, cell: &dyn Fn(&Evidence) -> Option<String>| {
        let cells: Vec<Option<String>> = sides().map(|seen| seen.and_then(cell)).collect();
        html! {
            @if cells.iter().any(Option::is_some) {
                tr { th scope="row" { (name) } @for cell in &cells { td { (cell.as_deref().unwrap_or("–")) } } }
            }
        }
    };
    html! {
        table {
            thead { tr { td {} th scope="col" { "On the base" } th scope="col" { "Afterwards" } } }
            tbody {
                (row("Saw", &|seen| Some(words::saw(&seen.saw))))
                (row("Exit code", &|seen| document::exit(seen).map(|code| code.to_string())))
                (row("Tests", &|seen| seen.tally.as_ref().and_then(tests)))
                (row("Took", &|seen| Some(words::took(seen.took_ms))))
                (row("Executed in", &|seen| Some(wall(seen.conditions.isolation).to_owned())))
                (row("Network", &|seen| network(seen)))
                (row("Executed often", &|seen| often(seen)))
                (row("On tree", &|seen| Some(words::short(seen.binding.tree.as_str()).to_owned())))
                (row("Valid now", &|seen| now.filter(|now| now.key == seen.key).map(|now| valid(now, view))))
            }
        }
    }
}

fn valid(now: &Evidence, view: &RunPage) -> String {
    let word = if view.shown.is_valid(now) { "yes" } else { "no" };
    word.to_owned()
}

/// What a report counts; nothing where it counts no tests.
fn tests(tally: &Tally) -> Option<String> {
    let told = tally.passed + tally.failed + tally.skipped > 0;
    let mut words = format!("{} passed, {} failed", tally.passed, tally.failed);
    if tally.skipped > 0 {
        words.push_str(&format!(", {} skipped", tally.skipped));
    }
    told.then_some(words)
}

/// What it could reach of the network and of the machine.
fn network(seen: &Evidence) -> Option<String> {
    let network = match (seen.conditions.isolation, seen.conditions.network) {
        (Isolation::Engine, _) => return None,
        (_, Network::Off) => "none",
        (_, Network::Model) => "the model of an agent",
        (_, Network::On) => "what the machine reaches",
    };
    let sockets = seen
        .conditions
        .sockets
        .iter()
        .map(|socket| format!(", {}", harmless(socket)));
    Some(format!("{network}{}", sockets.collect::<String>()))
}

/// How often it was executed, where once was not enough.
fn often(seen: &Evidence) -> Option<String> {
    let runs = seen.runs;
    (runs.green + runs.red > 1).then(|| format!("{} times green, {} times red", runs.green, runs.red))
}

/// What it did where something was broken on purpose.
fn controls(controls: &[Control]) -> Markup {
    html! {
        table {
            caption { "Broken on purpose, to see whether the check notices" }
            thead { tr { th scope="col" { "What was done" } th scope="col" { "To what" } th scope="col" { "The check" } } }
            tbody {
                @for control in controls {
                    tr {
                        th scope="row" { (time::kind(control.sabotage)) }
                        td { (text::line(&control.about)) }
                        td { (reaction(&control.turned)) }
                    }
                }
            }
        }
    }
}

fn reaction(turned: &Reaction) -> Markup {
    let (mark, words) = match turned {
        Reaction::Red { by } if by.is_empty() => (Mark::Good, "turned red".to_owned()),
        Reaction::Red { by } => (Mark::Good, format!("turned red by {}", text::line(by))),
        Reaction::Green => (Mark::Bad, "stayed green".to_owned()),
        Reaction::Otherwise { why } => (Mark::Unknown, format!("turned red otherwise: {}", text::line(why))),
        Reaction::NotLaid { why } => (Mark::Unknown, format!("could not be tried: {}", text::line(why))),
        Reaction::Nothing { why } => (Mark::Unknown, format!("nothing to try: {}", text::line(why))),
    };
    mark.with(&words)
}

/// The end of what a check printed.
fn printed(evidence: &Evidence, when: &str, view: &RunPage) -> Markup {
    let key = (evidence.check.clone(), evidence.binding.tree.clone());
    let lines = view
        .printed
        .get(&key)
        .filter(|lines| lines.iter().any(|line| !line.trim().is_empty()));
    let erased = [&evidence.stdout, &evidence.stderr]
        .into_iter()
        .any(|body| body.bytes > 0 && !view.shown.blobs.has(&body.digest));
    html! {
        @if let Some(lines) = lines.filter(|_| evidence.conditions.isolation != Isolation::Engine) {
            details {
                summary { "What " code { (harmless(evidence.check.as_str())) } " printed " (when) }
                pre { @for line in lines { (text::line(line)) "\n" } }
            }
        }
        @if erased { p { "What it printed " (when) " was erased since." } }
    }
}

/// A sentence with the capital that it begins with here.
fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
