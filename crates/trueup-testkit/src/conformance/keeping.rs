//! Rules about events: kept once, in order, by the one who holds the run.

use super::{
    ClaimedOf, Found, Subject, came, claim, fenced, history, keep, of_desk, of_journal, open, post, receive, record,
    renew, resumed, same, troubled,
};
use crate::sample;
use std::sync::{
    Mutex,
    atomic::{AtomicI64, Ordering},
};
use trueup_core::id::EffectId;
use trueup_engine::durable::{Claimed, Desk, Durable};

/// Events come back in the order they were kept, to the next holder.
pub async fn kept_events_come_back_in_order<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let Claimed {
        mut journal, events, ..
    } = claim(&subject.desk(), &run).await?;
    same("what a claim hands over", &events, &vec![sample::opened("T-001.1")])?;
    for n in 1..=9 {
        same("what record answers", &keep(&mut journal, n).await?, &troubled(n))?;
    }
    drop(journal);
    let claimed = claim(&subject.desk(), &run).await?;
    let mut kept = vec![sample::opened("T-001.1")];
    kept.extend((1..=9).map(troubled));
    same("what the next claim hands over", &claimed.events, &kept)
}

/// Anybody can read what was kept, while the run is held.
pub async fn history_is_what_was_kept<S: Subject>() -> Found {
    let subject = S::fresh();
    let (looking, journal_of) = (subject.desk(), sample::journal("T-001.1"));
    let run = open(&subject.desk(), "T-001.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    for (n, event) in journal_of.iter().enumerate().skip(1) {
        let so_far = history(&looking, &run).await?;
        same("the history so far", &so_far.as_slice(), &&journal_of[..n])?;
        record(&mut journal, &format!("effect-{n}"), || event.clone()).await?;
    }
    same("the whole history", &history(&looking, &run).await?, &journal_of)
}

/// Whoever knows the first events asks for the others alone.
pub async fn history_from_a_position_is_the_rest<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    let run = open(&desk, "T-001.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    for n in 1..=5 {
        keep(&mut journal, n).await?;
    }
    let all = history(&desk, &run).await?;
    for from in 0..=7 {
        let rest = of_desk(async || desk.history(&run, from).await).await?;
        let known = usize::try_from(from)?.min(all.len());
        same("the rest", &rest.as_slice(), &&all[known..])?;
    }
    Ok(())
}

/// What is kept is answered; it is not done again.
pub async fn an_effect_already_kept_is_never_performed_again<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let performed = AtomicI64::new(0);
    let perform = || troubled(performed.fetch_add(1, Ordering::SeqCst) + 1);
    let mut first = None;
    for _ in 0..3 {
        let mut journal = claim(&subject.desk(), &run).await?.journal;
        for _ in 0..2 {
            let answered = record(&mut journal, "turn-001", perform).await?;
            let tries = performed.load(Ordering::SeqCst);
            let (event, due) = first.get_or_insert((answered.clone(), tries));
            same("what record answers", &answered, event)?;
            same("how often it was performed", &tries, due)?;
        }
    }
    same(
        "how many events are kept",
        &history(&subject.desk(), &run).await?.len(),
        &2,
    )
}

/// What the driver itself says is kept under its id, and said once.
pub async fn a_fact_of_the_driver_is_kept_once<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    for n in 1..=3 {
        let mut journal = claim(&subject.desk(), &run).await?.journal;
        let id = EffectId::new("driver-1");
        let kept = of_journal(async || journal.keep(&id, &troubled(n)).await).await?;
        same("what is kept", &kept, &troubled(1))?;
    }
    let kept = vec![sample::opened("T-001.1"), troubled(1)];
    same("the history", &history(&subject.desk(), &run).await?, &kept)
}

/// A holder that dies between two effects takes nothing with it, and one that
/// dies within an effect leaves nothing of it.
pub async fn what_was_kept_survives_the_holder<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let mut journal = claim(&subject.desk(), &run).await?.journal;
    keep(&mut journal, 1).await?;
    let unfinished = sample::effect("effect-2");
    let (begun, hears) = tokio::sync::oneshot::channel::<()>();
    let begun = Mutex::new(Some(begun));
    let never_ends = async {
        drop(begun.lock().ok().and_then(|mut begun| begun.take()));
        std::future::pending().await
    };
    let broken_off = tokio::select! {
        kept = journal.record(&unfinished, never_ends) => kept.is_ok(),
        _ = hears => false,
    };
    ensure!(!broken_off, "an effect that never ended was kept");
    drop(journal);
    let Claimed {
        mut journal, events, ..
    } = claim(&subject.desk(), &run).await?;
    same("what survives", &events.len(), &2)?;
    keep(&mut journal, 2).await?;
    same("what is kept then", &history(&subject.desk(), &run).await?.len(), &3)
}

/// Whoever lost the run keeps nothing more, even if it lives on.
pub async fn a_fenced_journal_keeps_nothing<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let Claimed {
        journal: mut old,
        lease,
        ..
    } = claim(&subject.desk(), &run).await?;
    keep(&mut old, 1).await?;
    subject.presume_dead(&run);
    let mut new = claim(&subject.desk(), &run).await?.journal;
    fenced(keep(&mut old, 2).await)?;
    keep(&mut new, 3).await?;
    fenced(keep(&mut old, 3).await)?;
    fenced(keep(&mut old, 4).await)?;
    fenced(renew(&subject.desk(), &lease).await)?;
    let kept = vec![sample::opened("T-001.1"), troubled(1), troubled(3)];
    same("the history", &history(&subject.desk(), &run).await?, &kept)
}

/// Whoever loses the run while an effect is under way keeps nothing of it, and
/// takes no signal from the one who has it now.
pub async fn a_fenced_journal_receives_nothing<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let mut old = claim(&subject.desk(), &run).await?.journal;
    let effect = sample::effect("effect-1");
    let (begins, begun) = tokio::sync::oneshot::channel();
    let (ends, ended) = tokio::sync::oneshot::channel();
    let perform = async {
        begins.send(()).unwrap_or_default();
        drop(ended.await);
        troubled(1)
    };
    let take_over = async {
        drop(begun.await);
        subject.presume_dead(&run);
        let taken: Result<ClaimedOf<S>, _> = claim(&subject.desk(), &run).await;
        ends.send(()).unwrap_or_default();
        taken
    };
    let (kept_late, taken_over) = tokio::join!(old.record(&effect, perform), take_over);
    let mut new = taken_over?.journal;
    // What got no answer is asked once more; nothing may be kept by then either.
    if matches!(kept_late, Err(trueup_engine::durable::Lost::Unreachable(_))) {
        fenced(record(&mut old, "effect-1", || troubled(1)).await)?;
    } else {
        fenced(kept_late)?;
    }
    post(&subject.desk(), &run, &resumed(1)).await?;
    fenced(receive(&mut old, 1).await)?;
    same("what the new holder receives", &receive(&mut new, 1).await?, &came(1))?;
    let kept = vec![sample::opened("T-001.1"), resumed(1)];
    same("the history", &history(&subject.desk(), &run).await?, &kept)
}
