//! `trueup stats`: how runs ended, what they cost, what lies in the state root.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    render, runs,
};
use std::collections::BTreeMap;
use trueup_engine::{
    durable::Filter,
    housekeeping::{DiskUse, biggest, by_kind},
};

/// How many of the largest things are named.
const BIGGEST: usize = 5;

/// What `stats` has to say.
#[derive(Default)]
pub(crate) struct Totals {
    /// How many runs there are.
    pub(crate) runs: usize,
    /// How many of them stand where.
    pub(crate) outcomes: BTreeMap<&'static str, usize>,
    /// Turns of all runs.
    pub(crate) turns: u64,
    /// Milliseconds that agents worked.
    pub(crate) agents_ms: u64,
    /// What lies in the state root, by kind.
    pub(crate) disk: Vec<DiskUse>,
    /// The largest things there.
    pub(crate) biggest: Vec<DiskUse>,
    /// How much the state root may hold.
    pub(crate) quota: Option<u64>,
}

/// Counts runs, turns, time and disk.
pub(crate) fn stats(project: &Project, global: &Global) -> Result<Exit, Failure> {
    let mut counted = Totals {
        disk: by_kind(&project.state),
        biggest: biggest(&project.state, BIGGEST),
        quota: project.config.quota,
        ..Totals::default()
    };
    for listed in runs::all(project, Filter::All)? {
        let run = runs::replay(project, &listed.run)?;
        counted.runs += 1;
        *counted.outcomes.entry(render::outcome(run.position())).or_default() += 1;
        counted.turns += u64::from(run.spend().turns);
        counted.agents_ms += run.spend().time_ms;
    }
    if global.json {
        render::stats_json(&counted)?;
    } else {
        render::stats_lines(&counted);
    }
    Ok(Exit::Verified)
}
