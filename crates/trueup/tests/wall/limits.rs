//! What one sandbox may take of the machine: as root by the kernel's own count,
//! as anybody else by somebody who looks.

use crate::place::{Place, text};
use std::{fs, time::Duration};
use trueup_engine::sandbox::{Excess, HowEnded, Share};

const SMALL: Share = Share {
    memory: 300 << 20,
    processes: 60,
    temporary: 40 << 20,
};

/// Takes memory, piece by piece, and says so where nobody minds.
const HOG: &str = "
held = []
for _ in range(60):
    held.append(bytearray(b'x' * (10 << 20)))
print('took it all')
";

/// The same of memory that could be shared with others, which is no process's own.
const SHARED_HOG: &str = "
import mmap
held = mmap.mmap(-1, 600 << 20)
for at in range(0, 600 << 20, 4096):
    held[at] = 1
print('took it all')
";

/// Forks and waits, again and again; children fork too.
const BOMB: &str = "
import os, time
end = time.time() + 20
while time.time() < end:
    try:
        os.fork()
    except OSError:
        time.sleep(0.01)
";

/// Threads of one process, all at once.
const THREADS: &str = "
import threading, time
for _ in range(100):
    try:
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
    except RuntimeError:
        break
time.sleep(5)
";

/// Memory that many processes share, each of which looks as large as all of it.
const SHARED: &str = "
import os, time
held = b'x' * (100 << 20)
for _ in range(8):
    if os.fork() == 0:
        time.sleep(1.5)
        os._exit(held[0] != ord('x'))
print([os.wait()[1] for _ in range(8)])
";

/// Fills every folder that lies in memory.
const WRITER: &str = "
import os
for folder in ['/tmp', os.environ['HOME'], '/dev/shm', '/dev']:
    written = 0
    try:
        with open(folder + '/filling', 'wb') as file:
            while written < 400:
                file.write(b'x' * (1 << 20))
                file.flush()
                written += 1
    except OSError as error:
        pass
    print(folder.replace(os.environ['HOME'], 'home'), written)
    if written:
        os.unlink(folder + '/filling')
";

async fn how(share: Share, script: &str) -> (HowEnded, String, Duration) {
    let place = Place::allowing(share);
    let ended = place.run(&place.check(), &["/usr/bin/python3", "-c", script]).await;
    (ended.how.clone(), text(&ended), ended.took)
}

/// Groups of the kernel that this process made.
fn groups() -> Vec<String> {
    let prefix = format!("trueup-{}-", std::process::id());
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let places = own.lines().filter_map(|line| {
        let (controller, path) = line.split_once(':')?.1.split_once(':')?;
        ["memory", "pids"]
            .contains(&controller)
            .then(|| format!("/sys/fs/cgroup/{controller}{path}"))
    });
    let entries = places.flat_map(fs::read_dir).flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(&prefix)).collect()
}

#[tokio::test]
async fn the_kernel_counts_where_it_can_be_asked_to() {
    let place = Place::new();
    let bounds = place.check();
    let running = place.run(&bounds, &["sleep", "1"]);
    let looking = async {
        tokio::time::sleep(Duration::from_millis(600)).await;
        groups().len()
    };
    let (ended, seen) = tokio::join!(running, looking);
    assert_eq!(ended.how, HowEnded::Exited(0), "{}", text(&ended));
    let can_be_asked = rustix::process::getuid().is_root() && fs::exists("/sys/fs/cgroup/memory").unwrap_or_default();
    assert_eq!(seen, if can_be_asked { 2 } else { 0 });
    assert_eq!(groups(), [""; 0], "nothing is left of what counted");
}

#[tokio::test]
async fn who_takes_too_much_memory_is_ended_and_told_why() {
    for script in [HOG, SHARED_HOG] {
        let slowly = format!("{script}\nimport time; time.sleep(5)");
        let (ended, said, _) = how(SMALL, &slowly).await;
        assert_eq!(ended, HowEnded::Overran(Excess::Memory(SMALL.memory)), "{said}");
    }
    let (_, said, _) = how(SMALL, HOG).await;
    assert!(!said.contains("took it all"), "{said}");
    let enough = Share {
        memory: 2 << 30,
        ..SMALL
    };
    let (ended, said, _) = how(enough, HOG).await;
    assert_eq!(ended, HowEnded::Exited(0), "{said}");
    assert_eq!(groups(), [""; 0], "nothing is left of what counted");
}

#[tokio::test]
async fn who_starts_too_many_processes_is_ended_and_told_why() {
    for script in [BOMB, THREADS] {
        let (ended, said, took) = how(SMALL, script).await;
        assert_eq!(ended, HowEnded::Overran(Excess::Processes(SMALL.processes)), "{said}");
        assert!(took < Duration::from_secs(4), "{took:?}: {script}");
    }
    assert_eq!(groups(), [""; 0], "nothing is left of what counted");
}

#[tokio::test]
async fn memory_that_processes_share_counts_once() {
    let (ended, said, _) = how(SMALL, SHARED).await;
    assert_eq!(ended, HowEnded::Exited(0), "{said}");
    assert!(said.contains("[0, 0, 0, 0, 0, 0, 0, 0]"), "{said}");
}

#[tokio::test]
async fn a_temporary_folder_holds_no_more_than_it_may() {
    let roomy = Share {
        memory: 2 << 30,
        ..SMALL
    };
    let (ended, said, _) = how(roomy, WRITER).await;
    assert_eq!(ended, HowEnded::Exited(0), "{said}");
    for folder in ["/tmp 40", "home 40", "/dev/shm 40", "/dev 0"] {
        assert!(said.lines().any(|line| line == folder), "{folder}: {said}");
    }
}
