//! What every journal and desk must do, whatever they keep their rows in.
//!
//! Each rule is a function of its own and answers what it saw broken, so that
//! a deliberately broken subject can be held against it.
//! [`conformance!`](crate::conformance!) makes a test of every rule.

/// Ends a rule that is broken, saying how.
macro_rules! ensure {
    ($holds:expr, $($broken:tt)+) => {
        if !$holds {
            return Err(format!($($broken)+).into());
        }
    };
}

mod keeping;
mod mailing;
mod opening;
mod owning;

pub use keeping::*;
pub use mailing::*;
pub use opening::*;
pub use owning::*;

use crate::sample;
use std::{error::Error, fmt::Debug};
use trueup_core::{
    event::{Event, Signal},
    id::RunId,
};
use trueup_engine::durable::{Desk, DeskError, Durable, Held, Lost, Received};

/// What a rule found: nothing, or what is broken.
pub type Found = Result<(), Box<dyn Error>>;

/// A rule: its name, and how it is put to the test.
pub type Rule = (&'static str, fn() -> Found);

/// The journal a subject's desk hands out.
pub type JournalOf<S> = <<S as Subject>::Desk as Desk>::Journal;

/// Something that keeps journals, put to the test.
pub trait Subject: Sized {
    /// The desk under test.
    type Desk: Desk;

    /// A place where nothing was ever kept.
    fn fresh() -> Self;

    /// Its desk, as another process would open it.
    fn desk(&self) -> Self::Desk;

    /// Lets the desk believe that the holder of a run is dead, though it lives
    /// on: the case for which epochs exist.
    fn presume_dead(&self, run: &RunId);

    /// Whether the holder of this journal was asked to stop.
    fn stop_requested(journal: &JournalOf<Self>) -> Result<bool, Lost>;
}

/// Hands the name of every rule to another macro; the one list of them.
#[doc(hidden)]
#[macro_export]
macro_rules! every_rule {
    ($then:ident, $subject:ty) => {
        $crate::$then! {
            $subject;
            kept_events_come_back_in_order,
            history_is_what_was_kept,
            an_effect_already_kept_is_never_performed_again,
            what_was_kept_survives_the_holder,
            a_fenced_journal_keeps_nothing,
            a_fenced_journal_receives_nothing,
            a_claim_is_refused_while_the_run_is_held,
            a_run_is_free_again_when_its_holder_is_gone,
            a_late_goodbye_does_not_free_the_next_holder,
            a_signal_is_received_exactly_once,
            a_posted_signal_survives_until_somebody_waits_for_it,
            a_signal_that_already_waits_is_not_posted_again,
            a_moment_that_is_seen_late_is_the_one_waited_for,
            only_signals_can_be_posted,
            opening_twice_is_refused,
            only_an_opening_of_that_run_opens_it,
            an_unknown_run_is_refused,
            runs_are_listed_oldest_first,
            a_request_to_stop_reaches_only_the_current_holder,
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! listed_rules {
    ($subject:ty; $($rule:ident,)+) => { vec![$((stringify!($rule), $rule::<$subject> as fn() -> Found)),+] };
}

#[doc(hidden)]
#[macro_export]
macro_rules! tested_rules {
    ($subject:ty; $($rule:ident,)+) => {
        $(#[test]
        fn $rule() -> $crate::conformance::Found {
            $crate::conformance::$rule::<$subject>()
        })+
    };
}

/// Makes a test of every rule, in a module of that name.
#[macro_export]
macro_rules! conformance {
    ($module:ident, $subject:ident) => {
        mod $module {
            use super::$subject;
            $crate::every_rule!(tested_rules, $subject);
        }
    };
}

/// Every rule by name.
pub fn rules<S: Subject>() -> Vec<Rule> {
    every_rule!(listed_rules, S)
}

fn open(desk: &impl Desk, name: &str) -> Result<RunId, DeskError> {
    let run = RunId::new(name);
    desk.open(&run, &sample::opened(name))?;
    Ok(run)
}

fn held(desk: &impl Desk, run: &RunId) -> Result<Held, Box<dyn Error>> {
    Ok(desk.held(run)?)
}

/// Keeps the n-th event under an effect of its own.
fn keep(journal: &mut impl Durable, n: i64) -> Result<Event, Lost> {
    record(journal, &format!("effect-{n}"), || troubled(n))
}

fn record(journal: &mut impl Durable, effect: &str, perform: impl FnOnce() -> Event) -> Result<Event, Lost> {
    let effect = sample::effect(effect);
    wait(journal.record(&effect, async { perform() })).map_err(|error| Lost::Journal(error.to_string()))?
}

fn receive(journal: &mut impl Durable) -> Result<Received, Lost> {
    wait(journal.receive(&Signal::Resume)).map_err(|error| Lost::Journal(error.to_string()))?
}

fn wait<T>(future: impl Future<Output = T>) -> std::io::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    Ok(runtime.block_on(future))
}

fn troubled(n: i64) -> Event {
    sample::troubled(&format!("trouble {n}"), sample::at(n))
}

const fn resumed(n: i64) -> Event {
    sample::resumed(sample::at(n))
}

const fn came(n: i64) -> Received {
    Received::Event(resumed(n))
}

fn fenced<T: Debug>(answer: Result<T, Lost>) -> Found {
    ensure!(
        matches!(answer, Err(Lost::Fenced)),
        "whoever lost the run got {answer:?}"
    );
    Ok(())
}

fn same<T: PartialEq + Debug>(what: &str, found: &T, due: &T) -> Found {
    ensure!(found == due, "{what}: found {found:?}, due {due:?}");
    Ok(())
}
