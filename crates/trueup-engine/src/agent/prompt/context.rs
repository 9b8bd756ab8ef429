//! Everything a template may use, as data. What an agent may be told was
//! decided by the core; the bodies behind the evidence are read here.

use super::input::{PromptInput, Rescued, ShownOutput};
use crate::{
    sandbox::ReadOnlyMount,
    transcript::{
        plain,
        words::{ending, fence, last_characters, one_line, saw, says, standing},
    },
    workspace::Change,
};
use serde::Serialize;
use std::{io, path::PathBuf};
use trueup_core::{
    approach::Approach,
    evidence::{Body, Evidence},
    gate::Standing,
    ladder::Rung,
    memory::{Recap, RecapReason, TurnSummary},
    phase::Rights,
    task::Size,
    turn::{Brief, CriterionBrief, Finding},
};

/// How many characters of a failing check's output an agent is told.
const TOLD_CHARACTERS: usize = 1500;

/// The same where the agent's memory gets full.
const TOLD_IN_SHORT: usize = 300;

/// How many changed files are named.
const NAMED_FILES: usize = 100;

/// Where the whole outputs lie inside the sandbox.
const OUTPUT: &str = "/run/trueup/output";

/// The ref under which an agent finds what a broken-off try left.
const RESCUE: &str = "refs/trueup/rescue";

/// Every variable of the templates.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct Context {
    pub(super) task_id: String,
    pub(super) task_title: String,
    pub(super) task_description: String,
    pub(super) phase: String,
    pub(super) weight: &'static str,
    pub(super) iteration: u32,
    pub(super) retry_context: String,
    pub(super) requires_ui_testing: bool,
    pub(super) screenshot_dir: String,
    pub(super) test_results: String,
    #[serde(rename = "rights")]
    pub(super) rights: &'static str,
    #[serde(rename = "rung")]
    pub(super) rung: &'static str,
    #[serde(rename = "approach")]
    pub(super) approach: Option<&'static str>,
    #[serde(rename = "tried")]
    pub(super) tried: Vec<&'static str>,
    #[serde(rename = "turn_limit")]
    pub(super) turn_limit: u32,
    #[serde(rename = "criteria")]
    pub(super) criteria: Vec<CriterionView>,
    #[serde(rename = "unmet")]
    pub(super) unmet: Vec<String>,
    #[serde(rename = "failures")]
    pub(super) failures: Vec<FailureView>,
    #[serde(rename = "findings")]
    pub(super) findings: Vec<FileFindings>,
    #[serde(rename = "last")]
    pub(super) last: Option<PastView>,
    #[serde(rename = "so_far")]
    pub(super) so_far: Option<PastTurns>,
    #[serde(rename = "changed")]
    pub(super) changed: Vec<ChangedFile>,
    #[serde(rename = "changed_more")]
    pub(super) changed_more: usize,
    #[serde(rename = "rescue")]
    pub(super) rescue: Option<&'static str>,
}

/// A criterion.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CriterionView {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) standing: &'static str,
    pub(super) checks: Vec<String>,
}

/// A check that failed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FailureView {
    pub(super) criterion: String,
    pub(super) check: String,
    pub(super) saw: String,
    pub(super) outputs: Vec<OutputView>,
}

/// What a check printed on one stream.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct OutputView {
    pub(super) name: &'static str,
    pub(super) text: String,
    pub(super) fence: String,
    pub(super) cut_bytes: u64,
    pub(super) whole: Option<String>,
    pub(super) missing: Option<String>,
}

/// What was wrong with one file.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FileFindings {
    pub(super) path: String,
    pub(super) what: Vec<String>,
}

/// The turns before.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PastTurns {
    pub(super) turns: Vec<PastView>,
    pub(super) decisions: Vec<DecisionView>,
    pub(super) completed: Vec<String>,
}

/// One turn that ended.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PastView {
    pub(super) turn: u32,
    pub(super) ending: String,
    pub(super) says: Option<String>,
    pub(super) summary: String,
    pub(super) unmet: Vec<String>,
}

/// A choice.
#[derive(Clone, Debug, Serialize)]
pub(super) struct DecisionView {
    pub(super) question: String,
    pub(super) answer: String,
    pub(super) reason: String,
}

/// A file that differs from the base.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    pub(super) added: u32,
    pub(super) removed: u32,
}

impl Context {
    /// What may be told of a turn, and the outputs that lie ready for the agent.
    pub(super) fn of(brief: &Brief, input: &PromptInput<'_>) -> (Self, Vec<ShownOutput>) {
        let mut shown = Vec::new();
        let most = match &brief.so_far {
            Some(so_far) => match so_far.why {
                RecapReason::Compressed => TOLD_IN_SHORT,
                RecapReason::HandedOver | RecapReason::BegunAnew => TOLD_CHARACTERS,
            },
            None => TOLD_CHARACTERS,
        };
        let failing = brief.criteria.iter().flat_map(|told| &told.failures);
        let failures: Vec<FailureView> = failing
            .map(|evidence| failure(evidence, most, input, &mut shown))
            .collect();
        let seen = failures
            .iter()
            .map(|failure| format!("{}: {}", failure.check, failure.saw));
        let unmet = brief
            .criteria
            .iter()
            .filter(|told| !matches!(told.standing, Standing::Met | Standing::Asked));
        let named = input.changed.iter().take(NAMED_FILES);
        let context = Self {
            task_id: brief.task.to_string(),
            task_title: brief.title.clone(),
            task_description: brief.text.clone(),
            phase: brief.phase.clone(),
            rights: rights(brief.rights),
            weight: weight(brief.size),
            iteration: brief.turn,
            test_results: seen.collect::<Vec<_>>().join("\n"),
            rung: rung(brief.rung),
            approach: brief.approach.as_deref().and_then(says_of),
            tried: brief.tried.iter().filter_map(|id| says_of(id)).collect(),
            turn_limit: brief.turn_limit,
            criteria: brief.criteria.iter().map(criterion).collect(),
            unmet: unmet.map(|told| told.id.to_string()).collect(),
            failures,
            findings: by_file(&brief.findings),
            last: brief.last.as_ref().map(past),
            so_far: brief.so_far.as_ref().map(story),
            changed: named.map(changed).collect(),
            changed_more: input.changed.len().saturating_sub(NAMED_FILES),
            rescue: match input.rescued {
                Rescued::Yes => Some(RESCUE),
                Rescued::No => None,
            },
            ..Self::default()
        };
        (context, shown)
    }
}

