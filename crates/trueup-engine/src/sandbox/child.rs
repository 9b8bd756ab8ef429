//! One sandbox from its spawn to its end: the handshake, the output, the limits.

use super::{
    bounds::{Ended, HowEnded, Program, Stream},
    control::{Control, Word},
    output::Keeping,
    services, spawner,
};
use crate::{
    crash,
    redact::{Redactor, Secrets},
    stop::StopToken,
};
use std::{
    collections::BTreeMap,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, ChildStderr, ChildStdout, Command},
    time::{Instant, sleep_until, timeout},
};
use trueup_core::{criterion::Service, event::Stop};

/// How long the wall may take to stand on a busy machine.
const READY_LIMIT: Duration = Duration::from_secs(60);
/// How long the entry may take to end everything before it is killed itself.
/// The kernel then ends the rest, if there is a wall.
pub(super) const HANG_UP_GRACE: Duration = Duration::from_secs(1);
/// How long a pipe may stay open after everything that could hold it is dead.
const PIPE_GRACE: Duration = Duration::from_secs(2);
/// How much longer than it may the entry's waiting for a service can take.
const SERVICE_GRACE: Duration = Duration::from_secs(15);
/// How long after a Ctrl-C that hit the entry our own word of it may take.
const SAME_SIGNAL_WITHIN: Duration = Duration::from_secs(1);
/// What a limit is cut to that no clock can hold.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// How much is read at a time.
const CHUNK: usize = 64 * 1024;

/// Everything one sandbox is started with.
pub(super) struct Order<'a> {
    /// What starts first, and what to call it.
    pub(super) command: Command,
    pub(super) called: &'static str,
    /// How long it may take to end everything before it is killed itself.
    pub(super) grace: Duration,
    pub(super) program: &'a Program,
    pub(super) variables: &'a BTreeMap<String, String>,
    /// What must not come out.
    pub(super) secrets: &'a Secrets,
    pub(super) services: &'a [Service],
}

/// A sandbox under way.
struct Sandboxed<'a> {
    child: Child,
    control: Control,
    pipes: Pipes<'a>,
    /// What the entry said last.
    word: Option<Word>,
    hears: bool,
    called: &'static str,
}

/// What the sandbox writes.
struct Pipes<'a> {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    kept: (Keeping, Keeping),
    /// Nothing is kept or shown that has not passed here.
    redactors: (Redactor, Redactor),
    live: &'a mut dyn FnMut(Stream, &[u8]),
}

/// Why a sandbox is no longer waited for.
enum Over {
    Ended(ExitStatus),
    TimedOut,
    Stopped(Stop),
    Unserved,
    Broken(String),
}

/// Spawns the sandbox and sees it to its end.
pub(super) async fn run(order: Order<'_>, stop: &StopToken, live: &mut dyn FnMut(Stream, &[u8])) -> Ended {
    let began = Instant::now();
    if let Some(asked) = stop.raised() {
        return Ended::stopped(asked);
    }
    if let Some(name) = order.variables.iter().find_map(unfit) {
        return Ended::not_started(format!("the variable {name:?} cannot be passed to a program"));
    }
    let Order {
        command,
        called,
        grace,
        program,
        variables,
        secrets,
        services,
    } = order;
    let mut sandboxed = match Sandboxed::spawn((command, called), program, secrets, live).await {
        Ok(sandboxed) => sandboxed,
        Err(error) => return Ended::not_started(format!("cannot start {called}: {error}")),
    };
    let over = sandboxed.attend((program, variables, services), stop).await;
    if !matches!(over, Over::Ended(_)) {
        sandboxed.end(grace).await;
    }
    sandboxed.settle().await;
    crash::point("sandbox.ended");
    sandboxed.report(over, began)
}

/// A name or value that would be read as something else.
fn unfit((name, value): (&String, &String)) -> Option<String> {
    let wrong = name.is_empty() || name.contains(['=', '\0']) || value.contains('\0');
    wrong.then(|| name.clone())
}

impl<'a> Sandboxed<'a> {
    async fn spawn(
        (mut command, called): (Command, &'static str),
        program: &Program,
        secrets: &Secrets,
        live: &'a mut dyn FnMut(Stream, &[u8]),
    ) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let control = Control::over(ours)?;
        let mut child = spawner::spawn(command).await?;
        let pipes = Pipes {
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            kept: (
                Keeping::up_to(program.output_limit),
                Keeping::up_to(program.output_limit),
            ),
            redactors: (secrets.stream(), secrets.stream()),
            live,
        };
        Ok(Self {
            child,
            control,
            pipes,
            word: None,
            hears: true,
            called,
        })
    }

