//! The wall round an agent or a check.
//!
//! Every sandbox is a bubblewrap root that is constructed, not the host's own:
//! system folders read-only, an allow-list of `/etc`, a fresh HOME with an
//! allow-list of tool folders, one tree. The first program inside is our own
//! [`entry`], which starts nothing before it is told to and outlives nothing.

mod arguments;
mod bounds;
mod child;
mod control;
pub mod entry;
mod home;
mod output;
mod root;
mod spawner;

pub use bounds::{Bounds, Ended, HowEnded, Laid, Output, Program, Stream};

use crate::{
    spool::write_durably,
    state::make_private,
    stop::{StopSource, StopToken},
};
use arguments::View;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use trueup_core::criterion::Network;

/// Where the tree lies inside every sandbox.
pub const TREE: &str = "/trueup";

/// The oldest bubblewrap that knows `--disable-userns`.
const OLDEST: (u32, u32) = (0, 8);

/// What one person's sandboxes have in common. The engine never reads the
/// environment itself: what it may know of it is handed in here.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program that understands `sandbox-entry`.
    pub entry: PathBuf,
    /// The person's home; a fresh one lies at its path inside.
    pub home: PathBuf,
    /// The person's PATH.
    pub path: OsString,
    /// The person's checkout: never visible inside, and its programs are never found.
    pub repository: PathBuf,
    /// What else every sandbox may read, at its own path.
    pub read: Vec<PathBuf>,
    /// The state root: never visible inside.
    pub state: PathBuf,
    /// The person's environment, of which an allow-list reaches the inside.
    pub environment: BTreeMap<String, String>,
}

/// Why there is no wall.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No bubblewrap.
    #[error("bubblewrap is not installed: no `bwrap` on PATH. Install it, for example: apt install bubblewrap")]
    Missing,
    /// A bubblewrap that lacks what the wall needs.
    #[error("{} is {found}, but the wall needs bubblewrap 0.8 or newer: update it", program.display())]
    TooOld {
        /// Which program.
        program: PathBuf,
        /// What it says of itself.
        found: String,
    },
    /// Bubblewrap is there and does not work.
    #[error("bubblewrap cannot build a sandbox here: {why}. {fix}")]
    Unusable {
        /// What it said.
        why: String,
        /// What to do.
        fix: String,
    },
    /// A path that may not be shown inside.
    #[error("{} cannot be shown inside a sandbox: {why}", path.display())]
    Refused {
        /// Which path.
        path: PathBuf,
        /// Why not.
        why: &'static str,
    },
    /// A file of ours that could not be written or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Builds sandboxes and runs programs in them.
#[derive(Clone, Debug)]
pub struct Sandbox {
    bubblewrap: PathBuf,
    view: View,
    paths: Vec<PathBuf>,
    variables: BTreeMap<String, String>,
    limits: root::Forbidden,
    folder: PathBuf,
}

impl Sandbox {
    /// Finds bubblewrap and prepares what all sandboxes share.
    pub fn new(setup: Setup) -> Result<Self, Error> {
        let bubblewrap = find_bubblewrap(&setup)?;
        demand_version(&bubblewrap)?;
        let folder = setup.state.join("sandbox");
        make_private(&folder).map_err(|source| Error::Io {
            path: folder.clone(),
            source,
        })?;
        let limits = root::Forbidden::of(&setup)?;
        let person = home::Person::of(&setup.environment);
        let mut mounts = root::system();
        mounts.extend(root::etc());
        mounts.extend(person.files(&setup.home, &folder)?);
        mounts.extend(root::scratch(&setup.home));
        mounts.extend(home::tool_folders(&setup.home));
        for path in &setup.read {
            mounts.extend(limits.shown_by_the_person(path)?);
        }
        let mounts = limits.hide(mounts);
        let paths = home::search_path(&setup, &mounts);
        Ok(Self {
            variables: home::variables(&setup, &person, &paths),
            view: View {
                uid: person.uid,
                gid: person.gid,
                entry: canonical(&setup.entry)?,
                mounts,
            },
            bubblewrap,
            paths,
            limits,
            folder,
        })
    }

    /// Really runs a program inside, so that a wall that cannot stand is found
    /// before anything relies on it.
    pub async fn probe(&self) -> Result<(), Error> {
        let tree = self.folder.join("probe");
        make_private(&tree).map_err(|source| Error::Io {
            path: tree.clone(),
            source,
        })?;
        let bounds = Bounds {
            tree,
            network: Network::Off,
            read: Vec::new(),
            write: Vec::new(),
            lay: Vec::new(),
            variables: BTreeMap::new(),
            alive: self.folder.join("probe.alive"),
        };
        let program = Program {
            argv: vec!["true".to_owned()],
            stdin: Vec::new(),
            time_limit: Duration::from_secs(30),
            output_limit: 4096,
        };
        let nobody = StopSource::default();
        let ended = self.run(&bounds, &program, &nobody.token(), &mut |_, _| {}).await;
        let why = match ended.how {
            HowEnded::Exited(0) => return Ok(()),
            HowEnded::Exited(code) => format!("`true` ended with {code} inside"),
            HowEnded::TimedOut => "`true` did not end within 30 s inside".to_owned(),
            HowEnded::Stopped(_) => "the probe was stopped".to_owned(),
            HowEnded::NotStarted(why) => why,
        };
        let fix = fix_for(&why).to_owned();
        Err(Error::Unusable { why, fix })
    }

