//! A model that says what a script tells it to, over the protocols of real
//! ones, so that real agents can be driven without a network and without
//! tokens.
//!
//! It listens on loopback alone. `docs/model-server.md` describes scripts as
//! files; here they are values.

mod script;

mod reply;

mod ids;

mod play;

mod answer;

mod anthropic;

mod responses;

mod chat;

mod sign_in;

mod routes;

pub use play::Request;
pub use reply::{ApiError, Cut, Failure, Hang, Reply, ToolCall, Usage};
pub use script::{Script, Scripts, Then};
pub use sign_in::{SignInCounts, Tokens};

use play::Play;
use routes::ServerState;
use std::{fs::File, io, net::Ipv4Addr, sync::Arc, thread, time::Duration};
use tokio::{net::TcpListener, runtime, sync::oneshot};

/// A running server; it ends when it is dropped, together with every
/// connection that still hangs.
#[derive(Debug)]
pub struct ModelServer {
    /// The port on 127.0.0.1.
    pub port: u16,
    theatre: Arc<ServerState>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl ModelServer {
    /// Starts a server for an asynchronous test.
    ///
    /// # Panics
    /// Loopback cannot be listened on.
    pub async fn start(scripts: impl Into<Scripts> + Send) -> Self {
        // Its own thread keeps it answering while the test's thread is busy.
        Self::spawn(scripts)
    }

    /// Starts a server from anywhere, on a thread of its own.
    ///
    /// # Panics
    /// Loopback cannot be listened on.
    #[expect(clippy::expect_used, reason = "a test without its model is over")]
    pub fn spawn(scripts: impl Into<Scripts>) -> Self {
        Self::open(scripts, 0, None).expect("a server on loopback")
    }

    /// Starts a server on this port (0 for any) that appends each request to
    /// the log.
    ///
    /// # Errors
    /// The port cannot be listened on.
    pub fn open(scripts: impl Into<Scripts>, port: u16, log: Option<File>) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let theatre = Arc::new(ServerState::new(Play::new(scripts.into(), log)));
        let (stop, stopped) = oneshot::channel();
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let router = routes::router(Arc::clone(&theatre));
        let thread = thread::Builder::new().name("model-server".to_owned()).spawn(move || {
            let serve = async {
                match TcpListener::from_std(listener) {
                    Ok(listener) => axum::serve(listener, router).await,
                    Err(error) => Err(error),
                }
            };
            // Whoever stops it, or lets go of it, ends it; what hangs is dropped
            // with the runtime.
            drop(runtime.block_on(async {
                tokio::select! { served = serve => served, _ = stopped => Ok(()) }
            }));
        })?;
        Ok(Self {
            port,
            theatre,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Its address, as `ANTHROPIC_BASE_URL` wants it; OpenAI's clients want
    /// `/v1` behind it.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every request so far, in the order in which they came.
    pub fn requests(&self) -> Vec<Request> {
        self.theatre.play().requests().to_vec()
    }

    /// Begins other scripts; the requests so far are kept.
    pub fn replace(&self, scripts: impl Into<Scripts>) {
        self.theatre.play().replace(scripts.into());
    }

    /// From now on, model endpoints answer 401 unless an access token that
    /// still lasts is shown. The tokens are those of the first sign-in.
    pub fn demand_sign_in(&self, lifetime: Duration) -> Tokens {
        self.theatre.demand_sign_in(lifetime)
    }

    /// Ends every access token now, whatever it says of itself.
    pub fn expire_access_tokens(&self) {
        if let Some(sign_in) = self.theatre.sign_in().as_mut() {
            sign_in.expire();
        }
    }

    /// Whether this refresh token would buy the next tokens.
    pub fn would_renew(&self, refresh: &str) -> bool {
        let sign_in = self.theatre.sign_in();
        sign_in.as_ref().is_some_and(|sign_in| sign_in.is_current(refresh))
    }

    /// What happened to the sign-in so far.
    pub fn sign_in_counts(&self) -> SignInCounts {
        let sign_in = self.theatre.sign_in();
        sign_in.as_ref().map(|sign_in| sign_in.counts).unwrap_or_default()
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
