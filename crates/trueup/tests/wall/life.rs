//! Nothing outlives its sandbox, however that ends; and the lock says so.

use crate::place::{Place, program, scaled, text};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs::{self, File, TryLockError},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_engine::{crash, sandbox::HowEnded};

/// A daemon that leaves its session, loses its parent and ignores kind words.
/// The number it sleeps by is what it is found by.
fn daemon(number: u64, then: &str) -> String {
    format!(
        "(setsid sh -c 'trap \"\" TERM HUP INT; echo up; sleep {number}; true' <&- &) ; \
         (setsid sh -c 'trap \"\" TERM HUP INT; exec sleep {number}' <&- >&- 2>&- &) ; sleep 0.2; {then}"
    )
}

/// A number no other test and no other run sleeps by.
fn unique() -> u64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970");
    1_000_000_000 + now.subsec_nanos() as u64 + u64::from(std::process::id()) * 10_000_000_000
}

/// The processes of this machine whose words hold the number.
fn found(number: u64) -> impl Iterator<Item = (String, Option<Pid>)> {
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    entries.filter_map(move |entry| {
        let words = fs::read(entry.path().join("cmdline")).ok()?;
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        words
            .contains(&number.to_string())
            .then(|| (words, pid.and_then(Pid::from_raw)))
    })
}

/// Their words.
fn living(number: u64) -> Vec<String> {
    found(number).map(|(words, _)| words).collect()
}

/// Kills them.
fn kill_all(number: u64) {
    for pid in found(number).filter_map(|(_, pid)| pid) {
        // Some end by themselves meanwhile.
        kill_process(pid, Signal::KILL).unwrap_or_default();
    }
}

fn is_free(alive: &Path) -> bool {
    match File::open(alive).expect("a lock file").try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(error)) => panic!("{error}"),
    }
}

fn until(limit: Duration, holds: impl Fn() -> bool) -> bool {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if holds() {
            return true;
        }
        thread::sleep(Duration::from_millis(2));
    }
    holds()
}

#[tokio::test]
async fn nothing_survives_the_end_of_its_program() {
    let place = Place::new();
    let number = unique();
    let ended = place
        .run(&place.check(), &["sh", "-c", &daemon(number, "exit 3")])
        .await;
    assert_eq!(ended.how, HowEnded::Exited(3), "{}", text(&ended));
    assert_eq!(ended.stdout.kept, b"up\n", "the daemon really was up");
    assert_eq!(living(number), [""; 0]);
    assert!(is_free(&place.check().alive));
}

#[tokio::test]
async fn nothing_survives_a_time_limit() {
    let place = Place::new();
    let number = unique();
    let mut endless = program(&[
        "sh",
        "-c",
        &daemon(number, "trap '' TERM; while true; do sleep 600; done"),
    ]);
    endless.time_limit = Duration::from_secs(1);
    endless.stdin = vec![b'x'; 1 << 20];
    let ended = place.run_program(&place.check(), &endless).await;
    assert_eq!(ended.how, HowEnded::TimedOut);
    assert!(ended.took < Duration::from_secs(8), "{:?}", ended.took);
    assert_eq!(ended.stdout.kept, b"up\n", "the daemon really was up");
    assert_eq!(living(number), [""; 0]);
    assert!(is_free(&place.check().alive));
}

#[tokio::test]
async fn nothing_survives_a_future_that_is_dropped() {
    let place = Place::new();
    let number = unique();
    let (bounds, argv) = (place.check(), daemon(number, "sleep 600"));
    let argv = ["sh", "-c", &argv];
    let dropped = tokio::time::timeout(Duration::from_secs(1), place.run(&bounds, &argv)).await;
    assert!(dropped.is_err());
    assert!(
        until(Duration::from_secs(2), || living(number).is_empty()),
        "{:?}",
        living(number)
    );
}

#[test]
fn a_daemon_without_a_wall_is_seen_to_survive() {
    let number = unique() % 1_000_000_000 + 60;
    let script = daemon(number, "exit 0");
    let status = Command::new("sh")
        .args(["-c", &script])
        .stdout(Stdio::null())
        .status()
        .expect("sh");
    assert!(status.success());
    let survivors = living(number);
    kill_all(number);
    assert!(survivors.len() >= 2, "{survivors:?}");
}

#[tokio::test]
async fn the_lock_is_held_while_the_sandbox_lives_and_by_several_at_once() {
    let place = Place::new();
    let bounds = place.check();
    let quick = ["true"];
    let long = ["sh", "-c", "sleep 1"];
    let both = async {
        // Whichever of two begins first is chance; the longer one must have begun.
        while is_free(&bounds.alive) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let short = place.run(&bounds, &quick).await;
        assert_eq!(short.how, HowEnded::Exited(0));
        assert!(!is_free(&bounds.alive), "the longer one still holds it");
    };
    let (long, ()) = tokio::join!(place.run(&bounds, &long), both);
    assert_eq!(long.how, HowEnded::Exited(0));
    assert!(is_free(&bounds.alive));
}

