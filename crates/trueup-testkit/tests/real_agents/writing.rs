//! Each real agent does what the scripted model says.

use crate::scene::{Ended, Scene};
use serde_json::json;
use trueup_testkit::alone::alone;
use trueup_testkit::model_server::{ModelServer, Reply, Usage};

const KEY: [(&str, &str); 1] = [("ANTHROPIC_API_KEY", "sk-scripted")];
const PROVIDER: &str = "env_key = \"SCRIPTED_KEY\"";
const SCRIPTED_KEY: [(&str, &str); 1] = [("SCRIPTED_KEY", "sk-scripted")];

fn claude_writes(version: &str) {
    let scene = Scene::new();
    let path = scene.work().join("hello.txt");
    let server = ModelServer::spawn([
        Reply::tool("Write", json!({"file_path": path, "content": "hello\n"}))
            .saying("I write it.")
            .thinking("A file is asked for.")
            .usage(Usage::of(120, 40).cached(50, 1000)),
        Reply::text("It is written.").usage(Usage::of(30, 5)),
    ]);
    let ended = scene.claude(version, &server, &KEY);
    ended.with_code(0);
    assert_eq!(scene.file("hello.txt").as_deref(), Some("hello\n"));
    let result = ended.line("result");
    assert_eq!(result["result"], "It is written.");
    assert_eq!(result["is_error"], false);
    assert_eq!(result["usage"]["input_tokens"], 150);
    assert_eq!(result["usage"]["cache_read_input_tokens"], 1000);
    assert_eq!(result["usage"]["output_tokens"], 45);
    let turns: Vec<usize> = server.requests().iter().filter_map(|request| request.reply).collect();
    assert_eq!(turns, [0, 1]);
    assert!(
        server
            .requests()
            .iter()
            .any(|request| request.mentions("Create hello.txt"))
    );
}

fn codex_writes(scene: &Scene, server: &ModelServer) -> Ended {
    scene.codex(server, PROVIDER, &SCRIPTED_KEY)
}

#[test]
fn claude_writes_a_file_because_the_script_says_so() {
    alone("writing::claude_writes_a_file_because_the_script_says_so", || {
        claude_writes("2.1.325")
    });
}

#[test]
fn an_older_claude_writes_a_file_because_the_script_says_so() {
    alone(
        "writing::an_older_claude_writes_a_file_because_the_script_says_so",
        || {
            claude_writes("2.1.197");
        },
    );
}

#[test]
fn codex_writes_a_file_because_the_script_says_so() {
    alone("writing::codex_writes_a_file_because_the_script_says_so", || {
        let scene = Scene::new();
        let server = ModelServer::spawn([
            Reply::tool("exec_command", json!({"cmd": "echo hello > hello.txt"}))
                .saying("I write it.")
                .thinking("A file is asked for.")
                .usage(Usage::of(120, 40).cached(50, 1000)),
            Reply::text("It is written.").usage(Usage::of(30, 5)),
        ]);
        let ended = codex_writes(&scene, &server);
        ended.with_code(0);
        assert_eq!(scene.file("hello.txt").as_deref(), Some("hello\n"));
        let usage = &ended.line("turn.completed")["usage"];
        assert_eq!(usage["input_tokens"], 1200, "{ended:#?}");
        assert_eq!(usage["cached_input_tokens"], 1000);
        assert_eq!(usage["output_tokens"], 45);
        let mut said = ended
            .lines
            .iter()
            .filter(|line| line["item"]["type"] == "agent_message");
        assert_eq!(
            said.next_back().map(|line| &line["item"]["text"]),
            Some(&json!("It is written."))
        );
    });
}

#[test]
fn without_a_tool_call_nothing_is_written() {
    alone("writing::without_a_tool_call_nothing_is_written", || {
        for version in trueup_testkit::agents::CLAUDE_VERSIONS {
            let scene = Scene::new();
            let server = ModelServer::spawn([Reply::text("It is written.")]);
            scene.claude(version, &server, &KEY).with_code(0);
            assert_eq!(scene.file("hello.txt"), None);
        }
        let scene = Scene::new();
        let server = ModelServer::spawn([Reply::text("It is written.")]);
        codex_writes(&scene, &server).with_code(0);
        assert_eq!(scene.file("hello.txt"), None);
    });
}

#[test]
fn a_fault_of_the_model_is_seen_by_every_agent() {
    alone("writing::a_fault_of_the_model_is_seen_by_every_agent", || {
        let fault = || {
            [Reply::status(400)
                .error("invalid_request_error", "no such luck")
                .times(50)]
        };
        for version in trueup_testkit::agents::CLAUDE_VERSIONS {
            let ended = Scene::new().claude(version, &ModelServer::spawn(fault()), &KEY);
            ended.with_code(1);
            assert_eq!(ended.line("result")["api_error_status"], 400, "{ended:#?}");
        }
        let ended = codex_writes(&Scene::new(), &ModelServer::spawn(fault()));
        ended.with_code(1);
        let told = ended.line("turn.failed")["error"]["message"]
            .as_str()
            .unwrap_or_default();
        assert!(told.contains("no such luck"), "{ended:#?}");
    });
}

#[test]
fn the_wall_shuts_the_network_out() {
    alone("writing::the_wall_shuts_the_network_out", || {
        let interfaces = std::fs::read_to_string("/proc/net/dev").expect("interfaces");
        let names: Vec<&str> = interfaces
            .lines()
            .skip(2)
            .filter_map(|line| line.split(':').next())
            .collect();
        assert_eq!(names.iter().map(|name| name.trim()).collect::<Vec<_>>(), ["lo"]);
    });
}
