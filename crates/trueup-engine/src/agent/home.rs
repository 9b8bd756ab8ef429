//! The folder of the engine's that is one run's agent's alone: its settings,
//! its sign-in, its conversations. It outlives turns; nobody else sees it.

use crate::{
    deep::clear,
    sandbox::{Folder, Sandbox, WritableMount},
    state::make_private,
    travel::SessionFiles,
    write::write_quickly,
};
use rustix::fs::OFlags;
use std::{
    fs::{self, File, Permissions},
    io::{self, Read},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Component, Path, PathBuf},
};
use trueup_core::id::SessionId;

/// Where it lies inside every wall, so that what an agent notes of its own
/// place stays true.
pub const INSIDE: &str = "/run/trueup/agent";

/// How deep conversations are looked for.
const DEEPEST: usize = 8;

/// Among how many files they are looked for.
const MOST: usize = 20_000;

/// How many bytes of a conversation are kept; beyond that nobody goes on from it.
const MOST_BYTES: u64 = 256 << 20;

/// What of a home is kept from one turn to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All of it.
    Whole,
    /// It, if it is a plain file.
    File,
    /// It, if it is a folder, and of what lies in it what is to be kept.
    Folder,
    /// None of it.
    No,
}

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
    pub fn own(&self) -> WritableMount {
        WritableMount {
            folder: Folder::Plain(self.folder.clone()),
            inner: PathBuf::from(INSIDE),
        }
    }

    /// Where the agent finds it.
    pub fn seen_from(&self, sandbox: &Sandbox) -> PathBuf {
        sandbox.own_at(&self.own())
    }

    /// Removes whatever is not kept. The agent could write anything in here,
    /// and its next turn would take it for settings; links are never kept.
    pub fn sweep(&self, kept: &dyn Fn(&Path) -> Kept) -> io::Result<()> {
        sweep(&self.folder, Path::new(""), kept)
    }

    /// The files of a conversation: every one whose path holds its id. Of a
    /// conversation without any, nothing can be gone on from.
    pub fn session_files(&self, session: &SessionId) -> io::Result<SessionFiles> {
        let mut found = Search {
            id: session.as_str(),
            entries_left: MOST,
            bytes_left: MOST_BYTES,
            files: SessionFiles::default(),
        };
        if !session.as_str().is_empty() {
            found.look(&self.folder, "", (Named::No, DEEPEST))?;
        }
        Ok(found.files)
    }

    /// Lays a conversation as it was kept, whatever was made of it since.
    pub fn lay(&self, kept: &SessionFiles) -> io::Result<()> {
        for (name, bytes) in &kept.files {
            let inner = Path::new(name);
            if !inner.components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(io::Error::other(format!("{name} does not lie in the agent's home")));
            }
            let mut place = self.folder.clone();
            for part in inner.parent().into_iter().flatten() {
                place.push(part);
                // Whoever follows a link writes elsewhere.
                if !fs::symlink_metadata(&place).is_ok_and(|there| there.is_dir()) {
                    clear(&place)?;
                    make_private(&place)?;
                }
            }
            let place = self.folder.join(inner);
            if fs::read(&place).is_ok_and(|there| there == *bytes) && !place.is_symlink() {
                continue;
            }
            clear(&place)?;
            write_quickly(&place, bytes)?;
        }
        Ok(())
    }
}

/// Whether a folder above bears the name that is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Yes,
    No,
}

fn sweep(folder: &Path, inner: &Path, kept: &dyn Fn(&Path) -> Kept) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let inner = inner.join(entry.file_name());
        let kind = entry.file_type()?;
        match kept(&inner) {
            Kept::Whole if kind.is_dir() || kind.is_file() => {}
            Kept::File if kind.is_file() => {}
            Kept::Folder if kind.is_dir() => {
                open_to_us(&entry.path())?;
                sweep(&entry.path(), &inner, kept)?;
            }
            Kept::Whole | Kept::File | Kept::Folder | Kept::No => clear(&entry.path())?,
        }
    }
    Ok(())
}

/// Opens a folder to its owner. Nobody else can put a link in its place: the
/// agent is not there between its turns.
fn open_to_us(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// A look for the files of a conversation.
struct Search<'a> {
    id: &'a str,
    entries_left: usize,
    bytes_left: u64,
    files: SessionFiles,
}

