//! A machine in small: a home with secrets, a checkout, a state root with two
//! runs, and sandboxes built on them.

use std::{
    collections::BTreeMap,
    fs::{self, Permissions},
    net::TcpListener,
    os::linux::net::SocketAddrExt,
    os::unix::{
        fs::PermissionsExt,
        net::{SocketAddr, UnixListener},
    },
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;
use trueup_core::criterion::Network;
use trueup_engine::{
    sandbox::{
        Bounds, Ended, Folder, Laying, Mode, Program, Purpose, ReadOnlyMount, Sandbox, Setup, Share, Veil,
        WritableMount,
    },
    stop::StopSource,
};

/// The name of every file no sandbox may find.
pub(crate) const MARKER: &str = "marker-of-what-is-hidden";

/// A key in the session of whoever builds a sandbox, where a test puts it.
pub(crate) const KEY: &str = "trueup-probe";

/// What a person keeps in a home and no sandbox may read.
const SECRETS: [&str; 7] = [
    ".ssh/id_test",
    ".netrc",
    ".config/gh/hosts.yml",
    ".aws/credentials",
    ".cargo/credentials.toml",
    ".local/state/keyring",
    ".npmrc",
];

pub(crate) struct Place {
    pub(crate) folder: TempDir,
    pub(crate) sandbox: Sandbox,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::allowing(Share::of_this_machine())
    }

    /// One whose sandboxes may take no more of the machine than this.
    pub(crate) fn allowing(share: Share) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("wall-")
            .tempdir_in("/tmp")
            .expect("folder");
        let at = folder.path();
        let hidden = [
            "state/runs/other.1",
            "state/workspaces/other.1",
            "state/results.git",
            "checkout",
        ];
        for secret in SECRETS {
            write(&at.join("home").join(secret), MARKER);
        }
        for place in hidden {
            write(&at.join(place).join(MARKER), MARKER);
        }
        write(&at.join("home/.cargo/bin/tool"), "#!/bin/sh\n");
        if let Some(script) = std::env::var_os("TRUEUP_WALL_BUBBLEWRAP") {
            let program = at.join("home/.cargo/bin/bwrap");
            write(&program, &script.into_string().expect("text"));
            fs::set_permissions(program, Permissions::from_mode(0o755)).expect("a program");
        }
        write(&at.join("home/.cargo/registry/index"), "");
        write(&at.join("extra/readable"), "readable");
        write(&at.join("state/store.git/objects/pack"), "");
        write(&at.join("state/workspaces/own.1/file"), "");
        let sandbox = Sandbox::new(Setup { share, ..setup(at) }).expect("a wall");
        Self { folder, sandbox }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// As a check is bounded.
    pub(crate) fn check(&self) -> Bounds {
        Bounds {
            tree: Folder::Plain(self.path("state/workspaces/own.1")),
            own: Vec::new(),
            network: Network::Off,
            egress: None,
            read: Vec::new(),
            write: Vec::new(),
            lay: Vec::new(),
            services: Vec::new(),
            sockets: Vec::new(),
            variables: BTreeMap::new(),
            alive: self.path("state/runs/alive"),
        }
    }

    /// As an agent is bounded.
    pub(crate) fn agent(&self) -> Bounds {
        Bounds {
            network: Network::On,
            lay: vec![ReadOnlyMount {
                host: self.path("state/store.git"),
                inner: self.path("state/store.git"),
            }],
            variables: BTreeMap::from([("TRUEUP_RUN".to_owned(), "own.1".to_owned())]),
            ..self.check()
        }
    }

    /// As a check is bounded whose tree and preparation are seen through veils.
    pub(crate) fn veiled(&self) -> Bounds {
        let under = self.path("state/layers/one/0");
        write(&under.join("kept"), "kept");
        let veil = |under: PathBuf, name: &str| {
            Folder::Veiled(Veil::hang(vec![under], self.path("state/rooms").join(name)).expect("a veil"))
        };
        Bounds {
            tree: veil(self.path("state/workspaces/own.1"), "tree"),
            own: vec![WritableMount {
                folder: veil(under, "prepared"),
                inner: PathBuf::from("/trueup/prepared"),
            }],
            ..self.check()
        }
    }

    pub(crate) async fn run(&self, bounds: &Bounds, argv: &[&str]) -> Ended {
        self.run_program(bounds, &program(argv)).await
    }

    pub(crate) async fn run_program(&self, bounds: &Bounds, program: &Program) -> Ended {
        let nobody = StopSource::default();
        self.sandbox.run(bounds, program, &nobody.token(), &mut |_, _| {}).await
    }

    /// Lays the probe and what it looks for into the tree.
    pub(crate) fn lay_probe(&self, listeners: &Listeners, skip: &[&str]) {
        let tree = self.path("state/workspaces/own.1");
        let secrets: Vec<PathBuf> = SECRETS
            .iter()
            .map(|secret| self.path("home").join(secret))
            .chain(["state/journal.db", "state/runs", "state/results.git", "checkout"].map(|name| self.path(name)))
            .collect();
        let targets = serde_json::json!({
            "marker": MARKER,
            "secrets": secrets,
            "variables": ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "SSH_AUTH_SOCK"],
            "writable": ["/trueup", "/tmp", "/dev", self.path("home")],
            "host_pid": std::process::id(),
            "port": listeners.tcp.local_addr().expect("address").port(),
            "abstract": listeners.name,
            "key": KEY,
            "skip": skip,
        });
        write(&self.path("state/journal.db"), "journal");
        write(&tree.join("probe.py"), include_str!("probe.py"));
        write(&tree.join("targets.json"), &targets.to_string());
    }
}

