//! The page of the first proof, typed line by line: what it shows is what
//! somebody sees.

use crate::newcomer::Newcomer;
use std::{fs, path::Path, time::Instant};
use trueup_testkit::transcript::{blocks, normalised, typed};

/// Most that may pass between the first line typed and the last line shown.
const SECONDS: f64 = 120.0;

#[test]
fn the_first_proof_is_what_the_page_shows_and_takes_less_than_two_minutes() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/first-proof.md");
    let page = fs::read_to_string(page).expect("the page");
    let newcomer = Newcomer::new();
    let mut stands = newcomer.home();
    let begun = Instant::now();
    let mut verified = 0;
    for block in blocks(&page).into_iter().filter(|block| block.kind == "console") {
        for typed in typed(&block.text) {
            let (ended, stood) = newcomer.types(&typed.command, &stands);
            assert_eq!(ended.code, 0, "$ {}\n{ended:#?}", typed.command);
            assert_eq!(
                normalised(&ended.stdout, &newcomer.home()),
                normalised(&typed.output, &newcomer.home()),
                "$ {}\n{}",
                typed.command,
                ended.stdout
            );
            verified += usize::from(ended.stdout.contains("\nverified: "));
            stands = stood;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("measured: first_proof_seconds={seconds:.2}");
    assert_eq!(verified, 1, "the page holds one proof");
    assert!(seconds < SECONDS, "{seconds:.2} s");
}
