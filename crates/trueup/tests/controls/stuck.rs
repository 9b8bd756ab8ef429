//! An agent that brings nothing new: a person is asked early, told why, and
//! says how to go on.

use crate::place::{Ended, GOAL, GUARD, HONEST, command, python, task};

fn turns(ended: &Ended) -> usize {
    let events = ended.household.events("T-001");
    events.iter().filter(|event| event["type"] == "turn_ended").count()
}

/// Twenty turns may be taken, and none of them needs to be.
fn patient() -> String {
    task(&command(GOAL), &command(GUARD), 20, "")
}

fn is_stuck(ended: &Ended, what: &str) {
    assert_eq!(ended.run.code, 5, "{:#?}", ended.run);
    assert!(ended.run.stdout.contains(what), "{:#?}", ended.run);
    assert!(ended.run.stderr.contains("trueup answer T-001 -m"), "{:#?}", ended.run);
    assert!(turns(ended) <= 3, "{} turns", turns(ended));
    assert_eq!(ended.household.show("T-001")["outcome"], "stuck");
}

#[test]
fn an_idle_agent_is_asked_about_after_two_turns() {
    let ended = python(&patient(), "true\n");
    is_stuck(&ended, "the agent was told what is missing and changed nothing");
    assert_eq!(turns(&ended), 2);
    assert!(
        ended
            .run
            .stdout
            .contains("AC-1.1 `python3 -m unittest tests.test_total`: exit 1"),
        "{:#?}",
        ended.run
    );
}

#[test]
fn an_agent_that_stops_at_what_is_red_is_asked_about() {
    let ended = python(
        &patient(),
        "echo 'TOTAL = 0' >> price.py; sort -u -o price.py price.py\n",
    );
    is_stuck(&ended, "changed nothing");
}

#[test]
fn an_agent_that_goes_in_circles_is_asked_about() {
    let ended = python(&patient(), "echo \"TURN = $((TRUEUP_TURN % 2))\" > notes.py\n");
    is_stuck(&ended, "put the files back to what an earlier turn had left");
    assert_eq!(turns(&ended), 3);
}

#[test]
fn what_a_person_answers_is_told_to_the_agent_in_every_turn() {
    let agent = format!("if grep -q 'Use a plain sum' \"$TRUEUP_PROMPT_FILE\"; then\n{HONEST}\nfi\n");
    let ended = python(&patient(), &agent);
    is_stuck(&ended, "changed nothing");
    let answered = ended.household.trueup(&["answer", "T-001", "-m", "Use a plain sum."]);
    assert_eq!(answered.code, 0, "{answered:#?}");
    assert_eq!(ended.household.show("T-001")["outcome"], "verified");
    let said = ended.household.trueup(&["log", "T-001"]);
    assert!(said.stdout.contains("answered    Use a plain sum."), "{said:#?}");
}

#[test]
fn a_question_of_the_agents_is_answered() {
    let agent = format!(
        "if grep -q 'The first' \"$TRUEUP_PROMPT_FILE\"; then\n{HONEST}\nelse\n\
         echo '<phase_blocked>Which of the two?</phase_blocked>'\nfi\n"
    );
    let ended = python(&patient(), &agent);
    assert_eq!(ended.run.code, 4, "{:#?}", ended.run);
    assert!(ended.run.stdout.contains("Which of the two?"), "{:#?}", ended.run);
    assert!(ended.run.stderr.contains("trueup answer T-001 -m"), "{:#?}", ended.run);
    assert_eq!(turns(&ended), 1);
    let answered = ended.household.trueup(&["answer", "T-001", "-m", "The first."]);
    assert_eq!(answered.code, 0, "{answered:#?}");
}

/// Does the work, and tests nothing of it.
fn weak() -> String {
    let lax = HONEST.replace(
        "self.assertEqual(price.total([1, 2]), 3)",
        "self.assertTrue(price.total)",
    );
    format!("if [ $TRUEUP_TURN = 1 ]; then\n{lax}\nfi\n")
}

#[test]
fn weak_proof_is_waived_with_a_reason_and_never_called_verified() {
    let ended = python(&patient(), &weak());
    is_stuck(&ended, "this check proves nothing yet");
    assert!(ended.run.stderr.contains("trueup waive T-001 -m"), "{:#?}", ended.run);
    let why = "The sum is trivial.";
    let waived = ended.household.trueup(&["waive", "T-001", "-m", why]);
    assert_eq!(waived.code, 9, "{waived:#?}");
    assert!(waived.stdout.contains("verified but waived"), "{waived:#?}");
    let shown = ended.household.trueup(&["show", "T-001"]);
    assert!(shown.stdout.contains(&format!("waived: {why}")), "{shown:#?}");
    let show = ended.household.show("T-001");
    assert_eq!(
        (show["outcome"].as_str(), show["waiver"].as_str()),
        (Some("verified_but_waived"), Some(why))
    );
    let message = ended.household.git(&["log", "-1", "--format=%B", "trueup/T-001"]);
    assert!(message.contains(&format!("Waived: {why}")), "{message}");
}

#[test]
fn what_is_red_is_never_waived() {
    let ended = python(&patient(), "true\n");
    let refused = ended.household.trueup(&["waive", "T-001", "-m", "It will do."]);
    assert_eq!(refused.code, 10, "{refused:#?}");
    assert!(
        refused.stderr.contains("only a weak proof can be waived"),
        "{refused:#?}"
    );
    assert_eq!(ended.household.show("T-001")["outcome"], "stuck");
}

#[test]
fn a_resumed_run_checks_its_tree_again_before_it_takes_a_turn() {
    let ended = python(&patient(), "echo 'ROUND = 1' > round.py\n");
    is_stuck(&ended, "changed nothing");
    let before = turns(&ended);
    let resumed = ended.household.trueup(&["resume", "T-001"]);
    assert_eq!(resumed.code, 5, "{resumed:#?}");
    let events = ended.household.events("T-001");
    let checked = events.iter().filter(|event| event["type"] == "checked").count();
    assert_eq!((turns(&ended), checked), (before + 1, 3));
}

#[test]
fn a_goal_that_is_red_for_the_environment_is_said_to_be_before_any_turn() {
    let goal = "bash -c 'cd tests && echo begun && python3 -c \"import price\"'";
    let household = crate::place::prices(&task(&command(goal), &command(GUARD), 20, ""), "true\n");
    let checked = household.trueup(&["check", "T-001"]);
    assert_eq!(checked.code, 3, "it is not ready: {checked:#?}");
    assert!(
        checked.stdout.contains("ModuleNotFoundError: No module named 'price'"),
        "{checked:#?}"
    );
    let hints = [
        "the goal is red, but for the environment and not for missing work",
        "looks like the environment, not missing work: `price` is in the tree",
    ];
    assert!(hints.iter().all(|hint| checked.stdout.contains(hint)), "{checked:#?}");
    assert!(
        !checked.stdout.contains("      begun\n"),
        "only the end is shown: {checked:#?}"
    );
    let whole = household.trueup(&["check", "T-001", "-v"]);
    assert!(whole.stdout.contains("      begun\n"), "all of it is shown: {whole:#?}");
    assert_eq!(whole.stderr, checked.stderr, "and no log beside it");
    let document = household.json(&["check", "T-001", "--json"]);
    assert_eq!(
        document["tasks"][0]["environment"][0]["check"], "AC-1.1",
        "{document:#}"
    );
}
