//! Agents that renew one sign-in whose tokens work once, all at the same time.

use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};
use tempfile::TempDir;
use trueup_core::ending;
use trueup_engine::agent::sign_in::{Account, SignIn};

const AGENTS: usize = 10;
const TURNS: usize = 4;

/// Gives a new pair of tokens for the last refresh token, and only for that.
struct Provider {
    last: Mutex<u32>,
    renewals: AtomicU32,
}

impl Provider {
    fn renew(&self, sign_in: &Value) -> Option<Value> {
        let mut last = self.last.lock().expect("unharmed");
        (sign_in["claudeAiOauth"]["refreshToken"] == format!("refresh-{last}")).then(|| {
            *last += 1;
            self.renewals.fetch_add(1, Ordering::Relaxed);
            tokens(*last)
        })
    }
}

fn tokens(number: u32) -> Value {
    json!({"claudeAiOauth": {
        "accessToken": format!("access-{number}"),
        "refreshToken": format!("refresh-{number}"),
        "expiresAt": 1_000 + number,
        "scopes": ["user:inference"],
    }})
}

/// How an agent comes by its sign-in.
#[derive(Clone, Copy, PartialEq)]
enum Lending {
    Ours,
    /// A plain copy at the beginning of each turn.
    PlainCopy,
}

struct Household {
    _folder: TempDir,
    person: PathBuf,
    file: PathBuf,
    provider: Provider,
    signed_out: AtomicU32,
}

impl Household {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let person = folder.path().join("person");
        let file = person.join(".claude/.credentials.json");
        fs::create_dir_all(file.parent().expect("a folder above")).expect("folder");
        fs::write(&file, tokens(0).to_string()).expect("file");
        Self {
            person,
            file,
            provider: Provider {
                last: Mutex::new(0),
                renewals: AtomicU32::new(0),
            },
            signed_out: AtomicU32::new(0),
            _folder: folder,
        }
    }

    /// A turn: the agent renews when it begins and again in its middle, writes
    /// its file in two pieces as some do, and is refused when it comes late.
    fn turn(&self, home: &Path, lending: Lending) {
        let copy = home.join(".credentials.json");
        let lent = match lending {
            Lending::Ours => {
                let lent = SignIn::lend(Account::Claude, &self.file, &self.person, home).expect("a copy");
                Some(lent.expect("signed in").tend_meanwhile().expect("a thread"))
            }
            Lending::PlainCopy => {
                fs::copy(&self.file, &copy).expect("a copy");
                None
            }
        };
        let mut refused = false;
        for _ in 0..2 {
            let held: Value = serde_json::from_slice(&fs::read(&copy).expect("the copy")).expect("whole");
            match self.provider.renew(&held) {
                Some(renewed) => write_in_pieces(&copy, &renewed),
                None => {
                    refused = true;
                    break;
                }
            }
            thread::sleep(Duration::from_millis(40));
        }
        let renewed = lent.map(|lent| {
            let mut lent = lent.end().expect("the sign-in");
            lent.take_back().expect("brought back");
            lent
        });
        let now = renewed.filter(|_| refused).map(|lent| lent.since_the_turn_began());
        if refused && now != Some(ending::SignIn::Renewed) {
            self.signed_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn live(&self, lending: Lending) {
        thread::scope(|scope| {
            for number in 0..AGENTS {
                let home = self.person.join(format!("state/runs/run.{number}/home"));
                fs::create_dir_all(&home).expect("folder");
                scope.spawn(move || {
                    for _ in 0..TURNS {
                        self.turn(&home, lending);
                    }
                });
            }
        });
    }

    fn person_is_signed_in(&self) -> bool {
        let held: Value = serde_json::from_slice(&fs::read(&self.file).expect("the file")).expect("whole");
        self.provider.renew(&held).is_some()
    }
}

fn write_in_pieces(path: &Path, value: &Value) {
    let text = value.to_string();
    let (first, second) = text.split_at(text.len() / 2);
    fs::write(path, first).expect("a copy");
    thread::sleep(Duration::from_millis(5));
    fs::write(path, format!("{first}{second}")).expect("a copy");
}

#[test]
fn ten_agents_that_renew_one_sign_in_at_once_sign_nobody_out() {
    let household = Household::new();
    household.live(Lending::Ours);
    assert_eq!(household.signed_out.load(Ordering::Relaxed), 0);
    let renewals = household.provider.renewals.load(Ordering::Relaxed);
    assert!(renewals as usize >= TURNS, "it was renewed {renewals} times");
    assert!(household.person_is_signed_in());
    let left = fs::read_dir(household.person.join("state/runs")).expect("runs");
    for home in left.flatten().map(|run| run.path().join("home")) {
        assert!(!home.join(".credentials.json").exists(), "no copy outlives its turn");
    }
}

#[test]
fn known_bad_a_plain_copy_signs_the_person_out() {
    let household = Household::new();
    household.live(Lending::PlainCopy);
    assert!(household.signed_out.load(Ordering::Relaxed) > 0);
    assert!(!household.person_is_signed_in());
}
