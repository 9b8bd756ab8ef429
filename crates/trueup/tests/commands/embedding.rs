//! A program of somebody else's drives a run as the commands do.

#[path = "../../examples/embed.rs"]
#[expect(dead_code, reason = "the example is a program, and this is not its start")]
mod embed;

use trueup_core::run::{Outcome, Position};
use trueup_testkit::household::Household;

#[tokio::test]
async fn the_example_drives_a_run_to_its_end() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let text = |path: std::path::PathBuf| path.display().to_string();
    let run = embed::embed([
        text(household.checkout()),
        text(household.checkout().join("tasks/T-001.md")),
        env!("CARGO_BIN_EXE_trueup").to_owned(),
        text(household.agent()),
    ]);
    let run = run.await.unwrap();
    let position = run.position();
    assert!(
        matches!(position, Position::Done(Outcome::Verified { .. })),
        "{position:?}"
    );
}

#[test]
fn the_example_is_short() {
    let lines = include_str!("../../examples/embed.rs").lines().count();
    assert!(lines < 60, "{lines} lines");
}
