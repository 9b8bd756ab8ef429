//! A turn that was killed with trueup leaves no trace in the memory of the
//! agent that takes it again.

use super::{
    rows::SECOND_TURN,
    running::wait_until,
    scene::{DESCRIBE, EVERYBODY, GREET, Scene, Who},
};
use rustix::process::Signal;
use std::{fs, path::Path};
use trueup_testkit::{
    alone::alone,
    model_server::{Hang, Reply, Request, Script, Scripts},
};

/// What stands in each of the two edits that are lost, and in their commands.
const LOST: &str = "lost-in-the-killed-turn";

/// What the agent says with them, and what it begins to say after them.
const WORDS: [&str; 2] = [
    "Both files are written as asked.",
    "With these two files in place, everything",
];

/// What one answer costs where a script says nothing of it.
const ANSWER: u64 = 120;

/// The turn before the killed one, which is kept.
const KEPT: &str = "The greeting is done.";

fn first(who: Who) -> Script {
    Script::new([who.shell(GREET), Reply::text(KEPT)])
}

/// The second turn as it should be.
fn second(who: Who) -> Script {
    Script::new([who.shell(DESCRIBE), Reply::text("The README is done.")]).matching(SECOND_TURN)
}

/// The second turn as it is killed: two edits, and half of an answer.
fn killed(who: Who) -> Script {
    let edits = format!("echo {LOST} > one.txt; echo {LOST} > two.txt");
    let [before, after] = WORDS;
    Script::new([who.shell(&edits).saying(before), Reply::text(after).hang(Hang::Mid)]).matching(SECOND_TURN)
}

/// Whether anything of the lost turn stands in a request.
fn is_told_of_it(request: &Request) -> bool {
    request.mentions(LOST) || WORDS.iter().any(|words| request.mentions(words))
}

/// Whether a file below the folder holds these words.
fn holds(folder: &Path, words: &str) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            return holds(&path, words);
        }
        let bytes = fs::read(&path).unwrap_or_default();
        bytes.windows(words.len()).any(|window| window == words.as_bytes())
    })
}

/// The tokens that a run counted.
fn spent(scene: &Scene) -> u64 {
    let tokens = &scene.household.show("T-001")["spent"]["tokens"];
    tokens.as_u64().unwrap_or_else(|| panic!("{tokens}"))
}

fn delivered(scene: &Scene) -> String {
    scene.household.git(&["rev-parse", "trueup/T-001^{tree}"])
}

fn forgets_a_killed_turn(who: Who) {
    let twin = Scene::new(who, Scripts::Many(vec![second(who), first(who)]));
    assert_eq!(twin.start("run").wait(), 0, "{who:?}: {:#?}", twin.endings());

    let scene = Scene::new(who, Scripts::Many(vec![killed(who), first(who)]));
    let mut run = scene.start("run");
    // Two requests of the first turn, the one that brings the edits, and the
    // one after them.
    wait_until("the request after the edits", || scene.asked().len() >= 4);
    // An agent may ask its model a moment before it writes its session.
    let home = scene.household.state().join("runs/T-001.1/home");
    wait_until("the session that is lost", || holds(&home, LOST));
    run.signal(Signal::KILL);
    assert_eq!(run.wait(), 137);
    scene.left_nothing_alive();
    let before = scene.asked();
    // The search finds the trace where it is: in the request after the edits,
    // and in the session that a plain resumption would go on from.
    assert!(before.last().is_some_and(is_told_of_it), "{who:?}");
    assert!(holds(&home, LOST), "{who:?}: nothing of it in {}", home.display());

    scene.model.replace(vec![second(who), first(who)]);
    let mut resumed = scene.start("resume");
    assert_eq!(resumed.wait(), 0, "{who:?}: {}", resumed.printed());
    let after: Vec<Request> = scene.asked().split_off(before.len());
    let again = after.first().expect("a request");
    assert!(
        again.mentions(SECOND_TURN) && again.mentions(KEPT),
        "{who:?}: {}",
        again.body
    );
    assert!(again.mentions("refs/trueup/rescue"), "{who:?}: {}", again.body);
    for request in &after {
        assert!(!is_told_of_it(request), "{who:?}: {}", request.body);
    }
    assert_eq!(scene.household.show("T-001")["turns"], 2);
    assert_eq!(delivered(&scene), delivered(&twin), "{who:?}");
    // What the killed turn used is counted: at least the answer that came whole.
    let [spent, undisturbed] = [&scene, &twin].map(spent);
    assert!(spent >= undisturbed + ANSWER, "{who:?}: {spent} of {undisturbed}");
    scene.left_nothing_alive();
}

#[test]
fn a_killed_turn_leaves_no_trace_in_the_memory_of_the_next() {
    alone(
        "memory::a_killed_turn_leaves_no_trace_in_the_memory_of_the_next",
        || {
            for who in EVERYBODY {
                forgets_a_killed_turn(who);
            }
        },
    );
}

/// What a machine makes for itself, and another machine does not have.
const LOCAL: [&str; 7] = [
    "runs/T-001.1/home",
    "workspaces",
    "rooms",
    "lent",
    "bases",
    "layers",
    "caches",
];

/// Goes on from the kept conversation though the home that it was held in is
/// gone, and everything else with it that only one machine has.
fn goes_on_without_its_home(who: Who) {
    let scene = Scene::new(who, Scripts::Many(vec![killed(who), first(who)]));
    let mut run = scene.start("run");
    wait_until("the request after the edits", || scene.asked().len() >= 4);
    run.signal(Signal::KILL);
    assert_eq!(run.wait(), 137);
    scene.left_nothing_alive();
    let home = scene.household.state().join("runs/T-001.1/home");
    assert!(holds(&home, KEPT), "{who:?}: nothing of it in {}", home.display());
    for folder in LOCAL.map(|folder| scene.household.state().join(folder)) {
        // Not every project has all of them.
        drop(fs::remove_dir_all(&folder));
        assert!(!folder.exists(), "{}", folder.display());
    }
    let before = scene.asked().len();
    scene.model.replace(vec![second(who), first(who)]);
    let mut resumed = scene.start("resume");
    assert_eq!(resumed.wait(), 0, "{who:?}: {}", resumed.printed());
    let after: Vec<Request> = scene.asked().split_off(before);
    let again = after.first().expect("a request");
    assert!(
        again.mentions(SECOND_TURN) && again.mentions(KEPT),
        "{who:?}: {}",
        again.body
    );
    for request in &after {
        assert!(!is_told_of_it(request), "{who:?}: {}", request.body);
    }
    assert_eq!(scene.household.show("T-001")["turns"], 2);
    scene.left_nothing_alive();
}

#[test]
fn an_agent_goes_on_from_its_conversation_where_its_home_is_gone() {
    alone(
        "memory::an_agent_goes_on_from_its_conversation_where_its_home_is_gone",
        || {
            for who in EVERYBODY {
                goes_on_without_its_home(who);
            }
        },
    );
}
