//! Who chooses the wall, and what every view says of it.

use crate::{TRUEUP, greeting, repository_layer, user_layer};
use trueup_testkit::household::Household;

/// What stands behind `verified` in each mode.
const WORDS: [(&str, &str); 3] = [
    ("bubblewrap", ""),
    ("outer", " (isolated by the outer container)"),
    ("none", " (not isolated)"),
];

#[test]
fn every_view_says_behind_which_wall_a_verdict_was_reached() {
    for (mode, words) in WORDS {
        let household = greeting(mode);
        let run = household.trueup(&["run", "T-001"]);
        assert_eq!(run.code, 0, "{mode}: {run:#?}");
        assert!(run.stdout.contains(&format!("verified{words}: 3 of 3")), "{run:#?}");
        for (command, expected) in [
            (["status"].as_slice(), format!("verified{words} ")),
            (&["show", "T-001"], format!("  verified{words} · ")),
            (&["verify", "T-001"], format!("every check passed{words}\n")),
        ] {
            let view = household.trueup(command);
            assert!(view.code == 0 && view.stdout.contains(&expected), "{mode}: {view:#?}");
        }
        let own = mode == "bubblewrap";
        let status = household.json(&["status", "--json"]);
        let shown = household.show("T-001");
        for document in [
            &shown,
            &status["tasks"][0],
            &household.json(&["verify", "T-001", "--json"]),
        ] {
            assert_eq!(document["isolated"], own, "{mode}: {document:#}");
            assert_eq!(document["isolation"], mode, "{mode}: {document:#}");
        }
        assert_eq!(shown["criteria"][0]["evidence"][0]["sandbox"], mode);
        assert_eq!(shown["criteria"][2]["evidence"][0]["sandbox"], "engine");
        let network = if own { "off" } else { "on" };
        assert_eq!(shown["criteria"][0]["evidence"][0]["network"], network, "{mode}");
        let message = household.git(&["log", "-1", "--format=%B", "trueup/T-001"]);
        assert_eq!(message.contains("\nIsolation: "), !own, "{message}");
        assert!(own || message.contains(&format!("\nIsolation: {mode}")), "{message}");
    }
}

#[test]
fn the_last_line_of_a_stream_carries_the_wall_too() {
    let household = greeting("none");
    let run = household.trueup(&["run", "T-001", "--json"]);
    let last = run.stdout.lines().last().expect("a last line");
    let last: serde_json::Value = serde_json::from_str(last).expect("a document");
    assert_eq!((&last["isolated"], &last["isolation"]), (&false.into(), &"none".into()));
}

#[test]
fn evidence_of_a_weaker_wall_is_not_reused_behind_a_stronger_one() {
    let household = greeting("none");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    let behind = |household: &Household| household.json(&["verify", "T-001", "--json"])["isolation"].clone();
    assert_eq!(behind(&household), "none");
    let household = household.with_variable("TRUEUP_SANDBOX", "bubblewrap");
    assert_eq!(behind(&household), "bubblewrap");
    let shown = household.trueup(&["show", "T-001"]);
    assert!(
        shown.stdout.contains("verified (not isolated)"),
        "what was reached then stays so: {shown:#?}"
    );
}

#[test]
fn a_repository_cannot_choose_the_wall_round_its_own_commands() {
    for (key, line) in [("mode", "mode = \"none\""), ("sockets", "sockets = [\"/run/x.sock\"]")] {
        for name in ["trueup.toml", "trueup.local.toml"] {
            let household = Household::greeting(TRUEUP);
            let own = user_layer(&household, "");
            if name == "trueup.toml" {
                repository_layer(&household, &format!("[sandbox]\n{line}\n"));
            } else {
                household.file(name, &format!("[sandbox]\n{line}\n"));
            }
            let refused = household.trueup(&["run", "T-001"]);
            assert_eq!(refused.code, 2, "{refused:#?}");
            for word in [name, &format!("`[sandbox] {key}`"), &own] {
                assert!(refused.stderr.contains(word), "{word}: {refused:#?}");
            }
            assert!(!household.state().join("workspaces/T-001.1").exists());
        }
    }
}

#[test]
fn the_persons_own_file_chooses_and_a_variable_wins_over_it() {
    let household = Household::greeting(TRUEUP);
    user_layer(&household, "[sandbox]\nmode = \"none\"\n");
    let verified = household.trueup(&["run", "T-001"]);
    assert!(verified.stdout.contains("verified (not isolated)"), "{verified:#?}");
    let household = household.with_variable("TRUEUP_SANDBOX", "bubblewrap");
    let verified = household.trueup(&["verify", "T-001"]);
    assert!(verified.stdout.contains("every check passed\n"), "{verified:#?}");
}

#[test]
fn a_mode_that_is_none_is_refused_with_the_nearest() {
    let refused = greeting("bubblewarp").trueup(&["status"]);
    assert_eq!(refused.code, 2, "{refused:#?}");
    assert!(refused.stderr.contains("did you mean `bubblewrap`?"), "{refused:#?}");
    let household = Household::greeting(TRUEUP);
    user_layer(&household, "[sandbox]\nmode = \"outter\"\n");
    let refused = household.trueup(&["status"]);
    assert!(
        refused.code == 2 && refused.stderr.contains("did you mean `outer`?"),
        "{refused:#?}"
    );
}

#[test]
fn trust_says_when_there_is_no_wall() {
    for (mode, words) in [
        ("bubblewrap", "each inside a sandbox"),
        ("outer", "no wall but the container"),
        ("none", "WITHOUT ANY SANDBOX"),
    ] {
        let shown = greeting(mode).trueup(&["trust", "--yes"]);
        assert!(shown.code == 0 && shown.stdout.contains(words), "{shown:#?}");
    }
}

#[test]
fn preparations_are_laid_without_a_wall_too() {
    for mode in ["outer", "none"] {
        let household = greeting(mode);
        household.file(
            "prepare.sh",
            "mkdir -p deps ~/.deps && echo 1 > deps/one && echo 2 > ~/.deps/two\n",
        );
        household.file("lock", "1\n");
        household.file(
            "tests/world.sh",
            "cat deps/one ~/.deps/two && rm -r deps/one ~/.deps/two\n",
        );
        household.file(".gitignore", "deps/\n");
        repository_layer(
            &household,
            "[prepare.deps]\nrun = \"sh prepare.sh\"\nkey = [\"lock\"]\nkeep = [\"deps\", \"~/.deps\"]\n",
        );
        household.commit("Something to prepare");
        let run = household.trueup(&["run", "T-001"]);
        assert_eq!(run.code, 0, "{mode}: {run:#?}");
        let delivered = household.git(&["ls-tree", "-r", "--name-only", "trueup/T-001"]);
        assert!(!delivered.contains("deps/"), "{delivered}");
    }
}
