//! The world outside: hosts that answer behind the person's own proxy, and
//! whoever listens on the person's machine.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixListener},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use tempfile::TempDir;

/// Every host that answers behind the person's proxy.
const HOSTS: [&str; 6] = [
    "packages.example",
    "listed.example",
    "model.example",
    "evil.example",
    "api.anthropic.com",
    "chatgpt.com",
];

/// Hosts that answer; gone when it is dropped.
pub(crate) struct Outside {
    folder: TempDir,
    proxy: Child,
    port: u16,
}

impl Outside {
    pub(crate) fn open() -> Self {
        Self::with(None)
    }

    /// The same, where hosts of models answer as the scripted one on this port.
    pub(crate) fn before(model: u16) -> Self {
        Self::with(Some(model))
    }

    fn with(model: Option<u16>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        certify(folder.path());
        let script = folder.path().join("outside.py");
        fs::write(&script, include_str!("outside.py")).expect("a script");
        fs::write(folder.path().join("log.jsonl"), "").expect("a log");
        let mut proxy = Command::new("python3")
            .arg(&script)
            .arg(folder.path())
            .args(model.map(|port| port.to_string()))
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3");
        let mut line = String::new();
        let mut said = BufReader::new(proxy.stdout.take().expect("its output"));
        said.read_line(&mut line).expect("its port");
        let port = line.trim().parse().expect("a port");
        Self { folder, proxy, port }
    }

    /// The proxy through which the person's programs go.
    pub(crate) fn proxy(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The certificates that the person's machine believes.
    pub(crate) fn believed(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Everything that was asked out there so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.path().join("log.jsonl")).expect("a log");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        drop(self.proxy.kill());
        drop(self.proxy.wait());
    }
}

/// Writes an authority, and a certificate of its for every host.
fn certify(folder: &Path) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority");
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new(HOSTS.map(str::to_owned)).expect("names");
    let site = params.signed_by(&key, &authority).expect("a certificate");
    for (name, text) in [
        ("authority.pem", authority.pem()),
        ("site.pem", site.pem()),
        ("site.key", key.serialize_pem()),
    ] {
        fs::write(folder.join(name), text).expect("a file");
    }
}

/// Whoever listens on the person's machine, on every kind of socket.
pub(crate) struct Listeners {
    tcp: TcpListener,
    tcp6: TcpListener,
    udp: UdpSocket,
    named: UnixListener,
    placed: UnixListener,
    name: String,
    place: PathBuf,
    _folder: TempDir,
}

impl Listeners {
    pub(crate) fn open() -> Self {
        let folder = tempfile::tempdir_in("/tmp").expect("a folder");
        let name = format!("trueup-egress-{}", std::process::id());
        let place = folder.path().join("socket");
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let listeners = Self {
            // On every address of the machine: whichever is reached counts.
            tcp: TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).expect("a listener"),
            tcp6: TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).expect("a listener"),
            udp: UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).expect("a socket"),
            named: UnixListener::bind_addr(&address).expect("a listener"),
            placed: UnixListener::bind(&place).expect("a listener"),
            name,
            place,
            _folder: folder,
        };
        let Self {
            tcp,
            tcp6,
            udp,
            named,
            placed,
            ..
        } = &listeners;
        let still = [
            tcp.set_nonblocking(true),
            tcp6.set_nonblocking(true),
            udp.set_nonblocking(true),
            named.set_nonblocking(true),
            placed.set_nonblocking(true),
        ];
        assert!(still.iter().all(Result::is_ok));
        listeners
    }

    /// What whoever wants out is told of them.
    pub(crate) fn targets(&self, outside: &Outside) -> Value {
        json!({
            "tcp": self.tcp.local_addr().expect("an address").port(),
            "tcp6": self.tcp6.local_addr().expect("an address").port(),
            "udp": self.udp.local_addr().expect("an address").port(),
            "abstract": self.name,
            "path": self.place,
            "proxy": outside.port,
            "address": own_address(),
        })
    }

    /// How many of them somebody reached.
    pub(crate) fn reached(&self) -> Vec<&'static str> {
        let mut buffer = [0; 16];
        let reached = [
            ("tcp", self.tcp.accept().is_ok()),
            ("tcp6", self.tcp6.accept().is_ok()),
            ("udp", self.udp.recv(&mut buffer).is_ok()),
            ("abstract", self.named.accept().is_ok()),
            ("path", self.placed.accept().is_ok()),
        ];
        reached
            .into_iter()
            .filter_map(|(name, yes)| yes.then_some(name))
            .collect()
    }
}

/// The address other machines would know this one by, or loopback without one.
fn own_address() -> IpAddr {
    let found = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        // Nothing is sent: it only chooses by which address it would be.
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    found.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}
