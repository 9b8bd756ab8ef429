//! The first program inside every sandbox.
//!
//! It is the sandbox's PID 1. It holds the lock that says something lives
//! here, starts the program only when told to, and ends everything when the
//! program ends or when the process that built the sandbox is gone.

use super::control::{FAILED, GO, READY, STARTED, unpack};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{FlockOperation, flock},
    io::Errno,
    process::{
        DumpableBehavior, Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process_group, set_dumpable_behavior,
        set_parent_process_death_signal, wait,
    },
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::AsFd,
        unix::{ffi::OsStrExt, net::UnixStream},
    },
    path::PathBuf,
    process::{Child, Command, ExitCode, Stdio},
    thread,
};

/// The word that makes the binary behave as this program.
pub const SUBCOMMAND: &str = "sandbox-entry";

/// No honest environment is larger than what the kernel hands to a program.
const MOST_VARIABLES: usize = 16 << 20;

/// Runs `--alive PATH -- argv…`; the subcommand's own name is already taken off.
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
    // What ends here is everything that can be signalled. That is right for the
    // first process of its own PID namespace and a disaster for any other.
    if !getpid().is_init() {
        return Err(io::Error::other("it runs only as the first process of a sandbox"));
    }
    // Whatever our builder's own caller left open came through bubblewrap too.
    // One open folder of the host would be a way out, so the program gets none.
    close_fds::set_fds_cloexec(3, &[]);
    // Whoever could trace this process could write to its socket: nobody may.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let (alive, argv) = parse(arguments)?;
    let alive = File::open(alive)?;
    flock(&alive, FlockOperation::LockShared)?;

    let mut line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    writeln!(line, "{READY}")?;
    let Some(packed) = await_go(&mut line)? else {
        return Ok(0);
    };
    let program = argv.first().map(OsString::as_os_str).unwrap_or_default();
    let code = match start(&argv, &packed) {
        Ok(child) => {
            writeln!(line, "{STARTED}")?;
            attend(child, line)?
        }
        Err(error) => {
            let why = format!("cannot start {}: {error}", program.to_string_lossy());
            say(&format!("trueup: {why}"));
            writeln!(line, "{FAILED}{}", why.replace('\n', " "))?;
            if error.kind() == io::ErrorKind::NotFound {
                127
            } else {
                126
            }
        }
    };
    // The lock is let go only when nothing else lives: this line keeps it so long.
    drop(alive);
    Ok(code)
}

fn parse(mut arguments: impl Iterator<Item = OsString>) -> io::Result<(PathBuf, Vec<OsString>)> {
    let mut expect = |word: &str| arguments.next().filter(|found| found == word);
    let usage = || io::Error::other("usage: sandbox-entry --alive PATH -- PROGRAM [ARGUMENT]...");
    expect("--alive").ok_or_else(usage)?;
    let alive = arguments.next().ok_or_else(usage)?;
    arguments.next().filter(|found| found == "--").ok_or_else(usage)?;
    Ok((PathBuf::from(alive), arguments.collect()))
}

/// The variables that come with *go*, or nothing if the line ends before it.
fn await_go(line: &mut UnixStream) -> io::Result<Option<Vec<u8>>> {
    let mut byte = [0];
    if line.read(&mut byte)? == 0 || byte != [GO] {
        return Ok(None);
    }
    let mut length = [0; 4];
    line.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
    if length > MOST_VARIABLES {
        return Err(io::Error::other("more variables than a program can be handed"));
    }
    let mut packed = vec![0; length];
    line.read_exact(&mut packed)?;
    Ok(Some(packed))
}

fn start(argv: &[OsString], packed: &[u8]) -> io::Result<Child> {
    let (program, rest) = argv
        .split_first()
        .ok_or_else(|| io::Error::other("there is no program"))?;
    let variables = unpack(packed).map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value)));
    Command::new(program)
        .args(rest)
        .env_clear()
        .envs(variables)
        .stdin(Stdio::piped())
        .spawn()
}

/// Feeds the program and waits for it, reaping whatever else ends meanwhile.
fn attend(mut child: Child, line: UnixStream) -> io::Result<u8> {
    let main = Pid::from_child(&child);
    let stdin = child.stdin.take();
    let mut feed = line.try_clone()?;
    thread::spawn(move || {
        // The input goes through a pipe of its own, so that the program holds
        // no end of the line. It need not read it.
        stdin.map(|mut stdin| io::copy(&mut feed, &mut stdin))
    });
    thread::spawn(move || {
        await_hang_up(&line);
        // The main thread reaps what this kills, and exits.
        kill_all()
    });
    loop {
        if let Some((pid, status)) = reap()?
            && pid == main
        {
            end_all()?;
            return Ok(code(status));
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

/// Kills everything else in this PID namespace.
fn kill_all() -> rustix::io::Result<()> {
    // Process group 1 is written -1 to the kernel, which reads it as
    // "everything you may signal, but not yourself".
    match kill_process_group(Pid::INIT, Signal::KILL) {
        Err(Errno::SRCH) => Ok(()),
        other => other,
    }
}

/// Kills everything else, and waits until it is gone. The kernel would do it
/// when we exit, but it would first close our files, and with them the lock.
fn end_all() -> io::Result<()> {
    kill_all()?;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::CHILD) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
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
    use super::{enter, parse};
    use std::ffi::OsString;

    #[test]
    fn arguments_are_taken_only_in_their_one_form() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let (alive, argv) = parse(words("--alive /a -- sh -c --").into_iter()).expect("well formed");
        assert_eq!(alive.as_os_str(), "/a");
        assert_eq!(argv, words("sh -c --"));
        for wrong in ["", "--alive", "--alive /a", "--alive /a sh", "sh --alive /a -- sh"] {
            assert!(parse(words(wrong).into_iter()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn it_refuses_to_run_outside_a_sandbox() {
        let error = enter(["--alive", "/dev/null", "--", "true"].into_iter().map(OsString::from));
        assert!(error.expect_err("not PID 1").to_string().contains("first process"));
    }
}
