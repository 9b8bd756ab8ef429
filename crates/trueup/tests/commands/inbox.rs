//! `inbox` lists what waits for a person, in all repositories, and nothing else.

use crate::at_work::until_at_work;
use std::process::{Command, Stdio};
use trueup_testkit::household::{Household, Output, output};

const ASKS: &str = "echo '<phase_blocked>Which name?</phase_blocked>'\n";

const WORKS: &str =
    "printf '# greet\\n\\nRun `sh greet.sh NAME`.\\n' > README.md\necho 'echo \"Hello, ${1:-world}\"' > greet.sh\n";

/// What the inbox says, asked outside of any repository.
fn inbox(household: &Household, flags: &[&str]) -> Output {
    output(household.command(&[&["inbox"], flags].concat()).current_dir("/"))
}

fn waiting(household: &Household) -> Vec<serde_json::Value> {
    let document: serde_json::Value = serde_json::from_str(&inbox(household, &["--json"]).stdout).expect("a document");
    document["waiting"].as_array().expect("a list").clone()
}

#[test]
fn an_inbox_lists_what_waits_in_all_repositories_with_what_to_type() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    assert_eq!(inbox(&household, &[]).stdout, "Nothing waits for you.\n");
    household.set_agent(ASKS);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 4);
    let other = household.folder().join("other");
    let copy = Command::new("cp")
        .arg("-a")
        .args([&household.checkout(), &other])
        .status();
    assert!(copy.expect("a copy").success());
    let in_other = |arguments: &[&str]| output(household.command(arguments).current_dir(&other));
    assert_eq!(in_other(&["run", "T-001"]).code, 4);

    let said = inbox(&household, &[]).stdout;
    assert_eq!(said.matches("Which name?").count(), 2, "{said}");
    for folder in [household.checkout(), other.clone()] {
        let way = format!("    trueup -C {} answer T-001 -m \"how to go on\"\n", folder.display());
        assert!(said.contains(&way), "{said}");
    }
    let listed = waiting(&household);
    assert_eq!(listed.len(), 2, "{listed:#?}");
    assert_eq!(listed[0]["outcome"], "blocked", "{listed:#?}");
    assert!(
        listed[0]["told"]
            .as_str()
            .is_some_and(|told| told.contains("Which name?")),
        "{listed:#?}"
    );

    household.set_agent(WORKS);
    assert_eq!(in_other(&["answer", "T-001", "-m", "Any"]).code, 0);
    let listed = waiting(&household);
    assert_eq!(listed.len(), 1, "what was answered waits no longer: {listed:#?}");
    assert_eq!(listed[0]["repository"], household.checkout().to_string_lossy().as_ref());
}

#[test]
fn what_goes_on_by_itself_or_was_overtaken_is_in_no_inbox_and_what_was_killed_is() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    assert_eq!(household.trueup(&["queue", "T-001"]).code, 0);
    assert_eq!(waiting(&household).len(), 0, "a queued run waits for `up`");
    household.set_agent("echo working\nsleep 60\n");
    let mut run = household.command(&["resume", "T-001"]);
    let mut run = run.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run");
    until_at_work(&household, "T-001.1");
    assert_eq!(waiting(&household).len(), 0, "somebody drives it");
    run.kill().expect("a kill");
    run.wait().expect("an end");
    let killed = inbox(&household, &[]).stdout;
    assert!(
        killed.contains("T-001.1      killed ") && killed.contains("    trueup resume T-001\n"),
        "{killed}"
    );
    assert_eq!(household.trueup(&["queue", "T-001", "--anew"]).code, 0);
    assert_eq!(waiting(&household).len(), 0, "the queued run took its place");
}
