//! What the server's program tells people to type works when it is typed.
#![expect(clippy::expect_used, reason = "a test without its server is over")]

use crate::scene::Scene;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};
use trueup_testkit::alone::alone;

/// The program while it serves; dropped, it ends.
struct Served {
    child: Child,
    /// What it told to type for each agent.
    claude: String,
    codex: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().expect("a server that still served");
        self.child.wait().expect("its end");
    }
}

/// Starts the program with this script and a log, and reads what it tells.
fn served(scene: &Scene, script: &Value) -> Served {
    let path = scene.home().join("script.json");
    fs::write(&path, script.to_string()).expect("a script");
    let mut child = Command::new(env!("CARGO_BIN_EXE_model-server"))
        .arg(path)
        .arg("--log")
        .arg(scene.home().join("requests.jsonl"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut told = String::new();
    for line in BufReader::new(child.stdout.take().expect("its output")).lines() {
        told += &format!("{}\n", line.expect("a line"));
        if told.ends_with("</dev/null\n") {
            break;
        }
    }
    let (claude, codex) = told.split_once("Codex:\n").expect("both agents");
    let (port, claude) = claude.split_once("Claude Code:\n").expect("both agents");
    assert!(port.starts_with("port "), "{port}");
    Served {
        child,
        claude: claude.to_owned(),
        codex: codex.to_owned(),
    }
}

#[test]
fn what_is_told_to_be_typed_works() {
    alone("typing::what_is_told_to_be_typed_works", || {
        let scene = Scene::new();
        let path = scene.work().join("claude.txt");
        let write = json!({"name": "Write", "input": {"file_path": path, "content": "hello\n"}});
        let server = served(&scene, &json!({"replies": [{"tools": [write]}]}));
        scene.types(&server.claude).with_code(0);
        assert_eq!(scene.file("claude.txt").as_deref(), Some("hello\n"));
        drop(server);

        let write = json!({"name": "exec_command", "input": {"cmd": "echo hello > codex.txt"}});
        let server = served(&scene, &json!({"replies": [{"tools": [write]}]}));
        scene.types(&server.codex).with_code(0);
        assert_eq!(scene.file("codex.txt").as_deref(), Some("hello\n"));
        let log = fs::read_to_string(scene.home().join("requests.jsonl")).expect("a log");
        for path in ["\"path\":\"/v1/messages\"", "\"path\":\"/v1/responses\""] {
            assert!(log.contains(path), "{path}");
        }
    });
}

#[test]
fn a_script_that_cannot_be_read_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("script.json");
    fs::write(&path, "{\"replys\": []}").expect("a script");
    let output = Command::new(env!("CARGO_BIN_EXE_model-server"))
        .arg(&path)
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("script.json") && told.contains("`replys`"), "{told}");
}
