//! The conversation with Codex, line by line.

use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};
use trueup_core::{
    ending::Ending,
    id::{SessionId, Timestamp},
    memory::Memory,
    turn::Permission,
};
use trueup_engine::{
    agent::{
        codex::{AppServerDialogue, Codex, ExecDialogue, leave},
        dialogue::{Act, Dialogue},
        fact::{Fact, ToolResult},
    },
    sandbox::{HowEnded, Mode},
};

fn codex() -> Codex {
    Codex {
        program: "codex".into(),
        model: None,
        arguments: Vec::new(),
        variables: BTreeMap::new(),
    }
}

fn hear(dialogue: &mut dyn Dialogue, line: &Value) -> Vec<Act> {
    dialogue.hear(line.to_string().as_bytes())
}

fn said(act: &Act) -> Value {
    let Act::Say(bytes) = act else {
        panic!("{act:?} is not said")
    };
    assert_eq!(bytes.last(), Some(&b'\n'));
    serde_json::from_slice(bytes).expect("JSON")
}

/// A conversation whose turn `u` on thread `t` is under way.
fn under_way(memory: &Memory, permission: Permission) -> AppServerDialogue {
    let leave = leave(permission, Mode::Bubblewrap);
    let mut dialogue = codex().dialogue("do it", memory, Path::new("/r"), leave);
    assert_eq!(said(&dialogue.open()[0])["method"], "initialize");
    hear(&mut dialogue, &json!({"id": 1, "result": {"userAgent": "x"}}));
    let thread = json!({"thread": {"id": "t", "cliVersion": "0.166.0"}, "model": "m"});
    hear(&mut dialogue, &json!({"id": 2, "result": thread}));
    hear(&mut dialogue, &json!({"id": 3, "result": {"turn": {"id": "u"}}}));
    dialogue
}

fn news(method: &str, mut params: Value) -> Value {
    params["threadId"] = json!("t");
    params["turnId"] = json!("u");
    json!({"method": method, "params": params, "emittedAtMs": 1_000})
}

#[test]
fn a_fresh_thread_is_started_and_its_turn_asked_for() {
    let leave = leave(Permission::Everything, Mode::Bubblewrap);
    let mut dialogue = codex().dialogue("do it", &Memory::Fresh, Path::new("/r"), leave);
    dialogue.open();
    let acts = hear(&mut dialogue, &json!({"id": 1, "result": {}}));
    assert_eq!(said(&acts[0]), json!({"method": "initialized"}));
    let params = json!({"cwd": "/r", "sandbox": "read-only", "approvalPolicy": "never"});
    assert_eq!(
        said(&acts[1]),
        json!({"id": 2, "method": "thread/start", "params": params})
    );
    let thread = json!({"thread": {"id": "t", "cliVersion": "0.166.0"}, "model": "m"});
    let acts = hear(&mut dialogue, &json!({"id": 2, "result": thread}));
    let Act::Fact(Fact::Began(began)) = &acts[0] else {
        panic!("{acts:?}")
    };
    assert_eq!(began.session, Some(SessionId::new("t")));
    let params = json!({"threadId": "t", "input": [{"type": "text", "text": "do it"}],
        "sandboxPolicy": {"type": "dangerFullAccess"}, "approvalPolicy": "never"});
    assert_eq!(
        said(&acts[1]),
        json!({"id": 3, "method": "turn/start", "params": params})
    );
    assert_eq!(acts[2..], [Act::Fact(Fact::Asked)]);
}

#[test]
fn a_thread_that_goes_on_is_forked() {
    let memory = Memory::Continue {
        session: SessionId::new("old"),
    };
    let leave = leave(Permission::Everything, Mode::None);
    let mut dialogue = codex().dialogue("do it", &memory, Path::new("/r"), leave);
    dialogue.open();
    let acts = hear(&mut dialogue, &json!({"id": 1, "result": {}}));
    let params = json!({"cwd": "/r", "sandbox": "read-only", "approvalPolicy": "never", "threadId": "old",
        "excludeTurns": true});
    assert_eq!(
        said(&acts[1]),
        json!({"id": 2, "method": "thread/fork", "params": params})
    );
    let error = json!({"code": -32600, "message": "no rollout found for thread id old"});
    assert_eq!(hear(&mut dialogue, &json!({"id": 2, "error": error})), [Act::HangUp]);
    let ending = dialogue.finish(&HowEnded::Exited(0), b"").ending;
    assert!(matches!(ending, Ending::Broken { .. }), "{ending:?}");
}

