//! Every way out, as root and as nobody, from an agent's and from a check's sandbox.

use crate::place::{KEY, Listeners, Place, text};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};
use trueup_engine::sandbox::{Bounds, HowEnded, Sandbox};
use trueup_testkit::attacks::Attacks;

/// What bubblewrap is given by somebody who trusts its defaults.
const BARE: [&str; 6] = ["--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc"];

/// What holds everything but the kernel.
const NAMESPACES: &str = "--unshare-user --unshare-all --cap-drop ALL --disable-userns --new-session \
                          --die-with-parent --uid 1000 --gid 1000 --ro-bind / / --proc /proc --dev /dev";

async fn probe(place: &Place, bounds: &Bounds) -> Vec<String> {
    let ended = place
        .run(bounds, &["/usr/bin/python3", "probe.py", "targets.json"])
        .await;
    let said = text(&ended);
    assert_eq!(ended.how, HowEnded::Exited(0), "{said}");
    let held = said.lines().filter(|line| line.starts_with("held ")).count();
    let open: Vec<String> = said
        .lines()
        .filter_map(|line| line.strip_prefix("OPEN "))
        .map(str::to_owned)
        .collect();
    assert_eq!(held + open.len(), 34, "every way was tried: {said}");
    let attacks = Attacks {
        suite: "wall",
        tried: held + open.len(),
        // An agent's network, where it has one, is a person's to give.
        through: open.iter().filter(|way| !way.contains("of the host")).count(),
        twins: 0,
        alarms: 0,
    };
    println!("{attacks}");
    open
}

#[tokio::test]
async fn no_way_leads_out_of_a_checks_sandbox() {
    let place = Place::new();
    let listeners = Listeners::open(&place);
    place.lay_probe(&listeners, &[]);
    assert_eq!(probe(&place, &place.check()).await, [""; 0]);
}

#[tokio::test]
async fn no_way_but_the_network_leads_out_of_an_agents_sandbox() {
    let place = Place::new();
    let listeners = Listeners::open(&place);
    place.lay_probe(&listeners, &[]);
    let open = probe(&place, &place.agent()).await;
    // Whoever shares the host's network also shares its abstract sockets.
    assert_eq!(
        open,
        [
            "network: reached a listener of the host",
            "abstract_socket: reached an abstract socket of the host"
        ]
    );
}

#[tokio::test]
async fn no_way_leads_out_through_a_veil() {
    let place = Place::new();
    let listeners = Listeners::open(&place);
    place.lay_probe(&listeners, &[]);
    assert_eq!(probe(&place, &place.veiled()).await, [""; 0]);
}

#[tokio::test]
async fn what_is_written_through_a_veil_stays_in_it() {
    let place = Place::new();
    let bounds = place.veiled();
    let script = "cat prepared/kept; rm prepared/kept; echo new > prepared/new; echo over > file; rm -f gone";
    let ended = place.run(&bounds, &["sh", "-c", script]).await;
    assert_eq!(ended.how, HowEnded::Exited(0), "{}", text(&ended));
    assert_eq!(ended.stdout.kept, b"kept");
    let under = place.path("state/layers/one/0");
    assert_eq!(fs::read_to_string(under.join("kept")).expect("still there"), "kept");
    assert!(!under.join("new").exists());
    assert_eq!(fs::read(place.path("state/workspaces/own.1/file")).expect("there"), b"");
    let again = place
        .run(&bounds, &["sh", "-c", "cat prepared/new file; ls prepared"])
        .await;
    assert_eq!(again.stdout.kept, b"new\nover\nnew\n", "{}", text(&again));
}

