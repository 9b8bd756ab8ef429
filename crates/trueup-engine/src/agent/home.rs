//! The folder of the engine's that is one run's agent's alone: its settings,
//! its sign-in, its conversations. It outlives turns; nobody else sees it.

use crate::{
    sandbox::{Folder, Own, Sandbox},
    spool::sync_folder,
    state::make_private,
};
use rustix::fs::OFlags;
use std::{
    fs::{self, File},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};
use trueup_core::id::SessionId;

/// Where it lies inside every wall, so that what an agent notes of its own
/// place stays true.
pub const INSIDE: &str = "/run/trueup/agent";

/// How deep conversations are looked for.
const DEEPEST: usize = 8;

/// An agent's home in one run.
#[derive(Clone, Debug)]
pub struct Home {
    folder: PathBuf,
}

impl Home {
    /// The home in this folder, made if need be, and closed to everybody else.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        make_private(&folder)?;
        Ok(Self { folder })
    }

    /// Where it lies on this machine.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The same, as a sandbox shows it.
    pub fn own(&self) -> Own {
        Own {
            folder: Folder::Plain(self.folder.clone()),
            inner: PathBuf::from(INSIDE),
        }
    }

    /// Where the agent finds it.
    pub fn seen_from(&self, sandbox: &Sandbox) -> PathBuf {
        sandbox.own_at(&self.own())
    }

    /// Has a conversation on disk, so that an event may name it: every file
    /// whose path holds its id, and every folder above. Answers how many files
    /// there were; of a conversation without any, nothing can be gone on from.
    pub fn sync(&self, session: &SessionId) -> io::Result<usize> {
        if session.as_str().is_empty() {
            return Ok(0);
        }
        sync_named(&self.folder, session.as_str(), Named::No, DEEPEST)
    }
}

/// Whether a folder above bears the name that is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Yes,
    No,
}

/// The agent could write whatever it wanted in there: links are not followed,
/// and nothing is opened that is no plain file.
fn sync_named(folder: &Path, id: &str, above: Named, deeper: usize) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let named = match above {
            Named::No if !entry.file_name().to_string_lossy().contains(id) => Named::No,
            Named::Yes | Named::No => Named::Yes,
        };
        if kind.is_dir() && deeper > 0 {
            count += sync_named(&entry.path(), id, named, deeper - 1)?;
        } else if kind.is_file() && named == Named::Yes {
            open_plainly(&entry.path())?.sync_all()?;
            count += 1;
        }
    }
    if count > 0 {
        sync_folder(folder)?;
    }
    Ok(count)
}

/// Opens a file for reading that an agent may have replaced by anything: a
/// link is refused, and a pipe is not waited for.
pub(super) fn open_plainly(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is not a plain file")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Home, open_plainly};
    use std::{
        fs,
        os::unix::fs::{MetadataExt, symlink},
    };
    use trueup_core::id::SessionId;

    #[test]
    fn a_home_is_closed_to_others_even_if_it_was_open() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path().join("runs/r.1/home")).unwrap();
        assert_eq!(fs::metadata(home.folder()).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn all_files_of_a_conversation_are_found_and_nothing_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path().join("home")).unwrap();
        let at = |name: &str| {
            let path = home.folder().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            path
        };
        fs::write(at("projects/-trueup/abc-1.jsonl"), "").unwrap();
        fs::write(at("projects/-trueup/abc-1/agents/one.jsonl"), "").unwrap();
        fs::write(at("sessions/2026/01/02/rollout-abc-1.jsonl"), "").unwrap();
        fs::write(at("projects/-trueup/other.jsonl"), "").unwrap();
        symlink("/", at("projects/abc-1-link")).unwrap();
        symlink("loop", at("loop")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("abc-1.pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        assert_eq!(home.sync(&SessionId::new("abc-1")).unwrap(), 3);
        assert_eq!(home.sync(&SessionId::new("gone")).unwrap(), 0);
        assert_eq!(home.sync(&SessionId::new("")).unwrap(), 0);
        assert!(open_plainly(&at("abc-1.pipe")).is_err());
        assert!(open_plainly(&at("projects/abc-1-link")).is_err());
    }
}
