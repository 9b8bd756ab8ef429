//! Rules about who drives a run.

use super::{Found, Subject, held, keep, open, same};
use trueup_engine::durable::{Desk, DeskError, Held};

/// One run, one holder.
pub fn a_claim_is_refused_while_the_run_is_held<S: Subject>() -> Found {
    let subject = S::fresh();
    let (desk, run) = (subject.desk(), open(&subject.desk(), "T-001.1")?);
    let other = open(&desk, "T-002.1")?;
    same("who drives a new run", &held(&desk, &run)?, &Held::Free)?;
    let (mut journal, _) = desk.claim(&run)?;
    for again in [&desk, &subject.desk()] {
        let refused = again.claim(&run).map(|_| ());
        ensure!(
            matches!(&refused, Err(DeskError::Driven(named)) if *named == run),
            "a second claim gave {refused:?}"
        );
    }
    same("who drives a claimed run", &held(&subject.desk(), &run)?, &Held::Driven)?;
    same("who drives another run", &held(&subject.desk(), &other)?, &Held::Free)?;
    // A refused claim must not have fenced the one who holds the run.
    keep(&mut journal, 1)?;
    Ok(())
}

/// A dropped journal frees its run at once, again and again.
pub fn a_run_is_free_again_when_its_holder_is_gone<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    for n in 1..=5 {
        let (mut journal, _) = subject.desk().claim(&run)?;
        keep(&mut journal, n)?;
        drop(journal);
        same("who drives it then", &held(&subject.desk(), &run)?, &Held::Free)?;
    }
    Ok(())
}

/// A holder that was presumed dead and ends later frees nobody else's run.
pub fn a_late_goodbye_does_not_free_the_next_holder<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let (old, _) = subject.desk().claim(&run)?;
    subject.presume_dead(&run);
    let (mut new, _) = subject.desk().claim(&run)?;
    drop(old);
    same("who drives it", &held(&subject.desk(), &run)?, &Held::Driven)?;
    keep(&mut new, 1)?;
    Ok(())
}

/// Whoever drives now is asked; whoever drives next is not.
pub fn a_request_to_stop_reaches_only_the_current_holder<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    let (run, other) = (open(&desk, "T-001.1")?, open(&desk, "T-002.1")?);
    same("whether a free run could be asked", &desk.ask_to_stop(&run)?, &false)?;
    let (first, _) = subject.desk().claim(&run)?;
    let (elsewhere, _) = subject.desk().claim(&other)?;
    same("what the first hears before", &S::stop_requested(&first)?, &false)?;
    same("whether it could be asked", &desk.ask_to_stop(&run)?, &true)?;
    same("what the first hears", &S::stop_requested(&first)?, &true)?;
    same("what another run hears", &S::stop_requested(&elsewhere)?, &false)?;
    drop(first);
    let (second, _) = subject.desk().claim(&run)?;
    same("what the second hears", &S::stop_requested(&second)?, &false)?;
    drop(second);
    same("whether it could be asked then", &desk.ask_to_stop(&run)?, &false)?;
    let (third, _) = subject.desk().claim(&run)?;
    same("what the third hears", &S::stop_requested(&third)?, &false)?;
    same("whether the third could be asked", &desk.ask_to_stop(&run)?, &true)?;
    same("what the third hears then", &S::stop_requested(&third)?, &true)
}
