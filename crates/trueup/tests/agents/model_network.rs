//! Real agents that reach their model through trueup and nothing else, with a
//! key they never hold.

use super::scene::{DESCRIBE, EVERYBODY, GREET, KEY, Scene, Who};
use std::fs;
use trueup_testkit::{alone::alone, model_server::Reply};

/// Looks for the key wherever a program inside can look, without naming it:
/// what it is looked for with does not match itself.
const LOOK: &str = r#"pattern='opens-nothing-000[1]'
processes=$(cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -cE "$pattern")
files=$(grep -rlsE "$pattern" / --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude-dir=lib 2>/dev/null | wc -l)
mine=$(env | grep -cE "$pattern")
stand_in=$(env | grep -c 'held-by-trueup')
echo "looked: processes=$processes files=$files mine=$mine stand_in=$stand_in""#;

/// The same scene, whose agent has the network of its model alone.
fn scene(who: Who, network: &str) -> Scene {
    let replies = [
        who.shell(LOOK),
        who.shell(&format!("{GREET}; {DESCRIBE}")),
        Reply::text("It is done."),
    ];
    let scene = Scene::new(who, replies);
    let path = scene.household.checkout().join("trueup.toml");
    let before = fs::read_to_string(path).expect("the configuration");
    let bounded = before.replace("[agent.real]\n", &format!("[agent.real]\nnetwork = {network}\n"));
    scene.household.file("trueup.toml", &bounded);
    scene
}

/// What the agent found when it looked, as it told its model.
fn found(scene: &Scene) -> String {
    let told = scene.asked().get(1).expect("a second request").body.to_string();
    // The command itself is told as well, with names where the answer has numbers.
    let answers = told.split("looked: ").filter(|text| !text.contains("=$"));
    let answer = answers.last().expect("what was found");
    answer.split(['"', '\\']).next().unwrap_or_default().to_owned()
}

fn never_holds_its_key(who: Who) {
    let scene = scene(who, "\"model\"");
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    assert!(ended.stdout.starts_with("verified:"), "{}", ended.stdout);
    assert_eq!(found(&scene), "processes=0 files=0 mine=0 stand_in=1", "{who:?}");
    for request in scene.asked() {
        let shown = request.headers.iter().filter(|(_, value)| value.contains(KEY));
        assert_eq!(
            shown.count(),
            1,
            "{who:?}: the model was shown the key once: {:?}",
            request.headers
        );
        assert!(
            !request.body.to_string().contains(KEY),
            "{who:?}: the conversation tells it"
        );
    }
    let log = scene.household.trueup(&["log", "T-001", "--json"]);
    assert!(!log.stdout.contains(KEY));
}

#[test]
fn a_task_is_carried_to_its_proof_by_agents_that_never_hold_their_key() {
    alone(
        "model_network::a_task_is_carried_to_its_proof_by_agents_that_never_hold_their_key",
        || {
            for who in EVERYBODY {
                never_holds_its_key(who);
            }
            // Who holds it is found out by the same look.
            let open = scene(EVERYBODY[0], "true");
            assert_eq!(open.household.trueup(&["run", "T-001"]).code, 0);
            assert!(!found(&open).contains("mine=0"), "{}", found(&open));
        },
    );
}
