//! What a proxy lets through, and what it says to whom it does not.

use crate::{
    authority::{Authority, Flaw},
    key::{HeldKey, put_in},
    upstream::{Proxies, Upstream},
};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    Method, Request, Response, StatusCode, Uri,
    body::{Body, Bytes, Incoming},
    header::{
        CONNECTION, HOST, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING,
        UPGRADE,
    },
    http::uri::{Authority as Named, PathAndQuery},
};
use rustls::{ServerConfig, crypto::ring};
use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};
use trueup_core::reach::{Barred, Reach, Requests, Scheme, Site, is_below};

/// How many refusals are told of one turn.
const MOST_REFUSALS: usize = 50;

/// Headers that are about one connection, and not about what is asked.
const OF_THE_CONNECTION: [HeaderName; 8] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// What one agent may reach.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Hosts, and what may be asked of each.
    pub reach: Reach,
    /// Its models.
    pub routes: Vec<Route>,
    /// How the person's own programs reach the network.
    pub proxies: Proxies,
}

/// A model, as the inside finds it: `/NAME` of the door is the site itself.
#[derive(Clone, Debug)]
pub struct Route {
    /// The first part of its paths inside.
    pub name: String,
    /// Where it is.
    pub site: Site,
    /// The path below which it is, without a slash at its end.
    pub path: String,
    /// The keys it is shown.
    pub keys: Vec<HeldKey>,
}

/// The proxy of one agent.
pub struct Egress {
    plan: Plan,
    authority: Authority,
    upstream: Upstream,
    refused: Mutex<BTreeSet<String>>,
}

/// Why there is no proxy.
#[derive(Debug, thiserror::Error)]
#[error("the agent's network cannot be had: {0}")]
pub struct Error(#[source] Flaw);

/// What is answered.
pub(crate) type Answer = Response<BoxBody<Bytes, hyper::Error>>;

/// Why a request went nowhere, and what is said of it.
struct Refusal(StatusCode, String);

impl Egress {
    /// A proxy that lets through what is planned.
    pub fn new(plan: Plan) -> Result<Self, Error> {
        let provider = Arc::new(ring::default_provider());
        Ok(Self {
            authority: Authority::new(Arc::clone(&provider)).map_err(Error)?,
            upstream: Upstream::new(&plan.proxies, provider).map_err(Error)?,
            plan,
            refused: Mutex::default(),
        })
    }

    /// The certificate that the inside must be told to believe.
    pub fn certificate(&self) -> String {
        self.authority.certificate()
    }

    /// What was refused since this was last asked, each once.
    pub fn refusals(&self) -> Vec<String> {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *refused).into_iter().collect()
    }

    /// Answers what is asked at the door itself.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Answer {
        let answered = match request.uri().scheme_str() {
            None => self.to_model(request).await,
            Some("http") => match site_of(Scheme::Http, request.uri().authority()) {
                Some(site) => self.pass_on(site, request).await,
                None => Err(malformed()),
            },
            Some(_) => Err(malformed()),
        };
        self.tell(answered)
    }

    /// Answers what is asked inside a tunnel to a site.
    pub(crate) async fn answer_for(&self, site: Site, request: Request<Incoming>) -> Answer {
        let answered = self.pass_on(site, request).await;
        self.tell(answered)
    }

    /// Where a `CONNECT` leads, and how that host is spoken for.
    pub(crate) fn tunnel(&self, request: &Request<Incoming>) -> Result<(Site, Arc<ServerConfig>), Box<Answer>> {
        self.granted(request.uri())
            .map_err(|refusal| Box::new(self.tell(Err(refusal))))
    }

    fn granted(&self, to: &Uri) -> Result<(Site, Arc<ServerConfig>), Refusal> {
        let site = site_of(Scheme::Https, to.authority()).ok_or_else(malformed)?;
        self.plan.reach.knows(&site).map_err(|barred| refusal(&barred))?;
        let config = self.authority.speaks_for(&site.host);
        let config = config.map_err(|flaw| unreachable(&site, &flaw))?;
        Ok((site, config))
    }

    /// Lets a request go on to a site, if it may be asked that.
    async fn pass_on(&self, site: Site, mut request: Request<Incoming>) -> Result<Answer, Refusal> {
        let method = request.method().as_str();
        let requests = self
            .plan
            .reach
            .judge(method, &site)
            .map_err(|barred| refusal(&barred))?;
        if requests == Requests::Reading && !request.body().is_end_stream() {
            return Err(refusal(&Barred::Sends(site)));
        }
        if !names_only(&site, &request) {
            let what = format!("this connection is for {site}");
            return Err(Refusal(StatusCode::MISDIRECTED_REQUEST, what));
        }
        let path = request.uri().path_and_query().cloned();
        *request.uri_mut() = uri(&site, path).ok_or_else(malformed)?;
        self.ask(&site, request).await
    }

    /// Lets a request go on to a model of the agent's, with its key.
    async fn to_model(&self, mut request: Request<Incoming>) -> Result<Answer, Refusal> {
        // Whoever answers a trace tells every header it was shown, the key among them.
        if matches!(*request.method(), Method::CONNECT | Method::TRACE) {
            return Err(malformed());
        }
        let (route, path) = self.route(request.uri()).ok_or_else(|| {
            let what = "nothing is here: this is the network of a sandbox, not a server";
            Refusal(StatusCode::NOT_FOUND, what.to_owned())
        })?;
        *request.uri_mut() = uri(&route.site, Some(path)).ok_or_else(malformed)?;
        if put_in(&route.keys, request.headers_mut()).is_err() {
            let what = format!(
                "{} is asked with the key that was given, and with no other one",
                route.site
            );
            return Err(Refusal(StatusCode::FORBIDDEN, what));
        }
        self.ask(&route.site, request).await
    }

    /// The model that a path leads to, and what is asked of it.
    fn route(&self, uri: &Uri) -> Option<(&Route, PathAndQuery)> {
        let whole = uri.path_and_query()?.as_str().strip_prefix('/')?;
        let end = whole.find(['/', '?']).unwrap_or(whole.len());
        let (name, rest) = whole.split_at(end);
        let route = self.plan.routes.iter().find(|route| route.name == name)?;
        let path = if rest.starts_with('/') {
            rest.to_owned()
        } else {
            format!("/{rest}")
        };
        let path: PathAndQuery = path.parse().ok()?;
        is_below(path.as_str(), &route.path).then_some((route, path))
    }

    async fn ask(&self, site: &Site, mut request: Request<Incoming>) -> Result<Answer, Refusal> {
        cut_connection_headers(request.headers_mut());
        // The client writes the one that belongs to the address.
        request.headers_mut().remove(HOST);
        let response = self
            .upstream
            .ask(site, request)
            .await
            .map_err(|flaw| unreachable(site, &flaw))?;
        let mut response = response.map(BodyExt::boxed);
        cut_connection_headers(response.headers_mut());
        Ok(response)
    }

    /// The answer, or what is said instead. What was refused is remembered.
    fn tell(&self, answered: Result<Answer, Refusal>) -> Answer {
        let Refusal(status, why) = match answered {
            Ok(answer) => return answer,
            Err(refusal) => refusal,
        };
        tracing::info!(%status, %why, "a request of an agent went nowhere");
        if status == StatusCode::FORBIDDEN {
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            if refused.len() < MOST_REFUSALS {
                refused.insert(why.clone());
            }
        }
        let text = format!("trueup: {why}\n");
        let mut answer = Response::new(Full::new(Bytes::from(text)).map_err(|never| match never {}).boxed());
        *answer.status_mut() = status;
        let plain = HeaderValue::from_static("text/plain; charset=utf-8");
        answer.headers_mut().insert(hyper::header::CONTENT_TYPE, plain);
        answer
    }
}