    async fn attend(
        &mut self,
        (program, variables, services): (&Program, &BTreeMap<String, String>, &[Service]),
        stop: &StopToken,
    ) -> Over {
        let mut deadline = Instant::now() + READY_LIMIT;
        loop {
            tokio::select! {
                status = self.child.wait() => return match status {
                    Ok(status) => self.ended(status, stop).await,
                    Err(error) => Over::Broken(format!("cannot wait for {}: {error}", self.called)),
                },
                asked = stop.wait() => return Over::Stopped(asked),
                () = sleep_until(deadline) => return match self.word {
                    None => Over::Broken(format!("the wall did not stand within {} s", READY_LIMIT.as_secs())),
                    Some(Word::Ready) if !services.is_empty() => Over::Unserved,
                    Some(_) => Over::TimedOut,
                },
                word = self.control.hear(), if self.hears => {
                    self.hears = word.is_some();
                    if word == Some(Word::Ready) {
                        crash::point("sandbox.ready");
                        if let Err(error) = self.control.go(variables, services, &program.stdin) {
                            return Over::Broken(format!("cannot let the program start: {error}"));
                        }
                        crash::point("sandbox.go");
                        deadline = after(program.time_limit);
                        if let Ok(count @ 1..) = u32::try_from(services.len()) {
                            deadline = after(services::READY_WITHIN * count + SERVICE_GRACE);
                        }
                    }
                    if word == Some(Word::Started) && !services.is_empty() {
                        deadline = after(program.time_limit);
                    }
                    self.word = word.or(self.word.take());
                },
                () = self.pipes.pass_on() => {},
            }
        }
    }

    /// Without a wall there is a moment in which the entry still belongs to the
    /// terminal: a Ctrl-C then ends it together with us, and is no failure.
    async fn ended(&self, status: ExitStatus, stop: &StopToken) -> Over {
        use std::os::unix::process::ExitStatusExt;
        if self.word.is_none()
            && status.signal().is_some()
            && let Ok(asked) = timeout(SAME_SIGNAL_WITHIN, stop.wait()).await
        {
            return Over::Stopped(asked);
        }
        Over::Ended(status)
    }

    /// Ends everything inside, kindly first: the entry kills and reaps, so that
    /// its lock outlives what it guards. Whatever happens, it is over after this.
    async fn end(&mut self, grace: Duration) {
        self.control.hang_up();
        if timeout(grace, self.child.wait()).await.is_err() {
            // An error means it is already gone, which the wait then shows.
            drop(self.child.start_kill());
            drop(timeout(PIPE_GRACE, self.child.wait()).await);
        }
    }

    /// Takes what is still in the pipes and on the line. They end by
    /// themselves: everything that held their other ends is dead.
    async fn settle(&mut self) {
        let rest = async {
            while self.pipes.are_open() {
                self.pipes.pass_on().await;
            }
            while let Some(word) = self.control.hear().await {
                self.word = Some(word);
            }
        };
        drop(timeout(PIPE_GRACE, rest).await);
        self.pipes.finish();
    }

    fn report(self, over: Over, began: Instant) -> Ended {
        let stdout = self.pipes.kept.0.finish();
        let stderr = self.pipes.kept.1.finish();
        // Only the entry's own words tell whether the program ever ran. Before
        // it did, whatever stands on stderr comes from bubblewrap or the entry.
        let how = match (over, self.word) {
            (Over::TimedOut, _) => HowEnded::TimedOut,
            (Over::Stopped(asked), _) => HowEnded::Stopped(asked),
            (Over::Unserved, _) => HowEnded::Unserved("its services were not ready in time".to_owned()),
            (Over::Ended(_), Some(Word::Unserved(why))) => HowEnded::Unserved(why),
            (Over::Broken(why), _) | (Over::Ended(_), Some(Word::Failed(why))) => HowEnded::NotStarted(why),
            (Over::Ended(status), Some(Word::Started)) => HowEnded::Exited(code(status)),
            (Over::Ended(status), Some(Word::Ready) | None) => {
                let said = String::from_utf8_lossy(&stderr.kept).trim().to_owned();
                let why = if said.is_empty() {
                    format!("{} ended: {status}", self.called)
                } else {
                    said
                };
                HowEnded::NotStarted(why)
            }
        };
        Ended {
            how,
            stdout,
            stderr,
            took: began.elapsed(),
        }
    }
}

impl Pipes<'_> {
    fn are_open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// Takes the next piece of either stream; waits for ever once both ended.
    async fn pass_on(&mut self) {
        let (mut out, mut err) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        let (stream, bytes) = tokio::select! {
            () = read(&mut self.stdout, &mut out) => (Stream::Stdout, out),
            () = read(&mut self.stderr, &mut err) => (Stream::Stderr, err),
        };
        let passed = match stream {
            Stream::Stdout => self.redactors.0.pass(&bytes),
            Stream::Stderr => self.redactors.1.pass(&bytes),
        };
        self.keep(stream, &passed);
    }

    /// Lets out what was held back as the possible beginning of a secret.
    fn finish(&mut self) {
        let (out, err) = (self.redactors.0.finish(), self.redactors.1.finish());
        self.keep(Stream::Stdout, &out);
        self.keep(Stream::Stderr, &err);
    }

    fn keep(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Stdout => self.kept.0.take(bytes),
            Stream::Stderr => self.kept.1.take(bytes),
        }
        if !bytes.is_empty() {
            (self.live)(stream, bytes);
        }
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

/// When a limit is reached; one that no clock can hold is cut.
fn after(limit: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(limit).unwrap_or(now + LONGEST)
}

/// The entry exits with 128 and the signal that ended the program; a signal
/// here ended bubblewrap itself, and is written the same way.
fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or_default())
}
