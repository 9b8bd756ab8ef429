//! Configurations of services that are refused, each in a sentence.

use crate::place::{WEB, household};

#[test]
fn what_cannot_hold_is_refused_with_what_to_write() {
    let check = |more: &str| format!("[checks.x]\nrun = \"true\"\n{more}\n");
    for (more, words) in [
        (
            check("needs = [\"wed\"]"),
            "[checks.x] needs: there is no service `wed`; did you mean `web`?",
        ),
        (check("needs = [\"postgres\"]"), "add a [services.postgres] table"),
        (
            check("needs = [\"web\"]\nnetwork = true"),
            "it cannot have `network = true` as well",
        ),
        (
            check("sockets = [\"docker.sock\"]"),
            "`docker.sock` is not an absolute path",
        ),
        ("[services.y]\nport = 1\n".into(), "[services.y] has no `run`"),
        (
            "[services.y]\nrun = \"y\"\n".into(),
            "[services.y] needs `ready = \"command\"` or `port = N`",
        ),
        ("[services.y]\nrun = \"y | z\"\nport = 1\n".into(), "[services.y] run:"),
        (
            "[services.y]\nrun = \"y\"\nport = 1\nreadi = \"z\"\n".into(),
            "did you mean `ready`?",
        ),
    ] {
        let household = household(&format!("{WEB}\n{more}"), &["verify: fetch"]);
        let refused = household.trueup(&["check", "T-001"]);
        assert_eq!(refused.code, 2, "{more}: {refused:#?}");
        assert!(refused.stderr.contains(words), "{more}: {refused:#?}");
    }
}

#[test]
fn a_command_in_a_task_file_has_no_services() {
    let household = household(WEB, &["verify: `python3 tests/fetch.py answer.txt`"]);
    let checked = household.json(&["check", "T-001", "--json"]);
    let saw = &checked["tasks"][0]["evidence"][0]["saw"];
    assert_eq!(saw["failed"]["exit"], 9, "nobody serves: {checked:#}");
}

#[test]
fn trust_shows_what_would_run_beside_a_check() {
    let household = household(WEB, &["verify: fetch"]);
    let shown = household.trueup(&["trust", "--yes"]);
    assert!(
        shown.stdout.contains("beside it web: python3 -m http.server 8765"),
        "{shown:#?}"
    );
}