/// What of the host listens, for the probe to reach.
pub(crate) struct Listeners {
    tcp: TcpListener,
    name: String,
    _unix: UnixListener,
}

impl Listeners {
    pub(crate) fn open(place: &Place) -> Self {
        let name = place.folder.path().to_str().expect("text").to_owned();
        let address = SocketAddr::from_abstract_name(&name).expect("address");
        Self {
            tcp: TcpListener::bind("127.0.0.1:0").expect("listener"),
            _unix: UnixListener::bind_addr(&address).expect("listener"),
            name,
        }
    }
}

pub(crate) fn setup(at: &Path) -> Setup {
    let entry = std::env::var_os("TRUEUP_WALL_ENTRY").unwrap_or_else(|| env!("CARGO_BIN_EXE_trueup").into());
    let environment = [
        ("AWS_SECRET_ACCESS_KEY", MARKER),
        ("GITHUB_TOKEN", MARKER),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("USER", "someone"),
        ("LANG", "C.UTF-8"),
    ];
    Setup {
        secrets: Default::default(),
        entry: entry.into(),
        home: at.join("home"),
        path: format!("{}:/usr/local/bin:/usr/bin:/bin", at.join("home/.cargo/bin").display()).into(),
        repository: at.join("checkout"),
        read: vec![at.join("extra")],
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

pub(crate) fn program(argv: &[&str]) -> Program {
    Program {
        purpose: Purpose::Check,
        argv: argv.iter().map(|&word| word.to_owned()).collect(),
        stdin: Vec::new(),
        time_limit: Duration::from_secs(60),
        output_limit: 1 << 20,
    }
}

pub(crate) fn text(ended: &Ended) -> String {
    format!(
        "{:?}\n{}{}",
        ended.how,
        String::from_utf8_lossy(&ended.stdout.kept),
        String::from_utf8_lossy(&ended.stderr.kept)
    )
}

/// How often what may fail only sometimes is tried.
pub(crate) fn scaled(count: usize) -> usize {
    let scale = std::env::var("TRUEUP_TEST_SCALE")
        .ok()
        .and_then(|scale| scale.parse().ok());
    count * scale.unwrap_or(1)
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder above")).expect("folder");
    fs::write(path, text).expect("file");
}
