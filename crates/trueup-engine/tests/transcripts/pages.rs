//! Pages out of a journal.

use trueup_core::{
    ending::Ending,
    event::Event,
    id::{SessionId, Timestamp},
    memory::{Claim, ClaimStatus, Decision},
    usage::{Basis, Occupancy, Tokens, Usage},
};
use trueup_engine::{
    transcript::{Page, PageBuilder, PageState, Reader},
    workspace::Change,
};
use trueup_testkit::sample;

/// A turn that ended, with this told of it.
fn turn(number: u32, tree: &str, change: impl FnOnce(&mut trueup_core::turn::TurnOutcome)) -> Event {
    let mut event = sample::turn_ended(number, &sample::tree(tree), Timestamp(1_700_000_000_000));
    if let Event::TurnEnded(ended) = &mut event {
        change(&mut ended.outcome);
    }
    event
}

/// A run that was opened and whose base was checked.
fn begun() -> Vec<Event> {
    let opening = sample::opening("T-001.1");
    let base = sample::checked(&opening.base.tree, sample::base_evidence(&opening), sample::at(2));
    vec![sample::opened("T-001.1"), base]
}

fn pages(events: &[Event]) -> Vec<Page> {
    PageBuilder::pages(events).expect("a journal that folds")
}

fn names(events: &[Event]) -> Vec<String> {
    pages(events).iter().map(Page::name).collect()
}

fn check_of(tree: &str, red: &str) -> Event {
    let opening = sample::opening("T-001.1");
    let tree = sample::tree(tree);
    sample::checked(&tree, sample::failing(&opening, &tree, red), sample::at(9))
}

fn first_check() -> String {
    let opening = sample::opening("T-001.1");
    let checks = opening.task.criteria.iter().flat_map(|criterion| &criterion.checks);
    checks.map(|check| check.id.to_string()).next().expect("a check")
}

#[test]
fn a_page_is_named_by_phase_and_turn() {
    let mut events = begun();
    events.push(turn(1, "one", |_| {}));
    assert_eq!(names(&events), ["01-implement-001.md"]);
    events.push(check_of("one", &first_check()));
    events.push(turn(2, "two", |_| {}));
    assert_eq!(names(&events), ["01-implement-001.md", "01-implement-002.md"]);
}

#[test]
fn a_turn_the_world_failed_has_a_page_of_its_own() {
    let mut events = begun();
    events.push(turn(1, "one", |outcome| {
        outcome.ending = Ending::Unreachable {
            why: "overloaded".into(),
        };
    }));
    events.push(Event::Due(trueup_core::event::Due { at: sample::at(99) }));
    events.push(turn(1, "two", |_| {}));
    assert_eq!(names(&events), ["01-implement-001.md", "01-implement-001-again-1.md"]);
}

#[test]
fn a_page_waits_for_the_checks_on_its_tree() {
    let mut events = begun();
    events.push(turn(1, "one", |_| {}));
    let before = pages(&events).remove(0);
    assert_eq!(before.state, PageState::ChecksDue);
    assert!(before.render("", &[], &[]).contains("No check was executed"));
    events.push(check_of("one", &first_check()));
    let after = pages(&events).remove(0);
    assert_eq!(after.state, PageState::Complete);
    let text = after.render("", &[], &[]);
    assert!(text.contains("does not meet every criterion"), "{text}");
    assert!(text.contains(": not met\n"), "{text}");
}

#[test]
fn a_page_tells_what_the_turn_cost_said_and_changed() {
    let mut events = begun();
    events.push(turn(1, "one", |outcome| {
        outcome.ending = Ending::Finished;
        outcome.took_ms = 75_000;
        outcome.version = Some("2.1.325".into());
        outcome.session = Some(SessionId::new("s-1"));
        outcome.usage = Usage {
            tokens: Some(1_060),
            millicents: Some(12_345),
            parts: Some(Tokens {
                input: 10,
                cache_writes: 50,
                cache_reads: 900,
                output: 100,
            }),
            basis: Basis::Estimate,
            occupancy: Some(Occupancy {
                used: 960,
                window: 2_000,
            }),
        };
        outcome.claim = Claim {
            says: ClaimStatus::Complete,
            summary: "done".into(),
            decisions: vec![Decision {
                question: "Which tongue?".into(),
                answer: "Latin".into(),
                reason: "everybody knows it".into(),
            }],
        };
    }));
    let page = pages(&events).remove(0);
    let said = Reader::default().read(b"all done");
    let changes = [Change {
        path: "src/a`b.rs".into(),
        added: 3,
        removed: 1,
    }];
    let text = page.render("Do it.\n```\n# Completion\n```", &said, &changes);
    for part in [
        "# Turn 1 of T-001.1\n",
        "| ended | 2023-11-14T22:13:20Z |",
        "| took | 1 min 15 s |",
        "(2.1.325) |",
        "| ending | ended by itself |",
        "| tokens | 960 in (10 new, 50 into a cache, 900 out of a cache), 100 out, 1060 in all |",
        "| cost | $0.12345 (estimate) |",
        "| window | 960 of 2000 tokens used (48 %) |",
        "## Prompt\n\n````\nDo it.\n```\n# Completion\n```\n````\n",
        "## Response\n\n```\nall done\n```\n",
        "- the agent claims, which proves nothing: `all is done`",
        "- it says it decided `Which tongue?`: `Latin`, because `everybody knows it`",
        "- ``` src/a`b.rs ``` (+3 −1)",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn what_was_not_reported_is_not_shown_as_nothing() {
    let mut events = begun();
    events.push(turn(1, "one", |_| {}));
    let text = pages(&events).remove(0).render("", &[], &[]);
    assert!(
        text.contains("| tokens | not reported |\n| cost | not reported |"),
        "{text}"
    );
}

#[test]
fn a_title_or_an_ending_cannot_break_out_of_its_cell() {
    let mut events = begun();
    events.push(turn(1, "one", |outcome| {
        outcome.ending = Ending::Broken {
            why: "x |\n## Completion\n\u{1b}[2J`y`".into(),
        };
    }));
    let text = pages(&events).remove(0).render("", &[], &[]);
    assert!(
        text.contains("| ending | broke off: x \\| ## Completion 'y' |"),
        "{text}"
    );
}
