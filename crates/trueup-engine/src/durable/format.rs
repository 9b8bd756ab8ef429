//! How an event lies in a journal: its version, and JSON.
//!
//! Every reader of kept events goes through [`read`]. An event of an older
//! version is lifted to today's here and nowhere else; one of a newer version
//! is refused, so that an old binary never guesses.

use super::DeskError;
use trueup_core::{
    event::{Event, Opening, Signal, VERSION},
    id::RunId,
    run::Step,
};

/// Where an event lies, to name it when it cannot be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// The run.
    pub(super) run: &'a RunId,
    /// Which event of the run, from 1.
    pub(super) seq: u64,
}

/// An event as it is written today; its version is [`VERSION`].
pub(super) fn write(event: &Event) -> Result<String, DeskError> {
    serde_json::to_string(event).map_err(|error| DeskError::Journal(error.to_string()))
}

/// An event as it was written then.
pub(super) fn read(place: Place<'_>, version: u32, body: &str) -> Result<Event, DeskError> {
    if version > VERSION {
        return Err(DeskError::Newer {
            found: version,
            known: VERSION,
        });
    }
    let damaged = |what: String| DeskError::Damaged {
        run: place.run.clone(),
        seq: place.seq,
        what,
    };
    match version {
        1..=4 => serde_json::from_str(body).map_err(|error| damaged(format!("it cannot be read: {error}"))),
        other => Err(damaged(format!("there never was a version {other}"))),
    }
}

/// What opens a run, if the event does and names that very run.
pub(super) fn opening<'a>(run: &RunId, event: &'a Event) -> Result<&'a Opening, DeskError> {
    if let Event::Opened(opening) = event
        && opening.run == *run
    {
        return Ok(opening);
    }
    let what = format!("`{}` does not open the run {run}", event.kind());
    Err(DeskError::Journal(what))
}

/// The signal as which an event arrives, if it comes from outside at all.
pub(super) fn signal(event: &Event) -> Result<Signal, DeskError> {
    match event {
        Event::Resumed(_) => Ok(Signal::Resume),
        Event::SpaceFreed(_) => Ok(Signal::Space),
        Event::Due(due) => Ok(Signal::Time(due.at)),
        Event::BudgetSet(_) => Ok(Signal::Budget),
        Event::Answered(_) => Ok(Signal::Answer),
        Event::Opened(_)
        | Event::Checked(_)
        | Event::Challenged(_)
        | Event::TurnEnded(_)
        | Event::Committed(_)
        | Event::Published(_)
        | Event::PublishRefused(_)
        | Event::Interrupted(_)
        | Event::Troubled(_)
        | Event::OpeningCompleted(_)
        | Event::TaskChanged(_)
        | Event::AgentChanged(_) => Err(DeskError::Journal(format!(
            "`{}` is no signal and cannot be posted",
            event.kind()
        ))),
    }
}

/// The names of the letters that end a wait for this signal. Whoever waits for
/// a moment is also told by a person that it need not; whoever needs a budget,
/// that what there is will do.
pub(super) const fn heard_as(signal: Signal) -> [&'static str; 2] {
    match signal {
        Signal::Time(_) => [signal_name(signal), signal_name(Signal::Resume)],
        Signal::Budget => [signal_name(signal), signal_name(Signal::Answer)],
        Signal::Advice => [signal_name(Signal::Answer), signal_name(Signal::Resume)],
        Signal::Resume | Signal::Space | Signal::Answer => [signal_name(signal), signal_name(signal)],
    }
}

/// A signal's name in a mailbox.
pub(super) const fn signal_name(signal: Signal) -> &'static str {
    match signal {
        Signal::Resume => "resume",
        Signal::Space => "space",
        Signal::Time(_) => "time",
        Signal::Budget => "budget",
        Signal::Answer => "answer",
        Signal::Advice => "advice",
    }
}

/// What a run that wants this waits for, and until when, as a list of runs
/// keeps it.
pub(super) const fn waits_for(step: &Step) -> (&'static str, Option<i64>) {
    match step {
        Step::Do(_) => (WORK, None),
        Step::Done(_) => ("done", None),
        Step::Await(Signal::Time(due)) => (signal_name(Signal::Time(*due)), Some(due.0)),
        Step::Await(signal) => (signal_name(*signal), None),
    }
}

/// What a run waits for that wants something done.
pub(super) const WORK: &str = "work";

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::{event::Resumed, id::Timestamp};

    fn resumed() -> Event {
        Event::Resumed(Resumed { at: Timestamp(7) })
    }

    fn read_as(version: u32, body: &str) -> Result<Event, DeskError> {
        let run = RunId::new("T-1.1");
        read(Place { run: &run, seq: 3 }, version, body)
    }

    #[test]
    fn a_written_event_reads_back_as_itself() {
        let body = write(&resumed()).unwrap();
        assert_eq!(read_as(VERSION, &body).unwrap(), resumed());
    }

    #[test]
    fn a_newer_event_is_refused_even_if_it_could_be_read() {
        let body = write(&resumed()).unwrap();
        let refused = read_as(VERSION + 1, &body).unwrap_err();
        assert!(matches!(refused, DeskError::Newer { found, known } if found == known + 1));
    }

    #[test]
    fn an_unreadable_event_is_named_by_its_place() {
        for (version, body) in [(VERSION, "{}"), (0, "{}")] {
            let refused = read_as(version, body).unwrap_err();
            assert!(matches!(refused, DeskError::Damaged { seq: 3, .. }), "{refused}");
        }
    }
}
