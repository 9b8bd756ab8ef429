//! What agents are told, and the templates that people write for it.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod overrides;
mod words;

use std::path::Path;
use trueup_core::{
    ending::Ending,
    gate::Standing,
    id::{CriterionId, TaskId},
    ladder::Rung,
    memory::{Claim, ClaimStatus, Decision, TurnSummary},
    task::Size,
    turn::{Brief, CriterionBrief},
};
use trueup_engine::{
    agent::prompt::{Flaw, Prompt, PromptInput, Prompts, Rescued},
    travel::{Blobs, MemoryBlobs},
    workspace::Change,
};

/// A first turn.
fn brief() -> Brief {
    Brief {
        task: TaskId::new("T-014"),
        size: Size::Medium,
        title: "Say hello".into(),
        text: "The program greets in {{ every }} language.".into(),
        phase: "implement".into(),
        rights: Default::default(),
        turn: 1,
        turn_limit: 20,
        rung: Rung::First,
        approach: None,
        tried: Vec::new(),
        criteria: vec![CriterionBrief {
            id: CriterionId::new("AC-1"),
            text: "It greets.".into(),
            checks: vec!["`make greet`".into()],
            standing: Standing::Unmet,
            failures: Vec::new(),
        }],
        findings: Vec::new(),
        last: None,
        so_far: None,
    }
}

/// A turn that reached its time limit and claimed to be through.
fn past(turn: u32) -> TurnSummary {
    TurnSummary {
        turn,
        ending: Ending::TimedOut,
        claim: Claim {
            says: ClaimStatus::Complete,
            summary: format!("All of turn {turn}\nis done."),
            decisions: vec![Decision {
                question: "Which tongue?".into(),
                answer: "Latin".into(),
                reason: "everybody\nknows it".into(),
            }],
        },
        unmet: vec![CriterionId::new("AC-1")],
    }
}

/// A prompt of these templates, with these bodies at hand.
fn render(prompts: &Prompts, brief: &Brief, bodies: &[&[u8]]) -> Result<Prompt, Flaw> {
    let blobs = MemoryBlobs::default();
    for body in bodies {
        blobs.put(body).expect("a body");
    }
    let changed = [Change {
        path: "src/greet.rs".into(),
        added: 12,
        removed: 3,
    }];
    let input = PromptInput {
        blobs: &blobs,
        outputs: Path::new("/outputs"),
        rescued: Rescued::No,
        changed: &changed,
        seen_at: &|laid| laid.inner.clone(),
    };
    prompts.render(brief, &input)
}
