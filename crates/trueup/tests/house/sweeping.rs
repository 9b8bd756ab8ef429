//! What `gc` removes, what it leaves alone, and what stays readable.

use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};
use trueup_testkit::household::Household;

/// Long before anything in a household happens.
const LONG_AGO: SystemTime = UNIX_EPOCH;

/// Three runs: one verified, one out of turns, one that waits for its agent.
fn three_runs() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let text = fs::read_to_string(household.checkout().join("tasks/T-001.md")).unwrap();
    let short = text
        .replace("T-001", "T-002")
        .replace("size: small", "size: small\nbudget:\n  turns: 1");
    household.task("T-002", &short);
    household.task("T-003", &text.replace("T-001", "T-003"));
    household.commit("Three tasks");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    // A run that waits, and one that was begun instead of it.
    let agent = fs::read_to_string(household.agent()).unwrap();
    household.set_agent("echo 'I did something else'; echo changed > notes.txt");
    assert_eq!(household.trueup(&["run", "T-002"]).code, 6);
    assert_eq!(household.trueup(&["run", "T-002", "--anew"]).code, 6);
    // An agent that prints and works for a turn, and is gone after it.
    household.set_agent("echo 'only I say this'; echo changed >> README.md; sleep 1");
    let config = household.checkout().join("trueup.toml");
    let good = fs::read_to_string(&config).unwrap();
    fs::write(&config, good.replace("agent.sh", "gone.sh")).unwrap();
    assert_eq!(household.trueup(&["run", "T-003"]).code, 7);
    fs::write(&config, good).unwrap();
    household.set_agent(&agent);
    for entry in fs::read_dir(household.state().join("blobs")).unwrap().flatten() {
        let file = File::options().write(true).open(entry.path()).unwrap();
        file.set_modified(LONG_AGO).unwrap();
    }
    household
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

fn kinds(swept: &Value) -> Vec<String> {
    let freed = swept["freed"].as_array().cloned().unwrap_or_default();
    freed
        .iter()
        .filter_map(|freed| Some(freed["kind"].as_str()?.to_owned()))
        .collect()
}

#[test]
fn gc_removes_what_finished_runs_left_and_nothing_an_unfinished_one_needs() {
    let household = three_runs();
    let state = household.state();
    let before = (names(&state.join("workspaces")), names(&state.join("blobs")));
    assert_eq!(before.0, ["T-002.1", "T-002.2", "T-003.1"].map(str::to_owned).into());
    let tried = household.json(&["gc", "--dry-run", "--keep-days", "0", "--json"]);
    assert_eq!(before, (names(&state.join("workspaces")), names(&state.join("blobs"))));
    let swept = household.json(&["gc", "--keep-days", "0", "--json"]);
    for kind in ["workspaces", "spools, indexes and live files", "bodies", "prompts"] {
        assert!(kinds(&tried).iter().any(|tried| tried == kind), "{kind} in {tried:#}");
        assert!(kinds(&swept).iter().any(|swept| swept == kind), "{kind} in {swept:#}");
    }
    assert_eq!(
        names(&state.join("workspaces")),
        ["T-002.2", "T-003.1"].map(str::to_owned).into()
    );
    assert!(names(&state.join("blobs")).len() < before.1.len());
    assert!(
        state.join("runs/T-003.1/spool").exists(),
        "an unfinished run keeps its spool"
    );
    assert_eq!(
        names(&state.join("lent")).len(),
        1,
        "an unfinished run's clone still borrows"
    );
    let resumed = household.trueup(&["resume", "T-003"]);
    assert_eq!(resumed.code, 0, "{resumed:#?}");
    let again = household.json(&["gc", "--json"]);
    assert_eq!(
        names(&state.join("lent")).len(),
        1,
        "the run that waits for a budget borrows, too: {again:#}"
    );
}

#[test]
fn an_erased_body_leaves_its_verdict_readable_and_its_evidence_valid() {
    let household = three_runs();
    let before = household.show("T-001");
    assert_eq!(household.trueup(&["gc", "--keep-days", "0"]).code, 0);
    let after = household.show("T-001");
    for key in ["outcome", "valid", "tree", "commit"] {
        assert_eq!(before[key], after[key]);
    }
    assert_eq!(after["valid"], true);
    let log = household.trueup(&["log", "T-001", "--turn", "1"]);
    assert_eq!((log.code, log.stdout.as_str()), (0, ""), "{log:#?}");
    assert!(log.stderr.starts_with("body erased: "), "{log:#?}");
    let body = after["criteria"][2]["evidence"][0]["stdout"].clone();
    assert_eq!(body["erased"], true, "{after:#}");
    let digest = body["digest"].as_str().unwrap();
    let log = household.trueup(&["log", "T-001", "--blob", digest]);
    assert!(log.code == 0 && log.stderr.contains("body erased"), "{log:#?}");
    let shown = household.trueup(&["show", "T-001"]);
    assert!(shown.stdout.contains("body erased"), "{shown:#?}");
    assert_eq!(household.trueup(&["log", "T-001"]).code, 0);
    assert_eq!(household.trueup(&["verify", "T-001"]).code, 0);
    // Every tree that evidence names is still there, packed or not.
    let tree = after["tree"].as_str().unwrap();
    let results = household.state().join("results.git").display().to_string();
    assert_eq!(household.git(&["--git-dir", &results, "cat-file", "-t", tree]), "tree");
}

#[test]
fn what_is_young_is_kept() {
    let household = three_runs();
    let before = names(&household.state().join("blobs"));
    for entry in fs::read_dir(household.state().join("blobs")).unwrap().flatten() {
        let file = File::options().write(true).open(entry.path()).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
    }
    assert_eq!(household.trueup(&["gc", "--keep-days", "0"]).code, 0);
    assert_eq!(names(&household.state().join("blobs")), before);
}

#[test]
fn stats_count_runs_turns_and_disk() {
    let household = three_runs();
    let stats = household.json(&["stats", "--json"]);
    assert_eq!(stats["runs"], 4);
    assert_eq!(
        stats["outcomes"],
        serde_json::json!({ "agent_unusable": 1, "budget_spent": 2, "verified": 1 })
    );
    assert_eq!(stats["turns"], 4);
    assert_eq!(stats["quota"], 20_000_000_000_u64);
    let disk = stats["disk"].as_array().unwrap();
    assert!(disk.iter().any(|shelf| shelf["name"] == "journal.db"), "{stats:#}");
    assert!(stats["bytes"].as_u64().unwrap() > 0);
    assert_eq!(stats["biggest"].as_array().unwrap().len(), 5);
}
