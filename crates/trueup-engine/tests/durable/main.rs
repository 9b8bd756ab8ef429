//! Both journals pass one conformance suite, and the suite catches every
//! journal that is broken on purpose.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot be done is the failure")]

use std::cell::Cell;
use tempfile::TempDir;
use trueup_core::id::RunId;
use trueup_engine::{
    durable::{
        memory::{self, Memory},
        sqlite::Sqlite,
    },
    state::StateRoot,
};
use trueup_testkit::{
    bad_network::{BadNetwork, FarJournal},
    conformance::{self, Subject},
};

mod damage;
mod disk;
mod headlines;
mod known_bad;
mod newer;
mod sharing;

struct InMemory(Memory);

impl Subject for InMemory {
    type Desk = Memory;

    fn fresh() -> Self {
        Self(Memory::default())
    }

    fn desk(&self) -> Memory {
        self.0.clone()
    }

    fn presume_dead(&self, run: &RunId) {
        assert!(self.0.lapse(run).is_ok());
    }

    /// Nobody hears of it, and the desk believes that somebody holds the run.
    fn lose(journal: memory::Journal) {
        std::mem::forget(journal);
    }
}

struct OnDisk {
    root: StateRoot,
    _folder: TempDir,
}

impl Subject for OnDisk {
    type Desk = Sqlite;

    fn fresh() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            root: StateRoot::open(folder.path()).unwrap(),
            _folder: folder,
        }
    }

    fn desk(&self) -> Sqlite {
        Sqlite::open(&self.root).unwrap()
    }

    /// Somebody tidied the lock away, as people do.
    fn presume_dead(&self, run: &RunId) {
        std::fs::remove_file(self.root.run(run).join("owner.lock")).unwrap();
    }
}

/// Memory behind a network that loses, delays and repeats.
struct FarAway(BadNetwork<Memory>);

thread_local! {
    /// What decides the misfortunes of the next [`FarAway`].
    static SEED: Cell<u64> = const { Cell::new(0) };
}

impl Subject for FarAway {
    type Desk = BadNetwork<Memory>;

    fn fresh() -> Self {
        Self(BadNetwork::before(Memory::default(), SEED.get()))
    }

    fn desk(&self) -> BadNetwork<Memory> {
        self.0.clone()
    }

    fn presume_dead(&self, run: &RunId) {
        assert!(self.0.desk().lapse(run).is_ok());
    }

    fn lose(journal: FarJournal<memory::Journal>) {
        std::mem::forget(journal);
    }
}

trueup_testkit::conformance!(in_memory, InMemory);
trueup_testkit::conformance!(on_disk, OnDisk);

#[test]
fn every_rule_holds_behind_a_bad_network() {
    let mut broken = Vec::new();
    for seed in 0..300 {
        SEED.set(seed);
        let found = conformance::rules::<FarAway>().into_iter();
        let found = found.filter_map(|(name, rule)| Some(format!("seed {seed}: {name}: {}", rule().err()?)));
        broken.extend(found);
    }
    assert_eq!(broken, Vec::<String>::new());
}

/// The rules a subject breaks, by name.
fn broken<S: Subject>() -> Vec<&'static str> {
    let broken = |(name, rule): conformance::Rule| rule().is_err().then_some(name);
    conformance::rules::<S>().into_iter().filter_map(broken).collect()
}

mod the_suite_catches {
    use super::{
        broken,
        known_bad::{Bad, Fault},
    };

    #[test]
    fn nothing_where_nothing_is_broken() {
        assert_eq!(broken::<Bad<{ Fault::NONE }>>(), Vec::<&str>::new());
    }

    #[test]
    fn a_journal_that_performs_what_is_kept() {
        let broken = broken::<Bad<{ Fault::PERFORMS_AGAIN }>>();
        assert!(broken.contains(&"an_effect_already_kept_is_never_performed_again"));
    }

    #[test]
    fn a_journal_that_keeps_twice() {
        let broken = broken::<Bad<{ Fault::KEEPS_TWICE }>>();
        assert!(broken.contains(&"kept_events_come_back_in_order"));
    }

    #[test]
    fn a_journal_that_ignores_the_epoch() {
        let broken = broken::<Bad<{ Fault::IGNORES_THE_EPOCH }>>();
        assert!(broken.contains(&"a_fenced_journal_keeps_nothing"));
        assert!(broken.contains(&"a_fenced_journal_receives_nothing"));
    }

    #[test]
    fn a_journal_that_receives_twice() {
        let broken = broken::<Bad<{ Fault::RECEIVES_TWICE }>>();
        assert!(broken.contains(&"a_signal_is_received_exactly_once"));
    }

    #[test]
    fn a_desk_that_hands_out_twice() {
        let broken = broken::<Bad<{ Fault::HANDS_OUT_TWICE }>>();
        assert!(broken.contains(&"a_claim_is_refused_while_the_run_is_held"));
    }

    #[test]
    fn a_desk_that_opens_twice() {
        let broken = broken::<Bad<{ Fault::OPENS_TWICE }>>();
        assert!(broken.contains(&"opening_twice_is_refused"));
    }

    #[test]
    fn a_desk_that_lists_by_name() {
        let broken = broken::<Bad<{ Fault::LISTS_BY_NAME }>>();
        assert!(broken.contains(&"every_run_is_on_one_page_the_newest_first"));
    }

    #[test]
    fn a_desk_that_loses_a_run_between_two_pages() {
        let broken = broken::<Bad<{ Fault::SKIPS_BETWEEN_PAGES }>>();
        assert!(broken.contains(&"every_run_is_on_one_page_the_newest_first"));
        assert!(broken.contains(&"the_last_run_of_each_task_is_listed_by_task"));
    }

    #[test]
    fn a_desk_that_forgets_who_asked() {
        let broken = broken::<Bad<{ Fault::FORGETS_REQUESTS }>>();
        assert!(broken.contains(&"what_is_asked_again_is_done_once"));
        assert!(broken.contains(&"a_claim_whose_answer_was_lost_is_claimed_again"));
    }

    #[test]
    fn a_journal_that_does_not_look_behind_what_is_known() {
        let broken = broken::<Bad<{ Fault::IGNORES_WHAT_IS_KNOWN }>>();
        assert_eq!(broken, ["a_signal_whose_answer_was_lost_is_answered_again"]);
    }

    #[test]
    fn a_desk_that_offers_what_is_driven() {
        let broken = broken::<Bad<{ Fault::OFFERS_WHAT_IS_DRIVEN }>>();
        assert_eq!(broken, ["a_run_is_ready_when_it_can_be_driven_on"]);
    }

    #[test]
    fn a_request_to_stop_that_outlives_its_holder() {
        let broken = broken::<Bad<{ Fault::STOPS_FOR_EVER }>>();
        assert!(broken.contains(&"a_request_to_stop_reaches_only_the_current_holder"));
    }

    #[test]
    fn a_journal_that_loses_its_last_event() {
        let broken = broken::<Bad<{ Fault::FORGETS_THE_LAST }>>();
        assert!(broken.contains(&"history_is_what_was_kept"));
    }
}
