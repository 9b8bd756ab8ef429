//! A run as one page for a browser: nothing is loaded, no script runs, and it
//! is read on paper, too.
//!
//! Names, words and output come from repositories and agents. Whoever writes
//! them here makes them harmless; markup is escaped by the templates; what was
//! forgotten is caught where the page is finished.

mod criteria;
mod difference;
mod file_patch;
mod happened;
mod mark;
mod person;
mod policy;
mod stands;
mod text;
mod turns;

use super::{
    tame::tame,
    time, ways_on,
    words::{self, harmless},
};
use crate::commands::views::RunPage;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::io::{self, Write};
use trueup_core::run::{Outcome, Position};

/// How it looks, in light and in dark, on a telephone and on paper.
const STYLE: &str = include_str!("style.css");

/// What only pages of ours begin with.
const GENERATOR: &str = "<meta name=\"generator\" content=\"trueup ";

/// The page of a run.
pub(crate) fn page(view: &RunPage) -> String {
    let report = &view.shown.report;
    let title = format!("{} {}", report.run, harmless(&report.title));
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(concat!("trueup ", env!("CARGO_PKG_VERSION")));
                meta http-equiv="Content-Security-Policy" content=(policy::of(STYLE));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#proof" { "To the proof" }
                (stands::head(view))
                (contents(view))
                main {
                    (stands::waits(view))
                    (criteria::section(view))
                    (person::section(view))
                    (turns::section(view))
                    (spent(view))
                    (difference::section(view))
                    (happened::section(view))
                    (again(view))
                }
                (foot(view))
            }
        }
    };
    words::harmless_lines(&markup.into_string())
}

/// Whether a file that begins so is a page of ours.
pub(crate) fn is_page(head: &[u8]) -> bool {
    String::from_utf8_lossy(head).contains(GENERATOR)
}

/// The page on standard output, as it would stand in a file.
pub(crate) fn page_itself(page: &str) -> io::Result<()> {
    io::stdout().write_all(tame(page).as_bytes())
}

fn contents(view: &RunPage) -> Markup {
    let has_turns = !view.turns.is_empty();
    html! {
        nav aria-label="On this page" {
            ul {
                li { a href="#proof" { "Proof" } }
                @if person::is_told(view) { li { a href="#person" { "People" } } }
                @if has_turns { li { a href="#turns" { "Turns" } } }
                li { a href="#time" { "Time" } }
                @if has_turns { li { a href="#difference" { "Difference" } } }
                li { a href="#happened" { "Events" } }
                li { a href="#again" { "Check it yourself" } }
            }
        }
    }
}

/// Where the time went.
fn spent(view: &RunPage) -> Markup {
    let rows = time::rows(&view.shown.time);
    html! {
        section #time aria-labelledby="time-head" {
            h2 #time-head { "Time" }
            @if !rows.is_empty() {
                table {
                    thead { tr { th scope="col" { "Activity" } th scope="col" { "Took" } th scope="col" { "Times" } } }
                    tbody {
                        @for row in &rows {
                            tr {
                                th scope="row" {
                                    (row.name)
                                    @if let Some(parts) = &row.parts { br; small { (parts) } }
                                }
                                td { (row.took) }
                                td { (row.times) }
                            }
                        }
                    }
                }
            }
            p { (time::ratio(&view.shown.time)) "." }
        }
    }
}

/// How whoever doubts the page looks for themselves.
fn again(view: &RunPage) -> Markup {
    let report = &view.shown.report;
    let verify = match (view.run.position(), &report.commit) {
        (Position::Done(Outcome::Verified { .. } | Outcome::Waived { .. }), Some(commit)) => {
            Some(format!("trueup verify {} --on {commit}", report.task))
        }
        (Position::Done(_) | Position::Working(_) | Position::Paused(..), _) => None,
    };
    html! {
        section #again aria-labelledby="again-head" {
            h2 #again-head { "Check it yourself" }
            p {
                "This page is a copy of what trueup kept; whoever holds the file could have changed it. "
                @if verify.is_some() { "You need not believe it. With that commit in a checkout of yours, type:" }
                @else { "Where the run was made, type:" }
            }
            @if let Some(verify) = &verify {
                pre { code { (verify) } }
                p {
                    "That executes every check of the task file again on exactly these files, without any agent, "
                    "and ends with exit code 0 only if all of them pass."
                }
                p { "Where the run was made:" }
            }
            pre { code { (ways_on::commands(&view.shown).join("\n")) } }
        }
    }
}

fn foot(view: &RunPage) -> Markup {
    html! {
        footer {
            p {
                "Written by trueup " (env!("CARGO_PKG_VERSION")) " on " (words::moment(view.at)) ". "
                "Whether evidence is valid was told at that moment. This page loads nothing and runs no script."
            }
        }
    }
}
