//! A folder copied with the times of its files, where no veil can be laid. On
//! file systems that share blocks, the system copies without copying.

use std::{
    fs::{self, File, FileTimes},
    io,
    os::unix::fs::symlink,
    path::Path,
};

/// Copies everything below `from` into `to`, which is made. Links stay links.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
            let about = entry.metadata()?;
            let times = FileTimes::new().set_modified(about.modified()?);
            // A file that nobody may write can still be given its time by its owner.
            File::open(&target)?.set_times(times)?;
        }
        // Pipes and sockets hold nothing that could be kept.
    }
    let about = fs::metadata(from)?;
    fs::set_permissions(to, about.permissions())?;
    File::open(to)?.set_times(FileTimes::new().set_modified(about.modified()?))
}

/// Whether copies in this folder share their blocks, found by making one.
#[cfg(target_os = "linux")]
pub fn shares_blocks(folder: &Path) -> io::Result<()> {
    let (one, other) = (folder.join(".blocks.one"), folder.join(".blocks.other"));
    fs::write(&one, "one")?;
    let shared = File::create(&other).and_then(|copy| Ok(rustix::fs::ioctl_ficlone(copy, File::open(&one)?)?));
    fs::remove_file(one)?;
    fs::remove_file(other)?;
    shared
}

/// Whether copies in this folder share their blocks: nothing is known of it here.
#[cfg(not(target_os = "linux"))]
pub fn shares_blocks(_folder: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(test)]
mod tests {
    use super::copy;
    use std::{
        fs::{self, File},
        os::unix::fs::{PermissionsExt, symlink},
        time::{Duration, SystemTime},
    };

    #[test]
    fn a_copy_has_the_same_bytes_modes_links_and_times() {
        let folder = tempfile::tempdir().expect("folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("a/b")).expect("folder");
        fs::write(from.join("a/b/file"), "bytes").expect("file");
        fs::set_permissions(from.join("a/b/file"), fs::Permissions::from_mode(0o555)).expect("mode");
        let old = SystemTime::now() - Duration::from_secs(86_400);
        File::open(from.join("a/b/file"))
            .expect("open")
            .set_modified(old)
            .expect("time");
        symlink("b/file", from.join("a/link")).expect("link");
        copy(&from, &to).expect("copied");
        let about = fs::metadata(to.join("a/b/file")).expect("there");
        assert_eq!(about.modified().expect("time"), old);
        assert_eq!(about.permissions().mode() & 0o777, 0o555);
        assert_eq!(fs::read(to.join("a/link")).expect("link"), b"bytes");
        assert!(fs::symlink_metadata(to.join("a/link")).expect("there").is_symlink());
    }
}
