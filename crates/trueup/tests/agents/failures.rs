//! Every way in which a real agent can fail, produced by the real programs:
//! what the journal says of it, whether a turn is spent, what the run does
//! next, and that nothing of the agent survives.

use super::{
    rows::{Blow, Row, SECOND_TURN, Then, long_tool, play_all, work},
    scene::{DESCRIBE, GREET, Who},
};
use rustix::process::Signal;
use serde_json::json;
use std::time::{Duration, Instant};
use trueup_testkit::{
    alone::alone,
    model_server::{Hang, Reply, Script, Scripts, Then as Goes},
};

/// How long the model is waited for where it is silent.
const IMPATIENT: &str = "[limits]\nmodel = \"4s\"";

/// The same, shorter than any limit here, and longer than a busy machine takes
/// to say that there is one.
const LESS_THAN_A_MOMENT: &str = "[limits]\nmodel = \"15s\"";

/// How long a limit lasts that an agent waits for by itself.
const MOMENT: Duration = Duration::from_secs(45);

/// The same for every request.
fn always(reply: Reply) -> Script {
    Script::new([reply]).then(Goes::Repeat)
}

/// The same for every request of the first turn; the second does everything.
fn at_first(who: Who, reply: Reply) -> Scripts {
    Scripts::Many(vec![work(who).matching(SECOND_TURN), always(reply)])
}

/// A turn that counts, and another that does everything.
const fn counts(endings: &'static [&'static str]) -> Then {
    Then::Comes {
        endings,
        turns: 2,
        code: 0,
    }
}

/// The newest Claude Code, and one of before, which is tried where they differ.
const CLAUDE: Who = Who::Claude("2.1.325");
const OLDER: Who = Who::Claude("2.1.197");

/// The world fails, and is waited for.
fn of_the_world(who: Who) -> Vec<Row> {
    let begins = || Reply::text("I begin, and then");
    let at_every_status = [
        ("429", 429, "limited"),
        ("500", 500, "unreachable"),
        ("529", 529, "unreachable"),
    ];
    let mut rows: Vec<Row> = at_every_status
        .into_iter()
        .map(|(name, status, ending)| Row::new(name, who, always(Reply::status(status)), Then::Waits(ending)))
        .collect();
    let never = always(Reply::text("Never.").hang(Hang::Before));
    rows.push(Row::new("silence before the answer", who, never, Then::Waits("hung")).set(IMPATIENT));
    let half = always(begins().hang(Hang::Mid));
    rows.push(Row::new("silence in the answer", who, half, Then::WaitsAndGoesOn("hung")).set(IMPATIENT));
    rows
}

/// The same, where versions or agents differ most.
fn of_a_world_that_says_more(who: Who) -> Vec<Row> {
    let limit = |seconds| always(Reply::status(429).header("retry-after", seconds));
    let cut = always(Reply::text("I begin, and then").cut());
    // Claude Code gives up on an hour at once, and does not say when it ends;
    // Codex waits for anything, and does not say how long.
    let moment = Row::new("429 with a moment to wait", who, limit("45"), Then::Waits("limited"));
    let moment = moment.set(LESS_THAN_A_MOMENT);
    vec![
        match who {
            Who::Claude(_) => moment.lasting(MOMENT),
            Who::Codex => moment,
        },
        Row::new("429 with an hour to wait", who, limit("3600"), Then::Waits("limited")).set(LESS_THAN_A_MOMENT),
        Row::new("a cut connection", who, cut, Then::Waits("unreachable")),
    ]
}

/// The turn counts, and the run goes on.
fn of_the_turn(who: Who) -> Vec<Row> {
    let half = || Reply::text("I begin, and then").hang(Hang::Mid);
    vec![
        Row::new(
            "an empty reply",
            who,
            at_first(who, Reply::text("")),
            counts(&["finished", "finished"]),
        ),
        Row::new(
            "SIGTERM in an answer",
            who,
            at_first(who, half()),
            counts(terminated(who)),
        )
        .struck(Blow::InAnAnswer(Signal::TERM)),
        Row::new(
            "SIGKILL in an answer",
            who,
            at_first(who, half()),
            counts(&["killed", "finished"]),
        )
        .struck(Blow::InAnAnswer(Signal::KILL)),
        Row::new(
            "SIGKILL in a tool",
            who,
            at_first(who, long_tool(who)),
            counts(&["killed", "finished"]),
        )
        .struck(Blow::InATool(Signal::KILL)),
    ]
}

/// Asked to end, Codex does so in good order and says nothing of it.
const fn terminated(who: Who) -> &'static [&'static str] {
    match who {
        Who::Claude(_) => &["killed", "finished"],
        Who::Codex => &["broken", "finished"],
    }
}

/// The same, where versions or agents differ most.
fn of_a_turn_that_says_more(who: Who) -> Vec<Row> {
    let refusal = Reply::text("No.").stop_reason("refusal");
    let cut = Reply::text("On and on").stop_reason("max_tokens");
    vec![
        Row::new(
            "a refusal",
            who,
            at_first(who, refusal),
            counts(&["refused", "finished"]),
        ),
        Row::new(
            "too many tokens",
            who,
            at_first(who, cut),
            counts(&["broken", "finished"]),
        ),
        Row::new(
            "SIGTERM in a tool",
            who,
            at_first(who, long_tool(who)),
            counts(terminated(who)),
        )
        .struck(Blow::InATool(Signal::TERM)),
    ]
}

