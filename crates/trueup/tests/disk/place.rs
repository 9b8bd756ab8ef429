//! A household whose state root can be filled, and a trueup that is held while
//! that happens.

use serde_json::Value;
use std::{
    fs::{self, File},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::{
    household::Household,
    reference::{self, End, TASK},
};

/// How long anything here may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A run under way in a household of its own.
pub(crate) struct Scene {
    pub(crate) household: Household,
    child: Option<Child>,
}

impl Scene {
    /// Starts the reference run, held at the `n`-th crash point of this name.
    pub(crate) fn held_at(household: Household, point: &str, n: u64) -> Self {
        let mut scene = Self { household, child: None };
        let hold = format!("{point}:{n}:{}", scene.hold().display());
        scene.start(&["run", TASK, "--json"], &[("TRUEUP_HOLD_AT", &hold)]);
        scene
    }

    /// Starts a trueup whose words go into files.
    pub(crate) fn start(&mut self, arguments: &[&str], variables: &[(&str, &str)]) {
        let out = |name: &str| File::create(self.household.folder().join(name)).expect("a file");
        let mut command = self.household.command(arguments);
        command
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(out("stdout"))
            .stderr(out("stderr"));
        self.child = Some(command.spawn().expect("a trueup"));
    }

    fn hold(&self) -> PathBuf {
        self.household.folder().join("held")
    }

    /// Waits until the run is held.
    pub(crate) fn wait_until_held(&mut self) -> Result<(), String> {
        let hold = self.hold();
        self.wait("it is held", || hold.exists())
    }

    /// Lets a held run go on.
    pub(crate) fn let_go(&self) {
        fs::remove_file(self.hold()).expect("it was held");
    }

    /// Waits until the run says that it waits for space.
    pub(crate) fn wait_until_it_waits(&mut self) -> Result<(), String> {
        let out = self.household.folder().join("stdout");
        let err = self.household.folder().join("stderr");
        let said = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        self.wait("it says that it waits", || {
            said(&out).contains(r#""shortage":{"#) || said(&err).contains("are needed and")
        })
    }

    fn wait(&mut self, what: &str, is_so: impl Fn() -> bool) -> Result<(), String> {
        let until = Instant::now() + PATIENCE;
        while !is_so() {
            let ended = self.child.as_mut().and_then(|child| child.try_wait().ok().flatten());
            if ended.is_some() && !is_so() {
                return Err(format!("it ended with {ended:?} before {what}: {}", self.said()));
            }
            if Instant::now() > until {
                return Err(format!("in vain until {what}: {}", self.said()));
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Waits for its end, and answers its exit code.
    pub(crate) fn end(&mut self) -> Result<i32, String> {
        let until = Instant::now() + PATIENCE;
        loop {
            let child = self.child.as_mut().ok_or("nothing was started")?;
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Ok(status.code().unwrap_or(-1));
            }
            if Instant::now() > until {
                drop(child.kill());
                return Err(format!("it never ended: {}", self.said()));
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The id of the trueup under way.
    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }

    /// What it said so far.
    pub(crate) fn said(&self) -> String {
        let said = |name: &str| fs::read_to_string(self.household.folder().join(name)).unwrap_or_default();
        let all = format!("{}{}", said("stdout"), said("stderr"));
        let end = all.len().saturating_sub(3000);
        all.get(end..).unwrap_or(&all).to_owned()
    }

    /// What `status` says of the one task, from another process.
    pub(crate) fn status(&self) -> Value {
        self.household.json(&["status", "--json"])["tasks"][0].clone()
    }

    /// Where it ended, in everything that was promised.
    pub(crate) fn is_as_undisturbed(&self, twin: &End, exit: i32) -> Result<(), String> {
        let end = End::of(&self.household, exit);
        if end == *twin {
            return Ok(());
        }
        Err(format!("wanted {twin:#?}\nfound {end:#?}\n{}", self.said()))
    }

    /// How often each turn was begun.
    pub(crate) fn begun(&self) -> Vec<usize> {
        let begun = reference::begun(&self.household);
        let times = |turn| begun.iter().filter(|begun| **begun == turn).count();
        (1..=reference::TURNS).map(times).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            drop(child.kill());
            drop(child.wait());
        }
        let mut umount = Command::new("umount");
        umount.arg("--lazy").arg(self.household.state()).stderr(Stdio::null());
        // One that was never mounted needs no unmounting.
        drop(umount.status());
    }
}

/// Fills the file system a folder lies on, to the last byte.
pub(crate) fn fill(folder: &Path) -> PathBuf {
    let filler = folder.join("filler");
    let mut file = File::create(&filler).expect("a file");
    for size in [1 << 20, 4096, 512, 1] {
        loop {
            match file.write_all(&vec![0x55; size]) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
    filler
}
