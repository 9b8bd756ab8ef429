//! A row that is not what was kept is noticed, and named.

use crate::disk::{claim, history, keep_sample, listed, root};
use rusqlite::Connection;
use std::fs;
use trueup_core::id::RunId;
use trueup_engine::{
    durable::{
        DeskError, Filter,
        sqlite::{Sqlite, is_whole, repair},
    },
    state::StateRoot,
};

/// The seq at which the journal is said to be damaged, by reader and claimer.
fn damaged_at(root: &StateRoot, run: &RunId) -> Result<u64, String> {
    let desk = Sqlite::open(root).unwrap();
    let at = |answer: Result<(), DeskError>| match answer {
        Err(DeskError::Damaged { seq, .. }) => Ok(seq),
        other => Err(format!("{other:?}")),
    };
    let (read, claimed) = (at(history(&desk, run).map(drop))?, at(claim(&desk, run).map(drop))?);
    assert_eq!(read, claimed);
    Ok(read)
}

/// Breaks a journal with a statement, asks where it is broken, mends it again.
fn damage(root: &StateRoot, run: &RunId, statements: &str) -> Result<u64, String> {
    let whole = fs::read(root.journal()).unwrap();
    Connection::open(root.journal())
        .unwrap()
        .execute_batch(statements)
        .unwrap();
    assert_ne!(fs::read(root.journal()).unwrap(), whole, "{statements} changed nothing");
    let found = damaged_at(root, run);
    fs::write(root.journal(), whole).unwrap();
    found
}

#[test]
fn a_change_to_any_column_of_any_row_is_seen_at_that_row() {
    let (_folder, root) = root();
    let run = keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    let changes = [
        "run = 'T-002.1'",
        "seq = seq + 1000",
        "epoch = epoch + 1",
        "effect = coalesce(effect, '') || 'x'",
        "effect = CASE WHEN effect IS NULL THEN '' END",
        "v = v + 1",
        "body = replace(body, '0', '1')",
        "prev = replace(prev, substr(prev, 1, 1), 'z')",
        "hash = replace(hash, substr(hash, 1, 1), 'z')",
    ];
    for seq in 1..=8 {
        for change in changes {
            let statement = format!("UPDATE events SET {change} WHERE seq = {seq}");
            assert_eq!(damage(&root, &run, &statement), Ok(seq), "{statement}");
        }
    }
    assert_eq!(history(&Sqlite::open(&root).unwrap(), &run).unwrap().len(), 8);
}

#[test]
fn a_missing_or_moved_or_added_row_is_seen() {
    let (_folder, root) = root();
    let run = keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    for seq in 1..=8 {
        let statement = format!("DELETE FROM events WHERE seq = {seq}");
        assert_eq!(damage(&root, &run, &statement), Ok(seq), "{statement}");
        let others = (seq + 1..=8).map(|other| (seq, other));
        for (one, other) in others {
            let swap = format!(
                "UPDATE events SET seq = -1 WHERE seq = {one};
                 UPDATE events SET seq = {one} WHERE seq = {other};
                 UPDATE events SET seq = {other} WHERE seq = -1;"
            );
            assert_eq!(damage(&root, &run, &swap), Ok(one), "{swap}");
        }
    }
    let added = "INSERT INTO events SELECT run, 9, epoch, 'x', v, body, hash, hash FROM events WHERE seq = 8";
    assert_eq!(damage(&root, &run, added), Ok(9));
    assert_eq!(damage(&root, &run, "DELETE FROM events"), Ok(1));
}

#[test]
fn a_change_to_the_run_itself_is_seen() {
    let (_folder, root) = root();
    let run = keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    let changes = [
        ("task = 'T-002'", 1),
        ("epoch = 0", 2),
        ("length = 5", 6),
        ("length = 9", 9),
        ("head = 'x'", 9),
    ];
    for (change, seq) in changes {
        assert_eq!(
            damage(&root, &run, &format!("UPDATE runs SET {change}")),
            Ok(seq),
            "{change}"
        );
    }
}

#[test]
fn a_list_shows_no_row_that_its_events_contradict() {
    let (_folder, root) = root();
    keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    let kept = || listed(&Sqlite::open(&root).unwrap(), Filter::LastOfEachTask);
    let truth = kept().unwrap();
    let whole = fs::read(root.journal()).unwrap();
    for statement in [
        "UPDATE runs SET run = 'T-001.2'",
        "UPDATE runs SET task = 'T-002'; UPDATE tasks SET task = 'T-002'",
        "UPDATE runs SET length = 5",
        "UPDATE runs SET head = 'x'",
        "UPDATE runs SET epoch = 0",
        "UPDATE tasks SET task = 'T-002'",
        "UPDATE tasks SET last = 7",
        "DELETE FROM runs",
    ] {
        Connection::open(root.journal())
            .unwrap()
            .execute_batch(statement)
            .unwrap();
        let said = kept();
        assert!(
            matches!(said, Err(DeskError::Damaged { .. } | DeskError::Unreadable(_))),
            "{statement}: {said:?}"
        );
        assert!(!is_whole(&root).unwrap(), "{statement}");
        assert!(repair(&root).unwrap().is_some(), "{statement}");
        assert_eq!(kept().unwrap(), truth, "{statement}");
        fs::write(root.journal(), &whole).unwrap();
    }
}
