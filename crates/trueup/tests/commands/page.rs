//! The page of a run: what it tells, whose words it obeys, and what a real
//! browser and axe-core say of it.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use trueup_testkit::{
    household::{Household, output},
    transcript::blocks,
};

/// The agent of the greeting, which also leaves what a page could obey: in a
/// name, in a file, in its words. Its last file is one that a person is asked about.
const HOSTILE: &str = r#"
echo 'echo "Hello, ${1:-world}"' > greet.sh
printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
echo x > '<img src=x onerror=alert(1)>.txt'
printf '</style></pre><script>alert(2)</script>\n\033[2K\342\200\256gpj.exe\n" onload="alert(3)\r\n' > notes.txt
seq 1 400 | sed 's/.*/a rather long line of a file that is new, number &, and it goes on for a while longer/' > long.txt
head -c 3000 /dev/zero | tr '\0' 'w' > wide.txt
mkdir -p .github/workflows
echo a > "$(printf '.github/workflows/\342\200\256a\n<b>\033[2K.yml')"
printf '<script>alert(4)</script> [a](javascript:alert(5)) \033]52;c;aGk=\007\342\200\256all done\n'
"#;

const HOSTILE_TASK: &str = "\
---
v: 1
id: T-001
title: Greet <script>alert(6)</script> by \"name\" & more
size: small
---

Text.

## Acceptance criteria

- [ ] **AC-1** `greet.sh Ada` greets <img src=x onerror=alert(7)> [Ada](javascript:alert(8)).
  - verify: `sh tests/by_name.sh`
- [ ] **AC-2** Without a name it still greets the world.
  - guard: `sh -c \"printf '<script>alert(9)</script>\\\\n'; sh tests/world.sh\"`
";

fn household() -> Household {
    Household::greeting(env!("CARGO_BIN_EXE_trueup"))
}

fn verified() -> Household {
    let household = household();
    let ended = household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    household
}

fn asking() -> Household {
    let household = household();
    household.task("T-001", HOSTILE_TASK);
    household.commit("A hostile task");
    household.set_agent(HOSTILE);
    let ended = household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 4, "{ended:#?}");
    household
}

fn refused() -> Household {
    let household = household();
    household.file("tests/world.sh", "echo 'it is red' >&2; false\n");
    household.commit("A red guard");
    let ended = household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 3, "{ended:#?}");
    household
}

/// The page of the household's run, and where it lies.
fn page(household: &Household) -> (PathBuf, String) {
    let place = household.folder().join("proof.html");
    let written = household.trueup(&["show", "T-001", "--html", &place.to_string_lossy()]);
    assert_eq!(written.code, 0, "{written:#?}");
    assert_eq!(written.stdout, format!("Wrote {}.\n", place.display()));
    let text = fs::read_to_string(&place).expect("a page");
    (place, text)
}

