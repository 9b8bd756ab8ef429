//! What of the person reaches the inside: tool folders, programs, variables,
//! a name. Everything here is an allow-list.

use super::{
    root::Mount,
    setup::{Error, Setup, write_once},
};
use rustix::process::{getgid, getuid};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Shown read-only in the fresh home, where the person has them.
const TOOL_FOLDERS: [&str; 12] = [
    ".cargo/bin",
    ".cargo/registry",
    ".cargo/git",
    ".rustup",
    ".pyenv",
    ".nvm",
    "go/pkg/mod",
    ".local/bin",
    ".local/lib",
    ".local/share/uv",
    ".local/share/pnpm",
    ".local/share/mise",
];

/// Variables that reach the inside as they are, besides `LC_*`.
const PASSED: [&str; 10] = [
    "LANG",
    "TZ",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "JAVA_HOME",
    "GOROOT",
    "GOPATH",
    "NVM_DIR",
    "PYENV_ROOT",
];

/// Inside, nobody is root: the person's own ids, or this for root's.
const INSTEAD_OF_ROOT: u32 = 1000;

/// Who runs the programs inside.
#[derive(Clone, Debug)]
pub(super) struct SandboxUser {
    pub(super) name: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
}

impl SandboxUser {
    pub(super) fn of(environment: &BTreeMap<String, String>) -> Self {
        let named = environment.get("USER").map(String::as_str).unwrap_or_default();
        // The name goes into a line of `passwd`, so it is a plain word or not taken.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        let is_name = !named.is_empty() && named.len() <= 32 && named.bytes().all(plain);
        let name = if is_name && named != "root" && named != "nobody" {
            named
        } else {
            "person"
        };
        let not_root = |id: u32| if id == 0 { INSTEAD_OF_ROOT } else { id };
        Self {
            name: name.to_owned(),
            uid: not_root(getuid().as_raw()),
            gid: not_root(getgid().as_raw()),
        }
    }

    /// Writes `passwd` and `group` as the inside sees them.
    pub(super) fn files(&self, home: &Path, folder: &Path) -> Result<Vec<Mount>, Error> {
        let Self { name, uid, gid } = self;
        // Our own line comes first: where an id stands twice, the first one counts.
        let passwd = format!(
            "{name}:x:{uid}:{gid}::{}:/bin/sh\nroot:x:0:0:root:/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n",
            home.display()
        );
        let group = format!("{name}:x:{gid}:\nroot:x:0:\nnogroup:x:65534:\n");
        let mut mounts = Vec::new();
        for (file, text) in [("passwd", passwd), ("group", group)] {
            let host = folder.join(file);
            write_once(&host, &text)?;
            mounts.push(Mount::Read {
                host,
                inner: Path::new("/etc").join(file),
            });
        }
        Ok(mounts)
    }
}

/// The person's tool folders. One that leads out of the home is not shown.
pub(super) fn tool_folders(home: &Path) -> Vec<Mount> {
    let Ok(real_home) = home.canonicalize() else {
        return Vec::new();
    };
    let inside = |host: &PathBuf| host.is_dir() && host.starts_with(&real_home) && *host != real_home;
    TOOL_FOLDERS
        .iter()
        .map(|folder| home.join(folder))
        .filter_map(|inner| {
            let host = inner.canonicalize().ok().filter(inside)?;
            Some(Mount::Read { host, inner })
        })
        .collect()
}

/// The person's PATH without what is relative, inside the checkout, or not
/// visible inside.
pub(super) fn search_path(setup: &Setup, mounts: &[Mount]) -> Vec<PathBuf> {
    let repository = setup.repository.canonicalize().ok();
    let outside = |path: &Path| {
        !path.starts_with(&setup.repository) && !repository.as_ref().is_some_and(|real| path.starts_with(real))
    };
    let mut kept: Vec<PathBuf> = Vec::new();
    for folder in std::env::split_paths(&setup.path) {
        let usable = folder.is_absolute()
            && outside(&folder)
            && is_seen(&folder, mounts)
            && folder.canonicalize().is_ok_and(|real| outside(&real));
        if usable && !kept.contains(&folder) {
            kept.push(folder);
        }
    }
    kept
}

/// The first program of that bare name that can be seen inside.
pub(super) fn resolve(program: &str, paths: &[PathBuf], mounts: &[Mount]) -> Option<PathBuf> {
    if program.is_empty() || program.contains('/') {
        return None;
    }
    paths
        .iter()
        .map(|folder| folder.join(program))
        .find(|path| is_program(path) && is_seen(path, mounts))
}

