//! `queue` opens runs that nobody drives, and `up` carries them on.

use crate::at_work::{until, until_at_work};
use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};
use trueup_testkit::{
    household::{Household, Output, output},
    processes,
};

/// An agent that does the work at once.
const WORKS: &str =
    "printf '# greet\\n\\nRun `sh greet.sh NAME`.\\n' > README.md\necho 'echo \"Hello, ${1:-world}\"' > greet.sh\n";

/// What makes it take a while.
const SLOWLY: &str = "echo working; sleep 3\n";

/// One that never ends by itself.
const NEVER_ENDS: &str = "echo working; sleep 600\n";

/// The greeting, as several tasks.
fn household(tasks: u32, agent: &str) -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(agent);
    for number in 2..=tasks {
        let id = format!("T-00{number}");
        household.task(&id, &task(&household).replace("T-001", &id));
    }
    household.commit("Tasks");
    household
}

fn task(household: &Household) -> String {
    fs::read_to_string(household.checkout().join("tasks/T-001.md")).expect("the task")
}

fn queue(household: &Household, tasks: &[&str]) {
    let queued = household.trueup(&[&["queue"], tasks].concat());
    assert_eq!(queued.code, 0, "{queued:#?}");
}

fn begin(mut up: Command) -> Child {
    up.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    up.spawn().expect("an up")
}

fn ended(up: Child) -> (Option<i32>, String) {
    let ended = up.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    (ended.status.code(), said + &String::from_utf8_lossy(&ended.stderr))
}

/// The same after it was asked to end.
fn stopped(up: Child) -> (Option<i32>, String) {
    let asked = Command::new("kill").arg(up.id().to_string()).status();
    assert!(asked.expect("a kill").success());
    ended(up)
}

#[test]
fn queued_tasks_are_worked_on_by_up_and_nothing_happens_before() {
    let household = household(3, WORKS);
    let queued = household.trueup(&["queue", "T-001", "NOPE", "T-002"]);
    assert_eq!(queued.code, 2, "one was refused: {queued:#?}");
    assert_eq!(queued.stdout, "Queued T-001.1, T-002.1. To have that worked on:\n");
    let status = household.trueup(&["status"]).stdout;
    let first = "T-001        queued             turn 0/20  Greet by name\n";
    assert!(status.starts_with(first), "{status}");
    let again = household.json(&["queue", "T-001", "NOPE", "--json"]);
    assert_eq!(
        again["queued"],
        serde_json::json!(["T-001.1"]),
        "it waits already: {again}"
    );
    assert_eq!(again["refused"][0]["task"], "NOPE");
    assert_eq!(household.events("T-001").len(), 1, "nothing but its opening");

    let up = household.trueup(&["up", "--until-idle", "--at-most", "1"]);
    assert_eq!(up.code, 0, "{up:#?}");
    let line = |run: &str, stands: &str, turns: u8| format!("{run:<12} {stands:<18} turn {turns}/20  Greet by name");
    let expected = ["T-001.1", "T-002.1"].map(|run| [line(run, "working (running)", 0), line(run, "verified", 1)]);
    let lines: Vec<&str> = up.stdout.lines().collect();
    assert_eq!(
        lines,
        expected.concat(),
        "one after the other, and T-003 was not queued"
    );
    assert!(!household.state().join("runs/T-001.1/up.log").exists());
    assert_eq!(processes::of(household.folder()), Vec::new());
}

#[test]
fn what_waits_for_a_person_is_told_with_what_to_type_and_left_alone() {
    let household = household(1, "echo '<phase_blocked>Which name?</phase_blocked>'\n");
    queue(&household, &["T-001"]);
    let up = household.trueup(&["up", "--until-idle"]);
    assert_eq!(up.code, 0, "{up:#?}");
    let way = "\n    trueup answer T-001 -m \"how to go on\"\n";
    assert!(up.stdout.ends_with(way), "{up:#?}");
    let refused = household.trueup(&["queue", "T-001"]);
    assert_eq!(refused.code, 8, "{refused:#?}");
    let ways = "  trueup show T-001\n  trueup queue T-001 --anew\n";
    assert!(refused.stderr.ends_with(ways), "{refused:#?}");
    // The run that a later one overtakes is nobody's any more.
    household.set_agent(WORKS);
    queue(&household, &["T-001", "--anew"]);
    let up = household.trueup(&["up", "--until-idle", "--json"]);
    let [first, second] = ["T-001.1", "T-001.2"].map(|run| up.stdout.contains(run));
    assert!(!first && second, "{up:#?}");
}

#[test]
fn a_killed_up_kills_no_run_and_the_next_one_waits_for_it() {
    let household = household(1, &[SLOWLY, WORKS].concat());
    queue(&household, &["T-001"]);
    let mut up = begin(household.command(&["up"]));
    until_at_work(&household, "T-001.1");
    let second = household.trueup(&["up"]);
    assert_eq!(second.code, 8, "there is one at most: {second:#?}");
    up.kill().expect("a kill");
    up.wait().expect("an end");
    let (code, said) = ended(begin(household.command(&["up", "--until-idle"])));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 repository, 1 run at work already."), "{said}");
    assert!(said.contains("T-001.1      verified "), "{said}");
    assert_eq!(household.show("T-001")["turns"], 1, "the turn was not taken again");
}

