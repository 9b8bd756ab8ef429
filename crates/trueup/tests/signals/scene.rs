//! A household in which trueup runs, is asked to stop, and goes on.
#![expect(clippy::unwrap_used, reason = "a test whose scene falls down is over")]

use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs::{self, File},
    io::Write,
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::{
    household::Household,
    reference::{self, End, RUN, TASK},
};

/// How long a test waits for anything before it gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A household with the reference run in it.
pub(crate) struct Scene {
    pub(crate) household: Household,
}

/// How a trueup ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) took: Duration,
    printed: String,
}

/// A trueup under way.
pub(crate) struct Running {
    child: Child,
    began: Instant,
    printed: PathBuf,
}

impl Scene {
    pub(crate) fn new(pace: &str) -> Self {
        Self {
            household: reference::household(env!("CARGO_BIN_EXE_trueup"), pace),
        }
    }

    /// Where an undisturbed run ends.
    pub(crate) fn reference() -> End {
        static REFERENCE: OnceLock<End> = OnceLock::new();
        let end = REFERENCE.get_or_init(|| {
            let scene = Self::new("0");
            let ended = scene.run(&["run", TASK]);
            assert_eq!(ended.code, 0, "{ended:?}");
            scene.end(0)
        });
        end.clone()
    }

    pub(crate) fn end(&self, exit: i32) -> End {
        End::of(&self.household, exit)
    }

    /// The kinds of the events kept so far.
    pub(crate) fn kept(&self) -> Vec<String> {
        let kept = reference::kept(&self.household);
        kept.iter()
            .map(|event| event["type"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Goes on, and must come to this end with nothing left lying about.
    pub(crate) fn comes_to(&self, end: &End) {
        let verb = if self.kept().is_empty() { "run" } else { "resume" };
        let ended = self.run(&[verb, TASK]);
        assert_eq!(self.end(ended.code), *end, "{ended:?}");
        for place in ["workspaces", "rooms"] {
            let place = self.household.state().join(place);
            assert_eq!(fs::read_dir(&place).unwrap().count(), 0, "{}", place.display());
        }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.start(arguments).wait()
    }

    /// Starts trueup with every signal as a shell at a terminal leaves it,
    /// whatever started this test.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        let mut env = Command::new("env");
        env.arg("--default-signal=INT,TERM,HUP")
            .arg(env!("CARGO_BIN_EXE_trueup"))
            .args(arguments);
        self.spawn(env)
    }

    pub(crate) fn start_ignoring(&self, signal: &str, arguments: &[&str]) -> Running {
        let mut env = Command::new("env");
        env.arg(format!("--ignore-signal={signal}"))
            .arg(env!("CARGO_BIN_EXE_trueup"))
            .args(arguments);
        self.spawn(env)
    }

    /// Starts trueup at a terminal of its own, whose keyboard is our pipe.
    pub(crate) fn start_at_a_terminal(&self, arguments: &[&str]) -> Running {
        let line = format!("exec '{}' {}", env!("CARGO_BIN_EXE_trueup"), arguments.join(" "));
        let mut script = Command::new("env");
        script.args([
            "--default-signal=INT,TERM,HUP",
            "script",
            "--quiet",
            "--return",
            "--command",
        ]);
        script.args([&line, "/dev/null"]);
        self.spawn(script)
    }

    fn spawn(&self, mut command: Command) -> Running {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let printed = self.household.folder().join(format!("printed.{number}"));
        let file = File::create(&printed).unwrap();
        self.household.furnish(&mut command);
        command.env("SHELL", "/bin/sh").env("TERM", "xterm");
        command
            .stdin(Stdio::piped())
            .stdout(file.try_clone().unwrap())
            .stderr(file);
        Running {
            began: Instant::now(),
            child: command.spawn().unwrap(),
            printed,
        }
    }

    /// Waits until the agent has begun this turn.
    pub(crate) fn wait_for_turn(&self, turn: usize) {
        wait_until(
            || reference::begun(&self.household).contains(&turn),
            || format!("turn {turn} of {RUN}"),
        );
    }

    pub(crate) fn lock_the_branch(&self) {
        fs::create_dir_all(self.branch_lock().parent().unwrap()).unwrap();
        fs::write(self.branch_lock(), "").unwrap();
    }

    pub(crate) fn unlock_the_branch(&self) {
        fs::remove_file(self.branch_lock()).unwrap();
    }

    fn branch_lock(&self) -> PathBuf {
        self.household
            .checkout()
            .join(format!(".git/refs/heads/trueup/{TASK}.lock"))
    }
}

impl Running {
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn press_ctrl_c(&mut self) {
        let keyboard = self.child.stdin.as_mut().unwrap();
        keyboard.write_all(b"\x03").unwrap();
        keyboard.flush().unwrap();
    }

    /// Waits until this was printed.
    pub(crate) fn wait_for(&self, text: &str) {
        let printed = || fs::read_to_string(&self.printed).unwrap_or_default();
        wait_until(|| printed().contains(text), || format!("{text} in {}", printed()));
    }

    pub(crate) fn wait(mut self) -> Ended {
        let keyboard = self.child.stdin.take();
        let until = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > until {
                self.child.kill().unwrap();
            }
            thread::sleep(Duration::from_millis(2));
        };
        drop(keyboard);
        Ended {
            code: status
                .code()
                .unwrap_or_else(|| 128 + status.signal().unwrap_or_default()),
            took: self.began.elapsed(),
            printed: fs::read_to_string(&self.printed).unwrap_or_default(),
        }
    }
}

impl Ended {
    /// Whether these words were printed, colours aside.
    pub(crate) fn says(&self, words: &str) -> bool {
        self.printed.contains(words)
    }
}

/// The next number between 0 and 1 of a sequence that is the same every time.
pub(crate) fn chance(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let high = u32::try_from(*seed >> 32).unwrap_or_default();
    f64::from(high) / f64::from(u32::MAX)
}

fn wait_until(happened: impl Fn() -> bool, what: impl Fn() -> String) {
    let until = Instant::now() + PATIENCE;
    while !happened() {
        assert!(Instant::now() < until, "waited in vain for {}", what());
        thread::sleep(Duration::from_millis(2));
    }
}
