//! The words bubblewrap is started with.

use super::{
    door, entry,
    root::{Mount, OURS},
    setup::TREE,
};
use crate::fault;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};
use trueup_core::criterion::Network;

/// What all sandboxes have in common.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) uid: u32,
    pub(super) gid: u32,
    /// The host's path of the first program inside.
    pub(super) entry: PathBuf,
    /// How many bytes a temporary folder may hold.
    pub(super) temporary: u64,
    /// How many processes and threads there may be.
    pub(super) processes: u64,
    pub(super) mounts: Vec<Mount>,
}

/// The wall. Bubblewrap run by root keeps every capability it is not told to
/// drop, and one capability is enough to remount the host writable.
///
/// It does not die with us by itself. Killed in the moment before it tells its
/// child to begin, it leaves one that waits for ever. The entry ends everything
/// instead, as soon as its line is gone.
const WALL: [&str; 9] = [
    "--unshare-user",
    "--unshare-all",
    "--cap-drop",
    "ALL",
    "--disable-userns",
    "--new-session",
    "--as-pid-1",
    "--clearenv",
    "--hostname",
];
const HOSTNAME: &str = "trueup";

/// By how many processes more than allowed it is seen that there are more.
const SEEN: u64 = 16;

/// The words for one sandbox, in the order in which bubblewrap obeys them.
/// No variable is among them: the host shows its processes' words to everybody.
pub(super) fn arguments(view: &View, network: Network, mounts: &[Mount], argv: &[String]) -> Vec<OsString> {
    let mut words: Vec<OsString> = WALL.iter().map(Into::into).collect();
    words.push(HOSTNAME.into());
    words.extend(fault::passed_inside().into_iter().map(Into::into));
    match network {
        Network::Off | Network::Model => {}
        Network::On => words.push("--share-net".into()),
    }
    words.extend(["--uid".into(), view.uid.to_string().into()]);
    words.extend(["--gid".into(), view.gid.to_string().into()]);
    // The kernel lets whoever runs as the host's root write to `/proc/sys`
    // even without a capability, and that is a way out (`core_pattern`).
    words.extend(["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"].map(Into::into));
    // What lies in a temporary folder lies in memory; of `/dev` one part is such a folder.
    let size = view.temporary.to_string();
    words.extend(["--perms", "1777", "--size", &size, "--tmpfs", "/dev/shm"].map(Into::into));
    words.extend(["--remount-ro", "/dev"].map(Into::into));
    for mount in view.mounts.iter().chain(mounts) {
        words.extend(mount_words(mount, &size));
    }
    let first = Path::new(OURS).join("entry");
    words.extend(["--ro-bind".into(), view.entry.clone().into(), first.clone().into()]);
    // The root holds mount points only. Writable, it would let code under test
    // plant what later programs read, such as `/etc/ld.so.preload`.
    words.extend(["--remount-ro", "/", "--chdir", TREE, "--"].map(Into::into));
    words.extend([first.into(), entry::SUBCOMMAND.into(), "--alive".into()]);
    words.push(Path::new(OURS).join("alive").into());
    // A few more than are allowed, so that whoever counts sees that it is more.
    let most = view.processes.saturating_add(SEEN).to_string();
    words.extend([entry::PROCESSES, &most].map(Into::into));
    if network == Network::Model {
        words.extend([entry::DOOR, &door::PORT.to_string()].map(Into::into));
    }
    words.push("--".into());
    words.extend(argv.iter().map(Into::into));
    words
}

fn mount_words(mount: &Mount, size: &str) -> Vec<OsString> {
    match mount {
        Mount::Read { host, inner } => vec!["--ro-bind".into(), host.into(), inner.into()],
        Mount::Write { host, inner } => vec!["--bind".into(), host.into(), inner.into()],
        Mount::Link { target, inner } => vec!["--symlink".into(), target.into(), inner.into()],
        Mount::Empty(inner) => {
            let mut words: Vec<OsString> = ["--perms", "0700", "--size", size, "--tmpfs"].map(Into::into).into();
            words.push(inner.into());
            words
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{View, arguments};
    use crate::sandbox::root::Mount;
    use trueup_core::criterion::Network;

    fn words(network: Network) -> String {
        let view = View {
            uid: 1000,
            gid: 1001,
            entry: "/host/trueup".into(),
            temporary: 4096,
            processes: 60,
            mounts: vec![
                Mount::Read {
                    host: "/usr".into(),
                    inner: "/usr".into(),
                },
                Mount::Link {
                    target: "usr/bin".into(),
                    inner: "/bin".into(),
                },
                Mount::Empty("/tmp".into()),
            ],
        };
        let tree = Mount::Write {
            host: "/host/tree".into(),
            inner: "/trueup".into(),
        };
        let argv = ["sh".to_owned(), "-c".to_owned(), "--unshare-none $HOME".to_owned()];
        let words = arguments(&view, network, &[tree], &argv);
        words.join(" ".as_ref()).into_string().expect("text")
    }

    #[test]
    fn the_wall_is_always_whole_and_its_order_is_kept() {
        assert_eq!(
            words(Network::Off),
            "--unshare-user --unshare-all --cap-drop ALL --disable-userns --new-session \
             --as-pid-1 --clearenv --hostname trueup --uid 1000 --gid 1001 \
             --proc /proc --remount-ro /proc --dev /dev \
             --perms 1777 --size 4096 --tmpfs /dev/shm --remount-ro /dev \
             --ro-bind /usr /usr --symlink usr/bin /bin --perms 0700 --size 4096 --tmpfs /tmp --bind /host/tree /trueup \
             --ro-bind /host/trueup /.trueup/entry --remount-ro / --chdir /trueup -- \
             /.trueup/entry sandbox-entry --alive /.trueup/alive --processes 76 -- sh -c --unshare-none $HOME"
        );
    }

    #[test]
    fn the_network_is_shared_only_where_it_is_on() {
        assert_eq!(words(Network::On).matches("--share-net").count(), 1);
        assert_eq!(words(Network::On).replace("--share-net ", ""), words(Network::Off));
        assert_eq!(words(Network::Model).replace(" --door 4788", ""), words(Network::Off));
    }
}
