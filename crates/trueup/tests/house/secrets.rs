//! Secrets of the environment reach the agent they are handed to, and nothing
//! that is stored or shown.

use std::{fs, path::Path};
use trueup_testkit::household::Household;

const SECRET: &str = "tk/9f8e7d6c+5b4a3210";
/// The same, as URLs and base64 show it.
const DRESSED: [&str; 3] = [SECRET, "tk%2F9f8e7d6c%2B5b4a3210", "dGsvOWY4ZTdkNmMrNWI0YTMyMTA"];
/// What nobody calls a secret.
const PLAIN: &str = "plainly-said-0123456789";

const AGENT: &str = r#"
echo "my token is $DEPLOY_TOKEN, said plainly-said-0123456789"
printf 'cut '; printf '%s' "$DEPLOY_TOKEN" | cut -c1-7 | tr -d '\n'; sleep 0.2; printf '%s\n' "$DEPLOY_TOKEN" | cut -c8-
printf '%s' "$DEPLOY_TOKEN" | base64
echo "tk%2F9f8e7d6c%2B5b4a3210" >&2
printf '%s' "$DEPLOY_TOKEN" > token.txt
[ "$TRUEUP_TURN" = 1 ] || echo 'echo "Hello, ${1:-world}"' > greet.sh
printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
"#;

/// Where a text stands in what is stored as it is: bodies, runs, the journal.
fn stored(household: &Household, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for place in ["blobs", "runs", "sandbox", "journal.db", "journal.db-wal", "usage.json"] {
        search(&household.state().join(place), text.as_bytes(), &mut found);
    }
    found
}

fn search(path: &Path, text: &[u8], found: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            search(&entry.path(), text, found);
        }
    } else if let Ok(bytes) = fs::read(path) {
        // The index of a snapshot names files, and a tree is not ours to edit.
        if bytes.windows(text.len()).any(|window| window == text) {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn a_secret_reaches_its_agent_and_nothing_that_is_stored_or_shown() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup")).with_variable("DEPLOY_TOKEN", SECRET);
    household.set_agent(AGENT);
    let config = household.checkout().join("trueup.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(config, format!("{text}pass_env = [\"DEPLOY_TOKEN\"]\n")).unwrap();
    // A check that prints it and fails after the first turn, so that the next prompt tells of it.
    household.file(
        "tests/by_name.sh",
        "cat token.txt; test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n",
    );
    household.file(
        "tests/handed.sh",
        "test \"$(wc -c < token.txt)\" = 20 && cat token.txt\n",
    );
    let task = fs::read_to_string(household.checkout().join("tasks/T-001.md")).unwrap();
    let task = task + "- [ ] **AC-4** The agent was handed its token.\n  - verify: `sh tests/handed.sh`\n";
    household.task("T-001", &task);
    household.commit("A token is printed");
    let ended = household.trueup(&["run", "T-001", "--json"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let shown = household.show("T-001");
    let verdict = |number: usize| {
        shown["criteria"][number]["verdict"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        verdict(3),
        "met",
        "the agent got its token, and its check read it: {shown:#}"
    );
    let said: Vec<String> = [
        ["log", "T-001", "--turn", "1"].as_slice(),
        &["log", "T-001", "--turn", "2"],
        &["log", "T-001", "--json"],
        &["show", "T-001"],
    ]
    .iter()
    .map(|words| household.trueup(words).stdout)
    .chain([ended.stdout, ended.stderr])
    .collect();
    for dress in DRESSED {
        assert_eq!(stored(&household, dress), Vec::<String>::new(), "{dress} is stored");
        assert!(said.iter().all(|said| !said.contains(dress)), "{dress} is shown");
    }
    assert!(
        said[0].contains("my token is [DEPLOY_TOKEN redacted], said"),
        "{}",
        said[0]
    );
    assert!(said[0].contains("cut [DEPLOY_TOKEN redacted]"), "{}", said[0]);
    // The same search finds what is no secret, in the blob and the live file.
    assert!(stored(&household, PLAIN).len() >= 3, "{:?}", stored(&household, PLAIN));
    let prompt = fs::read_to_string(household.state().join("runs/T-001.1/turn-002.prompt.md")).unwrap();
    assert!(prompt.contains("[DEPLOY_TOKEN redacted]"), "{prompt}");
}
