//! Real agents that do not get there climb the ladder: retries in one
//! conversation, then fresh ones with another approach and with a closer look,
//! then a question to a person.

use super::scene::{DESCRIBE, GREET, Scene, Who};
use serde_json::Value;
use trueup_testkit::{
    alone::alone,
    model_server::{Reply, Request, Script},
};

/// Of each kind the newest.
const BOTH: [Who; 2] = [Who::Claude("2.1.325"), Who::Codex];

/// So many turns are taken before a person is asked: the first, and five attempts.
const TURNS: usize = 6;

/// What a turn does and says that does not get there, and what the last one does.
fn turns(who: Who, last: &str) -> Vec<Reply> {
    let mut replies = vec![who.shell(GREET), Reply::text("I greet by name.")];
    for turn in 2..TURNS {
        replies.push(who.shell(&format!("echo {turn} > notes.txt")));
        replies.push(Reply::text(&format!("I tried my idea number {turn}.")));
    }
    replies.extend([who.shell(last), Reply::text("That was all.")]);
    replies
}

fn climbing(who: Who, last: &str) -> Scene {
    let scene = Scene::new(who, Script::new(turns(who, last)));
    scene.configure("[ladder]\nprofile = \"standard\"");
    scene
}

/// How many messages of a request are the model's own.
fn own_words(request: &Request) -> usize {
    let messages = [&request.body["messages"], &request.body["input"]];
    let messages = messages.into_iter().filter_map(Value::as_array).flatten();
    messages.filter(|message| message["role"] == "assistant").count()
}

/// What each turn began with: every second request, because each turn calls one tool.
fn beginnings(scene: &Scene) -> Vec<Request> {
    let asked = scene.asked();
    assert_eq!(asked.len(), 2 * TURNS, "{:#?}", scene.endings());
    asked.into_iter().step_by(2).collect()
}

fn is_verified_on_the_last_rung(who: Who) {
    let scene = climbing(who, DESCRIBE);
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    let begun = beginnings(&scene);
    let of_turn = |turn: usize| &begun[turn - 1];
    for turn in 2..=4 {
        let retry = of_turn(turn);
        assert!(own_words(retry) > 0, "{who:?}, turn {turn}: {}", retry.body);
        assert!(
            retry.mentions("Not met on the files as they are now: AC-3"),
            "{}",
            retry.body
        );
    }
    for (turn, words) in [
        (5, ["## Another approach", "Try this: ", "I tried my idea number 4."]),
        (
            6,
            ["## Look closer", "It was asked to: ", "Read at most five of them whole"],
        ),
    ] {
        let anew = of_turn(turn);
        assert_eq!(own_words(anew), 0, "{who:?}, turn {turn}: {}", anew.body);
        for words in words {
            assert!(anew.mentions(words), "{who:?}, turn {turn}: `{words}` in {}", anew.body);
        }
    }
    for told in ["begins anew, with another approach: ", "begins anew, and looks closer"] {
        assert!(ended.stderr.contains(told), "{who:?}: {ended:#?}");
    }
}

#[test]
fn a_real_agent_climbs_every_rung_and_is_verified_on_the_last() {
    alone(
        "climbing::a_real_agent_climbs_every_rung_and_is_verified_on_the_last",
        || {
            for who in BOTH {
                is_verified_on_the_last_rung(who);
            }
        },
    );
}

fn is_asked_about(who: Who) {
    let scene = climbing(who, "echo 6 > notes.txt");
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 5, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    let told = "stuck: T-001.1 after turn 6: every attempt was made, and none of them helped";
    assert!(ended.stdout.starts_with(told), "{who:?}: {ended:#?}");
    assert!(ended.stderr.contains("trueup answer T-001 -m"), "{who:?}: {ended:#?}");
    assert_eq!(beginnings(&scene).len(), TURNS);
}

#[test]
fn a_real_agent_that_never_gets_there_ends_in_a_question() {
    alone(
        "climbing::a_real_agent_that_never_gets_there_ends_in_a_question",
        || {
            for who in BOTH {
                is_asked_about(who);
            }
        },
    );
}
