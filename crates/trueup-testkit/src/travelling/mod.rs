//! What every travelling port must do, wherever it keeps its things.
//!
//! Each rule is a function of its own and answers what it saw broken, so that
//! a deliberately broken store can be held against it.
//! [`travelling!`](crate::travelling!) makes a test of every rule of a port.

pub mod blobs;
pub mod memo;
pub mod sessions;
pub mod spool;
pub mod trees;

use crate::conformance::Found;
use std::{fmt::Debug, sync::Arc, thread};

/// A rule: its name, and how it is put to the test.
pub type PortRule = (&'static str, fn() -> Found);

/// Where a port keeps its things.
pub trait PortSubject {
    /// The port.
    type Port: ?Sized + Send + Sync;

    /// A place where nothing was ever kept.
    fn fresh() -> Self;

    /// The port to it, as another process would open it.
    fn open(&self) -> Arc<Self::Port>;
}

/// A fresh place, which lives as long as it is held, and the port to it.
fn fresh<S: PortSubject>() -> (S, Arc<S::Port>) {
    let store = S::fresh();
    let port = store.open();
    (store, port)
}

/// Hands the names of a port's rules to another macro; the one list of them.
#[doc(hidden)]
#[macro_export]
macro_rules! travelling_rules {
    (blobs, $then:ident, $($with:tt)+) => {
        $crate::$then! { $($with)+; blobs;
            what_was_put_comes_back_byte_for_byte,
            a_body_that_was_never_put_is_not_found,
            putting_twice_is_putting_once,
            bodies_survive_a_reopen,
            bodies_put_at_once_all_come_back,
        }
    };
    (spool, $then:ident, $($with:tt)+) => {
        $crate::$then! { $($with)+; spool;
            a_record_comes_back_as_it_was_written,
            a_later_record_replaces_the_earlier_one,
            a_removed_record_is_gone_and_removing_nothing_is_fine,
            records_survive_a_reopen,
        }
    };
    (memo, $then:ident, $($with:tt)+) => {
        $crate::$then! { $($with)+; memo;
            answers_add_up,
            of_those_who_add_at_once_nobody_is_lost,
            what_was_seen_standing_stands_for_its_rules_alone,
            a_memo_survives_a_reopen,
        }
    };
    (sessions, $then:ident, $($with:tt)+) => {
        $crate::$then! { $($with)+; sessions;
            a_conversation_comes_back_as_it_was_kept,
            a_later_turn_leaves_the_conversation_of_an_earlier_one_as_it_was,
            a_conversation_that_is_kept_again_is_the_newer_one_whole,
            an_agent_may_give_its_session_any_name,
            conversations_survive_a_reopen,
        }
    };
    (trees, $then:ident, $($with:tt)+) => {
        $crate::$then! { $($with)+; trees;
            what_was_taken_in_is_carried_out_whole,
            taking_in_twice_changes_nothing,
            what_is_carried_of_one_run_is_nothing_of_another,
            a_ref_that_stands_elsewhere_is_not_overwritten,
            a_ref_moves_only_from_where_it_is_thought_to_be,
            of_those_who_move_a_ref_from_one_place_one_does,
            refs_that_are_not_the_runs_own_are_refused,
            trees_survive_a_reopen,
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! listed_travelling_rules {
    ($store:ty; $port:ident; $($rule:ident,)+) => {
        vec![$((stringify!($rule), $rule::<$store> as fn() -> $crate::conformance::Found)),+]
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! tested_travelling_rules {
    ($store:ty; $port:ident; $($rule:ident,)+) => {
        $(#[test]
        fn $rule() -> $crate::conformance::Found {
            $crate::travelling::$port::$rule::<$store>()
        })+
    };
}

/// Makes a test of every rule of a port, in a module of that name.
#[macro_export]
macro_rules! travelling {
    ($module:ident, $port:ident, $store:ident) => {
        mod $module {
            use super::$store;
            $crate::travelling_rules!($port, tested_travelling_rules, $store);
        }
    };
}

fn same<T: PartialEq + Debug>(what: &str, found: &T, due: &T) -> Found {
    match found == due {
        true => Ok(()),
        false => Err(format!("{what}: found {found:?}, due {due:?}").into()),
    }
}

/// Has several threads do something at once; answers what each of them got.
fn at_once<T: Send>(work: impl Fn(u8) -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|number| scope.spawn(move || work(number))).collect();
        all.into_iter().filter_map(|one| one.join().ok()).collect()
    })
}
