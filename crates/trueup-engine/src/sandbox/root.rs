//! The constructed root: which of the host's paths a sandbox shows, and which
//! it never may.

use super::{
    bounds::Bounds,
    setup::{Error, Setup, TREE, canonical, write_once},
};
use std::{
    fs::{self, File},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// Where our own files lie inside.
pub(super) const OURS: &str = "/.trueup";

/// Bound read-only where the host has them.
const SYSTEM: [&str; 3] = ["/usr", "/opt", "/nix"];

/// Folders on most hosts, links into `/usr` on merged ones.
const MERGED: [&str; 6] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/// What of `/etc` may be read. Of folders that also hold private keys only the
/// public part: a sandbox built by root could read all of it.
const ETC: [&str; 29] = [
    "hosts",
    "resolv.conf",
    "nsswitch.conf",
    "host.conf",
    "ssl/certs",
    "ssl/cert.pem",
    "ssl/openssl.cnf",
    "ca-certificates",
    "ca-certificates.conf",
    "pki/ca-trust",
    "pki/java",
    "pki/tls/certs",
    "pki/tls/cert.pem",
    "pki/tls/openssl.cnf",
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "timezone",
    "locale.alias",
    "mime.types",
    "protocols",
    "services",
    "maven",
    "chromium.d",
    "perl",
    "fonts",
    "terminfo",
];

/// Versioned folders of `/etc`, by how their names begin.
const ETC_BEGINNINGS: [&str; 2] = ["java", "python"];

/// Where the kernel lists keys, those of others too.
const KEYS: [&str; 2] = ["/proc/keys", "/proc/key-users"];

/// Paths bubblewrap or this room fills by itself.
const TAKEN: [&str; 5] = ["/proc", "/dev", "/etc", OURS, TREE];

/// One thing seen inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mount {
    /// A host's path, read-only.
    Read { host: PathBuf, inner: PathBuf },
    /// A host's path, writable.
    Write { host: PathBuf, inner: PathBuf },
    /// A symbolic link.
    Link { target: PathBuf, inner: PathBuf },
    /// A fresh, empty, writable folder.
    Empty(PathBuf),
}

/// The system's folders.
pub(super) fn system() -> Vec<Mount> {
    let mut mounts: Vec<Mount> = SYSTEM.iter().filter_map(|path| read_same(Path::new(path))).collect();
    for path in MERGED.map(PathBuf::from) {
        match fs::read_link(&path) {
            Ok(target) => mounts.push(Mount::Link { target, inner: path }),
            Err(_) => mounts.extend(read_same(&path)),
        }
    }
    mounts
}

/// An empty file of ours where the kernel would list keys.
pub(super) fn no_keys(folder: &Path) -> Result<Vec<Mount>, Error> {
    let host = folder.join("empty");
    write_once(&host, "")?;
    let keys = KEYS.iter().map(PathBuf::from).filter(|path| path.exists());
    let mounts = keys.map(|inner| Mount::Read {
        host: host.clone(),
        inner,
    });
    Ok(mounts.collect())
}

/// The allow-list of `/etc`. Links are followed: what is shown is what they lead to.
pub(super) fn etc() -> Vec<Mount> {
    let etc = Path::new("/etc");
    let versioned = fs::read_dir(etc)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            ETC_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        });
    let listed = ETC.iter().map(|name| etc.join(name));
    let mut paths: Vec<PathBuf> = listed.chain(versioned).collect();
    paths.sort();
    paths.iter().filter_map(|path| read_same(path)).collect()
}

/// What is fresh in every sandbox.
pub(super) fn scratch(home: &Path) -> Vec<Mount> {
    vec![Mount::Empty(PathBuf::from("/tmp")), Mount::Empty(home.to_owned())]
}

fn read_same(path: &Path) -> Option<Mount> {
    Some(Mount::Read {
        host: path.canonicalize().ok()?,
        inner: path.to_owned(),
    })
}

/// Where no sandbox looks, whatever it is asked to show.
#[derive(Clone, Debug)]
pub(super) struct Forbidden {
    state: PathBuf,
    home: PathBuf,
    repository: PathBuf,
}

