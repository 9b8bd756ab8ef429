//! Outcomes that are final but not yet kept.

use super::{PortRule, PortSubject, fresh, same};
use crate::conformance::Found;
use trueup_engine::travel::Spool;

/// Every rule by name.
pub fn rules<S: PortSubject<Port = dyn Spool>>() -> Vec<PortRule> {
    crate::travelling_rules!(spool, listed_travelling_rules, S)
}

/// And shows no record of another name.
pub fn a_record_comes_back_as_it_was_written<S: PortSubject<Port = dyn Spool>>() -> Found {
    let (_store, spool) = fresh::<S>();
    same("a record that was never written", &spool.read("turn-1")?, &None)?;
    spool.write("turn-1", b"{\"one\":1}")?;
    spool.write("turn-10", b"\0\xff")?;
    same("a record", &spool.read("turn-1")?, &Some(b"{\"one\":1}".to_vec()))?;
    same("another", &spool.read("turn-10")?, &Some(b"\0\xff".to_vec()))?;
    same("a third", &spool.read("turn")?, &None)
}

/// Whole: nothing of a longer one shows behind a shorter one.
pub fn a_later_record_replaces_the_earlier_one<S: PortSubject<Port = dyn Spool>>() -> Found {
    let (_store, spool) = fresh::<S>();
    spool.write("working", b"a long record")?;
    spool.write("working", b"short")?;
    same("the record", &spool.read("working")?, &Some(b"short".to_vec()))
}

/// A redo removes what was removed before.
pub fn a_removed_record_is_gone_and_removing_nothing_is_fine<S: PortSubject<Port = dyn Spool>>() -> Found {
    let (store, spool) = fresh::<S>();
    spool.write("working", b"record")?;
    spool.write("other", b"record")?;
    spool.remove("working")?;
    spool.remove("working")?;
    same("the record", &store.open().read("working")?, &None)?;
    same("another", &store.open().read("other")?, &Some(b"record".to_vec()))
}

/// That is what they are written for.
pub fn records_survive_a_reopen<S: PortSubject<Port = dyn Spool>>() -> Found {
    let store = S::fresh();
    store.open().write("turn-1", b"record")?;
    same("a record", &store.open().read("turn-1")?, &Some(b"record".to_vec()))
}
