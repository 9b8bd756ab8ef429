//! One task, carried to its proof by each of the real agents.

use super::scene::{DESCRIBE, EVERYBODY, GREET, KEY, Scene, Who};
use trueup_testkit::{alone::alone, model_server::Reply};

/// The first turn leaves the README's criterion unmet; the second meets it.
fn two_turns(who: Who) -> [Reply; 4] {
    [
        who.shell(GREET).saying("I greet by name."),
        Reply::text("All done, every criterion is met! <phase_complete>"),
        who.shell(DESCRIBE).saying("I describe it."),
        Reply::text("Now the README says it, too."),
    ]
}

fn is_carried_to_its_proof(who: Who) {
    let scene = Scene::new(who, two_turns(who));
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    assert!(ended.stdout.starts_with("verified:"), "{}", ended.stdout);
    let asked = scene.asked();
    // The second turn is the third request; it carries what the failing check saw.
    let second = asked.get(2).expect("a second turn");
    assert!(
        second.mentions("AC-3.1"),
        "{who:?}: the second turn was not told what failed: {}",
        second.body
    );
    assert!(second.mentions("What the checks saw"), "{}", second.body);
    // It goes on in the same conversation.
    assert!(second.mentions("All done, every criterion is met!"), "{}", second.body);
    let shown = scene.household.show("T-001");
    assert_eq!(shown["turns"], 2, "{shown}");
    // Nothing that is kept or shown tells the key.
    let log = scene.household.trueup(&["log", "T-001", "--json"]);
    assert!(!log.stdout.contains(KEY));
}

#[test]
fn a_task_is_carried_to_its_proof_by_every_real_agent() {
    alone("verified::a_task_is_carried_to_its_proof_by_every_real_agent", || {
        for who in EVERYBODY {
            is_carried_to_its_proof(who);
        }
    });
}
