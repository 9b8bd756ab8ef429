//! Folders of any depth and size, measured and removed by descriptor.
//!
//! A path may have four thousand characters and a process a thousand open
//! files. What an agent or a check leaves behind may be deeper than either, so
//! nothing here grows with depth but a list of names.

use crate::fault::{self, Fault};
use rustix::{
    fd::OwnedFd,
    fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, chmodat, fchmod, fstat, openat, renameat, statat, unlinkat},
    io::Errno,
};
use std::{ffi::CString, io, path::Path};

/// What a file takes that holds nothing: its name and its place in the tables of
/// its disk. A million of them fill a quota too.
pub(crate) const ENTRY: u64 = 512;

/// Removes a folder and everything in it, also where whoever wrote it took away
/// the right to. Links are removed and not followed; nothing there is success.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    if fault::planted(Fault::WalksByPath) {
        return std::fs::remove_dir_all(folder);
    }
    let opened = match open_own(CWD, folder) {
        Err(Errno::NOENT) => return Ok(()),
        opened => opened?,
    };
    empty(&opened)?;
    match unlinkat(CWD, folder, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Removes whatever is at this path, if anything is.
pub(crate) fn clear(path: &Path) -> io::Result<()> {
    match unlinkat(CWD, path, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        // Some systems say of a folder that it is one, others that it must not be.
        Err(Errno::ISDIR | Errno::PERM) => remove(path),
        Err(error) => Err(error.into()),
    }
}

/// How much disk everything below a path takes. What vanishes meanwhile takes
/// none, and links are not followed.
pub fn size_of(path: &Path) -> u64 {
    if fault::planted(Fault::WalksByPath) {
        return size_by_path(path);
    }
    let Ok(about) = statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW) else {
        return 0;
    };
    let own = bytes(&about);
    match open(CWD, path) {
        Ok(folder) if is_folder(&about) => own.saturating_add(below(folder)),
        Ok(_) | Err(_) => own,
    }
}

/// The planted fault: what lies deeper than a path can say is not seen.
fn size_by_path(path: &Path) -> u64 {
    let Ok(about) = std::fs::symlink_metadata(path) else {
        return 0;
    };
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| size_by_path(&entry.path())).sum::<u64>() + about.len()
}

/// How much disk everything in a folder takes.
fn below(top: OwnedFd) -> u64 {
    let (mut folder, mut total) = (top, 0_u64);
    // For every folder above, which one it is and what is still to be seen in it.
    let mut above: Vec<(Place, Vec<CString>)> = Vec::new();
    let mut left = listed(&folder, &mut total);
    loop {
        if let Some(name) = left.pop() {
            // Nobody sees anything in one that cannot be searched, nor gets out of it.
            if let (Ok(place), Ok(inner)) = (Place::of(&folder), open(&folder, name.as_c_str()))
                && above_of(&inner, &place).is_some()
            {
                above.push((place, left));
                folder = inner;
                left = listed(&folder, &mut total);
            }
            continue;
        }
        let Some((place, rest)) = above.pop() else { return total };
        match above_of(&folder, &place) {
            Some(up) => (folder, left) = (up, rest),
            // It was moved meanwhile, and is measured the next time.
            None => return total,
        }
    }
}

/// The folder that a folder lies in, if it is still this one.
fn above_of(folder: &OwnedFd, place: &Place) -> Option<OwnedFd> {
    let up = open(folder, c"..").ok()?;
    Place::of(&up).is_ok_and(|up| up == *place).then_some(up)
}

