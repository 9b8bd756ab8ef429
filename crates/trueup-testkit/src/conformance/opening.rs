//! Rules about which runs there are.

use super::{Found, Subject, open, resumed, same, troubled};
use crate::sample;
use trueup_core::id::RunId;
use trueup_engine::durable::{Desk, DeskError};

/// A run is opened once.
pub fn opening_twice_is_refused<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1")?;
    let refused = subject.desk().open(&run, &sample::opened("T-001.1"));
    ensure!(
        matches!(&refused, Err(DeskError::Exists(named)) if *named == run),
        "opening it again gave {refused:?}"
    );
    same("the runs", &subject.desk().runs()?.len(), &1)?;
    same("the history", &subject.desk().history(&run)?.len(), &1)
}

/// A journal begins with the opening of its own run.
pub fn only_an_opening_of_that_run_opens_it<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = RunId::new("T-001.1");
    for event in [sample::opened("T-002.1"), troubled(1)] {
        let refused = subject.desk().open(&run, &event);
        ensure!(refused.is_err(), "the run was opened by {event:?}");
    }
    same("the runs", &subject.desk().runs()?, &Vec::new())
}

/// Every question about a run that does not exist says so.
pub fn an_unknown_run_is_refused<S: Subject>() -> Found {
    let subject = S::fresh();
    let (desk, run) = (subject.desk(), RunId::new("T-404.1"));
    open(&desk, "T-001.1")?;
    let unknown = |asked: &str, answer: Result<(), DeskError>| {
        let right = matches!(&answer, Err(DeskError::Unknown(named)) if *named == run);
        ensure!(right, "{asked} gave {answer:?}");
        Found::Ok(())
    };
    unknown("claim", desk.claim(&run).map(drop))?;
    unknown("post", desk.post(&run, &resumed(1)))?;
    unknown("ask_to_stop", desk.ask_to_stop(&run).map(drop))?;
    unknown("history", desk.history(&run).map(drop))
}

/// However many runs there are, they are listed in the order they were opened.
pub fn runs_are_listed_oldest_first<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    // Counted down, so that no order of names looks like the order of time.
    let names: Vec<String> = (0..200).rev().map(|n| format!("T-{n}.1")).collect();
    for name in &names {
        open(&desk, name)?;
    }
    let listed = subject.desk().runs()?;
    let runs: Vec<&str> = listed.iter().map(|entry| entry.run.as_str()).collect();
    same("the runs", &runs, &names.iter().map(String::as_str).collect())?;
    let tasks: Vec<String> = listed.iter().map(|entry| format!("{}.1", entry.task)).collect();
    same("their tasks", &tasks, &names)
}
