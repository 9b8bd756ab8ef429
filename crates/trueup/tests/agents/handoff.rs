//! A memory that gets full: prompts are compressed from 70 % of the model's
//! window on, and at 80 % a fresh session takes over with the page it needs.

use super::scene::{DESCRIBE, EVERYBODY, GREET, Scene, Who};
use serde_json::Value;
use std::fs;
use trueup_testkit::{
    alone::alone,
    model_server::{Reply, Request, Usage},
};

/// What the first turn decided, and says to whoever goes on.
const DECISION: &str = "<decision>Which shell is it for? | any POSIX shell | it is everywhere</decision>";

/// Words of the first turn that are no last words, so that nobody retells them.
const ASIDE: &str = "I begin with the greeting itself.";

/// A turn's last reply, to a request that filled so much of the window.
fn last(who: Who, words: &str, percent: u64) -> Reply {
    let read = who.window() * percent / 100;
    Reply::text(words).usage(Usage::of(1_000, 50).cached(0, read))
}

/// Three turns: full to 71 %, full to 80 %, and the last one in a fresh session.
fn three_turns(who: Who) -> [Reply; 6] {
    [
        who.shell(GREET).saying(ASIDE),
        last(who, &format!("It greets by name. {DECISION}"), 71),
        who.shell("echo later > notes.txt").saying("I make a note."),
        last(who, "I made a note of the README.", 80),
        who.shell(DESCRIBE).saying("I describe it."),
        Reply::text("The README says it, too."),
    ]
}

/// How many messages of a request are the model's own.
fn own_words(request: &Request) -> usize {
    let messages = [&request.body["messages"], &request.body["input"]];
    let messages = messages.into_iter().filter_map(Value::as_array).flatten();
    messages.filter(|message| message["role"] == "assistant").count()
}

fn holds_all(request: &Request, words: &[&str]) {
    for word in words {
        assert!(request.mentions(word), "`{word}` is missing: {}", request.body);
    }
}

fn hands_over(who: Who) {
    let scene = Scene::new(who, three_turns(who));
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    let asked = scene.asked();
    let [_, _, second, _, third, _] = asked.as_slice() else {
        panic!("{who:?}: {} requests instead of 6", asked.len());
    };
    // At 71 %: the same session, told in short what came before.
    holds_all(
        second,
        &["The turns so far, in short", "Which shell is it for?", "AC-3", ASIDE],
    );
    assert!(own_words(second) > 0, "{who:?}: another session: {}", second.body);
    assert!(!second.mentions("Taking over"), "{}", second.body);
    // At 80 %: a session that remembers nothing, with the page that says it all.
    holds_all(
        third,
        &[
            "Taking over",
            "Which shell is it for?",
            "any POSIX shell",
            "AC-3",
            "greet.sh",
        ],
    );
    assert_eq!(own_words(third), 0, "{who:?}: the old session: {}", third.body);
    assert!(!third.mentions(ASIDE), "{who:?}: the old session: {}", third.body);
    let shown = scene.household.show("T-001");
    assert_eq!(shown["turns"], 3, "{shown}");
    let run = shown["run"].as_str().expect("a run");
    let page = scene.household.state().join("runs").join(run).join("next-session.md");
    let page = fs::read_to_string(page).expect("the page of the next session");
    for words in ["Which shell is it for?", "any POSIX shell", "AC-3", "README.md has"] {
        assert!(page.contains(words), "{who:?}: `{words}` is not in\n{page}");
    }
}

#[test]
fn a_session_that_gets_full_hands_decisions_and_open_criteria_to_a_fresh_one() {
    let name = "handoff::a_session_that_gets_full_hands_decisions_and_open_criteria_to_a_fresh_one";
    alone(name, || {
        for who in EVERYBODY {
            hands_over(who);
        }
    });
}
