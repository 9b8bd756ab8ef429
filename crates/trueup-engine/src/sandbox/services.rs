//! Services: programs the entry starts before the program itself, watches
//! while it runs, and ends with it.
//!
//! Whether a service can be used is seen by the entry alone: by the exit code
//! of a command it ran, or by a connection it made. Nothing that runs inside
//! can say so.

use super::aside;
use std::{
    collections::VecDeque,
    io::{self, Read},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    os::unix::process::ExitStatusExt,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use trueup_core::criterion::Service;

/// How long a service may take until it can be used.
pub(super) const READY_WITHIN: Duration = Duration::from_secs(60);
/// How often it is asked.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a connection may take; both ends are on this machine.
const CONNECTS_WITHIN: Duration = Duration::from_millis(500);
/// How long the last words of a dead service may take to arrive. What it
/// started may hold its pipe for ever, so its end is not waited for without end.
const LAST_WORDS_WITHIN: Duration = Duration::from_secs(2);
/// How many bytes of what a service said last are told.
const TOLD: usize = 2000;

/// A service that is up.
pub(super) struct Running {
    name: String,
    child: Child,
    said: Said,
    /// Reads what it says, to the end.
    reading: JoinHandle<()>,
}

/// The end of what a service wrote.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<VecDeque<u8>>>);

/// Starts every service in turn and waits, each time this long at most, until
/// it can be used. `furnish` gives a command the variables all programs inside
/// have.
pub(super) fn start(
    services: &[Service],
    within: Duration,
    furnish: &dyn Fn(&mut Command),
) -> Result<Vec<Running>, String> {
    let mut running = Vec::new();
    for service in services {
        let mut one = launch(service, furnish)?;
        await_ready(service, &mut one, within, furnish)?;
        running.push(one);
        if let Some(why) = dead(&mut running) {
            return Err(why);
        }
    }
    Ok(running)
}

/// What to say of the first service that is no longer there, if one is not.
pub(super) fn dead(running: &mut [Running]) -> Option<String> {
    running.iter_mut().find_map(|one| {
        let status = one.child.try_wait().ok().flatten()?;
        Some(one.died(status))
    })
}

fn launch(service: &Service, furnish: &dyn Fn(&mut Command)) -> Result<Running, String> {
    let name = &service.name;
    if let Some(port) = service.port.filter(|port| accepts(*port)) {
        return Err(format!(
            "the service `{name}` was not started: something else listens on port {port}"
        ));
    }
    let said = Said::default();
    let (child, reading) = spawn(&service.argv, &said, furnish).map_err(|error| {
        format!(
            "the service `{name}` cannot be started: {}: {error}",
            service.argv.join(" ")
        )
    })?;
    Ok(Running {
        name: name.clone(),
        child,
        said,
        reading,
    })
}

fn spawn(argv: &[String], said: &Said, furnish: &dyn Fn(&mut Command)) -> io::Result<(Child, JoinHandle<()>)> {
    let (program, rest) = argv
        .split_first()
        .ok_or_else(|| io::Error::other("there is no program"))?;
    let (mut reader, writer) = io::pipe()?;
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::null());
    command.stdout(writer.try_clone()?).stderr(writer);
    furnish(&mut command);
    let child = command.spawn()?;
    // The command still holds the pipe's inner end, which must end with the service.
    drop(command);
    let said = said.clone();
    let reading = aside::spawn(move || {
        let mut piece = [0; 4096];
        // A service nobody reads would block; it is read until the end.
        while let Ok(count @ 1..) = reader.read(&mut piece) {
            said.add(piece.get(..count).unwrap_or_default());
        }
    })?;
    Ok((child, reading))
}

fn await_ready(
    service: &Service,
    one: &mut Running,
    within: Duration,
    furnish: &dyn Fn(&mut Command),
) -> Result<(), String> {
    let until = Instant::now() + within;
    loop {
        let ready = match (&service.ready, service.port) {
            (Some(argv), _) => answers(argv, one, until, furnish)?,
            (None, Some(port)) => accepts(port),
            (None, None) => true,
        };
        if let Some(status) = one.child.try_wait().ok().flatten() {
            return Err(one.died(status));
        }
        if ready {
            return Ok(());
        }
        if Instant::now() > until {
            let seconds = within.as_secs();
            return Err(one.tell(&format!("was not ready within {seconds} s")));
        }
        thread::sleep(PAUSE);
    }
}

