//! What an agent with the network of its model may reach, and how.
//!
//! Everything is closed that nobody named. What is compared is what will be
//! connected to: a scheme, a host and a port, letter by letter. So there is no
//! second spelling of a host that could be taken for a first one.

use alloc::{collections::BTreeMap, string::String};
use core::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};
use serde::{Deserialize, Serialize};

/// How much is told of a method that is none.
const LONGEST_METHOD: usize = 20;

/// Where a request goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site {
    /// How it is spoken to.
    pub scheme: Scheme,
    /// Its name or address, in small letters.
    pub host: String,
    /// Its port.
    pub port: u16,
}

/// How a site is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Encrypted.
    Https,
    /// In the clear.
    Http,
}

/// What may be asked of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// Anything.
    Any,
    /// What is there, and nothing is sent.
    Reading,
}

/// The sites an agent may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    sites: BTreeMap<Site, Requests>,
}

/// Why a request goes nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Barred {
    /// Nobody named the site.
    #[error("{0} is not among what this agent may reach")]
    Unnamed(Site),
    /// It may be read only.
    #[error("{site} may be read only, and {method} is no reading")]
    ReadOnly {
        /// Which site.
        site: Site,
        /// What was tried.
        method: String,
    },
    /// Something would be sent along with a request for reading.
    #[error("{0} may be read only, and nothing may be sent there")]
    Sends(Site),
    /// A name leads into this machine or to its neighbour on the wire.
    #[error("{site} leads to {address}, which is this machine's own")]
    Inwards {
        /// Which site.
        site: Site,
        /// Where it leads.
        address: IpAddr,
    },
}

/// What is wrong with a site as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a host like `packages.example.org` or `http://packages.example.org:8080`")]
pub struct NotASite(String);

impl Scheme {
    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
        }
    }

    const fn usual_port(self) -> u16 {
        match self {
            Self::Https => 443,
            Self::Http => 80,
        }
    }
}

impl Site {
    /// The site of this scheme, host and port, if that can be one.
    pub fn new(scheme: Scheme, host: &str, port: Option<u16>) -> Option<Self> {
        let host = host.to_ascii_lowercase();
        is_host(&host).then_some(Self {
            scheme,
            host,
            port: port.unwrap_or(scheme.usual_port()),
        })
    }

    /// Reads `HOST`, `HOST:PORT`, or one of them behind `https://` or `http://`.
    pub fn read(text: &str) -> Result<Self, NotASite> {
        let wrong = || NotASite(text.into());
        let (scheme, rest) = match text.split_once("://") {
            None => (Scheme::Https, text),
            Some(("https", rest)) => (Scheme::Https, rest),
            Some(("http", rest)) => (Scheme::Http, rest),
            Some(_) => return Err(wrong()),
        };
        // An address of the newer kind holds colons, and stands in brackets.
        let end = rest.rfind(']').map_or(0, |end| end + 1);
        let (host, port) = match rest.get(end..).and_then(|tail| tail.find(':')) {
            Some(colon) => {
                let (host, port) = rest.split_at(end + colon);
                let port = port.get(1..).and_then(|port| port.parse().ok());
                (host, Some(port.ok_or_else(wrong)?))
            }
            None => (rest, None),
        };
        Self::new(scheme, host, port).ok_or_else(wrong)
    }

    /// The address it is, if it is none by name.
    pub fn address(&self) -> Option<IpAddr> {
        let bare = self.host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        bare.unwrap_or(&self.host).parse().ok()
    }

    /// Whether it is this machine by its name or address; the address that is
    /// none leads here as well.
    pub fn is_this_machine(&self) -> bool {
        let address = self.address().map(|address| address.to_canonical());
        self.host == "localhost" || address.is_some_and(|address| address.is_loopback() || address.is_unspecified())
    }

    /// Whether it may lead to this address. One that is named by its address,
    /// or as this machine, was meant so. Another name that leads into the
    /// machine was not: whoever answers for names would open what is closed.
    pub fn may_lead_to(&self, address: IpAddr) -> Result<(), Barred> {
        let meant = self.host == "localhost" || self.address().is_some();
        if meant || !is_inwards(address) {
            return Ok(());
        }
        let site = self.clone();
        Err(Barred::Inwards { site, address })
    }
}

/// Letters, digits, dots and hyphens, or an address in brackets; nothing that
/// two readers could read differently.
fn is_host(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[') {
        let inner = inner.strip_suffix(']').unwrap_or_default();
        return inner.parse::<Ipv6Addr>().is_ok();
    }
    let is_label = |label: &str| {
        let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
        (1..=63).contains(&label.len()) && label.bytes().all(known)
    };
    host.len() <= 253 && host.split('.').all(is_label)
}

/// Where clouds hand out keys beside the addresses of the link.
const KEYS_OF_CLOUDS: [IpAddr; 3] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];

/// Whether an address is this machine's loopback, or one that every machine has
/// for its surroundings.
fn is_inwards(address: IpAddr) -> bool {
    let address = address.to_canonical();
    let is_near = match address {
        IpAddr::V4(four) => four.is_loopback() || four.is_unspecified() || four.is_link_local() || four.is_broadcast(),
        IpAddr::V6(six) => six.is_loopback() || six.is_unspecified() || six.is_unicast_link_local(),
    };
    is_near || KEYS_OF_CLOUDS.contains(&address)
}

