//! What people were asked, and what they said.

use super::{
    super::{proof, words},
    mark::Mark,
    words::{harmless, harmless_lines},
};
use crate::commands::views::RunPage;
use maud::{Markup, html};
use trueup_core::{
    digest::Digest,
    event::{Answered, Event, PersonAnswer},
    objection::Objection,
    report::{SettledObjection, Settlement},
};

/// Whether there is anything to tell of people.
pub(super) fn is_told(view: &RunPage) -> bool {
    !view.shown.report.objections.is_empty() || answers(view).next().is_some()
}

/// What was asked and noted, and every answer.
pub(super) fn section(view: &RunPage) -> Markup {
    let said: Vec<&Answered> = answers(view).collect();
    html! {
        @if is_told(view) {
            section #person aria-labelledby="person-head" {
                h2 #person-head { "What people were asked, and said" }
                @if !view.shown.report.objections.is_empty() {
                    ul.plain { @for settled in &view.shown.report.objections { (objection(settled)) } }
                }
                @for answered in said { (answer(answered, view)) }
            }
        }
    }
}

fn answers(view: &RunPage) -> impl Iterator<Item = &Answered> {
    view.events.iter().filter_map(|event| match event {
        Event::Answered(answered) => Some(answered),
        Event::Opened(_)
        | Event::Checked(_)
        | Event::Challenged(_)
        | Event::TurnEnded(_)
        | Event::Committed(_)
        | Event::Published(_)
        | Event::PublishRefused(_)
        | Event::Interrupted(_)
        | Event::Troubled(_)
        | Event::Resumed(_)
        | Event::SpaceFreed(_)
        | Event::Due(_)
        | Event::BudgetSet(_)
        | Event::OpeningCompleted(_)
        | Event::TaskChanged(_)
        | Event::AgentChanged(_) => None,
    })
}

fn objection(settled: &SettledObjection) -> Markup {
    let (mark, word) = match settled.settled {
        Settlement::Allowed => (Mark::Good, "allowed"),
        Settlement::Approved => (Mark::Good, "approved"),
        Settlement::Open => (Mark::Open, "open"),
        Settlement::Noted => (Mark::Unknown, "note"),
    };
    html! { li { (mark.with(word)) " " (proof::objection(settled)) } }
}

fn answer(answered: &Answered, view: &RunPage) -> Markup {
    let (what, words) = match &answered.answer {
        PersonAnswer::Approved(_) => ("approved", None),
        PersonAnswer::Rejected(why) => ("rejected", Some(why)),
        PersonAnswer::Told(words) => ("told the agent", Some(words)),
        PersonAnswer::Waived(why) => ("waived, because it proves too little,", Some(why)),
    };
    let approved: &[Digest] = match &answered.answer {
        PersonAnswer::Approved(digests) => digests,
        PersonAnswer::Rejected(_) | PersonAnswer::Told(_) | PersonAnswer::Waived(_) => &[],
    };
    // What is still there is told above already.
    let is_told = |digest: &&Digest| {
        let mut told = view.shown.report.objections.iter();
        told.any(|settled| settled.objection.digest == **digest)
    };
    let gone: Vec<&Digest> = approved.iter().filter(|digest| !is_told(digest)).collect();
    let above = approved.len() - gone.len();
    html! {
        p {
            "On " (words::moment(answered.at)) " a person " strong { (what) }
            @if above > 0 { " " (above) " of the above" }
            @if words.is_some() || !gone.is_empty() { ":" } @else { "." }
        }
        @if let Some(words) = words { blockquote { p.told { (harmless_lines(words)) } } }
        @if !gone.is_empty() {
            ul { @for digest in gone { li { (about(digest, view)) } } }
        }
    }
}

/// What an answer is about, as it was asked.
fn about(digest: &Digest, view: &RunPage) -> String {
    let asked = view.events.iter().flat_map(objections);
    let found = asked.into_iter().find(|objection| objection.digest == *digest);
    found.map_or_else(|| harmless(words::short(digest.as_str())), words::objection)
}

fn objections(event: &Event) -> &[Objection] {
    match event {
        Event::Checked(checked) => &checked.objections,
        Event::Challenged(challenged) => &challenged.objections,
        Event::Opened(_)
        | Event::TurnEnded(_)
        | Event::Committed(_)
        | Event::Published(_)
        | Event::PublishRefused(_)
        | Event::Interrupted(_)
        | Event::Troubled(_)
        | Event::Resumed(_)
        | Event::SpaceFreed(_)
        | Event::Due(_)
        | Event::BudgetSet(_)
        | Event::Answered(_)
        | Event::OpeningCompleted(_)
        | Event::TaskChanged(_)
        | Event::AgentChanged(_) => &[],
    }
}
