//! The first program inside every sandbox.
//!
//! Behind a wall it is the sandbox's PID 1; without one, the first process of
//! a session of its own. It holds the lock that says something lives here,
//! starts the program and what that needs only when told to, and ends
//! everything when the program ends or when the process that built the sandbox
//! is gone.

use super::{
    aside,
    control::{FAILED, GO, READY, STARTED, UNSERVED, unpack},
    descendants, door,
    services::{self, Running},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{FlockOperation, flock},
    io::{Errno, FdFlags, fcntl_setfd},
    process::{
        Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getrlimit, kill_process_group, setrlimit,
        setsid, wait,
    },
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read, Write},
    net::{Ipv4Addr, TcpListener},
    os::{
        fd::AsFd,
        unix::{ffi::OsStrExt, net::UnixStream, process::ExitStatusExt},
    },
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitCode, ExitStatus, Stdio},
    thread,
    time::Duration,
};
use trueup_core::criterion::Service;

/// The word that makes the binary behave as this program.
pub const SUBCOMMAND: &str = "sandbox-entry";

/// The word that says there is no wall round this process.
pub(super) const OPEN: &str = "--open";

/// The word before how many processes and threads there may be.
pub(super) const PROCESSES: &str = "--processes";

/// The word before the port of the sandbox's own loopback that leads out.
pub(super) const DOOR: &str = "--door";

/// How often what must go is told so.
const AGAIN: Duration = Duration::from_millis(20);

/// No honest environment is larger than what the kernel hands to a program.
const MOST_VARIABLES: usize = 16 << 20;

/// What ends with this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Everything in its PID namespace.
    Namespace,
    /// Everything it started.
    Offspring,
}

/// What was asked for.
struct Orders {
    alive: PathBuf,
    reach: Reach,
    processes: Option<u64>,
    door: Option<u16>,
    argv: Vec<OsString>,
}

/// What comes with *go*.
struct Go {
    variables: Vec<u8>,
    services: Vec<Service>,
}

/// Runs `--alive PATH [--open | --processes N [--door PORT]] -- argv…`; the
/// subcommand's own name is already taken off.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match enter(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(&format!("trueup: the sandbox's entry failed: {error}"));
            ExitCode::from(125)
        }
    }
}

fn enter(arguments: impl Iterator<Item = OsString>) -> io::Result<u8> {
    let orders = parse(arguments)?;
    orders.reach.settle_in()?;
    if let Some(most) = orders.processes {
        // Nobody may have more than whoever starts this, who may have fewer already.
        let most = getrlimit(Resource::Nproc).maximum.map_or(most, |least| least.min(most));
        let (current, maximum) = (Some(most), Some(most));
        setrlimit(Resource::Nproc, Rlimit { current, maximum })?;
    }
    let alive = File::open(&orders.alive)?;
    flock(&alive, FlockOperation::LockShared)?;
    if orders.reach == Reach::Offspring {
        // Without a namespace a program can kill this process and go on. It
        // then goes on holding the lock, and the run is not taken for dead.
        fcntl_setfd(&alive, FdFlags::empty())?;
    }

    let mut line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    match orders.door {
        None => writeln!(line, "{READY}")?,
        // Whoever listens lives outside; only where is said in here.
        Some(port) => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
            door::hand_over(&line, format!("{READY}\n").as_bytes(), &listener)?;
        }
    }
    let Some(go) = await_go(&mut line)? else {
        return Ok(0);
    };
    let heard = line.try_clone()?;
    aside::spawn(move || {
        await_hang_up(&heard);
        // The main thread reaps what this kills, and exits. It may be about to
        // start something, so once is not enough.
        loop {
            orders.reach.kill();
            thread::sleep(AGAIN);
        }
    })?;
    let code = perform(&orders.argv, &go, orders.reach, &line)?;
    // The lock is let go only when nothing else lives: this line keeps it so long.
    drop(alive);
    Ok(code)
}

/// Starts what was asked for, and sees all of it to its end.
fn perform(argv: &[OsString], go: &Go, reach: Reach, mut line: &UnixStream) -> io::Result<u8> {
    let variables: Vec<(&OsStr, &OsStr)> = unpack(&go.variables)
        .map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value)))
        .collect();
    let furnish = |command: &mut Command| {
        command.env_clear().envs(variables.iter().copied());
    };
    let mut running = match services::start(&go.services, services::READY_WITHIN, &furnish) {
        Ok(running) => running,
        Err(why) => {
            reach.end()?;
            return unserved(line, &why);
        }
    };
    let child = match start(argv, &furnish) {
        Ok(child) => child,
        Err(error) => {
            reach.end()?;
            let program = argv.first().map(OsString::as_os_str).unwrap_or_default();
            let why = format!("cannot start {}: {error}", program.to_string_lossy());
            say(&format!("trueup: {why}"));
            writeln!(line, "{FAILED}{}", why.replace('\n', " "))?;
            let missing = error.kind() == io::ErrorKind::NotFound;
            return Ok(if missing { 127 } else { 126 });
        }
    };
    writeln!(line, "{STARTED}")?;
    match attend(child, line, &mut running)? {
        Ok(status) => {
            reach.end()?;
            Ok(code(status))
        }
        Err(why) => {
            reach.end()?;
            unserved(line, &why)
        }
    }
}

