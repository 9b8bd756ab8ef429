//! What became of runs, as `status` and `show` tell it: merged, dropped,
//! killed, overtaken.

use std::{fs, process::Stdio, thread, time::Duration};
use trueup_testkit::household::Household;

const BRANCH: &str = "trueup/T-001";

fn verified() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 0, "{run:#?}");
    household
}

/// What `status` says of the only task, once in text and once as a document.
fn told(household: &Household) -> (String, serde_json::Value) {
    let status = household.trueup(&["status"]);
    assert_eq!(status.code, 0, "{status:#?}");
    let document = household.json(&["status", "--json"]);
    (status.stdout, document["tasks"][0]["fate"].clone())
}

#[test]
fn a_run_is_merged_once_the_branch_one_works_on_holds_its_commit() {
    let household = verified();
    let row = "T-001        verified           turn 2/20  Greet by name\n";
    assert_eq!(told(&household), (row.into(), serde_json::Value::Null));
    // Whoever looks at the branch has merged nothing.
    household.git(&["switch", "--quiet", BRANCH]);
    assert_eq!(told(&household), (row.into(), serde_json::Value::Null));
    household.git(&["switch", "--quiet", "main"]);
    household.git(&["merge", "--quiet", "--no-ff", "--no-edit", BRANCH]);
    household.git(&["branch", "--quiet", "--delete", BRANCH]);
    let row = "T-001        verified, merged   turn 2/20  Greet by name\n";
    assert_eq!(told(&household), (row.into(), "merged".into()));
    let shown = household.trueup(&["show", "T-001"]);
    assert!(
        shown.stdout.contains("\n  verified, merged · turn 2/20\n"),
        "a branch that is gone is not named: {shown:#?}"
    );
    assert_eq!(household.show("T-001")["fate"], "merged");
}

#[test]
fn a_run_is_merged_also_where_only_the_default_branch_of_the_remote_holds_it() {
    let household = verified();
    let commit = household.git(&["rev-parse", BRANCH]);
    household.git(&["update-ref", "refs/remotes/origin/main", &commit]);
    household.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    assert_eq!(told(&household).1, "merged");
}

#[test]
fn a_run_is_dropped_once_no_branch_holds_its_commit() {
    let household = verified();
    let commit = household.git(&["rev-parse", BRANCH]);
    household.git(&["branch", "--quiet", "--move", BRANCH, "feature"]);
    assert_eq!(told(&household).1, serde_json::Value::Null, "it was only renamed");
    household.git(&["branch", "--quiet", "-D", "feature"]);
    let row = "T-001        verified, dropped  turn 2/20  Greet by name\n";
    assert_eq!(told(&household), (row.into(), "dropped".into()));
    let shown = household.trueup(&["show", "T-001"]);
    let what = format!("\n  no branch holds {} any more\n", &commit[..8]);
    assert!(shown.stdout.contains(&what), "{shown:#?}");
}

#[test]
fn a_run_whose_driver_died_is_killed_and_waits_for_a_person() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent("echo begun\nsleep 60\n");
    let mut driver = household.command(&["run", "T-001"]);
    let driver = driver.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut driver = driver.expect("trueup");
    let live = household.state().join("runs/T-001.1/turn-001.live");
    while !fs::read_to_string(&live).is_ok_and(|said| said.contains("begun")) {
        assert_eq!(driver.try_wait().expect("state"), None, "it ended before its agent");
        thread::sleep(Duration::from_millis(20));
    }
    let row = "T-001        working (running)  turn 0/20  Greet by name\n";
    assert_eq!(told(&household), (row.into(), serde_json::Value::Null));
    driver.kill().expect("kill");
    driver.wait().expect("end");
    let rows = "Waiting for you:\n\
                T-001        killed             turn 0/20  Greet by name\n    trueup resume T-001\n";
    assert_eq!(told(&household), (rows.into(), "killed".into()));
    let document = household.json(&["status", "--json"]);
    assert_eq!(document["waiting"][0]["next"], "trueup resume T-001", "{document}");
    let shown = household.trueup(&["show", "T-001"]);
    assert!(shown.stdout.contains("\n  killed · turn 0/20\n"), "{shown:#?}");
    assert!(shown.stderr.contains("\n  trueup resume T-001\n"), "{shown:#?}");
}

