//! A task's scope is kept like everything else: by a guard that is executed.
#![cfg(test)]

use trueup_testkit::household::Household;

const TASK: &str = "\
---
v: 1
id: T-001
title: Greet by name
size: trivial
budget: { turns: 2 }
scope:
  touch: [\"greet.sh\", \"docs/**\"]
  never: [\"docs/secret.md\"]
  max_new_lines: 3
---

## Acceptance criteria

- [ ] **AC-1** It greets Ada.
  - verify: `bash -c 'test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"'`
";

/// A household whose agent does the work, and whatever else this script does.
fn household(besides: &str) -> Household {
    let work = r#"echo 'echo "Hello, ${1:-world}"' > greet.sh"#;
    let house = Household::new(env!("CARGO_BIN_EXE_trueup"), &format!("#!/bin/sh\n{work}\n{besides}\n"));
    house.file("greet.sh", "echo \"Hello, world\"\n");
    house.task("T-001", TASK);
    house.commit("A greeting");
    house
}

#[test]
fn a_change_inside_the_scope_is_verified() {
    let house = household("mkdir -p docs && echo hi > docs/greet.md");
    let ended = house.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    let shown = house.show("T-001");
    assert_eq!(shown["criteria"][1]["id"], "scope");
    assert_eq!(shown["criteria"][1]["kind"], "guard");
    assert_eq!(shown["criteria"][1]["evidence"][0]["sandbox"], "engine");
}

#[test]
fn a_change_outside_the_scope_is_never_verified_and_is_told() {
    let beyond = [
        ("echo x > other.txt", "other.txt is outside what the task may touch"),
        (
            "mkdir -p docs && echo x > docs/secret.md",
            "docs/secret.md is among what the task must never touch",
        ),
        (
            "mkdir -p docs && seq 4 > docs/long.md",
            "lines were added, 3 are allowed",
        ),
    ];
    for (besides, why) in beyond {
        // The second turn prints its prompt, so that the transcript shows what was told.
        let house = household(&format!("{besides}\ncat \"$TRUEUP_PROMPT_FILE\""));
        let ended = house.trueup(&["run", "T-001"]);
        assert_eq!(ended.code, 5, "{besides}: {}", ended.stdout);
        let told = house.trueup(&["log", "T-001", "--turn", "2"]);
        assert!(told.stdout.contains(why), "{besides}: {}", told.stdout);
    }
}

#[test]
fn a_tree_outside_the_scope_does_not_pass_verify() {
    let house = household("");
    house.file("greet.sh", "echo \"Hello, ${1:-world}\"\n");
    house.git(&["switch", "--quiet", "--create", "within"]);
    house.commit("Within");
    house.file("other.txt", "x\n");
    house.git(&["switch", "--quiet", "--create", "beyond"]);
    house.commit("Beyond");
    house.git(&["switch", "--quiet", "main"]);
    for (branch, code) in [("within", 0), ("beyond", 3)] {
        let seen = house.trueup(&["verify", "T-001", "--on", branch]);
        assert_eq!(seen.code, code, "{branch}: {seen:#?}");
    }
}

#[test]
fn a_byte_that_makes_a_file_binary_hides_no_line() {
    let house = household("mkdir -p docs && { printf '\\000\\n'; seq 4; } > docs/long.md");
    let ended = house.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 5, "{}", ended.stdout);
}
