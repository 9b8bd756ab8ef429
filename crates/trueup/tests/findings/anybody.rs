//! The same for a person who is not root.

use crate::attack::BINARIES;
use std::{fs, os::unix::fs::PermissionsExt, process::Command};
use trueup_testkit::known_bad::known_bad;

/// What needs no root to be tried, which is everything.
const ATTACKS: [&str; 7] = [
    "gate::",
    "kernel::keys",
    "kernel::limits",
    "kernel::sockets",
    "state::",
    "trust::",
    "words::",
];

#[test]
fn every_attack_fails_for_an_ordinary_user_too() {
    if !rustix::process::getuid().is_root() {
        // The other tests were that user's.
        return;
    }
    let folder = tempfile::Builder::new()
        .prefix("findings-as-nobody-")
        .tempdir_in("/tmp")
        .expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("a folder anybody can enter");
    let tests = folder.path().join("tests");
    fs::copy(std::env::current_exe().expect("this program"), &tests).expect("copy");
    fs::copy(env!("CARGO_BIN_EXE_trueup"), folder.path().join("trueup")).expect("copy");
    fs::copy(known_bad(), folder.path().join("known-bad")).expect("copy");
    let mut passed = 0;
    for attacks in ATTACKS {
        let output = Command::new("setpriv")
            .args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"])
            .arg(&tests)
            .args([attacks, "--test-threads", "2", "--nocapture"])
            .env(BINARIES, folder.path())
            .env_remove("TMPDIR")
            .current_dir("/")
            .output()
            .expect("setpriv");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{attacks}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let count = said.lines().filter(|line| line.ends_with("... ok")).count();
        assert!(count > 0, "{attacks}: {said}");
        passed += count;
        // What was tried is added up with the rest.
        said.lines()
            .filter(|line| line.starts_with("attacks: "))
            .for_each(|line| println!("{line}"));
    }
    println!("measured: findings_as_nobody={passed}");
}