#[test]
fn a_later_run_overtakes_what_is_unfinished_and_leaves_what_was_delivered() {
    let household = verified();
    household.set_agent("exit 0\n");
    for run in ["T-001.2", "T-001.3"] {
        assert_eq!(household.trueup(&["run", "T-001", "--anew"]).code, 5, "{run}");
    }
    let (text, _) = told(&household);
    assert_eq!(
        text,
        "Waiting for you:\n\
         T-001        stuck              turn 2/20  Greet by name\n             \
         T-001.1 is verified, on branch trueup/T-001\n    \
         trueup answer T-001 -m \"how to go on\"\n"
    );
    let runs = household.trueup(&["status", "T-001"]);
    assert_eq!(
        runs.stdout,
        "T-001.3      stuck              turn 2/20  Greet by name\n\
         T-001.2      stuck, overtaken   turn 2/20  Greet by name\n\
         T-001.1      verified           turn 2/20  Greet by name\n"
    );
    let runs = household.json(&["status", "T-001", "--json"]);
    let fates: Vec<_> = (0..3).map(|at| runs["runs"][at]["fate"].clone()).collect();
    assert_eq!(
        fates,
        [serde_json::Value::Null, "overtaken".into(), serde_json::Value::Null]
    );
    let shown = household.trueup(&["show", "T-001.2"]);
    assert!(
        shown
            .stdout
            .contains("\n  stuck, overtaken · turn 2/20\n  T-001.3 took its place\n"),
        "{shown:#?}"
    );
    assert!(!shown.stderr.contains("answer"), "nobody waits for it: {shown:#?}");
    let last = household.trueup(&["show", "T-001"]);
    assert!(
        last.stdout.contains("\n  stuck · turn 2/20\n"),
        "the branch is the first run's: {last:#?}"
    );
    let first = household.trueup(&["show", "T-001.1"]);
    assert!(
        first
            .stdout
            .contains("\n  verified · turn 2/20 · branch trueup/T-001\n"),
        "{first:#?}"
    );
    assert!(first.stderr.contains("\n  trueup log T-001.1\n"), "{first:#?}");
}

#[test]
fn a_later_delivery_overtakes_an_earlier_one() {
    let household = verified();
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    let runs = household.trueup(&["status", "T-001"]);
    assert_eq!(
        runs.stdout,
        "T-001.2      verified           turn 2/20  Greet by name\n\
         T-001.1      verified, overtaken turn 2/20  Greet by name\n"
    );
    let first = household.trueup(&["show", "T-001.1"]);
    assert!(
        first.stdout.contains("\n  verified, overtaken · turn 2/20\n"),
        "the branch is the later run's: {first:#?}"
    );
}

#[test]
fn what_waits_for_a_person_comes_first_with_what_to_type() {
    let household = verified();
    let text = fs::read_to_string(household.checkout().join("tasks/T-001.md")).expect("a task");
    for task in ["T-002", "T-003"] {
        household.task(task, &text.replace("T-001", task));
    }
    household.commit("More tasks");
    household.set_agent("echo '<phase_blocked>Which name?</phase_blocked>'\n");
    assert_eq!(household.trueup(&["run", "T-003"]).code, 4);
    let status = household.trueup(&["status"]);
    assert_eq!(
        status.stdout,
        "Waiting for you:\n\
         T-003        blocked            turn 1/20  Greet by name\n    \
         trueup answer T-003 -m \"how to go on\"\n\n\
         T-001        verified           turn 2/20  Greet by name\n\
         T-002        never run\n"
    );
    let behind = household.trueup(&["status", "--after", "T-001"]);
    assert!(!behind.stdout.contains("Waiting"), "{behind:#?}");
    let tasks = household.json(&["status", "--json"])["tasks"].clone();
    assert_eq!(tasks.as_array().map(Vec::len), Some(3), "{tasks}");
}
