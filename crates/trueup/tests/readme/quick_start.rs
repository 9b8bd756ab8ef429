//! The README's quick start, followed letter by letter by somebody who has
//! only just installed trueup.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};
use tempfile::TempDir;
use trueup_testkit::household::{Output, files_digest, output};
use trueup_testkit::transcript::{blocks, normalised};

/// A home with nothing in it but a name for git, and trueup on the path.
struct Newcomer {
    folder: TempDir,
}

impl Newcomer {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["home", "bin"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        symlink(env!("CARGO_BIN_EXE_trueup"), folder.path().join("bin/trueup")).expect("a link");
        let identity = "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n";
        fs::write(folder.path().join("home/.gitconfig"), identity).expect("git's configuration");
        Self { folder }
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Types these lines in this folder; answers where the shell stood at the end.
    fn types(&self, lines: &str, folder: &Path) -> (Output, PathBuf) {
        let stands = self.folder.path().join("stands");
        let path = std::env::var("PATH").expect("a PATH");
        let mut shell = Command::new("sh");
        shell
            .arg("-euc")
            .arg(format!("exec 2>&1\n{lines}\npwd > '{}'", stands.display()))
            .current_dir(folder)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.folder.path().join("bin").display()))
            .env("HOME", self.home());
        let output = output(&mut shell);
        let stood = fs::read_to_string(&stands).unwrap_or_default();
        (output, PathBuf::from(stood.trim_end()))
    }
}

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
    assert_eq!(blocks.iter().filter(|block| block.kind == "sh").count(), 5);
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
        let is_run = block.text.starts_with("trueup run");
        let before = is_run.then(|| files_digest(&stands));
        let (ended, stood) = newcomer.types(&block.text, &stands);
        assert_eq!(ended.code, 0, "{}\n{ended:#?}", block.text);
        said = ended.stdout;
        if let Some(before) = before {
            assert_eq!(files_digest(&stands), before, "the checkout was touched");
            assert!(said.contains("verified: 2 of 2 criteria"), "{said}");
            let (shown, _) = newcomer.types("trueup show T-001 --json", &stands);
            let shown: serde_json::Value = serde_json::from_str(&shown.stdout).expect("a document");
            let (tree, _) = newcomer.types("git rev-parse 'trueup/T-001^{tree}'", &stands);
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
    println!("measured: demo_seconds={seconds:.2}");
    assert!(seconds < 10.0, "the demo took {seconds:.2} s");
}
