//! The conversation with Claude Code, line by line.

use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};
use trueup_core::{
    criterion::Network,
    ending::Ending,
    id::{SessionId, Timestamp},
    memory::Memory,
    patience::Patience,
    turn::{Permission, Policy},
};
use trueup_engine::{
    agent::{
        claude_code::{ClaudeCode, ClaudeDialogue},
        dialogue::{Act, Dialogue},
        fact::{Fact, ToolResult},
    },
    sandbox::{HowEnded, Mode},
};

fn hear(dialogue: &mut ClaudeDialogue, line: &Value) -> Vec<Act> {
    dialogue.hear(line.to_string().as_bytes())
}

fn said(act: &Act) -> Value {
    let Act::Say(bytes) = act else {
        panic!("{act:?} is not said")
    };
    assert_eq!(bytes.last(), Some(&b'\n'));
    serde_json::from_slice(bytes).expect("JSON")
}

fn unknown() -> Vec<Act> {
    vec![Act::Fact(Fact::Unknown)]
}

#[test]
fn it_opens_with_the_prompt_and_awaits_the_model() {
    let acts = ClaudeDialogue::new("do \"it\"\n").open();
    let message = json!({"role": "user", "content": [{"type": "text", "text": "do \"it\"\n"}]});
    assert_eq!(said(&acts[0]), json!({"type": "user", "message": message}));
    assert_eq!(acts[1..], [Act::Fact(Fact::Asked)]);
}

