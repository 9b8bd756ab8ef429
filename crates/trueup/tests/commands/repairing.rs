//! A journal that is damaged says so, and is made whole as far as it is proved.

use std::{fs, path::PathBuf};
use trueup_testkit::household::Household;

/// Two tasks that were verified, the one after the other.
fn two_runs() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let text = fs::read_to_string(household.checkout().join("tasks/T-001.md")).expect("a task");
    household.task("T-002", &text.replace("T-001", "T-002"));
    household.commit("Another task");
    for task in ["T-001", "T-002"] {
        let run = household.trueup(&["run", task]);
        assert_eq!(run.code, 0, "{run:#?}");
    }
    household
}

fn journal(household: &Household) -> PathBuf {
    household.state().join("journal.db")
}

/// The journal after this was done to its bytes, and what `doctor --repair` did.
fn repaired(damage: impl FnOnce(&mut Vec<u8>)) -> (Household, serde_json::Value) {
    let household = two_runs();
    let mut bytes = fs::read(journal(&household)).expect("the journal");
    damage(&mut bytes);
    fs::write(journal(&household), &bytes).expect("damaged");
    let seen = household.trueup(&["doctor"]);
    assert!(
        seen.stdout
            .lines()
            .any(|line| line.contains("\u{2717} journal") && line.contains("--repair")),
        "{seen:#?}"
    );
    let told = household.trueup(&["show", "T-002"]);
    assert_ne!(told.code, 0, "{told:#?}");
    assert!(told.stderr.contains("damaged"), "{told:#?}");
    assert!(told.stderr.contains("\n  trueup doctor --repair"), "{told:#?}");
    let done = household.json(&["doctor", "--repair", "--json"]);
    let kept = done["repaired"]["kept"].as_str().expect("where it is kept");
    assert_eq!(
        fs::read(kept).expect("the damaged file"),
        bytes,
        "not a byte of it is lost"
    );
    let again = household.trueup(&["doctor", "--repair"]);
    assert!(again.stdout.contains("nothing to repair"), "{again:#?}");
    (household, done)
}

/// Where the last of these words stands.
fn last(bytes: &[u8], word: &[u8]) -> usize {
    let mut places = bytes.windows(word.len());
    places.rposition(|window| window == word).expect("the word")
}

#[test]
fn of_a_run_with_a_changed_event_all_before_it_is_kept_and_others_are_whole() {
    let (household, done) = repaired(|bytes| {
        let at = last(bytes, br#""type":"committed""#);
        bytes[at + 9] = b'x';
    });
    assert_eq!(done["repaired"]["cut"], serde_json::json!(["T-002.1"]), "{done}");
    assert_eq!(household.show("T-001")["outcome"], "verified");
    assert_ne!(household.show("T-002")["outcome"], "verified");
    let resumed = household.trueup(&["resume", "T-002"]);
    assert_eq!(resumed.code, 0, "{resumed:#?}");
    assert_eq!(household.show("T-002")["outcome"], "verified");
}

#[test]
fn an_empty_journal_is_not_one_of_a_repository_that_never_ran_anything() {
    let (household, done) = repaired(Vec::clear);
    assert_eq!(done["repaired"]["runs"], serde_json::json!([]), "{done}");
    let lost = fs::read_dir(household.state().join("lost")).expect("a folder").count();
    assert_eq!(lost, 2, "what they left is out of the way, and kept");
    let again = household.trueup(&["run", "T-001"]);
    assert!(
        again.stderr.contains("turn 1/"),
        "nothing is taken from the lost run: {again:#?}"
    );
}

/// How much SQLite writes at a time.
const PAGE: usize = 4096;

#[test]
fn a_journal_that_was_cut_off_gives_what_is_left() {
    let (household, done) = repaired(|bytes| bytes.truncate(bytes.len() - PAGE));
    let count = |name: &str| done["repaired"][name].as_array().map_or(0, Vec::len);
    assert!(count("cut") > 0 && count("runs") > 0, "{done}");
    let status = household.trueup(&["status"]);
    assert_eq!(status.code, 0, "{status:#?}");
}

#[test]
fn what_is_no_journal_at_all_is_kept_aside() {
    let (household, done) = repaired(|bytes| bytes.fill(b'#'));
    assert_eq!(done["repaired"]["runs"], serde_json::json!([]), "{done}");
    assert_eq!(household.trueup(&["status"]).code, 0);
}

#[test]
fn a_task_whose_last_run_is_missing_is_told_by_status_too() {
    let household = two_runs();
    let file = rusqlite::Connection::open(journal(&household)).expect("the journal");
    let lost = file.execute("DELETE FROM runs WHERE run = 'T-002.1'", []);
    assert_eq!(lost, Ok(1));
    drop(file);
    let status = household.trueup(&["status"]);
    let said = "error: the journal is damaged: the last run of T-002 is missing\n  trueup doctor --repair\n";
    assert_eq!((status.code, status.stderr.as_str()), (1, said), "{status:#?}");
    let done = household.json(&["doctor", "--repair", "--json"]);
    assert_eq!(done["repaired"]["cut"], serde_json::json!(["T-002.1"]), "{done}");
    assert_eq!(
        household.show("T-002")["outcome"],
        "verified",
        "its events were all there"
    );
}
