//! Stores that are broken on purpose. The suite must catch each of them, by
//! the rule that is made for it.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};
use trueup_core::{
    digest::Digest,
    evidence::Runs,
    id::{CommitId, RunId, SessionId},
};
use trueup_engine::travel::{
    Blobs, Carried, Memo, MemoryBlobs, MemoryMemo, MemorySessions, MemorySpool, MemoryTrees, Moved, SessionFiles,
    Sessions, Spool, Trees,
};
use trueup_testkit::travelling::{self, PortRule, PortSubject};

/// Answers bytes that are not quite those that were put.
#[derive(Clone, Debug, Default)]
struct ChangesBytes(MemoryBlobs);

impl Blobs for ChangesBytes {
    fn put(&self, bytes: &[u8]) -> io::Result<Digest> {
        self.0.put(bytes)
    }

    fn get(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        let mut bytes = self.0.get(digest)?;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        Ok(bytes)
    }

    fn has(&self, digest: &Digest) -> bool {
        self.0.has(digest)
    }
}

/// Keeps everything for as long as one process lives.
#[derive(Debug, Default)]
struct ForgetsOnReopen;

/// Adds by reading and writing, with nothing that holds others off.
#[derive(Clone, Debug, Default)]
struct LosesOneOfTwo {
    answers: Arc<Mutex<BTreeMap<Digest, Runs>>>,
    rest: MemoryMemo,
}

impl Memo for LosesOneOfTwo {
    fn answers(&self, key: &Digest) -> Runs {
        self.answers.lock().unwrap().get(key).copied().unwrap_or_default()
    }

    fn add_answers(&self, key: &Digest, now: Runs) -> io::Result<()> {
        let kept = self.answers(key);
        thread::sleep(Duration::from_millis(1));
        let sum = Runs {
            green: kept.green + now.green,
            red: kept.red + now.red,
        };
        self.answers.lock().unwrap().insert(key.clone(), sum);
        Ok(())
    }

    fn standing(&self, rules: &Digest) -> Option<Vec<u8>> {
        self.rest.standing(rules)
    }

    fn keep_standing(&self, rules: &Digest, seen: &[u8]) -> io::Result<()> {
        self.rest.keep_standing(rules, seen)
    }

    fn look(&self, key: &Digest) -> Option<(Duration, Vec<u8>)> {
        self.rest.look(key)
    }

    fn keep_look(&self, key: &Digest, seen: &[u8]) -> io::Result<()> {
        self.rest.keep_look(key, seen)
    }
}

/// Hands out what was kept last, whoever asks.
#[derive(Clone, Debug, Default)]
struct HandsOutTheLatest(MemorySessions);

impl Sessions for HandsOutTheLatest {
    fn keep(&self, session: &SessionId, files: &SessionFiles) -> io::Result<()> {
        self.0.keep(session, files)?;
        self.0.keep(&SessionId::new("latest"), files)
    }

    fn get(&self, session: &SessionId) -> io::Result<Option<SessionFiles>> {
        match self.0.get(session)? {
            Some(_) => self.0.get(&SessionId::new("latest")),
            None => Ok(None),
        }
    }
}

/// Moves a ref wherever it stands.
#[derive(Clone, Debug, Default)]
struct MovesBlindly(MemoryTrees);

impl Trees for MovesBlindly {
    fn carry_out(&self, run: &RunId, known: &[CommitId]) -> io::Result<Carried> {
        self.0.carry_out(run, known)
    }

    fn take_in(&self, run: &RunId, carried: &Carried) -> io::Result<()> {
        self.0.take_in(run, carried)
    }

    fn refs(&self, run: &RunId) -> io::Result<BTreeMap<String, String>> {
        self.0.refs(run)
    }

    fn move_ref(&self, run: &RunId, name: &str, _from: Option<&str>, to: &str) -> io::Result<Moved> {
        let standing = self.0.refs(run)?.remove(name);
        self.0.move_ref(run, name, standing.as_deref(), to)
    }
}

/// Carries the refs of a run and leaves its objects behind.
#[derive(Clone, Debug, Default)]
struct LeavesObjects(MemoryTrees);

impl Trees for LeavesObjects {
    fn carry_out(&self, run: &RunId, known: &[CommitId]) -> io::Result<Carried> {
        let mut carried = self.0.carry_out(run, known)?;
        carried.packs.truncate(1);
        Ok(carried)
    }

    fn take_in(&self, run: &RunId, carried: &Carried) -> io::Result<()> {
        self.0.take_in(run, carried)
    }

    fn refs(&self, run: &RunId) -> io::Result<BTreeMap<String, String>> {
        self.0.refs(run)
    }

    fn move_ref(&self, run: &RunId, name: &str, from: Option<&str>, to: &str) -> io::Result<Moved> {
        self.0.move_ref(run, name, from, to)
    }
}

macro_rules! shared {
    ($($bad:ident: $port:ident),+ $(,)?) => {
        $(impl PortSubject for $bad {
            type Port = dyn $port;

            fn fresh() -> Self {
                Self::default()
            }

            fn open(&self) -> Arc<dyn $port> {
                Arc::new(self.clone())
            }
        })+
    };
}

shared! {
    ChangesBytes: Blobs,
    LosesOneOfTwo: Memo,
    HandsOutTheLatest: Sessions,
    MovesBlindly: Trees,
    LeavesObjects: Trees,
}

impl PortSubject for ForgetsOnReopen {
    type Port = dyn Spool;

    fn fresh() -> Self {
        Self
    }

    fn open(&self) -> Arc<dyn Spool> {
        Arc::new(MemorySpool::default())
    }
}

/// The rules that are broken, by name.
fn broken(rules: Vec<PortRule>) -> Vec<&'static str> {
    let broken = rules.into_iter().filter(|(_, rule)| rule().is_err());
    broken.map(|(name, _)| name).collect()
}

#[test]
fn a_blob_store_that_changes_bytes_is_caught() {
    assert_eq!(
        broken(travelling::blobs::rules::<ChangesBytes>()),
        ["what_was_put_comes_back_byte_for_byte"]
    );
}

#[test]
fn a_spool_that_forgets_when_it_is_opened_again_is_caught() {
    assert_eq!(
        broken(travelling::spool::rules::<ForgetsOnReopen>()),
        [
            "a_removed_record_is_gone_and_removing_nothing_is_fine",
            "records_survive_a_reopen"
        ]
    );
}

#[test]
fn a_memo_that_loses_one_of_two_who_write_at_once_is_caught() {
    assert_eq!(
        broken(travelling::memo::rules::<LosesOneOfTwo>()),
        ["of_those_who_add_at_once_nobody_is_lost"]
    );
}

#[test]
fn sessions_that_hand_out_a_later_turns_conversation_are_caught() {
    assert_eq!(
        broken(travelling::sessions::rules::<HandsOutTheLatest>()),
        ["a_later_turn_leaves_the_conversation_of_an_earlier_one_as_it_was"]
    );
}

#[test]
fn trees_that_move_a_ref_without_comparing_are_caught() {
    assert_eq!(
        broken(travelling::trees::rules::<MovesBlindly>()),
        [
            "a_ref_moves_only_from_where_it_is_thought_to_be",
            "of_those_who_move_a_ref_from_one_place_one_does"
        ]
    );
}

#[test]
fn trees_that_leave_objects_behind_are_caught() {
    assert_eq!(
        broken(travelling::trees::rules::<LeavesObjects>()),
        ["what_was_taken_in_is_carried_out_whole"]
    );
}
