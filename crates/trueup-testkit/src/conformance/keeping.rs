//! Rules about events: kept once, in order, by the one who holds the run.

use super::{Found, Subject, came, fenced, keep, open, receive, record, resumed, same, troubled, wait};
use crate::sample;
use std::cell::Cell;
use trueup_engine::durable::{Desk, Durable};

/// Events come back in the order they were kept, to the next holder.
pub fn kept_events_come_back_in_order<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut journal, events) = subject.desk().claim(&run)?;
    same("what a claim hands over", &events, &vec![sample::opened("T-001.1")])?;
    for n in 1..=9 {
        same("what record answers", &keep(&mut journal, n)?, &troubled(n))?;
    }
    drop(journal);
    let (_journal, events) = subject.desk().claim(&run)?;
    let mut kept = vec![sample::opened("T-001.1")];
    kept.extend((1..=9).map(troubled));
    same("what the next claim hands over", &events, &kept)
}

/// Anybody can read what was kept, while the run is held.
pub fn history_is_what_was_kept<S: Subject>() -> Found {
    let subject = S::fresh();
    let (looking, journal_of) = (subject.desk(), sample::journal("T-001.1"));
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut journal, _) = subject.desk().claim(&run)?;
    for (n, event) in journal_of.iter().enumerate().skip(1) {
        same(
            "the history so far",
            &looking.history(&run)?.as_slice(),
            &&journal_of[..n],
        )?;
        record(&mut journal, &format!("effect-{n}"), || event.clone())?;
    }
    same("the whole history", &looking.history(&run)?, &journal_of)
}

/// What is kept is answered; it is not done again.
pub fn an_effect_already_kept_is_never_performed_again<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let performed = Cell::new(0);
    for _ in 0..3 {
        let (mut journal, _) = subject.desk().claim(&run)?;
        for _ in 0..2 {
            let answered = record(&mut journal, "turn-001", || {
                performed.set(performed.get() + 1);
                troubled(performed.get())
            })?;
            same("what record answers", &answered, &troubled(1))?;
        }
    }
    same("how often it was performed", &performed.get(), &1)?;
    same("how many events are kept", &subject.desk().history(&run)?.len(), &2)
}

/// A holder that dies between two effects takes nothing with it, and one that
/// dies within an effect leaves nothing of it.
pub fn what_was_kept_survives_the_holder<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut journal, _) = subject.desk().claim(&run)?;
    keep(&mut journal, 1)?;
    let unfinished = sample::effect("effect-2");
    let broken_off = wait(async {
        tokio::select! {
            biased;
            kept = journal.record(&unfinished, std::future::pending()) => Some(kept),
            () = std::future::ready(()) => None,
        }
    })?;
    ensure!(broken_off.is_none(), "an effect that never ended was kept");
    drop(journal);
    let (mut journal, events) = subject.desk().claim(&run)?;
    same("what survives", &events.len(), &2)?;
    keep(&mut journal, 2)?;
    same("what is kept then", &subject.desk().history(&run)?.len(), &3)
}

/// Whoever lost the run keeps nothing more, even if it lives on.
pub fn a_fenced_journal_keeps_nothing<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut old, _) = subject.desk().claim(&run)?;
    keep(&mut old, 1)?;
    subject.presume_dead(&run);
    let (mut new, _) = subject.desk().claim(&run)?;
    fenced(keep(&mut old, 2))?;
    keep(&mut new, 3)?;
    fenced(keep(&mut old, 3))?;
    fenced(keep(&mut old, 4))?;
    fenced(S::stop_requested(&old))?;
    let kept = vec![sample::opened("T-001.1"), troubled(1), troubled(3)];
    same("the history", &subject.desk().history(&run)?, &kept)
}

/// Whoever loses the run while an effect is under way keeps nothing of it, and
/// takes no signal from the one who has it now.
pub fn a_fenced_journal_receives_nothing<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (mut old, _) = subject.desk().claim(&run)?;
    let taken_over = Cell::new(None);
    let kept_late = record(&mut old, "effect-1", || {
        subject.presume_dead(&run);
        taken_over.set(subject.desk().claim(&run).ok());
        troubled(1)
    });
    fenced(kept_late)?;
    subject.desk().post(&run, &resumed(1))?;
    fenced(receive(&mut old))?;
    let Some((mut new, _)) = taken_over.take() else {
        return Err("the run of a holder presumed dead could not be claimed".into());
    };
    same("what the new holder receives", &receive(&mut new)?, &came(1))?;
    let kept = vec![sample::opened("T-001.1"), resumed(1)];
    same("the history", &subject.desk().history(&run)?, &kept)
}
