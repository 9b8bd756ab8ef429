//! What is meant by a name, by none, and by one that nobody knows.

use trueup_testkit::household::{Household, Output};

const GIVES_UP: &str = "echo '<phase_blocked>Which name?</phase_blocked>'\n";

fn refused(household: &Household, arguments: &[&str]) -> String {
    let Output { code, stderr, .. } = household.trueup(arguments);
    assert_eq!(code, 2, "{stderr}");
    stderr
}

#[test]
fn without_a_name_the_last_run_is_meant() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    for command in ["show", "diff", "log"] {
        let said = refused(&household, &[command]);
        assert_eq!(said, "error: nothing was run here yet\n  trueup status\n");
    }
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    for command in ["show", "diff", "log"] {
        let last = household.trueup(&[command]);
        assert_eq!(last, household.trueup(&[command, "T-001"]), "{command}");
        assert_eq!(last.code, 0, "{last:#?}");
    }
}

#[test]
fn ids_are_found_however_their_letters_are_cased() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    assert_eq!(household.trueup(&["run", "t-001"]).code, 0);
    assert_eq!(
        household.trueup(&["show", "t-001"]),
        household.trueup(&["show", "T-001"])
    );
}

#[test]
fn what_is_not_there_is_called_so() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let unknown = refused(&household, &["show", "NOPE"]);
    assert!(unknown.starts_with("error: there is no task `NOPE` in "), "{unknown}");
    let near = refused(&household, &["log", "T-011"]);
    assert_eq!(
        near,
        "error: there is no task `T-011`; did you mean `T-001`?\n  trueup status\n"
    );
    let never = refused(&household, &["show", "T-001"]);
    assert_eq!(never, "error: `T-001` was never run\n  trueup run T-001\n");
    let nowhere = refused(&household, &["-C", "/no/such/folder", "status"]);
    assert_eq!(nowhere, "error: there is no folder /no/such/folder\n");
}

#[test]
fn show_names_a_branch_that_is_there_and_every_way_on() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(GIVES_UP);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 4);
    let blocked = household.trueup(&["show", "T-001"]);
    assert!(!blocked.stdout.contains("branch"), "{blocked:#?}");
    let ways = "  trueup answer T-001 -m \"how to go on\"\n  trueup resume T-001\n";
    assert!(blocked.stderr.contains(ways), "{blocked:#?}");
    household.set_agent(
        "printf '# greet\\n\\nRun `sh greet.sh NAME`.\\n' > README.md\necho 'echo \"Hello, ${1:-world}\"' > greet.sh\n",
    );
    let done = household.trueup(&["answer", "T-001", "-m", "Any"]);
    assert_eq!(done.code, 0, "{done:#?}");
    let verified = household.trueup(&["show", "T-001"]);
    assert!(
        verified.stdout.contains("verified · turn 2/20 · branch trueup/T-001\n"),
        "{verified:#?}"
    );
    assert!(!verified.stderr.contains("resume"), "{verified:#?}");
}

/// An agent that does the work at once.
const WORKS: &str =
    "printf '# greet\\n\\nRun `sh greet.sh NAME`.\\n' > README.md\necho 'echo \"Hello, ${1:-world}\"' > greet.sh\n";

#[test]
fn run_goes_on_with_an_unfinished_run_and_says_so() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(GIVES_UP);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 4);
    household.set_agent(WORKS);
    let done = household.trueup(&["run", "T-001"]);
    assert_eq!(done.code, 0, "{done:#?}");
    let says = "T-001.1 is unfinished and goes on; to begin again: trueup run T-001 --anew\n";
    assert!(done.stderr.contains(says), "{done:#?}");
    assert!(
        household.trueup(&["show", "T-001"]).stdout.starts_with("T-001.1 "),
        "another run was opened"
    );
}

#[test]
fn run_begins_again_where_that_was_asked_for() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(GIVES_UP);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 4);
    household.set_agent(WORKS);
    assert_eq!(household.trueup(&["run", "T-001", "--anew"]).code, 0);
    assert!(household.trueup(&["show", "T-001"]).stdout.starts_with("T-001.2 "));
}

#[test]
fn run_without_a_name_means_the_task_of_the_last_run_until_that_is_verified() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    assert_eq!(
        refused(&household, &["run"]),
        "error: nothing was run here yet\n  trueup status\n"
    );
    household.set_agent(GIVES_UP);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 4);
    household.set_agent(WORKS);
    assert_eq!(household.trueup(&["run"]).code, 0);
    let done = household.trueup(&["run"]);
    assert_eq!(done.code, 10, "{done:#?}");
    assert!(
        done.stderr
            .contains("is verified; name the task that is meant\n  trueup run T-001\n"),
        "{done:#?}"
    );
}