#[test]
fn what_it_asks_for_is_denied_once_and_reported_once() {
    let mut dialogue = ClaudeDialogue::new("x");
    let request = json!({"subtype": "can_use_tool", "tool_name": "Bash", "tool_use_id": "t1",
        "input": {"command": "curl http://x", "description": "d"}});
    let asked = json!({"request_id": "r1", "request": request, "type": "control_request"});
    let acts = hear(&mut dialogue, &asked);
    let answer = json!({"type": "control_response", "response": {"subtype": "success", "request_id": "r1",
        "response": {"behavior": "deny",
            "message": "This run does not allow it, and nobody can be asked. Go on without it."}}});
    assert_eq!(said(&acts[0]), answer);
    let what = "Bash: curl http://x".to_owned();
    assert_eq!(acts[1..], [Act::Fact(Fact::Denied { what })]);
    // The last line tells of it again, and of one we did not hear of.
    let denials = json!([{"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "curl http://x"}},
        {"tool_name": "Write", "tool_use_id": "t2", "tool_input": {"file_path": "/etc/x"}}]);
    let last = json!({"type": "result", "subtype": "success", "is_error": false, "result": "ok",
        "permission_denials": denials});
    let acts = hear(&mut dialogue, &last);
    let what = "Write: /etc/x".to_owned();
    assert_eq!(acts[0], Act::Fact(Fact::Denied { what }));
    assert_eq!(acts.last(), Some(&Act::HangUp));
    assert_eq!(acts.len(), 3);
    assert_eq!(dialogue.finish(&HowEnded::Exited(0), b"").ending, Ending::Finished);
}

#[test]
fn a_question_of_another_kind_is_answered_with_an_error() {
    let mut dialogue = ClaudeDialogue::new("x");
    let asked = json!({"type": "control_request", "request_id": "r2", "request": {"subtype": "hook_callback"}});
    let acts = hear(&mut dialogue, &asked);
    let response = json!({"subtype": "error", "request_id": "r2", "error": "not supported"});
    assert_eq!(
        said(&acts[0]),
        json!({"type": "control_response", "response": response})
    );
}

#[test]
fn what_is_not_understood_is_ignored() {
    let mut dialogue = ClaudeDialogue::new("x");
    assert_eq!(
        hear(&mut dialogue, &json!({"type": "weather", "is": "fine"})),
        unknown()
    );
    assert_eq!(
        hear(&mut dialogue, &json!({"type": "system", "subtype": "new"})),
        unknown()
    );
    assert_eq!(hear(&mut dialogue, &json!(["result"])), unknown());
    assert_eq!(dialogue.hear(b"not JSON"), unknown());
    assert_eq!(dialogue.hear(&[0xff, 0xfe, b'{']), unknown());
    assert_eq!(dialogue.hear(b"{\"type\":\"result\",\"is_error\":\"no\"}"), unknown());
    assert_eq!(dialogue.hear(b" \r"), []);
    let deep = "[".repeat(100_000);
    assert_eq!(dialogue.hear(deep.as_bytes()), unknown());
    let ending = dialogue.finish(&HowEnded::Exited(0), b"").ending;
    assert!(matches!(ending, Ending::Broken { .. }), "{ending:?}");
}

#[test]
fn a_huge_line_is_read_like_any_other() {
    let mut dialogue = ClaudeDialogue::new("x");
    let text = "ä".repeat(4 << 20);
    let line = json!({"message": {"id": "m", "content": [{"type": "text", "text": text}]}, "type": "assistant"});
    assert_eq!(hear(&mut dialogue, &line), [Act::Fact(Fact::Spoke(text))]);
    let claim = dialogue.finish(&HowEnded::Exited(0), b"").claim;
    assert_eq!(claim.summary.chars().count(), 1_500);
}

#[test]
fn a_refused_key_ends_it_at_the_first_retry() {
    let mut dialogue = ClaudeDialogue::new("x");
    let retry = |status: u16, error: &str| json!({"attempt": 1, "error_status": status, "error": error, "retry_delay_ms": 2000.5, "subtype": "api_retry", "type": "system"});
    let acts = hear(&mut dialogue, &retry(529, "overloaded"));
    let why = "overloaded".to_owned();
    let (status, after_ms) = (Some(529), Some(2_000));
    assert_eq!(acts, [Act::Fact(Fact::Retries { why, status, after_ms })]);
    let acts = hear(&mut dialogue, &retry(401, "authentication_failed"));
    let why = "authentication_failed".to_owned();
    let status = Some(401);
    assert_eq!(acts, [Act::Fact(Fact::Retries { why, status, after_ms }), Act::End]);
    // We killed it: that is not how it ended.
    let ending = dialogue.finish(&HowEnded::Exited(137), b"").ending;
    assert!(matches!(ending, Ending::NotSignedIn { .. }), "{ending:?}");
}

#[test]
fn tools_begin_and_end_and_then_the_model_is_asked() {
    let mut dialogue = ClaudeDialogue::new("x");
    let tools = json!([{"type": "tool_use", "id": "a", "name": "Write", "input": {"file_path": "/r/a.txt"}},
        {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": "false"}}]);
    let acts = hear(
        &mut dialogue,
        &json!({"type": "assistant", "message": {"id": "m", "content": tools}}),
    );
    let began = |id: &str, name: &str, about: &str| {
        Act::Fact(Fact::ToolBegan {
            id: id.to_owned(),
            name: name.to_owned(),
            about: about.to_owned(),
        })
    };
    assert_eq!(acts, [began("a", "Write", "/r/a.txt"), began("b", "Bash", "false")]);
    let ended = |id: &str, error: bool| {
        json!({"type": "user", "message": {"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": id, "is_error": error, "content": "…"}]}})
    };
    let fact = |id: &str, worked| {
        Act::Fact(Fact::ToolEnded {
            id: id.to_owned(),
            worked,
        })
    };
    let acts = hear(&mut dialogue, &ended("a", false));
    let changed = Act::Fact(Fact::Changed(vec!["/r/a.txt".to_owned()]));
    assert_eq!(acts, [fact("a", ToolResult::Yes), changed]);
    let acts = hear(&mut dialogue, &ended("b", true));
    assert_eq!(acts, [fact("b", ToolResult::No), Act::Fact(Fact::Asked)]);
}

#[test]
fn pieces_are_signs_of_life_and_are_counted_as_they_come() {
    let mut dialogue = ClaudeDialogue::new("x");
    let requesting = json!({"type": "system", "subtype": "status", "status": "requesting"});
    assert_eq!(hear(&mut dialogue, &requesting), [Act::Fact(Fact::Asked)]);
    let usage = json!({"input_tokens": 100, "cache_read_input_tokens": 900, "output_tokens": 1});
    let start = json!({"type": "message_start", "message": {"id": "m1", "model": "c", "usage": usage}});
    let acts = hear(&mut dialogue, &json!({"type": "stream_event", "event": start}));
    assert_eq!(acts, [Act::Fact(Fact::Streamed)]);
    // The same message as a whole line: it is not counted again.
    let line = json!({"id": "m1", "model": "c", "content": [{"type": "text", "text": "t"}], "usage": usage});
    hear(&mut dialogue, &json!({"type": "assistant", "message": line}));
    let delta = json!({"type": "message_delta", "usage": {"output_tokens": 50}});
    let acts = hear(&mut dialogue, &json!({"type": "stream_event", "event": delta}));
    let Act::Fact(Fact::Used(used)) = &acts[1] else {
        panic!("{acts:?}")
    };
    assert_eq!(used.tokens, Some(1_050));
}

#[test]
fn a_spent_subscription_says_when_it_comes_back() {
    let mut dialogue = ClaudeDialogue::new("x");
    let info = json!({"status": "rejected", "resetsAt": 1_794_798_151_i64, "rateLimitType": "five_hour"});
    hear(
        &mut dialogue,
        &json!({"type": "rate_limit_event", "rate_limit_info": info}),
    );
    let last = json!({"type": "result", "subtype": "success", "is_error": true, "api_error_status": 429,
        "result": "You've hit your 5-hour limit · resets 3:02am (UTC)"});
    hear(&mut dialogue, &last);
    let ending = dialogue.finish(&HowEnded::Exited(1), b"").ending;
    let until = Some(Timestamp(1_794_798_151_000));
    assert!(
        matches!(&ending, Ending::Limited { until: at, .. } if *at == until),
        "{ending:?}"
    );
}

#[test]
fn a_session_that_is_gone_is_broken_and_none_is_gone_on_from() {
    let mut dialogue = ClaudeDialogue::new("x");
    let last = json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "num_turns": 0,
        "session_id": "made-up", "errors": ["No conversation found with session ID: s"]});
    hear(&mut dialogue, &last);
    let finish = dialogue.finish(&HowEnded::Exited(1), b"No conversation found with session ID: s");
    let why = "No conversation found with session ID: s".to_owned();
    assert_eq!((finish.ending, finish.session), (Ending::Broken { why }, None));
}