/// Whether the command that asks a service exits with 0. It is broken off when
/// the service dies or the time is over.
fn answers(argv: &[String], one: &mut Running, until: Instant, furnish: &dyn Fn(&mut Command)) -> Result<bool, String> {
    let (mut asking, _) = spawn(argv, &one.said, furnish).map_err(|error| {
        one.tell(&format!(
            "cannot be asked whether it is ready: {}: {error}",
            argv.join(" ")
        ))
    })?;
    loop {
        let answer = asking.try_wait().map_err(|error| error.to_string())?;
        if let Some(status) = answer {
            return Ok(status.success());
        }
        let over = Instant::now() > until || one.child.try_wait().ok().flatten().is_some();
        if over {
            // Gone already is as good.
            drop(asking.kill());
            drop(asking.wait());
            return Ok(false);
        }
        thread::sleep(PAUSE / 5);
    }
}

fn accepts(port: u16) -> bool {
    let at: [SocketAddr; 2] = [(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()];
    at.iter()
        .any(|address| TcpStream::connect_timeout(address, CONNECTS_WITHIN).is_ok())
}

impl Running {
    /// Its process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What to say of it once it ended.
    pub(super) fn died(&self, status: ExitStatus) -> String {
        let until = Instant::now() + LAST_WORDS_WITHIN;
        while !self.reading.is_finished() && Instant::now() < until {
            thread::sleep(PAUSE / 5);
        }
        self.tell(&match status.code() {
            Some(code) => format!("ended with exit {code}"),
            None => format!("was ended by signal {}", status.signal().unwrap_or_default()),
        })
    }

    fn tell(&self, what: &str) -> String {
        let said = self.said.so_far();
        let name = &self.name;
        if said.is_empty() {
            format!("the service `{name}` {what}; it said nothing")
        } else {
            format!("the service `{name}` {what}; it last said: {said}")
        }
    }
}

impl Said {
    fn add(&self, bytes: &[u8]) {
        if let Ok(mut said) = self.0.lock() {
            said.extend(bytes);
            let surplus = said.len().saturating_sub(TOLD);
            said.drain(..surplus);
        }
    }

    /// The end of what was written until now.
    fn so_far(&self) -> String {
        let bytes: Vec<u8> = self
            .0
            .lock()
            .map(|said| said.iter().copied().collect())
            .unwrap_or_default();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::start;
    use std::{
        net::TcpListener,
        time::{Duration, Instant},
    };
    use trueup_core::criterion::Service;

    fn service(argv: &[&str], ready: Option<&[&str]>, port: Option<u16>) -> Service {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Service {
            name: "odd".to_owned(),
            argv: words(argv),
            ready: ready.map(words),
            port,
        }
    }

    fn why(service: Service) -> String {
        match start(&[service], Duration::from_secs(1), &|_| {}) {
            Err(why) => why,
            Ok(mut running) => {
                running.iter_mut().for_each(|one| one.child.kill().expect("an end"));
                panic!("it was ready")
            }
        }
    }

    #[test]
    fn a_service_that_is_never_ready_is_told_with_its_last_words() {
        let tuning = ["sh", "-c", "echo still tuning; exec sleep 5"];
        let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = free.expect("a free port").port();
        for never in [
            service(&tuning, Some(&["false"]), None),
            service(&tuning, Some(&["sleep", "60"]), None),
            service(&tuning, None, Some(port)),
        ] {
            let began = Instant::now();
            let why = why(never);
            assert!(
                why.contains("`odd` was not ready within 1 s; it last said: still tuning"),
                "{why}"
            );
            assert!(
                began.elapsed() < Duration::from_secs(4),
                "a command that hangs is broken off"
            );
        }
    }

    #[test]
    fn a_service_is_ready_when_its_command_exits_with_nothing_wrong() {
        let up = service(&["sleep", "5"], Some(&["true"]), None);
        let mut running = start(&[up], Duration::from_secs(5), &|_| {}).expect("ready");
        assert_eq!(running.len(), 1);
        running.iter_mut().for_each(|one| one.child.kill().expect("an end"));
        running.iter_mut().for_each(|one| drop(one.child.wait()));
    }
}
