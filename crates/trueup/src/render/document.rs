//! The JSON a program reads. Every document carries its version; keys are
//! only ever added.

use super::{cost, json, words};
use crate::{
    commands::views::{Examined, RunView, TaskCheck},
    exit::Failure,
};
use serde_json::{Value, json as object};
use trueup_core::{
    criterion::{Criterion, Role},
    digest::Digest,
    event::Event,
    evidence::{CheckOutcome, Evidence, Isolation},
    gate::Baseline,
    id::TreeId,
    report::Reported,
    run::{Outcome, Position, Reason},
    task::Task,
};

const VERSION: u32 = 1;

/// One event of a stream.
pub(super) fn event(seq: usize, event: &Event) -> Value {
    let mut document = object!({ "v": VERSION, "seq": seq, "ts": event.at() });
    if let (Value::Object(document), Ok(Value::Object(body))) = (&mut document, serde_json::to_value(event)) {
        document.extend(body);
    }
    document
}

/// What `show --json` prints.
pub(crate) fn show_json(shown: &RunView) -> Result<(), Failure> {
    let report = &shown.report;
    let evidence = || report.criteria.iter().flat_map(|reported| &reported.evidence);
    json(&object!({
        "v": VERSION,
        "task": report.task,
        "title": report.title,
        "run": report.run,
        "outcome": words::outcome(&report.position),
        "fate": shown.fate,
        "last_run": shown.last,
        "refusals": refusals(&report.position),
        "waits_for": waits_for(&report.position),
        "isolated": report.isolation == Isolation::Bubblewrap,
        "isolation": report.isolation,
        "self_tested": report.self_tested,
        "valid": evidence().next().is_some() && evidence().all(|evidence| shown.is_valid(evidence)),
        "tree": report.tree,
        "commit": report.commit,
        "branch": report.branch,
        "turns": report.turns,
        "turn_limit": report.turn_limit,
        "spent": cost::document(&report.spend),
        "time": shown.time,
        "criteria": report.criteria.iter().map(|reported| criterion(reported, shown)).collect::<Vec<_>>(),
        "objections": report.objections,
        "waiver": report.waiver,
    }))
}

/// Why a run was refused, if it was.
pub(super) fn refusals(position: &Position) -> Value {
    match position {
        Position::Done(Outcome::Refused(refusals)) => object!(refusals),
        Position::Done(_) | Position::Working(_) | Position::Paused(..) => object!([]),
    }
}

/// How much space a run waits for, if it does.
pub(super) fn waits_for(position: &Position) -> Value {
    match position {
        Position::Paused(_, Reason::NoSpace(shortage)) => object!(shortage),
        Position::Paused(..) | Position::Done(_) | Position::Working(_) => Value::Null,
    }
}

fn criterion(reported: &Reported, shown: &RunView) -> Value {
    let on_base = reported.base.iter().map(|evidence| &evidence.saw);
    object!({
        "id": reported.criterion.id,
        "text": reported.criterion.text,
        "kind": kind(&reported.criterion),
        "verdict": reported.standing,
        "base": { "verdict": base_verdict(on_base) },
        "checks": reported.judged,
        "evidence": reported.evidence.iter().map(|seen| {
            let mut document = evidence(seen);
            if let Value::Object(document) = &mut document {
                document.insert("valid".into(), shown.is_valid(seen).into());
                for (name, body) in [("stdout", &seen.stdout), ("stderr", &seen.stderr)] {
                    let erased = body.bytes > 0 && !shown.blobs.has(&body.digest);
                    if let Some(Value::Object(document)) = document.get_mut(name) {
                        document.insert("erased".into(), erased.into());
                    }
                }
            }
            document
        }).collect::<Vec<_>>(),
    })
}

/// A criterion with any goal is a goal: it has to change colour.
fn kind(criterion: &Criterion) -> &'static str {
    if criterion.checks.iter().any(|check| check.role == Role::Goal) {
        "goal"
    } else {
        "guard"
    }
}

fn base_verdict<'a>(seen: impl Iterator<Item = &'a CheckOutcome>) -> &'static str {
    let mut verdict = "unknown";
    for saw in seen {
        match saw {
            CheckOutcome::CannotRun { .. } => return "not_executed",
            CheckOutcome::Failed { .. } | CheckOutcome::TimedOut => verdict = "red",
            CheckOutcome::Passed if verdict == "unknown" => verdict = "green",
            CheckOutcome::Passed => {}
        }
    }
    verdict
}

