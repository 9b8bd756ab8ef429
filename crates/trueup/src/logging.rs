//! The log: what the engine tells of effects and child processes, for whoever
//! looks for a fault.
//!
//! It goes to standard error or to a file, never to standard output, and is
//! off unless somebody asks for it. Every line passes through the secrets that
//! are known by then.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    render::progress,
};
use std::{
    fs::File,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::{Arc, RwLock},
};
use tracing_subscriber::{EnvFilter, util::SubscriberInitExt};
use trueup_engine::redact::Secrets;

/// What no line may show; `None` before the log begins.
static SECRETS: RwLock<Option<Secrets>> = RwLock::new(None);

/// Begins the log, if one is wanted.
pub(crate) fn begin(global: &Global) -> Result<(), Failure> {
    let Some(filter) = filter(global)? else {
        return Ok(());
    };
    let sink = match &global.log_file {
        Some(path) => Sink::File(Arc::new(open(path)?)),
        None => Sink::Stderr,
    };
    if let Ok(mut known) = SECRETS.write() {
        *known = Some(Secrets::of_environment(&crate::project::environment()));
    }
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        // A line that cannot be written is lost, and nobody dies of it.
        .log_internal_errors(false)
        .with_writer(move || sink.clone())
        .finish();
    log.try_init().map_err(Failure::unexpected)
}

/// Keeps these out of the log from now on as well.
pub(crate) fn keep_out(secrets: impl FnOnce() -> Secrets) {
    if let Ok(mut known) = SECRETS.write()
        && known.is_some()
    {
        *known = Some(secrets());
    }
}

/// What is logged; a flag wins over the variable.
fn filter(global: &Global) -> Result<Option<EnvFilter>, Failure> {
    let told = match (global.verbose, &global.log_filter, &global.log_file) {
        (0, Some(filter), _) if !filter.trim().is_empty() => filter.as_str(),
        (0, _, None) => return Ok(None),
        (1, _, _) => "info",
        (0 | 2.., _, _) => "debug",
    };
    let parsed = EnvFilter::builder().parse(told);
    parsed.map(Some).map_err(|error| {
        let what = format!("`{told}` is no filter of a log: {error}");
        Failure::new(Exit::Usage, what).next("TRUEUP_LOG=debug")
    })
}

/// The file, for its owner alone: what is logged is not for everybody.
fn open(path: &Path) -> Result<File, Failure> {
    let opened = File::options().append(true).create(true).mode(0o600).open(path);
    opened.map_err(|error| {
        let what = format!("the log cannot be written to {}: {error}", path.display());
        Failure::new(Exit::Usage, what)
    })
}

/// Where lines go. Each comes in one piece, so each can be looked through whole.
#[derive(Clone)]
enum Sink {
    Stderr,
    File(Arc<File>),
}

impl Write for Sink {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Where the lock is poisoned nobody knows what is secret, so nothing is told.
        let known = SECRETS.read().map_err(|_| io::ErrorKind::Other)?;
        let clear = known.as_ref().map(|secrets| secrets.redact(line)).unwrap_or_default();
        match self {
            Self::Stderr => progress::beside(|| io::stderr().write_all(&clear)),
            Self::File(file) => file.as_ref().write_all(&clear),
        }?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
