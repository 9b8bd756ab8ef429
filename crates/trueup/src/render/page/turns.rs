//! The turns of the agent: what each changed, took, cost, and what the agent
//! said of it.

use super::{
    super::{cost, words},
    file_patch::{FilePatch, files},
    stands::wall,
    text,
    words::{harmless, harmless_lines},
};
use crate::commands::views::{RunPage, TurnView};
use maud::{Markup, html};
use trueup_core::memory::Decision;

/// How many files of one turn are named.
const NAMED: usize = 50;

/// Every turn, in its order.
pub(super) fn section(view: &RunPage) -> Markup {
    html! {
        @if !view.turns.is_empty() {
            section #turns aria-labelledby="turns-head" {
                h2 #turns-head { "Turns of the agent" }
                @for turn in &view.turns { (one(turn)) }
            }
        }
    }
}

fn one(turn: &TurnView) -> Markup {
    let outcome = &turn.ended.outcome;
    let said = outcome.claim.summary.trim();
    html! {
        article.turn {
            h3 { "Turn " (turn.ended.turn) }
            p { "The agent " (words::ending(&outcome.ending)) " after " (words::took(outcome.took_ms)) "." }
            dl {
                div { dt { "Changed" } dd { (changed(turn)) } }
                div { dt { "Cost" } dd { (cost::of_turn(&outcome.usage)) } }
                div { dt { "Worked in" } dd { (wall(outcome.isolation)) } }
            }
            @if !outcome.findings.is_empty() {
                p { "trueup found:" }
                ul { @for found in &outcome.findings { li { code { (text::line(&found.path)) } ": " (text::line(&found.what)) } } }
            }
            @if !said.is_empty() {
                p { "Its last words, which prove nothing:" }
                blockquote { p.told { (harmless_lines(said)) } }
            }
            @if !turn.printed.is_empty() {
                p { "The last lines it printed, which prove nothing:" }
                blockquote { pre { @for line in &turn.printed { (text::line(line)) "\n" } } }
            }
            @if !outcome.claim.decisions.is_empty() {
                p { "Choices it says it made:" }
                ul { @for decision in &outcome.claim.decisions { (choice(decision)) } }
            }
        }
    }
}

fn changed(turn: &TurnView) -> Markup {
    let Some(patch) = &turn.patch else {
        return html! { "cannot be told any more: its files were cleared away" };
    };
    let patch = String::from_utf8_lossy(patch);
    let all = files(&patch);
    html! {
        @if all.is_empty() { "nothing" }
        @else {
            ul.plain {
                @for file in all.iter().take(NAMED) { li { code { (text::line(&file.name)) } " " (counts(file)) } }
                @if all.len() > NAMED { li { "and " (words::count(all.len() - NAMED, "file")) " more" } }
            }
        }
    }
}

/// How many lines of a file came and went.
pub(super) fn counts(file: &FilePatch<'_>) -> Markup {
    html! {
        span.counts {
            span.added { "+" (file.added) } " " span.removed { "−" (file.removed) }
        }
    }
}

fn choice(decision: &Decision) -> Markup {
    let Decision {
        question,
        answer,
        reason,
    } = decision;
    html! { li { (harmless(question)) " " strong { (harmless(answer)) } ": " (harmless(reason)) } }
}
