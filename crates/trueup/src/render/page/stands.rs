//! Where the run stands, and of what it is a run.

use super::{
    super::{cost, resting, ways_on, words},
    mark::Mark,
    text::plain,
    words::harmless,
};
use crate::commands::views::RunPage;
use maud::{Markup, html};
use trueup_core::{
    evidence::Isolation,
    fate::Fate,
    gate::Refusal,
    run::{Outcome, Position, Reason},
};

/// The head of the page.
pub(super) fn head(view: &RunPage) -> Markup {
    let (shown, report) = (&view.shown, &view.shown.report);
    let told = resting::told(&view.run, &shown.file);
    let what = plain(&told.what);
    // The word in front of it stands above already.
    let lead = what.split_once(": ").map_or(what.as_str(), |(_, rest)| rest);
    let stands = words::stands(&report.position, report.isolation, &report.self_tested, shown.fate);
    html! {
        header {
            p.kind { "Proof of a coding task, by trueup" }
            h1 { (harmless(&report.title)) }
            p.verdict { (mark(view).with(&stands)) }
            p.told { (lead) }
            @if let Some(hint) = &told.hint { p.told { (hint) } }
            @if report.position.delivered().is_none() && !told.next.is_empty() {
                pre { code { (told.next.join("\n")) } }
            }
            @if let Some(what) = ways_on::became(shown) { p { (what) "." } }
            @if shown.is_stale() {
                p.notice { strong { "Not valid now: " } (words::STALE) "." }
            }
            (facts(view))
        }
    }
}

/// How the run stands as a whole.
fn mark(view: &RunPage) -> Mark {
    match (&view.shown.report.position, view.shown.fate) {
        (_, Some(Fate::Dropped | Fate::Overtaken)) => Mark::Unknown,
        (Position::Done(_), _) if view.shown.is_stale() => Mark::Unknown,
        (Position::Done(Outcome::Verified { .. }), _) => Mark::Good,
        (Position::Done(Outcome::Waived { .. }), _) => Mark::Open,
        (Position::Done(Outcome::Refused(_)), _) => Mark::Bad,
        (Position::Paused(_, Reason::Stuck(_) | Reason::BudgetSpent(_) | Reason::BranchConflict(_)), _) => Mark::Bad,
        (Position::Paused(..), _) => Mark::Open,
        (Position::Done(Outcome::NothingToDo) | Position::Working(_), _) => Mark::Unknown,
    }
}

fn facts(view: &RunPage) -> Markup {
    let (report, opening) = (&view.shown.report, view.run.opening());
    let version = view
        .turns
        .iter()
        .rev()
        .find_map(|turn| turn.ended.outcome.version.as_ref());
    html! {
        dl {
            div { dt { "Task" } dd { (report.task) } }
            div { dt { "Run" } dd { (report.run) ", opened on " (words::moment(opening.at)) } }
            @if view.shown.has_branch { div { dt { "Branch" } dd { code { (harmless(&report.branch)) } } } }
            @if let Some(commit) = &report.commit { div { dt { "Commit" } dd { code { (commit) } } } }
            @if let Some(tree) = &report.tree {
                div { dt { @if report.commit.is_some() { "Its files (tree)" } @else { "Last checked files (tree)" } } dd { code { (tree) } } }
            }
            div {
                dt { "Base" }
                dd { code { (opening.base.commit) } " (" (harmless(&opening.base.name)) ")" }
            }
            div {
                dt { "Agent" }
                dd {
                    (harmless(&opening.agent.name))
                    @if let Some(version) = version { ", " (harmless(version)) }
                    "; turn " (report.turns) " of at most " (report.turn_limit)
                }
            }
            div { dt { "Cost" } dd { (cost::told(&report.spend)) } }
            div { dt { "Executed in" } dd { (wall(report.isolation)) } }
        }
    }
}

/// What stood round a program, in words for people who do not know ours.
pub(super) const fn wall(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::Bubblewrap => "a sandbox (bubblewrap)",
        Isolation::Outer => "a container round trueup",
        Isolation::None => "no sandbox",
        Isolation::Engine => "no program: trueup read the files itself",
    }
}

/// Why no agent was started, problem by problem.
pub(super) fn waits(view: &RunPage) -> Markup {
    let Position::Done(Outcome::Refused(refusals)) = &view.shown.report.position else {
        return html! {};
    };
    html! {
        section #problems aria-labelledby="problems-head" {
            h2 #problems-head { "Problems of the task" }
            ul { @for refusal in refusals { (problem(&view.shown.file, refusal)) } }
        }
    }
}

fn problem(file: &str, refusal: &Refusal) -> Markup {
    html! {
        li {
            code { (harmless(file)) ":" (refusal.line) } " " strong { (harmless(&refusal.about)) } ": "
            span.told { (words::harmless_lines(&refusal.why)) }
        }
    }
}