fn evidence(evidence: &Evidence) -> Value {
    let body = |body: &trueup_core::evidence::Body| object!({ "digest": body.digest, "bytes": body.bytes });
    object!({
        "check": evidence.check,
        "argv": evidence.binding.argv,
        "tree": evidence.binding.tree,
        "saw": evidence.saw,
        "exit": exit(evidence),
        "warmth": evidence.conditions.warmth,
        "layers": evidence.conditions.layers,
        "stdout": body(&evidence.stdout),
        "stderr": body(&evidence.stderr),
        "duration_ms": evidence.took_ms,
        "sandbox": evidence.conditions.isolation,
        "network": evidence.conditions.network,
        "sockets": evidence.conditions.sockets,
        "key": evidence.key,
        "tally": evidence.tally,
        "because": evidence.because,
        "runs": evidence.runs,
    })
}

/// The exit code, where a program ended with one.
pub(super) fn exit(evidence: &Evidence) -> Option<i32> {
    match (&evidence.saw, evidence.conditions.isolation) {
        (CheckOutcome::Passed, Isolation::Bubblewrap | Isolation::Outer | Isolation::None) => Some(0),
        (CheckOutcome::Failed { exit, .. }, _) => *exit,
        (CheckOutcome::Passed, Isolation::Engine) | (CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. }, _) => {
            None
        }
    }
}

/// What `check --json` prints.
pub(crate) fn check_json(answers: &[(String, TaskCheck)]) -> Result<(), Failure> {
    let tasks = answers.iter().map(|(file, answer)| {
        let (baseline, refusals) = match &answer.baseline {
            Baseline::Ready => ("ready", object!([])),
            Baseline::NothingToDo => ("nothing_to_do", object!([])),
            Baseline::Refused(refusals) => ("refused", object!(refusals)),
        };
        object!({
            "file": file,
            "task": answer.task.as_ref().map(|task| task.id.clone()),
            "baseline": baseline,
            "refusals": refusals,
            "filled_in": answer.filled_in.iter().map(|formality| {
                object!({ "line": formality.line, "read_as": formality.read_as })
            }).collect::<Vec<_>>(),
            "evidence": answer.evidence.iter().map(evidence).collect::<Vec<_>>(),
            "controls": answer.controls,
            "doubts": answer.doubts,
            "questions": answer.questions,
            "suggestion": answer.suggestion,
            "environment": answer.red.iter().filter_map(|red| {
                let lacks = red.lacks.as_ref()?;
                Some(object!({ "check": red.check, "lacks": lacks }))
            }).collect::<Vec<_>>(),
        })
    });
    json(&object!({ "v": VERSION, "tasks": tasks.collect::<Vec<_>>() }))
}

/// What `verify --json` prints.
pub(crate) fn verify_json(task: &Task, revision: &str, tree: &TreeId, seen: &[Evidence]) -> Result<(), Failure> {
    json(&object!({
        "v": VERSION,
        "task": task.id,
        "revision": revision,
        "tree": tree,
        "passed": !seen.is_empty() && seen.iter().all(Evidence::passed),
        "isolated": words::weakest(seen) == Isolation::Bubblewrap,
        "isolation": words::weakest(seen),
        "evidence": seen.iter().map(evidence).collect::<Vec<_>>(),
    }))
}

/// What `log --turn N --json` and `log --blob DIGEST --json` print; `None` is
/// a body that was erased.
pub(crate) fn body_json(digest: &Digest, bytes: Option<&[u8]>) -> Result<(), Failure> {
    let text = bytes.map(String::from_utf8_lossy);
    json(&object!({ "v": VERSION, "digest": digest, "erased": text.is_none(), "text": text }))
}

/// What `doctor --json` prints.
pub(crate) fn doctor_json(examined: &[Examined]) -> Result<(), Failure> {
    let all = examined.iter().map(|examined| {
        let (well, text) = match &examined.state {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        object!({ "what": examined.what, "ok": well, "state": text })
    });
    json(&object!({ "v": VERSION, "examined": all.collect::<Vec<_>>() }))
}
