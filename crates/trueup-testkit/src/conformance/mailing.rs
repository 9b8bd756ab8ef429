//! Rules about signals: received once, by the run they were posted to.

use super::{Found, Subject, came, keep, open, receive, resumed, same, troubled, wait};
use crate::sample;
use trueup_core::event::{Due, Event, Signal, SpaceFreed};
use trueup_engine::durable::{Desk, Durable, Received};

/// A signal becomes one event, for one receiver.
pub fn a_signal_is_received_exactly_once<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let other = open(&subject.desk(), "T-002.1")?;
    let (mut journal, _) = subject.desk().claim(&run)?;
    same(
        "what an empty mailbox holds",
        &receive(&mut journal)?,
        &Received::Parked,
    )?;
    subject.desk().post(&run, &resumed(1))?;
    same("what was posted", &receive(&mut journal)?, &came(1))?;
    same("what is left", &receive(&mut journal)?, &Received::Parked)?;
    drop(journal);
    let (mut journal, events) = subject.desk().claim(&run)?;
    same("what is left for the next", &receive(&mut journal)?, &Received::Parked)?;
    same("what was kept", &events, &vec![sample::opened("T-001.1"), resumed(1)])?;
    let (mut journal, _) = subject.desk().claim(&other)?;
    same("what came for another run", &receive(&mut journal)?, &Received::Parked)
}

/// A signal waits for its run, and is no event before it is received.
pub fn a_posted_signal_survives_until_somebody_waits_for_it<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut journal, _) = subject.desk().claim(&run)?;
    subject.desk().post(&run, &resumed(1))?;
    keep(&mut journal, 1)?;
    drop(journal);
    same("the history before", &subject.desk().history(&run)?.len(), &2)?;
    let (mut journal, _) = subject.desk().claim(&run)?;
    same("what was posted", &receive(&mut journal)?, &came(1))?;
    same("the history after", &subject.desk().history(&run)?.len(), &3)
}

/// Saying twice what was not heard yet is saying it once: a resume that was
/// killed and typed again must not resume a later pause as well.
pub fn a_signal_that_already_waits_is_not_posted_again<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut journal, _) = subject.desk().claim(&run)?;
    for n in 1..=3 {
        subject.desk().post(&run, &resumed(n))?;
    }
    same("the first", &receive(&mut journal)?, &came(1))?;
    same("after it", &receive(&mut journal)?, &Received::Parked)?;
    subject.desk().post(&run, &resumed(4))?;
    same("posted after it was heard", &receive(&mut journal)?, &came(4))
}

/// Whoever was asleep at the moment sees it later, and it is still that moment;
/// a word of another kind does not end the wait.
pub fn a_moment_that_is_seen_late_is_the_one_waited_for<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut journal, _) = subject.desk().claim(&run)?;
    let mut wait_for = |n| wait(journal.receive(&Signal::Time(sample::at(n))));
    let (free, at) = (9, sample::at(1));
    subject.desk().post(&run, &Event::SpaceFreed(SpaceFreed { free, at }))?;
    same("another word", &wait_for(1)??, &Received::Parked)?;
    let late = Event::Due(Due { at: sample::at(7) });
    subject.desk().post(&run, &late)?;
    same("the moment", &wait_for(1)??, &Received::Event(late))?;
    same("after it", &wait_for(8)??, &Received::Parked)?;
    subject.desk().post(&run, &resumed(2))?;
    same("a person who does not wait", &wait_for(8)??, &came(2))
}

/// Nobody outside can post a fact that only the world may report.
pub fn only_signals_can_be_posted<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let refused = subject.desk().post(&run, &troubled(1));
    ensure!(refused.is_err(), "an event that is no signal was posted");
    Ok(())
}