/// A person is asked, or a fresh session.
fn of_others(who: Who) -> Vec<Row> {
    let person = Then::Comes {
        endings: &["not_signed_in"],
        turns: 0,
        code: 7,
    };
    let too_long = match who {
        Who::Claude(_) => Reply::status(400).error(
            "invalid_request_error",
            "prompt is too long: 210000 tokens > 200000 maximum",
        ),
        Who::Codex => Reply::failed("context_length_exceeded", "Your input exceeds the context window."),
    };
    let handed_over = Scripts::Many(vec![
        work(who).matching("You take over from a session"),
        always(too_long.clone()).matching(SECOND_TURN).side(too_long),
        Script::new([who.shell(GREET), Reply::text("Half of it is done.")]),
    ]);
    let then = Then::Comes {
        endings: &["finished", "context_full", "finished"],
        turns: 2,
        code: 0,
    };
    vec![
        Row::new("401", who, always(Reply::status(401)), person),
        Row::new("a full memory", who, handed_over, then),
    ]
}

/// What is denied is told to the model, and what is allowed is done.
fn of_permissions(who: Who) -> Vec<Row> {
    let denied = match who {
        Who::Claude(_) => "This run does not allow it",
        Who::Codex => "rejected",
    };
    let command = || who.shell(&format!("{GREET}; {DESCRIBE}"));
    let blocked = Reply::text("<phase_blocked>I may do nothing.</phase_blocked>");
    let mut edits = vec![command()];
    match who {
        Who::Claude(_) => edits.extend(claude_edits()),
        Who::Codex => edits.push(who.shell(PATCH)),
    }
    edits.push(Reply::text("Both are done."));
    let verified = Then::Comes {
        endings: &["finished"],
        turns: 1,
        code: 0,
    };
    let asks = Then::Comes {
        endings: &["blocked"],
        turns: 1,
        code: 4,
    };
    vec![
        Row::new("edits alone", who, Script::new(edits), verified)
            .permitted("edits")
            .told(denied),
        Row::new("nothing", who, Script::new([command(), blocked]), asks)
            .permitted("nothing")
            .told(denied),
    ]
}

/// The work, without a shell. What is there must be read before.
fn claude_edits() -> Vec<Reply> {
    let (script, readme) = ("echo \"Hello, ${1:-world}\"\n", "# greet\n\nRun `sh greet.sh NAME`.\n");
    let files = [("greet.sh", script), ("README.md", readme)];
    let edit = |(path, content)| {
        let read = Reply::tool("Read", json!({"file_path": path}));
        [
            read,
            Reply::tool("Write", json!({"file_path": path, "content": content})),
        ]
    };
    files.into_iter().flat_map(edit).collect()
}

/// The same for Codex, which knows this command itself.
const PATCH: &str = r#"apply_patch <<'EOF'
*** Begin Patch
*** Update File: greet.sh
@@
-echo "Hello, world"
+echo "Hello, ${1:-world}"
*** Update File: README.md
@@
-Run `sh greet.sh`.
+Run `sh greet.sh NAME`.
*** End Patch
EOF"#;

fn every_row() -> Vec<Row> {
    let mut rows = Vec::new();
    // What waits longest comes first.
    for who in [CLAUDE, Who::Codex] {
        rows.extend(of_the_world(who));
        rows.extend(of_the_turn(who));
        rows.extend(of_permissions(who));
    }
    for who in [CLAUDE, OLDER, Who::Codex] {
        rows.extend(of_a_world_that_says_more(who));
        rows.extend(of_a_turn_that_says_more(who));
        rows.extend(of_others(who));
    }
    rows
}

#[test]
fn every_failure_of_a_real_agent_is_told_weighed_and_survived() {
    alone(
        "failures::every_failure_of_a_real_agent_is_told_weighed_and_survived",
        || {
            let (began, mut rows) = (Instant::now(), every_row());
            // For whoever looks at one of them.
            let only = std::env::var("TRUEUP_TEST_ROW").unwrap_or_default();
            rows.retain(|row| row.title().contains(&only));
            let count = rows.len();
            assert!(count > 0, "no row is called {only:?}");
            let wrong = play_all(rows);
            assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n\n"));
            println!("\nagents: rows={count} seconds={}", began.elapsed().as_secs());
        },
    );
}

#[test]
fn a_row_that_expects_something_else_is_found_wrong() {
    alone("failures::a_row_that_expects_something_else_is_found_wrong", || {
        let who = Who::Codex;
        let refused = || always(Reply::status(401));
        let comes = |ending, turns, code| Then::Comes {
            endings: ending,
            turns,
            code,
        };
        let right = || comes(&["not_signed_in"], 0, 7);
        let rows = vec![
            Row::new("right", who, refused(), right()),
            Row::new("another ending", who, refused(), comes(&["limited"], 0, 7)),
            Row::new("another exit", who, refused(), comes(&["not_signed_in"], 0, 4)),
            Row::new("another count", who, refused(), comes(&["not_signed_in"], 1, 7)),
            Row::new("words nobody said", who, refused(), right()).told("words nobody said"),
            Row::new("a wait nobody named", who, refused(), right()).lasting(MOMENT),
        ];
        let wrong = play_all(rows);
        let names: Vec<_> = wrong.iter().filter_map(|wrong| wrong.split(" of ").next()).collect();
        assert!(wrong.len() == 5 && !names.contains(&"right"), "{names:?}");
    });
}
