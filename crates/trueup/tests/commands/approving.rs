//! What a run asks about is approved as a whole, by name, or key by key.

use crate::terminal::Terminal;
use serde_json::Value;
use trueup_testkit::household::Household;

/// Does the work, and brings two files along that decide how tests are run. A
/// person's no has it take one of them back.
const BRINGS: &str = r#"
echo 'echo "Hello, ${1:-world}"' > greet.sh
printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
printf '[pytest]\naddopts = -q\n' > pytest.ini
printf 'export default {}\n' > vitest.config.ts
if [ "$TRUEUP_TURN" -gt 2 ]; then rm vitest.config.ts; fi
"#;

/// A run that asks about two files.
fn asking() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(BRINGS);
    let run = household.trueup(&["run", "T-001"]);
    assert_eq!(run.code, 4, "{run:#?}");
    for line in ["\n  1 pytest.ini: ", "\n  2 vitest.config.ts: "] {
        assert!(run.stdout.contains(line), "{run:#?}");
    }
    assert!(run.stderr.contains("\n  trueup approve T-001 1\n"), "{run:#?}");
    household
}

/// What was answered, by its kind.
fn answers(household: &Household) -> Vec<String> {
    let events = household.events("T-001").into_iter();
    let answered = events.filter(|event| event["type"] == "answered");
    let kinds = answered.filter_map(|event| event["answer"].as_object()?.keys().next().cloned());
    kinds.collect()
}

#[test]
fn each_item_is_shown_with_its_own_difference_and_nothing_is_answered_by_that() {
    let household = asking();
    let plain = household.trueup(&["approve", "T-001", "--plain"]);
    assert_eq!(plain.code, 4, "{plain:#?}");
    let (first, second) = plain.stdout.split_once("2 of 2 vitest.config.ts: ").expect("two items");
    assert!(first.starts_with("1 of 2 pytest.ini: "), "{plain:#?}");
    assert!(
        first.ends_with("\n    @@ -0,0 +1,2 @@\n    +[pytest]\n    +addopts = -q\n"),
        "{plain:#?}"
    );
    assert!(
        second.ends_with("\n    @@ -0,0 +1 @@\n    +export default {}\n"),
        "{plain:#?}"
    );
    let ended = household.trueup(&["approve", "T-001", "--plain", "--json"]);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    assert_eq!(document["items"][1]["path"], "vitest.config.ts", "{document}");
    assert_eq!(document["items"][1]["item"], 2, "{document}");
    assert_eq!(answers(&household), Vec::<String>::new());
    assert_eq!(household.trueup(&["approve", "T-001", "all", "--plain"]).code, 0);
    assert_eq!(answers(&household), ["approved"]);
}

#[test]
fn what_is_named_is_approved_and_the_rest_is_asked_again() {
    let household = asking();
    let unknown = household.trueup(&["approve", "T-001", "setup.py"]);
    let said = "error: T-001.1 does not ask about `setup.py`\n  trueup approve T-001 --plain\n";
    assert_eq!((unknown.code, unknown.stderr.as_str()), (2, said), "{unknown:#?}");
    let one = household.trueup(&["approve", "T-001", "vitest.config.ts"]);
    assert_eq!(one.code, 4, "{one:#?}");
    assert!(
        one.stdout.contains("\n  ? pytest.ini: ") && !one.stdout.contains("vitest.config.ts: "),
        "{one:#?}"
    );
    let other = household.trueup(&["approve", "T-001", "1"]);
    assert_eq!(other.code, 0, "{other:#?}");
    assert_eq!(household.show("T-001")["outcome"], "verified");
    assert_eq!(answers(&household), ["approved", "approved"]);
}

#[test]
fn without_a_terminal_and_a_name_all_of_it_is_approved() {
    let household = asking();
    let all = household.trueup(&["approve", "T-001"]);
    assert_eq!(all.code, 0, "{all:#?}");
    assert_eq!(answers(&household), ["approved"]);
}

#[test]
fn on_a_terminal_each_item_is_answered_by_one_key() {
    let household = asking();
    let terminal = Terminal::open(&household, 80, "approve T-001");
    terminal.shows(&["1 of 2 pytest.ini", "    +[pytest]", "May it stay?"]);
    terminal.types(&["y"]);
    terminal.shows(&["2 of 2 vitest.config.ts", "    +export default {}"]);
    terminal.types(&["n"]);
    terminal.shows(&["Why may that not stay?"]);
    terminal.types(&["Take it back.", "Enter"]);
    terminal.shows(&["verified: 3 of 3 criteria", "ended with 0"]);
    assert_eq!(answers(&household), ["approved", "rejected"]);
    let (there, gone) = ("trueup/T-001:pytest.ini", "trueup/T-001:vitest.config.ts");
    assert_eq!(household.try_git(&["cat-file", "-e", there]).code, 0);
    assert_ne!(household.try_git(&["cat-file", "-e", gone]).code, 0);
}

#[test]
fn who_leaves_has_answered_nothing() {
    let household = asking();
    for leaving in ["q", "C-c"] {
        let terminal = Terminal::open(&household, 80, "approve T-001");
        terminal.shows(&["1 of 2 pytest.ini", "May it stay?"]);
        terminal.types(&["y"]);
        terminal.shows(&["2 of 2 vitest.config.ts"]);
        terminal.types(&[leaving]);
        terminal.shows(&["Nothing was answered.", "ended with 4"]);
    }
    assert_eq!(answers(&household), Vec::<String>::new());
}
