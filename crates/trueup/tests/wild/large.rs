//! Large repositories and large files.

use crate::place::Wild;
use std::{
    fmt::Write as _,
    fs::{self, File},
    process::{Command, Stdio},
    time::Instant,
};
use trueup_testkit::household::scale;

/// How many files there are: as many as anybody has, and fewer in CI.
fn number_of_files() -> usize {
    if scale() >= 10 { 100_000 } else { 20_000 }
}

/// Adds a commit of very many files to what is committed.
fn grow(wild: &Wild, files: usize) {
    let mut stream = String::from(
        "commit refs/heads/main\ncommitter Ada <ada@example.invalid> 1767225600 +0000\ndata 4\nmany\nfrom refs/heads/main^0\n",
    );
    for number in 0..files {
        let text = format!("file {number}\n");
        let (one, two) = (number / 1000, number / 50 % 20);
        writeln!(
            stream,
            "M 100644 inline many/{one}/{two}/{number}.txt\ndata {}\n{text}",
            text.len()
        )
        .expect("text");
    }
    let file = wild.beside("stream");
    fs::write(&file, stream).expect("a file");
    let mut import = Command::new("git");
    import.args(["fast-import", "--quiet"]).current_dir(wild.checkout());
    let done = import.stdin(Stdio::from(File::open(file).expect("a file"))).status();
    assert!(done.expect("git").success());
    // Nobody has so many files and checks all of them out.
    wild.household
        .git(&["sparse-checkout", "set", "--no-cone", "/tests/", "/tasks/"]);
    wild.household.git(&["reset", "--quiet", "--hard"]);
}

/// How many milliseconds it takes.
fn timed(work: impl FnOnce()) -> u128 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_millis()
}

#[test]
fn very_many_files_are_proved() {
    let files = number_of_files();
    let last = files / 1000 - 1;
    let wild = Wild::new(&format!("test -f many/{last}/19/{}.txt\n", files - 1));
    // One check is enough: the goal runs the other one as well.
    let task = fs::read_to_string(wild.checkout().join("tasks/T-001.md")).expect("the task");
    let (goal, _) = task.split_once("- [ ] **AC-2**").expect("two criteria");
    wild.household.task("T-001", goal);
    let fact = goal
        .replace("T-001", "T-002")
        .replace("`sh tests/work.sh`", "file done.txt has /done/");
    wild.household.task("T-002", &fact);
    wild.commit();
    grow(&wild, files);
    let trueup = |command: &str, task: &str| {
        let ended = wild.household.trueup(&[command, task]);
        assert_eq!(ended.code, 0, "{ended:#?}");
    };
    for time in ["first", "second"] {
        let looked = timed(|| trueup("check", "T-002"));
        println!("measured: `check` of {files} files without a room, the {time} time: {looked} ms");
    }
    let ran = timed(|| trueup("run", "T-001"));
    let plain = timed(|| {
        wild.compare(|checkout, plain| {
            let to = plain.display().to_string();
            let from = checkout.display().to_string();
            wild.git_in(checkout, &["clone", "--quiet", "--branch", "trueup/T-001", &from, &to]);
        });
    });
    println!("measured: `run` to verified with {files} files, two rooms and a workspace: {ran} ms");
    println!("measured: plain `git clone` of {files} files and the same check: {plain} ms");
}

#[test]
fn a_file_over_the_cap_is_left_out_and_told() {
    let wild = Wild::new("test ! -e big.bin\n");
    wild.commit();
    wild.agent("truncate -s 101000000 big.bin\ntruncate -s 99000000 fits.bin\n");
    wild.is_proved();
    assert_eq!(
        wild.household.git(&["diff", "--name-only", "HEAD", "trueup/T-001"]),
        "done.txt\nfits.bin"
    );
    let told = wild.findings();
    assert!(
        told.contains("`big.bin` was left out: it has 101 MB, and a file may have 100 MB."),
        "{told}"
    );
}

#[test]
fn a_file_over_the_cap_may_be_in_the_base() {
    let wild = Wild::new("test \"$(wc -c < big.bin)\" = 101000000\n");
    let big = File::create(wild.checkout().join("big.bin")).expect("a file");
    big.set_len(101_000_000).expect("a large file");
    wild.commit();
    wild.is_proved();
    assert_eq!(wild.findings().replace("null", ""), "[]", "nothing was left out");
}
