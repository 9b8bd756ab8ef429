//! One turn as a page, and how pages come out of a journal.

use super::{
    plain,
    said::{Printed, code, markdown, push_fenced},
    words::{ending, one_line, says, took},
};
use crate::workspace::Change;
use std::fmt::Write;
use trueup_core::{
    effect::{Effect, Turn, Wish},
    event::{Event, Opening, TurnEnded},
    gate::{Standing, Verdict},
    id::{Timestamp, TreeId},
    memory::Memory,
    run::{Position, ReplayError, Run, Step, Work},
    usage::{Basis, Usage},
};

/// Follows a journal and knows the page of every turn in it.
#[derive(Clone, Debug, Default)]
pub struct PageBuilder {
    run: Option<Run>,
    /// Phases that really ran, in the order they did.
    phases: Vec<String>,
    last: Option<Page>,
}

/// One turn that ended, and what the checks said of it.
#[derive(Clone, Debug)]
pub struct Page {
    opening: Opening,
    phase: String,
    phase_number: usize,
    /// How often this turn had ended before, for a failure of the world.
    again: usize,
    from: TreeId,
    memory: Memory,
    /// How it ended.
    pub ended: TurnEnded,
    /// Whether checks on the tree it left come next.
    pub state: PageState,
    verdict: Option<Verdict>,
}

/// Whether a page tells all it ever will.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageState {
    /// Checks come next, and their verdict belongs on it.
    ChecksDue,
    /// They came, or none will.
    Complete,
}

impl PageBuilder {
    /// Every page of a journal, in order.
    pub fn pages<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Vec<Page>, ReplayError> {
        let mut builder = Self::default();
        let mut pages: Vec<Page> = Vec::new();
        for event in events {
            let Some(page) = builder.hear(event)? else { continue };
            if pages.last().is_some_and(|last| last.name() == page.name()) {
                pages.pop();
            }
            pages.push(page.clone());
        }
        Ok(pages)
    }

    /// The page that this event begins or completes.
    pub fn hear(&mut self, event: &Event) -> Result<Option<&Page>, ReplayError> {
        let Some(run) = &mut self.run else {
            self.run = Some(Run::replay([event])?);
            return Ok(None);
        };
        let wanted = run.next();
        run.apply(event)?;
        match (wanted, event) {
            (
                Step::Do(Effect {
                    wish: Wish::Turn(turn), ..
                }),
                Event::TurnEnded(ended),
            ) => {
                let opening = run.opening().clone();
                let state = match run.position() {
                    Position::Working(Work::Verify) => PageState::ChecksDue,
                    Position::Working(_) | Position::Paused(..) | Position::Done(_) => PageState::Complete,
                };
                let page = self.begin(opening, &turn, ended);
                page.state = state;
                Ok(Some(page))
            }
            (_, Event::Checked(checked)) => {
                let verdict = run.verdict();
                let page = self.last.as_mut();
                let page = page.filter(|page| page.ended.outcome.tree == checked.tree);
                Ok(page.map(|page| {
                    page.verdict = verdict;
                    page.state = PageState::Complete;
                    &*page
                }))
            }
            (_, _) => Ok(None),
        }
    }

    /// The page of the last turn that ended.
    pub const fn last(&self) -> Option<&Page> {
        self.last.as_ref()
    }

    fn begin(&mut self, opening: Opening, turn: &Turn, ended: &TurnEnded) -> &mut Page {
        let phase = turn.brief.phase.clone();
        if !self.phases.contains(&phase) {
            self.phases.push(phase.clone());
        }
        let again = match &self.last {
            Some(last) if last.ended.turn == ended.turn => last.again + 1,
            Some(_) | None => 0,
        };
        self.last.insert(Page {
            opening,
            phase_number: self.phases.iter().position(|known| *known == phase).unwrap_or(0) + 1,
            phase,
            again,
            from: turn.from.clone(),
            memory: turn.memory.clone(),
            ended: ended.clone(),
            state: PageState::ChecksDue,
            verdict: None,
        })
    }
}

impl Page {
    /// The name of its file: `01-implement-003.md`.
    pub fn name(&self) -> String {
        let again = match self.again {
            0 => String::new(),
            again => format!("-again-{again}"),
        };
        let phase = self.phase.to_lowercase();
        let phase = phase.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        format!("{:02}-{phase}-{:03}{again}.md", self.phase_number, self.ended.turn)
    }

    /// The tree the turn began with, and the one it left.
    pub const fn trees(&self) -> (&TreeId, &TreeId) {
        (&self.from, &self.ended.outcome.tree)
    }