impl Forbidden {
    pub(super) fn of(setup: &Setup) -> Result<Self, Error> {
        let refuse = |why| Error::Refused {
            path: setup.home.clone(),
            why,
        };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let home = real(&setup.home);
        for home in [&home, &setup.home] {
            if !home.is_absolute() {
                return Err(refuse("a home is an absolute path"));
            }
            let covers = SYSTEM
                .iter()
                .chain(&MERGED)
                .any(|path| Path::new(path).starts_with(home));
            if covers || is_taken(home) {
                return Err(refuse("a fresh home there would cover what every sandbox needs"));
            }
        }
        Ok(Self {
            state: canonical(&setup.state)?,
            home,
            repository: real(&setup.repository),
        })
    }

    /// Puts an empty folder over the state root and the checkout wherever a
    /// mount would show them.
    pub(super) fn hide(&self, mounts: Vec<Mount>) -> Vec<Mount> {
        let mut hidden = Vec::new();
        for mount in mounts {
            let covers: Vec<Mount> = match &mount {
                Mount::Read { host, inner } | Mount::Write { host, inner } => [&self.state, &self.repository]
                    .into_iter()
                    .filter_map(|secret| secret.strip_prefix(host).ok())
                    .map(|rest| Mount::Empty(inner.join(rest)))
                    .collect(),
                Mount::Link { .. } | Mount::Empty(_) => Vec::new(),
            };
            hidden.push(mount);
            hidden.extend(covers);
        }
        hidden
    }

    /// A path the person's configuration shows to every sandbox.
    pub(super) fn shown_by_the_person(&self, path: &Path) -> Result<Vec<Mount>, Error> {
        let host = self.admit(path)?;
        Ok(at_its_paths(path, host, |host, inner| Mount::Read { host, inner }))
    }

    /// What one sandbox shows beyond what all of them show.
    pub(super) fn prepare(&self, bounds: &Bounds) -> Result<Vec<Mount>, Error> {
        let mut mounts = Vec::new();
        let mut read = bounds.read.clone();
        read.sort();
        for path in &read {
            let host = self.admit(path)?;
            mounts.extend(at_its_paths(path, host, |host, inner| Mount::Read { host, inner }));
        }
        let mut write = bounds.write.clone();
        write.sort();
        let is_below = |path: &&PathBuf| write.iter().any(|above| path.starts_with(above) && *path != above);
        if let Some(path) = read.iter().chain(&write).find(is_below) {
            // Whoever writes there could put a link in its place.
            return Err(refused(
                path,
                "it lies in a folder that is named for writing; name that one alone",
            ));
        }
        for path in &write {
            let host = self.admit(path)?;
            mounts.extend(at_its_paths(path, host, |host, inner| Mount::Write { host, inner }));
        }
        let mut mounts = self.hide(mounts);
        let named = bounds.tree.place();
        let tree = canonical(&named)?;
        self.demand_narrow(&named, &tree)?;
        mounts.push(Mount::Write {
            host: tree,
            inner: PathBuf::from(TREE),
        });
        for own in &bounds.own {
            mounts.push(Mount::Write {
                host: canonical(&own.folder.place())?,
                inner: layable(&own.inner)?.to_owned(),
            });
        }
        for laid in &bounds.lay {
            mounts.push(Mount::Read {
                host: canonical(&laid.host)?,
                inner: layable(&laid.inner)?.to_owned(),
            });
        }
        mounts.push(Mount::Read {
            host: lock_file(&bounds.alive)?,
            inner: Path::new(OURS).join("alive"),
        });
        Ok(mounts)
    }

    /// Sockets of the host, where they are named and where they lie. Each must
    /// be allowed by the person, and be a socket: a folder by that name would
    /// be a larger hole than anybody agreed to.
    pub(super) fn sockets(&self, wanted: &[String], allowed: &[PathBuf]) -> Result<Vec<Mount>, Error> {
        let mut mounts = Vec::new();
        for path in wanted.iter().map(Path::new) {
            if !allowed.iter().any(|allowed| allowed == path) {
                return Err(refused(
                    path,
                    "it is a hole in the wall that your own configuration does not allow",
                ));
            }
            let host = self.admit(path)?;
            if !fs::metadata(&host).is_ok_and(|found| found.file_type().is_socket()) {
                return Err(refused(path, "it is not a socket"));
            }
            mounts.extend(at_its_paths(path, host, |host, inner| Mount::Write { host, inner }));
        }
        Ok(mounts)
    }

