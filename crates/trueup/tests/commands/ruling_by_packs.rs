//! Rules of a repository's own: they ask, note, are trusted, and hold for a
//! whole run.

use serde_json::Value;
use std::fs;
use trueup_testkit::household::{Household, Output};

const RULE: &str = "shop/no-print";

const PACK: &str = r#"languages = ["python"]

[[rule]]
id = "shop/no-print"
level = "ask"
where = "production"
code = ['\bprint\(']
message = "prints, where the shop logs"
why = "What is printed is in no log."
bad = ["print(total)"]
good = ["log.info(total)"]
"#;

/// The same without a rule that anything breaks.
const EMPTY: &str = "languages = []\nrule = []\n";

const TASK: &str = "- [ ] **AC-1** It greets by name.\n  - verify: `sh by_name.sh`\n";

/// Greets, and leaves a module that prints.
const AGENT: &str = "echo 'echo \"Hello, ${1:-world}\"' > greet.sh\nprintf 'print(1)\\n' > price.py\n";

/// The same, and takes the rule out of the pack.
const SLY: &str = "echo 'echo \"Hello, ${1:-world}\"' > greet.sh\nprintf 'print(1)\\n' > price.py\n\
                   printf 'languages = []\\nrule = []\\n' > tools/rules.toml\n";

fn household(agent: &str, pack: &str, front_matter: &str) -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent).with_variable("TRUEUP_TRUST", "0");
    household.file("greet.sh", "echo \"Hello, world\"\n");
    household.file("by_name.sh", "test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n");
    household.file("tools/rules.toml", pack);
    let task = format!("---\nv: 1\nid: T-001\ntitle: Greet\n{front_matter}---\n## Acceptance criteria\n\n{TASK}");
    household.task("T-001", &task);
    household.commit("A greeting");
    household
}

/// Lays keys into the repository's configuration.
fn configured(household: &Household, rules: &str) {
    let path = household.checkout().join("trueup.toml");
    let written = fs::read_to_string(path).expect("a configuration");
    household.file("trueup.toml", &format!("{written}\n[rules]\n{rules}\n"));
}

fn trusted(household: &Household) {
    let trust = household.trueup(&["trust", "--yes"]);
    assert_eq!(trust.code, 0, "{trust:#?}");
}

/// A household whose pack is named and trusted, with more keys beside it.
fn ruled(agent: &str, front_matter: &str, rules: &str) -> Household {
    let household = household(agent, PACK, front_matter);
    configured(&household, &format!("packs = [\"tools/rules.toml\"]\n{rules}"));
    trusted(&household);
    household
}

/// What was objected to: the file, the rule, its level, and what became of it.
fn settled(household: &Household) -> Vec<[String; 4]> {
    let show = household.show("T-001");
    let objections = show["objections"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |one: &Value| {
        let objection = &one["objection"];
        let rule = &objection["rule"];
        [&objection["path"], &rule["id"], &rule["level"], &one["settled"]].map(text)
    };
    objections.iter().map(of).collect()
}

fn printed(level: &str, settled: &str) -> [String; 4] {
    ["price.py", RULE, level, settled].map(str::to_owned)
}

#[test]
fn a_rule_of_a_repositorys_pack_asks_and_is_explained() {
    let household = ruled(AGENT, "", "");
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 4, "{run:#?}");
    assert!(run.stderr.contains("prints, where the shop logs"), "{run:#?}");
    assert!(run.stderr.contains(&format!("[{RULE}]")), "{run:#?}");
    assert_eq!(settled(&household), [printed("ask", "open")]);
    assert_eq!(household.trueup(&["approve", "T-001"]).code, 0);
    assert_eq!(settled(&household), [printed("ask", "approved")]);
    let explained = household.trueup(&["rules", "explain", RULE]);
    for part in [
        "What is printed is in no log.",
        "A rule of tools/rules.toml.",
        "Level ask",
    ] {
        assert!(explained.stdout.contains(part), "{part}: {explained:#?}");
    }
}

#[test]
fn a_rule_of_a_pack_that_is_switched_to_a_note_stops_nobody() {
    let household = ruled(AGENT, "", &format!("\"{RULE}\" = \"note\""));
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    assert_eq!(settled(&household), [printed("note", "noted")]);
    let trust = household.trueup(&["trust", "--yes"]);
    assert!(
        trust
            .stdout
            .contains(&format!("! nobody is asked about what breaks {RULE}")),
        "{trust:#?}"
    );
}

#[test]
fn a_task_allows_what_breaks_a_rule_of_a_pack() {
    let household = ruled(AGENT, &format!("allow:\n  rules: [\"{RULE}@price.py\"]\n"), "");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    assert_eq!(settled(&household), [printed("ask", "allowed")]);
}

#[test]
fn rules_of_packs_are_listed_behind_the_others_with_their_files() {
    let household = ruled(AGENT, "", "");
    let listed = household.trueup(&["rules"]);
    let line = listed.stdout.lines().find(|line| line.starts_with(RULE));
    let line = line.unwrap_or_default();
    assert!(
        line.contains("  ask   prints, where the shop logs (tools/rules.toml)"),
        "{listed:#?}"
    );
    let document = household.json(&["rules", "--json"]);
    let rules = document["rules"].as_array().expect("rules");
    let last = rules.last().expect("a rule");
    assert_eq!((&last["id"], &last["file"]), (&RULE.into(), &"tools/rules.toml".into()));
    assert_eq!(rules.first().expect("a rule")["file"], Value::Null);
}

