//! Rules about who drives a run.

use super::{Found, Subject, ask_to_stop, claim, hold, keep, of_desk, open, renew, same};
use trueup_engine::durable::{Claimed, Desk, DeskError, Hold, Renewed, Request};

/// One run, one holder.
pub async fn a_claim_is_refused_while_the_run_is_held<S: Subject>() -> Found {
    let subject = S::fresh();
    let (desk, run) = (subject.desk(), open(&subject.desk(), "T-001.1").await?);
    let other = open(&desk, "T-002.1").await?;
    same("who drives a new run", &hold(&desk, &run).await?, &Hold::Never)?;
    let mut journal = claim(&desk, &run).await?.journal;
    for again in [&desk, &subject.desk()] {
        let refused = claim(again, &run).await.map(|_| ());
        ensure!(
            matches!(&refused, Err(DeskError::Driven(named)) if *named == run),
            "a second claim gave {refused:?}"
        );
    }
    let now = hold(&subject.desk(), &run).await?;
    same("who drives a claimed run", &now, &Hold::Driven)?;
    same(
        "who drives another run",
        &hold(&subject.desk(), &other).await?,
        &Hold::Never,
    )?;
    // A refused claim must not have fenced the one who holds the run.
    keep(&mut journal, 1).await?;
    Ok(())
}

/// A dropped or released journal frees its run at once, again and again.
pub async fn a_run_is_free_again_when_its_holder_is_gone<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    for n in 1..=6 {
        let mut journal = claim(&subject.desk(), &run).await?.journal;
        keep(&mut journal, n).await?;
        match n % 2 {
            0 => drop(journal),
            _ => subject.desk().release(journal).await?,
        }
        same("who drives it then", &hold(&subject.desk(), &run).await?, &Hold::Free)?;
    }
    Ok(())
}

/// Whoever did not hear that it was handed the run asks again, and has it.
pub async fn a_claim_whose_answer_was_lost_is_claimed_again<S: Subject>() -> Found {
    let subject = S::fresh();
    let (desk, run) = (subject.desk(), open(&subject.desk(), "T-001.1").await?);
    let request = Request::fresh();
    let lost = of_desk(async || desk.claim(&request, &run).await).await?;
    S::lose(lost.journal);
    let Claimed { mut journal, lease, .. } = of_desk(async || desk.claim(&request, &run).await).await?;
    keep(&mut journal, 1).await?;
    same("what its lease says", &renew(&desk, &lease).await?, &Renewed::GoOn)
}

/// A holder that was presumed dead and ends later frees nobody else's run.
pub async fn a_late_goodbye_does_not_free_the_next_holder<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let old = claim(&subject.desk(), &run).await?.journal;
    subject.presume_dead(&run);
    let mut new = claim(&subject.desk(), &run).await?.journal;
    drop(old);
    same("who drives it", &hold(&subject.desk(), &run).await?, &Hold::Driven)?;
    keep(&mut new, 1).await?;
    Ok(())
}

/// Whoever drives now is asked; whoever drives next is not.
pub async fn a_request_to_stop_reaches_only_the_current_holder<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    let (run, other) = (open(&desk, "T-001.1").await?, open(&desk, "T-002.1").await?);
    same("who drives a free run", &ask_to_stop(&desk, &run).await?, &Hold::Never)?;
    let first = claim(&subject.desk(), &run).await?;
    let elsewhere = claim(&subject.desk(), &other).await?;
    let before = renew(&desk, &first.lease).await?;
    same("what the first hears before", &before, &Renewed::GoOn)?;
    same("who could be asked", &ask_to_stop(&desk, &run).await?, &Hold::Driven)?;
    same(
        "what the first hears",
        &renew(&desk, &first.lease).await?,
        &Renewed::StopAsked,
    )?;
    let another = renew(&desk, &elsewhere.lease).await?;
    same("what another run hears", &another, &Renewed::GoOn)?;
    drop(first);
    let second = claim(&subject.desk(), &run).await?;
    same(
        "what the second hears",
        &renew(&desk, &second.lease).await?,
        &Renewed::GoOn,
    )?;
    drop(second);
    same("who could be asked then", &ask_to_stop(&desk, &run).await?, &Hold::Free)?;
    let third = claim(&subject.desk(), &run).await?;
    same(
        "what the third hears",
        &renew(&desk, &third.lease).await?,
        &Renewed::GoOn,
    )?;
    same("who is the third", &ask_to_stop(&desk, &run).await?, &Hold::Driven)?;
    let then = renew(&desk, &third.lease).await?;
    same("what the third hears then", &then, &Renewed::StopAsked)
}