/// Whether a path lies below another one, whoever reads it: no step of it may
/// lead up again, or be read as one that does.
pub fn is_below(path: &str, base: &str) -> bool {
    let plain = path.split('?').next().unwrap_or_default();
    let leads_up = plain.split('/').any(|step| {
        let step = step.to_ascii_lowercase().replace("%2e", ".");
        step == ".." || step.contains("%2f") || step.contains("%5c") || step.contains('\\')
    });
    let rest = plain.strip_prefix(base);
    !leads_up && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Reach {
    /// Opens a site. What may be asked anything stays so.
    pub fn open(&mut self, site: Site, requests: Requests) {
        let known = self.sites.entry(site).or_insert(requests);
        if requests == Requests::Any {
            *known = requests;
        }
    }

    /// Whether a request may go there.
    pub fn judge(&self, method: &str, site: &Site) -> Result<Requests, Barred> {
        match self.sites.get(site) {
            None => Err(Barred::Unnamed(site.clone())),
            Some(Requests::Reading) if !matches!(method, "GET" | "HEAD") => Err(Barred::ReadOnly {
                site: site.clone(),
                method: method.chars().take(LONGEST_METHOD).collect(),
            }),
            Some(requests) => Ok(*requests),
        }
    }

    /// Whether anything may be asked there at all.
    pub fn knows(&self, site: &Site) -> Result<(), Barred> {
        match self.sites.contains_key(site) {
            true => Ok(()),
            false => Err(Barred::Unnamed(site.clone())),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.word(), self.host)?;
        if self.port == self.scheme.usual_port() {
            return Ok(());
        }
        write!(f, ":{}", self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::{Barred, Reach, Requests, Scheme, Site, is_below};
    use alloc::string::ToString;

    fn site(text: &str) -> Site {
        Site::read(text).expect("a site")
    }

    #[test]
    fn a_site_is_read_in_its_few_forms_alone() {
        for (text, read) in [
            ("packages.example.org", "https://packages.example.org"),
            ("Packages.Example.ORG:443", "https://packages.example.org"),
            ("https://a.example:8443", "https://a.example:8443"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://[::1]:7", "http://[::1]:7"),
            ("[2001:db8::1]", "https://[2001:db8::1]"),
        ] {
            assert_eq!(site(text).to_string(), read);
        }
        for wrong in [
            "",
            "a..b",
            "a.example.",
            "user@a.example",
            "a.example/path",
            "a.example:",
            "a.example:99999",
            "a.example\0.evil",
            "a.exa mple",
            "é.example",
            "*.example",
            "ftp://a.example",
            "[::1",
            "[a]",
            "a%2eexample",
        ] {
            assert!(Site::read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_nobody_named_is_closed_and_a_registry_is_read_only() {
        let mut reach = Reach::default();
        reach.open(site("model.example"), Requests::Any);
        reach.open(site("packages.example"), Requests::Reading);
        assert_eq!(reach.judge("POST", &site("model.example")), Ok(Requests::Any));
        assert_eq!(reach.judge("GET", &site("packages.example")), Ok(Requests::Reading));
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get"] {
            let barred = reach.judge(method, &site("packages.example"));
            assert!(matches!(barred, Err(Barred::ReadOnly { .. })), "{method}");
        }
        for closed in [
            "x.model.example",
            "model.example.evil",
            "model.example:8443",
            "http://model.example",
            "127.0.0.1",
            "2130706433",
        ] {
            assert!(reach.judge("GET", &site(closed)).is_err(), "{closed}");
        }
        reach.open(site("model.example"), Requests::Reading);
        assert_eq!(reach.judge("POST", &site("model.example")), Ok(Requests::Any));
    }

    #[test]
    fn a_path_below_another_never_leads_up_again() {
        for (path, base) in [
            ("/v1/messages?x=..", ""),
            ("/llm/v1/x", "/llm/v1"),
            ("/llm/v1", "/llm/v1"),
            ("/", ""),
        ] {
            assert!(is_below(path, base), "{path} {base}");
        }
        for path in [
            "/llm",
            "/llm/v10/x",
            "/admin",
            "/llm/v1/../admin",
            "/llm/v1/%2e%2E/admin",
            "/llm/v1/.%2e/admin",
            "/llm/v1/..%2fadmin",
            "/llm/v1/..\\admin",
        ] {
            assert!(!is_below(path, "/llm/v1"), "{path}");
        }
    }

    #[test]
    fn a_name_leads_into_this_machine_only_where_it_says_so() {
        let leads = |text: &str, to: &str| site(text).may_lead_to(to.parse().expect("an address"));
        for inwards in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "169.254.169.254",
            "::1",
            "::",
            "fe80::1",
            "::ffff:127.0.0.1",
            "100.100.100.200",
            "fd00:ec2::254",
        ] {
            assert!(leads("a.example", inwards).is_err(), "{inwards}");
            assert!(leads("http://localhost:1", inwards).is_ok(), "{inwards}");
        }
        for outwards in ["192.0.2.7", "10.0.0.7", "2001:db8::1"] {
            assert!(leads("a.example", outwards).is_ok(), "{outwards}");
        }
        assert!(leads("http://127.0.0.1:8080", "127.0.0.1").is_ok());
        assert_eq!(site("http://x").scheme, Scheme::Http);
    }
}
