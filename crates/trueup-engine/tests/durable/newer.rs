//! What a newer trueup has written is refused, and left as it is.

use crate::disk::{claim, files, history, keep, keep_sample, open, root};
use rusqlite::Connection;
use std::fs;
use trueup_core::{digest::Digest, event::VERSION, id::RunId};
use trueup_engine::{
    durable::{DeskError, sqlite::Sqlite},
    state::StateRoot,
};
use trueup_testkit::sample;

#[test]
fn a_newer_file_is_refused_and_no_byte_is_written() {
    let (_folder, root) = root();
    keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    let newer = Connection::open(root.journal()).unwrap();
    newer.pragma_update(None, "user_version", 4).unwrap();
    drop(newer);
    let before = files(&root);
    assert_eq!(before.len(), 1);
    let refused = Sqlite::open(&root).unwrap_err();
    assert!(matches!(refused, DeskError::Newer { found: 4, known: 3 }));
    assert_eq!(files(&root), before);
}

#[test]
fn a_newer_file_is_refused_even_if_only_its_log_says_so() {
    let (_folder, root) = root();
    keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    let crashed = StateRoot::open(&root.path().join("crashed")).unwrap();
    let newer = Connection::open(root.journal()).unwrap();
    newer.pragma_update(None, "user_version", 4).unwrap();
    // As a crash leaves it: the log is there, and nobody has tidied it.
    for name in ["journal.db", "journal.db-wal"] {
        fs::copy(root.path().join(name), crashed.path().join(name)).unwrap();
    }
    let before = files(&crashed);
    assert!(matches!(Sqlite::open(&crashed), Err(DeskError::Newer { found: 4, .. })));
    let mut after = files(&crashed);
    // The index of the log is no part of the journal; any reader rebuilds it.
    after.retain(|(name, _)| !name.ends_with("-shm"));
    assert!(after == before);
}

#[test]
fn a_file_that_becomes_newer_under_our_hands_is_written_no_more() {
    let (_folder, root) = root();
    let desk = Sqlite::open(&root).unwrap();
    let run = RunId::new("T-001.1");
    open(&desk, &run, &sample::opened("T-001.1")).unwrap();
    let mut journal = claim(&desk, &run).unwrap().journal;
    let newer = Connection::open(root.journal()).unwrap();
    newer.pragma_update(None, "user_version", 4).unwrap();
    let lost = keep(&mut journal, "effect-1", &sample::troubled("x", sample::at(1))).unwrap_err();
    assert!(lost.to_string().contains("a newer trueup"), "{lost}");
    assert_eq!(history(&desk, &run).unwrap().len(), 1);
}

#[test]
fn a_newer_event_is_refused_and_no_byte_is_written() {
    let (_folder, root) = root();
    let run = keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    keep_sample(&Sqlite::open(&root).unwrap(), "T-002.1");
    append_newer(&root, &run);
    let before = files(&root);
    let desk = Sqlite::open(&root).unwrap();
    for refused in [history(&desk, &run).map(drop), claim(&desk, &run).map(drop)] {
        assert!(matches!(refused, Err(DeskError::Newer { found, .. }) if found == VERSION + 1));
    }
    assert_eq!(history(&desk, &RunId::new("T-002.1")).unwrap().len(), 8);
    drop(desk);
    assert!(files(&root) == before);
}

/// What a newer trueup would append, hashed by the rule of this version.
fn append_newer(root: &StateRoot, run: &RunId) {
    let newer = Connection::open(root.journal()).unwrap();
    let (epoch, prev): (i64, String) = newer
        .query_row("SELECT epoch, head FROM runs WHERE run = ?1", [run.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    let body = r#"{"type":"unheard_of"}"#;
    let fields: [&[u8]; 7] = [
        prev.as_bytes(),
        run.as_str().as_bytes(),
        &9_i64.to_be_bytes(),
        &epoch.to_be_bytes(),
        b"=new",
        &(VERSION + 1).to_be_bytes(),
        body.as_bytes(),
    ];
    let hash = Digest::of_fields(fields);
    newer
        .execute(
            "INSERT INTO events VALUES (?1, 9, ?2, 'new', ?3, ?4, ?5, ?6)",
            rusqlite::params![run.as_str(), epoch, VERSION + 1, body, prev, hash.as_str()],
        )
        .unwrap();
    newer
        .execute(
            "UPDATE runs SET length = 9, head = ?2 WHERE run = ?1",
            [run.as_str(), hash.as_str()],
        )
        .unwrap();
}

#[test]
fn a_state_root_may_have_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let root = StateRoot::open(&folder.path().join("50% of #1, why? ä")).unwrap();
    keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    Connection::open(root.journal())
        .unwrap()
        .pragma_update(None, "user_version", 4)
        .unwrap();
    let before = files(&root);
    assert!(matches!(Sqlite::open(&root), Err(DeskError::Newer { .. })));
    assert!(files(&root) == before);
}