/// The folders in a folder; the size of everything in it is added up.
fn listed(folder: &OwnedFd, total: &mut u64) -> Vec<CString> {
    let mut folders = Vec::new();
    for name in names(folder) {
        let Ok(about) = statat(folder, name.as_c_str(), AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        *total = total.saturating_add(bytes(&about));
        if is_folder(&about) {
            folders.push(name);
        }
    }
    folders
}

/// Which folder it is, whatever it is called.
#[derive(PartialEq, Eq)]
struct Place(u64, u64);

impl Place {
    fn of(folder: &OwnedFd) -> Result<Self, Errno> {
        let about = fstat(folder)?;
        #[expect(clippy::useless_conversion, reason = "not every system has the same types")]
        Ok(Self(u64::try_from(about.st_dev).unwrap_or_default(), about.st_ino))
    }
}

/// Removes everything in a folder. Folders in its folders are first moved up
/// into it, so that none is ever deeper than the second level.
fn empty(top: &OwnedFd) -> io::Result<()> {
    let mut moved = 0_u64;
    loop {
        let mut is_empty = true;
        for name in names(top) {
            is_empty = false;
            if is_removed(top, &name)? {
                continue;
            }
            match open_own(top, name.as_c_str()) {
                Err(Errno::NOENT) => continue,
                folder => flatten(&folder?, top, &mut moved)?,
            }
            match unlinkat(top, name.as_c_str(), AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if is_empty {
            return Ok(());
        }
    }
}

/// Removes what is in a folder, and moves the folders in it up.
fn flatten(folder: &OwnedFd, top: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    loop {
        let mut is_empty = true;
        for name in names(folder) {
            is_empty = false;
            if is_removed(folder, &name)? {
                continue;
            }
            // Who moves a folder writes in it.
            let inner = match open_own(folder, name.as_c_str()) {
                Err(Errno::NOENT) => continue,
                inner => inner?,
            };
            loop {
                *moved += 1;
                let aside = format!(".trueup-removed-{moved}");
                match renameat(folder, name.as_c_str(), top, aside.as_str()) {
                    Ok(()) | Err(Errno::NOENT) => break,
                    Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                    // What cannot be moved is emptied where it is: a full disk has
                    // no room for a name, another file system none for a folder.
                    Err(Errno::NOSPC | Errno::DQUOT | Errno::XDEV | Errno::MLINK) => {
                        empty(&inner)?;
                        unlinkat(folder, name.as_c_str(), AtFlags::REMOVEDIR)?;
                        break;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        if is_empty {
            return Ok(());
        }
    }
}

/// Removes what is no folder; whether that is so.
fn is_removed(folder: &OwnedFd, name: &CString) -> io::Result<bool> {
    match unlinkat(folder, name.as_c_str(), AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::ISDIR | Errno::PERM) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The names of everything in a folder. What cannot be read has none.
fn names(folder: &OwnedFd) -> impl Iterator<Item = CString> {
    let entries = Dir::read_from(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_owned());
    names.filter(|name| !matches!(name.as_bytes(), b"." | b".."))
}

fn open(above: impl rustix::fd::AsFd, name: impl rustix::path::Arg) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    openat(above, name, flags, Mode::empty())
}

/// Opens a folder that is to go, with every right to it for us.
fn open_own(above: impl rustix::fd::AsFd, name: impl rustix::path::Arg + Copy) -> Result<OwnedFd, Errno> {
    let folder = match open(&above, name) {
        Err(Errno::ACCESS) => {
            chmodat(&above, name, Mode::RWXU, AtFlags::empty())?;
            open(&above, name)?
        }
        opened => opened?,
    };
    // Another user's, which is removed if that can be without.
    fchmod(&folder, Mode::RWXU).unwrap_or_default();
    Ok(folder)
}

fn is_folder(about: &Stat) -> bool {
    FileType::from_raw_mode(about.st_mode) == FileType::Directory
}

fn bytes(about: &Stat) -> u64 {
    let held = u64::try_from(about.st_blocks).unwrap_or_default().saturating_mul(512);
    held.saturating_add(ENTRY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::mkdirat;
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
    };

    /// So many folders, each in the one before; a file of 64 KiB in the last.
    fn chain(top: &Path, depth: usize) {
        let mut folder = open(CWD, top).expect("a folder");
        for _ in 0..depth {
            mkdirat(&folder, "deeper", Mode::RWXU).expect("a folder");
            folder = open(&folder, "deeper").expect("a folder");
        }
        let flags = OFlags::CREATE | OFlags::WRONLY;
        let file = openat(&folder, "large", flags, Mode::RUSR).expect("a file");
        rustix::io::write(&file, &[7; 64 << 10]).expect("bytes");
    }

    #[test]
    fn what_is_deeper_than_any_path_is_measured_and_removed() {
        let place = tempfile::tempdir().expect("a folder");
        let (shallow, deep) = (place.path().join("shallow"), place.path().join("deep"));
        for (folder, depth) in [(&shallow, 1), (&deep, 10_000)] {
            fs::create_dir(folder).expect("a folder");
            chain(folder, depth);
        }
        assert!(size_of(&shallow) >= 64 << 10);
        assert!(size_of(&deep) >= size_of(&shallow), "{}", size_of(&deep));
        remove(&deep).expect("removed");
        assert!(!deep.exists() && shallow.exists());
        remove(&deep).expect("nothing there is success");
    }

    #[test]
    fn files_that_hold_nothing_take_something() {
        let place = tempfile::tempdir().expect("a folder");
        let empty = size_of(place.path());
        for number in 0..100 {
            fs::write(place.path().join(number.to_string()), "").expect("a file");
        }
        assert!(
            size_of(place.path()) >= empty + 100 * ENTRY,
            "{}",
            size_of(place.path())
        );
    }

    #[test]
    fn one_that_cannot_be_searched_hides_nothing_else() {
        let place = tempfile::tempdir().expect("a folder");
        for name in ["a", "m", "z"] {
            fs::create_dir(place.path().join(name)).expect("a folder");
            fs::write(place.path().join(name).join("large"), [7; 64 << 10]).expect("bytes");
        }
        let closed = place.path().join("m");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o400)).expect("closed");
        assert!(size_of(place.path()) >= 128 << 10, "{}", size_of(place.path()));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("open");
    }

    #[test]
    fn what_nobody_may_enter_goes_and_what_links_lead_to_stays() {
        let place = tempfile::tempdir().expect("a folder");
        let (kept, gone) = (place.path().join("kept"), place.path().join("gone"));
        fs::create_dir(&kept).expect("a folder");
        fs::write(kept.join("file"), "stays").expect("a file");
        fs::create_dir_all(gone.join("a/b/c")).expect("folders");
        fs::write(gone.join("a/b/c/file"), "goes").expect("a file");
        // A name that folders are moved to is taken.
        fs::write(gone.join(".trueup-removed-1"), "goes").expect("a file");
        fs::create_dir_all(gone.join(".trueup-removed-2/full")).expect("a folder");
        symlink(&kept, gone.join("a/link")).expect("a link");
        for closed in ["a/b/c", "a/b", "a", "."] {
            fs::set_permissions(gone.join(closed), fs::Permissions::from_mode(0o000)).expect("closed");
        }
        remove(&gone).expect("removed");
        assert!(!gone.exists());
        assert_eq!(fs::read_to_string(kept.join("file")).expect("a file"), "stays");
        symlink(&kept, &gone).expect("a link");
        assert!(remove(&gone).is_err(), "a link is no folder");
        clear(&gone).expect("a link goes");
        clear(&gone).expect("nothing there is success");
        assert!(kept.join("file").exists());
    }
}
