//! Many processes use one journal at once, and only its owner can.

use crate::disk::{ask_to_stop, claim, files, history, hold, keep, keep_sample, listed, open, root};
use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use trueup_core::id::RunId;
use trueup_engine::{
    durable::{
        Claimed, Desk, DeskError, Filter, Hold, Lease, Renewed,
        sqlite::{Journal, Sqlite},
    },
    state::StateRoot,
};
use trueup_testkit::{conformance::wait, sample};

#[test]
fn only_its_owner_can_read_the_journal() {
    let (_folder, root) = root();
    let desk = Sqlite::open(&root).unwrap();
    let run = RunId::new("T-001.1");
    open(&desk, &run, &sample::opened("T-001.1")).unwrap();
    let _journal = claim(&desk, &run).unwrap();
    let locks = [root.run(&run).join("owner.lock"), root.run(&run).join("alive")];
    let journal = ["", "-wal", "-shm"].map(|suffix| root.path().join(format!("journal.db{suffix}")));
    for path in journal.iter().chain(&locks) {
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
    }
}

#[test]
fn nothing_but_the_journal_is_left_when_everybody_is_gone() {
    let (_folder, root) = root();
    keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    let names: Vec<String> = files(&root).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [root.journal().display().to_string()]);
}

#[test]
fn a_journal_half_made_by_the_dead_is_made_anew() {
    let (_folder, root) = root();
    for name in ["journal.db.new", "journal.db.new-wal"] {
        fs::write(root.path().join(name), "half").unwrap();
    }
    keep_sample(&Sqlite::open(&root).unwrap(), "T-001.1");
    assert_eq!(files(&root).len(), 1);
}

#[test]
fn a_name_that_leads_out_of_the_state_root_is_refused() {
    let (_folder, root) = root();
    let desk = Sqlite::open(&root).unwrap();
    let name = "../../T-001.1";
    let refused = open(&desk, &RunId::new(name), &sample::opened(name));
    assert!(matches!(refused, Err(DeskError::Journal(_))));
    assert_eq!(listed(&desk, Filter::All).unwrap(), []);
}

/// The runs of those who write at once.
const RUNS: [&str; 8] = ["T-1.1", "T-2.1", "T-3.1", "T-4.1", "T-5.1", "T-6.1", "T-7.1", "T-8.1"];

#[test]
fn many_write_and_read_at_once_and_nobody_is_locked_out() {
    let (_folder, root) = root();
    let start = Barrier::new(11);
    let unfinished = AtomicUsize::new(8);
    let until = Instant::now() + Duration::from_secs(60);
    thread::scope(|scope| {
        for name in RUNS {
            let (root, start, unfinished) = (&root, &start, &unfinished);
            scope.spawn(move || {
                start.wait();
                // All of them find no journal, and one of them makes it.
                let desk = Sqlite::open(root).unwrap();
                keep_many(&desk, name, 25);
                unfinished.fetch_sub(1, Ordering::SeqCst);
            });
        }
        for _ in 0..3 {
            scope.spawn(|| {
                start.wait();
                let desk = Sqlite::open(&root).unwrap();
                while unfinished.load(Ordering::SeqCst) > 0 && Instant::now() < until {
                    for run in RUNS.map(RunId::new) {
                        let read = history(&desk, &run);
                        assert!(matches!(read, Ok(_) | Err(DeskError::Unknown(_))), "{read:?}");
                    }
                }
            });
        }
    });
    let desk = Sqlite::open(&root).unwrap();
    for run in RUNS.map(RunId::new) {
        assert_eq!(history(&desk, &run).unwrap().len(), 26);
    }
}

fn keep_many(desk: &Sqlite, name: &str, count: i64) -> Journal {
    let run = RunId::new(name);
    open(desk, &run, &sample::opened(name)).unwrap();
    let mut journal = claim(desk, &run).unwrap().journal;
    for n in 1..=count {
        let event = sample::troubled(&format!("trouble {n}"), sample::at(n));
        keep(&mut journal, &format!("effect-{n}"), &event).unwrap();
    }
    journal
}

