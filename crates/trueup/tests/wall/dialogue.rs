//! A dialogue with a program behind the wall: watched, metered, and ended for
//! the right reason.

use crate::place::{Place, program, setup, text};
use std::{fs, path::Path, time::Duration};
use trueup_core::{
    budget::Limit,
    criterion::Network,
    ending::Ending,
    event::Stop,
    id::SessionId,
    memory::Claim,
    patience::Patience,
    turn::{Permission, Policy},
    usage::Usage,
};
use trueup_engine::{
    agent::{
        Activity, Answer, Happening,
        converse::{Talk, converse},
        dialogue::{Act, Dialogue},
        fact::{Fact, Finish, ToolResult},
        home::{Home, INSIDE},
        sign_in::{Account, SignIn},
    },
    sandbox::{HowEnded, Mode, ReadOnlyMount, Sandbox},
    stop::StopSource,
};

/// Understands one word a line.
#[derive(Default)]
struct Words {
    done: bool,
    /// What it said last.
    said: String,
}

impl Dialogue for Words {
    fn open(&mut self) -> Vec<Act> {
        vec![Act::Say(b"begin\n".to_vec())]
    }

    fn hear(&mut self, line: &[u8]) -> Vec<Act> {
        let line = String::from_utf8_lossy(line).into_owned();
        if line != "done" {
            self.said.clone_from(&line);
        }
        let fact = match line.split_once(' ').unwrap_or((&line, "")) {
            ("asked", _) => Fact::Asked,
            ("tool", id) => Fact::ToolBegan {
                id: id.to_owned(),
                name: "Bash".to_owned(),
                about: String::new(),
            },
            ("ended", id) => Fact::ToolEnded {
                id: id.to_owned(),
                worked: ToolResult::Yes,
            },
            ("used", tokens) => Fact::Used(Usage {
                tokens: tokens.parse().ok(),
                ..Usage::default()
            }),
            ("asks", _) => return vec![Act::Say(vec![b'n'; 4096])],
            ("done", _) => {
                self.done = true;
                return vec![Act::HangUp];
            }
            (word, _) => Fact::Spoke(word.to_owned()),
        };
        vec![Act::Fact(fact)]
    }

    fn interrupt(&mut self) -> Vec<Act> {
        vec![Act::Say(b"stop\n".to_vec())]
    }

    fn finish(&mut self, how: &HowEnded, stderr: &[u8]) -> Finish {
        let ending = if self.done {
            Ending::Finished
        } else {
            let why = format!("{how:?}: {}", String::from_utf8_lossy(stderr));
            Ending::Broken { why }
        };
        Finish {
            ending,
            session: None,
            claim: Claim {
                summary: self.said.clone(),
                ..Claim::default()
            },
            usage: Usage::default(),
            version: None,
        }
    }
}

const HASTE: Patience = Patience {
    turn_ms: 20_000,
    heartbeat_ms: 300,
    warn_ms: 600,
    model_ms: 1500,
    silence_ms: 1500,
};

fn policy() -> Policy {
    Policy {
        time_limit_ms: HASTE.turn_ms,
        output_limit: 1 << 20,
        network: Network::Off,
        permission: Permission::Everything,
        patience: HASTE,
        tokens_left: Some(100),
        millicents_left: None,
    }
}

struct Held {
    answer: Answer,
    /// What was shown, in words.
    shown: Vec<String>,
}

impl Held {
    fn ending(&self) -> &Ending {
        self.answer.ending.as_ref().expect("nobody stopped it")
    }

    fn showed(&self, word: &str) -> usize {
        self.shown.iter().filter(|shown| shown.starts_with(word)).count()
    }
}

async fn hold(place: &Place, script: &str, policy: Policy) -> Held {
    hold_in(&place.sandbox, place, script, policy, &StopSource::default()).await
}

async fn hold_in(sandbox: &Sandbox, place: &Place, script: &str, policy: Policy, stop: &StopSource) -> Held {
    let talk = Talk {
        argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
        bounds: place.check(),
        policy,
        sign_in: None,
    };
    hold_talk(sandbox, talk, stop).await
}

async fn hold_talk(sandbox: &Sandbox, talk: Talk, stop: &StopSource) -> Held {
    let (mut words, mut shown) = (Words::default(), Vec::new());
    let answer = converse(sandbox, talk, &mut words, &stop.token(), &mut |happening| {
        shown.push(match happening {
            Happening::Printed(bytes) => format!("printed {}", String::from_utf8_lossy(bytes)),
            Happening::Did(fact) => format!("did {fact:?}"),
            Happening::Activity { activity, for_ms: 0 } => format!("turned to {activity:?}"),
            Happening::Activity { activity, .. } => format!("still {activity:?}"),
            Happening::Idle { .. } => "idle".to_owned(),
        });
    })
    .await;

    Held { answer, shown }
}