/// Says that a service was not there, so that what the program did means nothing.
fn unserved(mut line: &UnixStream, why: &str) -> io::Result<u8> {
    writeln!(line, "{UNSERVED}{}", serde_json::to_string(why)?)?;
    Ok(125)
}

fn parse(mut arguments: impl Iterator<Item = OsString>) -> io::Result<Orders> {
    let usage = || {
        let form = "--alive PATH [--open | --processes N [--door PORT]] -- PROGRAM [ARGUMENT]...";
        io::Error::other(format!("usage: sandbox-entry {form}"))
    };
    arguments.next().filter(|found| found == "--alive").ok_or_else(usage)?;
    let alive = arguments.next().ok_or_else(usage)?;
    let mut next = arguments.next();
    let (mut reach, mut processes, mut door) = (Reach::Namespace, None, None);
    if next.as_ref().is_some_and(|word| word == OPEN) {
        next = arguments.next();
        reach = Reach::Offspring;
    } else if next.as_ref().is_some_and(|word| word == PROCESSES) {
        let most = arguments.next().and_then(|most| most.to_str()?.parse().ok());
        processes = Some(most.ok_or_else(usage)?);
        next = arguments.next();
        if next.as_ref().is_some_and(|word| word == DOOR) {
            let port = arguments.next().and_then(|port| port.to_str()?.parse().ok());
            door = Some(port.ok_or_else(usage)?);
            next = arguments.next();
        }
    }
    next.filter(|found| found == "--").ok_or_else(usage)?;
    Ok(Orders {
        alive: PathBuf::from(alive),
        reach,
        processes,
        door,
        argv: arguments.collect(),
    })
}

/// What comes with *go*, or nothing if the line ends before it.
fn await_go(line: &mut UnixStream) -> io::Result<Option<Go>> {
    let mut byte = [0];
    if line.read(&mut byte)? == 0 || byte != [GO] {
        return Ok(None);
    }
    let variables = packet(line)?;
    let services = serde_json::from_slice(&packet(line)?)?;
    Ok(Some(Go { variables, services }))
}

/// Four bytes of length, and that many bytes.
fn packet(line: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    line.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
    if length > MOST_VARIABLES {
        return Err(io::Error::other("more variables than a program can be handed"));
    }
    let mut bytes = vec![0; length];
    line.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn start(argv: &[OsString], furnish: &dyn Fn(&mut Command)) -> io::Result<Child> {
    let (program, rest) = argv
        .split_first()
        .ok_or_else(|| io::Error::other("there is no program"))?;
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::piped());
    furnish(&mut command);
    command.spawn()
}

/// Feeds the program and waits for it, reaping whatever else ends meanwhile.
/// A service that is gone before the program is says what came of it.
fn attend(mut child: Child, line: &UnixStream, running: &mut [Running]) -> io::Result<Result<WaitStatus, String>> {
    let main = Pid::from_child(&child);
    let stdin = child.stdin.take();
    let mut feed = line.try_clone()?;
    aside::spawn(move || {
        // The input goes through a pipe of its own, so that the program holds
        // no end of the line. It need not read it.
        stdin.map(|stdin| pass_on(&mut feed, stdin))
    })?;
    loop {
        let Some((pid, status)) = reap()? else { continue };
        if pid == main {
            // Both may have ended since we last looked.
            return Ok(services::dead(running).map_or(Ok(status), Err));
        }
        let number = u32::try_from(pid.as_raw_nonzero().get()).unwrap_or_default();
        if let Some(service) = running.iter().find(|service| service.id() == number) {
            return Ok(Err(service.died(ExitStatus::from_raw(status.as_raw()))));
        }
    }
}

