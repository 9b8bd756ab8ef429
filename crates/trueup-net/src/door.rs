//! The door of one sandbox: a port on its own loopback, listened on from outside.

use crate::egress::{Answer, Egress};
use http_body_util::{BodyExt, Empty};
use hyper::{
    Method, Request, Response,
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
    upgrade::OnUpgrade,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ServerConfig;
use std::{
    convert::Infallible,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::{JoinHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;
use trueup_core::reach::Site;

/// How many connections are held at a time; whoever wants more waits.
const MOST_CONNECTIONS: usize = 256;

/// How long a greeting, or a request's head, may take to come.
const HEAD_WITHIN: Duration = Duration::from_secs(30);

/// How long nothing is taken after the system refused a connection.
const AGAIN: Duration = Duration::from_millis(100);

/// An open door. Dropped, it is closed, and every connection through it is cut.
#[derive(Debug)]
pub struct Door(JoinHandle<()>);

/// A tunnel that was granted and not built yet.
type Granted = Arc<Mutex<Option<(OnUpgrade, Site, Arc<ServerConfig>)>>>;

impl Door {
    /// Opens the door behind which this proxy listens. Must be called from a
    /// tokio runtime.
    pub fn open(egress: Arc<Egress>, listener: std::net::TcpListener) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        Ok(Self(tokio::spawn(attend(egress, listener))))
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn attend(egress: Arc<Egress>, listener: TcpListener) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                // What a model says word by word is not to wait for more words.
                drop(stream.set_nodelay(true));
                let egress = Arc::clone(&egress);
                connections.spawn(async move {
                    converse(&egress, stream).await;
                    drop(place);
                });
            }
            Err(_) => tokio::time::sleep(AGAIN).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

/// Answers one connection to its end, and the tunnel it may become.
async fn converse(egress: &Arc<Egress>, stream: TcpStream) {
    let granted = Granted::default();
    let answering = service_fn(|request| {
        let (egress, granted) = (Arc::clone(egress), Arc::clone(&granted));
        async move { Ok::<_, Infallible>(answer(&egress, &granted, request).await) }
    });
    let connection = server().serve_connection(TokioIo::new(stream), answering);
    // Whoever hangs up, or speaks no HTTP, is owed no more.
    drop(connection.with_upgrades().await);
    let taken = granted.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some((upgrade, site, config)) = taken else { return };
    let Ok(upgraded) = upgrade.await else { return };
    let greeting = TlsAcceptor::from(config).accept(TokioIo::new(upgraded));
    let Ok(Ok(stream)) = tokio::time::timeout(HEAD_WITHIN, greeting).await else {
        return;
    };
    speak_for(egress, site, stream).await;
}

async fn answer(egress: &Egress, granted: &Granted, mut request: Request<Incoming>) -> Answer {
    if request.method() != Method::CONNECT {
        return egress.answer(request).await;
    }
    match egress.tunnel(&request) {
        Ok((site, config)) => {
            let tunnel = (hyper::upgrade::on(&mut request), site, config);
            *granted.lock().unwrap_or_else(PoisonError::into_inner) = Some(tunnel);
            Response::new(Empty::<Bytes>::new().map_err(|never| match never {}).boxed())
        }
        Err(refused) => *refused,
    }
}

/// Answers in the name of a site, request by request.
async fn speak_for(egress: &Arc<Egress>, site: Site, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
    let answering = service_fn(|request| {
        let (egress, site) = (Arc::clone(egress), site.clone());
        async move { Ok::<_, Infallible>(egress.answer_for(site, request).await) }
    });
    drop(server().serve_connection(TokioIo::new(stream), answering).await);
}

fn server() -> http1::Builder {
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN);
    server
}
