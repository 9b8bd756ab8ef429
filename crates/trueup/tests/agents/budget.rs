//! What a task may cost: a run stops within a turn of it, says so, and goes on
//! only when a person gives it more.

use super::scene::{DESCRIBE, GREET, Scene, Who};
use trueup_testkit::{
    alone::alone,
    model_server::{Reply, Usage},
};

const CLAUDE: Who = Who::Claude("2.1.325");

/// A request that costs about two cents.
const TWO_CENTS: Usage = Usage::of(4_000, 533);

/// The first turn stays below five cents; the second goes beyond them with
/// its first request; the last one does what is left.
fn three_turns() -> [Reply; 5] {
    [
        CLAUDE.shell(GREET).usage(TWO_CENTS),
        Reply::text("It greets by name.").usage(TWO_CENTS),
        CLAUDE.shell("echo later > notes.txt").usage(TWO_CENTS),
        CLAUDE.shell(DESCRIBE).usage(TWO_CENTS),
        Reply::text("The README says it, too.").usage(TWO_CENTS),
    ]
}

/// Dollars behind the word `cost`, as `show` prints them to a person.
fn shown_dollars(scene: &Scene) -> f64 {
    let shown = scene.household.trueup(&["show", "T-001"]).stdout;
    let line = shown.lines().find(|line| line.contains(" tokens · $"));
    let line = line.unwrap_or_else(|| panic!("no money is shown:\n{shown}"));
    let (_, dollars) = line.split_once('$').expect("dollars");
    dollars.trim().parse().expect("a number")
}

#[test]
fn a_spent_budget_stops_within_a_turn_and_goes_on_when_it_is_raised() {
    let name = "budget::a_spent_budget_stops_within_a_turn_and_goes_on_when_it_is_raised";
    alone(name, || {
        let scene = Scene::new(CLAUDE, three_turns());
        scene.budget("budget: {usd: 0.05}");
        let stopped = scene.household.trueup(&["run", "T-001"]);
        assert_eq!(stopped.code, 6, "{stopped:#?}\n{:#?}", scene.endings());
        assert_eq!(scene.household.show("T-001")["turns"], 2, "{:#?}", scene.endings());
        let asked = scene.asked().len();
        assert_eq!(asked, 3, "it stopped with the request that went beyond");
        let spent = shown_dollars(&scene);
        assert!((0.05..0.075).contains(&spent), "${spent}");

        let again = scene.household.trueup(&["resume", "T-001"]);
        assert_eq!(again.code, 6, "{again:#?}");
        let told = format!("{}{}", again.stdout, again.stderr);
        assert!(told.contains("raise `budget:` in tasks/T-001.md"), "{told}");
        assert_eq!(scene.asked().len(), asked, "nothing was asked meanwhile");

        scene.budget("budget: {usd: 1}");
        let ended = scene.household.trueup(&["resume", "T-001"]);
        assert_eq!(ended.code, 0, "{ended:#?}\n{:#?}", scene.endings());
        let shown = scene.household.show("T-001");
        assert_eq!(shown["turns"], 3, "{shown}");
        assert_eq!(shown["spent"]["money"]["basis"], "provider", "{shown}");
        assert!(shown_dollars(&scene) > spent);
    });
}

#[test]
fn a_limit_in_money_is_refused_where_the_agent_tells_no_money() {
    let name = "budget::a_limit_in_money_is_refused_where_the_agent_tells_no_money";
    alone(name, || {
        let scene = Scene::new(Who::Codex, [Reply::text("It is never asked.")]);
        scene.budget("budget: {usd: 0.05}");
        let refused = scene.household.trueup(&["run", "T-001"]);
        assert_eq!(refused.code, 3, "{refused:#?}");
        assert!(
            refused.stdout.contains("does not say what money it costs"),
            "{}",
            refused.stdout
        );
        assert!(scene.asked().is_empty(), "no agent was started");
    });
}

#[test]
fn a_limit_in_tokens_is_kept_where_the_agent_tells_no_money() {
    let name = "budget::a_limit_in_tokens_is_kept_where_the_agent_tells_no_money";
    alone(name, || {
        let codex = Who::Codex;
        let scene = Scene::new(
            codex,
            [
                codex.shell(GREET).usage(TWO_CENTS),
                Reply::text("It greets by name.").usage(TWO_CENTS),
                codex.shell(DESCRIBE),
            ],
        );
        scene.budget("budget: {tokens: 6000}");
        let stopped = scene.household.trueup(&["run", "T-001"]);
        assert_eq!(stopped.code, 6, "{stopped:#?}\n{:#?}", scene.endings());
        assert_eq!(scene.household.show("T-001")["turns"], 1, "{:#?}", scene.endings());
        // What nobody told is not called nothing.
        let shown = scene.household.trueup(&["show", "T-001"]).stdout;
        assert!(shown.contains("money unknown"), "{shown}");
        assert!(scene.household.show("T-001")["spent"]["money"].is_null());
    });
}