/// The environment of every program inside.
pub(super) fn variables(setup: &Setup, person: &SandboxUser, paths: &[PathBuf]) -> BTreeMap<String, String> {
    let passed = |name: &String| PASSED.contains(&name.as_str()) || name.starts_with("LC_");
    let mut variables: BTreeMap<String, String> = setup
        .environment
        .iter()
        .filter(|(name, _)| passed(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    // Every kept folder came out of a PATH, so none holds the separator.
    let path = std::env::join_paths(paths).unwrap_or_default();
    for (name, value) in [
        ("PATH", path.to_string_lossy().into_owned()),
        ("HOME", setup.home.to_string_lossy().into_owned()),
        ("USER", person.name.clone()),
        ("TERM", "dumb".to_owned()),
    ] {
        variables.insert(name.to_owned(), value);
    }
    variables
}

/// Whether this is a file somebody may execute.
pub(super) fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Whether both the path as named and what it leads to are visible inside.
fn is_seen(path: &Path, mounts: &[Mount]) -> bool {
    let Ok(real) = path.canonicalize() else {
        return false;
    };
    let (mut named, mut led_to) = (false, false);
    // Later mounts lie over earlier ones.
    for mount in mounts {
        match mount {
            Mount::Read { host, inner } | Mount::Write { host, inner } => {
                named |= path.starts_with(inner);
                led_to |= real.starts_with(host);
            }
            Mount::Link { inner, .. } => named |= path.starts_with(inner),
            Mount::Empty(inner) => {
                named &= !path.starts_with(inner);
                led_to &= !real.starts_with(inner);
            }
        }
    }
    named && led_to
}

#[cfg(test)]
mod tests {
    use super::{SandboxUser, resolve, search_path, tool_folders, variables};
    use crate::sandbox::{Laying, Mode, Setup, Share, root};
    use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

    fn setup(at: &Path) -> Setup {
        for folder in ["home/.cargo/bin", "home/.ssh", "checkout/bin", "elsewhere", "state"] {
            fs::create_dir_all(at.join(folder)).expect("folder");
        }
        symlink(at.join("elsewhere"), at.join("home/.nvm")).expect("link out of the home");
        symlink(at.join("checkout/bin"), at.join("home/.cargo/bin/sly")).expect("link into the checkout");
        let path = [
            "",
            ".",
            "bin",
            at.join("checkout/bin").to_str().expect("text"),
            at.join("home/.cargo/bin/sly").to_str().expect("text"),
            at.join("home/.cargo/bin").to_str().expect("text"),
            at.join("elsewhere").to_str().expect("text"),
            "/usr/bin",
            "/bin",
            "/usr/bin",
        ]
        .join(":");
        let environment = [
            ("USER", "root:x:0:0"),
            ("LC_ALL", "C.UTF-8"),
            ("GOPATH", "/go"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("LD_PRELOAD", "/evil.so"),
        ];
        Setup {
            secrets: Default::default(),
            entry: at.join("entry"),
            home: at.join("home"),
            path: path.into(),
            repository: at.join("checkout"),
            read: Vec::new(),
            state: at.join("state"),
            laying: Laying::Auto,
            share: Share::of_this_machine(),
            mode: Mode::Bubblewrap,
            sockets: Vec::new(),
            environment: environment
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        }
    }

    #[test]
    fn only_visible_absolute_folders_outside_the_checkout_stay_on_path() {
        let at = tempfile::tempdir().expect("folder");
        let setup = setup(at.path());
        let mut mounts = root::system();
        mounts.extend(root::scratch(&setup.home));
        mounts.extend(tool_folders(&setup.home));
        let paths = search_path(&setup, &mounts);
        assert_eq!(
            paths,
            [at.path().join("home/.cargo/bin"), "/usr/bin".into(), "/bin".into()]
        );
        assert_eq!(resolve("env", &paths, &mounts), Some("/usr/bin/env".into()));
        for nothing in ["", "./env", "/usr/bin/env", "no-such-program", "sly"] {
            assert_eq!(resolve(nothing, &paths, &mounts), None, "{nothing}");
        }
    }

    #[test]
    fn a_tool_folder_that_leads_out_of_the_home_is_not_shown() {
        let at = tempfile::tempdir().expect("folder");
        let setup = setup(at.path());
        assert_eq!(
            tool_folders(&setup.home),
            [root::Mount::Read {
                host: at.path().join("home/.cargo/bin").canonicalize().expect("there"),
                inner: at.path().join("home/.cargo/bin"),
            }]
        );
    }

    #[test]
    fn only_listed_variables_reach_the_inside() {
        let at = tempfile::tempdir().expect("folder");
        let setup = setup(at.path());
        let person = SandboxUser::of(&setup.environment);
        assert!(person.uid != 0 && person.gid != 0);
        let variables = variables(&setup, &person, &["/usr/bin".into()]);
        let home = setup.home.to_str().expect("text");
        let expected = [
            ("GOPATH", "/go"),
            ("HOME", home),
            ("LC_ALL", "C.UTF-8"),
            ("PATH", "/usr/bin"),
            ("TERM", "dumb"),
            ("USER", "person"),
        ];
        let expected: BTreeMap<String, String> =
            expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(variables, expected);
    }
}