    /// The page as Markdown.
    pub fn render(&self, prompt: &str, said: &[Printed], changes: &[Change]) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail; the result is the trait's, not ours.
        self.head(&mut text).unwrap_or_default();
        text.push_str("## Prompt\n\n");
        push_fenced(&mut text, &plain(prompt.as_bytes()));
        text.push_str("## Response\n\n");
        text.push_str(&markdown(said));
        self.completion(&mut text).unwrap_or_default();
        self.files(&mut text, changes).unwrap_or_default();
        text
    }

    fn head(&self, text: &mut String) -> std::fmt::Result {
        let outcome = &self.ended.outcome;
        let agent = &self.opening.agent.name;
        let version = outcome.version.as_deref().unwrap_or("its version is not known");
        let memory = match &self.memory {
            Memory::Fresh => "a fresh session",
            Memory::Continue { .. } => "went on from the session of the turn before",
        };
        let cells = [
            ("task", format!("{} {}", self.opening.task.id, self.opening.task.title)),
            ("run", self.opening.run.to_string()),
            ("phase", self.phase.clone()),
            ("ended", moment(self.ended.at)),
            ("took", took(outcome.took_ms)),
            ("agent", format!("{agent} ({version})")),
            ("session", memory.to_owned()),
            ("ending", ending(&outcome.ending)),
            ("tokens", tokens(&outcome.usage)),
            ("cost", cost(&outcome.usage)),
            ("window", window(&outcome.usage)),
        ];
        writeln!(
            text,
            "# Turn {} of {}\n\n| | |\n|---|---|",
            self.ended.turn, self.opening.run
        )?;
        for (name, value) in cells {
            writeln!(text, "| {name} | {} |", cell(&value))?;
        }
        writeln!(text)
    }

    fn completion(&self, text: &mut String) -> std::fmt::Result {
        let outcome = &self.ended.outcome;
        writeln!(text, "## Completion\n")?;
        match &self.verdict {
            None => writeln!(text, "No check was executed on the tree this turn left.")?,
            Some(verdict) if verdict.holds() => writeln!(text, "Every criterion is met on the tree this turn left.")?,
            Some(_) => writeln!(text, "The tree this turn left does not meet every criterion.")?,
        }
        writeln!(text)?;
        for (id, standing) in self.verdict.iter().flat_map(|verdict| &verdict.criteria) {
            writeln!(text, "- {id}: {}", standing_word(*standing))?;
        }
        if let Some(said) = says(&outcome.claim) {
            writeln!(text, "- the agent claims, which proves nothing: {}", code(&said))?;
        }
        for decision in &outcome.claim.decisions {
            let (question, answer) = (code(&decision.question), code(&decision.answer));
            writeln!(
                text,
                "- it says it decided {question}: {answer}, because {}",
                code(&decision.reason)
            )?;
        }
        for finding in &outcome.findings {
            writeln!(text, "- found wrong: {}: {}", code(&finding.path), code(&finding.what))?;
        }
        writeln!(text)
    }

    fn files(&self, text: &mut String, changes: &[Change]) -> std::fmt::Result {
        writeln!(text, "## Files changed\n")?;
        if changes.is_empty() {
            writeln!(text, "None.")?;
        }
        for change in changes {
            writeln!(text, "- {} (+{} −{})", code(&change.path), change.added, change.removed)?;
        }
        writeln!(
            text,
            "\nFrom tree `{}` to tree `{}`.",
            self.from, self.ended.outcome.tree
        )
    }
}

const fn standing_word(standing: Standing) -> &'static str {
    match standing {
        Standing::Met => "met",
        Standing::Asked => "waits for a person",
        Standing::Unmet => "not met",
        Standing::Unproven => "not proved",
    }
}

/// A text inside a table.
fn cell(text: &str) -> String {
    one_line(&plain(text.as_bytes())).replace('|', "\\|").replace('`', "'")
}

fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(|_| format!("{} ms", at.0), |at| at.to_string())
}

/// What went in by any way and what came out; raw input alone says nothing.
fn tokens(usage: &Usage) -> String {
    match (usage.parts, usage.tokens) {
        (Some(parts), _) => format!(
            "{} in ({} new, {} into a cache, {} out of a cache), {} out, {} in all",
            parts.effective_input(),
            parts.input,
            parts.cache_writes,
            parts.cache_reads,
            parts.output,
            parts.total()
        ),
        (None, Some(tokens)) => format!("{tokens} in all"),
        (None, None) => "not reported".into(),
    }
}

fn cost(usage: &Usage) -> String {
    let Some(millicents) = usage.millicents else {
        return "not reported".into();
    };
    let mark = match usage.basis {
        Basis::Provider => "",
        Basis::Estimate => " (estimate)",
    };
    format!("${}.{:05}{mark}", millicents / 100_000, millicents % 100_000)
}

fn window(usage: &Usage) -> String {
    match usage.occupancy {
        Some(held) => {
            let percent = held.used.saturating_mul(100).checked_div(held.window).unwrap_or(100);
            format!("{} of {} tokens used ({percent} %)", held.used, held.window)
        }
        None => "not reported".into(),
    }
}
