//! What real agents print, and what the dialogues make of it.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod claude;
mod codex;
mod damage;
mod table;

use serde_json::Value;
use std::{collections::BTreeSet, fs, path::PathBuf};
use table::{CLAUDE_BOTH, CLAUDE_NEW, CODEX_APP, CODEX_EXEC, kind, stderr};
use trueup_core::{
    memory::Memory,
    turn::Permission,
    usage::{Occupancy, Tokens},
};
use trueup_engine::{
    agent::{
        claude_code::ClaudeDialogue,
        codex::{AppServerDialogue, ExecDialogue, Start, leave},
        dialogue::Dialogue,
        fact::Finish,
    },
    sandbox::{HowEnded, Mode},
};

/// One recorded call: the whole name of its sample, its exit code, its end.
type Recorded = (String, i32, &'static str);

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/agents/samples")
}

fn sample(name: &str) -> Vec<u8> {
    let path = folder().join(format!("{name}.jsonl"));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn recorded() -> Vec<Recorded> {
    let of = |prefix: &'static str| move |s: &table::Sample| (format!("{prefix}-{}", s.name), s.code, s.ending);
    let both = CLAUDE_BOTH.iter();
    let mut all: Vec<Recorded> = both.clone().map(of("claude-197")).collect();
    all.extend(both.map(of("claude-325")));
    all.extend(CLAUDE_NEW.iter().map(of("claude-325")));
    all.extend(CODEX_APP.iter().chain(CODEX_EXEC).map(of("codex")));
    all
}

/// The conversation such a sample is one half of.
fn dialogue(name: &str) -> Box<dyn Dialogue> {
    if name.starts_with("claude") {
        Box::new(ClaudeDialogue::new("do it"))
    } else if name.starts_with("codex-app") {
        Box::new(AppServerDialogue::new(Start {
            prompt: "do it".to_owned(),
            memory: Memory::Fresh,
            folder: PathBuf::from("/home/dev/repo"),
            leave: leave(Permission::Everything, Mode::Bubblewrap),
        }))
    } else {
        Box::new(ExecDialogue::new("do it", &Memory::Fresh))
    }
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split(|byte| *byte == b'\n').collect()
}

/// What a call comes to that printed these lines and ended like this.
fn call(name: &str, lines: &[&[u8]], how: &HowEnded) -> Finish {
    let mut dialogue = dialogue(name);
    dialogue.open();
    for line in lines {
        dialogue.hear(line);
    }
    dialogue.finish(how, stderr(name).as_bytes())
}

/// Where a judge of recorded calls is wrong.
fn mistakes(judge: impl Fn(&str, i32) -> &'static str) -> Vec<String> {
    let wrong = |(name, code, ending): Recorded| {
        let judged = judge(&name, code);
        (judged != ending).then(|| format!("{name}: {judged}, and it is {ending}"))
    };
    recorded().into_iter().filter_map(wrong).collect()
}

#[test]
fn every_recorded_call_ends_as_it_did() {
    let judge = |name: &str, code| kind(&call(name, &lines(&sample(name)), &HowEnded::Exited(code)).ending);
    assert_eq!(mistakes(judge), Vec::<String>::new());
}

#[test]
fn every_sample_is_in_the_table_once() {
    let listed: Vec<String> = recorded().into_iter().map(|(name, ..)| name).collect();
    let there: BTreeSet<String> = fs::read_dir(folder())
        .expect("the samples")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .map(|name| name.trim_end_matches(".jsonl").to_owned())
        .collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), there);
    assert_eq!(listed.len(), there.len());
}

/// The known-bad judges: each believes one thing that is not to be believed.
#[test]
fn who_trusts_one_sign_alone_is_caught() {
    let by_code = |_: &str, code: i32| match code {
        0 => "finished",
        129.. => "killed",
        _ => "broken",
    };
    let found = mistakes(by_code);
    assert!(found.iter().any(|m| m.starts_with("claude-325-sigint-tool: finished")));
    assert!(found.iter().any(|m| m.starts_with("codex-app-e401: finished")));

    let by_subtype = |name: &str, code: i32| {
        let bytes = sample(name);
        let read = |line: &&[u8]| serde_json::from_slice::<Value>(line).ok();
        let success = |line: Value| line.get("subtype").and_then(Value::as_str) == Some("success");
        if lines(&bytes).iter().filter_map(read).any(success) {
            "finished"
        } else {
            by_code(name, code)
        }
    };
    let found = mistakes(by_subtype);
    assert!(found.iter().any(|m| m.starts_with("claude-197-e401: finished")));
    assert!(found.iter().any(|m| m.starts_with("claude-325-refusal: finished")));
}

#[test]
fn figures_are_those_of_the_call() {
    let finish = |name: &str| call(name, &lines(&sample(name)), &HowEnded::Exited(0));
    for version in ["claude-325", "claude-197"] {
        let usage = finish(&format!("{version}-basic")).usage;
        let parts = Tokens {
            input: 1_434,
            cache_writes: 50,
            cache_reads: 1_000,
            output: 96,
        };
        assert_eq!(usage.parts, Some(parts), "{version}");
        assert_eq!((usage.tokens, usage.millicents), (Some(2_580), Some(623)), "{version}");
        let occupancy = Occupancy {
            used: 2_284,
            window: 200_000,
        };
        assert_eq!(usage.occupancy, Some(occupancy), "{version}");
        // The newer one's own total is the session's here: 0.0012 dollars.
        let resumed = finish(&format!("{version}-sigint-tool-resume")).usage;
        assert_eq!((resumed.tokens, resumed.millicents), (Some(120), Some(60)), "{version}");
        // Broken off: one message was seen, and nobody said what it cost.
        let killed = finish(&format!("{version}-kill9-tool")).usage;
        assert_eq!((killed.tokens, killed.millicents), (Some(101), None), "{version}");
    }
    let app = finish("codex-app-basic").usage;
    assert_eq!((app.tokens, app.millicents), (Some(240), None));
    let occupancy = Occupancy {
        used: 100,
        window: 258_400,
    };
    assert_eq!(app.occupancy, Some(occupancy));
    assert_eq!(finish("codex-exec-ws").usage.tokens, Some(360));
    let full = finish("codex-app-toolong").usage.occupancy.expect("an occupancy");
    assert_eq!((full.used, full.window), (258_400, 258_400));
}

#[test]
fn a_call_says_who_it_was_and_what_it_last_said() {
    let finish = |name: &str| call(name, &lines(&sample(name)), &HowEnded::Exited(0));
    let claude = finish("claude-197-basic");
    assert_eq!(claude.version.as_deref(), Some("2.1.197"));
    let session = claude.session.expect("a session");
    assert_eq!(session.as_str(), "006a0a69-69b8-442d-90d1-fb741d13d2ca");
    assert_eq!(claude.claim.summary, "All done.");
    let app = finish("codex-app-basic");
    assert_eq!(app.version.as_deref(), Some("0.166.0"));
    let session = app.session.expect("a session");
    assert_eq!(session.as_str(), "01a1dc57-7368-78b2-9c3b-4c3d66fa6e42");
    assert_eq!(app.claim.summary, "done");
    let exec = finish("codex-exec-ws");
    assert!(exec.session.is_some());
    assert_eq!(exec.claim.summary, "all done");
}
