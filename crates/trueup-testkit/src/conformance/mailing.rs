//! Rules about signals: received once, by the run they were posted to.

use super::{Found, Subject, came, claim, history, keep, of_journal, open, post, receive, resumed, same, troubled};
use crate::sample;
use trueup_core::event::{Due, Event, Signal, SpaceFreed};
use trueup_engine::durable::{Claimed, Desk, Durable, Received, Request};

/// A signal becomes one event, for one receiver.
pub async fn a_signal_is_received_exactly_once<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let other = open(&subject.desk(), "T-002.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    let empty = receive(&mut journal, 1).await?;
    same("what an empty mailbox holds", &empty, &Received::Parked)?;
    post(&subject.desk(), &run, &resumed(1)).await?;
    same("what was posted", &receive(&mut journal, 1).await?, &came(1))?;
    same("what is left", &receive(&mut journal, 2).await?, &Received::Parked)?;
    drop(journal);
    let Claimed {
        mut journal, events, ..
    } = claim(&subject.desk(), &run).await?;
    let left = receive(&mut journal, 2).await?;
    same("what is left for the next", &left, &Received::Parked)?;
    same("what was kept", &events, &vec![sample::opened("T-001.1"), resumed(1)])?;
    let mut journal = claim(&subject.desk(), &other).await?.journal;
    let elsewhere = receive(&mut journal, 1).await?;
    same("what came for another run", &elsewhere, &Received::Parked)
}

/// Whoever did not hear what it received asks again from where it stands, and
/// takes nothing else out of the mailbox by that.
pub async fn a_signal_whose_answer_was_lost_is_answered_again<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    post(&subject.desk(), &run, &resumed(1)).await?;
    same("what was posted", &receive(&mut journal, 1).await?, &came(1))?;
    post(&subject.desk(), &run, &resumed(2)).await?;
    same("asked again", &receive(&mut journal, 1).await?, &came(1))?;
    same("asked from behind it", &receive(&mut journal, 2).await?, &came(2))
}

/// A signal waits for its run, and is no event before it is received.
pub async fn a_posted_signal_survives_until_somebody_waits_for_it<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    post(&subject.desk(), &run, &resumed(1)).await?;
    keep(&mut journal, 1).await?;
    drop(journal);
    same("the history before", &history(&subject.desk(), &run).await?.len(), &2)?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    same("what was posted", &receive(&mut journal, 2).await?, &came(1))?;
    same("the history after", &history(&subject.desk(), &run).await?.len(), &3)
}

/// Saying twice what was not heard yet is saying it once: a resume that was
/// killed and typed again must not resume a later pause as well.
pub async fn a_signal_that_already_waits_is_not_posted_again<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    for n in 1..=3 {
        post(&subject.desk(), &run, &resumed(n)).await?;
    }
    same("the first", &receive(&mut journal, 1).await?, &came(1))?;
    same("after it", &receive(&mut journal, 2).await?, &Received::Parked)?;
    post(&subject.desk(), &run, &resumed(4)).await?;
    same("posted after it was heard", &receive(&mut journal, 2).await?, &came(4))
}

/// Whoever was asleep at the moment sees it later, and it is still that moment;
/// a signal of another kind does not end the wait.
pub async fn a_moment_that_is_seen_late_is_the_one_waited_for<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    let mut wait_for = async |n, known| {
        let signal = Signal::Time(sample::at(n));
        of_journal(async || journal.receive(&signal, known).await).await
    };
    let (free, at) = (9, sample::at(1));
    post(&subject.desk(), &run, &Event::SpaceFreed(SpaceFreed { free, at })).await?;
    same("another signal", &wait_for(1, 1).await?, &Received::Parked)?;
    let late = Event::Due(Due { at: sample::at(7) });
    post(&subject.desk(), &run, &late).await?;
    same("the moment", &wait_for(1, 1).await?, &Received::Event(late))?;
    same("after it", &wait_for(8, 2).await?, &Received::Parked)?;
    post(&subject.desk(), &run, &resumed(2)).await?;
    same("a person who does not wait", &wait_for(8, 2).await?, &came(2))
}

/// Nobody outside can post a fact that only the world may report.
pub async fn only_signals_can_be_posted<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let refused = subject.desk().post(&Request::fresh(), &run, &troubled(1)).await;
    ensure!(refused.is_err(), "an event that is no signal was posted");
    Ok(())
}