/// Hands each piece on when it comes. The standard library's own copying was
/// seen to keep a short line to itself until more came.
fn pass_on(from: &mut UnixStream, mut to: ChildStdin) -> io::Result<()> {
    let mut piece = vec![0; 64 * 1024];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(length) => to.write_all(piece.get(..length).unwrap_or_default())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns when the process that built this sandbox is gone or has had enough.
fn await_hang_up(line: &UnixStream) {
    loop {
        // Asking for nothing still hears of a hang-up, and only of that.
        let mut watched = [PollFd::new(line, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) if watched[0].revents().is_empty() => {}
            Err(Errno::INTR) => {}
            Ok(_) | Err(_) => return,
        }
    }
}

impl Reach {
    /// Makes this process what the rest relies on.
    fn settle_in(self) -> io::Result<()> {
        match self {
            Self::Namespace => {
                // What ends here is everything that can be signalled. That is right
                // for the first process of its own PID namespace and a disaster for
                // any other.
                if !getpid().is_init() {
                    return Err(io::Error::other("it runs only as the first process of a sandbox"));
                }
                descendants::die_with_the_builder()?;
                #[cfg(target_os = "linux")]
                super::kernel::confine()?;
            }
            Self::Offspring => {
                // Away from the person's terminal, which a program could read and type on.
                setsid()?;
                descendants::adopt()?;
            }
        }
        // Whatever our builder's own caller left open came in here too. One open
        // folder of the host would be a way out, so the program gets none.
        close_fds::set_fds_cloexec(3, &[]);
        stay_private()
    }

    /// Kills everything else within reach.
    fn kill(self) {
        match self {
            // Process group 1 is written -1 to the kernel, which reads it as
            // "everything you may signal, but not yourself". Nothing left is as good.
            Self::Namespace => kill_process_group(Pid::INIT, Signal::KILL).unwrap_or_default(),
            Self::Offspring => descendants::kill(),
        }
    }

    /// Kills everything else, and waits until it is gone. The kernel would do it
    /// when the first process of a namespace exits, but it would first close our
    /// files, and with them the lock.
    fn end(self) -> io::Result<()> {
        if self == Self::Offspring {
            return descendants::end();
        }
        self.kill();
        loop {
            match wait(WaitOptions::empty()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(Errno::CHILD) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Whoever could trace this process could write to its socket: nobody may.
#[cfg(target_os = "linux")]
fn stay_private() -> io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// This system has no such switch; the mode `none` promises nothing.
#[cfg(not(target_os = "linux"))]
fn stay_private() -> io::Result<()> {
    Ok(())
}

fn reap() -> io::Result<Option<(Pid, WaitStatus)>> {
    match wait(WaitOptions::empty()) {
        Err(Errno::INTR) => Ok(None),
        other => Ok(other?),
    }
}

fn code(status: WaitStatus) -> u8 {
    let number = status
        .exit_status()
        .or_else(|| status.terminating_signal().map(|signal| 128 + signal));
    number.and_then(|number| u8::try_from(number).ok()).unwrap_or(255)
}

fn say(text: &str) {
    // Nobody may be listening any more, and there is nobody else to tell.
    drop(writeln!(io::stderr(), "{text}"));
}

#[cfg(test)]
mod tests {
    use super::{Reach, enter, parse};
    use std::ffi::OsString;

    #[test]
    fn arguments_are_taken_only_in_their_one_form() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let orders = parse(words("--alive /a -- sh -c --").into_iter()).expect("well formed");
        assert_eq!(orders.alive.as_os_str(), "/a");
        assert_eq!((orders.reach, orders.argv), (Reach::Namespace, words("sh -c --")));
        let orders = parse(words("--alive /a --open -- sh --open").into_iter()).expect("well formed");
        assert_eq!((orders.reach, orders.argv), (Reach::Offspring, words("sh --open")));
        let orders = parse(words("--alive /a --processes 7 -- sh").into_iter()).expect("well formed");
        assert_eq!((orders.reach, orders.processes), (Reach::Namespace, Some(7)));
        let orders = parse(words("--alive /a --processes 7 --door 80 -- sh").into_iter()).expect("well formed");
        assert_eq!((orders.processes, orders.door), (Some(7), Some(80)));
        for wrong in [
            "",
            "--alive /a --processes -- sh",
            "--alive /a --processes many -- sh",
            "--alive /a --processes 7 --door wide -- sh",
            "--alive /a --door 80 -- sh",
            "--alive /a --open --door 80 -- sh",
            "--alive",
            "--alive /a",
            "--alive /a sh",
            "--alive /a --open sh",
            "sh --alive /a -- sh",
        ] {
            assert!(parse(words(wrong).into_iter()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn it_refuses_to_run_outside_a_sandbox_unless_told_that_there_is_none() {
        let error = enter(["--alive", "/dev/null", "--", "true"].into_iter().map(OsString::from));
        assert!(error.expect_err("not PID 1").to_string().contains("first process"));
    }
}
