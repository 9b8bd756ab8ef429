//! A plain HTTP client: what a server sends, without opinions.
#![expect(clippy::expect_used, reason = "a test whose client fails is over")]

use serde_json::Value;
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
    /// How the bytes ended.
    pub(crate) end: End,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// As its own length says.
    Whole,
    /// The connection was closed before.
    Cut,
    /// Nothing came any more for as long as the client waits.
    Hung,
}

impl Answer {
    /// Its body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a body of JSON")
    }

    /// Its events: name (empty if it has none) and data.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        let blocks = self.body.split("\n\n").filter(|block| !block.is_empty());
        let line = |block: &str, key: &str| {
            let found = block.lines().find_map(|line| line.strip_prefix(key));
            found.unwrap_or_default().to_owned()
        };
        blocks
            .map(|block| {
                let data = line(block, "data: ");
                let data = serde_json::from_str(&data).unwrap_or(Value::String(data));
                (line(block, "event: "), data)
            })
            .collect()
    }
}

/// Posts JSON.
pub(crate) fn post(port: u16, path: &str, body: &Value) -> Answer {
    send(port, "POST", path, &body.to_string())
}

/// Asks without a body.
pub(crate) fn get(port: u16, path: &str) -> Answer {
    send(port, "GET", path, "")
}

/// Sends one request and waits 0.7 seconds for each next byte.
pub(crate) fn send(port: u16, method: &str, path: &str, body: &str) -> Answer {
    send_with(port, (method, path), "", body)
}

/// The same, with further header lines.
pub(crate) fn send_with(port: u16, (method, path): (&str, &str), headers: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream
        .set_read_timeout(Some(Duration::from_millis(700)))
        .expect("a limit");
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
    .expect("a request sent");
    let mut bytes = Vec::new();
    let unfinished = match stream.read_to_end(&mut bytes) {
        Ok(_) => End::Cut,
        Err(_) => End::Hung,
    };
    answer(method, &String::from_utf8(bytes).expect("text"), unfinished)
}

fn answer(method: &str, text: &str, unfinished: End) -> Answer {
    let (head, rest) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let head = head.to_lowercase();
    let (body, whole) = if head.contains("transfer-encoding: chunked") {
        unchunked(rest)
    } else {
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.parse().ok());
        (rest.to_owned(), method == "HEAD" || Some(rest.len()) == length)
    };
    let end = if whole { End::Whole } else { unfinished };
    Answer {
        status: status.unwrap_or(0),
        head,
        body,
        end,
    }
}

/// The chunks joined, and whether the last one came.
fn unchunked(mut rest: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            return (body, true);
        }
        let Some(chunk) = after.get(..size) else { break };
        body.push_str(chunk);
        rest = after.get(size + 2..).unwrap_or_default();
    }
    (body, false)
}