#[test]
fn what_it_says_is_blocked_is_blocked() {
    let mut dialogue = ClaudeDialogue::new("x");
    let last = json!({"type": "result", "subtype": "success", "is_error": false,
        "result": "<phase_blocked>no key</phase_blocked>"});
    hear(&mut dialogue, &last);
    let why = "no key".to_owned();
    assert_eq!(
        dialogue.finish(&HowEnded::Exited(0), b"").ending,
        Ending::Blocked { why }
    );
}

#[test]
fn it_is_interrupted_in_its_own_words_until_its_last_line() {
    let mut dialogue = ClaudeDialogue::new("x");
    let request = json!({"type": "control_request", "request_id": "trueup-interrupt",
        "request": {"subtype": "interrupt"}});
    assert_eq!(said(&dialogue.interrupt()[0]), request);
    hear(
        &mut dialogue,
        &json!({"type": "result", "subtype": "success", "is_error": false}),
    );
    assert_eq!(dialogue.interrupt(), []);
}

#[test]
fn failures_that_only_standard_error_tells_are_told_apart() {
    let ending = |code, stderr: &str| {
        let mut dialogue = ClaudeDialogue::new("x");
        dialogue.finish(&HowEnded::Exited(code), stderr.as_bytes()).ending
    };
    assert!(matches!(
        ending(1, "error: unknown option '--x'"),
        Ending::Unusable { .. }
    ));
    assert!(matches!(ending(1, ""), Ending::Unusable { .. }));
    assert!(matches!(
        ending(1, "Session ID 1 is already in use."),
        Ending::Broken { .. }
    ));
    assert!(matches!(ending(0, ""), Ending::Broken { .. }));
    assert_eq!(ending(143, ""), Ending::Killed { signal: 15 });
}

fn policy(permission: Permission) -> Policy {
    Policy {
        time_limit_ms: 1,
        output_limit: 1,
        network: Network::Off,
        permission,
        patience: Patience::default(),
        tokens_left: None,
        millicents_left: None,
    }
}

fn claude() -> ClaudeCode {
    ClaudeCode {
        program: "claude".into(),
        model: Some("m".to_owned()),
        arguments: Vec::new(),
        variables: BTreeMap::from([("ANTHROPIC_API_KEY".to_owned(), "k".to_owned())]),
    }
}

#[test]
fn a_session_that_goes_on_is_always_forked() {
    let session = SessionId::new("s1");
    let mut policy = policy(Permission::Everything);
    policy.millicents_left = Some(150_001);
    let argv = claude()
        .argv(&Memory::Continue { session }, &policy, Mode::Bubblewrap)
        .join(" ");
    assert_eq!(
        argv,
        "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --model m \
         --resume s1 --permission-mode bypassPermissions --settings {\"disableAllHooks\":true} --max-budget-usd 1.50001 \
         --fork-session --add-dir . --strict-mcp-config --setting-sources "
    );
    let fresh = claude().argv(&Memory::Fresh, &policy, Mode::Bubblewrap).join(" ");
    assert!(!fresh.contains("--resume") && !fresh.contains("--fork-session"));
}

#[test]
fn nothing_is_skipped_where_no_wall_is() {
    let argv = |permission, mode| claude().argv(&Memory::Fresh, &policy(permission), mode).join(" ");
    assert!(argv(Permission::Everything, Mode::None).contains(
        "--permission-mode acceptEdits --permission-prompt-tool stdio --settings {\"disableAllHooks\":true,\"sandbox\":"
    ));
    let asks =
        "--permission-prompt-tool stdio --settings {\"disableAllHooks\":true,\"permissions\":{\"ask\":[\"Bash\"]}}";
    for mode in [Mode::Bubblewrap, Mode::Outer, Mode::None] {
        let edits = argv(Permission::Edits, mode);
        assert!(edits.contains("--permission-mode acceptEdits ") && edits.contains(asks));
        let nothing = argv(Permission::Nothing, mode);
        assert!(nothing.contains("--permission-mode default ") && nothing.contains(asks));
    }
    let variables = claude().environment(Path::new("/run/trueup/agent"), Mode::None);
    assert_eq!(variables.get("IS_SANDBOX"), None);
    assert_eq!(variables["CLAUDE_CONFIG_DIR"], "/run/trueup/agent");
    assert_eq!(variables["ANTHROPIC_API_KEY"], "k");
}
