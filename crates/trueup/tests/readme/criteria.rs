//! What the page of good criteria would have people write can be read.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};
use trueup_testkit::household::Household;

/// Checks and a service of the names that the page uses.
const NAMES: &str = "
[checks.test]
run = \"sh tests.sh\"
parse = \"junit\"
[checks.lint]
run = \"true\"
[checks.types]
run = \"true\"
needs = [\"shop\"]
[services.shop]
run = \"sh shop.sh\"
port = 8080
";

/// The check lines of a page, in blocks and in tables.
fn check_lines(page: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in page.lines() {
        if ["- verify", "- guard"]
            .iter()
            .any(|begin| line.trim_start().starts_with(begin))
        {
            lines.push(line.trim().to_owned());
            continue;
        }
        for (fence, end) in [("`` ", " ``"), ("`", "`")] {
            for begin in ["- verify", "- guard"] {
                let opening = format!("{fence}{begin}");
                let from = line.split(&opening).skip(1);
                let rests = from.filter_map(|rest| rest.split_once(end));
                lines.extend(rests.map(|(rest, _)| format!("{begin}{rest}")));
            }
        }
    }
    lines
}

/// What `check` says of a task with these lines.
fn refusals(lines: &[String]) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let config = household.checkout().join("trueup.toml");
    let written = fs::read_to_string(&config).expect("the configuration");
    fs::write(&config, written + NAMES).expect("the configuration");
    let hidden = "tasks/hidden/T-002/discount.sh";
    household.file(hidden, "#!/bin/sh\nfalse\n");
    let hidden = household.checkout().join(hidden);
    fs::set_permissions(hidden, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    household.file("tasks/.gitignore", "hidden/\n");
    let checks: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    let task = format!(
        "---\nv: 1\nid: T-002\ntitle: All forms\n---\n\n## Acceptance criteria\n\n- [ ] **AC-1** All.\n{checks}"
    );
    household.task("T-002", &task);
    household.commit("A task");
    let document = household.json(&["check", "T-002", "--json"]);
    let told = document["tasks"][0]["refusals"].as_array().expect("refusals");
    let of_the_file = told.iter().filter(|refusal| refusal["about"] == "task file");
    of_the_file.map(|refusal| refusal["why"].to_string()).collect()
}

#[test]
fn every_check_on_the_page_of_good_criteria_can_be_read() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/criteria.md");
    let lines = check_lines(&fs::read_to_string(page).expect("the page"));
    assert!(lines.len() > 14, "{lines:#?}");
    assert_eq!(refusals(&lines), Vec::<String>::new(), "{lines:#?}");
    let bad = refusals(&["- verify: `shop | tail`".to_owned()]);
    assert_eq!(bad.len(), 1, "{bad:#?}");
}
