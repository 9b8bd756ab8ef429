//! Findings 1, 9 and 13: keys, limits and sockets of the kernel.

/// The kernel's keys are in no namespace.
mod keys {
    use crate::attack::{FINISH, Subject, holds_now_and_fell_with};
    use std::process::Command;
    use trueup_testkit::household::{Household, output};

    /// How a script speaks of keys.
    const KEYS: &str = r#"
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
add_key, keyctl = (217, 219) if os.uname().machine == "aarch64" else (248, 250)
def read(name):
    found = libc.syscall(keyctl, 10, -3, b"user", name, 0)
    value = ctypes.create_string_buffer(64)
    return value.value if found > 0 and libc.syscall(keyctl, 11, found, value, 64) > 0 else b""
def keep(name, value):
    return libc.syscall(add_key, b"user", name, value, len(value), -3) > 0
"#;

    /// Reads its answer from a key.
    const ANSWER: &str = r#"
my $keyctl = `uname -m` =~ /aarch64/ ? 219 : 250;
my ($kind, $name, $value) = ("user", "answer", "\0" x 64);
my $length = syscall($keyctl, 11, syscall($keyctl, 10, -3, $kind, $name, 0), $value, 64);
print substr($value, 0, $length) if $length > 0;
"#;

    /// trueup, run in a session of the person's that holds a key.
    fn run(household: &Household, subject: &Subject) -> (bool, String) {
        let start = "\nif libc.syscall(keyctl, 1, None) < 0 or not keep(b'of-the-person', b'sesame'):\n    \
                     sys.exit('this kernel has no keys')\nos.execv(sys.argv[1], sys.argv[1:])\n";
        let mut python = Command::new("python3");
        household.furnish(&mut python);
        let ended = output(
            python
                .args(["-c", &format!("{KEYS}{start}")])
                .arg(subject.binary())
                .args(["run", "T-001"]),
        );
        assert!(!ended.stderr.contains("no keys"), "{ended:#?}");
        (ended.code == 0, format!("{ended:#?}"))
    }

    #[test]
    fn an_agent_reads_no_key_of_the_persons() {
        holds_now_and_fell_with("shares-kernel", |subject| {
            let household = subject.asked_to_finish(&format!(
                "python3 - <<'END'\n{KEYS}\nif read(b'of-the-person') == b'sesame':\n    open('done.txt', 'w').write('done')\nEND\n"
            ));
            run(&household, subject)
        });
    }

    #[test]
    fn delivered_code_finds_no_answer_that_an_agent_left_in_a_key() {
        holds_now_and_fell_with("shares-kernel", |subject| {
            let household = subject.household(&format!(
                "python3 - <<'END'\n{KEYS}\nkeep(b'answer', b'42')\nEND\n\
                 cat > answer.pl <<'END'\n{ANSWER}END\n"
            ));
            household.file("tests/answer.sh", "test \"$(perl answer.pl)\" = 42\n");
            household.task("T-001", &FINISH.replace("grep -q done done.txt", "sh tests/answer.sh"));
            household.commit("A task");
            run(&household, subject)
        });
    }
}

/// What one sandbox may take of the machine.
mod limits {
    use crate::attack::{holds_now_and_fell_with, within};
    use std::fs;

    fn takes(limit: &str, script: &str) {
        holds_now_and_fell_with("limits-nothing", |subject| {
            let household = subject.asked_to_finish(&format!(
                "python3 - <<'END'\n{script}\nopen('done.txt', 'w').write('done')\nEND\n"
            ));
            let own = household.home().join(".config/trueup");
            fs::create_dir_all(&own).expect("a folder");
            fs::write(own.join("config.toml"), format!("[limits]\n{limit}\n")).expect("the person's own file");
            let ended = within(60, &household, subject, &["run", "T-001"]);
            // A folder that is full is told to whoever writes there.
            let told = ended.stderr.contains("`[limits] ") || limit.starts_with("temporary");
            assert!(ended.code == 0 || ended.code == 6 && told, "{ended:#?}");
            (ended.code == 0, format!("{ended:#?}"))
        });
    }

    #[test]
    fn nobody_takes_more_memory_than_a_sandbox_has() {
        takes(
            "memory = \"200MB\"",
            "import time\nheld = b'x' * (400 << 20)\ntime.sleep(1)",
        );
    }

    #[test]
    fn nobody_starts_more_processes_than_a_sandbox_may_have() {
        takes(
            "processes = 60",
            "import os, time\ntry:\n    for _ in range(120):\n        if os.fork() == 0:\n            time.sleep(3)\n            os._exit(0)\n\
             finally:\n    # Whoever looks from outside looks a few times a second.\n    time.sleep(1)",
        );
    }

    #[test]
    fn nobody_fills_the_machines_memory_with_files() {
        takes(
            "temporary = \"40MB\"",
            "with open('/tmp/filling', 'wb') as file:\n    for _ in range(80):\n        file.write(b'x' * (1 << 20))",
        );
    }
}

/// Sockets by which a virtual machine reaches its host.
mod sockets {
    use crate::attack::holds_now_and_fell_with;
    use std::process::Command;

    const OPEN: &str = "import socket\nsocket.socket(40, socket.SOCK_STREAM)\n";

    #[test]
    fn no_socket_leads_to_the_host_of_a_virtual_machine() {
        let here = Command::new("python3").args(["-c", OPEN]).output().expect("python3");
        if !here.status.success() {
            println!("this kernel has no such sockets: nothing was tried");
            return;
        }
        holds_now_and_fell_with("shares-kernel", |subject| {
            let agent = format!("python3 - <<'END'\n{OPEN}open('done.txt', 'w').write('done')\nEND\n");
            let household = subject.asked_to_finish(&agent);
            let ended = household.trueup(&["run", "T-001"]);
            (ended.code == 0, format!("{ended:#?}"))
        });
    }
}