#[test]
fn a_run_whose_driver_was_killed_goes_on_with_up() {
    let household = household(1, NEVER_ENDS);
    let mut run = begin(household.command(&["run", "T-001"]));
    until_at_work(&household, "T-001.1");
    run.kill().expect("a kill");
    run.wait().expect("an end");
    household.set_agent(WORKS);
    let up = household.trueup(&["up", "--until-idle"]);
    assert!(up.stdout.contains("T-001.1      verified "), "{up:#?}");
}

#[test]
fn an_up_that_is_stopped_leaves_runs_that_go_on_with_the_next_one() {
    let household = household(1, NEVER_ENDS);
    queue(&household, &["T-001"]);
    let up = begin(household.command(&["up"]));
    until_at_work(&household, "T-001.1");
    let (code, said) = stopped(up);
    assert_eq!(code, Some(143), "{said}");
    assert_eq!(processes::of(household.folder()), Vec::new());
    let inbox = household.trueup(&["inbox"]).stdout;
    assert_eq!(inbox, "Nothing waits for you.\n", "it waits for the next one");
    household.set_agent(WORKS);
    let next = household.trueup(&["up", "--until-idle"]);
    assert!(next.stdout.contains("T-001.1      verified "), "{next:#?}");
}

#[test]
fn a_run_that_a_person_stopped_stays_stopped() {
    let household = household(1, NEVER_ENDS);
    queue(&household, &["T-001"]);
    let up = begin(household.command(&["up", "--until-idle"]));
    until_at_work(&household, "T-001.1");
    assert_eq!(household.trueup(&["stop", "T-001"]).code, 0);
    let (code, said) = ended(up);
    assert_eq!(code, Some(0), "nothing is left to do: {said}");
    let is_told = said.contains("T-001.1      stopped ") && said.contains("    trueup resume T-001\n");
    assert!(is_told, "{said}");
}

#[test]
fn a_run_that_cannot_go_on_says_why_and_holds_up_no_other() {
    let household = household(2, WORKS);
    queue(&household, &["T-001", "T-002"]);
    household.task("T-001", &task(&household).replace("AC-2", "AC-9"));
    let up = begin(household.command(&["up"]));
    let has_told =
        || fs::read_to_string(household.state().join("runs/T-001.1/up.log")).is_ok_and(|log| log.contains("error:"));
    until("it was told", has_told);
    until("the other is verified", || {
        household.show("T-002")["outcome"] == "verified"
    });
    // It is looked at twice a second.
    thread::sleep(Duration::from_secs(2));
    let (_, said) = stopped(up);
    let why = "T-001.1 did not go on, again in 2.0s: the task file was changed in what T-001.1 rests on";
    assert!(said.contains(why), "{said}");
}

#[test]
fn repositories_beside_each_other_are_looked_after_together() {
    let household = household(1, WORKS);
    queue(&household, &["T-001"]);
    let other = household.folder().join("other");
    let copy = Command::new("cp")
        .arg("-a")
        .args([&household.checkout(), &other])
        .status();
    assert!(copy.expect("a copy").success());
    let queued = output(household.command(&["queue", "T-001"]).current_dir(&other));
    assert_eq!(queued.code, 0, "{queued:#?}");
    let up: Output = output(
        household
            .command(&["up", "--until-idle"])
            .current_dir(household.folder()),
    );
    assert_eq!(up.code, 0, "{up:#?}");
    assert!(up.stderr.starts_with("Looking after 2 repositories."), "{up:#?}");
    for name in ["checkout", "other"] {
        let end = format!(" · {name}");
        let is_verified = |line: &str| line.contains(" verified ") && line.ends_with(&end);
        assert!(up.stdout.lines().any(is_verified), "{name}: {up:#?}");
    }
}

#[test]
fn an_up_whose_program_is_replaced_goes_on_as_the_new_one() {
    let binary = tempfile::tempdir().expect("a folder");
    let program = binary.path().join("trueup");
    fs::copy(env!("CARGO_BIN_EXE_trueup"), &program).expect("a copy");
    let household = household(2, &["echo working; sleep 10\n", WORKS].concat());
    queue(&household, &["T-001"]);
    let mut command = Command::new(&program);
    household.furnish(command.args(["up", "--until-idle", "--at-most", "1"]));
    let up = begin(command);
    until_at_work(&household, "T-001.1");
    let new = binary.path().join("new");
    fs::copy(&program, &new).expect("a copy");
    fs::rename(&new, &program).expect("an upgrade");
    let runs = Path::new("/proc").join(up.id().to_string()).join("exe");
    // What it runs has no name any more, until it runs what lies there now.
    until("it became the new one", || {
        fs::read_link(&runs).is_ok_and(|runs| runs == program)
    });
    queue(&household, &["T-002"]);
    let (code, said) = ended(up);
    assert_eq!(code, Some(0), "{said}");
    for run in ["T-001", "T-002"] {
        let shown = household.show(run);
        assert_eq!(
            (&shown["outcome"], &shown["turns"]),
            (&"verified".into(), &1.into()),
            "{said}"
        );
    }
}