/// Joins a session for keys, puts one there, and becomes another program.
const WITH_KEY: &str = r#"
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
add_key, keyctl = (217, 219) if os.uname().machine == "aarch64" else (248, 250)
name = sys.argv[1].encode()
if libc.syscall(keyctl, 1, None) < 0 or libc.syscall(add_key, b"user", name, b"secret", 6, -3) < 0:
    sys.exit("this kernel has no keys: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
"#;

#[test]
fn the_keys_of_the_callers_session_do_not_reach_the_inside() {
    let this = std::env::current_exe().expect("this program");
    let with_key = |test: &str| {
        let output = Command::new("python3")
            .args(["-c", WITH_KEY, KEY])
            .arg(&this)
            .args([test, "--exact", "--nocapture", "--include-ignored"])
            .output()
            .expect("python3");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{test}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    with_key("escape::no_way_leads_out_of_a_checks_sandbox");
    with_key("escape::no_way_but_the_network_leads_out_of_an_agents_sandbox");
    with_key("escape::no_way_leads_out_through_a_veil");
    with_key("escape::a_key_that_a_wall_of_namespaces_lets_through_is_caught");
}

#[test]
#[ignore = "it needs a key in its session, which the test above sees to"]
fn a_key_that_a_wall_of_namespaces_lets_through_is_caught() {
    let place = Place::new();
    let listeners = Listeners::open(&place);
    place.lay_probe(&listeners, &["find_marked", "write_read_only"]);
    let said = probe_behind(&place, &NAMESPACES.split_whitespace().collect::<Vec<_>>());
    for way in [
        "read_key",
        "leave_key",
        "list_keys",
        "ring",
        "watch_faults",
        "watch_machine",
    ] {
        assert!(said.contains(&format!("OPEN {way}: ")), "{way} was not caught: {said}");
    }
}

#[test]
fn what_the_caller_left_open_does_not_reach_the_inside() {
    // The probe counts descriptors; this is a caller that leaks a folder and a file.
    let output = Command::new("sh")
        .args(["-c", "exec 8</ 9</etc/passwd; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().expect("this program"))
        .args(["escape::no_way_leads_out_of_a_checks_sandbox", "--exact"])
        .output()
        .expect("sh");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn no_way_leads_out_for_an_unprivileged_user_either() {
    if !rustix::process::getuid().is_root() {
        // The tests above were that user.
        return;
    }
    let folder = tempfile::Builder::new()
        .prefix("wall-as-nobody-")
        .tempdir_in("/tmp")
        .expect("folder");
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path(), open).expect("a folder anybody can enter");
    let tests = folder.path().join("tests");
    let entry = folder.path().join("trueup");
    fs::copy(std::env::current_exe().expect("this program"), &tests).expect("copy");
    fs::copy(env!("CARGO_BIN_EXE_trueup"), &entry).expect("copy");
    for name in [
        "escape::no_way_leads_out_of_a_checks_sandbox",
        "escape::no_way_but_the_network_leads_out_of_an_agents_sandbox",
        "escape::no_way_leads_out_through_a_veil",
        "escape::what_is_written_through_a_veil_stays_in_it",
        "escape::a_probe_that_runs_without_the_wall_is_caught",
        "escape::the_keys_of_the_callers_session_do_not_reach_the_inside",
        "limits::who_takes_too_much_memory_is_ended_and_told_why",
        "limits::who_starts_too_many_processes_is_ended_and_told_why",
        "limits::memory_that_processes_share_counts_once",
        "life::nothing_survives_the_end_of_its_program",
        "life::nothing_survives_a_time_limit",
    ] {
        let output = as_nobody(&tests, name, &entry);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{name}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(said.contains("1 passed"), "{name}: {said}");
    }
}

fn as_nobody(tests: &Path, name: &str, entry: &Path) -> Output {
    Command::new("setpriv")
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"])
        .arg(tests)
        .args([name, "--exact", "--nocapture"])
        .env("TRUEUP_WALL_ENTRY", entry)
        .current_dir("/")
        .output()
        .expect("setpriv")
}

/// The same probe, behind a wall that is not one.
fn probe_behind(place: &Place, wall: &[&str]) -> String {
    let tree = place.path("state/workspaces/own.1");
    let output = Command::new("timeout")
        .args(["60", "bwrap"])
        .args(wall)
        .args(["--", "/usr/bin/python3"])
        .args([tree.join("probe.py"), tree.join("targets.json")])
        .env("AWS_SECRET_ACCESS_KEY", "x")
        .output()
        .expect("bwrap");
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn a_probe_that_runs_without_the_wall_is_caught() {
    let place = Place::new();
    // What would search or touch the whole machine is left out.
    let listeners = Listeners::open(&place);
    place.lay_probe(&listeners, &["find_marked", "write_read_only", "unmount"]);
    let said = probe_behind(&place, &BARE);
    let mut expected = vec![
        "read_secrets",
        "environment",
        "system_secrets",
        "network",
        "unshare_user",
    ];
    if rustix::process::getuid().is_root() {
        expected.extend([
            "capabilities",
            "trace_first",
            "become_root",
            "kernel_settings",
            "remount_root",
            "mount_fresh",
            "unshare_mount",
            "change_root",
            "devices",
        ]);
    }
    for way in expected {
        assert!(said.contains(&format!("OPEN {way}: ")), "{way} was not caught: {said}");
    }
}

#[test]
fn a_writable_proc_is_caught_when_root_builds_the_wall() {
    if !rustix::process::getuid().is_root() {
        // The kernel lets only the host's root write there.
        return;
    }
    let place = Place::new();
    let listeners = Listeners::open(&place);
    place.lay_probe(&listeners, &["find_marked", "write_read_only"]);
    let said = probe_behind(&place, &NAMESPACES.split_whitespace().collect::<Vec<_>>());
    assert!(said.contains("held capabilities"), "{said}");
    assert!(said.contains("OPEN kernel_settings: opened /proc/sys/"), "{said}");
}

#[tokio::test]
async fn a_wall_that_stands_is_found_to_stand() {
    Place::new().sandbox.probe().await.expect("a wall");
}

#[test]
fn a_path_that_would_show_home_or_state_is_refused() {
    let place = Place::new();
    let mut setup = crate::place::setup(place.folder.path());
    setup.read = vec![place.path("home")];
    let error = Sandbox::new(setup.clone())
        .expect_err("the whole home is refused")
        .to_string();
    assert!(error.contains("the whole home"), "{error}");
    for wide in [
        "/",
        "/tmp",
        place.path("state").to_str().expect("text"),
        "relative",
        "/trueup",
    ] {
        setup.read = vec![wide.into()];
        assert!(Sandbox::new(setup.clone()).is_err(), "{wide}");
    }
}

#[tokio::test]
async fn nothing_of_the_state_root_is_shown_because_a_configuration_asks_for_it() {
    let place = Place::new();
    for inside in ["state/store.git", "state/workspaces"] {
        let bounds = [
            Bounds {
                read: vec![place.path(inside)],
                ..place.agent()
            },
            Bounds {
                write: vec![place.path(inside)],
                ..place.agent()
            },
        ];
        for bounds in bounds {
            let ended = place.run(&bounds, &["true"]).await;
            let HowEnded::NotStarted(why) = &ended.how else {
                panic!("{inside} was shown: {ended:?}");
            };
            assert!(why.contains("it lies in the state root"), "{why}");
        }
    }
}