/// Not a test: the process that the next tests kill. It runs a daemon in a sandbox,
/// and dies where it is told to.
#[tokio::test]
#[ignore = "a process for tests that kill it"]
async fn victim() {
    let number: u64 = std::env::var("TRUEUP_WALL_NUMBER")
        .expect("number")
        .parse()
        .expect("number");
    let die_at: u64 = std::env::var("TRUEUP_WALL_DIE_AT")
        .expect("point")
        .parse()
        .expect("point");
    let place = Place::new();
    fs::write(
        std::env::var_os("TRUEUP_WALL_PLACE").expect("file"),
        place.folder.path().as_os_str().as_encoded_bytes(),
    )
    .expect("file");
    crash::arm(crash::Plan {
        die_at,
        log: None,
        hold: None,
    });
    place
        .run(&place.check(), &["sh", "-c", &daemon(number, "sleep 600")])
        .await;
}

fn spawn_victim(number: u64, die_at: usize, note: &Path, bubblewrap: Option<&str>) -> Child {
    let mut victim = Command::new(std::env::current_exe().expect("this program"));
    victim
        .args(["life::victim", "--exact", "--ignored"])
        .env("TRUEUP_WALL_NUMBER", number.to_string())
        .env("TRUEUP_WALL_DIE_AT", die_at.to_string())
        .env("TRUEUP_WALL_PLACE", note)
        .envs(bubblewrap.map(|script| ("TRUEUP_WALL_BUBBLEWRAP", script)))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    victim.spawn().expect("victim")
}

#[test]
fn nothing_survives_the_death_of_the_process_that_built_it() {
    // Points 1 to 4 lie 0, 1, 2 and 5 ms after the spawn, 5 and 6 at ready and
    // go. At 0 nothing dies by itself: we kill it with the daemon up.
    for cycle in 0..scaled(21) {
        let die_at = cycle % 7;
        let number = unique();
        let note = tempfile::NamedTempFile::new().expect("file");
        let mut victim = spawn_victim(number, die_at, note.path(), None);
        if die_at == 0 {
            let sleeper = format!("sleep {number}");
            let up = || living(number).iter().any(|words| words.starts_with(&sleeper));
            assert!(until(Duration::from_secs(20), up), "the daemon never came up");
            victim.kill().expect("killed");
        }
        let status = victim.wait().expect("dead");
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(9),
            "point {die_at}"
        );
        let gone = until(Duration::from_secs(2), || living(number).is_empty());
        assert!(gone, "point {die_at}: {:?}", living(number));
        let folder = fs::read_to_string(note.path()).expect("place");
        assert!(folder.starts_with("/tmp/wall-"), "{folder:?}");
        let alive = Path::new(&folder).join("state/runs/alive");
        assert!(until(Duration::from_secs(2), || is_free(&alive)), "point {die_at}");
        fs::remove_dir_all(folder).expect("removed");
    }
}

/// A bubblewrap that hesitates before it tells its child to begin, which is the
/// first thing it writes.
const HESITANT: &str = "#!/bin/sh
case $1 in --version) exec /usr/bin/bwrap --version ;; esac
exec strace -D -f -o /dev/null -e trace=write -e inject=write:delay_enter=1000000:when=1 /usr/bin/bwrap MORE \"$@\"
";

/// What lives three seconds after its builder died while bubblewrap hesitated.
fn left_by_hesitant(more: &str) -> Vec<String> {
    let number = unique();
    let note = tempfile::NamedTempFile::new().expect("file");
    let mut victim = spawn_victim(number, 0, note.path(), Some(&HESITANT.replace("MORE", more)));
    let bubblewraps = || {
        let mut all = living(number);
        all.retain(|words| words.starts_with("/usr/bin/bwrap "));
        all
    };
    assert!(until(Duration::from_secs(20), || bubblewraps().len() == 2), "no child");
    // It has said by now that it dies with its parent, where it says that.
    thread::sleep(Duration::from_millis(300));
    victim.kill().expect("killed");
    victim.wait().expect("dead");
    until(Duration::from_secs(3), || living(number).is_empty());
    let left = bubblewraps();
    kill_all(number);
    fs::remove_dir_all(fs::read_to_string(note.path()).expect("place")).expect("removed");
    left
}

#[test]
fn nothing_survives_a_builder_that_dies_before_bubblewrap_lets_its_child_begin() {
    assert_eq!(left_by_hesitant(""), [""; 0]);
    // Who lets the kernel kill bubblewrap leaves the child.
    assert_eq!(left_by_hesitant("--die-with-parent").len(), 1);
}
