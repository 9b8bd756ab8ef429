//! One turn of every kind, on which a person's template is tried.

use super::context::{
    ChangedFile, Context, CriterionView, DecisionView, FailureView, FileFindings, OutputView, PastTurns, PastView,
};

/// What there is to tell of the time before a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    Turns,
    AnotherApproach,
    AnotherSession,
}

/// Every variable a template may use.
pub(super) const VARIABLES: [&str; 24] = [
    "TASK_ID",
    "TASK_TITLE",
    "TASK_DESCRIPTION",
    "PHASE",
    "WEIGHT",
    "ITERATION",
    "RETRY_CONTEXT",
    "REQUIRES_UI_TESTING",
    "SCREENSHOT_DIR",
    "TEST_RESULTS",
    "rights",
    "rung",
    "approach",
    "tried",
    "turn_limit",
    "criteria",
    "unmet",
    "failures",
    "findings",
    "last",
    "so_far",
    "changed",
    "changed_more",
    "rescue",
];

/// Every field of what the variables hold, and of a loop.
pub(super) const FIELDS: [&str; 33] = [
    "id",
    "text",
    "standing",
    "checks",
    "criterion",
    "check",
    "saw",
    "outputs",
    "name",
    "fence",
    "cut_bytes",
    "whole",
    "missing",
    "path",
    "what",
    "turns",
    "decisions",
    "completed",
    "turn",
    "ending",
    "says",
    "summary",
    "unmet",
    "question",
    "answer",
    "reason",
    "added",
    "removed",
    "index",
    "index0",
    "first",
    "last",
    "length",
];

/// A first turn, one after a failure, one whose memory gets full, one that
/// tries another approach, one that looks closer, one that takes over, one whose earlier try was broken off, and one of each phase.
pub(super) fn turns() -> Vec<(Context, Before)> {
    let first = first();
    let retry = Context {
        last: Some(past()),
        findings: vec![FileFindings {
            path: "src/lib.rs".into(),
            what: vec!["it is a link that leads out of the repository".into()],
        }],
        ..first.clone()
    };
    let told_again = Context {
        so_far: Some(PastTurns {
            turns: vec![past()],
            decisions: vec![DecisionView {
                question: "Where does the parser live?".into(),
                answer: "in its own file".into(),
                reason: "it is tested alone".into(),
            }],
            completed: vec!["research".into()],
        }),
        changed: vec![ChangedFile {
            path: "src/lib.rs".into(),
            added: 3,
            removed: 1,
        }],
        ..retry.clone()
    };
    let empty = Context {
        task_description: String::new(),
        failures: Vec::new(),
        ..first.clone()
    };
    let broken_off = Context {
        rescue: Some("refs/trueup/rescue"),
        requires_ui_testing: true,
        ..first.clone()
    };
    let tests = Context {
        phase: "tests".into(),
        rights: "tests",
        ..first.clone()
    };
    let work = Context {
        rights: "code",
        ..retry.clone()
    };
    let polish = Context {
        phase: "refactor".into(),
        failures: Vec::new(),
        unmet: Vec::new(),
        ..work.clone()
    };
    vec![
        (first, Before::Nothing),
        (empty, Before::Nothing),
        (broken_off, Before::Nothing),
        (retry, Before::Turns),
        (told_again.clone(), Before::Turns),
        (told_again.clone(), Before::AnotherSession),
        (pivot(&told_again), Before::AnotherApproach),
        (research(&told_again), Before::AnotherApproach),
        (tests, Before::Nothing),
        (work, Before::Turns),
        (polish, Before::Turns),
    ]
}

/// The same where another approach is tried.
fn pivot(told_again: &Context) -> Context {
    Context {
        rung: "pivot",
        approach: Some("Do without it."),
        tried: vec!["Look at the definition."],
        ..told_again.clone()
    }
}

/// The same where the agent has to look closer.
fn research(told_again: &Context) -> Context {
    Context {
        rung: "research",
        approach: None,
        ..pivot(told_again)
    }
}

fn first() -> Context {
    Context {
        task_id: "T-001".into(),
        task_title: "Say hello".into(),
        task_description: "The program greets.".into(),
        phase: "implement".into(),
        rights: "all",
        rung: "first",
        weight: "small",
        iteration: 2,
        test_results: "AC-1.1: failed with exit code 1".into(),
        turn_limit: 20,
        criteria: vec![CriterionView {
            id: "AC-1".into(),
            text: "It greets.".into(),
            standing: "not met",
            checks: vec!["`make greet`".into()],
        }],
        unmet: vec!["AC-1".into()],
        failures: vec![FailureView {
            criterion: "AC-1".into(),
            check: "AC-1.1".into(),
            saw: "failed with exit code 1".into(),
            outputs: vec![
                OutputView {
                    name: "stdout",
                    text: "no greeting".into(),
                    fence: "```".into(),
                    cut_bytes: 12,
                    whole: Some("/run/trueup/output/AC-1.1.stdout.txt".into()),
                    missing: None,
                },
                OutputView {
                    name: "stderr",
                    missing: Some("body erased".into()),
                    ..OutputView::default()
                },
            ],
        }],
        ..Context::default()
    }
}

fn past() -> PastView {
    PastView {
        turn: 1,
        ending: "ended by itself".into(),
        says: Some("all is done".into()),
        summary: "I wrote the greeting.".into(),
        unmet: vec!["AC-1".into()],
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, VARIABLES, turns};
    use serde_json::Value;
    use std::collections::BTreeSet;

    /// Every name of a field below this value.
    fn fields(value: &Value, into: &mut BTreeSet<String>) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    into.insert(name.clone());
                    fields(value, into);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| fields(item, into)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[test]
    fn every_variable_and_field_is_known_by_name() {
        let mut below = BTreeSet::new();
        for (context, _) in turns() {
            let value = serde_json::to_value(&context).expect("data");
            let variables = value.as_object().expect("an object");
            let named: BTreeSet<&str> = variables.keys().map(String::as_str).collect();
            assert_eq!(named, VARIABLES.into_iter().collect());
            variables.values().for_each(|value| fields(value, &mut below));
        }
        let unknown: Vec<&String> = below.iter().filter(|name| !FIELDS.contains(&name.as_str())).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
