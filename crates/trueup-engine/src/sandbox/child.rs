//! One sandbox from its spawn to its end: the handshake, the output, the limits.

use super::{
    bounds::{Ended, HowEnded, Program, Stream},
    control::{Control, Word},
    output::Keeping,
    spawner,
};
use crate::{crash, stop::StopToken};
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
use trueup_core::event::Stop;

/// How long the wall may take to stand on a busy machine.
const READY_LIMIT: Duration = Duration::from_secs(60);
/// How long the entry may take to end everything before it is killed itself.
const HANG_UP_GRACE: Duration = Duration::from_secs(1);
/// How long a pipe may stay open after everything that could hold it is dead.
const PIPE_GRACE: Duration = Duration::from_secs(2);
/// What a limit is cut to that no clock can hold.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// How much is read at a time.
const CHUNK: usize = 64 * 1024;

/// A sandbox under way.
struct Sandboxed<'a> {
    child: Child,
    control: Control,
    pipes: Pipes<'a>,
    /// What the entry said last.
    word: Option<Word>,
    hears: bool,
}

/// What the sandbox writes.
struct Pipes<'a> {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    kept: (Keeping, Keeping),
    live: &'a mut dyn FnMut(Stream, &[u8]),
}

/// Why a sandbox is no longer waited for.
enum Over {
    Ended(ExitStatus),
    TimedOut,
    Stopped(Stop),
    Broken(String),
}

/// Spawns the sandbox and sees it to its end.
pub(super) async fn run(
    command: Command,
    program: &Program,
    variables: &BTreeMap<String, String>,
    stop: &StopToken,
    live: &mut dyn FnMut(Stream, &[u8]),
) -> Ended {
    let began = Instant::now();
    if let Some(asked) = stop.raised() {
        return Ended {
            how: HowEnded::Stopped(asked),
            ..Ended::not_started(String::new())
        };
    }
    if let Some(name) = variables.iter().find_map(unfit) {
        return Ended::not_started(format!("the variable {name:?} cannot be passed to a program"));
    }
    let mut sandboxed = match Sandboxed::spawn(command, program, live).await {
        Ok(sandboxed) => sandboxed,
        Err(error) => return Ended::not_started(format!("cannot start bubblewrap: {error}")),
    };
    let over = sandboxed.attend(program, variables, stop).await;
    if !matches!(over, Over::Ended(_)) {
        sandboxed.end().await;
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
        mut command: Command,
        program: &Program,
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
            live,
        };
        Ok(Self {
            child,
            control,
            pipes,
            word: None,
            hears: true,
        })
    }

    async fn attend(&mut self, program: &Program, variables: &BTreeMap<String, String>, stop: &StopToken) -> Over {
        let mut deadline = Instant::now() + READY_LIMIT;
        loop {
            tokio::select! {
                status = self.child.wait() => return match status {
                    Ok(status) => Over::Ended(status),
                    Err(error) => Over::Broken(format!("cannot wait for bubblewrap: {error}")),
                },
                asked = stop.wait() => return Over::Stopped(asked),
                () = sleep_until(deadline) => return match self.word {
                    None => Over::Broken(format!("the wall did not stand within {} s", READY_LIMIT.as_secs())),
                    Some(_) => Over::TimedOut,
                },
                word = self.control.hear(), if self.hears => {
                    self.hears = word.is_some();
                    if word == Some(Word::Ready) {
                        crash::point("sandbox.ready");
                        if let Err(error) = self.control.go(variables, &program.stdin) {
                            return Over::Broken(format!("cannot let the program start: {error}"));
                        }
                        crash::point("sandbox.go");
                        deadline = after(program.time_limit);
                    }
                    self.word = word.or(self.word.take());
                },
                () = self.pipes.pass_on() => {},
            }
        }
    }

    /// Ends everything inside, kindly first: the entry kills and reaps, so that
    /// its lock outlives what it guards. Whatever happens, it is over after this.
    async fn end(&mut self) {
        self.control.hang_up();
        if timeout(HANG_UP_GRACE, self.child.wait()).await.is_err() {
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
    }

    fn report(self, over: Over, began: Instant) -> Ended {
        let stdout = self.pipes.kept.0.finish();
        let stderr = self.pipes.kept.1.finish();
        // Only the entry's own words tell whether the program ever ran. Before
        // it did, whatever stands on stderr comes from bubblewrap or the entry.
        let how = match (over, self.word) {
            (Over::TimedOut, _) => HowEnded::TimedOut,
            (Over::Stopped(asked), _) => HowEnded::Stopped(asked),
            (Over::Broken(why), _) | (Over::Ended(_), Some(Word::Failed(why))) => HowEnded::NotStarted(why),
            (Over::Ended(status), Some(Word::Started)) => HowEnded::Exited(code(status)),
            (Over::Ended(status), Some(Word::Ready) | None) => {
                let said = String::from_utf8_lossy(&stderr.kept).trim().to_owned();
                let why = if said.is_empty() {
                    format!("bubblewrap ended: {status}")
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
        match stream {
            Stream::Stdout => self.kept.0.take(&bytes),
            Stream::Stderr => self.kept.1.take(&bytes),
        }
        if !bytes.is_empty() {
            (self.live)(stream, &bytes);
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
