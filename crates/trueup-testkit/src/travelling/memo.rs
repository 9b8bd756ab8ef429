//! What is remembered beyond one run.

use super::{PortRule, PortSubject, at_once, fresh, same};
use crate::conformance::Found;
use std::{thread, time::Duration};
use trueup_core::{digest::Digest, evidence::Runs};
use trueup_engine::travel::Memo;

/// Every rule by name.
pub fn rules<S: PortSubject<Port = dyn Memo>>() -> Vec<PortRule> {
    crate::travelling_rules!(memo, listed_travelling_rules, S)
}

const fn runs(green: u32, red: u32) -> Runs {
    Runs { green, red }
}

/// Under each key for itself.
pub fn answers_add_up<S: PortSubject<Port = dyn Memo>>() -> Found {
    let (_store, memo) = fresh::<S>();
    let (key, other) = (Digest::of(b"a"), Digest::of(b"b"));
    same("what was never answered", &memo.answers(&key), &Runs::default())?;
    memo.add_answers(&key, runs(1, 0))?;
    memo.add_answers(&key, runs(0, 2))?;
    memo.add_answers(&other, runs(3, 0))?;
    same("the answers", &memo.answers(&key), &runs(1, 2))?;
    same("those of another", &memo.answers(&other), &runs(3, 0))
}

/// Two runs meet the same flaky check, and each sees another answer.
pub fn of_those_who_add_at_once_nobody_is_lost<S: PortSubject<Port = dyn Memo>>() -> Found {
    let store = S::fresh();
    let key = Digest::of(b"a");
    let ports: Vec<_> = (0..8).map(|_| store.open()).collect();
    let added = at_once(|number| {
        let port = ports.get(usize::from(number)).ok_or("no port")?;
        let one = if number % 2 == 0 { runs(1, 0) } else { runs(0, 1) };
        (0..5).try_for_each(|_| port.add_answers(&key, one).map_err(|_| "refused"))
    });
    for one in added {
        one?;
    }
    same("the answers", &store.open().answers(&key), &runs(20, 20))
}

/// A tool under other rules has not been seen to find anything.
pub fn what_was_seen_standing_stands_for_its_rules_alone<S: PortSubject<Port = dyn Memo>>() -> Found {
    let (_store, memo) = fresh::<S>();
    let (rules, others) = (Digest::of(b"rules"), Digest::of(b"others"));
    memo.keep_standing(&rules, b"red")?;
    same("what was seen", &memo.standing(&rules), &Some(b"red".to_vec()))?;
    same("under other rules", &memo.standing(&others), &None)?;
    memo.keep_standing(&rules, b"r")?;
    same("what was seen later", &memo.standing(&rules), &Some(b"r".to_vec()))?;
    same("answers of that name", &memo.answers(&rules), &Runs::default())
}

/// Of two looks the later one counts, and its age is told.
pub fn a_look_is_told_with_its_age_and_the_later_one_counts<S: PortSubject<Port = dyn Memo>>() -> Found {
    let (_store, memo) = fresh::<S>();
    let (key, other) = (Digest::of(b"a"), Digest::of(b"b"));
    same("what was never looked at", &memo.look(&key), &None)?;
    memo.keep_look(&key, b"red")?;
    memo.keep_look(&key, b"green")?;
    let (age, seen) = memo.look(&key).ok_or("the look is gone")?;
    same("the look", &seen, &b"green".to_vec())?;
    same("of another", &memo.look(&other), &None)?;
    same("young", &(age < Duration::from_secs(60)), &true)?;
    thread::sleep(Duration::from_millis(50));
    let (later, _) = memo.look(&key).ok_or("the look is gone")?;
    same("it grows older", &(later >= age + Duration::from_millis(40)), &true)
}

/// It is of use to runs that come later.
pub fn a_memo_survives_a_reopen<S: PortSubject<Port = dyn Memo>>() -> Found {
    let store = S::fresh();
    let key = Digest::of(b"a");
    store.open().add_answers(&key, runs(1, 1))?;
    store.open().keep_standing(&key, b"red")?;
    store.open().keep_look(&key, b"green")?;
    same(
        "the look",
        &store.open().look(&key).map(|(_, seen)| seen),
        &Some(b"green".to_vec()),
    )?;
    same("the answers", &store.open().answers(&key), &runs(1, 1))?;
    same("what was seen", &store.open().standing(&key), &Some(b"red".to_vec()))
}
