//! Lays veils, then becomes another program.
//!
//! Bubblewrap 0.8 knows no overlay. So the process that is to become
//! bubblewrap first enters user and mount namespaces of its own and mounts the
//! veils there: nobody else sees them, and they are gone with whoever used them.

use super::veil::Veil;
use std::{
    convert::Infallible,
    env,
    ffi::{OsStr, OsString},
    io::{self, Write},
    os::unix::{ffi::OsStrExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// The word that makes the binary behave as this program.
pub const SUBCOMMAND: &str = "sandbox-lay";

/// A program that finds these veils laid. All of them lie below `root`; `entry`
/// is the program that understands [`SUBCOMMAND`].
pub(crate) fn command(entry: &Path, root: &Path, veils: &[&Veil], program: &Path) -> io::Result<Command> {
    let mut command = Command::new(entry);
    command.args([OsStr::new(SUBCOMMAND), OsStr::new("--in"), root.as_os_str()]);
    for veil in veils {
        for under in &veil.under {
            command.arg("--under").arg(below(root, under)?);
        }
        command.arg("--veil").arg(below(root, &veil.folder)?);
    }
    command.arg("--").arg(program);
    Ok(command)
}

/// The path from the root down. Mount options know no quoting that every
/// kernel honours, so what would need it is refused.
fn below(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let below = path.canonicalize()?.strip_prefix(root).map(Path::to_owned);
    let below = below.map_err(|_| io::Error::other(format!("{} lies outside the state root", path.display())))?;
    if below.as_os_str().as_bytes().iter().any(|byte| b":,\\".contains(byte)) {
        return Err(io::Error::other(format!(
            "{} cannot be named in a mount",
            below.display()
        )));
    }
    Ok(below)
}

/// What was asked for.
struct Orders {
    root: PathBuf,
    veils: Vec<Veil>,
    argv: Vec<OsString>,
}

/// Runs `--in ROOT [--under PATH… --veil PATH]… -- argv…`; the subcommand's own
/// name is already taken off.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Err(error) = lay(arguments);
    // Nobody may be listening any more, and there is nobody else to tell.
    drop(writeln!(
        io::stderr(),
        "trueup: a copy-on-write view cannot be laid: {error}"
    ));
    ExitCode::from(125)
}

fn lay(arguments: impl Iterator<Item = OsString>) -> io::Result<Infallible> {
    let orders = parse(arguments)?;
    env::set_current_dir(&orders.root)?;
    mounts::lay(&orders.veils)?;
    env::set_current_dir("/")?;
    let (program, rest) = orders.argv.split_first().ok_or_else(usage)?;
    Err(Command::new(program).args(rest).exec())
}

/// What only Linux can do.
#[cfg(target_os = "linux")]
mod mounts {
    use super::Veil;
    use nix::{
        mount::{MsFlags, mount},
        sched::{CloneFlags, unshare},
    };
    use rustix::process::{Signal, getgid, getuid, set_parent_process_death_signal};
    use std::{ffi::OsString, fs, io};

    /// Lays the veils where nobody but this process sees them.
    pub(super) fn lay(veils: &[Veil]) -> io::Result<()> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        enter_namespaces()?;
        veils.iter().try_for_each(veil_over)
    }

    /// Namespaces in which this process may mount, and in which everybody keeps
    /// the ids they had.
    fn enter_namespaces() -> io::Result<()> {
        let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
        fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
        let nothing: Option<&str> = None;
        mount(nothing, "/", nothing, MsFlags::MS_SLAVE | MsFlags::MS_REC, nothing)?;
        Ok(())
    }

    fn veil_over(veil: &Veil) -> io::Result<()> {
        let mut options = OsString::from("userxattr,lowerdir=");
        for (count, under) in veil.under.iter().enumerate() {
            if count > 0 {
                options.push(":");
            }
            options.push(under);
        }
        options.push(",upperdir=");
        options.push(veil.upper());
        options.push(",workdir=");
        options.push(veil.work());
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        let overlay = Some("overlay");
        mount(overlay, &veil.view(), overlay, flags, Some(options.as_os_str()))?;
        Ok(())
    }
}

/// Elsewhere there is no wall whose mounts these could be.
#[cfg(not(target_os = "linux"))]
mod mounts {
    use super::Veil;
    use std::io;

    pub(super) fn lay(_veils: &[Veil]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

fn usage() -> io::Error {
    io::Error::other("usage: sandbox-lay --in ROOT [--under PATH... --veil PATH]... -- PROGRAM [ARGUMENT]...")
}

fn parse(mut arguments: impl Iterator<Item = OsString>) -> io::Result<Orders> {
    arguments.next().filter(|word| word == "--in").ok_or_else(usage)?;
    let root = PathBuf::from(arguments.next().ok_or_else(usage)?);
    let (mut veils, mut under) = (Vec::new(), Vec::new());
    loop {
        let word = arguments.next().ok_or_else(usage)?;
        if word == "--" {
            break;
        }
        let path = PathBuf::from(arguments.next().ok_or_else(usage)?);
        if word == "--under" {
            under.push(path);
        } else if word == "--veil" && !under.is_empty() {
            veils.push(Veil {
                under: std::mem::take(&mut under),
                folder: path,
            });
        } else {
            return Err(usage());
        }
    }
    let argv: Vec<OsString> = arguments.collect();
    match under.is_empty() && !argv.is_empty() {
        true => Ok(Orders { root, veils, argv }),
        false => Err(usage()),
    }
}

#[cfg(test)]
mod tests {
    use super::{below, parse};
    use std::{ffi::OsString, fs, path::Path};

    #[test]
    fn arguments_are_taken_only_in_their_one_form() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let line = "--in /r --under a --under b --veil c --under d --veil e -- sh -c --";
        let orders = parse(words(line).into_iter()).expect("well formed");
        assert_eq!(orders.root, Path::new("/r"));
        let folders: Vec<_> = orders
            .veils
            .iter()
            .map(|veil| (veil.under.len(), &veil.folder))
            .collect();
        assert_eq!(folders, [(2, &"c".into()), (1, &"e".into())]);
        assert_eq!(orders.argv, words("sh -c --"));
        for wrong in [
            "",
            "--in /r",
            "--in /r --",
            "--in /r --veil a -- sh",
            "--in /r --under a -- sh",
            "--in /r -x a -- sh",
        ] {
            assert!(parse(words(wrong).into_iter()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_mount_cannot_name_is_refused() {
        let root = tempfile::tempdir().expect("folder");
        let root = root.path().canonicalize().expect("there");
        for name in ["plain", "a:b", "a,b", "a\\b"] {
            fs::create_dir(root.join(name)).expect("folder");
        }
        assert_eq!(below(&root, &root.join("plain")).expect("plain"), Path::new("plain"));
        for wrong in ["a:b", "a,b", "a\\b", "..", "plain/../.."] {
            assert!(below(&root, &root.join(wrong)).is_err(), "{wrong}");
        }
    }
}
