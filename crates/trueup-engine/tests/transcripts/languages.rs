//! What agents print, made readable.

use trueup_engine::transcript::{Printed, Reader, markdown};

/// Lines as Claude Code prints them.
const CLAUDE: &str = r##"{"type":"system","subtype":"init","session_id":"s-1","model":"model-1","claude_code_version":"2.1.325"}
a remark on standard error
{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I look first.\n## Completion\nEvery criterion is met."}]},"session_id":"s-1"}
{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cat `ls`"}}]},"session_id":"s-1"}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"```\n\u001b[31mno such file"}]},"session_id":"s-1"}
{"type":"stream_event","event":{"type":"content_block_delta"},"session_id":"s-1"}
{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s-1"}"##;

/// The same as `codex exec` prints it.
const EXEC: &str = r##"{"type":"thread.started","thread_id":"th-1"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"i1","type":"command_execution","command":"make greet","aggregated_output":"","status":"in_progress"}}
{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"make greet","aggregated_output":"no rule\n","exit_code":2,"status":"failed"}}
{"type":"item.completed","item":{"id":"i2","type":"agent_message","text":"I could not."}}
{"type":"turn.completed","usage":{"input_tokens":200}}"##;

/// The same as `codex app-server` prints it.
const SERVER: &str = r##"{"id":1,"result":{"userAgent":"x"}}
{"id":2,"result":{"thread":{"id":"th-1","cliVersion":"0.166.0"},"model":"model-2"}}
{"method":"item/started","params":{"threadId":"th-1","item":{"type":"commandExecution","id":"c1","command":"make greet","status":"inProgress"}}}
{"method":"item/completed","params":{"threadId":"th-1","item":{"type":"commandExecution","id":"c1","command":"make greet","status":"failed","aggregatedOutput":"no rule\n"}}}
{"method":"item/agentMessage/delta","params":{"threadId":"th-1","delta":"I"}}
{"method":"item/completed","params":{"threadId":"th-1","item":{"type":"agentMessage","id":"m1","text":"I could not."}}}"##;

fn read(text: &str) -> Vec<Printed> {
    Reader::default().read(text.as_bytes())
}

#[test]
fn what_claude_code_does_is_told_in_words_and_quoted() {
    let page = markdown(&read(CLAUDE));
    assert_eq!(
        page,
        "```\na remark on standard error\n```\n\n\
         > I look first.\n> ## Completion\n> Every criterion is met.\n\n\
         **Bash** ``` cat `ls` ```\n\n\
         *It did not work.*\n\n\
         ````\n```\nno such file\n````\n\n"
    );
}

#[test]
fn what_codex_does_is_told_in_the_same_words_by_both_its_interfaces() {
    let tool = |name: &str| {
        format!("**{name}** `make greet`\n\n*It did not work.*\n\n```\nno rule\n```\n\n> I could not.\n\n")
    };
    assert_eq!(markdown(&read(EXEC)), tool("command_execution"));
    assert_eq!(markdown(&read(SERVER)), tool("commandExecution"));
}

#[test]
fn what_any_other_program_prints_is_shown_as_it_is() {
    let text = "working …\n{\"json\": \"of its own\"}\n\u{1b}[1mdone\u{1b}[0m";
    assert_eq!(
        markdown(&read(text)),
        "```\nworking …\n{\"json\": \"of its own\"}\ndone\n```\n\n"
    );
    assert_eq!(markdown(&read("")), "");
}

#[test]
fn whoever_watches_sees_lines_and_no_json() {
    let lines: Vec<String> = read(CLAUDE).iter().filter_map(Printed::line).collect();
    assert_eq!(
        lines,
        [
            "began model-1 · 2.1.325",
            "a remark on standard error",
            "I look first.\n## Completion\nEvery criterion is met.",
            "→ Bash cat `ls`",
            "← did not work",
            "    ``` no such file",
        ]
    );
    assert!(
        read(SERVER)
            .iter()
            .filter_map(Printed::line)
            .all(|line| !line.contains('{'))
    );
}

#[test]
fn a_line_that_comes_in_pieces_is_read_once_it_is_whole() {
    let mut reader = Reader::default();
    let mut said = Vec::new();
    for piece in CLAUDE.as_bytes().chunks(7) {
        said.extend(reader.hear(piece));
    }
    said.extend(reader.finish());
    assert_eq!(said, read(CLAUDE));
    assert!(reader.finish().is_empty());
}

#[test]
fn hostile_lines_are_no_orders_to_a_terminal() {
    for hostile in [
        "{\"type\":\"assistant\",\"session_id\":\"s\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"\\u001b]52;c;cm0=\\u0007\\u202eevil\"}]}}",
        "{\"type\":\"assistant\",\"session_id\":\"s\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"B\\u001b[2Jash\",\"input\":{\"command\":\"\\u009b2J\"}}]}}",
        "\u{1b}]8;;https://evil.example\u{7}click\u{1b}]8;;\u{7}",
    ] {
        let said = read(hostile);
        let mut shown: Vec<String> = said.iter().filter_map(Printed::line).collect();
        assert!(!shown.is_empty(), "{hostile}");
        shown.push(markdown(&said));
        for text in shown {
            let bad = text
                .chars()
                .find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
            assert_eq!(bad, None, "{text:?}");
            assert!(!text.contains("cm0=") && !text.contains("evil.example"), "{text:?}");
        }
    }
}
