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
    fmt, io,
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
#[derive(Clone, Default)]
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

impl fmt::Debug for Proxies {
    /// Never the address, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxies").finish_non_exhaustive()
    }
}

type Direct = HttpsConnector<HttpConnector<CarefulResolver>>;
type Tunnelled = HttpsConnector<Tunnel<HttpConnector<GaiResolver>>>;

/// What goes through the person's proxy, and who asks there.
type Through = (Matcher, Client<Tunnelled, Incoming>);

/// Who asks the outside.
pub(crate) struct Upstream {
    direct: Client<Direct, Incoming>,
    tunnelled: Option<Through>,
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
        http.set_nodelay(true);
        let https = HttpsConnectorBuilder::new().with_tls_config(tls.clone());
        let direct =
            Client::builder(TokioExecutor::new()).build(https.https_or_http().enable_http1().wrap_connector(http));
        Ok(Self {
            direct,
            tunnelled: tunnelled(proxies, tls)?,
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

/// Whoever goes through the person's proxy, and for what. A proxy that cannot
/// be used is said, and never gone around.
fn tunnelled(proxies: &Proxies, tls: ClientConfig) -> Result<Option<Through>, Flaw> {
    let Some(proxy) = proxies.proxy.clone() else {
        return Ok(None);
    };
    let unusable = "the proxy in HTTPS_PROXY or ALL_PROXY cannot be used: only `http://HOST:PORT` can";
    let anywhere = Uri::from_static("https://example.invalid");
    let taken = Matcher::builder().https(proxy.clone()).build().intercept(&anywhere);
    let taken = taken.filter(|taken| taken.uri().scheme_str() == Some("http"));
    let taken = taken.ok_or(unusable)?;
    let no_proxy = proxies.no_proxy.clone().unwrap_or_default();
    let proxies = Matcher::builder().https(proxy).no(no_proxy).build();
    let mut http = HttpConnector::new();
    http.set_connect_timeout(Some(CONNECTED_WITHIN));
    http.set_nodelay(true);
    let mut tunnel = Tunnel::new(taken.uri().clone(), http);
    if let Some(auth) = taken.basic_auth() {
        tunnel = tunnel.with_auth(auth.clone());
    }
    let https = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_only()
        .enable_http1();
    let client = Client::builder(TokioExecutor::new()).build(https.wrap_connector(tunnel));
    Ok(Some((proxies, client)))
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

#[cfg(test)]
mod tests {
    use super::{Proxies, Upstream};
    use rustls::crypto::ring;
    use std::sync::Arc;

    #[tokio::test]
    async fn a_proxy_that_cannot_be_used_is_said_and_never_gone_around() {
        let upstream = |proxy: &str| {
            let proxies = Proxies {
                proxy: Some(proxy.to_owned()),
                no_proxy: Some("*".to_owned()),
            };
            Upstream::new(&proxies, Arc::new(ring::default_provider()))
        };
        assert!(upstream("http://me:word@proxy.example:3128").is_ok());
        assert!(upstream("proxy.example:3128").is_ok());
        for unusable in [
            "socks5h://127.0.0.1:1080",
            "https://proxy.example",
            "htp://proxy.example",
            "a b",
        ] {
            let said = upstream(unusable).err().map(|flaw| flaw.to_string());
            assert!(said.is_some_and(|said| said.contains("HTTPS_PROXY")), "{unusable}");
        }
        let shown = format!(
            "{:?}",
            Proxies {
                proxy: Some("http://me:word@p".to_owned()),
                no_proxy: None
            }
        );
        assert!(!shown.contains("word"));
    }
}
