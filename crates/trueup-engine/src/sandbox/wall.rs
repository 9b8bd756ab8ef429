//! Which wall stands round programs, and how one is started behind it.

use super::{
    bounds::{Bounds, ReadOnlyMount},
    child::HANG_UP_GRACE,
    descendants::PATIENCE,
    home,
    mode::Mode,
    root::Mount,
    setup::{Error, Setup, TREE},
    veil::Folder,
};
use crate::{
    deep,
    stop::StopToken,
    workspace::folder::{self, Scratch},
};
use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::{OpenOptionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use tokio::time::timeout;
use trueup_core::{event::Stop, evidence::Isolation};

/// The wall that stands.
#[derive(Clone, Debug)]
pub(super) enum Wall {
    /// Bubblewrap, and where it lies.
    Bubblewrap(PathBuf),
    /// None of ours.
    Open(Open),
}

/// Programs that run as processes of the machine, tidied up after.
#[derive(Clone, Debug)]
pub(super) struct Open {
    isolation: Isolation,
    /// Where fresh homes are made.
    folder: PathBuf,
    /// The person's home, for which each fresh one stands.
    home: PathBuf,
    /// The person's tool folders, with where a home shows them.
    tools: Vec<(PathBuf, PathBuf)>,
}

/// How often whoever waits to pass looks again.
const AGAIN: Duration = Duration::from_millis(50);
/// The name under which fresh homes are made.
const FRESH: &str = "fresh";

impl Wall {
    pub(super) const fn isolation(&self) -> Isolation {
        match self {
            Self::Bubblewrap(_) => Isolation::Bubblewrap,
            Self::Open(open) => open.isolation,
        }
    }

    /// What starts first: bubblewrap, or the entry itself.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Bubblewrap(_) => "bubblewrap",
            Self::Open(_) => "the entry",
        }
    }

    /// How long the entry may take to end everything before it is killed
    /// itself. Without a wall nobody else would do it.
    pub(super) fn grace(&self) -> Duration {
        match self {
            Self::Bubblewrap(_) => HANG_UP_GRACE,
            Self::Open(_) => PATIENCE + HANG_UP_GRACE,
        }
    }

    /// Where a program finds what was laid for it.
    pub(super) fn seen_at(&self, laid: &ReadOnlyMount) -> PathBuf {
        match self {
            Self::Bubblewrap(_) => laid.inner.clone(),
            Self::Open(_) => laid.host.clone(),
        }
    }
}

impl Open {
    pub(super) fn new(setup: &Setup, folder: &Path) -> Self {
        // Fresh homes of processes that were killed.
        folder::sweep(folder, FRESH);
        let shown = |mount| match mount {
            Mount::Read { host, inner } => Some((host, inner.strip_prefix(&setup.home).ok()?.to_owned())),
            Mount::Write { .. } | Mount::Link { .. } | Mount::Empty(_) => None,
        };
        let isolation = match setup.mode {
            Mode::Outer => Isolation::Outer,
            Mode::Bubblewrap | Mode::None => Isolation::None,
        };
        Self {
            isolation,
            folder: folder.to_owned(),
            home: setup.home.clone(),
            tools: home::tool_folders(&setup.home).into_iter().filter_map(shown).collect(),
        }
    }

    /// Everything is seen, because nothing hides it.
    pub(super) fn mounts() -> Vec<Mount> {
        vec![Mount::Read {
            host: PathBuf::from("/"),
            inner: PathBuf::from("/"),
        }]
    }

    /// The command that starts a program through the entry.
    pub(super) fn start(&self, entry: &Path, bounds: &Bounds, argv: &[String]) -> Command {
        let mut command = Command::new(entry);
        command.args([super::entry::SUBCOMMAND, "--alive"]);
        command.arg(&bounds.alive).args([super::entry::OPEN, "--"]).args(argv);
        command.env_clear().current_dir(bounds.tree.place());
        command
    }

