//! A run behind a veil comes to the very end that a copy comes to.

use std::{collections::BTreeMap, fs, path::PathBuf, process::Stdio, thread, time::Duration};
use trueup_testkit::household::{Household, files_digest};

/// Everything an agent can do to files, in one turn; the second turn ends it.
const BUSY: &str = r#"
if [ "$TRUEUP_TURN" = 1 ]; then
    echo changed > plain.txt
    rm gone.txt
    mkdir fresh && echo new > fresh/file
    ln -s plain.txt link
    chmod +x tool.sh
    mv folder moved || exit 1
    rm -r emptied
    mkdir emptied && echo other > emptied/other
    echo ignored > left.log
    git add --all && git -c core.fsync=none commit --quiet --message "my own"
else
    echo done > DONE.md
fi
"#;

const TASK: &str = "\
---
v: 1
id: T-001
title: Do all sorts of things
size: small
---

Do them.

## Acceptance criteria

- [ ] **AC-1** It is done.
  - verify: `sh tests/done.sh`
";

fn household(lay: &str, agent: &str) -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent);
    for name in [
        "plain.txt",
        "gone.txt",
        "tool.sh",
        "folder/a",
        "folder/deep/b",
        "emptied/c",
    ] {
        household.file(name, &format!("{name}\n"));
    }
    household.file("tests/done.sh", "test -e DONE.md -a -e moved/deep/b -a ! -e folder\n");
    household.file(".gitignore", "*.log\n");
    household.task("T-001", TASK);
    household.commit("All sorts of things");
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    household.file("trueup.toml", &format!("{config}\n[workspace]\nlay = \"{lay}\"\n"));
    household
}

/// The folder of the one base's files.
fn base_files(household: &Household) -> PathBuf {
    let mut bases = fs::read_dir(household.state().join("bases")).expect("a folder");
    let base = bases.next().expect("a base").expect("a folder");
    assert!(bases.next().is_none(), "one checkout for one base");
    base.path().join("files")
}

/// Every file of the base with mode, time and bytes.
fn base_digest(household: &Household) -> BTreeMap<String, String> {
    let files = base_files(household);
    fs::create_dir_all(files.join(".git")).expect("a folder");
    fs::write(files.join(".git/index"), "").expect("what the digest looks for");
    let digest = files_digest(&files);
    fs::remove_dir_all(files.join(".git")).expect("as it was");
    digest.into_iter().filter(|(name, _)| name != ".git/index").collect()
}

fn delivered(household: &Household) -> String {
    household.git(&["rev-parse", "trueup/T-001^{tree}"])
}

#[test]
fn a_run_behind_a_veil_delivers_the_tree_that_a_copy_delivers() {
    let trees = ["copy", "overlay"].map(|lay| {
        let household = household(lay, BUSY);
        let ended = household.trueup(&["run", "T-001"]);
        assert_eq!(ended.code, 0, "{lay}: {ended:#?}");
        let left: Vec<_> = fs::read_dir(household.state().join("workspaces"))
            .expect("a folder")
            .collect();
        assert!(left.is_empty(), "{lay}: {left:?}");
        let bases = fs::read_dir(household.state().join("bases")).expect("a folder").count();
        assert_eq!(bases, usize::from(lay == "overlay"));
        delivered(&household)
    });
    assert_eq!(trees[0], trees[1]);
}

#[test]
fn nothing_an_agent_does_behind_a_veil_reaches_the_base() {
    let household = household("overlay", "exit 0\n");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 5);
    let before = base_digest(&household);
    household.set_agent(BUSY);
    let ended = household.trueup(&["run", "T-001", "--anew"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert_eq!(base_digest(&household), before);
}

#[test]
fn small_trees_are_copied_unless_somebody_says_otherwise() {
    let household = household("auto", BUSY);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    let bases = fs::read_dir(household.state().join("bases")).expect("a folder").count();
    assert_eq!(bases, 0);
}

#[test]
fn a_turn_that_is_killed_behind_a_veil_is_saved_and_taken_again() {
    let slow = format!("{BUSY}\ntest -e ../stop -o \"$TRUEUP_TURN\" != 1 || {{ touch plain.txt; sleep 30; }}\n");
    let household = household("overlay", &slow);
    let mut run = household.command(&["run", "T-001"]);
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("trueup");
    let upper = household.state().join("workspaces/T-001.1.veil/upper/fresh/file");
    for _ in 0..600 {
        if upper.exists() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    thread::sleep(Duration::from_millis(300));
    run.kill().expect("a living process");
    run.wait().expect("an end");
    household.set_agent(BUSY);
    let ended = household.trueup(&["resume", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let rescues = household.state().join("results.git/refs/rescue/T-001.1");
    assert_eq!(fs::read_dir(rescues).expect("what was rescued").count(), 1);
    let other = self::household("copy", BUSY);
    assert_eq!(other.trueup(&["run", "T-001"]).code, 0);
    assert_eq!(delivered(&household), delivered(&other));
}