/// Names the state root and the run to the process that holds it.
const HOLD: (&str, &str) = ("TRUEUP_TEST_ROOT", "TRUEUP_TEST_RUN");

#[test]
#[ignore = "started as another process by the tests below"]
fn another_process_holds_a_run() {
    let (Ok(root), Ok(run)) = (std::env::var(HOLD.0), std::env::var(HOLD.1)) else {
        return;
    };
    let desk = Sqlite::open(&StateRoot::open(Path::new(&root)).unwrap()).unwrap();
    let _journal = keep_many(&desk, &run, 20);
    println!("\nkept");
    // Ends with whoever started it, so that no failed test leaves it behind.
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

fn hold_elsewhere(root: &StateRoot, run: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "sharing::another_process_holds_a_run",
            "--ignored",
            "--nocapture",
        ])
        .envs([(HOLD.0, root.path().as_os_str()), (HOLD.1, run.as_ref())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn processes_share_the_journal_and_their_death_frees_their_runs() {
    let (_folder, root) = root();
    let names = ["T-1.1", "T-2.1", "T-3.1", "T-4.1"];
    let mut children = names.map(|name| hold_elsewhere(&root, name));
    for child in &mut children {
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.map_while(Result::ok).any(|line| line == "kept"));
    }
    let desk = Sqlite::open(&root).unwrap();
    for run in names.map(RunId::new) {
        assert_eq!(hold(&desk, &run), Hold::Driven);
        assert!(matches!(claim(&desk, &run), Err(DeskError::Driven(_))));
        assert_eq!(ask_to_stop(&desk, &run), Hold::Driven);
    }
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for run in names.map(RunId::new) {
        let claimed = claim(&desk, &run).unwrap();
        assert_eq!(claimed.events.len(), 21);
        assert_eq!(renewed(&desk, &claimed.lease), Renewed::GoOn);
    }
}

#[test]
fn a_request_to_stop_reaches_whoever_is_just_claiming() {
    let (_folder, root) = root();
    let desk = Sqlite::open(&root).unwrap();
    let run = RunId::new("T-001.1");
    open(&desk, &run, &sample::opened("T-001.1")).unwrap();
    drop(claim(&desk, &run).unwrap());
    let sandbox = fs::File::open(root.run(&run).join("alive")).unwrap();
    sandbox.lock_shared().unwrap();
    let claimed: Claimed<Journal> = thread::scope(|scope| {
        let claimer = scope.spawn(|| claim(&Sqlite::open(&root).unwrap(), &run).unwrap());
        let until = Instant::now() + Duration::from_secs(5);
        while hold(&desk, &run) == Hold::Free {
            assert!(Instant::now() < until);
        }
        assert_eq!(ask_to_stop(&desk, &run), Hold::Driven);
        drop(sandbox);
        claimer.join().unwrap()
    });
    assert_eq!(renewed(&desk, &claimed.lease), Renewed::StopAsked);
}

fn renewed(desk: &Sqlite, lease: &Lease) -> Renewed {
    wait(desk.renew(lease)).unwrap().unwrap()
}

/// How many locks this process holds on the journal file itself.
fn locks(root: &StateRoot) -> usize {
    let inode = format!(":{} ", fs::metadata(root.journal()).unwrap().ino());
    let pid = format!(" {} ", std::process::id());
    let all = fs::read_to_string("/proc/locks").unwrap();
    all.lines()
        .filter(|lock| lock.contains("POSIX") && lock.contains(&inode) && lock.contains(&pid))
        .count()
}

#[test]
fn opening_the_journal_again_lets_go_of_no_lock() {
    let (_folder, root) = root();
    let desk = Sqlite::open(&root).unwrap();
    listed(&desk, Filter::All).unwrap();
    assert_ne!(locks(&root), 0);
    drop(Sqlite::open(&root).unwrap());
    assert_ne!(locks(&root), 0);
    // The trap this proves we stay out of: a plain file, opened and closed.
    drop(fs::File::open(root.journal()).unwrap());
    assert_eq!(locks(&root), 0);
}