    /// Where a bare program name leads on the sanitised PATH, if what it leads
    /// to can be seen inside.
    pub fn resolve(&self, program: &str) -> Option<PathBuf> {
        home::resolve(program, &self.paths, &self.view.mounts)
    }

    /// The environment every program inside starts with.
    pub fn variables(&self) -> BTreeMap<String, String> {
        self.variables.clone()
    }

    /// Runs a program inside and waits until nothing of it lives any more.
    /// Failure of the program, or of the wall, is a fact in what comes back.
    pub async fn run(
        &self,
        bounds: &Bounds,
        program: &Program,
        stop: &StopToken,
        live: &mut dyn FnMut(Stream, &[u8]),
    ) -> Ended {
        let mounts = match self.limits.prepare(bounds) {
            Ok(mounts) => mounts,
            Err(error) => return Ended::not_started(error.to_string()),
        };
        let mut variables = self.variables.clone();
        variables.extend(bounds.variables.clone());
        let mut command = tokio::process::Command::new(&self.bubblewrap);
        // Bubblewrap itself runs outside the wall, so it inherits nothing either.
        // Ctrl-C at a terminal goes to a whole process group; only the stop token ends what is inside.
        command.env_clear().current_dir("/").kill_on_drop(true).process_group(0);
        command.args(arguments::arguments(&self.view, bounds.network, &mounts, &program.argv));
        child::run(command, program, &variables, stop, live).await
    }
}

fn find_bubblewrap(setup: &Setup) -> Result<PathBuf, Error> {
    let repository = setup.repository.canonicalize().ok();
    std::env::split_paths(&setup.path)
        .filter(|folder| folder.is_absolute())
        .chain([PathBuf::from("/usr/bin")])
        .filter_map(|folder| folder.join("bwrap").canonicalize().ok())
        .find(|found| home::is_program(found) && !repository.as_ref().is_some_and(|inside| found.starts_with(inside)))
        .ok_or(Error::Missing)
}

fn demand_version(program: &Path) -> Result<(), Error> {
    let answer = Command::new(program)
        .arg("--version")
        .env_clear()
        .output()
        .map_err(|source| Error::Io {
            path: program.to_owned(),
            source,
        })?;
    let found = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    match version(&found) {
        Some(version) if version >= OLDEST => Ok(()),
        Some(_) | None => Err(Error::TooOld {
            program: program.to_owned(),
            found,
        }),
    }
}

/// Reads `bubblewrap 0.8.0`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix("bubblewrap ")?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// What to do about what bubblewrap said.
fn fix_for(why: &str) -> &'static str {
    if why.contains("mount proc") {
        "Inside a container, /proc must not be masked: start it with \
         `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`"
    } else if why.contains("namespace") || why.contains("uid map") || why.contains("max_user_namespaces") {
        "Unprivileged user namespaces seem to be off. Allow them: `sysctl -w kernel.unprivileged_userns_clone=1 \
         user.max_user_namespaces=15000`; on Ubuntu also `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
    } else if why.contains("setuid") {
        "This bwrap is setuid, which cannot switch off further user namespaces: `chmod u-s` it"
    } else {
        "Run `bwrap --unshare-user --unshare-all --disable-userns --ro-bind / / true` to see it fail by itself"
    }
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })
}

/// Writes a file of ours unless it already says the same.
fn write_once(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    write_durably(path, text.as_bytes()).map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::{fix_for, version};

    #[test]
    fn a_version_is_read_or_refused() {
        assert_eq!(version("bubblewrap 0.8.0"), Some((0, 8)));
        assert_eq!(version("bubblewrap 1.11"), Some((1, 11)));
        assert_eq!(version("something else"), None);
    }

    #[test]
    fn every_known_failure_of_bubblewrap_has_its_own_fix() {
        assert!(fix_for("bwrap: No permissions to create new namespace").contains("userns"));
        assert!(fix_for("bwrap: setting up uid map: Permission denied").contains("userns"));
        assert!(fix_for("bwrap: Can't mount proc on /newroot/proc: Operation not permitted").contains("container"));
        assert!(fix_for("anything").contains("bwrap --unshare-user"));
    }
}