impl Search<'_> {
    /// The agent could write whatever it wanted in there: links are not followed,
    /// nothing is opened that is no plain file, and not everything is looked at.
    fn look(&mut self, folder: &Path, inner: &str, (above, deeper): (Named, usize)) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let fewer = self.entries_left.checked_sub(1);
            self.entries_left = fewer.ok_or_else(|| io::Error::other(format!("there are more than {MOST} files")))?;
            let entry = entry?;
            let kind = entry.file_type()?;
            // No agent of ours gives its conversations a name that is no text.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let named = match above {
                Named::No if !name.contains(self.id) => Named::No,
                Named::Yes | Named::No => Named::Yes,
            };
            let inner = if inner.is_empty() {
                name
            } else {
                format!("{inner}/{name}")
            };
            if kind.is_dir() && deeper > 0 {
                self.look(&entry.path(), &inner, (named, deeper - 1))?;
            } else if kind.is_file() && named == Named::Yes {
                self.take(&entry.path(), inner)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, path: &Path, inner: String) -> io::Result<()> {
        let mut bytes = Vec::new();
        open_plainly(path)?.take(self.bytes_left + 1).read_to_end(&mut bytes)?;
        let fewer = self.bytes_left.checked_sub(bytes.len() as u64);
        self.bytes_left = fewer.ok_or_else(|| io::Error::other(format!("it has more than {MOST_BYTES} bytes")))?;
        self.files.files.insert(inner, bytes);
        Ok(())
    }
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
    use super::{Home, Kept, MOST, open_plainly};
    use crate::deep::clear;
    use crate::travel::SessionFiles;
    use std::{
        fs::{self, Permissions},
        os::unix::fs::{MetadataExt, PermissionsExt, symlink},
        path::Path,
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
        let files = |id: &str| home.session_files(&SessionId::new(id)).unwrap().files.into_keys();
        let wanted = [
            "projects/-trueup/abc-1.jsonl",
            "projects/-trueup/abc-1/agents/one.jsonl",
            "sessions/2026/01/02/rollout-abc-1.jsonl",
        ];
        assert!(files("abc-1").eq(wanted));
        assert_eq!((files("gone").count(), files("").count()), (0, 0));
        assert!(open_plainly(&at("abc-1.pipe")).is_err());
        assert!(open_plainly(&at("projects/abc-1-link")).is_err());
    }

    #[test]
    fn what_is_not_kept_is_removed_and_no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("mine"), "").unwrap();
        let home = Home::open(folder.path().join("home")).unwrap();
        let at = |name: &str| home.folder().join(name);
        fs::create_dir_all(at("sessions/2026")).unwrap();
        fs::write(at("sessions/2026/one.jsonl"), "").unwrap();
        fs::write(at("settings.json"), "").unwrap();
        fs::create_dir_all(at("config.toml/in/the/way")).unwrap();
        fs::set_permissions(at("config.toml/in"), Permissions::from_mode(0o000)).unwrap();
        fs::create_dir_all(at("auth.json/folder")).unwrap();
        symlink(&outside, at("linked")).unwrap();
        symlink(&outside, at("sessions/linked")).unwrap();
        let kept = |path: &Path| match path.to_str().unwrap_or_default() {
            "sessions" => Kept::Folder,
            "sessions/2026" | "linked" | "sessions/linked" => Kept::Whole,
            "auth.json" => Kept::File,
            _ => Kept::No,
        };
        home.sweep(&kept).unwrap();
        let left: Vec<_> = fs::read_dir(home.folder()).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(at("sessions/2026/one.jsonl").is_file() && !at("sessions/linked").exists());
        assert!(outside.join("mine").is_file());
        clear(&at("nothing")).unwrap();
    }

    #[test]
    fn a_conversation_is_laid_as_it_was_kept_and_never_outside_the_home() {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        let home = Home::open(folder.path().join("home")).unwrap();
        let name = "sessions/2026/rollout-abc-1.jsonl".to_owned();
        let kept = SessionFiles {
            files: [(name.clone(), b"then".to_vec())].into(),
        };
        home.lay(&kept).unwrap();
        assert_eq!(home.session_files(&SessionId::new("abc-1")).unwrap(), kept);
        fs::write(home.folder().join(&name), "since").unwrap();
        home.lay(&kept).unwrap();
        assert_eq!(home.session_files(&SessionId::new("abc-1")).unwrap(), kept);
        // The agent put links where folders and files of its conversation were.
        fs::remove_dir_all(home.folder().join("sessions")).unwrap();
        symlink(&outside, home.folder().join("sessions")).unwrap();
        home.lay(&kept).unwrap();
        fs::remove_file(home.folder().join(&name)).unwrap();
        symlink(outside.join("mine"), home.folder().join(&name)).unwrap();
        home.lay(&kept).unwrap();
        assert_eq!(home.session_files(&SessionId::new("abc-1")).unwrap(), kept);
        for name in ["../outside/mine", "/outside/mine", "a/../../outside/mine"] {
            let beyond = SessionFiles {
                files: [(name.to_owned(), Vec::new())].into(),
            };
            assert!(home.lay(&beyond).is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }

    #[test]
    fn a_home_full_of_files_is_not_walked_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path().join("home")).unwrap();
        for number in 0..=MOST {
            fs::write(home.folder().join(number.to_string()), "").unwrap();
        }
        assert!(home.session_files(&SessionId::new("gone")).is_err());
    }
}
