//! Replies as OpenAI's Responses spell them.

use serde_json::{Value, json};

use super::{
    answer::{Part, pieces},
    ids::{Ids, now},
    reply::{ApiError, Reply},
};

/// A reply as one response.
pub(super) fn plain(reply: &Reply, model: &Value, ids: &Ids) -> Value {
    response(reply, model, ids, items(reply, ids))
}

/// A reply as a stream.
pub(super) fn stream(reply: &Reply, model: &Value, ids: &Ids) -> Vec<Part> {
    let end = plain(reply, model, ids);
    let mut begin = end.clone();
    begin["status"] = json!("in_progress");
    for later in ["output", "usage", "error", "incomplete_details"] {
        begin[later] = Value::Null;
    }
    begin["output"] = json!([]);
    let mut events = vec![
        json!({"type": "response.created", "response": begin}),
        json!({"type": "response.in_progress", "response": begin}),
    ];
    for (index, item) in end["output"].as_array().into_iter().flatten().enumerate() {
        events.extend(item_events(index, item));
    }
    let last = format!("response.{}", end["status"].as_str().unwrap_or_default());
    events.push(json!({"type": last, "response": end}));
    let numbered = events.into_iter().enumerate().map(|(number, mut event)| {
        event["sequence_number"] = json!(number);
        Part::named(event)
    });
    numbered.collect()
}

/// An error in the middle of a stream.
pub(super) fn stream_error(error: &ApiError) -> Part {
    let code = error.more.get("code").cloned().unwrap_or_else(|| json!(error.kind));
    Part::named(json!({"type": "error", "code": code, "message": error.message, "param": null}))
}

fn response(reply: &Reply, model: &Value, ids: &Ids, items: Vec<Value>) -> Value {
    let (status, incomplete) = match reply.stopped() {
        _ if reply.failed.is_some() => ("failed", Value::Null),
        "end_turn" | "tool_use" => ("completed", Value::Null),
        "max_tokens" => ("incomplete", json!({"reason": "max_output_tokens"})),
        "refusal" => ("incomplete", json!({"reason": "content_filter"})),
        other => ("incomplete", json!({"reason": other})),
    };
    let usage = reply.usage;
    json!({
        "id": ids.next("resp_"),
        "object": "response",
        "created_at": now(),
        "status": status,
        "model": model,
        "output": items,
        "error": reply.failed,
        "incomplete_details": incomplete,
        "parallel_tool_calls": false,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": usage.all_input(),
            "input_tokens_details": {"cached_tokens": usage.cache_read},
            "output_tokens": usage.output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage.all_input() + usage.output,
        },
    })
}

fn items(reply: &Reply, ids: &Ids) -> Vec<Value> {
    let mut items = Vec::new();
    if let Some(thinking) = &reply.thinking {
        items.push(json!({
            "type": "reasoning", "id": ids.next("rs_"),
            "summary": [{"type": "summary_text", "text": thinking}], "encrypted_content": "c2NyaXB0ZWQ=",
        }));
    }
    if let Some(text) = &reply.text {
        items.push(json!({
            "type": "message", "id": ids.next("msg_"), "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }));
    }
    for tool in &reply.tools {
        items.push(json!({
            "type": "function_call", "id": ids.next("fc_"), "status": "completed",
            "call_id": ids.next("call_"), "name": tool.name, "arguments": tool.input.to_string(),
        }));
    }
    items
}

/// An item is added empty, grows by deltas, and is done.
fn item_events(index: usize, item: &Value) -> Vec<Value> {
    let mut empty = item.clone();
    let mut deltas = Vec::new();
    let id = &item["id"];
    match item["type"].as_str() {
        Some("message") => {
            empty["content"] = json!([]);
            empty["status"] = json!("in_progress");
            let text = item["content"][0]["text"].as_str().unwrap_or_default();
            for piece in pieces(text) {
                deltas.push(json!({
                    "type": "response.output_text.delta", "item_id": id, "output_index": index,
                    "content_index": 0, "delta": piece,
                }));
            }
        }
        Some("function_call") => {
            empty["arguments"] = json!("");
            empty["status"] = json!("in_progress");
            for piece in pieces(item["arguments"].as_str().unwrap_or_default()) {
                deltas.push(json!({
                    "type": "response.function_call_arguments.delta", "item_id": id,
                    "output_index": index, "delta": piece,
                }));
            }
        }
        _ => {
            empty["summary"] = json!([]);
            deltas.push(json!({
                "type": "response.reasoning_summary_text.delta", "item_id": id, "output_index": index,
                "summary_index": 0, "delta": item["summary"][0]["text"],
            }));
        }
    }
    let mut events = vec![json!({
        "type": "response.output_item.added", "output_index": index, "item": empty,
    })];
    events.append(&mut deltas);
    events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    events
}
