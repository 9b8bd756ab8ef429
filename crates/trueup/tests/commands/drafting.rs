//! Tasks that trueup drafts: from a title and the checks that are configured,
//! opened in a person's editor, and run only after their word.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};
use trueup_testkit::household::{Household, Output, output};

/// A crate whose test check tells of each test, and whose agent writes one with
/// the work.
fn household() -> Household {
    let agent = "echo 'pub fn greet(name: &str) -> String { format!(\"Hello, {name}\") }' > src/lib.rs\n\
                 echo '#[test] fn by_name() { assert_eq!(greet::greet(\"Ada\"), \"Hello, Ada\"); }' > tests/by_name.rs\n";
    let tools = toolchain();
    let path = format!("{}/bin:/usr/local/bin:/usr/bin:/bin", tools.display());
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent).with_variable("PATH", &path);
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    let checks = format!(
        "\n[checks.bench]\nrun = \"sh bench.sh\"\n\n[checks.test]\nrun = \"cargo test --offline\"\n\
         parse = \"libtest\"\n\n[sandbox]\nread = [\"{}\"]\n",
        tools.display()
    );
    household.file("trueup.toml", &format!("{config}{checks}"));
    let manifest = "[package]\nname = \"greet\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    household.file("Cargo.toml", manifest);
    household.file(
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"greet\"\nversion = \"0.1.0\"\n",
    );
    household.file(
        "src/lib.rs",
        "pub fn greet(_: &str) -> String {\n    \"Hello\".into()\n}\n",
    );
    let hello = "#[test]\nfn hello() {\n    assert!(greet::greet(\"Ada\").starts_with(\"Hello\"));\n}\n";
    household.file("tests/hello.rs", hello);
    household.commit("A greeting");
    household
}

fn toolchain() -> PathBuf {
    let asked = Command::new("rustc").args(["--print", "sysroot"]).output();
    PathBuf::from(String::from_utf8(asked.expect("rustc").stdout).expect("text").trim())
}

/// What trueup does on a terminal where somebody types this, and whose editor
/// is this script.
fn on_a_terminal(household: &Household, arguments: &str, editor: &str, answers: &str) -> Output {
    let program = household.folder().join("editor");
    fs::write(&program, format!("#!/bin/sh\n{editor}\n")).expect("an editor");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
    let mut script = Command::new("sh");
    household.furnish(&mut script);
    let binary = env!("CARGO_BIN_EXE_trueup");
    let line = format!("printf '{answers}' | script --quiet --return --command '{binary} {arguments}' /dev/null");
    let editor = format!("{} --wait", program.display());
    output(script.env("TERM", "xterm").env("EDITOR", editor).args(["-c", &line]))
}

fn task(household: &Household) -> String {
    fs::read_to_string(household.checkout().join("tasks/T-001.md")).expect("the task")
}

#[test]
fn a_new_task_has_the_checks_of_the_configuration() {
    let household = household();
    let said = household.trueup(&["new", "Greet by name"]);
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!(said.stdout, "Wrote tasks/T-001.md. Look over its criteria, then:\n");
    let text = task(&household);
    let criteria = "- [ ] **AC-1** Greet by name.\n  - verify: tests of this run\n\
                    - [ ] **AC-2** What works today still works.\n  - guard: test\n";
    assert!(text.ends_with(criteria), "{text}");
    for told in [
        "verify: must turn green",
        "guard: must stay green",
        "by its name: bench, test",
    ] {
        assert!(text.contains(told), "{text}");
    }
    let check = household.trueup(&["check", "T-001"]);
    assert_eq!(check.code, 0, "{check:#?}");
}

#[test]
fn a_task_without_configured_checks_has_a_line_to_fill_in() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "true");
    household.commit("Nothing yet");
    let said = household.trueup(&["new", "Greet by name."]);
    assert!(said.stdout.contains("Give each criterion a check"), "{said:#?}");
    assert!(task(&household).ends_with("- [ ] **AC-1** Greet by name.\n  - verify:\n"));
    let check = household.trueup(&["check", "T-001"]);
    assert!(
        check.code == 3 && check.stdout.contains("the check is empty"),
        "{check:#?}"
    );
}

