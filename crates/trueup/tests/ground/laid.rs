//! The rules of layers, with preparations small enough to read.

use crate::place::{Kind, furnished, run, saw, transcript};
use std::fs;
use trueup_testkit::household::Household;

const TASK: &str = "\
---
v: 1
id: T-001
title: Say yes
size: small
budget: { turns: 2 }
---

## Acceptance criteria

- [ ] **AC-1** The answer is yes, and the tool is there.
  - verify: answer
";

/// A tool that is made by a preparation, and an answer that is checked with it.
/// `more` goes to the end of `trueup.toml`.
fn household(agent: &str, more: &str) -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent);
    household.file(".gitignore", "tools/\nbuilt/\n");
    household.file("tools.lock", "one\n");
    household.file("answer", "no\n");
    household.file(
        "make-tools.sh",
        "mkdir -p tools ~/kept\ncp tools.lock tools/version\necho home > ~/kept/file\n",
    );
    household.file(
        "check.sh",
        "cat tools/version ~/kept/file\ntest -e built/base && echo warm\nmkdir -p built\ncp answer built/base\n\
         echo spoilt > tools/version; echo spoilt > ~/kept/file\ngrep -q yes answer\n",
    );
    household.task("T-001", TASK);
    let written = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    let ours = "\n[prepare.tools]\nrun = \"sh make-tools.sh\"\nkey = [\"tools.lock\"]\nkeep = [\"tools\", \"~/kept\"]\n\
                \n[checks.answer]\nrun = \"sh check.sh\"\ncache = [\"built\"]\n";
    household.file("trueup.toml", &format!("{written}{ours}{more}"));
    household.commit("A question");
    household
}

const HONEST: &str = "test \"$(cat tools/version)\" = one && test \"$(cat ~/kept/file)\" = home && echo tools are here\n\
    echo mine > tools/version\necho yes > answer\n";

fn said(household: &Household, check: &str) -> String {
    let seen = saw(household, check);
    let digest = seen["stdout"]["digest"].as_str().expect("a digest");
    household.trueup(&["log", "T-001", "--blob", digest]).stdout
}

#[test]
fn a_preparation_runs_once_for_its_key_and_is_laid_everywhere() {
    for laying in ["auto", "copy", "overlay"] {
        let household = household(HONEST, &format!("\n[workspace]\nlay = \"{laying}\"\n"));
        let ended = run(&household);
        assert_eq!(ended.code, 0, "{laying}: {ended:#?}");
        assert_eq!(ended.stderr.matches(" prepare ").count(), 1, "{}", ended.stderr);
        let cold = ended.stderr.matches("AC-1 ✓   (without caches)").count();
        assert_eq!(cold, 1, "the second look says what it is: {}", ended.stderr);
        let told = transcript(&household);
        assert!(told.contains("tools are here"), "{laying}: {told}");
        assert_eq!(
            said(&household, "AC-1.1"),
            "one\nhome\n",
            "{laying}: the last verdict is cold"
        );
        let layers = fs::read_dir(household.state().join("layers")).expect("layers");
        assert_eq!(layers.flatten().filter(|entry| entry.path().is_dir()).count(), 1);
        let tree = household.git(&["ls-tree", "-r", "--name-only", "trueup/T-001"]);
        assert!(!tree.contains("tools/") && !tree.contains("built/"), "{tree}");
    }
}

#[test]
fn a_verdict_may_rest_on_caches_where_the_person_says_so_and_then_it_shows() {
    let household = household(HONEST, "\n[verify]\nfinal = \"warm\"\n");
    let ended = run(&household);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert_eq!(said(&household, "AC-1.1"), "one\nhome\nwarm\n");
    let shown = household.trueup(&["show", "T-001"]).stdout;
    assert!(shown.contains(", warm"), "{shown}");
    let verified = household.trueup(&["verify", "T-001"]);
    assert!(verified.stdout.contains(", warm"), "{}", verified.stdout);
    let cold = household.trueup(&["verify", "T-001", "--cold"]);
    assert!(cold.code == 0 && !cold.stdout.contains(", warm"), "{cold:#?}");
}

