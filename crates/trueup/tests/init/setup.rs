//! What `init` writes, asks and leaves alone.

use crate::fixtures::{self, bare};
use std::{fs, process::Command};
use trueup_testkit::household::{Household, Output, output};

fn read(household: &Household, name: &str) -> String {
    fs::read_to_string(household.checkout().join(name)).unwrap_or_default()
}

/// A program of this name on the path, as somebody has it who installed it.
fn install(household: Household, name: &str) -> Household {
    let bin = household.folder().join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    fs::write(bin.join(name), "#!/bin/sh\n").expect("a program");
    let path = std::env::var("PATH").expect("a PATH");
    let path = format!("{}:{path}", bin.display());
    household.with_variable("PATH", &path)
}

#[test]
fn a_repository_without_a_commit_is_told_what_to_type() {
    let household = bare();
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("no commit yet"), "{ended:#?}");
    assert!(ended.stderr.contains("git add --all && git commit"), "{ended:#?}");
    assert_eq!(
        fs::read_dir(household.checkout()).expect("the checkout").count(),
        1,
        "only .git"
    );
}

#[test]
fn a_repository_whose_commit_cannot_be_read_is_not_said_to_have_none() {
    let household = fixtures::MAKE.lay();
    let blob = household.git(&["rev-parse", "HEAD:Makefile"]);
    let (folder, rest) = blob.split_at(2);
    fs::remove_file(household.checkout().join(".git/objects").join(folder).join(rest)).expect("the object");
    let ended = household.trueup(&["init", "--yes"]);
    assert_ne!(ended.code, 0, "{ended:#?}");
    assert!(!ended.stderr.contains("no commit yet"), "{ended:#?}");
    assert!(ended.stderr.contains(&blob), "{ended:#?}");
    assert_eq!(read(&household, "trueup.toml"), "", "nothing is written");
}

#[test]
fn what_is_there_is_not_overwritten_and_not_trusted() {
    let household = fixtures::MAKE.lay();
    household.file("trueup.toml", "version = 1\n");
    household.file("tasks/T-001.md", "mine\n");
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let wrote = "Wrote tasks/.gitignore; trueup.toml was there already.\n";
    assert!(ended.stdout.starts_with(wrote), "{ended:#?}");
    assert_eq!(read(&household, "trueup.toml"), "version = 1\n");
    assert_eq!(read(&household, "tasks/T-001.md"), "mine\n");
    assert_eq!(household.trueup(&["check"]).code, 4, "nobody trusted it");
    let again = household.trueup(&["init", "--yes"]);
    assert!(again.stdout.starts_with("Nothing to write"), "{again:#?}");
}

#[test]
fn a_local_layer_that_was_not_shown_is_not_trusted_along() {
    let household = fixtures::MAKE.lay();
    household.file("trueup.local.toml", "[checks.sly]\nrun = \"sh sly.sh\"\n");
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 4, "{ended:#?}");
    assert!(ended.stdout.contains("no check was executed"), "{ended:#?}");
    assert!(ended.stderr.contains("\n  trueup trust\n"), "{ended:#?}");
}

#[test]
fn tasks_that_are_there_get_no_first_task_beside_them() {
    let household = fixtures::MAKE.lay();
    household.file("tasks/T-007.md", "mine\n");
    let said = household.json(&["init", "--yes", "--json"]);
    assert_eq!(said["task"], serde_json::Value::Null);
    assert!(!read(&household, "trueup.toml").contains("demo-agent"));
    assert_eq!(read(&household, "tasks/T-001.md"), "");
}

#[test]
fn a_check_whose_program_is_missing_is_said_not_to_have_run() {
    let household = fixtures::GO.lay();
    household.file(".golangci.yml", "version: \"2\"\n");
    household.commit("A linter that nobody installed");
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let row = ended
        .stdout
        .lines()
        .find(|line| line.starts_with("  lint"))
        .unwrap_or_default();
    assert!(
        row.contains("not executed") && row.contains("golangci-lint"),
        "{}",
        ended.stdout
    );
}