/// A size, as task files write it.
const fn weight(size: Size) -> &'static str {
    match size {
        Size::Trivial => "trivial",
        Size::Small => "small",
        Size::Medium => "medium",
        Size::Large => "large",
        Size::Greenfield => "greenfield",
    }
}

/// Why the turn is taken, as templates ask for it.
const fn rung(rung: Rung) -> &'static str {
    match rung {
        Rung::First => "first",
        Rung::Retry => "retry",
        Rung::Pivot => "pivot",
        Rung::Research => "research",
    }
}

/// What an approach says, by its name; one of another version says nothing.
fn says_of(id: &str) -> Option<&'static str> {
    Approach::called(id).map(|approach| approach.says)
}

/// What may be changed, as templates ask for it.
const fn rights(rights: Rights) -> &'static str {
    match rights {
        Rights::All => "all",
        Rights::Tests => "tests",
        Rights::Code => "code",
    }
}

fn criterion(told: &CriterionBrief) -> CriterionView {
    CriterionView {
        id: told.id.to_string(),
        text: told.text.clone(),
        standing: standing(told.standing),
        checks: told.checks.clone(),
    }
}

fn failure(evidence: &Evidence, most: usize, input: &PromptInput<'_>, shown: &mut Vec<ShownOutput>) -> FailureView {
    let streams = [("stdout", &evidence.stdout), ("stderr", &evidence.stderr)];
    let outputs = streams
        .into_iter()
        .filter(|(_, body)| body.bytes > 0)
        .map(|(name, body)| {
            let mut output = output(name, body, most, input);
            if output.cut_bytes > 0 {
                let laid = laid(evidence, name, body, input);
                output.whole = Some((input.seen_at)(&laid).display().to_string());
                shown.push(ShownOutput {
                    body: body.digest.clone(),
                    laid,
                });
            }
            output
        })
        .collect();
    FailureView {
        criterion: evidence.criterion.to_string(),
        check: evidence.check.to_string(),
        saw: saw(&evidence.saw),
        outputs,
    }
}

fn output(name: &'static str, body: &Body, most: usize, input: &PromptInput<'_>) -> OutputView {
    let missing = |why: String| OutputView {
        name,
        missing: Some(why),
        ..OutputView::default()
    };
    let bytes = match input.blobs.get(&body.digest) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return missing("body erased".into()),
        Err(error) => return missing(format!("cannot be read: {error}")),
    };
    let whole = plain(&bytes);
    let whole = whole.trim_end();
    let tail = last_characters(whole, most);
    // What the program printed beyond what is kept is missing, too.
    let not_kept = body.bytes.saturating_sub(bytes.len() as u64);
    OutputView {
        name,
        text: tail.to_owned(),
        fence: fence(tail),
        cut_bytes: (whole.len() - tail.len()) as u64 + not_kept,
        ..OutputView::default()
    }
}

/// The body as a file, under its digest.
fn laid(evidence: &Evidence, name: &str, body: &Body, input: &PromptInput<'_>) -> ReadOnlyMount {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let check = evidence.check.as_str().replace(|c| !is_plain(c), "_");
    ReadOnlyMount {
        host: input.outputs.join(body.digest.as_str()),
        inner: PathBuf::from(OUTPUT).join(format!("{check}.{name}.txt")),
    }
}

fn by_file(findings: &[Finding]) -> Vec<FileFindings> {
    let mut files: Vec<FileFindings> = Vec::new();
    for finding in findings {
        match files.iter_mut().find(|file| file.path == finding.path) {
            Some(file) => file.what.push(finding.what.clone()),
            None => files.push(FileFindings {
                path: finding.path.clone(),
                what: vec![finding.what.clone()],
            }),
        }
    }
    files
}

fn past(past: &TurnSummary) -> PastView {
    PastView {
        turn: past.turn,
        ending: one_line(&ending(&past.ending)),
        says: says(&past.claim).map(|said| one_line(&said)),
        summary: one_line(&past.claim.summary),
        unmet: past.unmet.iter().map(ToString::to_string).collect(),
    }
}

fn story(so_far: &Recap) -> PastTurns {
    let decisions = so_far.turns.iter().flat_map(|past| &past.claim.decisions);
    PastTurns {
        turns: so_far.turns.iter().map(past).collect(),
        decisions: decisions
            .map(|decision| DecisionView {
                question: one_line(&decision.question),
                answer: one_line(&decision.answer),
                reason: one_line(&decision.reason),
            })
            .collect(),
        completed: Vec::new(),
    }
}

fn changed(change: &Change) -> ChangedFile {
    ChangedFile {
        path: change.path.clone(),
        added: change.added,
        removed: change.removed,
    }
}