#[tokio::test]
async fn a_slow_tool_is_let_run_and_its_silence_is_told() {
    let place = Place::new();
    let script = "read w; echo $w; echo tool 1; sleep 4; echo ended 1; echo done; cat >/dev/null";
    let held = hold(&place, script, policy()).await;
    assert_eq!(*held.ending(), Ending::Finished, "{:?}", held.shown);
    assert_eq!(held.answer.transcript, b"begin\ntool 1\nended 1\ndone\n");
    assert_eq!(held.showed("idle"), 1);
    assert!(held.showed(&format!("still {:?}", Activity::RunningTool)) >= 5);
}

#[tokio::test]
async fn a_model_that_is_silent_behind_noise_is_hung_and_an_agent_that_waits_for_nothing_silent() {
    let place = Place::new();
    let noise = "echo asked; while sleep 0.1; do echo noise >&2; done";
    let held = hold(&place, noise, policy()).await;
    assert!(
        matches!(held.ending(), Ending::Hung { silent_ms: 1500.. }),
        "{:?}",
        held.ending()
    );
    let held = hold(&place, "echo hello; sleep 600", policy()).await;
    assert!(
        matches!(held.ending(), Ending::Silent { silent_ms: 1500.. }),
        "{:?}",
        held.ending()
    );
    assert!(held.answer.took < Duration::from_secs(10));
}

#[tokio::test]
async fn what_is_left_of_a_budget_is_not_passed_unnoticed() {
    let place = Place::new();
    let script = "echo used 50; echo used 101; while read w; do echo heard $w; test $w = stop && exit; done";
    let held = hold(&place, script, policy()).await;
    assert_eq!(*held.ending(), Ending::Spent(Limit::Tokens));
    assert_eq!(held.answer.usage.tokens, Some(101), "what it cost is not lost");
    assert!(
        held.answer.transcript.ends_with(b"heard stop\n"),
        "it was told kindly first"
    );
    let deaf = hold(&place, "echo used 101; sleep 600", policy()).await;
    assert_eq!(*deaf.ending(), Ending::Spent(Limit::Tokens));
    let exactly = hold(&place, "echo used 100; sleep 0.5; echo done", policy()).await;
    assert_eq!(*exactly.ending(), Ending::Finished, "all of it may be used");
    let last = hold(&place, "echo used 101; echo done", policy()).await;
    assert_eq!(*last.ending(), Ending::Finished, "it had come to its end already");
}

#[tokio::test]
async fn who_asks_for_ever_and_does_not_listen_is_ended() {
    let place = Place::new();
    let held = hold(&place, "while :; do echo asks; done", policy()).await;
    let why = "it asks and does not listen".to_owned();
    assert_eq!(*held.ending(), Ending::Broken { why });
    assert!(held.answer.took < Duration::from_secs(15), "{:?}", held.answer.took);
    // Whoever listens may ask as often as it likes: it reads each answer before
    // it asks again, and all of them together are more than may lie unread.
    let listens = "i=0; while [ $i -lt 1000 ]; do echo asks; head -c 4096 > /dev/null; i=$((i + 1)); done; echo done";
    let held = hold(&place, listens, policy()).await;
    assert_eq!(*held.ending(), Ending::Finished);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_cut_and_the_next_one_is_heard() {
    let place = Place::new();
    let held = hold(&place, "head -c 17000000 /dev/zero; echo; printf done", policy()).await;
    assert_eq!(*held.ending(), Ending::Finished);
    assert_eq!(held.showed("did Unknown"), 1);
    assert_eq!(held.answer.transcript.len(), 1 << 20);
    assert_eq!(held.answer.transcript_total, 17_000_005);
}

#[tokio::test]
async fn a_time_limit_a_stop_and_a_missing_program_are_told_apart() {
    let place = Place::new();
    let short = Policy {
        time_limit_ms: 700,
        ..policy()
    };
    let held = hold(&place, "echo tool 1; sleep 600", short).await;
    assert_eq!(*held.ending(), Ending::TimedOut);
    let held = hold(&place, "exec ./missing", policy()).await;
    assert!(
        matches!(held.ending(), Ending::Broken { why } if why.contains("missing")),
        "{:?}",
        held.ending()
    );
    let stop = StopSource::default();
    let raise = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stop.raise(Stop::Request);
    };
    let (held, ()) = tokio::join!(
        hold_in(&place.sandbox, &place, "echo tool 1; sleep 600", policy(), &stop),
        raise
    );
    assert_eq!(held.answer.ending, Err(Stop::Request));
}

#[tokio::test]
async fn without_a_wall_a_dialogue_is_held_all_the_same() {
    let place = Place::new();
    let mut setup = setup(place.folder.path());
    setup.mode = Mode::None;
    let sandbox = Sandbox::new(setup).expect("no wall is needed");
    let script = "read w; echo $w; echo used 500; read w; setsid sleep 600 & exit 1";
    let held = hold_in(&sandbox, &place, script, policy(), &StopSource::default()).await;
    assert_eq!(*held.ending(), Ending::Spent(Limit::Tokens), "{:?}", held.shown);
}

