//! Tasks that are written and runs that wait: `new`, `resume`, and what a
//! person says to a run.

use super::gallery::{ENDED, Gallery, Look};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::Household;

/// Works until somebody stops it; afterwards at once.
const SLOW: &str = r#"
echo "Reading the tests."
[ -e resumed.txt ] || sleep 30
echo 'echo "Hello, ${1:-world}"' > greet.sh
printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
"#;

/// Asks a question, and works when it is answered. It adds settings that nobody
/// asked for, and takes them back when told.
const ASKS: &str = r#"
if grep -q "keep the settings" "$TRUEUP_PROMPT_FILE"; then
    rm -f pytest.ini
elif grep -q "By the first argument" "$TRUEUP_PROMPT_FILE"; then
    echo 'echo "Hello, ${1:-world}"' > greet.sh
    printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
    printf '[pytest]\naddopts = -q\n' > pytest.ini
    echo "It greets by its first argument."
else
    echo "<phase_blocked>By which argument shall it greet?</phase_blocked>"
fi
"#;

/// Waits until the agent of the first run is at work.
fn until_it_speaks(household: &Household) {
    let said = household.state().join("runs/T-001.1/turn-001.live");
    let begun = Instant::now();
    while !fs::read_to_string(&said).is_ok_and(|said| said.contains("Reading the tests.")) {
        assert!(begun.elapsed() < Duration::from_secs(25), "the agent never spoke");
        thread::sleep(Duration::from_millis(20));
    }
}

/// An editor that writes this into the file it opens.
fn editor(household: &Household, script: &str) -> String {
    let program = household.folder().join("editor");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("an editor");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    format!("EDITOR={}", program.display())
}

/// A task that is written, and a run that is stopped and goes on.
pub(super) fn screens(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(SLOW);
    let mut gallery = Gallery::new(&household, look);
    gallery.ends("new", "new 'Say goodbye'");
    gallery.variables = vec![editor(&household, "true")];
    gallery.ends("new-unfinished", "new 'Say goodbye'");
    gallery.variables = vec![editor(
        &household,
        "sed -i 's/verify:$/verify: `sh tests\\/bye.sh`/' \"$1\"",
    )];
    gallery.ends("new-edited", "new 'Say goodbye'");
    gallery.variables.clear();
    for id in ["T-002", "T-003", "T-004"] {
        fs::remove_file(household.checkout().join(format!("tasks/{id}.md"))).expect("a task");
    }
    gallery.ends("status-never-run", "status");
    gallery.ends("resume-nothing", "resume");
    gallery.ends("stop-nothing", "stop T-001");
    let run = gallery.open("run T-001");
    // What an agent says is on a plain screen only when its turn has ended.
    until_it_speaks(&household);
    gallery.ends("run-driven", "run T-001");
    gallery.ends("stop", "stop T-001");
    gallery.frame("stopped", &run, &[ENDED]);
    drop(run);
    gallery.ends("status-stopped", "status");
    household.set_agent(&SLOW.replace("sleep 30", "true"));
    gallery.ends("resumed", "resume");
    gallery.ends("verify", "verify T-001");
    gallery.ends("verify-red", "verify T-001 --on HEAD");
    gallery.wrong
}

/// What is said to a run that waits, and how it goes on.
pub(super) fn answering(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(ASKS);
    let mut gallery = Gallery::new(&household, look);
    gallery.ends("blocked", "run T-001");
    gallery.ends("waive-refused", "waive T-001 -m 'It will do.'");
    gallery.ends("approve-blocked", "approve T-001 all");
    gallery.ends("answered", "answer T-001 -m 'By the first argument.'");
    gallery.ends("rejected", "reject T-001 'keep the settings as they are'");
    gallery.ends("answer-nothing", "answer T-001 -m 'And be quick.'");
    gallery.wrong
}
