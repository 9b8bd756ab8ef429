//! Every event, as the log prints it.

use super::{super::words, text::plain};
use crate::commands::views::RunPage;
use maud::{Markup, html};
use trueup_core::{event::Event, run::Run};

/// All that happened, folded away.
pub(super) fn section(view: &RunPage) -> Markup {
    html! {
        section #happened aria-labelledby="happened-head" {
            h2 #happened-head { "Everything that happened" }
            details {
                summary { (words::count(view.events.len(), "event")) ", as " code { "trueup log" } " prints them" }
                ol.events { @for (event, line) in lines(&view.events) { (one(event, &line)) } }
            }
        }
    }
}

fn one(event: &Event, line: &str) -> Markup {
    html! { li { time { (words::moment(event.at())) } pre { (line) } } }
}

/// Each event with what it means to the run that just applied it.
fn lines(events: &[Event]) -> Vec<(&Event, String)> {
    let mut state: Option<Run> = None;
    let mut told = Vec::new();
    for event in events {
        let applied = match &mut state {
            Some(run) => run.apply(event).is_ok(),
            None => {
                state = Run::replay([event]).ok();
                state.is_some()
            }
        };
        if let Some(run) = state.as_ref().filter(|_| applied) {
            told.push((event, plain(&words::event_line(run, event))));
        }
    }
    told
}