#[test]
fn only_this_call_is_counted_on_a_forked_thread() {
    let mut dialogue = under_way(&Memory::Fresh, Permission::Everything);
    let count = |total: u64, last: u64| {
        json!({"tokenUsage": {"total": {"totalTokens": total, "inputTokens": total, "cachedInputTokens": total / 2},
            "last": {"totalTokens": last, "inputTokens": last, "cachedInputTokens": last / 2},
            "modelContextWindow": 1_000}})
    };
    // A fork tells the old turn's count once more.
    let mut old = news("thread/tokenUsage/updated", count(500, 100));
    old["params"]["turnId"] = json!("old");
    hear(&mut dialogue, &old);
    hear(&mut dialogue, &news("thread/tokenUsage/updated", count(620, 120)));
    hear(&mut dialogue, &news("thread/tokenUsage/updated", count(760, 140)));
    let usage = dialogue.finish(&HowEnded::Exited(0), b"").usage;
    assert_eq!(usage.tokens, Some(260));
    let parts = usage.parts.expect("parts");
    assert_eq!((parts.input, parts.cache_reads), (130, 130));
    assert_eq!(usage.occupancy.expect("an occupancy").used, 140);
}

fn change(path: &str) -> Value {
    json!({"item": {"type": "fileChange", "id": "c", "changes": [{"path": path, "kind": {"type": "add"}}],
        "status": "inProgress"}})
}

#[test]
fn approvals_are_answered_by_the_policy() {
    let asked = json!({"method": "item/fileChange/requestApproval", "id": 7, "params": {"itemId": "c"}});
    let answers = |permission, path: &str| {
        let mut dialogue = under_way(&Memory::Fresh, permission);
        hear(&mut dialogue, &news("item/started", change(path)));
        hear(&mut dialogue, &asked)
    };
    let accept = json!({"id": 7, "result": {"decision": "accept"}});
    let decline = json!({"id": 7, "result": {"decision": "decline"}});
    let acts = answers(Permission::Edits, "/r/a.txt");
    assert_eq!((acts.len(), said(&acts[0])), (1, accept));
    for (permission, path) in [
        (Permission::Nothing, "/r/a.txt"),
        (Permission::Edits, "/etc/passwd"),
        (Permission::Edits, "/r/../etc/passwd"),
        (Permission::Edits, "/rest/a.txt"),
    ] {
        let acts = answers(permission, path);
        assert_eq!(said(&acts[0]), decline, "{path}");
        let what = format!("fileChange: {path}");
        assert_eq!(acts[1..], [Act::Fact(Fact::Denied { what })]);
    }
}

#[test]
fn no_command_is_approved_and_no_question_answered() {
    for permission in [Permission::Everything, Permission::Edits, Permission::Nothing] {
        let mut dialogue = under_way(&Memory::Fresh, permission);
        let item = json!({"item": {"type": "commandExecution", "id": "c", "command": "curl x"}});
        hear(&mut dialogue, &news("item/started", item));
        let asked = json!({"method": "item/commandExecution/requestApproval", "id": 0, "params": {"itemId": "c"}});
        let acts = hear(&mut dialogue, &asked);
        assert_eq!(said(&acts[0]), json!({"id": 0, "result": {"decision": "decline"}}));
        let what = "commandExecution: curl x".to_owned();
        assert_eq!(acts[1..], [Act::Fact(Fact::Denied { what })]);
        let asked = json!({"method": "item/tool/requestUserInput", "id": "a", "params": {}});
        let acts = hear(&mut dialogue, &asked);
        assert_eq!(said(&acts[0])["error"]["code"], -32601);
        assert!(matches!(&acts[1], Act::Fact(Fact::Denied { .. })));
    }
}

