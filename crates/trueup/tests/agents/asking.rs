//! `agent list` and `agent test`, with the real agents: who is here, who
//! answers, and what a person is told about one that does not.

use super::scene::{EVERYBODY, KEY, Scene, Who};
use std::fs;
use trueup_testkit::{
    alone::alone,
    model_server::{Reply, Script},
};

/// The version that an agent says it is.
const fn version(who: Who) -> &'static str {
    match who {
        Who::Claude(version) => version,
        Who::Codex => trueup_testkit::agents::CODEX_VERSION,
    }
}

/// A script that says this however often it is asked, with tools or without.
fn always(reply: &Reply) -> Script {
    let replies = vec![reply.clone(); 20];
    Script::new(replies).side(reply.clone())
}

fn answers(who: Who) {
    let scene = Scene::new(who, always(&Reply::text("ready")));
    let before = scene.household.checkout_digest();
    let listed = scene.household.json(&["agent", "list", "--json"]);
    let agent = &listed["agents"][0];
    assert_eq!(agent["name"], "real", "{listed:#}");
    assert_eq!(agent["version"], version(who), "{listed:#}");
    assert_eq!(agent["sign_in"]["by"], "variable", "{listed:#}");
    assert!(scene.model.requests().is_empty(), "a list asks no model");
    let tried = scene.household.json(&["agent", "test", "--json"]);
    assert_eq!(tried["answered"], true, "{who:?}: {tried:#}");
    assert_eq!(tried["said"], "ready", "{tried:#}");
    assert_eq!(tried["version"], version(who), "{tried:#}");
    let lines = scene.household.trueup(&["agent", "test", "real"]);
    assert_eq!(lines.code, 0, "{lines:#?}");
    assert!(lines.stdout.contains("answered after"), "{lines:#?}");
    assert!(!format!("{listed}{tried}{lines:?}").contains(KEY), "the key is told");
    assert_eq!(scene.household.checkout_digest(), before, "the checkout was written");
    let runs = fs::read_dir(scene.household.state().join("runs")).expect("a folder");
    assert_eq!(runs.count(), 0, "a throw-away folder was left");
}

#[test]
fn every_real_agent_is_listed_and_answers_a_small_question() {
    alone(
        "asking::every_real_agent_is_listed_and_answers_a_small_question",
        || {
            for who in EVERYBODY {
                answers(who);
            }
        },
    );
}

fn is_refused(who: Who) {
    let scene = Scene::new(who, always(&Reply::status(401)));
    let tried = scene.household.trueup(&["agent", "test"]);
    assert_eq!(tried.code, 7, "{who:?}: {tried:#?}");
    assert!(tried.stdout.contains("is not signed in"), "{who:?}: {tried:#?}");
    let (command, variable) = match who {
        Who::Claude(_) => ("  claude\n", "ANTHROPIC_API_KEY"),
        Who::Codex => ("  codex login\n", "OPENAI_API_KEY"),
    };
    assert!(tried.stderr.contains(command), "{tried:#?}");
    let pass = format!("trueup config set agent.real.pass_env '[\"{variable}\"]'");
    assert!(tried.stderr.contains(&pass), "{tried:#?}");
}

#[test]
fn an_agent_that_is_refused_is_told_how_to_sign_in() {
    alone("asking::an_agent_that_is_refused_is_told_how_to_sign_in", || {
        for who in EVERYBODY {
            is_refused(who);
        }
    });
}

#[test]
fn an_agent_whose_limit_is_reached_is_told_when_that_ends() {
    alone("asking::an_agent_whose_limit_is_reached_is_told_when_that_ends", || {
        let limited = Reply::status(429).header("anthropic-ratelimit-unified-reset", "4102444800");
        let scene = Scene::new(EVERYBODY[0], always(&limited.header("retry-after", "3600")));
        let tried = scene.household.trueup(&["agent", "test"]);
        assert_eq!(tried.code, 7, "{tried:#?}");
        assert!(tried.stdout.contains("met a limit"), "{tried:#?}");
        assert!(tried.stderr.contains("A run"), "{tried:#?}");
    });
}

#[test]
fn a_program_that_is_missing_is_named_with_what_installs_it() {
    let scene = Scene::new(EVERYBODY[0], always(&Reply::text("ready")));
    scene.configure("[agent.gone]\nkind = \"codex\"\ncommand = [\"./nowhere/codex\"]");
    let tried = scene.household.trueup(&["agent", "test", "gone"]);
    assert_eq!(tried.code, 7, "{tried:#?}");
    assert!(tried.stdout.contains("could not be started"), "{tried:#?}");
    assert!(tried.stderr.contains("npm install -g @openai/codex"), "{tried:#?}");
    let listed = scene.household.json(&["agent", "list", "--json"]);
    assert_eq!(listed["agents"][0]["name"], "gone", "{listed:#}");
    assert!(listed["agents"][0]["program"].is_null(), "{listed:#}");
    let unknown = scene.household.trueup(&["agent", "test", "claude"]);
    assert_eq!(unknown.code, 7, "{unknown:#?}");
    assert!(
        unknown
            .stderr
            .contains("trueup config set agent.claude.kind claude-code"),
        "{unknown:#?}"
    );
}

#[test]
fn a_repository_that_is_not_trusted_has_no_program_started() {
    let scene = Scene::with(EVERYBODY[0], always(&Reply::text("ready")), |household| {
        household.with_variable("TRUEUP_TRUST", "0")
    });
    let tried = scene.household.trueup(&["agent", "test"]);
    assert_eq!(tried.code, 4, "{tried:#?}");
    let listed = scene.household.json(&["agent", "list", "--json"]);
    assert!(listed["agents"][0]["version"].is_null(), "{listed:#}");
}
