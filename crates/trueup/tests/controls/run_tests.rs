//! Goals that the run's own tests measure: they must fail on the base's code,
//! a person is shown them once, and every view says so.

use crate::place::{Ended, RUST_HONEST, crate_of_prices, rust, task};
use std::fs;
use trueup_testkit::household::Household;

/// Changes what is there, and what its test expects of it.
const TRIPLES: &str = "sed -i 's/2 \\* price/3 * price/' src/lib.rs\n\
                       sed -i 's/double(2), 4/double(2), 6/' tests/double.rs\n";

const ACCEPTED: &str = "allow: { self_tested: true }\n";

fn message(ended: &Ended) -> String {
    ended.household.git(&["log", "-1", "--format=%B", "trueup/T-001"])
}

#[test]
fn a_person_is_shown_the_runs_own_tests_once_and_what_they_accept_is_marked() {
    let ended = rust(&task("tests of this run", "unit", 3, ""), RUST_HONEST);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    let told = format!("{}{}", ended.run.stdout, ended.run.stderr);
    assert!(told.contains("adds") && told.contains("trueup approve"), "{told}");
    // On the base's code the new name is missing, so the work must be missed, too.
    assert_eq!(
        ended.turned("AC-1.1", "run_tests_over_base").as_deref(),
        Some("nothing")
    );
    assert_eq!(ended.turned("AC-1.1", "failing").as_deref(), Some("red"));

    let approved = ended.household.trueup(&["approve", "T-001"]);
    assert_eq!(approved.code, 0, "{approved:#?}");
    assert!(message(&ended).contains("\nSelf-tested: AC-1"), "{}", message(&ended));
    let shown = ended.household.trueup(&["show", "T-001"]);
    assert!(shown.stdout.contains("self-tested"), "{}", shown.stdout);
    let turns = ended.household.show("T-001")["turns"].clone();
    assert_eq!(turns, 1, "nobody but the person was asked");

    let verified = ended.household.trueup(&["verify", "T-001"]);
    assert_eq!(verified.code, 0, "{verified:#?}");
    ended.household.file("README.md", "Prices.\n");
    ended.household.commit("Say what it is");
    let elsewhere = ended.household.trueup(&["verify", "T-001", "--on", "HEAD"]);
    assert_eq!(elsewhere.code, 3, "no test was written there: {elsewhere:#?}");
}

#[test]
fn a_test_that_only_wants_a_name_on_the_bases_code_proves_nothing() {
    let idle = "echo 'pub const NEW: u32 = 1;' >> src/lib.rs\n\
                sed -i '1i #[allow(unused_imports)]\\nuse price::NEW;' tests/double.rs\n\
                sed -i 's/double(2), 4);/double(2), 4);\\n    assert_eq!(price::double(1), 2);/' tests/double.rs\n";
    let agent = format!("if [ \"$TRUEUP_TURN\" = 1 ]; then\n{idle}fi\n");
    let ended = rust(&task("test doubles of this run", "unit", 3, ACCEPTED), &agent);
    assert_eq!(ended.run.code, 5, "{:#?}", ended.run);
    let told = format!("{}{}", ended.run.stdout, ended.run.stderr);
    assert!(told.contains("do not load"), "{told}");
}

#[test]
fn a_task_that_accepts_them_beforehand_is_verified_and_marked() {
    let ended = rust(&task("tests of this run in unit", "unit", 1, ACCEPTED), RUST_HONEST);
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
    assert!(message(&ended).contains("\nSelf-tested: AC-1"), "{}", message(&ended));
    assert!(ended.run.stdout.contains("self-tested"), "{}", ended.run.stdout);
    let status = ended.household.trueup(&["status"]).stdout;
    assert!(status.contains("verified, self-tested"), "{status}");
    let log = ended.household.trueup(&["log", "T-001"]).stdout;
    assert!(log.contains("turned red; self-tested: AC-1"), "{log}");
    let shown = ended.household.trueup(&["show", "T-001"]).stdout;
    assert!(shown.contains("verified, self-tested"), "{shown}");
    for command in [&["status", "--json"][..], &["show", "T-001", "--json"]] {
        let document = ended.household.trueup(command).stdout;
        assert!(document.contains("\"self_tested\":[\"AC-1\"]"), "{document}");
    }
}

#[test]
fn a_person_accepts_them_for_all_tasks_and_a_repository_for_none() {
    let own = |household: &Household, text: &str| {
        let folder = household.home().join(".config/trueup");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("config.toml"), text).expect("the person's configuration");
    };
    let household = crate_of_prices(&task("tests of this run in unit", "unit", 1, ""), RUST_HONEST);
    own(&household, "[verify]\nself_tested = true\n");
    let run = household.trueup(&["run", "T-001", "--json"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(run.stdout.contains("\"self_tested\":[\"AC-1\"]"), "{}", run.stdout);

    own(&household, "");
    let path = household.checkout().join("trueup.toml");
    let written = fs::read_to_string(&path).expect("a configuration");
    fs::write(&path, format!("{written}\n[verify]\nself_tested = true\n")).expect("a configuration");
    let refused = household.trueup(&["check", "T-001"]);
    assert_eq!(refused.code, 2, "{refused:#?}");
    assert!(
        refused.stderr.contains("it would choose what counts as proof"),
        "{refused:#?}"
    );
}

#[test]
fn a_goal_may_name_a_test_of_before_as_the_run_leaves_it() {
    let ended = rust(&task("test doubles of this run", "unit", 1, ACCEPTED), TRIPLES);
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
    assert_eq!(ended.turned("AC-1.1", "run_tests_over_base").as_deref(), Some("red"));
}

#[test]
fn an_expectation_that_nobody_named_is_shown_as_old_and_new_and_asked_about() {
    let ended = rust(&task("tests of this run", "unit", 3, ACCEPTED), TRIPLES);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    let told = format!("{}{}", ended.run.stdout, ended.run.stderr);
    assert!(
        told.contains("`assert_eq!(price::double(2), 4);` → `assert_eq!(price::double(2), 6);`"),
        "{told}"
    );
    let approved = ended.household.trueup(&["approve", "T-001"]);
    assert_eq!(approved.code, 0, "{approved:#?}");
}

#[test]
fn tests_of_the_run_that_pass_without_its_work_prove_nothing() {
    let lazy = "cat > tests/total.rs <<'END'\n#[test]\nfn doubles_again() {\n    \
                assert_eq!(price::double(3), 6);\n}\nEND\n\
                cat >> src/lib.rs <<'END'\n\npub fn total(prices: &[u32]) -> u32 {\n    0\n}\nEND\n";
    let agent = format!("if [ \"$TRUEUP_TURN\" = 1 ]; then\n{lazy}fi\n");
    let ended = rust(&task("tests of this run", "unit", 3, ACCEPTED), &agent);
    assert_eq!(ended.run.code, 5, "{:#?}", ended.run);
    assert_eq!(ended.turned("AC-1.1", "run_tests_over_base").as_deref(), Some("green"));
    let told = format!("{}{}", ended.run.stdout, ended.run.stderr);
    assert!(
        told.contains("none of the run's own tests fails on the base's code"),
        "{told}"
    );
}

#[test]
fn a_goal_that_names_a_green_test_is_told_how_a_changed_one_is_written() {
    let household = crate_of_prices(&task("test doubles in unit", "unit", 1, ""), "true");
    let run = household.trueup(&["run", "T-001"]);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains("of this run"), "{told}");
}