/// Whether whatever a request names is this site. Who names one host to the
/// proxy and another one to the server would speak to the second.
fn names_only(site: &Site, request: &Request<Incoming>) -> bool {
    let is_it = |named: Option<&Named>| site_of(site.scheme, named).as_ref() == Some(site);
    let uri = request.uri();
    let by_address = uri
        .authority()
        .is_none_or(|named| is_it(Some(named)) && uri.scheme_str() == Some(site.scheme.word()));
    let mut hosts = request.headers().get_all(HOST).iter();
    let by_header = hosts.all(|host| is_it(host.to_str().ok().and_then(|host| host.parse().ok()).as_ref()));
    by_address && by_header
}

/// The site that an authority names. A name with somebody in front of it could
/// be read as either.
fn site_of(scheme: Scheme, authority: Option<&Named>) -> Option<Site> {
    let authority = authority.filter(|authority| !authority.as_str().contains('@'))?;
    let port = match authority.port() {
        Some(port) => Some(port.as_str().parse().ok()?),
        None => None,
    };
    Site::new(scheme, authority.host(), port)
}

fn uri(site: &Site, path: Option<PathAndQuery>) -> Option<Uri> {
    let mut parts = hyper::http::uri::Parts::default();
    parts.scheme = Some(site.scheme.word().parse().ok()?);
    parts.authority = Some(format!("{}:{}", site.host, site.port).parse().ok()?);
    parts.path_and_query = Some(path.unwrap_or(PathAndQuery::from_static("/")));
    Uri::from_parts(parts).ok()
}

/// Takes out what is about a connection, and what that names besides.
fn cut_connection_headers(headers: &mut HeaderMap) {
    let named = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let named: Vec<HeaderName> = named
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&OF_THE_CONNECTION) {
        headers.remove(name);
    }
}

fn malformed() -> Refusal {
    Refusal(StatusCode::BAD_REQUEST, "that is no request to a host".to_owned())
}

fn refusal(barred: &Barred) -> Refusal {
    let how = match barred {
        Barred::Unnamed(site) => format!(
            "; a person can open it with `reach = [\"{site}\"]`, or with `registries` for reading alone, in this agent's table"
        ),
        Barred::ReadOnly { .. } | Barred::Sends(_) => "; a person can open it for everything with `reach`".to_owned(),
        Barred::Inwards { .. } => String::new(),
    };
    Refusal(StatusCode::FORBIDDEN, format!("{barred}{how}"))
}

/// What the outside said, with every reason behind it.
fn unreachable(site: &Site, flaw: &Flaw) -> Refusal {
    let mut why = flaw.to_string();
    let mut cause = flaw.source();
    while let Some(deeper) = cause {
        why = format!("{why}: {deeper}");
        cause = deeper.source();
    }
    Refusal(StatusCode::BAD_GATEWAY, format!("{site} cannot be reached: {why}"))
}

impl fmt::Debug for Egress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Egress")
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}
