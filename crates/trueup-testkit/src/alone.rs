//! A test run again by itself, where there is no network but loopback.
#![expect(clippy::expect_used, reason = "a test without its wall is over")]

use std::{
    env,
    net::TcpStream,
    process::{Command, Stdio},
    time::Duration,
};

/// Says to the second run that it is the second.
const SECOND: &str = "TRUEUP_TEST_ALONE";

/// Runs the body of the test of this name behind a wall.
///
/// # Panics
/// The test fails there, or there is no wall.
pub fn alone(test: &str, body: impl FnOnce()) {
    if env::var_os(SECOND).is_some() {
        assert!(!reaches_the_world(), "there is a network");
        return body();
    }
    let program = env::current_exe().expect("this very program");
    let output = Command::new("bwrap")
        // No PID namespace of its own: behind one, no second wall can be built.
        .args(["--dev-bind", "/", "/", "--unshare-net"])
        .args(["--die-with-parent", "--"])
        .arg(program)
        .args(["--exact", test, "--nocapture"])
        .env(SECOND, "1")
        .stdin(Stdio::null())
        .output()
        .expect("bubblewrap");
    let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    // A name that no test has would be a run of nothing.
    let ran = told.iter().any(|text| text.contains("1 passed"));
    assert!(output.status.success() && ran, "{}", told.join("\n"));
    let [stdout, _] = told;
    print_measured(&stdout);
}

/// Passes on what the second run measured, and nothing its runner said.
#[expect(clippy::print_stdout, reason = "what a test measured is read from its output")]
fn print_measured(stdout: &str) {
    let is_measure = |line: &&str| {
        let name = line.split_once(": ").map(|(name, _)| name);
        name.is_some_and(|name| name.chars().all(|letter| letter.is_ascii_lowercase()))
    };
    for line in stdout.lines().filter(is_measure) {
        println!("{line}");
    }
}

/// Whether anything but this machine can be reached. The address is one that
/// belongs to nobody; with a network it times out, without one it is refused
/// at once.
fn reaches_the_world() -> bool {
    let nobody = "192.0.2.1:80".parse().expect("an address");
    match TcpStream::connect_timeout(&nobody, Duration::from_secs(1)) {
        Ok(_) => true,
        Err(error) => error.kind() != std::io::ErrorKind::NetworkUnreachable,
    }
}
