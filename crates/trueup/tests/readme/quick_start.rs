//! The README's quick start, followed letter by letter by somebody who has
//! only just installed trueup.

use crate::newcomer::Newcomer;
use std::{fs, path::Path, time::Instant};
use trueup_testkit::household::files_digest;
use trueup_testkit::transcript::{blocks, normalised};

/// The section, up to the next heading that is not part of a block.
fn quick_start() -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = fs::read_to_string(readme).expect("the README");
    let (_, from) = text.split_once("\n## Quick start\n").expect("a quick start");
    let mut fences = 0;
    let section = from.lines().take_while(|line| {
        fences += usize::from(line.starts_with("```"));
        fences % 2 == 1 || !line.starts_with("## ")
    });
    section.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_quick_start_ends_in_verified_and_leaves_the_checkout_alone() {
    let newcomer = Newcomer::new();
    let quick_start = quick_start();
    let blocks = blocks(&quick_start);
    assert_eq!(blocks.iter().filter(|block| block.kind == "sh").count(), 6);
    let mut stands = newcomer.home();
    let mut said = String::new();
    for block in &blocks {
        if block.kind == "text" {
            assert_eq!(
                normalised(&said, &newcomer.home()),
                normalised(&block.text, &newcomer.home())
            );
            continue;
        }
        let is_run = block.text.starts_with("trueup run T-002");
        let before = is_run.then(|| files_digest(&stands));
        let (ended, stood) = newcomer.types(&block.text, &stands);
        assert_eq!(ended.code, 0, "{}\n{ended:#?}", block.text);
        said = ended.stdout;
        if let Some(before) = before {
            assert_eq!(files_digest(&stands), before, "the checkout was touched");
            assert!(said.contains("verified: 2 of 2 criteria"), "{said}");
            let (shown, _) = newcomer.types("trueup show T-002 --json", &stands);
            let shown: serde_json::Value = serde_json::from_str(&shown.stdout).expect("a document");
            let (tree, _) = newcomer.types("git rev-parse 'trueup/T-002^{tree}'", &stands);
            assert_eq!(shown["outcome"], "verified");
            assert_eq!(shown["valid"], true);
            assert_eq!(shown["tree"], tree.stdout.trim_end());
        }
        stands = stood;
    }
    assert!(said.ends_with("\nHello, Ada\n"), "{said}");
}

#[test]
fn the_demo_proves_its_task_within_ten_seconds() {
    let newcomer = Newcomer::new();
    let begun = Instant::now();
    let (ended, _) = newcomer.types("trueup demo", &newcomer.home());
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert!(ended.stdout.contains("verified: 3 of 3 criteria"), "{ended:#?}");
    let told = format!("{}{}", ended.stdout, ended.stderr);
    for gone in ["git merge", "trueup show"] {
        assert!(
            !told.contains(gone),
            "nothing is left that `{gone}` could be typed in: {told}"
        );
    }
    assert!(told.contains("\n  trueup init\n"), "{told}");
    println!("measured: demo_seconds={seconds:.2}");
    assert!(seconds < 10.0, "the demo took {seconds:.2} s");
}