#[test]
fn every_finding_says_where_it_was_found_and_doubts_stay_comments() {
    let household = install(fixtures::GO.lay(), "codex");
    household.trueup(&["init", "--yes"]);
    let text = read(&household, "trueup.toml");
    for line in [
        "base = \"main\"    # tasks start from here: the branch others start from",
        "[checks.test]    # go.mod",
        "# [checks.coverage]    # go.mod: it prints figures and passes whatever they are",
        "# [agent.codex]",
        "# kind = \"codex\"    # `trueup agent test codex` says whether it answers",
        "# default = \"codex\"    # works on every task that names nobody",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn a_branch_that_is_not_the_default_one_is_not_chosen_for_ever() {
    let household = fixtures::MAKE.lay();
    household.git(&["checkout", "--quiet", "-b", "feature"]);
    household.trueup(&["init", "--yes"]);
    let text = read(&household, "trueup.toml");
    assert!(
        text.contains("base = \"HEAD\"    # tasks start from here: what is checked out; `main` is"),
        "{text}"
    );
}

#[test]
fn the_branch_that_origin_shows_is_the_base_whatever_it_is_called() {
    let household = fixtures::MAKE.lay();
    household.git(&["branch", "trunk"]);
    household.git(&["checkout", "--quiet", "trunk"]);
    household.git(&["update-ref", "refs/remotes/origin/trunk", "HEAD"]);
    household.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    let said = household.json(&["init", "--yes", "--json"]);
    assert_eq!(said["base"]["name"], "trunk", "{said:#}");
}

#[test]
fn a_preparation_is_handed_the_way_to_the_network_that_this_machine_has() {
    let household = fixtures::NPM.lay();
    let household = household
        .with_variable("HTTPS_PROXY", "http://proxy.invalid:3128")
        .with_variable("PIP_INDEX_URL", "http://python.invalid/simple");
    household.trueup(&["init", "--yes"]);
    let text = read(&household, "trueup.toml");
    let passed = text
        .lines()
        .find(|line| line.starts_with("pass_env"))
        .unwrap_or_default();
    assert!(passed.contains("\"HTTPS_PROXY\""), "{text}");
    assert!(!passed.contains("PIP_INDEX_URL"), "npm does not heed it: {text}");
}

#[test]
fn a_preparation_that_fails_is_told_once_and_nothing_is_called_green() {
    let household = fixtures::NPM.lay();
    household.file(
        "package.json",
        "{\"scripts\": {\"test\": \"true\", \"lint\": \"true\"}, \"dependencies\": {\"words\": \"file:./nowhere\"}}\n",
    );
    household.commit("A lock file that does not fit");
    let ended = household.trueup(&["init", "--yes"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let said = ended.stdout;
    assert_eq!(said.matches("[prepare.node] `npm ci").count(), 1, "{said}");
    assert!(said.contains("  lint      not executed    0.0s  as above\n"), "{said}");
    assert!(said.contains("\n0 of 2 checks green"), "{said}");
    assert!(
        ended.stderr.contains("Not green:\n  test, lint (trueup.toml, line "),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("Then see a whole run"), "{}", ended.stderr);
    assert!(!read(&household, "tasks/T-001.md").contains("guard:"));
}

#[test]
fn what_is_red_and_runs_no_tests_is_commented_out_with_its_reason() {
    let household = fixtures::MAKE.lay();
    let makefile = "test:\n\ttrue\nlint:\n\techo 'two faults' >&2; false\nbuild:\n\ttrue\n";
    household.file("Makefile", makefile);
    household.commit("Red lint");
    let said = household.json(&["init", "--yes", "--json"]);
    let off = |name: &str| {
        let mut checks = said["checks"].as_array().expect("checks").iter();
        checks.find(|check| check["name"] == name).expect("the check")["switched_off"].clone()
    };
    assert_eq!(
        (off("test"), off("lint"), off("build")),
        (false.into(), true.into(), false.into())
    );
    let text = read(&household, "trueup.toml");
    let lint = "# Not green on main, so switched off: exit 2, make: *** [Makefile:4: lint] Error 1\n# [checks.lint]    # Makefile, target `lint`\n# run = \"make lint\"\n\n[checks.build]";
    assert!(text.contains(lint), "{text}");
    assert_eq!(household.trueup(&["check"]).code, 0, "what is left was allowed");
    assert_eq!(household.trueup(&["new", "A task"]).code, 0);
    let task = read(&household, "tasks/T-002.md");
    assert!(task.contains("test") && !task.contains("lint"), "{task}");
    let again = household.trueup(&["init", "--refresh", "--yes"]);
    assert!(again.stdout.contains("Nothing to change"), "{again:#?}");
    // Where no test is green, something larger is wrong.
    let household = fixtures::MAKE.lay();
    household.file("Makefile", &makefile.replace("true", "false"));
    household.commit("All red");
    household.trueup(&["init", "--yes"]);
    assert!(!read(&household, "trueup.toml").contains("switched off"));
}

/// What `init` does on a terminal where somebody types this.
fn answered(household: &Household, answers: &str) -> Output {
    let mut script = Command::new("sh");
    household.furnish(&mut script);
    let binary = env!("CARGO_BIN_EXE_trueup");
    let line = format!("printf '{answers}' | script --quiet --return --command '{binary} init' /dev/null");
    output(script.env("TERM", "xterm").args(["-c", &line]))
}

#[test]
fn a_person_is_asked_for_a_yes_and_for_what_is_not_plain() {
    let plain = fixtures::MAKE.lay();
    let path = "/usr/local/bin:/usr/bin:/bin";
    let plain = plain.with_variable("PATH", path);
    let said = answered(&plain, "y\\n");
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!(said.stdout.matches("] ").count(), 1, "{said:#?}");
    let household = install(fixtures::MAKE.lay(), "claude");
    household.git(&["checkout", "--quiet", "-b", "feature"]);
    let said = answered(&household, "main\\nnobody-such\\nclaude\\ny\\n");
    assert_eq!(said.code, 0, "{said:#?}");
    assert!(said.stdout.contains("From where do tasks start"), "{said:#?}");
    assert!(said.stdout.contains("Who works on your tasks"), "{said:#?}");
    assert!(said.stdout.contains("Baseline on main"), "{said:#?}");
    let text = read(&household, "trueup.toml");
    assert!(text.contains("\nbase = \"main\""), "{text}");
    assert!(text.contains("\ndefault = \"claude\""), "{text}");
    assert!(text.contains("\n[agent.claude]\nkind = \"claude-code\""), "{text}");
}

/// What `init --refresh` does on a terminal where somebody types this.
fn refreshed(household: &Household, answers: &str) -> Output {
    let mut script = Command::new("sh");
    household.furnish(&mut script);
    let binary = env!("CARGO_BIN_EXE_trueup");
    let line = format!("printf '{answers}' | script --quiet --return --command '{binary} init --refresh' /dev/null");
    output(script.env("TERM", "xterm").args(["-c", &line]))
}

#[test]
fn a_refresh_shows_what_is_new_and_keeps_what_a_person_wrote() {
    let household = fixtures::MAKE.lay();
    let mine = "version = 1\n\n# Mine.\n[checks.all]    # both\nrun = \"make test\"\n\n[checks.unit]\nrun = \"pytest\"\n\n# [checks.lint]\n# run = \"make lint\"\n";
    household.file("trueup.toml", mine);
    household.file("requirements.txt", "pytest\n");
    household.file("Makefile", "test:\n\ttrue\nlint:\n\ttrue\nbuild:\n\ttrue\n");
    household.commit("More");
    let waits = household.trueup(&["init", "--refresh"]);
    assert_eq!(waits.code, 4, "{waits:#?}");
    assert!(
        waits.stdout.contains("+ [checks.build]    # Makefile, target `build`"),
        "{waits:#?}"
    );
    assert!(waits.stderr.contains("trueup init --refresh --yes"), "{waits:#?}");
    assert_eq!(read(&household, "trueup.toml"), mine, "nothing is written before a yes");
    assert_eq!(refreshed(&household, "n\\n").code, 4);
    assert_eq!(read(&household, "trueup.toml"), mine);
    let said = refreshed(&household, "y\\n");
    assert_eq!(said.code, 0, "{said:#?}");
    let text = read(&household, "trueup.toml");
    assert!(text.starts_with(mine.trim_end()), "{text}");
    assert!(
        text.contains("\n[prepare.python]") && text.contains("\n[checks.build]"),
        "{text}"
    );
    assert!(!text.contains("\n[checks.lint]"), "it was commented out: {text}");
    assert!(
        !text.contains("run = \"make test\"\n\n[checks.test]"),
        "it has another name: {text}"
    );
    let again = household.trueup(&["init", "--refresh", "--yes"]);
    assert!(
        again.code == 0 && again.stdout.contains("Nothing to change"),
        "{again:#?}"
    );
    assert_eq!(read(&household, "trueup.toml"), text);
}

#[test]
fn a_refresh_asks_a_check_that_is_called_as_it_was_found_for_a_report() {
    let household = fixtures::MAKE.lay();
    household.file("requirements.txt", "pytest\n");
    household.file("test_a.py", "def test_a():\n    assert True\n");
    household.git(&["rm", "--quiet", "--cached", "Makefile"]);
    std::fs::remove_file(household.checkout().join("Makefile")).expect("the Makefile");
    household.commit("Python");
    let config = |run: &str| {
        let prepare = "[prepare.python]\nrun = \"true\"\nkey = [\"requirements.txt\"]\nkeep = [\".venv\"]\n";
        format!("version = 1\n\n{prepare}\n[checks.test]\nrun = \"{run}\"    # all\ntimeout = \"5m\"\n")
    };
    household.file("trueup.toml", &config(".venv/bin/python -m pytest -x"));
    let kept = household.json(&["init", "--refresh", "--yes", "--json"]);
    assert_eq!(kept["changes"], serde_json::json!([]), "a person's own command stays");
    household.file("trueup.toml", &config(".venv/bin/python -m pytest"));
    let document = household.json(&["init", "--refresh", "--yes", "--json"]);
    assert_eq!(
        document["changes"],
        serde_json::json!([
            "  [checks.test]",
            "- run = \".venv/bin/python -m pytest\"    # all",
            "+ run = \".venv/bin/python -m pytest '--junitxml={{out}}/junit.xml'\"    # all",
            "  timeout = \"5m\"",
            "+ parse = \"junit\"",
        ])
    );
}

/// Whether anything was started in a sandbox, and how it ended.
fn executes(init: impl Fn(&Household) -> Output) -> (bool, Output) {
    let household = fixtures::MAKE.lay();
    let points = household.folder().join("points");
    let household = household.with_variable("TRUEUP_CRASH_LOG", &points.display().to_string());
    let ended = init(&household);
    let passed = fs::read_to_string(points).unwrap_or_default();
    (passed.contains("sandbox.spawned"), ended)
}

#[test]
fn nothing_of_a_repository_is_executed_before_a_yes() {
    let (executed, said) = executes(|household| household.trueup(&["init", "--yes"]));
    assert!(executed && said.code == 0, "{said:#?}");
    let (executed, said) = executes(|household| answered(household, "y\\n"));
    assert!(executed && said.code == 0, "{said:#?}");
    let silent = |household: &Household| household.trueup(&["init"]);
    let json = |household: &Household| household.trueup(&["init", "--json"]);
    let refused = |household: &Household| answered(household, "\\n");
    for init in [&silent as &dyn Fn(&Household) -> Output, &json, &refused] {
        let (executed, said) = executes(init);
        assert!(!executed && said.code == 4, "{said:#?}");
        let told = format!("{}{}", said.stdout, said.stderr);
        assert!(told.contains("trueup trust"), "{told}");
    }
}
