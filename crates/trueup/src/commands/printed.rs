//! What a check printed, in short.

use crate::project::Project;
use trueup_core::evidence::{Body, CheckOutcome, Evidence};
use trueup_engine::travel::Blobs;
use trueup_inspect::{
    environment::{self, Lack},
    telling,
};

/// The end of what a check printed; of standard error where it used that.
pub(crate) fn tail(project: &Project, evidence: &Evidence, most: usize) -> Vec<String> {
    match &evidence.saw {
        CheckOutcome::Passed => return Vec::new(),
        // What a program prints that found nothing wrong does not tell why.
        CheckOutcome::Failed {
            exit: Some(0),
            why: Some(why),
        } => return vec![why.clone()],
        CheckOutcome::Failed { .. } | CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. } => {}
    }
    let body = match evidence.stderr.bytes {
        0 => &evidence.stdout,
        _ => &evidence.stderr,
    };
    let text = text(project, body);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(most);
    lines.into_iter().skip(from).map(str::to_owned).collect()
}

/// Everything a check printed, standard output first; of very much the end.
pub(crate) fn whole(project: &Project, evidence: &Evidence, most: usize) -> Vec<String> {
    let printed = [&evidence.stdout, &evidence.stderr].map(|body| text(project, body));
    let lines: Vec<&str> = printed.iter().flat_map(|text| text.lines()).collect();
    if lines.iter().all(|line| line.trim().is_empty()) {
        return tail(project, evidence, most);
    }
    let from = lines.len().saturating_sub(most);
    lines.into_iter().skip(from).map(str::to_owned).collect()
}

/// The line of what a red check printed that tells most of why.
pub(crate) fn telling(blobs: &dyn Blobs, evidence: &Evidence) -> Option<String> {
    // What the engine says of a check is told before what a program says of itself.
    if let CheckOutcome::Failed { why: Some(why), .. } | CheckOutcome::CannotRun { why } = &evidence.saw {
        return Some(why.clone());
    }
    let printed = [&evidence.stdout, &evidence.stderr].map(|body| read(blobs, body));
    telling::line(&printed.concat()).map(str::to_owned)
}

/// What the machine lacks, where a check is red for that and not for want of
/// the work.
pub(crate) fn lacks(project: &Project, evidence: &Evidence, paths: &[String]) -> Option<String> {
    let CheckOutcome::Failed { exit, .. } = &evidence.saw else {
        return None;
    };
    let streams = [&evidence.stderr, &evidence.stdout];
    let found = streams
        .into_iter()
        .find_map(|body| environment::lacks(*exit, &text(project, body), paths));
    found.map(|lack| match (lack, project.sandbox()) {
        // The person may have it where no sandbox looks.
        (Lack::Command(name), Ok(sandbox)) => sandbox.why_absent(&name),
        (Lack::Command(name), Err(_)) => format!("there is no program `{name}` where this ran"),
        (Lack::Else(why), _) => why,
    })
}

fn text(project: &Project, body: &Body) -> String {
    read(&*project.blobs(), body)
}

fn read(blobs: &dyn Blobs, body: &Body) -> String {
    let bytes = blobs.get(&body.digest).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
