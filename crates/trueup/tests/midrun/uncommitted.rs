//! Uncommitted work: said, left alone, and taken only where asked.

use crate::meanwhile::{household, ring};
use trueup_testkit::household::Household;

fn untidy() -> Household {
    let household = household();
    ring(&household);
    household.file("greet.sh", "# being thought about\necho \"Hello, world\"\n");
    household.file("notes/plan.txt", "half a plan\n");
    household.file("staged.txt", "staged\n");
    household.git(&["add", "staged.txt"]);
    household
}

#[test]
fn uncommitted_work_is_named_and_not_touched() {
    let household = untidy();
    let before = household.checkout_digest();
    let ended = household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert_eq!(
        ended.stderr.lines().next(),
        Some(
            "The checkout has uncommitted work in 3 files (greet.sh, staged.txt, notes/plan.txt); \
             it is not part of this run. Add --with-changes to start from it."
        )
    );
    assert_eq!(household.checkout_digest(), before);
    assert_eq!(
        household
            .try_git(&["cat-file", "-e", "trueup/T-001:notes/plan.txt"])
            .code,
        128
    );
    assert_eq!(
        household.git(&["rev-parse", "trueup/T-001^"]),
        household.git(&["rev-parse", "HEAD"])
    );
}

#[test]
fn a_tidy_checkout_is_not_mentioned() {
    let household = household();
    ring(&household);
    household.task("T-002", "not a task yet\n");
    let ended = household.trueup(&["run", "T-001"]);
    assert!(!ended.stderr.contains("uncommitted"), "{ended:#?}");
}

#[test]
fn with_changes_takes_uncommitted_work_as_the_base() {
    let household = untidy();
    let before = household.checkout_digest();
    let ended = household.trueup(&["run", "T-001", "--with-changes"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert!(!ended.stderr.contains("not part of this run"), "{ended:#?}");
    assert_eq!(household.checkout_digest(), before);
    let read = |what: &str| household.git(&["show", &format!("trueup/T-001{what}")]);
    assert_eq!(read(":notes/plan.txt"), "half a plan");
    assert_eq!(read(":staged.txt"), "staged");
    assert_eq!(read("^:greet.sh"), "# being thought about\necho \"Hello, world\"");
    assert_eq!(
        household.git(&["rev-parse", "trueup/T-001^^"]),
        household.git(&["rev-parse", "HEAD"]),
        "the uncommitted work stands on HEAD"
    );
}