#[test]
fn a_preparation_that_fails_is_no_red_check_and_no_green_one() {
    let household = household(HONEST, "");
    household.file("make-tools.sh", "echo no network >&2\nexit 3\n");
    household.commit("Broken");
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 3, "{checked:#?}");
    let said = checked.stdout + &checked.stderr;
    assert!(
        said.contains("[prepare.tools] `sh make-tools.sh` ended with exit 3"),
        "{said}"
    );
    assert!(said.contains("no network"), "{said}");
}

#[test]
fn a_changed_key_file_is_followed_only_where_a_person_allowed_it() {
    let agent = "echo two > tools.lock\necho yes > answer\n";
    let asking = household(agent, "");
    let asked = run(&asking);
    assert_eq!(asked.code, 4, "{asked:#?}");
    assert!(saw(&asking, "AC-1.1")["saw"]["cannot_run"].is_object());
    let question =
        "cannot be tested before you say whether this may be installed:\n  ? tools.lock: it changes what is installed";
    assert!(asked.stdout.contains(question), "{}", asked.stdout);
    assert_eq!(asking.show("T-001")["turns"], 1);
    let approved = asking.trueup(&["approve", "T-001"]);
    assert_eq!(approved.code, 0, "{approved:#?}");
    assert_eq!(
        said(&asking, "AC-1.1"),
        "two\nhome\n",
        "what was installed is what was approved"
    );
    let verified = asking.trueup(&["verify", "T-001"]);
    assert_eq!(
        verified.code, 0,
        "what was approved of the run is of its branch: {verified:#?}"
    );
    let allowed = household(agent, "");
    let more = "budget: { turns: 2 }\nallow: { lockfiles: [tools.lock] }";
    allowed.task("T-001", &TASK.replace("budget: { turns: 2 }", more));
    let ended = run(&allowed);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert_eq!(
        said(&allowed, "AC-1.1"),
        "two\nhome\n",
        "what was installed is what the tree says"
    );
}

