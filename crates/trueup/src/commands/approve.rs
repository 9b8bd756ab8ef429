//! `trueup approve`: say of what a run asks about that it may stay, all of it,
//! some of it, or on a terminal one after the other.

use super::{
    answer::{answer, say},
    diff::trees,
    resume::told,
};
use crate::{
    args::{Approve, Global},
    exit::{Exit, Failure},
    foreground::Foreground,
    keys::Keys,
    project::Project,
    render::{self, Lines},
    runs::{history, meant},
};
use std::io::{self, BufRead, IsTerminal};
use trueup_core::{
    digest::Digest,
    event::Event,
    id::RunId,
    objection::Objection,
    run::{Position, Reason, Run},
};
use trueup_engine::driver::Decision;

/// How many lines of a difference are shown unasked.
const FIRST: usize = 12;

/// The word for everything that is asked about.
const ALL: &str = "all";

/// One thing that a run asks about.
pub(crate) struct Item {
    /// What a person must know.
    pub(crate) objection: Objection,
    /// What of the change it is about, if it is about one file.
    pub(crate) patch: String,
}

/// What a run asks about.
pub(crate) struct Question {
    /// The run.
    pub(crate) run: RunId,
    /// The task's name.
    pub(crate) task: String,
    /// What may stay or not.
    pub(crate) items: Vec<Item>,
}

/// What a person said, item by item.
#[derive(Default)]
struct Said {
    yes: Vec<Digest>,
    no: Vec<Digest>,
}

/// Approves what was named; all of it, or item by item on a terminal, where
/// nothing was.
pub(crate) fn approve(project: &Project, arguments: &Approve, global: &Global) -> Result<Exit, Failure> {
    let task = arguments.task.as_str();
    let question = question(project, task)?;
    if global.plain && arguments.items.is_empty() && !question.items.is_empty() {
        match global.json {
            true => render::question_json(&question)?,
            false => render::question_lines(&question),
        }
        return Ok(Exit::Waiting);
    }
    let all = || question.items.iter().map(|item| item.objection.digest.clone());
    // A run that asks about nothing says itself what it waits for.
    if !arguments.items.is_empty() && !question.items.is_empty() {
        let named = named(&question, &arguments.items)?;
        return answer(project, task, Decision::Approve(named), global);
    }
    let is_seen = io::stdin().is_terminal() && io::stdout().is_terminal() && !global.json;
    if !is_seen || question.items.is_empty() {
        return answer(project, task, Decision::Approve(all().collect()), global);
    }
    project.require_trust()?;
    let Some((said, why)) = one_by_one(&question)? else {
        render::line("Nothing was answered. The run waits as before.");
        return Ok(Exit::Waiting);
    };
    if said.no.is_empty() {
        return answer(project, task, Decision::Approve(said.yes), global);
    }
    let foreground = Foreground::begin()?;
    if !said.yes.is_empty() {
        say(project, &foreground, task, Decision::Approve(said.yes), global)?;
    }
    let rested = say(project, &foreground, task, Decision::Reject(why), global)?;
    told(project, &rested, global)
}

/// What a run asks about, each with its own difference.
fn question(project: &Project, task: &str) -> Result<Question, Failure> {
    let (run, events) = history(project, &meant(project, Some(task))?)?;
    let state = Run::replay(&events).map_err(Failure::unexpected)?;
    let asked = match state.position() {
        Position::Paused(_, Reason::Asks(asked)) => asked.as_slice(),
        Position::Paused(..) | Position::Working(_) | Position::Done(_) => &[],
    };
    let items = asked.iter().map(|objection| {
        Ok(Item {
            patch: patch(project, &state, &events, objection)?,
            objection: objection.clone(),
        })
    });
    Ok(Question {
        run,
        task: task.to_owned(),
        items: items.collect::<Result<_, Failure>>()?,
    })
}

/// The difference of the file that an objection is about; of a test, of the
/// file it stands in. What is about no file has none.
fn patch(project: &Project, run: &Run, events: &[Event], objection: &Objection) -> Result<String, Failure> {
    let (base, tree) = trees(run, events);
    let path = objection.path.split("::").next().unwrap_or_default();
    let patch = project.workspaces()?.diff_of(base, tree, path)?;
    Ok(String::from_utf8_lossy(&patch).into_owned())
}

/// The items that somebody named by their numbers or their paths.
fn named(question: &Question, names: &[String]) -> Result<Vec<Digest>, Failure> {
    let mut digests = Vec::new();
    for name in names {
        let before = digests.len();
        for (at, item) in question.items.iter().enumerate() {
            if *name == (at + 1).to_string() || *name == item.objection.path || name == ALL {
                digests.push(item.objection.digest.clone());
            }
        }
        if digests.len() == before {
            let what = format!("{} does not ask about `{name}`", question.run);
            let next = format!("trueup approve {} --plain", question.task);
            return Err(Failure::new(Exit::Usage, what).next(next));
        }
    }
    digests.dedup();
    Ok(digests)
}

/// Asks about each item, and why not, where something may not stay; nothing
/// where the person would rather not answer yet.
fn one_by_one(question: &Question) -> Result<Option<(Said, String)>, Failure> {
    let Some(said) = keys_for(question)? else {
        return Ok(None);
    };
    if said.no.is_empty() {
        return Ok(Some((said, String::new())));
    }
    render::prompt("Why may that not stay? The agent is told: ")?;
    let mut why = String::new();
    io::stdin().lock().read_line(&mut why)?;
    let why = why.trim().to_owned();
    Ok((!why.is_empty()).then_some((said, why)))
}

fn keys_for(question: &Question) -> Result<Option<Said>, Failure> {
    let keys = Keys::begin()?;
    let mut said = Said::default();
    let mut rest_stays = false;
    for (at, item) in question.items.iter().enumerate() {
        let name = item.objection.digest.clone();
        if rest_stays {
            said.yes.push(name);
            continue;
        }
        render::item(question, at, Lines::First(FIRST));
        loop {
            render::prompt("  May it stay? [y]es [n]o [d]ifference [a]ll that follow [q]uit ")?;
            let key = keys.next()?;
            render::note(&key.map(String::from).unwrap_or_default());
            match key {
                Some('y') => said.yes.push(name.clone()),
                Some('n') => said.no.push(name.clone()),
                Some('a') => {
                    rest_stays = true;
                    said.yes.push(name.clone());
                }
                Some('d') => {
                    render::item(question, at, Lines::All);
                    continue;
                }
                None | Some('q') => return Ok(None),
                Some(_) => continue,
            }
            break;
        }
    }
    Ok(Some(said))
}
