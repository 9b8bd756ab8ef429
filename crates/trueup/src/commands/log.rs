//! `trueup log`: what happened, and what an agent or a check printed.

use crate::{
    args::{Global, Log},
    exit::{Exit, Failure},
    foreground::wait,
    project::Project,
    render,
    runs::{history, meant},
};
use std::{
    fs,
    io::{Read, Seek, SeekFrom},
    thread,
    time::Duration,
};
use trueup_core::{
    digest::Digest,
    event::{Event, Signal},
    run::{Position, Run, Step, Work},
};
use trueup_engine::{
    durable::Desk,
    transcript::{Printed, Reader},
    turn::live_transcript,
};

/// How often `log -f` looks for more.
const FOLLOW: Duration = Duration::from_millis(200);

/// Prints events, a transcript, or a body.
pub(crate) fn log(project: &Project, log: &Log, global: &Global) -> Result<Exit, Failure> {
    let (run, mut events) = history(project, &meant(project, log.of.task.as_deref())?)?;
    if let Some(turn) = log.turn {
        return transcript(project, &events, turn, global);
    }
    if let Some(digest) = &log.blob {
        return body(project, &events, digest, global);
    }
    let mut shown = 0;
    let mut stream = Stream::default();
    loop {
        for seq in shown..events.len() {
            if shown > 0 {
                // What was printed before an event was kept is shown before it.
                stream.show(project, &state_of(&events, seq)?, global)?;
                stream.finish(global)?;
            }
            if let Some(event) = events.get(seq) {
                render::event(seq, &state_of(&events, seq + 1)?, event, global)?;
            }
        }
        shown = events.len();
        let state = state_of(&events, shown)?;
        if !log.follow || rests(&state) {
            return Ok(Exit::Verified);
        }
        stream.show(project, &state, global)?;
        thread::sleep(FOLLOW);
        let desk = project.desk()?;
        events.extend(wait(desk.history(&run, shown as u64))??);
    }
}

/// The run as it stood after this many events.
fn state_of(events: &[Event], kept: usize) -> Result<Run, Failure> {
    Run::replay(events.get(..kept).unwrap_or_default()).map_err(Failure::unexpected)
}

/// Whether nothing more will happen unless a person says something. What waits
/// for a moment or for space goes on by itself.
fn rests(run: &Run) -> bool {
    match run.next() {
        Step::Done(_) | Step::Await(Signal::Resume | Signal::Budget | Signal::Answer | Signal::Advice) => true,
        Step::Do(_) | Step::Await(Signal::Space | Signal::Time(_)) => false,
    }
}

/// What the agent prints while it works: shown as live, never as fact.
#[derive(Default)]
struct Stream {
    turn: u32,
    shown: u64,
    reader: Reader,
}

impl Stream {
    /// Shows what was printed since it was last asked. A turn that ended before
    /// anybody watched is not shown again: its transcript is.
    fn show(&mut self, project: &Project, run: &Run, global: &Global) -> Result<(), Failure> {
        if *run.position() != Position::Working(Work::Turn) {
            return Ok(());
        }
        let turn = run.spend().turns + 1;
        if turn != self.turn {
            *self = Self {
                turn,
                ..Self::default()
            };
        }
        let Ok(mut file) = fs::File::open(live_transcript(&project.state, run.opening(), turn)) else {
            return Ok(());
        };
        file.seek(SeekFrom::Start(self.shown))?;
        let mut fresh = Vec::new();
        self.shown += file.read_to_end(&mut fresh)? as u64;
        let said = self.reader.hear(&fresh);
        self.print(&said, global)
    }

    /// Shows the line that will not be ended any more.
    fn finish(&mut self, global: &Global) -> Result<(), Failure> {
        let said = self.reader.finish();
        self.print(&said, global)
    }

    fn print(&self, said: &[Printed], global: &Global) -> Result<(), Failure> {
        for line in said.iter().filter_map(Printed::line) {
            render::live(self.turn, &line, global)?;
        }
        Ok(())
    }
}

fn transcript(project: &Project, events: &[Event], turn: u32, global: &Global) -> Result<Exit, Failure> {
    let mut ended = events.iter().rev().filter_map(Event::as_turn_ended);
    let ended = ended.find(|ended| ended.turn == turn);
    let ended = ended.ok_or_else(|| Failure::new(Exit::Usage, format!("turn {turn} has not ended in this run")))?;
    print(project, &ended.outcome.transcript.digest, global)
}

/// Prints a body, or says that it was erased: what was seen and judged on it
/// stays as it was.
fn print(project: &Project, digest: &Digest, global: &Global) -> Result<Exit, Failure> {
    let blobs = project.blobs();
    let bytes = blobs.has(digest).then(|| blobs.get(digest)).transpose()?;
    match bytes {
        bytes if global.json => render::body_json(digest, bytes.as_deref())?,
        Some(bytes) => render::foreign(&bytes)?,
        None => render::note(&format!("body erased: {digest}")),
    }
    Ok(Exit::Verified)
}

/// A body this run names, by its digest or the beginning of it.
fn body(project: &Project, events: &[Event], digest: &str, global: &Global) -> Result<Exit, Failure> {
    let known = bodies(events);
    let mut matching = known.iter().filter(|known| known.as_str().starts_with(digest));
    match (matching.next(), matching.next()) {
        (Some(one), None) => print(project, one, global),
        (None, _) => Err(Failure::new(Exit::Usage, format!("this run names no body `{digest}`"))),
        (Some(_), Some(_)) => Err(Failure::new(
            Exit::Usage,
            format!("several bodies begin with `{digest}`"),
        )),
    }
}

fn bodies(events: &[Event]) -> Vec<Digest> {
    let mut digests: Vec<Digest> = Vec::new();
    for event in events {
        match event {
            Event::Checked(checked) => {
                digests.extend(
                    checked
                        .evidence
                        .iter()
                        .flat_map(|e| [e.stdout.digest.clone(), e.stderr.digest.clone()]),
                );
            }
            Event::Challenged(challenged) => {
                digests.extend(challenged.controls.iter().map(|control| control.output.digest.clone()));
            }
            Event::TurnEnded(ended) => {
                let outcome = &ended.outcome;
                let bodies = [&outcome.transcript].into_iter().chain(&outcome.prompt);
                digests.extend(bodies.map(|body| body.digest.clone()));
            }
            Event::Opened(_)
            | Event::Committed(_)
            | Event::Published(_)
            | Event::PublishRefused(_)
            | Event::Interrupted(_)
            | Event::Troubled(_)
            | Event::Resumed(_)
            | Event::SpaceFreed(_)
            | Event::Due(_)
            | Event::BudgetSet(_)
            | Event::Answered(_)
            | Event::OpeningCompleted(_)
            | Event::TaskChanged(_)
            | Event::AgentChanged(_) => {}
        }
    }
    digests.sort();
    digests.dedup();
    digests
}
