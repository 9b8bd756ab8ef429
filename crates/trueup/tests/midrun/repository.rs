//! History is rewritten and swept away in mid-run, or somebody takes the
//! branch: the same end, or a word about what to type.

use crate::meanwhile::{household, ring, run};
use serde_json::Value;
use trueup_testkit::household::Household;

const BRANCH: &str = "trueup/T-001";

/// What must be the same, whatever happened in the repository meanwhile.
#[derive(Debug, PartialEq, Eq)]
struct End {
    code: i32,
    outcome: Value,
    tree: Value,
    commit: Value,
    keys: Vec<Value>,
    branch: String,
    parent: String,
}

fn end(household: &Household, code: i32) -> End {
    let shown = household.show("T-001");
    let criteria = shown["criteria"].as_array().expect("criteria");
    let evidence = criteria
        .iter()
        .flat_map(|criterion| criterion["evidence"].as_array().expect("evidence"));
    let end = End {
        code,
        keys: evidence.map(|evidence| evidence["key"].clone()).collect(),
        outcome: shown["outcome"].clone(),
        tree: shown["tree"].clone(),
        commit: shown["commit"].clone(),
        branch: household.git(&["rev-parse", &format!("{BRANCH}^{{tree}}")]),
        parent: household.git(&["rev-parse", &format!("{BRANCH}^")]),
    };
    assert_eq!(end.tree, end.branch, "the branch carries another tree");
    assert_eq!(shown["valid"], true, "{shown:#}");
    end
}

#[test]
fn history_rewritten_and_swept_away_in_mid_run_changes_nothing() {
    let left_alone = household();
    let ended = run(&left_alone, |_| {});
    let expected = end(&left_alone, ended.code);
    assert_eq!(expected.code, 0, "{ended:#?}");
    assert_eq!(expected.outcome, "verified");

    let rewritten = household();
    let base = rewritten.git(&["rev-parse", "HEAD"]);
    assert_eq!(base, expected.parent);
    let ended = run(&rewritten, |household| {
        household.file("greet.sh", "echo rewritten\n");
        household.git(&["commit", "--quiet", "--all", "--amend", "--message", "Rewritten"]);
        household.git(&["checkout", "--quiet", "--orphan", "elsewhere"]);
        household.git(&["commit", "--quiet", "--message", "Elsewhere"]);
        household.git(&["branch", "--quiet", "--delete", "--force", "main"]);
        household.git(&["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"]);
        household.git(&["gc", "--quiet", "--prune=now"]);
        let gone = household.try_git(&["cat-file", "-e", &base]);
        assert_ne!(gone.code, 0, "the base is still there, so nothing was tried");
    });
    assert_eq!(end(&rewritten, ended.code), expected, "{ended:#?}");
    rewritten.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn a_branch_taken_in_mid_run_is_a_conflict_that_says_what_to_type() {
    let household = household();
    let ended = run(&household, |household| {
        household.git(&["branch", BRANCH, "main"]);
    });
    assert_eq!(ended.code, 8, "{ended:#?}");
    let main = household.git(&["rev-parse", "main"]);
    assert_eq!(
        ended.stdout,
        format!(
            "conflict: everything is done, but the branch `{BRANCH}` was moved to {main} while the run worked, and is \
             not overwritten; to keep that under another name, type `git branch --move {BRANCH} {BRANCH}-kept`, then \
             `trueup resume T-001.1`\n"
        )
    );
    assert_eq!(household.git(&["rev-parse", BRANCH]), main, "it was overwritten");
    let again = household.trueup(&["resume", "T-001"]);
    assert_eq!(again.code, 8, "nothing was mended, so nothing may move: {again:#?}");

    household.git(&["branch", "--move", BRANCH, &format!("{BRANCH}-kept")]);
    ring(&household);
    let resumed = household.trueup(&["resume", "T-001.1"]);
    let end = end(&household, resumed.code);
    assert_eq!((end.code, end.outcome), (0, "verified".into()), "{resumed:#?}");
    assert_eq!(household.git(&["rev-parse", &format!("{BRANCH}-kept")]), main);
}

#[test]
fn commits_of_a_person_on_the_branch_stay_and_the_work_is_delivered_beside_them() {
    let household = household();
    ring(&household);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    let delivered = household.git(&["rev-parse", BRANCH]);
    household.git(&["switch", "--quiet", BRANCH]);
    household.git(&["commit", "--quiet", "--allow-empty", "-m", "Mine"]);
    household.git(&["switch", "--quiet", "main"]);
    let mine = household.git(&["rev-parse", BRANCH]);
    let again = household.trueup(&["run", "T-001"]);
    assert_eq!(again.code, 0, "{again:#?}");
    let told = format!(
        "The branch {BRANCH} holds commits that no run made. It stays as it is; this run delivers {BRANCH}.2 instead."
    );
    assert!(again.stderr.contains(&told), "{again:#?}");
    assert!(
        again.stderr.contains(&format!("  git merge {BRANCH}.2\n")),
        "{again:#?}"
    );
    assert_eq!(household.git(&["rev-parse", BRANCH]), mine);
    assert_eq!(
        household.git(&["rev-parse", &format!("{BRANCH}.2^{{tree}}")]),
        household.git(&["rev-parse", &format!("{delivered}^{{tree}}")])
    );
    assert_eq!(household.show("T-001")["branch"], format!("{BRANCH}.2"));
    let verified = household.trueup(&["verify", "T-001"]);
    assert!(
        verified.stdout.starts_with(&format!("T-001 on {BRANCH}.2,")),
        "{verified:#?}"
    );
    // Once the base holds them, nothing is lost with the branch.
    household.git(&["merge", "--quiet", "--ff-only", &mine]);
    household.git(&["revert", "--no-edit", &delivered]);
    let third = household.trueup(&["run", "T-001"]);
    assert_eq!(third.code, 0, "{third:#?}");
    assert_ne!(household.git(&["rev-parse", BRANCH]), mine, "{third:#?}");
}
