//! From a reply to bytes: whole or in parts, and broken where the script says.

use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header::CONTENT_TYPE},
    response::Response,
};
use futures_util::stream;
use serde_json::Value;
use std::{collections::VecDeque, future, io, time::Duration};
use tokio::time::sleep;

use super::{
    anthropic, chat,
    ids::Ids,
    reply::{ApiError, Cut, Hang, Reply},
    responses,
};

/// A protocol in which a reply can be spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Api {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's Chat Completions.
    Chat,
}

/// How a client wants its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// As one JSON body.
    Whole,
    /// As server-sent events.
    Stream,
}

/// One part of a body.
#[derive(Debug)]
pub(super) struct Part(String);

/// How a body ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Proper,
    Never,
    Severed,
}

/// A body about to be sent.
struct Course {
    parts: VecDeque<Part>,
    pause: Duration,
    end: End,
}

/// How long a body rests before its connection is cut, so that what comes
/// before the cut has left this process.
const BEFORE_THE_CUT: Duration = Duration::from_millis(30);

impl Part {
    /// An event whose name is its own type.
    pub(super) fn named(data: Value) -> Self {
        let name = data["type"].as_str().unwrap_or_default();
        Self(format!("event: {name}\ndata: {data}\n\n"))
    }

    /// An event without a name.
    pub(super) fn bare(data: &Value) -> Self {
        Self::literal(&data.to_string())
    }

    /// An event without a name that is no JSON.
    pub(super) fn literal(data: &str) -> Self {
        Self(format!("data: {data}\n\n"))
    }
}

/// A text in up to four pieces, so that streams have a middle.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let size = letters.len().div_ceil(4).max(1);
    letters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

impl Api {
    /// Answers with the reply, when its time has come.
    pub(super) async fn answer(self, reply: Reply, delivery: Delivery, model: &Value, ids: &Ids) -> Response {
        sleep(Duration::from_millis(reply.delay_ms)).await;
        if reply.hang == Some(Hang::Before) {
            future::pending::<()>().await;
        }
        let is_whole = delivery == Delivery::Whole;
        if let Some(body) = &reply.raw {
            let status = reply.status.unwrap_or(200);
            return whole(&reply, status, body.clone(), ids);
        }
        if let Some(status) = reply.status {
            return whole(&reply, status, self.error(&reply.failure(), ids), ids);
        }
        match &reply.sse_error {
            // Without a stream there is no middle in which an error could arrive.
            Some(error) if is_whole => return whole(&reply, 500, self.error(error, ids), ids),
            Some(_) | None => {}
        }
        if reply.failed.is_some() && self != Self::Responses {
            let refusal = Reply::status(400).error("invalid_request_error", "only /v1/responses can fail this way");
            return whole(&refusal, 400, self.error(&refusal.failure(), ids), ids);
        }
        if is_whole {
            return whole(&reply, 200, self.plain(&reply, model, ids).to_string(), ids);
        }
        let parts = self.stream(&reply, model, ids);
        let interruption = reply.sse_error.as_ref().map(|error| self.stream_error(error));
        send(
            &reply,
            (200, "text/event-stream"),
            broken(&reply, parts, interruption),
            ids,
        )
    }

    /// An error as a body.
    pub(super) fn error(self, error: &ApiError, ids: &Ids) -> String {
        match self {
            Self::Anthropic => anthropic::error(error, ids).to_string(),
            Self::Responses | Self::Chat => chat::error(error).to_string(),
        }
    }

    fn plain(self, reply: &Reply, model: &Value, ids: &Ids) -> Value {
        match self {
            Self::Anthropic => anthropic::plain(reply, model, ids),
            Self::Responses => responses::plain(reply, model, ids),
            Self::Chat => chat::plain(reply, model, ids),
        }
    }

    fn stream(self, reply: &Reply, model: &Value, ids: &Ids) -> Vec<Part> {
        match self {
            Self::Anthropic => anthropic::stream(reply, model, ids),
            Self::Responses => responses::stream(reply, model, ids),
            Self::Chat => chat::stream(reply, model, ids),
        }
    }

    fn stream_error(self, error: &ApiError) -> Part {
        match self {
            Self::Anthropic => anthropic::stream_error(error),
            Self::Responses => responses::stream_error(error),
            Self::Chat => chat::stream_error(error),
        }
    }
}

/// One body, which has a middle only if the reply breaks in it.
fn whole(reply: &Reply, status: u16, body: String, ids: &Ids) -> Response {
    let kind = (status, "application/json");
    if reply.hang.is_none() && reply.drop.is_none() {
        let mut response = head(reply, kind, ids);
        *response.body_mut() = Body::from(body);
        return response;
    }
    let parts = pieces(&body).into_iter().map(Part).collect();
    send(reply, kind, broken(reply, parts, None), ids)
}

/// Breaks a body off where the reply says so.
fn broken(reply: &Reply, mut parts: Vec<Part>, interruption: Option<Part>) -> Course {
    let middle = (parts.len() / 2).max(1);
    let end = match (reply.hang, reply.drop) {
        (Some(Hang::Before | Hang::Headers), _) => {
            parts.clear();
            End::Never
        }
        (Some(Hang::Mid), _) => {
            parts.truncate(middle);
            End::Never
        }
        (None, Some(Cut::Mid)) => {
            parts.truncate(middle);
            End::Severed
        }
        (None, None) => {
            if let Some(interruption) = interruption {
                parts.truncate(middle);
                parts.push(interruption);
            }
            End::Proper
        }
    };
    Course {
        parts: parts.into(),
        pause: Duration::from_millis(reply.chunk_delay_ms),
        end,
    }
}

fn send(reply: &Reply, kind: (u16, &str), course: Course, ids: &Ids) -> Response {
    let mut response = head(reply, kind, ids);
    *response.body_mut() = Body::from_stream(stream::unfold(course, |mut course| async move {
        if let Some(Part(text)) = course.parts.pop_front() {
            sleep(course.pause).await;
            return Some((Ok(Bytes::from(text)), course));
        }
        match course.end {
            End::Proper => None,
            End::Never => future::pending().await,
            End::Severed => {
                sleep(BEFORE_THE_CUT).await;
                Some((Err(io::Error::other("the script cuts the connection")), course))
            }
        }
    }));
    response
}

/// Status and headers; a script with impossible ones is told so.
fn head(reply: &Reply, (status, content_type): (u16, &str), ids: &Ids) -> Response {
    let mut builder = Response::builder()
        .status(status)
        .header("request-id", ids.next("req_"));
    if !reply
        .headers
        .keys()
        .any(|name| name.eq_ignore_ascii_case("content-type"))
    {
        builder = builder.header(CONTENT_TYPE, content_type);
    }
    for (name, value) in &reply.headers {
        builder = builder.header(name, value);
    }
    builder.body(Body::empty()).unwrap_or_else(|_| {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_IMPLEMENTED;
        response
    })
}
