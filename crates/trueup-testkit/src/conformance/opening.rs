//! Rules about which runs there are.

use super::{
    Found, Subject, claim, history, keep, of_desk, open, page, post, receive, record, resumed, same, troubled,
};
use crate::sample;
use trueup_core::{
    event::{Event, Troubled},
    id::{RunId, TaskId, Timestamp},
    schedule::Readiness,
};
use trueup_engine::durable::{Claimed, Desk, DeskError, Filter, Hold, Query, Received, Request, Summary, TaskRuns};

/// A run is opened once.
pub async fn opening_twice_is_refused<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = open(&subject.desk(), "T-001.1").await?;
    let refused = open(&subject.desk(), "T-001.1").await;
    ensure!(
        matches!(&refused, Err(DeskError::Exists(named)) if *named == run),
        "opening it again gave {refused:?}"
    );
    let count = of_desk(async || subject.desk().runs_of(&TaskId::new("T-001")).await)
        .await?
        .count;
    same("the runs", &count, &1)?;
    same("the history", &history(&subject.desk(), &run).await?.len(), &1)
}

/// A journal begins with the opening of its own run.
pub async fn only_an_opening_of_that_run_opens_it<S: Subject>() -> Found {
    let subject = S::fresh();
    let run = RunId::new("T-001.1");
    for event in [sample::opened("T-002.1"), troubled(1)] {
        let refused = subject.desk().open(&Request::fresh(), &run, &event).await;
        ensure!(refused.is_err(), "the run was opened by {event:?}");
    }
    let runs = page(&subject.desk(), &Query::first(Filter::All, 9)).await?.runs;
    same("the runs", &runs, &Vec::new())
}

/// Every question about a run that does not exist says so.
pub async fn an_unknown_run_is_refused<S: Subject>() -> Found {
    let subject = S::fresh();
    let (desk, run) = (subject.desk(), RunId::new("T-404.1"));
    open(&desk, "T-001.1").await?;
    let unknown = |asked: &str, answer: Result<(), DeskError>| {
        let right = matches!(&answer, Err(DeskError::Unknown(named)) if *named == run);
        ensure!(right, "{asked} gave {answer:?}");
        Found::Ok(())
    };
    unknown("claim", claim(&desk, &run).await.map(drop))?;
    unknown("post", post(&desk, &run, &resumed(1)).await)?;
    unknown("ask_to_stop", super::ask_to_stop(&desk, &run).await.map(drop))?;
    unknown("hold", super::hold(&desk, &run).await.map(drop))?;
    unknown("history", history(&desk, &run).await.map(drop))
}

/// Whoever lost an answer asks again under the same request, even late.
pub async fn what_is_asked_again_is_done_once<S: Subject>() -> Found {
    let subject = S::fresh();
    let (desk, run) = (subject.desk(), RunId::new("T-001.1"));
    let (opens, posts, stops) = (Request::fresh(), Request::fresh(), Request::fresh());
    for _ in 0..3 {
        of_desk(async || desk.open(&opens, &run, &sample::opened("T-001.1")).await).await?;
    }
    let Claimed { mut journal, lease, .. } = claim(&desk, &run).await?;
    for known in [1, 2, 2] {
        of_desk(async || desk.post(&posts, &run, &resumed(1)).await).await?;
        let due = if known == 1 { super::came(1) } else { Received::Parked };
        same("what was posted once", &receive(&mut journal, known).await?, &due)?;
    }
    for _ in 0..2 {
        let asked = of_desk(async || desk.ask_to_stop(&stops, &run).await).await?;
        same("who was asked to stop", &asked, &Hold::Driven)?;
    }
    drop((journal, lease));
    let Claimed { journal, lease, .. } = claim(&desk, &run).await?;
    of_desk(async || desk.ask_to_stop(&stops, &run).await).await?;
    let heard = super::renew(&desk, &lease).await?;
    same(
        "what the next holder hears",
        &heard,
        &trueup_engine::durable::Renewed::GoOn,
    )?;
    drop(journal);
    same("the history", &history(&desk, &run).await?.len(), &2)
}

/// Every run that passes a filter, page by page.
async fn listed(desk: &impl Desk, filter: Filter, limit: usize) -> Result<Vec<Summary>, DeskError> {
    let mut query = Query::first(filter, limit);
    let mut runs = Vec::new();
    // No rule lists more than so many; a desk whose pages go round is broken.
    while runs.len() < 1000 {
        let page = page(desk, &query).await?;
        runs.extend(page.runs);
        match page.next {
            Some(next) => query.after = Some(next),
            None => break,
        }
    }
    Ok(runs)
}

fn names(runs: &[Summary]) -> Vec<&str> {
    runs.iter().map(|run| run.run.as_str()).collect()
}

/// However many runs there are, each is on one page, the newest first.
pub async fn every_run_is_on_one_page_the_newest_first<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    // Mixed, so that no order of names looks like the order of time.
    let opened: Vec<String> = (0..40).map(|n| format!("T-{}.1", n * 7 % 40)).collect();
    for name in &opened {
        open(&desk, name).await?;
    }
    let newest: Vec<&str> = opened.iter().rev().map(String::as_str).collect();
    for limit in [1, 7, 39, 40, 41] {
        let runs = listed(&subject.desk(), Filter::All, limit).await?;
        same("the runs", &names(&runs), &newest)?;
        let tasks: Vec<String> = runs.iter().map(|run| format!("{}.1", run.task)).collect();
        same("their tasks", &tasks.iter().map(String::as_str).collect(), &newest)?;
        let page = page(&desk, &Query::first(Filter::All, limit)).await?;
        same("the first page", &page.runs.len(), &limit.min(40))?;
        same("whether more follow", &page.next.is_some(), &(limit < 40))?;
    }
    Ok(())
}