#[test]
fn a_pack_is_shown_before_it_is_trusted_and_a_changed_one_asks_again() {
    let household = household(AGENT, PACK, "");
    configured(&household, "packs = [\"tools/rules.toml\"]");
    let asked = household.trueup(&["trust"]);
    assert_eq!(asked.code, 4, "{asked:#?}");
    assert!(
        asked
            .stdout
            .contains("  look at changes by the rules in tools/rules.toml"),
        "{asked:#?}"
    );
    trusted(&household);
    assert_eq!(household.trueup(&["check", "T-001"]).code, 0);
    household.file("tools/rules.toml", EMPTY);
    for command in ["check", "run"] {
        let refused = household.trueup(&[command, "T-001"]);
        assert_eq!(refused.code, 4, "{refused:#?}");
        assert!(refused.stderr.contains("trueup trust"), "{refused:#?}");
    }
    trusted(&household);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
}

#[test]
fn a_pack_that_cannot_be_read_is_refused_with_its_line_by_every_command() {
    let household = household(AGENT, PACK, "");
    configured(&household, "packs = [\"tools/rules.toml\"]");
    for (pack, told) in [
        (
            PACK.replace("level = \"ask\"", "level = \"loud\""),
            "tools/rules.toml:5: ",
        ),
        (PACK.replace("message", "mesage"), "tools/rules.toml:8: "),
        (
            PACK.replace("shop/no-print", "py/ends-process"),
            "tools/rules.toml:4: `py/ends-process` is the id of a rule that comes with trueup",
        ),
        (
            PACK.replace(r"\bprint\(", "print("),
            "tools/rules.toml:4: `shop/no-print` looks for `print(`, which is no regular expression",
        ),
    ] {
        household.file("tools/rules.toml", &pack);
        for command in [&["status"][..], &["rules"], &["trust", "--yes"], &["run", "T-001"]] {
            let Output { code, stderr, .. } = household.trueup(command);
            assert!(code == 2 && stderr.contains(told), "{command:?}: {told}: {stderr}");
            assert!(stderr.contains("trueup rules"), "what to type: {stderr}");
        }
    }
    fs::remove_file(household.checkout().join("tools/rules.toml")).expect("the pack");
    let Output { code, stderr, .. } = household.trueup(&["run", "T-001"]);
    let told = "there is no file `tools/rules.toml`";
    assert!(code == 2 && stderr.contains(told), "{stderr}");
    household.file("trueup.toml", "[rules]\npacks = [\"../rules.toml\"]\n");
    let Output { code, stderr, .. } = household.trueup(&["status"]);
    assert!(
        code == 2 && stderr.contains("is not a file inside the repository"),
        "{stderr}"
    );
    household.file("trueup.toml", "version = 1\n[rules]\npacks = \"tools/rules.toml\"\n");
    let Output { code, stderr, .. } = household.trueup(&["status"]);
    assert!(code == 2 && stderr.contains("trueup.toml:3: "), "{stderr}");
}

#[test]
fn a_candidate_that_changes_the_pack_is_asked_about_and_judged_by_the_old_one() {
    let household = ruled(SLY, "", "");
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 4, "{run:#?}");
    let of_pack = ["tools/rules.toml", "any/trueup-settings", "ask", "open"].map(str::to_owned);
    let mut found = settled(&household);
    found.sort();
    assert_eq!(found, [printed("ask", "open"), of_pack]);
}

#[test]
fn a_run_keeps_the_packs_that_it_was_opened_with() {
    let household = ruled(AGENT, "", "");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 4);
    let judged = || {
        let events = household.events("T-001").len();
        (
            events,
            settled(&household)
                .into_iter()
                .map(|[_, rule, ..]| rule)
                .collect::<Vec<_>>(),
        )
    };
    let (before, _) = judged();
    household.file("tools/rules.toml", EMPTY);
    trusted(&household);
    let rejected = household.trueup(&["reject", "T-001", "it prints"]);
    assert_eq!(
        rejected.code, 4,
        "the agent leaves it, and it is asked about again: {rejected:#?}"
    );
    let (after, rules) = judged();
    assert!(after > before + 1, "it was judged again");
    assert_eq!(rules, [RULE]);
}

#[test]
fn a_persons_own_pack_lies_beside_their_file_and_counts_beside_the_repositorys() {
    let household = household(AGENT, EMPTY, "");
    let own = household.home().join(".config/trueup");
    fs::create_dir_all(&own).expect("a folder");
    fs::write(own.join("config.toml"), "[rules]\npacks = [\"mine.toml\"]\n").expect("a file");
    fs::write(own.join("mine.toml"), PACK).expect("a pack");
    configured(&household, "packs = [\"tools/rules.toml\"]");
    trusted(&household);
    assert_eq!(household.trueup(&["run", "T-001"]).code, 4);
    assert_eq!(settled(&household), [printed("ask", "open")]);
    let shown = household.trueup(&["config", "show", "--origin"]);
    assert_eq!(
        shown
            .stdout
            .lines()
            .filter(|line| line.starts_with("rules.packs = "))
            .count(),
        2,
        "{shown:#?}"
    );
}

#[test]
fn a_pack_is_named_by_config_set_only_where_it_can_be_read() {
    let household = household(AGENT, PACK, "");
    let named = household.trueup(&["config", "set", "rules.packs", "[\"tools/rules.toml\"]"]);
    assert_eq!(named.code, 0, "{named:#?}");
    let refused = household.trueup(&["config", "set", "rules.packs", "[\"tools/nothing.toml\"]"]);
    assert!(
        refused.code == 2 && refused.stderr.contains("there is no file `tools/nothing.toml`"),
        "{refused:#?}"
    );
}