/// What a browser finds wrong with pages.
fn findings(pages: &[&Path]) -> Vec<Value> {
    let home = std::env::var_os("HOME").expect("a home");
    let modules = Path::new(&home).join(".local/lib/trueup-ci/browser");
    for needed in ["node_modules/playwright-core", "node_modules/axe-core"] {
        let needed = modules.join(needed);
        assert!(needed.is_dir(), "{} is missing: .ci/run installers", needed.display());
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/axe.mjs");
    let looked = output(Command::new("node").arg(script).arg(modules).args(pages));
    assert_eq!(looked.code, 0, "{looked:#?}");
    serde_json::from_str(&looked.stdout).expect("what was found")
}

#[test]
fn a_browser_finds_nothing_wrong_with_the_page_of_any_run() {
    let runs = [verified(), asking(), refused()];
    let pages: Vec<PathBuf> = runs.iter().map(|household| page(household).0).collect();
    let pages: Vec<&Path> = pages.iter().map(PathBuf::as_path).collect();
    let found = findings(&pages);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_browser_finds_what_is_wrong_with_a_page() {
    let household = verified();
    let (place, good) = page(&household);
    let wrong = |found: &[Value], what: &str| {
        for scheme in ["light", "dark"] {
            let is_it = |one: &&Value| {
                one["colorScheme"] == scheme && one["what"].as_str().is_some_and(|told| told.contains(what))
            };
            assert!(found.iter().any(|one| is_it(&one)), "{what} in {scheme}: {found:#?}");
        }
    };
    // Its policy allows neither the picture nor another style.
    let bad = good.replace("lang=\"en\"", "").replace(
        "<main>",
        "<main><img src=\"http://127.0.0.1:9/x.png\"><div style=\"color: red\">red</div>",
    );
    fs::write(&place, bad).expect("a page");
    let found = findings(&[&place]);
    for what in [
        "html-has-lang",
        "image-alt",
        "holds <img",
        "holds <div style",
        "Content Security Policy",
    ] {
        wrong(&found, what);
    }
    // Without a policy, another style counts, and what it asks for is loaded.
    let bad = good
        .replace("Content-Security-Policy", "x-nothing")
        .replace("--soft: #57606a", "--soft: #c0c0c0")
        .replace("--soft: #a5adb8", "--soft: #404040")
        .replace(
            "</style>",
            "main { width: 2000px; background: url(http://127.0.0.1:9/x.png); }</style>",
        );
    fs::write(&place, bad).expect("a page");
    let found = findings(&[&place]);
    for what in ["color-contrast", "pixels wide", "loads http://127.0.0.1:9/x.png"] {
        wrong(&found, what);
    }
}

#[test]
fn what_others_wrote_is_text_on_a_page() {
    let household = asking();
    let (_, page) = page(&household);
    for tag in [
        "<script",
        "<img",
        "<b>",
        "</style></pre>",
        "javascript:alert(5)\"",
        "href=\"javascript",
    ] {
        assert!(!page.contains(tag), "{tag}: {page}");
    }
    let alive: Vec<char> = page
        .chars()
        .filter(|c| c.is_control() && !matches!(c, '\n' | '\t') || *c == '\u{202e}')
        .collect();
    assert_eq!(alive, [' '; 0]);
    for told in [
        "&lt;script&gt;alert(2)&lt;/script&gt;",
        "&lt;script&gt;alert(4)&lt;/script&gt;",
        "&lt;script&gt;alert(6)&lt;/script&gt;",
        "&lt;img src=x onerror=alert(7)&gt;",
        "&lt;script&gt;alert(9)&lt;/script&gt;",
        "&lt;img src=x onerror=alert(1)&gt;.txt",
        "\\u{202e}",
        "\\u{1b}[2K",
        "… and 2001 letters more",
        "waiting for you",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
}

#[test]
fn a_page_tells_what_show_tells() {
    let household = verified();
    let shown = household.show("T-001");
    let (_, page) = page(&household);
    let ids = ["tree", "commit", "branch", "title", "run"].map(|key| shown[key].as_str().expect("a text").to_owned());
    for id in &ids {
        assert!(page.contains(id.as_str()), "{id}: {page}");
    }
    for told in [
        "verified",
        "3 of 3 criteria, each executed on tree",
        "Without a name it still greets the world.",
        "sh tests/by_name.sh",
        "exit 1",
        "a sandbox (bubblewrap)",
        "Not tested by sabotage",
        "The last lines it printed, which prove nothing",
        "unknown: the agent does not say",
        "Now the README says it, too.",
        "2 lines went",
        "<del>-echo &quot;Hello, world&quot;\n</del>",
        "times the slowest guard",
        &format!("trueup verify T-001 --on {}", ids[1]),
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("Not valid now"), "{page}");
    household.git(&["branch", "--quiet", "--force", "trueup/T-001", "main"]);
    let (_, stale) = self::page(&household);
    assert!(stale.contains("Not valid now"), "{stale}");
}

#[test]
fn a_page_takes_the_place_of_a_page_and_of_nothing_else() {
    let household = verified();
    let (_, page) = page(&household);
    let (_, again) = self::page(&household);
    assert_eq!(page, again);
    let printed = household.trueup(&["show", "--html", "-"]);
    assert_eq!(printed.stdout, page);
    let before = household.checkout_digest();
    let ended = household.trueup(&["show", "T-001", "--html", "README.md"]);
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert!(ended.stderr.contains("README.md is there already"), "{ended:#?}");
    assert_eq!(household.checkout_digest(), before);
    let ended = household.trueup(&["show", "T-001", "--html", "no/such/folder.html"]);
    assert!(ended.code != 0 && !ended.stderr.is_empty(), "{ended:#?}");
}

#[test]
fn the_recipe_for_a_colleague_is_typed_as_it_stands() {
    let recipe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/recipes/colleague.md");
    let recipe = fs::read_to_string(recipe).expect("the recipe");
    let typed: Vec<String> = blocks(&recipe)
        .into_iter()
        .filter(|block| block.kind == "sh")
        .map(|block| block.text)
        .collect();
    assert_eq!(typed.len(), 2);
    let household = verified();
    for text in typed {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (program, arguments) = words.split_first().expect("a program");
        assert_eq!(*program, "trueup");
        let ended = household.trueup(arguments);
        assert_eq!(ended.code, 0, "{text}: {ended:#?}");
    }
}
