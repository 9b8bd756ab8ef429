//! Which request consumes which reply of which script.

use crate::client::{get, post, send};
use serde_json::{Value, json};
use trueup_testkit::model_server::{ModelServer, Reply, Script, Scripts, Then};

fn asked(words: &str) -> Value {
    json!({"tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": words}]})
}

/// What the model says to a request with tools and these words.
fn said(server: &ModelServer, words: &str) -> String {
    let message = post(server.port, "/v1/messages", &asked(words)).json();
    let text = message["content"][0]["text"].as_str();
    text.or(message["error"]["message"].as_str())
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn replies_are_consumed_in_order_then_the_script_is_done() {
    let server = ModelServer::spawn([Reply::text("a").times(2), Reply::text("b")]);
    let heard: Vec<String> = (0..5).map(|_| said(&server, "")).collect();
    assert_eq!(heard, ["a", "a", "b", "done", "done"]);
}

#[test]
fn a_script_can_repeat_its_last_reply_or_refuse() {
    let server = ModelServer::spawn(Script::new([Reply::text("a")]).then(Then::Repeat));
    assert_eq!([said(&server, ""), said(&server, "")], ["a", "a"]);
    server.replace(Script::new([Reply::text("b")]).then(Then::Refuse));
    assert_eq!([said(&server, ""), said(&server, "")], ["b", "the script is used up"]);
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_request_without_tools_consumes_nothing() {
    let script = Script::new([Reply::text("main")]).side(Reply::text("aside"));
    let server = ModelServer::spawn(script);
    for body in [json!({"messages": []}), json!({"tools": [], "messages": []})] {
        let message = post(server.port, "/v1/messages", &body).json();
        assert_eq!(message["content"][0]["text"], "aside");
    }
    assert_eq!(said(&server, ""), "main");
    let offering: Vec<bool> = server.requests().iter().map(|request| request.offers_tools()).collect();
    assert_eq!(offering, [false, false, true]);
}

#[test]
fn each_conversation_has_its_own_script() {
    let server = ModelServer::spawn([
        Script::new([Reply::text("1a"), Reply::text("1b")]).matching("T-001"),
        Script::new([Reply::text("2a"), Reply::text("2b")]).matching("say \"T-002\""),
    ]);
    assert_eq!(said(&server, "do T-001"), "1a");
    assert_eq!(said(&server, "say \"T-002\" now"), "2a");
    assert_eq!(said(&server, "do T-001"), "1b");
    // Nobody answers for a conversation nobody wrote.
    assert_eq!(said(&server, "do T-003"), "no script fits this request");
    let requests = server.requests();
    let scripts: Vec<Option<&str>> = requests.iter().map(|request| request.script.as_deref()).collect();
    assert_eq!(scripts, [Some("T-001"), Some("say \"T-002\""), Some("T-001"), None]);
    assert!(requests.first().is_some_and(|first| first.mentions("do T-001")));
}

#[test]
fn many_conversations_share_a_server_without_mixing() {
    let scripts: Vec<Script> = (0..10)
        .map(|n| Script::new((0..20).map(|k| Reply::text(&format!("{n}/{k}")))).matching(&format!("run-{n};")))
        .collect();
    let server = ModelServer::spawn(scripts);
    std::thread::scope(|scope| {
        for n in 0..10 {
            let server = &server;
            scope.spawn(move || {
                for k in 0..20 {
                    assert_eq!(said(server, &format!("run-{n};")), format!("{n}/{k}"));
                }
            });
        }
    });
    assert_eq!(server.requests().len(), 200);
}

#[test]
fn requests_are_kept_as_they_came() {
    let server = ModelServer::spawn([Reply::text("a")]);
    post(server.port, "/v1/messages?beta=true", &asked("hello"));
    let requests = server.requests();
    let request = requests.first().expect("a request");
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/messages")
    );
    assert_eq!(request.query.as_deref(), Some("beta=true"));
    assert_eq!(request.headers.get("host").map(String::as_str), Some("x"));
    assert_eq!(request.body["messages"][0]["content"], "hello");
    assert_eq!(request.reply, Some(0));
    let log = get(server.port, "/__log").json();
    assert_eq!(log[0]["body"]["messages"][0]["content"], "hello");
}

#[test]
fn a_script_can_be_replaced_over_http_but_not_by_nonsense() {
    let server = ModelServer::spawn([Reply::text("old")]);
    let nonsense = send(server.port, "POST", "/__script", "{\"replys\": []}");
    assert_eq!(nonsense.status, 400);
    assert_eq!(said(&server, ""), "old");
    let script = json!([{"match": "x", "replies": [{"text": "new"}], "then": "refuse"}]);
    assert_eq!(post(server.port, "/__script", &script).status, 200);
    assert_eq!(said(&server, "x"), "new");
}

#[test]
fn the_documented_script_is_a_script() {
    let page = include_str!("../../../../docs/model-server.md");
    let blocks = trueup_testkit::transcript::blocks(page);
    let scripts: Vec<&str> = blocks
        .iter()
        .filter(|b| b.kind == "json")
        .map(|b| b.text.as_str())
        .collect();
    assert!(scripts.len() >= 2, "the page shows scripts");
    for script in scripts {
        let read = serde_json::from_str::<Scripts>(script);
        assert!(read.is_ok(), "{read:?}: {script}");
    }
}

#[tokio::test]
async fn a_server_answers_while_its_test_is_busy() {
    let server = ModelServer::start([Reply::text("a")]).await;
    // This blocks the only thread of the test's runtime.
    assert_eq!(said(&server, ""), "a");
}
