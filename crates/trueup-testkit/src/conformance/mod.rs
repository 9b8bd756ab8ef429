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
use trueup_engine::durable::{
    Claimed, Desk, DeskError, Durable, Hold, Lease, Lost, Query, Received, Renewed, Request, RunPage,
};

/// What a rule found: nothing, or what is broken.
pub type Found = Result<(), Box<dyn Error>>;

/// A rule: its name, and how it is put to the test.
pub type Rule = (&'static str, fn() -> Found);

/// The journal a subject's desk hands out.
pub type JournalOf<S> = <<S as Subject>::Desk as Desk>::Journal;

/// What a subject's desk hands out.
type ClaimedOf<S> = Claimed<JournalOf<S>>;

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

    /// Loses the answer to a claim on its way to whoever asked.
    fn lose(journal: JournalOf<Self>) {
        drop(journal);
    }
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
            a_fact_of_the_driver_is_kept_once,
            history_from_a_position_is_the_rest,
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
            a_signal_whose_answer_was_lost_is_answered_again,
            only_signals_can_be_posted,
            opening_twice_is_refused,
            only_an_opening_of_that_run_opens_it,
            an_unknown_run_is_refused,
            what_is_asked_again_is_done_once,
            every_run_is_on_one_page_the_newest_first,
            the_last_run_of_each_task_is_listed_by_task,
            only_unfinished_runs_are_listed_as_such,
            a_task_knows_its_runs,
            a_run_is_ready_when_it_can_be_driven_on,
            a_claim_whose_answer_was_lost_is_claimed_again,
            a_request_to_stop_reaches_only_the_current_holder,
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! listed_rules {
    ($subject:ty; $($rule:ident,)+) => { vec![$((stringify!($rule), (|| wait($rule::<$subject>())?) as fn() -> Found)),+] };
}

#[doc(hidden)]
#[macro_export]
macro_rules! tested_rules {
    ($subject:ty; $($rule:ident,)+) => {
        $(#[test]
        fn $rule() -> $crate::conformance::Found {
            $crate::conformance::wait($crate::conformance::$rule::<$subject>())?
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

/// How often something is asked again that got no answer.
const TRIES: u32 = 1000;

/// Asks, as often as it takes to get an answer: the same request each time.
async fn asked<T, E, F>(ask: impl AsyncFnMut() -> Result<T, E>, is_silence: F) -> Result<T, E>
where
    F: Fn(&E) -> bool,
{
    let mut ask = ask;
    for _ in 0..TRIES {
        match ask().await {
            Err(error) if is_silence(&error) => {}
            answer => return answer,
        }
    }
    ask().await
}

async fn of_desk<T>(ask: impl AsyncFnMut() -> Result<T, DeskError>) -> Result<T, DeskError> {
    asked(ask, |error| matches!(error, DeskError::Unreachable(_))).await
}

async fn of_journal<T>(ask: impl AsyncFnMut() -> Result<T, Lost>) -> Result<T, Lost> {
    asked(ask, |error| matches!(error, Lost::Unreachable(_))).await
}

async fn open(desk: &impl Desk, name: &str) -> Result<RunId, DeskError> {
    let (run, request) = (RunId::new(name), Request::fresh());
    let opened = sample::opened(name);
    of_desk(async || desk.open(&request, &run, &opened).await).await?;
    Ok(run)
}

async fn claim<D: Desk>(desk: &D, run: &RunId) -> Result<Claimed<D::Journal>, DeskError> {
    let request = Request::fresh();
    of_desk(async || desk.claim(&request, run).await).await
}

async fn post(desk: &impl Desk, run: &RunId, event: &Event) -> Result<(), DeskError> {
    let request = Request::fresh();
    of_desk(async || desk.post(&request, run, event).await).await
}

async fn ask_to_stop(desk: &impl Desk, run: &RunId) -> Result<Hold, DeskError> {
    let request = Request::fresh();
    of_desk(async || desk.ask_to_stop(&request, run).await).await
}

async fn renew(desk: &impl Desk, lease: &Lease) -> Result<Renewed, Lost> {
    of_journal(async || desk.renew(lease).await).await
}

async fn history(desk: &impl Desk, run: &RunId) -> Result<Vec<Event>, DeskError> {
    of_desk(async || desk.history(run, 0).await).await
}

async fn hold(desk: &impl Desk, run: &RunId) -> Result<Hold, DeskError> {
    of_desk(async || desk.hold(run).await).await
}

async fn page(desk: &impl Desk, query: &Query) -> Result<RunPage, DeskError> {
    of_desk(async || desk.headlines(query).await).await
}

/// Keeps the n-th event under an effect of its own.
async fn keep(journal: &mut impl Durable, n: i64) -> Result<Event, Lost> {
    record(journal, &format!("effect-{n}"), || troubled(n)).await
}

async fn record(journal: &mut impl Durable, effect: &str, perform: impl Fn() -> Event + Sync) -> Result<Event, Lost> {
    let effect = sample::effect(effect);
    of_journal(async || journal.record(&effect, async { perform() }).await).await
}

async fn receive(journal: &mut impl Durable, known: u64) -> Result<Received, Lost> {
    of_journal(async || journal.receive(&Signal::Resume, known).await).await
}

/// Carries a rule out.
pub fn wait<T>(future: impl Future<Output = T>) -> std::io::Result<T> {
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