#[tokio::test]
async fn an_agents_home_is_its_own_at_one_place_and_stays() {
    let place = Place::new();
    let home = Home::open(place.path("state/runs/own.1/home")).expect("a home");
    let mut open = setup(place.folder.path());
    open.mode = Mode::None;
    let open = Sandbox::new(open).expect("no wall is needed");
    for (sandbox, seen) in [(&place.sandbox, Path::new(INSIDE)), (&open, home.folder())] {
        assert_eq!(home.seen_from(sandbox), seen);
        let mut bounds = place.check();
        bounds.own.push(home.own());
        bounds.lay.push(ReadOnlyMount {
            host: place.path("extra/readable"),
            inner: "/run/trueup/prompt.md".into(),
        });
        let script = format!(
            "set -e; cd {}; echo s >> kept; mkdir -p a; echo s > a/id.jsonl",
            seen.display()
        );
        let nobody = StopSource::default();
        let ended = sandbox
            .run(
                &bounds,
                &program(&["sh", "-c", &script]),
                &nobody.token(),
                &mut |_, _| {},
            )
            .await;
        assert_eq!(ended.how, HowEnded::Exited(0), "{}", text(&ended));
    }
    assert_eq!(std::fs::read(home.folder().join("kept")).expect("kept"), b"s\ns\n");
    let files = home.session_files(&SessionId::new("id")).expect("readable").files;
    assert_eq!(
        files.into_iter().collect::<Vec<_>>(),
        [("a/id.jsonl".to_owned(), b"s\n".to_vec())]
    );
}

fn signed_in(number: u32) -> String {
    format!(r#"{{"tokens":{{"access_token":"access-token-{number}","refresh_token":"refresh-token-{number}"}}}}"#)
}

/// Holds a dialogue with a program that is lent a sign-in: `$AUTH` is its copy.
async fn hold_signed_in(place: &Place, script: &str) -> Held {
    let (person, file) = (place.path("home"), place.path("home/.codex/auth.json"));
    fs::create_dir_all(file.parent().expect("a folder above")).expect("folder");
    fs::write(&file, signed_in(1)).expect("a sign-in");
    let home = Home::open(place.path("state/runs/own.1/home")).expect("home");
    let lent = SignIn::lend(Account::Codex, &file, &person, home.folder()).expect("readable");
    let mut bounds = place.check();
    bounds.own.push(home.own());
    let auth = format!("{INSIDE}/auth.json");
    bounds.variables.insert("AUTH".to_owned(), auth);
    let talk = Talk {
        argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
        bounds,
        policy: policy(),
        sign_in: Some(lent.expect("signed in")),
    };
    let held = hold_talk(&place.sandbox, talk, &StopSource::default()).await;
    let now = fs::read_to_string(&file).expect("a sign-in");
    assert!(now.contains("access-token-2"), "it was written back: {now}");
    held
}

/// Everything that is told of what an agent said.
fn told(held: &Held) -> String {
    let transcript = String::from_utf8_lossy(&held.answer.transcript);
    format!("{transcript}{:?}{:?}", held.answer.ending, held.answer.claim)
}

#[tokio::test]
async fn a_token_that_an_agent_renews_and_prints_at_once_is_seen_nowhere() {
    let place = Place::new();
    let renew = format!("printf '%s' '{}' > $AUTH", signed_in(2));
    let show = "echo access-token-1; echo out refresh-token-2; echo err refresh-token-2 >&2; printf access-tok; \
        sleep 0.1; echo en-2";
    for last in ["echo done", "exit 3"] {
        let held = hold_signed_in(&place, &format!("{renew}; {show}; {last}")).await;
        let all = format!("{}{:?}", told(&held), held.shown);
        assert!(!all.contains("-token-"), "{all}");
        assert_eq!(held.answer.claim.summary, "[access_token redacted]", "{all}");
        for mark in ["out [refresh_token redacted]", "err [refresh_token redacted]"] {
            assert!(all.matches(mark).count() >= 2, "{mark}: {all}");
        }
    }
}

#[tokio::test]
async fn a_token_that_is_printed_before_anybody_knows_it_is_not_kept() {
    let place = Place::new();
    let print = "echo access-token-2; echo refresh-token-2 >&2; sleep 0.1";
    let renew = format!("printf '%s' '{}' > $AUTH", signed_in(2));
    for last in ["echo done", "exit 3"] {
        let held = hold_signed_in(&place, &format!("{print}; {renew}; {last}")).await;
        assert!(!told(&held).contains("-token-"), "{}", told(&held));
        assert_eq!(held.answer.claim.summary, "[access_token redacted]");
    }
}
