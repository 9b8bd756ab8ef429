//! One sandbox from its spawn to its end: the handshake, the talk, the limits.

use super::{
    bounds::{Ended, HowEnded, Program},
    control::{Control, EntryMessage},
    descendants,
    keeper::{self, Keeper},
    pipes::{Chunk, Pipes},
    responder::{Reply, Responder},
    services,
    share::{Excess, Share},
    spawner,
};
use crate::{crash, redact::Secrets, stop::StopToken, trace};
use rustix::process::Pid;
use std::{
    collections::BTreeMap,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{ExitStatus, Stdio},
    sync::Arc,
    time::Duration,
};
use tokio::{
    process::{Child, Command},
    time::{Instant, Interval, MissedTickBehavior, interval, sleep_until, timeout},
};
use tracing::Instrument;
use trueup_core::{criterion::Service, event::Stop};
use trueup_net::{Door, Egress};

/// How much a program may leave unread before its responder is asked what to do.
const MOST_UNHEARD: usize = 1 << 20;

/// How long the wall may take to stand on a busy machine.
const READY_LIMIT: Duration = Duration::from_secs(60);
/// How long the entry may take to end everything before it is killed itself.
/// The kernel then ends the rest, if there is a wall.
pub(super) const HANG_UP_GRACE: Duration = Duration::from_secs(1);
/// How long a thread may take to read what the entry said last: as long as a
/// busy machine keeps it waiting.
const LINE_GRACE: Duration = Duration::from_secs(20);
/// How long a pipe may stay open after everything that could hold it is dead.
const PIPE_GRACE: Duration = Duration::from_secs(2);
/// How much longer than it may the entry's waiting for a service can take.
const SERVICE_GRACE: Duration = Duration::from_secs(15);
/// How long after a Ctrl-C that hit the entry our own word of it may take.
const SAME_SIGNAL_WITHIN: Duration = Duration::from_secs(1);
/// What a limit is cut to that no clock can hold.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// How long a program may take to break off after it was asked to.
const KIND_GRACE: Duration = Duration::from_secs(2);

/// Everything one sandbox is started with.
pub(super) struct LaunchPlan<'a> {
    /// What starts first, and what to call it.
    pub(super) command: Command,
    pub(super) called: &'static str,
    /// How long it may take to end everything before it is killed itself.
    pub(super) grace: Duration,
    pub(super) start: ProgramStart<'a>,
    /// What must not come out.
    pub(super) secrets: &'a Secrets,
    /// How much of the machine it may take.
    pub(super) share: Share,
}

/// What is started once the sandbox stands.
#[derive(Clone, Copy)]
pub(super) struct ProgramStart<'a> {
    pub(super) program: &'a Program,
    pub(super) variables: &'a BTreeMap<String, String>,
    /// What runs beside it.
    pub(super) services: &'a [Service],
    /// What listens behind its door.
    pub(super) egress: Option<&'a Arc<Egress>>,
}

/// A sandbox under way.
struct Sandboxed<'a> {
    child: Child,
    control: Control,
    pipes: Pipes,
    responder: &'a mut dyn Responder,
    /// When the responder is told that time passes.
    pulse: Option<Interval>,
    /// What keeps it to its share.
    keeper: Option<Keeper>,
    /// When that is looked at, once there is a program that could take more.
    look: Option<Interval>,
    /// What it reaches the outside through, as long as it lives.
    door: Option<Door>,
    /// What the entry said last.
    word: Option<EntryMessage>,
    hears: bool,
    called: &'static str,
}

/// Why a sandbox is no longer waited for.
enum Over {
    Ended(ExitStatus),
    TimedOut,
    Overran(Excess),
    Stopped(Stop),
    Dismissed,
    Unserved,
    Broken(String),
}

/// What the loop does after something happened.
enum Course {
    On,
    /// The responder wants the program ended.
    End,
}

/// Spawns the sandbox and sees it to its end.
pub(super) async fn run(order: LaunchPlan<'_>, stop: &StopToken, responder: &mut dyn Responder) -> Ended {
    let traced = trace::Child::inside(
        order.start.program.purpose.word(),
        &order.start.program.argv,
        order.secrets,
    );
    let ended = attended(order, stop, responder).instrument(traced.span()).await;
    traced.ended(&ended.how);
    ended
}