    /// A path of the host that may be shown, and where it really lies.
    fn admit(&self, path: &Path) -> Result<PathBuf, Error> {
        if !path.is_absolute() {
            return Err(refused(path, "it is not an absolute path"));
        }
        let host = canonical(path)?;
        self.demand_narrow(path, &host)?;
        if host.starts_with(&self.state) {
            return Err(refused(path, "it lies in the state root"));
        }
        if host.ancestors().any(is_state_root) {
            return Err(refused(path, "it lies in the state root of another repository"));
        }
        // Whoever can change the repository could lead it anywhere.
        if path.starts_with(&self.repository) && !host.starts_with(&self.repository) {
            return Err(refused(
                path,
                "a link leads out of the repository; name where it leads instead",
            ));
        }
        if is_taken(path) || is_taken(&host) {
            return Err(refused(path, "the sandbox puts something of its own there"));
        }
        Ok(host)
    }

    fn demand_narrow(&self, path: &Path, host: &Path) -> Result<(), Error> {
        if host == Path::new("/") {
            Err(refused(path, "it is the whole machine"))
        } else if self.home.starts_with(host) {
            Err(refused(path, "it holds the whole home"))
        } else if self.state.starts_with(host) {
            Err(refused(path, "it holds the state root"))
        } else {
            Ok(())
        }
    }
}

/// A path inside at which the engine may show something of its own.
fn layable(inner: &Path) -> Result<&Path, Error> {
    let taken = ["/proc", "/dev", OURS].iter().any(|path| inner.starts_with(path));
    match inner.is_absolute() && !taken {
        true => Ok(inner),
        false => Err(refused(inner, "nothing can be laid there")),
    }
}

/// Whether a folder is where trueup keeps what it knows of a repository.
fn is_state_root(folder: &Path) -> bool {
    folder.join("journal.db").is_file() && folder.join("store.git").is_dir()
}

fn is_taken(path: &Path) -> bool {
    TAKEN.iter().any(|taken| path.starts_with(taken))
}

fn refused(path: &Path, why: &'static str) -> Error {
    Error::Refused {
        path: path.to_owned(),
        why,
    }
}

/// A path that leads through links is shown where it really lies and, unless a
/// system folder already shows the link itself, where it was named.
fn at_its_paths(named: &Path, host: PathBuf, mount: impl Fn(PathBuf, PathBuf) -> Mount) -> Vec<Mount> {
    let linked_by_system = SYSTEM.iter().chain(&MERGED).any(|path| named.starts_with(path));
    if named == host || linked_by_system {
        return vec![mount(host.clone(), host)];
    }
    vec![mount(host.clone(), host.clone()), mount(host, named.to_owned())]
}

fn lock_file(path: &Path) -> Result<PathBuf, Error> {
    // Opened for writing only so that it is created; nothing is ever written.
    File::options()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
    canonical(path)
}

#[cfg(test)]
mod tests {
    use super::{Forbidden, Mount};
    use std::path::{Path, PathBuf};

    fn forbidden() -> Forbidden {
        Forbidden {
            state: PathBuf::from("/usr/share/state"),
            home: PathBuf::from("/usr/home/person"),
            repository: PathBuf::from("/usr/src/checkout"),
        }
    }

    #[test]
    fn a_path_that_holds_home_or_state_is_refused() {
        for wide in ["/", "/usr", "/usr/home", "/usr/share", "/usr/share/state"] {
            let path = Path::new(wide);
            assert!(forbidden().demand_narrow(path, path).is_err(), "{wide}");
        }
        let inside = Path::new("/usr/share/state/store.git");
        assert!(forbidden().demand_narrow(inside, inside).is_ok());
    }

    #[test]
    fn a_path_of_the_sandboxs_own_is_refused() {
        for taken in ["/proc/self", "/etc/shadow", "/dev/sda", "relative"] {
            assert!(forbidden().admit(Path::new(taken)).is_err(), "{taken}");
        }
    }

    #[test]
    fn state_and_checkout_are_covered_right_after_what_would_show_them() {
        let usr = Mount::Read {
            host: PathBuf::from("/usr"),
            inner: PathBuf::from("/usr"),
        };
        let tools = Mount::Empty(PathBuf::from("/tmp"));
        assert_eq!(
            forbidden().hide(vec![usr.clone(), tools.clone()]),
            [
                usr,
                Mount::Empty(PathBuf::from("/usr/share/state")),
                Mount::Empty(PathBuf::from("/usr/src/checkout")),
                tools,
            ]
        );
    }
}
