//! Connections to the outside: directly, or through the proxy that the
//! person's own programs go through.

use crate::authority::Flaw;
use hyper::{Request, Response, Uri, body::Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::{
        legacy::{
            Client,
            connect::{
                HttpConnector,
                dns::{GaiResolver, Name},
                proxy::Tunnel,
            },
        },
        proxy::matcher::Matcher,
    },
    rt::TokioExecutor,
};
use rustls::{ClientConfig, RootCertStore, crypto::CryptoProvider};
use std::{
    collections::BTreeMap,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tower_service::Service as Ask;
use trueup_core::reach::{Scheme, Site};

/// How long a connection may take to stand.
const CONNECTED_WITHIN: Duration = Duration::from_secs(30);

/// How the person's own programs reach the network.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// The proxy for what is encrypted, if there is one.
    pub proxy: Option<String>,
    /// What is reached without it.
    pub no_proxy: Option<String>,
}

impl Proxies {
    /// As a person's variables say.
    pub fn of(environment: &BTreeMap<String, String>) -> Self {
        let said = |names: [&str; 2]| {
            let mut values = names.into_iter().filter_map(|name| environment.get(name));
            values.find(|value| !value.is_empty()).cloned()
        };
        Self {
            proxy: said(["https_proxy", "HTTPS_PROXY"]).or_else(|| said(["all_proxy", "ALL_PROXY"])),
            no_proxy: said(["no_proxy", "NO_PROXY"]),
        }
    }
}

type Direct = HttpsConnector<HttpConnector<CarefulResolver>>;
type Tunnelled = HttpsConnector<Tunnel<HttpConnector<GaiResolver>>>;

/// Who asks the outside.
pub(crate) struct Upstream {
    direct: Client<Direct, Incoming>,
    tunnelled: Option<(Matcher, Client<Tunnelled, Incoming>)>,
}

impl Upstream {
    pub(crate) fn new(proxies: &Proxies, provider: Arc<CryptoProvider>) -> Result<Self, Flaw> {
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots())
            .with_no_client_auth();
        let mut http = HttpConnector::new_with_resolver(CarefulResolver(GaiResolver::new()));
        http.enforce_http(false);
        http.set_connect_timeout(Some(CONNECTED_WITHIN));
        let https = HttpsConnectorBuilder::new().with_tls_config(tls.clone());
        let direct =
            Client::builder(TokioExecutor::new()).build(https.https_or_http().enable_http1().wrap_connector(http));
        Ok(Self {
            direct,
            tunnelled: tunnelled(proxies, tls),
        })
    }

    /// Asks. What is encrypted goes through the person's proxy where there is one.
    pub(crate) async fn ask(&self, site: &Site, request: Request<Incoming>) -> Result<Response<Incoming>, Flaw> {
        let through = self
            .tunnelled
            .as_ref()
            .filter(|(proxies, _)| site.scheme == Scheme::Https && proxies.intercept(request.uri()).is_some());
        match through {
            Some((_, client)) => Ok(client.request(request).await?),
            None => Ok(self.direct.request(request).await?),
        }
    }
}

/// Whom the machine believes. One that believes nobody reaches nothing encrypted.
fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!(%error, "some of this machine's certificates cannot be read");
    }
    roots.add_parsable_certificates(found.certs);
    roots
}

fn tunnelled(proxies: &Proxies, tls: ClientConfig) -> Option<(Matcher, Client<Tunnelled, Incoming>)> {
    let proxy = proxies.proxy.clone()?;
    let proxies = Matcher::builder()
        .https(proxy)
        .no(proxies.no_proxy.clone().unwrap_or_default())
        .build();
    let anywhere = Uri::from_static("https://example.invalid");
    let taken = proxies.intercept(&anywhere)?;
    let mut http = HttpConnector::new();
    http.set_connect_timeout(Some(CONNECTED_WITHIN));
    let mut tunnel = Tunnel::new(taken.uri().clone(), http);
    if let Some(auth) = taken.basic_auth() {
        tunnel = tunnel.with_auth(auth.clone());
    }
    let https = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_only()
        .enable_http1();
    Some((
        proxies,
        Client::builder(TokioExecutor::new()).build(https.wrap_connector(tunnel)),
    ))
}

/// Looks names up, and takes no answer that leads into this machine for a name
/// that does not say so. What it answers is what is connected to.
#[derive(Clone)]
pub(crate) struct CarefulResolver(GaiResolver);

impl Ask<Name> for CarefulResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, io::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let site = Site::new(Scheme::Https, name.as_str(), None);
        let found = self.0.call(name);
        Box::pin(async move {
            let site = site.ok_or_else(|| io::Error::other("that is no name of a host"))?;
            let found: Vec<SocketAddr> = found.await?.collect();
            for address in &found {
                site.may_lead_to(address.ip()).map_err(io::Error::other)?;
            }
            Ok(found.into_iter())
        })
    }
}