#[test]
fn whoever_refuses_a_package_tells_the_agent_why() {
    let agent = "if [ \"$TRUEUP_TURN\" = 1 ]; then echo two > tools.lock; else cp \"$TRUEUP_PROMPT_FILE\" prompt-2\n\
                 git checkout -q tools.lock; fi\necho yes > answer\n";
    let household = household(agent, "");
    assert_eq!(run(&household).code, 4);
    let ended = household.trueup(&["reject", "T-001", "the old tool will do"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let told = household.git(&["show", "trueup/T-001:prompt-2"]);
    assert!(told.contains("the old tool will do"), "{told}");
    assert!(
        told.contains("- `tools.lock`\n  - it changes what is installed"),
        "{told}"
    );
    assert_eq!(said(&household, "AC-1.1"), "one\nhome\n");
}

#[test]
fn an_edit_of_a_manifest_that_installs_the_same_stops_nothing() {
    let agent = "sed -i 's/1.0.0/1.1.0/' package.json\necho yes > answer\n";
    let with = |allow: &str| {
        let household = household(agent, "");
        household.file("package.json", "{ \"name\": \"sample\", \"version\": \"1.0.0\" }\n");
        household.file(
            "make-tools.sh",
            "mkdir -p tools ~/kept\ngrep -o '1.[01].0' package.json > tools/version\necho home > ~/kept/file\n",
        );
        let path = household.checkout().join("trueup.toml");
        let written = fs::read_to_string(&path).expect("a configuration");
        let both = written.replace("key = [\"tools.lock\"]", "key = [\"tools.lock\", \"package.json\"]");
        fs::write(path, both).expect("a configuration");
        let more = format!("budget: {{ turns: 2 }}\n{allow}");
        household.task("T-001", &TASK.replace("budget: { turns: 2 }\n", &more));
        household.commit("A manifest");
        let ended = run(&household);
        assert_eq!(ended.code, 0, "{ended:#?}");
        said(&household, "AC-1.1")
    };
    assert_eq!(with(""), "1.0.0\nhome\n", "what the base left is used");
    let allowed = with("allow: { lockfiles: [package.json] }\n");
    assert_eq!(allowed, "1.1.0\nhome\n", "whoever allows the file has all that it says");
}

#[test]
fn bases_that_differ_in_code_alone_share_what_a_known_installer_left() {
    let household = furnished(Kind::Node, "", "true");
    let layers = || {
        let entries = fs::read_dir(household.state().join("layers")).expect("layers");
        let folders = entries.flatten().filter(|entry| entry.path().is_dir());
        folders.count()
    };
    let before = layers();
    household.file("src/more.js", "export const more = 1;\n");
    household.commit("Code");
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
    assert_eq!(layers(), before, "nothing was installed again");
    household.file(".npmrc", "fund=false\n");
    household.commit("Settings");
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 0, "{checked:#?}");
    assert_eq!(layers(), before + 1, "what is no code can have a say in it");
}

#[test]
fn a_base_that_differs_in_tasks_and_configuration_alone_finds_everything_prepared_and_warm() {
    let household = household(HONEST, "");
    let lies = |what: &str| {
        let entries = fs::read_dir(household.state().join(what)).expect("a folder of the state");
        entries.flatten().filter(|entry| entry.path().is_dir()).count()
    };
    let checked = household.trueup(&["check", "T-001"]);
    assert!(checked.code == 0 && !checked.stdout.contains(", warm"), "{checked:#?}");
    let written = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    household.file("trueup.toml", &format!("{written}# Why it is so.\n"));
    household.task("T-002", &TASK.replace("T-001", "T-002"));
    household.commit("A task and a remark");
    let checked = household.trueup(&["check", "T-001"]);
    assert!(checked.code == 0 && checked.stdout.contains(", warm"), "{checked:#?}");
    assert_eq!((lies("layers"), lies("caches")), (1, 1), "nothing was made again");
    household.file(
        "make-tools.sh",
        "mkdir -p tools ~/kept\ncp tools.lock tools/version\necho two > ~/kept/file\n",
    );
    household.commit("A script");
    let checked = household.trueup(&["check", "T-001"]);
    assert!(checked.code == 0 && !checked.stdout.contains(", warm"), "{checked:#?}");
    assert_eq!(
        (lies("layers"), lies("caches")),
        (2, 2),
        "any other file can have a say in it"
    );
}

#[test]
fn a_layer_serves_no_base_on_which_another_script_has_a_say() {
    let household = household(HONEST, "");
    household.git(&["checkout", "--quiet", "-b", "unmerged"]);
    household.file(
        "make-tools.sh",
        "mkdir -p tools ~/kept\necho false > tools/version\necho false > ~/kept/file\n",
    );
    household.commit("A script with a say in it");
    household.git(&["checkout", "--quiet", "main"]);
    household.task(
        "T-002",
        &TASK
            .replace("T-001", "T-002")
            .replace("size: small", "size: small\nbase: unmerged"),
    );
    let other = household.trueup(&["run", "T-002"]);
    assert_eq!(other.code, 0, "{other:#?}");
    assert_eq!(run(&household).code, 0);
    assert_eq!(said(&household, "AC-1.1"), "one\nhome\n");
}

#[test]
fn a_candidates_script_sees_nothing_of_the_persons_but_how_they_connect() {
    let agent = "echo two > tools.lock\necho 'mkdir -p tools ~/kept; echo \"token ${SAMPLE_TOKEN:-none}, \
                 certificates ${SSL_CERT_FILE:-none}\" > tools/version; \
                 echo home > ~/kept/file' > make-tools.sh\necho yes > answer\n";
    let household = household(agent, "")
        .with_variable("SAMPLE_TOKEN", "a-value-of-the-persons")
        .with_variable("SSL_CERT_FILE", "/etc/ours.pem");
    let path = household.checkout().join("trueup.toml");
    let written = fs::read_to_string(&path).expect("a configuration");
    let both = "[prepare.tools]\npass_env = [\"SAMPLE_TOKEN\", \"SSL_CERT_FILE\"]\n";
    let passed = written.replace("[prepare.tools]\n", both);
    fs::write(path, passed).expect("a configuration");
    let more = "budget: { turns: 2 }\nallow: { lockfiles: [tools.lock] }";
    household.task("T-001", &TASK.replace("budget: { turns: 2 }", more));
    assert_eq!(run(&household).code, 0);
    let seen = said(&household, "AC-1.1");
    assert!(seen.starts_with("token none, certificates "), "{seen}");
    assert!(!seen.contains("certificates none"), "{seen}");
}

#[test]
fn a_preparations_secret_reaches_it_and_is_kept_nowhere() {
    let secret = "correct-horse-battery-staple";
    let household = household(HONEST, "");
    let path = household.checkout().join("trueup.toml");
    let written = fs::read_to_string(&path).expect("a configuration");
    let given = format!("[prepare.tools]\nenv = {{ SAMPLE_TOKEN = \"{secret}\", MANNER = \"kindly\" }}\n");
    fs::write(path, written.replace("[prepare.tools]\n", &given)).expect("a configuration");
    let script = fs::read_to_string(household.checkout().join("make-tools.sh")).expect("the script");
    let asking = "[ \"$SAMPLE_TOKEN\" = correct-horse-battery-staple ] && [ \"$MANNER\" = kindly ] || exit 9\n";
    household.file("make-tools.sh", &format!("{asking}{script}"));
    household.commit("A script that needs its token");
    assert_eq!(run(&household).code, 0);
    let opened = household.events("T-001").remove(0);
    let prepared = &opened["task"]["ground"]["prepare"][0];
    assert_eq!(prepared["secret_env"][0], "SAMPLE_TOKEN", "{opened:#}");
    assert_eq!(prepared["env"]["MANNER"], "kindly", "{opened:#}");
    assert!(!opened.to_string().contains(secret), "{opened:#}");
}

#[test]
fn what_a_tree_holds_is_never_hidden_by_what_is_laid() {
    let agent =
        "sed -i /tools/d .gitignore\nsed -i /built/d .gitignore\necho yes > answer\nmkdir -p built\necho x > built/x\n";
    let household = household(agent, "");
    assert_eq!(run(&household).code, 5);
    let seen = saw(&household, "AC-1.1");
    let why = seen["saw"]["cannot_run"]["why"]
        .as_str()
        .unwrap_or_else(|| panic!("{seen:#}"));
    assert!(
        why.contains("`built` is a cache of this check, but the tree holds it too"),
        "{why}"
    );
}

#[test]
fn wrong_tables_are_refused_with_what_to_write() {
    for (more, told) in [
        (
            "[prepare.x]\nrun = \"true\"\nkey = [\"a\"]\n",
            "keep = [\"node_modules\"]",
        ),
        (
            "[prepare.x]\nrun = \"true\"\nkey = [\"a\"]\nkeep = [\"../up\"]\n",
            "not a folder inside the tree",
        ),
        (
            "[prepare.x]\nrun = \"true\"\nkey = [\"/etc/passwd\"]\nkeep = [\"up\"]\n",
            "not a file inside the tree",
        ),
        ("[prepare.x]\nrunn = \"true\"\n", "did you mean `run`"),
        (
            "[checks.x]\nrun = \"true\"\ncache = [\"/usr\"]\n",
            "not a folder inside the tree",
        ),
        ("[verify]\nfinal = \"hot\"\n", "hot"),
    ] {
        let household = household(HONEST, &format!("\n{more}"));
        let ended = household.trueup(&["status"]);
        assert_eq!(ended.code, 2, "{more}: {ended:#?}");
        assert!(ended.stderr.contains(told), "{more}: {}", ended.stderr);
    }
}
