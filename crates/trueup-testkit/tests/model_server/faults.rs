//! Everything that can go wrong with a model goes wrong on request.

use crate::client::{Answer, End, post};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use trueup_testkit::model_server::{Hang, ModelServer, Reply};

const PATHS: [&str; 3] = ["/v1/messages", "/v1/responses", "/v1/chat/completions"];

fn asked(stream: Value) -> Value {
    json!({"model": "m", "stream": stream, "tools": [{"name": "Write"}]})
}

/// What one reply looks like at this path, as a stream.
fn streamed(path: &str, reply: Reply) -> Answer {
    let server = ModelServer::spawn([reply]);
    post(server.port, path, &asked(json!(true)))
}

/// What one reply looks like at this path, as one body.
fn whole(path: &str, reply: Reply) -> Answer {
    let server = ModelServer::spawn([reply]);
    post(server.port, path, &asked(json!(false)))
}

#[test]
fn a_status_comes_with_its_headers_and_its_error() {
    for path in PATHS {
        let reply = Reply::status(429)
            .header("retry-after", "2")
            .header("anthropic-ratelimit-unified-reset", "1767225600")
            .error("usage_limit_reached", "not today")
            .error_field("resets_at", json!(1_767_225_600));
        let answer = streamed(path, reply);
        assert_eq!(answer.status, 429);
        assert!(answer.head.contains("retry-after: 2"), "{}", answer.head);
        assert!(answer.head.contains("anthropic-ratelimit-unified-reset: 1767225600"));
        let error = &answer.json()["error"];
        assert_eq!(error["type"], "usage_limit_reached");
        assert_eq!(error["message"], "not today");
        assert_eq!(error["resets_at"], 1_767_225_600);
    }
    assert_eq!(
        whole("/v1/messages", Reply::status(529)).json()["error"]["type"],
        "overloaded_error"
    );
}

#[test]
fn a_raw_body_is_sent_as_it_stands() {
    for path in PATHS {
        let answer = streamed(path, Reply::raw("<html>").header("content-type", "text/html"));
        assert_eq!((answer.status, answer.body.as_str()), (200, "<html>"));
        assert!(answer.head.contains("content-type: text/html"));
    }
}

#[test]
fn an_answer_can_hang_anywhere() {
    for path in PATHS {
        let before = streamed(path, Reply::text("a b c d").hang(Hang::Before));
        assert_eq!((before.status, before.end), (0, End::Hung));
        let headers = streamed(path, Reply::text("a b c d").hang(Hang::Headers));
        assert_eq!(
            (headers.status, headers.body.as_str(), headers.end),
            (200, "", End::Hung)
        );
        let mid = streamed(path, Reply::text("a b c d").hang(Hang::Mid));
        assert_eq!((mid.status, mid.end), (200, End::Hung));
        assert!(!mid.events().is_empty());
        let plain = whole(path, Reply::text("a b c d").hang(Hang::Mid));
        assert_eq!((plain.status, plain.end), (200, End::Hung));
        assert!(!plain.body.is_empty());
    }
}

#[test]
fn a_connection_can_be_cut_in_the_middle() {
    for path in PATHS {
        let stream = streamed(path, Reply::text("a b c d").cut());
        assert_eq!((stream.status, stream.end), (200, End::Cut));
        let plain = whole(path, Reply::text("a b c d").cut());
        assert_eq!((plain.status, plain.end), (200, End::Cut));
        assert!(!plain.body.is_empty());
    }
}

#[test]
fn an_error_can_arrive_in_the_middle_of_a_stream() {
    for path in PATHS {
        let reply = || Reply::text("a b c d").sse_error("overloaded_error", "too many");
        let answer = streamed(path, reply());
        assert_eq!((answer.status, &answer.end), (200, &End::Whole));
        let events = answer.events();
        assert!(events.len() > 1);
        let (_, last) = events.last().expect("an error");
        assert!(last.to_string().contains("overloaded_error"), "{last}");
        // Without a stream it is a plain failure.
        assert_eq!(whole(path, reply()).status, 500);
    }
}

#[test]
fn only_a_response_can_fail_by_its_last_event() {
    let reply = || Reply::failed("context_length_exceeded", "too long");
    let events = streamed("/v1/responses", reply()).events();
    let (name, data) = events.last().expect("an end");
    assert_eq!(name, "response.failed");
    assert_eq!(data["response"]["error"]["code"], "context_length_exceeded");
    assert_eq!(streamed("/v1/messages", reply()).status, 400);
}

#[test]
fn an_answer_takes_its_time() {
    let begun = Instant::now();
    let slow = Reply::text("a b c d").delay(Duration::from_millis(200));
    assert_eq!(whole("/v1/messages", slow).status, 200);
    assert!(begun.elapsed() >= Duration::from_millis(200));
    let begun = Instant::now();
    let parts = streamed(
        "/v1/messages",
        Reply::text("a b c d").chunk_delay(Duration::from_millis(20)),
    );
    let least = Duration::from_millis(20) * u32::try_from(parts.events().len()).expect("few");
    assert!(begun.elapsed() >= least);
}

#[test]
fn a_dropped_server_lets_go_of_what_hangs() {
    let server = ModelServer::spawn([Reply::text("a").hang(Hang::Before)]);
    let port = server.port;
    let waiting = std::thread::spawn(move || post(port, "/v1/messages", &asked(json!(true))));
    while server.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(server);
    assert_eq!(waiting.join().expect("an answer").end, End::Cut);
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}