async fn attended(order: LaunchPlan<'_>, stop: &StopToken, responder: &mut dyn Responder) -> Ended {
    let began = Instant::now();
    if let Some(asked) = stop.raised() {
        return Ended::stopped(asked);
    }
    if let Some(name) = order.start.variables.iter().find_map(unfit) {
        return Ended::not_started(format!("the variable {name:?} cannot be passed to a program"));
    }
    let LaunchPlan {
        command,
        called,
        grace,
        start,
        secrets,
        share,
    } = order;
    let mut sandboxed = match Sandboxed::spawn((command, called), (start.program, share), secrets, responder).await {
        Ok(sandboxed) => sandboxed,
        Err(error) => return Ended::not_started(format!("cannot start {called}: {error}")),
    };
    trace::Child::spawned(sandboxed.child.id());
    let over = sandboxed.attend(start, stop).await;
    if !matches!(over, Over::Ended(_)) {
        sandboxed.end(grace).await;
    }
    sandboxed.settle().await;
    crash::point("sandbox.ended");
    // The kernel may have refused more between two looks, and the program ended by that.
    let over = match (over, sandboxed.keeper.as_ref().and_then(Keeper::refused)) {
        (Over::Ended(_), Some(excess)) => Over::Overran(excess),
        (over, _) => over,
    };
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
        (program, share): (&Program, Share),
        secrets: &Secrets,
        responder: &'a mut dyn Responder,
    ) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let control = Control::over(ours)?;
        let (mut child, groups) = spawner::spawn(command, share).await?;
        let pipes = Pipes::of(&mut child, program.output_limit, secrets);
        Ok(Self {
            keeper: child.id().and_then(|first| Keeper::over(first, share, groups)),
            child,
            control,
            pipes,
            responder,
            pulse: None,
            look: None,
            door: None,
            word: None,
            hears: true,
            called,
        })
    }

    async fn attend(&mut self, start: ProgramStart<'_>, stop: &StopToken) -> Over {
        let mut deadline = Instant::now() + READY_LIMIT;
        // Why the program was asked to break off, while it may still do so.
        let mut parting: Option<Over> = None;
        loop {
            let course = tokio::select! {
                status = self.child.wait() => return match (parting, status) {
                    (Some(over), _) => over,
                    (None, Ok(status)) => self.ended(status, stop).await,
                    (None, Err(error)) => Over::Broken(format!("cannot wait for {}: {error}", self.called)),
                },
                asked = stop.wait(), if parting.is_none() => {
                    deadline = Instant::now() + KIND_GRACE;
                    let over = parting.insert(Over::Stopped(asked));
                    self.ask_to_break_off(over)
                },
                () = sleep_until(deadline) => match parting {
                    Some(over) => return over,
                    None => {
                        deadline = Instant::now() + KIND_GRACE;
                        let over = parting.insert(self.out_of_time(start.services));
                        self.ask_to_break_off(over)
                    }
                },
                word = self.control.hear(), if self.hears => match self.heed(word, start) {
                    Ok((course, changed)) => {
                        deadline = changed.filter(|_| parting.is_none()).unwrap_or(deadline);
                        course
                    }
                    Err(error) => return Over::Broken(format!("cannot let the program start: {error}")),
                },
                piece = self.pipes.next() => self.pass_on(&piece),
                () = beat(&mut self.look) => match self.keeper.as_ref().and_then(Keeper::excess) {
                    Some(excess) => return Over::Overran(excess),
                    None => Course::On,
                },
                () = beat(&mut self.pulse) => {
                    let replies = self.responder.beat();
                    self.obey(replies)
                },
            };
            if let Course::End = course {
                return parting.unwrap_or(Over::Dismissed);
            }
        }
    }

    /// Takes a word of the entry's; answers the new deadline where it sets one.
    fn heed(&mut self, word: Option<EntryMessage>, start: ProgramStart<'_>) -> io::Result<(Course, Option<Instant>)> {
        let ProgramStart { program, services, .. } = start;
        self.hears = word.is_some();
        let (mut course, mut deadline) = (Course::On, None);
        if word == Some(EntryMessage::Ready) {
            crash::point("sandbox.ready");
            // Before anything is started that could take more than it may.
            self.look = Some(every(keeper::EVERY));
            self.open_door(start.egress)?;
            self.control.go(start.variables, services, &program.stdin)?;
            crash::point("sandbox.go");
            let replies = self.responder.open();
            course = self.obey(replies);
            self.pulse = self.responder.pulse().map(every);
            deadline = Some(match u32::try_from(services.len()) {
                Ok(count @ 1..) => after(services::READY_WITHIN * count + SERVICE_GRACE),
                Ok(0) | Err(_) => after(program.time_limit),
            });
        }
        if word == Some(EntryMessage::Started) && !services.is_empty() {
            deadline = Some(after(program.time_limit));
        }
        self.word = word.or(self.word.take());
        Ok((course, deadline))
    }

    /// Listens behind the sandbox's door, where something is to. Without
    /// anybody there, a door leads nowhere.
    fn open_door(&mut self, egress: Option<&Arc<Egress>>) -> io::Result<()> {
        let Some(egress) = egress else { return Ok(()) };
        let listener = self.control.door();
        let listener = listener.ok_or_else(|| io::Error::other("its way out was not handed over"))?;
        self.door = Some(Door::open(Arc::clone(egress), listener)?);
        Ok(())
    }

    /// What it means that the deadline passed.
    fn out_of_time(&self, services: &[Service]) -> Over {
        match self.word {
            None => Over::Broken(format!("the wall did not stand within {} s", READY_LIMIT.as_secs())),
            Some(EntryMessage::Ready) if !services.is_empty() => Over::Unserved,
            Some(_) => Over::TimedOut,
        }
    }

    /// Lets the responder ask kindly, where there is a program that could hear it.
    fn ask_to_break_off(&mut self, over: &Over) -> Course {
        match (over, &self.word) {
            (Over::Stopped(_) | Over::TimedOut, Some(_)) => {
                let replies = self.responder.interrupt();
                self.obey(replies)
            }
            (_, _) => Course::End,
        }
    }

    fn pass_on(&mut self, (stream, bytes): &Chunk) -> Course {
        if bytes.is_empty() {
            return Course::On;
        }
        let replies = self.responder.hear(*stream, bytes);
        self.obey(replies)
    }

    fn obey(&mut self, replies: Vec<Reply>) -> Course {
        for reply in replies {
            match reply {
                Reply::Say(bytes) => {
                    if self.control.say(bytes) > MOST_UNHEARD && self.responder.unheard().contains(&Reply::End) {
                        return Course::End;
                    }
                }
                Reply::HangUp => self.control.fall_silent(),
                Reply::End => return Course::End,
            }
        }
        Course::On
    }

    /// Without a wall there is a moment in which the entry still belongs to the
    /// terminal: a Ctrl-C then ends it together with us, and is no failure.
    async fn ended(&mut self, status: ExitStatus, stop: &StopToken) -> Over {
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
            // Bubblewrap that dies first may leave a child that waits for it.
            let first = self.child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
            if let Some(first) = first {
                descendants::kill_below(first);
            }
            // An error means it is already gone, which the wait then shows.
            drop(self.child.start_kill());
            drop(timeout(PIPE_GRACE, self.child.wait()).await);
        }
    }

    /// Takes what is still on the line and in the pipes. They end by
    /// themselves: everything that held their other ends is dead. The line
    /// comes first: without its last word a program that ran did not.
    async fn settle(&mut self) {
        let words = async {
            while let Some(word) = self.control.hear().await {
                self.word = Some(word);
            }
        };
        drop(timeout(LINE_GRACE, words).await);
        let pieces = async {
            while self.pipes.are_open() {
                let piece = self.pipes.next().await;
                self.pass_on(&piece);
            }
        };
        drop(timeout(PIPE_GRACE, pieces).await);
        for piece in self.pipes.rest() {
            self.pass_on(&piece);
        }
    }

    fn report(self, over: Over, began: Instant) -> Ended {
        let (stdout, stderr) = self.pipes.kept();
        // Only the entry's own words tell whether the program ever ran. Before
        // it did, whatever stands on stderr comes from bubblewrap or the entry.
        let how = match (over, self.word) {
            (Over::TimedOut, _) => HowEnded::TimedOut,
            (Over::Overran(excess), _) => HowEnded::Overran(excess),
            (Over::Stopped(asked), _) => HowEnded::Stopped(asked),
            (Over::Dismissed, _) => HowEnded::Dismissed,
            (Over::Unserved, _) => HowEnded::Unserved("its services were not ready in time".to_owned()),
            (Over::Ended(_), Some(EntryMessage::Unserved(why))) => HowEnded::Unserved(why),
            (Over::Broken(why), _) | (Over::Ended(_), Some(EntryMessage::Failed(why))) => HowEnded::NotStarted(why),
            (Over::Ended(status), Some(EntryMessage::Started)) => HowEnded::Exited(code(status)),
            (Over::Ended(status), Some(EntryMessage::Ready) | None) => {
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

/// Ticks from one period on, and never twice for one that was missed.
fn every(period: Duration) -> Interval {
    // A period of nothing cannot be waited for.
    let mut pulse = interval(period.max(Duration::from_millis(1)));
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pulse
}

/// Waits for the next tick; for ever where nobody wants one.
async fn beat(pulse: &mut Option<Interval>) {
    match pulse {
        Some(pulse) => drop(pulse.tick().await),
        None => std::future::pending().await,
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
