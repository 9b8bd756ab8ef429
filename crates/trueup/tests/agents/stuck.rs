//! Real agents that do nothing, go in circles or ask: a person is asked within
//! three turns, and their answer reaches the agent.

use super::scene::{DESCRIBE, EVERYBODY, GREET, Scene, Who};
use trueup_testkit::{
    alone::alone,
    model_server::{Reply, Script},
};

/// However often it is asked, it says this.
fn always(reply: &Reply) -> Script {
    Script::new(vec![reply.clone(); 40]).side(reply.clone())
}

fn turns(scene: &Scene) -> usize {
    scene.endings().len()
}

fn is_asked_about(who: Who, scripts: Script, said: &str) -> Scene {
    let scene = Scene::new(who, scripts);
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 5, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    assert!(ended.stdout.starts_with("stuck: T-001.1 after turn "), "{ended:#?}");
    assert!(ended.stdout.contains(said), "{ended:#?}");
    assert!(turns(&scene) <= 3, "{who:?}: {} turns", turns(&scene));
    scene
}

#[test]
fn a_real_agent_that_only_talks_is_asked_about_within_three_turns() {
    alone(
        "stuck::a_real_agent_that_only_talks_is_asked_about_within_three_turns",
        || {
            for who in EVERYBODY {
                let boast = Reply::text("All done, every criterion is met! <phase_complete>");
                let scene = is_asked_about(who, always(&boast), "changed nothing");
                assert_eq!(turns(&scene), 2, "{who:?}");
            }
        },
    );
}

#[test]
fn a_real_agent_that_repeats_itself_is_asked_about_within_three_turns() {
    alone(
        "stuck::a_real_agent_that_repeats_itself_is_asked_about_within_three_turns",
        || {
            for who in EVERYBODY {
                let turn = [who.shell(GREET), Reply::text("I greet by name.")];
                let turns: Vec<Reply> = turn.iter().cycle().take(12).cloned().collect();
                let scripts = Script::new(turns).side(Reply::text("I greet by name."));
                is_asked_about(who, scripts, "changed nothing");
            }
        },
    );
}

fn is_answered(who: Who) {
    let replies = [
        Reply::text("<phase_blocked>Shall the README name the person?</phase_blocked>"),
        who.shell(GREET),
        who.shell(DESCRIBE),
        Reply::text("Done."),
    ];
    let scene = Scene::new(who, Script::new(replies));
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 4, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    assert!(ended.stdout.contains("Shall the README name the person?"), "{ended:#?}");
    assert_eq!(turns(&scene), 1, "{who:?}");
    let answered = scene.household.trueup(&["answer", "T-001", "-m", "Yes, by NAME."]);
    assert_eq!(answered.code, 0, "{who:?}: {answered:#?}\n{:#?}", scene.endings());
    let asked = scene.asked();
    let second = asked.get(1).expect("a second turn");
    assert!(second.mentions("Yes, by NAME."), "{who:?}: {}", second.body);
}

#[test]
fn a_question_of_a_real_agent_is_answered_in_its_next_turn() {
    alone("stuck::a_question_of_a_real_agent_is_answered_in_its_next_turn", || {
        for who in EVERYBODY {
            is_answered(who);
        }
    });
}