/// Of each task its last run, by the names of the tasks.
pub async fn the_last_run_of_each_task_is_listed_by_task<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    for name in ["T-003.1", "T-001.1", "T-002.1", "T-001.2", "T-003.2", "T-001.3"] {
        open(&desk, name).await?;
    }
    for limit in 1..=4 {
        let runs = listed(&desk, Filter::LastOfEachTask, limit).await?;
        same("the runs", &names(&runs), &vec!["T-001.3", "T-002.1", "T-003.2"])?;
    }
    Ok(())
}

/// A run that is over is not listed among those that are not.
pub async fn only_unfinished_runs_are_listed_as_such<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    for name in ["T-001.1", "T-002.1", "T-003.1"] {
        let run = open(&desk, name).await?;
        let events = sample::journal(name);
        let wanted = if name == "T-002.1" { events.len() } else { 3 };
        let mut journal = claim(&desk, &run).await?.journal;
        for (n, event) in events.iter().enumerate().take(wanted).skip(1) {
            record(&mut journal, &format!("effect-{n}"), || event.clone()).await?;
        }
    }
    for limit in 1..=3 {
        let runs = listed(&desk, Filter::Unfinished, limit).await?;
        same("the unfinished runs", &names(&runs), &vec!["T-003.1", "T-001.1"])?;
    }
    Ok(())
}

/// How often a task was run, and which run was its last.
pub async fn a_task_knows_its_runs<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    let of = async |task: &str| {
        let task = TaskId::new(task);
        of_desk(async || desk.runs_of(&task).await).await
    };
    same("a task that was never run", &of("T-001").await?, &TaskRuns::default())?;
    for n in 1..=3_u64 {
        let run = open(&desk, &format!("T-001.{n}")).await?;
        let due = TaskRuns {
            count: n,
            last: Some(run),
        };
        same("a task that was run", &of("T-001").await?, &due)?;
    }
    same("another task", &of("T-00").await?, &TaskRuns::default())
}

/// Queued, abandoned, answered or due; never while somebody drives it, and
/// never when it is over.
pub async fn a_run_is_ready_when_it_can_be_driven_on<S: Subject>() -> Found {
    let subject = S::fresh();
    let desk = subject.desk();
    let ready = async |now| of_desk(async || desk.ready(Timestamp(now), 9).await).await;
    let of = |why| vec![(RunId::new("T-001.1"), why)];
    same("an empty desk", &ready(0).await?.runs, &Vec::new())?;
    let run = open(&desk, "T-001.1").await?;
    same("a new run", &ready(0).await?.runs, &of(Readiness::Queued))?;
    let mut journal = claim(&desk, &run).await?.journal;
    same("a run that is driven", &ready(0).await?.runs, &Vec::new())?;
    record(&mut journal, "effect-1", || sample::journal("T-001.1")[1].clone()).await?;
    drop(journal);
    same("a run nobody drives", &ready(0).await?.runs, &of(Readiness::Abandoned))?;
    let mut journal = claim(&desk, &run).await?.journal;
    let pause = Troubled {
        what: "trouble".into(),
        shortage: None,
        at: sample::at(1),
    };
    record(&mut journal, "effect-2", || Event::Troubled(pause.clone())).await?;
    drop(journal);
    same("a run that waits", &ready(0).await?.runs, &Vec::new())?;
    post(&desk, &run, &resumed(2)).await?;
    same(
        "a run that was answered",
        &ready(0).await?.runs,
        &of(Readiness::Answered),
    )?;
    let mut journal = claim(&desk, &run).await?.journal;
    same("what it receives", &receive(&mut journal, 3).await?, &super::came(2))?;
    let reset = sample::at(90_000);
    let limited = sample::limited(1, reset, sample::at(3));
    record(&mut journal, "turn-1", || limited.clone()).await?;
    drop(journal);
    // A run waits a little longer than it was told, so that not all ask at once.
    let Some(until) = ready(reset.0 - 1).await?.next else {
        return Err("nothing says when the run will be due".into());
    };
    ensure!(until >= reset, "it is due at {until:?}, before {reset:?}");
    same("before its moment", &ready(until.0 - 1).await?.runs, &Vec::new())?;
    same("at its moment", &ready(until.0).await?.runs, &of(Readiness::Due))?;
    // A run that is over is never ready again.
    let over = open(&desk, "T-002.1").await?;
    let mut journal = claim(&desk, &over).await?.journal;
    for (n, event) in sample::journal("T-002.1").iter().enumerate().skip(1) {
        record(&mut journal, &format!("effect-{n}"), || event.clone()).await?;
    }
    drop(journal);
    same("what is ready then", &ready(until.0).await?.runs, &of(Readiness::Due))?;
    keep(&mut claim(&desk, &run).await?.journal, 9).await?;
    Ok(())
}
