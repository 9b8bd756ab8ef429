//! Sockets of the machine: a hole only a person can open, named wherever the
//! evidence is.

use crate::place::{configure, household};
use serde_json::json;
use std::{fs, io::Write, os::unix::net::UnixListener, path::Path, thread};
use trueup_testkit::household::Household;

/// Says what a program on the other side of the socket says.
const ASK: &str = "\
import socket, sys
line = socket.socket(socket.AF_UNIX)
try:
    line.connect(sys.argv[1])
except OSError as error:
    print(error)
    sys.exit(9)
sys.exit(0 if line.recv(9) == b'hello' else 1)
";

/// A program of the machine that answers on a socket.
fn listening(path: &Path) {
    let listener = UnixListener::bind(path).expect("a socket");
    thread::spawn(move || {
        for line in listener.incoming().flatten() {
            let mut line = line;
            // A caller that went away is not this test's concern.
            line.write_all(b"hello").unwrap_or_default();
        }
    });
}

/// A household whose guard asks the socket; whether the person allows it is
/// not decided yet.
fn asking(socket: &Path) -> Household {
    let at = socket.display();
    let checks = format!(
        "[checks.ask]\nrun = \"python3 tests/ask.py {at}\"\nsockets = [\"{at}\"]\n\n\
         [checks.blind]\nrun = \"python3 tests/ask.py {at}\"\n"
    );
    let household = household("", &["guard: ask", "verify: blind", "verify: file answer.txt exists"]);
    configure(&household, &checks);
    household.file("tests/ask.py", ASK);
    household.commit("Somebody to ask");
    household
}

fn allow(household: &Household, socket: &Path) {
    let path = household.home().join(".config/trueup");
    fs::create_dir_all(&path).expect("a folder");
    let line = format!("[sandbox]\nsockets = [\"{}\"]\n", socket.display());
    fs::write(path.join("config.toml"), line).expect("the user's layer");
}

#[test]
fn a_socket_the_person_did_not_allow_is_refused_with_the_line_to_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("machine.sock");
    listening(&socket);
    let household = asking(&socket);
    for command in ["check", "run"] {
        let refused = household.trueup(&[command, "T-001"]);
        let said = format!("{}{}", refused.stdout, refused.stderr);
        assert_eq!(refused.code, 3, "{refused:#?}");
        let line = format!("sockets = [\"{}\"]", socket.display());
        let own = household
            .home()
            .join(".config/trueup/config.toml")
            .display()
            .to_string();
        assert!(said.contains(&line) && said.contains(&own), "{refused:#?}");
    }
    assert_eq!(
        household.json(&["status", "--json"])["tasks"][0]["outcome"],
        "never_run"
    );
}

#[test]
fn an_allowed_socket_is_a_hole_for_that_check_alone_and_named_with_its_evidence() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("machine.sock");
    listening(&socket);
    let household = asking(&socket);
    allow(&household, &socket);
    household.trueup(&["run", "T-001"]);
    let evidence = household.show("T-001")["criteria"][0]["evidence"].clone();
    assert_eq!(evidence[0]["saw"], "passed", "{evidence:#}");
    assert_eq!(evidence[0]["sockets"], json!([socket]), "{evidence:#}");
    assert_eq!(
        evidence[1]["saw"],
        json!({ "failed": { "exit": 9 } }),
        "the other sees none: {evidence:#}"
    );
    assert_eq!(evidence[1]["sockets"], json!([]));
    let shown = household.trueup(&["show", "T-001"]);
    assert!(
        shown.stdout.contains(&format!("could reach {}", socket.display())),
        "{shown:#?}"
    );
}

#[test]
fn a_folder_or_a_missing_file_is_no_socket() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, why) in [("a-folder", "it is not a socket"), ("missing.sock", "No such file")] {
        let path = folder.path().join(name);
        if name == "a-folder" {
            fs::create_dir(&path).expect("a folder");
        }
        let household = asking(&path);
        allow(&household, &path);
        let checked = household.json(&["check", "T-001", "--json"]);
        let saw = &checked["tasks"][0]["evidence"][0]["saw"]["cannot_run"]["why"];
        assert!(saw.as_str().is_some_and(|told| told.contains(why)), "{checked:#}");
    }
}