#[test]
fn a_new_task_offers_no_form_that_no_check_here_can_answer() {
    let household = household();
    let silent = |config: &str| config.replace("parse = \"libtest\"\n", "");
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    household.file(
        "trueup.toml",
        &silent(&config).replace("cargo test --offline", "npm test"),
    );
    household.file(
        "package.json",
        "{\"scripts\": {\"test\": \"npm i && node --test; true\"}}\n",
    );
    household.commit("A check that tells nothing of each test");
    let said = household.trueup(&["new", "Greet by name"]);
    assert!(said.stdout.contains("Give each criterion a check"), "{said:#?}");
    let text = task(&household);
    let offered = "A check is a command in backticks that is red today, such as\n`node --test test/new.test.js`, `file PATH exists`, \
                   `file PATH has /regex/`,\nor a check of trueup.toml by its name: bench, test.\n";
    assert!(text.contains(offered), "{text}");
    assert!(
        text.contains("`tests of this run` can be asked for once a check of trueup.toml has `parse`"),
        "{text}"
    );
    assert!(
        text.contains("  - verify:\n") && text.contains("  - guard: test\n"),
        "{text}"
    );
    let refused = |line: &str| {
        household.file(
            "tasks/T-001.md",
            &text.replace("  - verify:\n", &format!("  - verify: {line}\n")),
        );
        household.trueup(&["check", "T-001"]).stdout
    };
    for form in ["test NAME", "tests of this run"] {
        assert!(refused(form).contains("tells how its tests ended"), "{}", refused(form));
    }
    let command = refused("`node --test test/new.test.js`");
    assert!(
        !command.contains("tells how") && !command.contains("is no check"),
        "{command}"
    );
}

#[test]
fn an_id_that_is_none_writes_nothing() {
    let household = household();
    let said = household.trueup(&["new", "Greet", "--id", "../greet"]);
    assert!(said.code == 2 && said.stderr.contains("is no task id"), "{said:#?}");
    assert!(!household.checkout().join("greet.md").exists());
}

#[test]
fn a_new_task_opens_in_the_editor_and_is_read_afterwards() {
    let household = household();
    let editor = "test \"$1\" = --wait && sed -i 's/Greet by name[.]$/It greets by name./' \"$2\"";
    let said = on_a_terminal(&household, "new Greeting", "echo never; exit 1", "");
    assert!(said.stdout.contains("The editor ended with"), "{said:#?}");
    let said = on_a_terminal(&household, "new \"Greet by name\"", editor, "");
    assert_eq!(said.code, 0, "{said:#?}");
    assert!(said.stdout.contains("  AC-1  It greets by name."), "{said:#?}");
    assert!(said.stdout.contains("trueup check T-002"), "{said:#?}");
    let said = on_a_terminal(&household, "new \"Greet by name\" --no-edit", "touch opened", "");
    assert!(
        said.code == 0 && !household.checkout().join("opened").exists(),
        "{said:#?}"
    );
}

#[test]
fn what_is_wrong_after_the_editor_is_said_with_what_to_type() {
    let household = household();
    let said = on_a_terminal(
        &household,
        "new Greeting",
        "sed -i 's/tests of this run$/tets of/' \"$2\"",
        "",
    );
    assert_eq!(said.code, 3, "{said:#?}");
    assert!(said.stdout.contains("`tets of` is no check"), "{said:#?}");
    assert!(said.stdout.contains("editor --wait tasks/T-001.md"), "{said:#?}");
    assert!(said.stdout.contains("trueup check T-001"), "{said:#?}");
}

#[test]
fn a_title_alone_is_drafted_and_run_after_a_yes() {
    let household = household();
    let said = on_a_terminal(&household, "run \"Greet by name\"", "true", "\\n");
    assert_eq!(said.code, 4, "{said:#?}");
    assert!(said.stdout.contains("      verify: tests of this run"), "{said:#?}");
    assert!(said.stdout.contains("no agent was started"), "{said:#?}");
    fs::remove_file(household.checkout().join("tasks/T-001.md")).expect("the draft");
    let yes = "sed -i 's/^size: small/&\\nallow: {self_tested: true}/' \"$2\"";
    let said = on_a_terminal(&household, "run \"Greet by name\"", yes, "y\\n");
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!(household.show("T-001")["outcome"], "verified");
}

#[test]
fn where_nobody_can_answer_a_title_becomes_a_draft_and_no_agent_starts() {
    let household = household();
    let said = household.trueup(&["run", "Greet by name"]);
    assert_eq!(said.code, 4, "{said:#?}");
    assert_eq!(
        said.stderr,
        "error: wrote a draft, tasks/T-001.md, and started no agent; read it, then type\n  \
         trueup check T-001\n  trueup run T-001\n"
    );
    assert_eq!(household.git(&["branch", "--list", "trueup/*"]), "", "nothing was run");
    // The title is the task's name from now on; a word alone is none.
    let again = household.trueup(&["run", "greet by NAME", "--agent", "nobody"]);
    assert!(again.code != 4 && again.stderr.contains("nobody"), "{again:#?}");
    assert!(!household.checkout().join("tasks/T-002.md").exists());
    assert_eq!(household.trueup(&["run", "Greet"]).code, 2);
}
