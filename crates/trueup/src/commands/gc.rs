//! `trueup gc`: remove what is of no more use.

use crate::{
    args::{Gc, Global},
    exit::{Exit, Failure},
    foreground::wait,
    project::Project,
    render, runs,
};
use serde_json::Value;
use std::{collections::HashMap, time::Duration};
use trueup_core::{
    digest::Digest,
    id::{RunId, TaskId},
    run::{Position, Run},
};
use trueup_engine::{
    durable::{Desk, Filter, Hold},
    housekeeping::{Housekeeping, KnownRun, Liveness, Removal, Removed, moment},
    space::size_of,
};

const DAY: u64 = 24 * 60 * 60;

/// How many letters a digest has.
const DIGEST_LETTERS: usize = 64;

/// What `gc` has to say.
pub(crate) struct GcReport {
    /// What was removed, by kind.
    pub(crate) freed: Vec<Removed>,
    /// Whether it really was.
    pub(crate) removal: Removal,
    /// How much the state root takes now.
    pub(crate) left: u64,
    /// For how many days finished runs keep what they printed.
    pub(crate) keep_days: u32,
}

/// Removes what is of no more use, or says what would be removed.
pub(crate) fn gc(project: &Project, gc: &Gc, global: &Global) -> Result<Exit, Failure> {
    let removal = if gc.dry_run { Removal::Tried } else { Removal::Real };
    let space = project.space();
    if removal == Removal::Real && space.at_work().is_some() {
        // Even removing takes a little space; it is held back again below.
        space.give_up_reserve();
    }
    let kept_for = Duration::from_secs(u64::from(gc.keep_days).saturating_mul(DAY));
    let mut house = Housekeeping::begin(&project.state, removal, kept_for, project.clock)?
        .ok_or_else(|| Failure::new(Exit::Conflict, "another `trueup gc` is at work here").next("trueup gc"))?;
    let mut freed = house.sweep(&known(project)?)?;
    if removal == Removal::Real {
        freed.extend(pack(project)?);
    }
    let swept = GcReport {
        freed,
        removal,
        left: size_of(project.state.path()),
        keep_days: gc.keep_days,
    };
    if removal == Removal::Real {
        // Without a reserve a full disk is only told later.
        drop(space.hold_back());
    }
    if global.json {
        render::gc_json(&swept)?;
    } else {
        render::gc_lines(&swept);
    }
    Ok(Exit::Verified)
}

/// Packs git's objects, if there are any yet.
fn pack(project: &Project) -> Result<Option<Removed>, Failure> {
    let places = [project.state.store(), project.state.results()];
    let size = || places.iter().map(|place| size_of(place)).sum::<u64>();
    if places.iter().any(|place| !place.join("HEAD").exists()) {
        return Ok(None);
    }
    let before = size();
    project.workspaces()?.pack()?;
    let bytes = before.saturating_sub(size());
    Ok((bytes > 0).then_some(Removed {
        kind: "git objects, packed",
        count: 1,
        bytes,
    }))
}

/// Every run, as far as housekeeping is concerned.
fn known(project: &Project) -> Result<Vec<KnownRun>, Failure> {
    let mut all = Vec::new();
    let desk = project.desk()?;
    let mut listed = runs::all(project, Filter::All)?;
    listed.reverse();
    let last: HashMap<&TaskId, &RunId> = listed.iter().map(|run| (&run.task, &run.run)).collect();
    for entry in &listed {
        let events = wait(desk.history(&entry.run, 0))??;
        let run = Run::replay(&events).map_err(Failure::unexpected)?;
        // Whoever began anew while an earlier run waited has given that one up.
        let given_up = last.get(&entry.task) != Some(&&entry.run)
            && matches!(run.position(), Position::Paused(..))
            && wait(desk.hold(&entry.run))?? != Hold::Driven;
        let over = given_up || matches!(run.position(), Position::Done(_));
        let liveness = match events.last() {
            Some(last) if over => Liveness::Over(moment(last.at())),
            Some(_) | None => Liveness::Unfinished,
        };
        let mut names = Vec::new();
        for event in &events {
            collect(&serde_json::to_value(event)?, &mut names);
        }
        names.sort();
        names.dedup();
        all.push(KnownRun {
            run: entry.run.clone(),
            liveness,
            base: run.opening().base.commit.clone(),
            tree: run.opening().base.tree.clone(),
            names,
        });
    }
    Ok(all)
}

/// Every digest an event names. One too many keeps a body that could have
/// gone; one too few would lose one that is needed.
fn collect(value: &Value, into: &mut Vec<Digest>) {
    match value {
        Value::String(text) if text.len() == DIGEST_LETTERS => {
            into.extend(serde_json::from_value::<Digest>(text.as_str().into()).ok());
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, into)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
