//! Twenty seats, in each of which one trueup after another is started.

use crate::audit::Shown;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::Household;

/// How many processes there are at once.
pub(crate) const SEATS: usize = 20;

/// In how many seats processes are killed.
const DEADLY: usize = 5;

/// How many tasks there are.
pub(crate) const TASKS: usize = 5;

/// The exit codes of a trueup that did what it could; 1 is our bug.
const HONEST: [i32; 9] = [0, 2, 3, 4, 6, 8, 10, 130, 143];

/// What no trueup may ever say.
const UNSAID: [&str; 4] = ["is locked", "panicked", "damaged", "SQLITE_BUSY"];

/// A repository in which a storm can rage.
pub(crate) struct Storms {
    pub(crate) household: Household,
}

/// What was said in a storm.
#[derive(Default)]
pub(crate) struct InteractiveAgent {
    /// Every event that was shown.
    pub(crate) shown: Vec<Shown>,
    /// What should not have been said.
    pub(crate) wrong: Vec<String>,
}

/// What came of a storm.
pub(crate) struct Storm {
    pub(crate) spoken: InteractiveAgent,
    pub(crate) started: usize,
    pub(crate) killed: usize,
}

/// Small numbers in no order, the same for the same seat.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

impl Storms {
    /// Tasks that each take two turns, and an agent that notices another at
    /// work for the same run: a lock dies with whoever holds it.
    pub(crate) fn prepare() -> Self {
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), AGENT);
        let marks = household.folder().join("marks");
        fs::create_dir_all(&marks).expect("a folder");
        let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("the configuration");
        let marks = marks.display();
        household.file(
            "trueup.toml",
            &format!("{config}write = [\"{marks}\"]\nenv = {{ MARKS = \"{marks}\" }}\n"),
        );
        for number in 1..=TASKS {
            let id = format!("T-{number:03}");
            household.file(&format!("{id}.sh"), "exit 1\n");
            household.task(&id, &TASK.replace("T-000", &id));
        }
        household.commit("Five tasks");
        Self { household }
    }

    pub(crate) fn marks(&self) -> PathBuf {
        self.household.folder().join("marks")
    }

    /// Every turn that was not alone with its run, as agents noticed it.
    pub(crate) fn violations(&self) -> Vec<String> {
        let text = fs::read_to_string(self.marks().join("violations")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Where each task ends when nothing else happens.
    pub(crate) fn alone(&self) -> BTreeMap<String, Value> {
        let calm = Self::prepare();
        let end = |number: usize| {
            let id = format!("T-{number:03}");
            let ended = calm.household.trueup(&["run", &id]);
            assert_eq!(ended.code, 0, "{ended:#?}");
            (id.clone(), calm.household.show(&id))
        };
        (1..=TASKS).map(end).collect()
    }

    /// Lets everybody loose for so long.
    pub(crate) fn rage(&self, lasts: Duration) -> Storm {
        let until = Instant::now() + lasts;
        let all = Mutex::new(Storm {
            spoken: InteractiveAgent::default(),
            started: 0,
            killed: 0,
        });
        thread::scope(|scope| {
            for seat in 0..SEATS {
                let all = &all;
                scope.spawn(move || {
                    let mut dice = Dice(seat as u64 * 7919 + 17);
                    while Instant::now() < until {
                        self.one(seat, &mut dice, all);
                    }
                });
            }
        });
        all.into_inner().expect("no seat panicked")
    }

    /// One trueup, from its start to its end, by itself or not.
    fn one(&self, seat: usize, dice: &mut Dice, all: &Mutex<Storm>) {
        let task = format!("T-{:03}", dice.roll(TASKS as u64) + 1);
        // Whoever dies dies while driving a run, where it matters.
        let sides = if seat < DEADLY { 7 } else { 12 };
        let words: Vec<&str> = match dice.roll(sides) {
            0..4 => vec!["run", &task, "--json"],
            4..7 => vec!["resume", &task, "--json"],
            7 => vec!["status"],
            8 => vec!["show", &task],
            9 => vec!["stop", &task],
            10 => vec!["gc", "--keep-days", "0"],
            _ => vec!["log", &task],
        };
        // Soon or late, however quick this build and this machine are.
        let dies = (seat < DEADLY).then(|| Duration::from_millis((20 << dice.roll(8)) + dice.roll(20)));
        let (status, stdout, stderr) = self.play(seat, &words, dies);
        let mut all = all.lock().expect("no seat panicked");
        all.started += 1;
        let was_killed = status.signal() == Some(9);
        all.killed += usize::from(was_killed);
        let mut spoken = match words.first() {
            Some(&"run" | &"resume") => Shown::of(&task, &stdout),
            Some(_) | None => InteractiveAgent::default(),
        };
        all.spoken.shown.append(&mut spoken.shown);
        let honest = was_killed || status.code().is_some_and(|code| HONEST.contains(&code));
        let unsaid = UNSAID
            .iter()
            .any(|words| stdout.contains(words) || stderr.contains(words));
        if !honest || unsaid {
            all.spoken
                .wrong
                .push(format!("{words:?} ended with {status}: {stdout}{stderr}"));
        }
    }

    fn play(&self, seat: usize, words: &[&str], dies: Option<Duration>) -> (ExitStatus, String, String) {
        let place = |name: &str| self.household.folder().join(format!("{name}-{seat}"));
        let (out, err) = (place("out"), place("err"));
        let mut command = self.household.command(words);
        command
            .stdin(Stdio::null())
            .stdout(File::create(&out).expect("a file"))
            .stderr(File::create(&err).expect("a file"));
        let mut child = command.spawn().expect("a trueup");
        if let Some(dies) = dies {
            thread::sleep(dies);
            // One that ended by itself cannot be killed any more.
            drop(child.kill());
        }
        let status = child.wait().expect("its end");
        let said = |path| fs::read_to_string(path).unwrap_or_default();
        (status, said(out), said(err))
    }

    /// Carries every unfinished run to its end; answers how many there were.
    pub(crate) fn resume_all(&self) -> usize {
        let mut resumed = 0;
        loop {
            let ended = self.household.trueup(&["resume"]);
            match ended.code {
                0 => resumed += 1,
                10 => return resumed,
                _ => panic!("a run could not be carried to its end: {ended:#?}"),
            }
            assert!(resumed < 1000, "runs are unfinished again and again");
        }
    }
}

const TASK: &str = "\
---
v: 1
id: T-000
title: Make it pass
size: small
---

## Acceptance criteria

- [ ] **AC-1** It passes.
  - verify: `sh T-000.sh`
";

const AGENT: &str = r#"
exec 9>"$MARKS/$TRUEUP_RUN.lock"
flock --nonblock 9 || echo "$TRUEUP_RUN turn $TRUEUP_TURN was not alone" >> "$MARKS/violations"
sleep 0.3
echo "turn $TRUEUP_TURN" >> steps.txt
[ "$TRUEUP_TURN" = 1 ] || echo 'exit 0' > "$TRUEUP_TASK.sh"
"#;
