//! What a list shows of a run is what its events say, whatever lies beside them.

use crate::disk::{self, history, keep_sample, open, root};
use rusqlite::Connection;
use trueup_core::{id::RunId, report::Headline, run::Run};
use trueup_engine::{
    durable::{Filter, sqlite::Sqlite},
    state::StateRoot,
};
use trueup_testkit::sample;

/// The headline a run's events make.
fn folded(desk: &Sqlite, run: &str) -> Headline {
    let events = history(desk, &RunId::new(run)).unwrap();
    Headline::of_run(&Run::replay(&events).unwrap())
}

fn listed(desk: &Sqlite) -> Vec<(String, Headline)> {
    let latest = disk::listed(desk, Filter::LastOfEachTask).unwrap().into_iter();
    latest.map(|run| (run.run.to_string(), run.headline)).collect()
}

/// Two runs of one task and one of another.
fn three_runs(root: &StateRoot) -> Sqlite {
    let desk = Sqlite::open(root).unwrap();
    keep_sample(&desk, "T-002.1");
    keep_sample(&desk, "T-001.1");
    let opened = RunId::new("T-001.2");
    open(&desk, &opened, &sample::opened("T-001.2")).unwrap();
    desk
}

#[test]
fn the_last_run_of_each_task_is_listed_as_its_events_say() {
    let (_folder, root) = root();
    let desk = three_runs(&root);
    let expected = ["T-001.2", "T-002.1"].map(|run| (run.to_owned(), folded(&desk, run)));
    assert_eq!(listed(&desk), expected);
}

#[test]
fn a_headline_that_was_changed_moved_or_left_behind_is_not_believed() {
    let (_folder, root) = root();
    let desk = three_runs(&root);
    let truth = listed(&desk);
    let changes = [
        "UPDATE runs SET headline = replace(headline, 'Greet', 'Meet')",
        "UPDATE runs SET headline = (SELECT headline FROM runs WHERE run = 'T-002.1')",
        "UPDATE runs SET headline = (SELECT headline FROM runs WHERE run = 'T-002.1'),
                         headline_seal = (SELECT headline_seal FROM runs WHERE run = 'T-002.1')",
        "UPDATE runs SET headline = NULL",
        "UPDATE runs SET headline = 'nonsense', headline_seal = 'nonsense'",
        "UPDATE runs SET headline_seal = NULL",
    ];
    let hand = Connection::open(root.journal()).unwrap();
    for change in changes {
        assert!(hand.execute(change, []).unwrap() > 0);
        assert_eq!(listed(&desk), truth, "{change}");
    }
}

#[test]
fn a_journal_of_the_first_version_is_lifted_and_listed() {
    let (_folder, root) = root();
    let truth = listed(&three_runs(&root));
    let hand = Connection::open(root.journal()).unwrap();
    hand.execute_batch(
        "DROP TABLE tasks; DROP INDEX unfinished_runs; DROP INDEX waiting_runs; DROP INDEX waiting_mail;
         DROP INDEX one_letter_per_request; ALTER TABLE mail DROP COLUMN request;
         ALTER TABLE runs DROP COLUMN request; ALTER TABLE runs DROP COLUMN stop_request;
         ALTER TABLE runs DROP COLUMN waits_for; ALTER TABLE runs DROP COLUMN due;
         ALTER TABLE runs DROP COLUMN headline; ALTER TABLE runs DROP COLUMN headline_seal; PRAGMA user_version = 1",
    )
    .unwrap();
    drop(hand);
    assert_eq!(listed(&Sqlite::open(&root).unwrap()), truth);
}