#[test]
fn commands_begin_and_end_and_then_the_model_is_asked() {
    let mut dialogue = under_way(&Memory::Fresh, Permission::Everything);
    let item =
        |status: &str| json!({"item": {"type": "commandExecution", "id": "c", "command": "ls", "status": status}});
    let acts = hear(&mut dialogue, &news("item/started", item("inProgress")));
    assert!(matches!(&acts[0], Act::Fact(Fact::ToolBegan { about, .. }) if about == "ls"));
    let acts = hear(&mut dialogue, &news("item/completed", item("failed")));
    let id = "c".to_owned();
    let ended = Act::Fact(Fact::ToolEnded {
        id,
        worked: ToolResult::No,
    });
    assert_eq!(acts, [ended, Act::Fact(Fact::Asked)]);
    let acts = hear(&mut dialogue, &news("item/agentMessage/delta", json!({"delta": "d"})));
    assert_eq!(acts, [Act::Fact(Fact::Streamed)]);
}

#[test]
fn a_refused_key_ends_it_at_the_first_retry() {
    let mut dialogue = under_way(&Memory::Fresh, Permission::Everything);
    let error = |status: u16| {
        let info = json!({"responseStreamDisconnected": {"httpStatusCode": status}});
        let error = json!({"message": "Reconnecting... 1/1", "codexErrorInfo": info, "additionalDetails": "why"});
        news("error", json!({"error": error, "willRetry": true}))
    };
    let why = || "why".to_owned();
    let acts = hear(&mut dialogue, &error(503));
    assert_eq!(
        acts,
        [Act::Fact(Fact::Retries {
            why: why(),
            status: Some(503),
            after_ms: None,
        })]
    );
    let acts = hear(&mut dialogue, &error(401));
    assert_eq!(
        acts,
        [
            Act::Fact(Fact::Retries {
                why: why(),
                status: Some(401),
                after_ms: None,
            }),
            Act::End
        ]
    );
    let ending = dialogue.finish(&HowEnded::Exited(137), b"").ending;
    assert!(matches!(ending, Ending::NotSignedIn { .. }), "{ending:?}");
}

fn failed(error: &Value) -> Value {
    news(
        "turn/completed",
        json!({"turn": {"id": "u", "status": "failed", "error": error}}),
    )
}

#[test]
fn limits_say_when_they_end() {
    let mut dialogue = under_way(&Memory::Fresh, Permission::Everything);
    let windows = json!({"primary": {"usedPercent": 100.0, "resetsAt": 5_000},
        "secondary": {"usedPercent": 12.5, "resetsAt": 9_000}});
    hear(
        &mut dialogue,
        &json!({"method": "account/rateLimits/updated", "params": {"rateLimits": windows}}),
    );
    let error = json!({"message": "You’ve hit your usage limit.", "codexErrorInfo": "usageLimitExceeded"});
    assert_eq!(hear(&mut dialogue, &failed(&error)), [Act::HangUp]);
    let until = |dialogue: &mut AppServerDialogue| {
        let ending = dialogue.finish(&HowEnded::Exited(0), b"").ending;
        let Ending::Limited { until, .. } = ending else {
            panic!("{ending:?}");
        };
        until
    };
    assert_eq!(until(&mut dialogue), Some(Timestamp(5_000_000)));
    let mut dialogue = under_way(&Memory::Fresh, Permission::Everything);
    let error = json!({"message": "Rate limit reached. Please try again in 1.5s.", "codexErrorInfo": "other"});
    hear(&mut dialogue, &failed(&error));
    assert_eq!(until(&mut dialogue), Some(Timestamp(2_500)));
}

