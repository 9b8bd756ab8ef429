//! One case: a run that is killed once or twice, and what must hold after it.

use crate::{
    GRACE,
    points::{Points, household},
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};
use trueup_testkit::{
    household::Household,
    processes,
    reference::{self, End, TASK, TURNS},
};

/// Where the binary is killed, one number per process.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) kills: Vec<u64>,
    pub(crate) fault: Option<&'static str>,
}

/// What came of a case that kept every promise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    /// The points at which processes died.
    pub(crate) died_at: Vec<String>,
    /// The longest it took until nothing of a killed process lived, and where.
    pub(crate) empty_after: (Duration, String),
    /// The points the undisturbed last process passed.
    pub(crate) recovery: Points,
}

impl Case {
    pub(crate) fn of(kills: &[u64]) -> Self {
        Self {
            kills: kills.to_vec(),
            fault: None,
        }
    }

    /// Every second case goes on at once, into whatever is still dying.
    fn goes_on_at_once(&self) -> bool {
        self.kills.iter().sum::<u64>() % 2 == 1
    }
}

/// Plays a case; why it broke a promise otherwise.
pub(crate) fn play(binary: &Path, case: &Case, points: &Points) -> Result<Played, String> {
    let household = household(binary, case.fault);
    let mut scene = Scene {
        household: &household,
        case,
        played: Played::default(),
        finished: BTreeMap::new(),
        dying: Vec::new(),
    };
    let told = |why: String| {
        format!(
            "{:?} ({}): {why}\nkept: {}\nbegun: {:?}",
            case.kills,
            household.folder().display(),
            kinds(&reference::kept(&household)),
            reference::begun(&household)
        )
    };
    let before = household.checkout_digest();
    scene.carry_out(points).map_err(told)?;
    if household.checkout_digest() != before {
        return Err(told("the person's checkout was touched".to_owned()));
    }
    Ok(scene.played)
}

/// A case under way.
struct Scene<'a> {
    household: &'a Household,
    case: &'a Case,
    played: Played,
    /// How often each finished turn had begun when it was first seen finished.
    finished: BTreeMap<usize, usize>,
    /// What lived when a process was killed and the next one started at once.
    dying: Vec<processes::Process>,
}

impl Scene<'_> {
    fn carry_out(&mut self, points: &Points) -> Result<(), String> {
        let reference = points.reference.as_ref().ok_or("there is no reference")?;
        for kill in &self.case.kills {
            self.killed(*kill)?;
        }
        let (status, log) = self.process(0)?;
        self.played.recovery = Points::read(&log);
        same(
            "the end",
            &reference.end,
            &End::of(self.household, status.code().unwrap_or(-1)),
        )?;
        same("what is kept", &reference.kept, &reference::kept(self.household))?;
        let alive = processes::gone_within(self.household.folder(), GRACE);
        alive.map_err(|living| format!("alive after the end: {living:#?}"))?;
        same("what is left", &reference.left, &reference::left(self.household))?;
        let begun = reference::begun(self.household).len();
        if begun > TURNS + self.played.died_at.len() {
            return Err(format!("{begun} turns began, which is more than one again per kill"));
        }
        Ok(())
    }

    /// Runs a process that dies at this point, and waits for what it leaves.
    fn killed(&mut self, at: u64) -> Result<(), String> {
        let (status, log) = self.process(at)?;
        let points = Points::read(&log);
        let name = points.last().unwrap_or("no point").to_owned();
        if status.signal() != Some(9) {
            // A moment after the last program started there may be nothing left to kill.
            let late = name.ends_with("ms") || points.all().len() as u64 > at;
            return match status.code() {
                Some(0) if late => Ok(()),
                _ => Err(format!("point {at} did not kill: {status}, {name}")),
            };
        }
        let died_at = points.name(at).unwrap_or(&name).to_owned();
        self.played.died_at.push(died_at.clone());
        if self.case.goes_on_at_once() {
            self.dying = processes::of(self.household.folder());
            return Ok(());
        }
        let empty = processes::gone_within(self.household.folder(), GRACE);
        let empty = empty.map_err(|living| format!("alive 2 s after {died_at}: {living:#?}"))?;
        let longest = std::mem::take(&mut self.played.empty_after);
        self.played.empty_after = longest.max((empty, died_at));
        Ok(())
    }

    /// Runs or resumes until the process ends or dies; checks what must hold
    /// after every process, however it ended.
    fn process(&mut self, kill: u64) -> Result<(ExitStatus, std::path::PathBuf), String> {
        let number = self.played.died_at.len();
        let place = |name: &str| self.household.folder().join(format!("{name}.{number}"));
        let (out, err, log) = (place("out"), place("err"), place("points"));
        let verb = if reference::kept(self.household).is_empty() {
            "run"
        } else {
            "resume"
        };
        let mut command = self.household.command(&[verb, TASK, "--json"]);
        command
            .env("TRUEUP_CRASH_AT", kill.to_string())
            .env("TRUEUP_CRASH_LOG", &log)
            .stdin(Stdio::null())
            .stdout(File::create(&out).map_err(|error| error.to_string())?)
            .stderr(File::create(&err).map_err(|error| error.to_string())?);
        let status = command.status().map_err(|error| error.to_string())?;
        let dying = processes::these_gone_within(&std::mem::take(&mut self.dying), GRACE);
        dying.map_err(|living| format!("still alive: {living:#?}"))?;
        let said = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        self.promises_hold(&said(&out))
            .map_err(|why| format!("{why}\n{verb}: {status}\n{}{}", said(&out), said(&err)))?;
        if kill == 0 && status.code() != Some(0) {
            return Err(format!("{verb} ended with {status}:\n{}{}", said(&out), said(&err)));
        }
        Ok((status, log))
    }

    fn promises_hold(&mut self, stdout: &str) -> Result<(), String> {
        let kept = reference::kept(self.household);
        for shown in reference::events(self.household, stdout) {
            if !kept.contains(&shown) {
                return Err(format!("{} was shown and is not kept", shown["type"]));
            }
        }
        let begun = reference::begun(self.household);
        let times = |turn: usize| begun.iter().filter(|begun| **begun == turn).count();
        for (turn, before) in &self.finished {
            if times(*turn) > *before {
                return Err(format!("turn {turn} was finished and ran again"));
            }
        }
        for turn in reference::finished(self.household) {
            self.finished.entry(turn).or_insert_with(|| times(turn));
        }
        Ok(())
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, wanted: &T, found: &T) -> Result<(), String> {
    if wanted == found {
        return Ok(());
    }
    let (wanted, found) = (format!("{wanted:#?}"), format!("{found:#?}"));
    let lines = |text: &str, other: &str| -> Vec<String> {
        let there: Vec<&str> = other.lines().collect();
        let odd = text.lines().filter(|line| !there.contains(line));
        odd.take(20).map(str::to_owned).collect()
    };
    Err(format!(
        "{what} differs: wanted {:#?}, found {:#?}",
        lines(&wanted, &found),
        lines(&found, &wanted)
    ))
}

fn kinds(events: &[Value]) -> String {
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    kinds.join(" ")
}
