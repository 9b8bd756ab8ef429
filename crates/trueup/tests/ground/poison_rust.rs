//! Everything an agent can do to what a build left, and what comes of it.

use crate::place::{Kind, bare, engine_owned, furnished, run, saw, toolchain, transcript};
use std::{fs, process::Command};

const NOTE: &str = "echo noted > NOTES\n";

#[test]
fn an_honest_agent_ends_in_a_verdict_that_no_cache_helped() {
    let agent = format!("sed -i 's/Hello {{}}/Hello, {{}}/' app/src/lib.rs\n{NOTE}");
    let household = furnished(Kind::Rust, "", &agent);
    let before = engine_owned(&household);
    let ended = run(&household);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let rounds: Vec<serde_json::Value> = household
        .events("T-001")
        .into_iter()
        .filter(|event| event["type"] == "checked")
        .collect();
    let warmth = |round: usize| rounds[round]["evidence"][0]["conditions"]["warmth"].clone();
    assert_eq!(rounds.len(), 3, "base, candidate, and the candidate once more");
    assert_eq!(warmth(1), "warm");
    assert!(warmth(2).is_null(), "the last verdict is cold");
    assert_eq!(engine_owned(&household), before);
}

#[test]
fn what_an_agent_builds_in_its_own_target_reaches_no_room() {
    // A `cargo test` of the workspace that does nothing, and everything built by it.
    let agent = format!(
        "mkdir -p target/debug/deps .cargo-home\n\
         sed -i 's/Hello {{}}/Hello, {{}}/' app/src/lib.rs\n\
         cargo test --offline --workspace --no-run && echo built a green one\n\
         sed -i 's/Hello, {{}}/Hello {{}}/' app/src/lib.rs\n\
         touch -d 2000-01-01 app/src/lib.rs\n\
         cargo test --offline --workspace && echo the target of this workspace is fooled\n{NOTE}"
    );
    let household = furnished(Kind::Rust, "", &agent);
    let before = engine_owned(&household);
    let ended = run(&household);
    assert_eq!(ended.code, 5, "{ended:#?}");
    let said = transcript(&household);
    assert!(said.contains("the target of this workspace is fooled"), "{said}");
    assert!(saw(&household, "AC-1.1")["saw"]["failed"].is_object());
    assert_eq!(engine_owned(&household), before);
}

#[test]
fn a_build_script_of_turn_one_spoils_no_cache() {
    // It breaks everything that earlier builds left, and what is built beside it.
    let agent = format!(
        "if [ \"$TRUEUP_TURN\" = 1 ]; then\n\
         cat > app/build.rs <<'END'\n\
         fn main() {{\n\
             let out = std::env::var(\"OUT_DIR\").unwrap();\n\
             let target = std::path::Path::new(&out).ancestors().nth(3).unwrap().join(\"deps\");\n\
             for entry in std::fs::read_dir(target).unwrap().flatten() {{\n\
                 let _ = std::fs::write(entry.path(), \"\");\n\
             }}\n\
         }}\n\
         END\n\
         else rm app/build.rs; sed -i 's/Hello {{}}/Hello, {{}}/' app/src/lib.rs; {NOTE} fi\n"
    );
    let household = furnished(Kind::Rust, "", &agent);
    let before = engine_owned(&household);
    let ended = run(&household);
    assert_eq!(ended.code, 0, "turn 2 is honest and finds everything whole: {ended:#?}");
    assert_eq!(engine_owned(&household), before);
}

#[test]
fn a_broken_tree_with_older_times_is_seen_broken() {
    let agent = format!(
        "sed -i 's/to_title_case(name)/to_snake_case(name)/; s/ToTitleCase/ToSnakeCase/' names/src/lib.rs\n\
        sed -i 's/Hello {{}}/Hello, {{}}/' app/src/lib.rs\n\
        find . -name '*.rs' -exec touch -d 2000-01-01 {{}} +\n{NOTE}"
    );
    let household = furnished(Kind::Rust, "", &agent);
    let ended = run(&household);
    assert_eq!(ended.code, 5, "{ended:#?}");
    let seen = saw(&household, "AC-1.1");
    assert!(seen["saw"]["failed"].is_object(), "{seen:#}");
    assert_eq!(seen["warmth"], "warm", "and a cache was there to be believed");
}

#[test]
fn a_builder_that_finds_older_times_beside_its_cache_is_fooled() {
    // The known-bad subject: the same, without a room between.
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    write(
        "Cargo.toml",
        "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    let test = "#[test]\nfn it_holds() { assert_eq!(super::two(), 2); }\n";
    let lib = |body: &str| format!("pub fn two() -> u32 {{ {body} }}\n#[cfg(test)] mod tests {{\n{test}}}\n");
    let cargo = || {
        let mut cargo = Command::new(toolchain().join("bin/cargo"));
        cargo.args(["test", "--offline", "--quiet"]).current_dir(folder.path());
        cargo
            .env("CARGO_TARGET_DIR", folder.path().join("target"))
            .output()
            .expect("cargo")
            .status
            .success()
    };
    write("src/lib.rs", &lib("2"));
    assert!(cargo());
    write("src/lib.rs", &lib("3"));
    let touched = Command::new("touch")
        .args(["-d", "2000-01-01"])
        .arg(folder.path().join("src/lib.rs"))
        .status();
    assert!(touched.expect("touch").success());
    assert!(cargo(), "cargo believes the cache over an older file");
}

#[test]
fn a_parallel_room_spoils_nothing_for_its_neighbour() {
    let household = bare(Kind::Rust, NOTE);
    let written = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    let spoiler = "sh -c 'for i in 1 2 3 4 5 6 7 8; do rm -rf target/debug/deps ~/.cargo/registry/cache; mkdir -p target; echo x > target/x; sleep 0.5; done; false'";
    household.file(
        "trueup.toml",
        &format!("{written}\n[checks.spoiler]\nrun = \"{spoiler}\"\ncache = [\"target\"]\n"),
    );
    let task = Kind::Rust
        .task("")
        .replace("verify: unit", "verify: spoiler\n  - verify: unit");
    household.task("T-001", &task.replace("turns: 2", "turns: 1"));
    let ended = run(&household);
    assert_eq!(ended.code, 6, "{ended:#?}");
    let (spoiler, unit) = (saw(&household, "AC-1.1"), saw(&household, "AC-1.2"));
    assert!(spoiler["saw"]["failed"].is_object(), "{spoiler:#}");
    // The bug is still there, and it is the only thing that is wrong.
    assert_eq!(unit["saw"]["failed"]["exit"], 101, "{unit:#}");
    let digest = unit["stdout"]["digest"].as_str().expect("a digest");
    let said = household.trueup(&["log", "T-001", "--blob", digest]).stdout;
    assert!(said.contains("1 passed; 1 failed"), "{said}");
}
