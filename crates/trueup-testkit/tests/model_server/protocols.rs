//! A reply says the same over every protocol, whole and as a stream.

use crate::client::{End, get, post, send};
use serde_json::{Value, json};
use trueup_testkit::model_server::{ModelServer, Reply, Script, Then, Usage};

fn both() -> Reply {
    Reply::tool("Write", json!({"file_path": "a.txt", "content": "hi ü"}))
        .saying("I write a file.")
        .thinking("A file is asked for.")
        .usage(Usage::of(7, 3).cached(5, 11))
}

fn server() -> ModelServer {
    ModelServer::spawn(Script::new([both()]).then(Then::Repeat))
}

fn asked(stream: Value) -> Value {
    json!({"model": "m", "stream": stream, "tools": [{"name": "Write"}], "messages": []})
}

/// The deltas of a field, joined.
fn joined(events: &[(String, Value)], pick: impl Fn(&Value) -> &Value) -> String {
    events.iter().filter_map(|(_, data)| pick(data).as_str()).collect()
}

#[test]
fn messages_are_spelled_as_anthropic_spells_them() {
    let server = server();
    let whole = post(server.port, "/v1/messages?beta=true", &asked(json!(false)));
    assert_eq!((whole.status, &whole.end), (200, &End::Whole));
    let message = whole.json();
    assert_eq!(message["stop_reason"], "tool_use");
    assert_eq!(message["model"], "m");
    let kinds: Vec<&Value> = message["content"]
        .as_array()
        .expect("blocks")
        .iter()
        .map(|b| &b["type"])
        .collect();
    assert_eq!(kinds, ["thinking", "text", "tool_use"]);
    assert_eq!(message["content"][2]["input"]["content"], "hi ü");
    let usage = &message["usage"];
    assert_eq!(usage["input_tokens"], 7);
    assert_eq!(usage["cache_creation_input_tokens"], 5);
    assert_eq!(usage["cache_read_input_tokens"], 11);
    assert_eq!(usage["output_tokens"], 3);

    let stream = post(server.port, "/v1/messages", &asked(json!(true)));
    assert_eq!(stream.end, End::Whole);
    assert!(stream.head.contains("text/event-stream"), "{}", stream.head);
    let events = stream.events();
    for (name, data) in &events {
        assert_eq!(data["type"], name.as_str());
    }
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.first(), Some(&"message_start"));
    assert_eq!(names.last(), Some(&"message_stop"));
    assert_eq!(joined(&events, |data| &data["delta"]["text"]), "I write a file.");
    assert_eq!(
        joined(&events, |data| &data["delta"]["thinking"]),
        "A file is asked for."
    );
    let input = joined(&events, |data| &data["delta"]["partial_json"]);
    let input: Value = serde_json::from_str(&input).expect("the input in pieces");
    assert_eq!(input["content"], "hi ü");
    let starts = names.iter().filter(|name| **name == "content_block_start").count();
    let stops = names.iter().filter(|name| **name == "content_block_stop").count();
    assert_eq!((starts, stops), (3, 3));
    let (_, delta) = events
        .iter()
        .find(|(name, _)| name == "message_delta")
        .expect("a delta");
    assert_eq!(delta["usage"]["output_tokens"], 3);
    assert_eq!(delta["delta"]["stop_reason"], "tool_use");
}

#[test]
fn responses_are_spelled_as_openai_spells_them() {
    let server = server();
    let response = post(server.port, "/v1/responses", &asked(json!(false))).json();
    assert_eq!(response["status"], "completed");
    let kinds: Vec<&Value> = response["output"]
        .as_array()
        .expect("items")
        .iter()
        .map(|i| &i["type"])
        .collect();
    assert_eq!(kinds, ["reasoning", "message", "function_call"]);
    assert_eq!(response["usage"]["input_tokens"], 23);
    assert_eq!(response["usage"]["input_tokens_details"]["cached_tokens"], 11);
    assert_eq!(response["usage"]["total_tokens"], 26);

    let events = post(server.port, "/v1/responses", &asked(json!(true))).events();
    for (number, (name, data)) in events.iter().enumerate() {
        assert_eq!(data["type"], name.as_str());
        assert_eq!(data["sequence_number"], number);
    }
    let (first, _) = events.first().expect("a first event");
    let (last, end) = events.last().expect("a last event");
    assert_eq!(
        (first.as_str(), last.as_str()),
        ("response.created", "response.completed")
    );
    let call = &end["response"]["output"][2];
    let arguments: Value = serde_json::from_str(call["arguments"].as_str().expect("text")).expect("JSON");
    assert_eq!(arguments["content"], "hi ü");
    let said = events.iter().filter(|(name, _)| name == "response.output_text.delta");
    let said: Vec<(String, Value)> = said.cloned().collect();
    assert_eq!(joined(&said, |data| &data["delta"]), "I write a file.");
}

#[test]
fn chat_completions_are_spelled_as_openai_spells_them() {
    let server = server();
    let completion = post(server.port, "/v1/chat/completions", &asked(json!(false))).json();
    let choice = &completion["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], "I write a file.");
    assert_eq!(choice["message"]["tool_calls"][0]["function"]["name"], "Write");
    assert_eq!(completion["usage"]["prompt_tokens"], 23);

    let mut events = post(server.port, "/v1/chat/completions", &asked(json!(true))).events();
    let (_, done) = events.pop().expect("an end");
    assert_eq!(done, "[DONE]");
    let (_, usage) = events.pop().expect("the usage");
    assert_eq!(usage["usage"]["total_tokens"], 26);
    assert_eq!(
        joined(&events, |data| &data["choices"][0]["delta"]["content"]),
        "I write a file."
    );
    assert_eq!(
        joined(&events, |data| &data["choices"][0]["finish_reason"]),
        "tool_calls"
    );
}

#[test]
fn a_stop_reason_is_translated_for_each_protocol() {
    let reply = Reply::text("too long to").stop_reason("max_tokens");
    let server = ModelServer::spawn(Script::new([reply]).then(Then::Repeat));
    let message = post(server.port, "/v1/messages", &asked(json!(false))).json();
    assert_eq!(message["stop_reason"], "max_tokens");
    let chat = post(server.port, "/v1/chat/completions", &asked(json!(false))).json();
    assert_eq!(chat["choices"][0]["finish_reason"], "length");
    let events = post(server.port, "/v1/responses", &asked(json!(true))).events();
    let (name, data) = events.last().expect("an end");
    assert_eq!(name, "response.incomplete");
    assert_eq!(data["response"]["incomplete_details"]["reason"], "max_output_tokens");
}

#[test]
fn what_clients_ask_beside_the_model_is_answered() {
    let server = server();
    assert_eq!(send(server.port, "HEAD", "/", "").status, 200);
    assert_eq!(send(server.port, "HEAD", "/api/hello", "").status, 200);
    assert_eq!(get(server.port, "/api/hello").status, 200);
    let models = get(server.port, "/v1/models").json();
    assert!(models["data"].as_array().is_some_and(|models| !models.is_empty()));
    let count = post(server.port, "/v1/messages/count_tokens", &asked(json!(false))).json();
    assert!(count["input_tokens"].as_u64() > Some(1));
    assert_eq!(get(server.port, "/v1/elsewhere").status, 404);
    // None of them consumed a reply, and all of them were seen.
    let requests = server.requests();
    assert_eq!(requests.len(), 6);
    assert!(requests.iter().all(|request| request.reply.is_none()));
}