#[test]
fn failures_are_told_apart_by_name() {
    let ending = |info: Value, message: &str| {
        let mut dialogue = under_way(&Memory::Fresh, Permission::Everything);
        hear(
            &mut dialogue,
            &failed(&json!({"message": message, "codexErrorInfo": info})),
        );
        crate::kind(&dialogue.finish(&HowEnded::Exited(0), b"").ending)
    };
    assert_eq!(
        ending(json!("usageLimitExceeded"), "Quota exceeded. Check your plan."),
        "not signed in"
    );
    assert_eq!(ending(json!("internalServerError"), "high demand"), "unreachable");
    assert_eq!(ending(json!("modelNotFound"), "no such model"), "unusable");
    assert_eq!(ending(json!("cyberPolicy"), "no"), "refused");
    assert_eq!(
        ending(json!("other"), "Missing environment variable: `KEY`."),
        "not signed in"
    );
    assert_eq!(ending(json!("someNewName"), "what is this"), "broken");
    assert_eq!(
        ending(json!({"httpConnectionFailed": {"httpStatusCode": null}}), "gone"),
        "unreachable"
    );
    assert_eq!(
        ending(json!({"httpConnectionFailed": {"httpStatusCode": 403}}), "no"),
        "not signed in"
    );
}

#[test]
fn what_another_thread_does_ends_nothing() {
    let mut dialogue = under_way(&Memory::Fresh, Permission::Everything);
    let mut other = news("turn/completed", json!({"turn": {"id": "v", "status": "completed"}}));
    other["params"]["threadId"] = json!("sub");
    assert_eq!(hear(&mut dialogue, &other), [Act::Fact(Fact::Unknown)]);
    for line in [&b"not JSON"[..], b"[]", b"{}", b"{\"id\":9,\"result\":{}}", &[0xff]] {
        let acts = dialogue.hear(line);
        assert!(acts.is_empty() || acts == [Act::Fact(Fact::Unknown)], "{acts:?}");
    }
    let interrupt = json!({"id": 4, "method": "turn/interrupt", "params": {"threadId": "t", "turnId": "u"}});
    assert_eq!(said(&dialogue.interrupt()[0]), interrupt);
    let ending = dialogue.finish(&HowEnded::Exited(0), b"").ending;
    assert!(matches!(ending, Ending::Broken { .. }), "{ending:?}");
}

#[test]
fn exec_is_told_all_at_once_and_counts_only_what_it_can() {
    let session = SessionId::new("old");
    let mut dialogue = ExecDialogue::new("do it", &Memory::Continue { session });
    assert_eq!(dialogue.open()[..2], [Act::Say(b"do it".to_vec()), Act::HangUp]);
    hear(&mut dialogue, &json!({"type": "thread.started", "thread_id": "new"}));
    let usage = json!({"input_tokens": 500, "output_tokens": 10});
    hear(&mut dialogue, &json!({"usage": usage, "type": "turn.completed"}));
    let finish = dialogue.finish(&HowEnded::Exited(0), b"");
    assert_eq!((finish.ending, finish.usage.tokens), (Ending::Finished, None));
    // A list is no line, whatever serde thinks of it.
    let mut dialogue = ExecDialogue::new("do it", &Memory::Fresh);
    assert_eq!(
        hear(&mut dialogue, &json!(["turn.completed", {}])),
        [Act::Fact(Fact::Unknown)]
    );
    let acts = hear(
        &mut dialogue,
        &json!({"type": "error", "message": "unexpected status 401 Unauthorized"}),
    );
    assert_eq!(acts.last(), Some(&Act::End));
}

#[test]
fn a_key_or_a_gateway_makes_a_provider() {
    let config = |variables: &[(&str, &str)]| {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let variables = variables.iter().map(own).collect();
        let codex = Codex { variables, ..codex() };
        codex.config()
    };
    assert!(!config(&[]).contains("model_provider"));
    let key = config(&[("OPENAI_API_KEY", "k")]);
    assert!(key.contains("base_url = \"https://api.openai.com/v1\"\nenv_key = \"OPENAI_API_KEY\"\n"));
    assert!(!key.contains("\"k\""));
    let gateway = config(&[("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")]);
    assert!(gateway.contains("base_url = \"http://127.0.0.1:1/v1\"\nrequires_openai_auth = true\n"));
}
