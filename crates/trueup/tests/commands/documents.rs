//! The documents programs read: their keys, and that every command has one.

use serde_json::Value;
use trueup_testkit::household::Household;

fn verified() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let ended = household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    household
}

fn keys(document: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = document
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

#[test]
fn show_says_where_the_time_went() {
    let household = verified();
    let time = &household.show("T-001")["time"];
    let activities = time["activities"].as_array().expect("activities");
    let activities: Vec<&str> = activities.iter().filter_map(|one| one["activity"].as_str()).collect();
    assert_eq!(activities, ["baseline", "turns", "checks", "delivery"]);
    let shown = household.trueup(&["show", "T-001", "--time"]);
    assert_eq!(shown.code, 0, "{shown:#?}");
    for word in [
        "baseline",
        "turns",
        "2 times",
        "checks",
        "delivery",
        "times the slowest guard",
    ] {
        assert!(shown.stdout.contains(word), "{word}: {}", shown.stdout);
    }
}

#[test]
fn show_carries_every_promised_key() {
    let household = verified();
    let shown = household.show("T-001");
    assert_eq!(
        keys(&shown),
        [
            "branch",
            "commit",
            "criteria",
            "fate",
            "isolated",
            "isolation",
            "last_run",
            "objections",
            "outcome",
            "refusals",
            "run",
            "self_tested",
            "spent",
            "task",
            "time",
            "title",
            "tree",
            "turn_limit",
            "turns",
            "v",
            "valid",
            "waits_for",
            "waiver"
        ]
    );
    assert_eq!(shown["v"], 1);
    assert_eq!(shown["isolated"], true);
    assert_eq!(shown["isolation"], "bubblewrap");
    assert_eq!(shown["turns"], 2);
    for criterion in shown["criteria"].as_array().expect("criteria") {
        assert_eq!(
            keys(criterion),
            ["base", "checks", "evidence", "id", "kind", "text", "verdict"]
        );
        assert_eq!(keys(&criterion["base"]), ["verdict"]);
        for evidence in criterion["evidence"].as_array().expect("evidence") {
            assert_eq!(
                keys(evidence),
                [
                    "argv",
                    "because",
                    "check",
                    "duration_ms",
                    "exit",
                    "key",
                    "layers",
                    "network",
                    "runs",
                    "sandbox",
                    "saw",
                    "sockets",
                    "stderr",
                    "stdout",
                    "tally",
                    "tree",
                    "valid",
                    "warmth"
                ]
            );
            assert_eq!(keys(&evidence["stdout"]), ["bytes", "digest", "erased"]);
            assert_eq!(keys(&evidence["stderr"]), ["bytes", "digest", "erased"]);
            assert_eq!(evidence["tree"], shown["tree"]);
            assert_eq!(evidence["valid"], true);
        }
    }
}

#[test]
fn show_tells_goals_from_guards_and_programs_from_facts() {
    let household = verified();
    let shown = household.show("T-001");
    let criteria = shown["criteria"].as_array().expect("criteria");
    let about: Vec<(&Value, &Value, &Value, &Value)> = criteria
        .iter()
        .map(|of| (&of["id"], &of["kind"], &of["verdict"], &of["base"]["verdict"]))
        .collect();
    let text = |text: &str| Value::from(text);
    assert_eq!(
        about,
        [
            (&text("AC-1"), &text("goal"), &text("met"), &text("red")),
            (&text("AC-2"), &text("guard"), &text("met"), &text("green")),
            (&text("AC-3"), &text("goal"), &text("met"), &text("red")),
        ]
    );
    let first = &criteria[0]["evidence"][0];
    assert_eq!(first["argv"], serde_json::json!(["sh", "tests/by_name.sh"]));
    assert_eq!(
        (&first["exit"], &first["sandbox"]),
        (&Value::from(0), &text("bubblewrap"))
    );
    let last = &criteria[2]["evidence"][0];
    assert_eq!((&last["exit"], &last["sandbox"]), (&Value::Null, &text("engine")));
}

#[test]
fn every_command_answers_with_one_versioned_document() {
    let household = verified();
    let commands: [&[&str]; 13] = [
        &["new", "Another"],
        &["check", "T-001"],
        &["verify", "T-001"],
        &["status"],
        &["show", "T-001"],
        &["diff", "T-001"],
        &["log", "T-001", "--turn", "1"],
        &["doctor"],
        &["trust", "--yes"],
        &["init"],
        // A failure is a document, too.
        &["resume"],
        &["stop", "T-001"],
        &["show", "T-404"],
    ];
    for command in commands {
        let document = household.json(&[command, &["--json"]].concat());
        assert_eq!(document["v"], 1, "{command:?}: {document}");
    }
}

#[test]
fn what_was_printed_is_a_document_too() {
    let household = verified();
    let told = household.json(&["log", "T-001", "--turn", "1", "--json"]);
    assert_eq!(keys(&told), ["digest", "erased", "text", "v"]);
    assert_eq!(told["text"], "All done, every criterion is met!\n", "{told}");
    let digest = told["digest"].as_str().expect("a digest");
    assert_eq!(household.json(&["log", "T-001", "--blob", digest, "--json"]), told);
}

#[test]
fn a_run_and_its_log_are_the_same_stream_of_events() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let ended = household.trueup(&["run", "T-001", "--json"]);
    let lines: Vec<Value> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("a document"))
        .collect();
    let (rest, streamed) = lines.split_last().expect("an end");
    assert_eq!(
        *rest,
        serde_json::json!({
            "v": 1, "type": "rest", "run": "T-001.1", "outcome": "verified", "exit": 0, "refusals": [],
            "isolated": true, "isolation": "bubblewrap", "self_tested": [],
            "worked_ms": 0, "spent": rest["spent"],
        })
    );
    assert_eq!(streamed, household.events("T-001"));
    let numbers: Vec<&Value> = streamed.iter().map(|event| &event["seq"]).collect();
    assert_eq!(
        numbers,
        (0..streamed.len())
            .map(Value::from)
            .collect::<Vec<_>>()
            .iter()
            .collect::<Vec<_>>()
    );
}