    /// A home for one program, and what it is to find in its tree.
    pub(super) fn furnish(&self, bounds: &Bounds) -> Result<Fresh, Error> {
        let made = Scratch::new(&self.folder, FRESH).map_err(|error| Error::Io {
            path: self.folder.clone(),
            source: io::Error::other(error.to_string()),
        })?;
        let mut fresh = Fresh {
            home: made.path().join("home"),
            temporary: made.path().join("tmp"),
            moved: Vec::new(),
            _made: made,
        };
        self.lay_tools(&fresh).map_err(Error::at(&fresh.home))?;
        let tree = plain(&bounds.tree)?;
        for own in &bounds.own {
            let inside_home = own.inner.strip_prefix(&self.home).map(|rest| fresh.home.join(rest));
            let place = match (own.inner.strip_prefix(TREE), inside_home) {
                (Ok(rest), _) => tree.join(rest),
                (Err(_), Ok(place)) => place,
                // It stays where it is, and is found there.
                (Err(_), Err(_)) => continue,
            };
            fresh
                .move_in(plain(&own.folder)?, place)
                .map_err(Error::at(&own.inner))?;
        }
        Ok(fresh)
    }

    fn lay_tools(&self, fresh: &Fresh) -> io::Result<()> {
        fs::create_dir(&fresh.home)?;
        fs::create_dir(&fresh.temporary)?;
        for (host, inner) in &self.tools {
            let shown = fresh.home.join(inner);
            fs::create_dir_all(shown.parent().unwrap_or(&fresh.home))?;
            symlink(host, shown)?;
        }
        Ok(())
    }
}

/// What one program finds that is not the machine's. All of it goes when this
/// is dropped, and what was moved in moves back.
pub(super) struct Fresh {
    home: PathBuf,
    temporary: PathBuf,
    /// Folders of the engine's: where they belong, and where they are meanwhile.
    moved: Vec<(PathBuf, PathBuf)>,
    _made: Scratch,
}

impl Fresh {
    pub(super) fn variables(&self) -> [(String, String); 2] {
        let named = |name: &str, place: &Path| (name.to_owned(), place.display().to_string());
        [named("HOME", &self.home), named("TMPDIR", &self.temporary)]
    }

    /// Puts a folder of the engine's where a mount would show it.
    fn move_in(&mut self, folder: &Path, place: PathBuf) -> io::Result<()> {
        match fs::symlink_metadata(&place) {
            Ok(_) => deep::clear(&place)?,
            Err(_) => fs::create_dir_all(place.parent().unwrap_or(&place))?,
        }
        fs::rename(folder, &place)?;
        self.moved.push((folder.to_owned(), place));
        Ok(())
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        for (folder, place) in self.moved.iter().rev() {
            // What the program made away with is gone, and is laid anew.
            drop(fs::rename(place, folder));
        }
    }
}

/// Without networks of their own, programs that need services pass one by one:
/// two services cannot listen on one port. Answers what is held meanwhile.
pub(super) async fn pass(
    folder: &Path,
    bounds: &Bounds,
    stop: &StopToken,
) -> Result<Result<Option<File>, Stop>, Error> {
    if bounds.services.is_empty() {
        return Ok(Ok(None));
    }
    let path = folder.join("services.lock");
    let opened = File::options().append(true).create(true).mode(0o600).open(&path);
    let turnstile = opened.map_err(Error::at(&path))?;
    loop {
        match turnstile.try_lock() {
            Ok(()) => return Ok(Ok(Some(turnstile))),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(Error::at(&path)(error)),
        }
        if let Ok(asked) = timeout(AGAIN, stop.wait()).await {
            return Ok(Err(asked));
        }
    }
}

/// A view through a veil is a mount, and only a wall has mounts of its own.
fn plain(folder: &Folder) -> Result<&Path, Error> {
    match folder {
        Folder::Plain(path) => Ok(path),
        Folder::Veiled(veil) => Err(refused(
            &veil.view(),
            "a copy-on-write view needs the mode `bubblewrap`",
        )),
    }
}

fn refused(path: &Path, why: &'static str) -> Error {
    Error::Refused {
        path: path.to_owned(),
        why,
    }
}
