//! What a sandbox writes, kept and cleaned as it comes.

use super::{
    bounds::{Output, Stream},
    output::Keeping,
};
use crate::redact::{Redactor, Secrets};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, ChildStderr, ChildStdout},
};

/// How much is read at a time.
const CHUNK: usize = 64 * 1024;

/// Both streams of a sandbox.
pub(super) struct Pipes {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    kept: (Keeping, Keeping),
    /// Nothing is kept or heard that has not passed here.
    redactors: (Redactor, Redactor),
}

/// A piece of a stream, without any secret in it; it may be empty.
pub(super) type Chunk = (Stream, Vec<u8>);

impl Pipes {
    pub(super) fn of(child: &mut Child, limit: u64, secrets: &Secrets) -> Self {
        Self {
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            kept: (Keeping::up_to(limit), Keeping::up_to(limit)),
            redactors: (secrets.stream(), secrets.stream()),
        }
    }

    pub(super) const fn are_open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// Takes the next piece of either stream; waits for ever once both ended.
    pub(super) async fn next(&mut self) -> Chunk {
        let (mut out, mut err) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        let (stream, bytes) = tokio::select! {
            () = read(&mut self.stdout, &mut out) => (Stream::Stdout, out),
            () = read(&mut self.stderr, &mut err) => (Stream::Stderr, err),
        };
        let passed = match stream {
            Stream::Stdout => self.redactors.0.pass(&bytes),
            Stream::Stderr => self.redactors.1.pass(&bytes),
        };
        self.keep((stream, passed))
    }

    /// Lets out what was held back as the possible beginning of a secret.
    pub(super) fn rest(&mut self) -> [Chunk; 2] {
        let (out, err) = (self.redactors.0.finish(), self.redactors.1.finish());
        [self.keep((Stream::Stdout, out)), self.keep((Stream::Stderr, err))]
    }

    /// All that was kept: what stood on standard output and on standard error.
    pub(super) fn kept(self) -> (Output, Output) {
        (self.kept.0.finish(), self.kept.1.finish())
    }

    fn keep(&mut self, (stream, bytes): Chunk) -> Chunk {
        match stream {
            Stream::Stdout => self.kept.0.take(&bytes),
            Stream::Stderr => self.kept.1.take(&bytes),
        }
        (stream, bytes)
    }
}

async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) {
    let Some(open) = pipe else {
        return std::future::pending().await;
    };
    // A pipe that cannot be read any more has ended.
    if open.read_buf(into).await.unwrap_or(0) == 0 {
        *pipe = None;
    }
}
