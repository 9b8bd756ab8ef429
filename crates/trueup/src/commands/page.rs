//! `trueup show --html`: a run as one page that a browser shows, to be kept or
//! sent to somebody who has no trueup.

use super::{
    diff::trees,
    printed,
    show::{RunView, view},
};
use crate::{
    args::{Global, Show},
    exit::{Exit, Failure},
    project::Project,
    render,
    runs::{history, meant},
};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};
use trueup_core::{
    event::{Event, TurnEnded},
    evidence::Evidence,
    id::{CheckId, RunId, Timestamp, TreeId},
    run::Run,
};
use trueup_engine::transcript::{Printed, Reader};

/// How many lines of what a check printed are on the page.
const PRINTED: usize = 40;

/// How many lines of what an agent printed are on the page.
const SAID: usize = 12;

/// As much of a file as tells whether it is a page of ours.
const HEAD: u64 = 1024;

/// Everything that a page of a run tells.
pub(crate) struct RunPage {
    /// The run as it stands beside the present.
    pub(crate) shown: RunView,
    /// Its state.
    pub(crate) run: Run,
    /// All that happened.
    pub(crate) events: Vec<Event>,
    /// Its turns in their order, those that were taken again included.
    pub(crate) turns: Vec<TurnView>,
    /// What the run changed since its base; nothing where that cannot be told any more.
    pub(crate) patch: Option<Vec<u8>>,
    /// The end of what checks printed, on which tree.
    pub(crate) printed: BTreeMap<(CheckId, TreeId), Vec<String>>,
    /// When the page is written.
    pub(crate) at: Timestamp,
}

/// A turn, and what it did to the files.
pub(crate) struct TurnView {
    /// What came of it.
    pub(crate) ended: TurnEnded,
    /// What it changed; nothing where that cannot be told any more.
    pub(crate) patch: Option<Vec<u8>>,
    /// The end of what its agent printed, where it claims nothing in words of its own.
    pub(crate) printed: Vec<String>,
}

/// Writes the page of the last run of a task, or of the run itself.
pub(super) fn page(project: &Project, show: &Show, place: &Path, global: &Global) -> Result<Exit, Failure> {
    let (id, events) = history(project, &meant(project, show.of.task.as_deref())?)?;
    let page = render::page(&run_page(project, view(project, id.clone(), &events)?, events)?);
    if place == Path::new("-") {
        render::page_itself(&page)?;
        return Ok(Exit::Verified);
    }
    spare_others(place, &id)?;
    fs::write(place, &page)?;
    match global.json {
        true => render::json(&serde_json::json!({ "v": 1, "page": place, "bytes": page.len() }))?,
        false => render::line(&format!("Wrote {}.", render::harmless(&place.to_string_lossy()))),
    }
    Ok(Exit::Verified)
}

fn run_page(project: &Project, shown: RunView, events: Vec<Event>) -> Result<RunPage, Failure> {
    let run = Run::replay(&events).map_err(Failure::unexpected)?;
    let (base, tree) = trees(&run, &events);
    let patch = patch(project, base, tree)?;
    let seen = shown
        .report
        .criteria
        .iter()
        .flat_map(|reported| reported.base.iter().chain(&reported.evidence));
    let told = |evidence: &Evidence| {
        let key = (evidence.check.clone(), evidence.binding.tree.clone());
        (key, printed::whole(project, evidence, PRINTED))
    };
    Ok(RunPage {
        printed: seen.map(told).collect(),
        turns: turns(project, base, &events)?,
        patch,
        at: project.clock.now(),
        shown,
        run,
        events,
    })
}

/// Every turn with what it did to the files that the one before had left.
fn turns(project: &Project, base: &TreeId, events: &[Event]) -> Result<Vec<TurnView>, Failure> {
    let mut before = base;
    let mut turns = Vec::new();
    for ended in events.iter().filter_map(Event::as_turn_ended) {
        let tree = &ended.outcome.tree;
        turns.push(TurnView {
            patch: patch(project, before, tree)?,
            printed: last_lines(project, ended),
            ended: ended.clone(),
        });
        before = tree;
    }
    Ok(turns)
}

/// The last lines that the agent of a turn printed.
fn last_lines(project: &Project, ended: &TurnEnded) -> Vec<String> {
    if !ended.outcome.claim.summary.trim().is_empty() {
        return Vec::new();
    }
    let bytes = project
        .blobs()
        .get(&ended.outcome.transcript.digest)
        .unwrap_or_default();
    let said = Reader::default().read(&bytes);
    let mut lines: Vec<String> = said.iter().rev().filter_map(Printed::line).take(SAID).collect();
    lines.reverse();
    lines
}

/// What differs between two trees. What was cleared away since leaves a gap on
/// the page, and does not keep anybody from the rest.
fn patch(project: &Project, from: &TreeId, to: &TreeId) -> Result<Option<Vec<u8>>, Failure> {
    if from == to {
        return Ok(Some(Vec::new()));
    }
    Ok(project.workspaces()?.diff(from, to).ok())
}

/// Refuses where something else than a page of ours is there already.
fn spare_others(place: &Path, run: &RunId) -> Result<(), Failure> {
    let mut head = Vec::new();
    match File::open(place) {
        Ok(file) => file.take(HEAD).read_to_end(&mut head)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if head.is_empty() || render::is_page(&head) {
        return Ok(());
    }
    let what = format!("{} is there already, and is no page of trueup", place.display());
    Err(Failure::new(Exit::Usage, what).next(format!("trueup show {run} --html proof.html")))
}
