//! What `queue` and `up` say: a line for each run that begins, rests or stays.

use super::{failure as failed, json, line, list, next, note, ways_on::ways_on, words};
use crate::{args::Global, exit::Failure};
use owo_colors::OwoColorize;
use serde_json::{Value, json as object};
use std::path::Path;
use trueup_core::{
    id::RunId,
    report::Headline,
    run::{Position, Reason, Run},
};
use trueup_engine::durable::Hold;

/// What became of a run that `up` looks after.
pub(crate) enum UpLine<'a> {
    /// It is worked on from here on.
    Begins(&'a Run),
    /// It rests.
    Rests(&'a Run),
    /// It did not go on; for how long it is left alone.
    Stays { why: &'a str, again_ms: u64 },
}

/// What `queue` prints.
pub(crate) fn queued(runs: &[RunId], refused: &[(&str, Failure)], global: &Global) -> Result<(), Failure> {
    if global.json {
        let refused = refused
            .iter()
            .map(|(task, why)| object!({ "task": task, "error": why.what, "exit": why.exit.code(), "next": why.next }));
        let refused: Vec<Value> = refused.collect();
        return json(&object!({ "v": 1, "queued": runs, "refused": refused }));
    }
    for (_, why) in refused {
        failed(global, why);
    }
    if !runs.is_empty() {
        let names: Vec<&str> = runs.iter().map(RunId::as_str).collect();
        line(&format!("Queued {}. To have that worked on:", names.join(", ")));
        next(&["trueup up"]);
    }
    Ok(())
}

/// What `up` begins with.
pub(crate) fn up_begins(repositories: usize, driven: usize, global: &Global) -> Result<(), Failure> {
    if global.json {
        return json(&object!({ "v": 1, "type": "up", "repositories": repositories, "driven": driven }));
    }
    let at_work = match driven {
        0 => String::new(),
        driven => format!(", {} at work already", words::count(driven, "run")),
    };
    note(&format!(
        "Looking after {}{at_work}. Ctrl-C stops every run where nothing is lost.",
        match repositories {
            1 => "1 repository".to_owned(),
            count => format!("{count} repositories"),
        }
    ));
    Ok(())
}

/// What happened to one run; of which repository, where there are several.
pub(crate) fn up_line(
    name: &RunId,
    checkout: Option<&Path>,
    what: &UpLine<'_>,
    global: &Global,
) -> Result<(), Failure> {
    if global.json {
        return json(&document(name, checkout, what));
    }
    let place = checkout.and_then(Path::file_name).map(|place| place.to_string_lossy());
    let place = place
        .map(|place| format!(" · {}", words::harmless(&place)))
        .unwrap_or_default();
    match what {
        UpLine::Begins(run) => {
            line(&(list::run_row(name.as_str(), &Headline::of_run(run), Hold::Driven, None) + &place))
        }
        UpLine::Rests(run) => {
            line(&(list::run_row(name.as_str(), &Headline::of_run(run), Hold::Free, None) + &place));
            if let Position::Paused(_, Reason::External { until, .. }) = run.position() {
                line(&format!("    goes on by itself at {}", words::moment(*until)));
            } else if let Some(way) = ways_on(run.opening().task.id.as_str(), run.position(), None).first() {
                line(&format!("    {}", in_folder(way, checkout).bold()));
            }
        }
        UpLine::Stays { why, again_ms } => {
            let again = words::took(*again_ms);
            line(&format!(
                "{name} {} again in {again}: {}{place}",
                "did not go on,".red(),
                words::harmless(why)
            ));
        }
    }
    Ok(())
}

/// A command, to be typed from wherever `up` runs.
pub(super) fn in_folder(command: &str, checkout: Option<&Path>) -> String {
    let Some(checkout) = checkout else {
        return command.to_owned();
    };
    let folder = words::words(&[checkout.display().to_string()]);
    command.replacen("trueup ", &format!("trueup -C {folder} "), 1)
}

fn document(name: &RunId, checkout: Option<&Path>, what: &UpLine<'_>) -> Value {
    let mut document = object!({ "v": 1, "run": name, "repository": checkout.map(Path::to_string_lossy) });
    match what {
        UpLine::Begins(run) => {
            document["type"] = "begins".into();
            document["turns"] = run.spend().turns.into();
        }
        UpLine::Rests(run) => {
            document["type"] = "rests".into();
            document["outcome"] = words::outcome(run.position()).into();
            document["turns"] = run.spend().turns.into();
        }
        UpLine::Stays { why, again_ms } => {
            document["type"] = "stays".into();
            document["why"] = (*why).into();
            document["again_ms"] = (*again_ms).into();
        }
    }
    document
}
