//! What is copied, what is written back, and what never is.

use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use trueup_core::ending;
use trueup_engine::agent::sign_in::{Account, SignIn};

struct Person {
    folder: TempDir,
}

impl Person {
    fn new() -> Self {
        let person = Self {
            folder: tempfile::tempdir().expect("folder"),
        };
        for folder in ["home/.codex", "run/home"] {
            fs::create_dir_all(person.at(folder)).expect("folder");
        }
        person.sign_in("1");
        person
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self) -> PathBuf {
        Account::Codex.file_of(&self.at("home"), &[].into())
    }

    fn copy(&self) -> PathBuf {
        self.at("run/home/auth.json")
    }

    fn sign_in(&self, number: &str) {
        write(&self.file(), &tokens(number));
        fs::set_permissions(self.file(), fs::Permissions::from_mode(0o600)).expect("mode");
    }

    fn lend(&self) -> SignIn {
        let lent = SignIn::lend(Account::Codex, &self.file(), &self.at("home"), &self.at("run/home"));
        lent.expect("readable").expect("signed in")
    }

    fn held(&self) -> Value {
        read(&self.file())
    }

    /// What was saved before it was replaced.
    fn saved(&self) -> Vec<PathBuf> {
        let folder = fs::read_dir(self.at("run/home.sign-ins"));
        folder
            .into_iter()
            .flatten()
            .flatten()
            .map(|saved| saved.path())
            .collect()
    }
}

/// The claims of two tokens that can be read: the subject `me`, and an account.
const MINE: &str = "eyJzdWIiOiJtZSIsImh0dHBzOi8vYXBpLm9wZW5haS5jb20vYXV0aCI6eyJjaGF0Z3B0X2FjY291bnRfaWQiOiJhLTEifX0";
const OTHER: &str = "eyJzdWIiOiJtZSIsImh0dHBzOi8vYXBpLm9wZW5haS5jb20vYXV0aCI6eyJjaGF0Z3B0X2FjY291bnRfaWQiOiJhLTIifX0";

fn named(number: &str, claims: &str) -> Value {
    let mut tokens = tokens(number);
    tokens["tokens"]["id_token"] = json!(format!("e30.{claims}.{number}"));
    tokens
}

fn tokens(number: &str) -> Value {
    json!({"OPENAI_API_KEY": null, "last_refresh": number, "tokens": {
        "access_token": format!("access-{number}"), "refresh_token": format!("refresh-{number}"), "account_id": "me",
    }})
}

fn write(path: &Path, value: &Value) {
    fs::write(path, value.to_string()).expect("file");
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("file")).expect("whole")
}

#[test]
fn a_renewed_copy_is_written_back_for_its_owner_alone_and_leaves_nothing_else() {
    let person = Person::new();
    let mut lent = person.lend();
    assert_eq!(read(&person.copy()), tokens("1"));
    assert_eq!(fs::metadata(person.copy()).expect("copy").mode() & 0o777, 0o600);
    write(&person.copy(), &tokens("2"));
    lent.take_back().expect("written back");
    assert_eq!(person.held(), tokens("2"));
    assert_eq!(fs::metadata(person.file()).expect("file").mode() & 0o777, 0o600);
    for folder in ["run/home", "run", "home/.codex"] {
        let names: Vec<_> = fs::read_dir(person.at(folder)).expect("folder").flatten().collect();
        // Beside the home lies what was replaced.
        let expected = ["run/home", "home/.codex", "run"]
            .iter()
            .position(|name| *name == folder);
        assert_eq!(Some(names.len()), expected, "{folder}: {names:?}");
    }
}

#[test]
fn what_an_honest_renewal_replaces_is_saved_out_of_reach_and_once() {
    let person = Person::new();
    let whole = fs::read(person.file()).expect("file");
    let mut lent = person.lend();
    for number in ["2", "3"] {
        write(&person.copy(), &tokens(number));
        lent.tend().expect("tended");
        assert_eq!(person.held(), tokens(number));
    }
    lent.take_back().expect("taken back");
    let saved = person.saved();
    assert_eq!(saved.len(), 1, "what we wrote ourselves is not saved: {saved:?}");
    let saved = saved.first().expect("one");
    assert_eq!(fs::read(saved).expect("saved"), whole, "to the last byte");
    assert_eq!(fs::metadata(saved).expect("saved").mode() & 0o777, 0o600);
    // What the person wrote in the middle of a turn is saved as well.
    let mut lent = person.lend();
    person.sign_in("4");
    lent.tend().expect("tended");
    write(&person.copy(), &tokens("5"));
    lent.tend().expect("tended");
    assert_eq!(person.held(), tokens("5"));
    assert!(person.saved().iter().any(|saved| read(saved) == tokens("4")));
}

#[test]
fn a_sign_in_to_another_account_is_never_written_back() {
    let person = Person::new();
    write(&person.file(), &named("1", MINE));
    let mut lent = person.lend();
    write(&person.copy(), &named("forged", OTHER));
    lent.tend().expect("tended");
    assert_eq!((person.held(), person.saved()), (named("1", MINE), Vec::new()));
    lent.take_back().expect("taken back");
    assert!(!person.copy().exists(), "a forged copy is not kept either");
    // The same after a crash.
    drop(person.lend());
    write(&person.copy(), &named("forged", OTHER));
    let mut lent = person.lend();
    assert_eq!(read(&person.copy()), named("1", MINE));
    write(&person.copy(), &named("2", MINE));
    lent.take_back().expect("written back");
    assert_eq!((person.held(), person.saved().len()), (named("2", MINE), 1));
}

#[test]
fn a_turn_under_way_brings_renewals_out_and_in() {
    let person = Person::new();
    let tended = person.lend().tend_meanwhile().expect("a thread");
    write(&person.copy(), &tokens("2"));
    wait_until(|| person.held() == tokens("2"));
    person.sign_in("3");
    wait_until(|| read(&person.copy()) == tokens("3"));
    let lent = tended.end().expect("the sign-in");
    assert_eq!(lent.since_the_turn_began(), ending::SignIn::Renewed);
}

#[test]
fn where_both_were_changed_the_persons_own_wins() {
    let person = Person::new();
    let mut lent = person.lend();
    write(&person.copy(), &tokens("agent"));
    person.sign_in("person");
    lent.tend().expect("tended");
    assert_eq!(person.held(), tokens("person"));
    assert_eq!(read(&person.copy()), tokens("person"));
}

#[test]
fn what_a_killed_process_did_not_write_back_is_written_back_before_the_next_turn() {
    let person = Person::new();
    drop(person.lend());
    write(&person.copy(), &tokens("2"));
    drop(person.lend());
    assert_eq!((person.held(), read(&person.copy())), (tokens("2"), tokens("2")));
    // Unless somebody signed in anew meanwhile.
    write(&person.copy(), &tokens("3"));
    person.sign_in("4");
    drop(person.lend());
    assert_eq!((person.held(), read(&person.copy())), (tokens("4"), tokens("4")));
}

#[test]
fn an_agent_can_change_nothing_but_tokens() {
    let person = Person::new();
    let mut lent = person.lend();
    for wrong in ["", "{", "[]", "{}", r#"{"tokens":{"access_token":"x"}}"#] {
        fs::write(person.copy(), wrong).expect("copy");
        lent.tend().expect("tended");
        assert_eq!(person.held(), tokens("1"), "{wrong}");
    }
    let mut forged = tokens("2");
    forged["OPENAI_API_KEY"] = json!("theirs");
    forged["tokens"]["account_id"] = json!("them");
    forged["hooks"] = json!(["rm"]);
    write(&person.copy(), &forged);
    lent.tend().expect("tended");
    assert_eq!(person.held(), tokens("2"));
}

#[test]
fn nothing_is_followed_that_an_agent_planted() {
    let person = Person::new();
    let mut lent = person.lend();
    let other = person.at("home/other.json");
    write(&other, &tokens("other"));
    fs::remove_file(person.copy()).expect("copy");
    symlink(&other, person.copy()).expect("link");
    lent.tend().expect("tended");
    assert_eq!(person.held(), tokens("1"), "what a link leads to is not read");
    person.sign_in("5");
    lent.tend().expect("tended");
    assert_eq!((read(&other), read(&person.copy())), (tokens("other"), tokens("5")));
}

#[test]
fn a_link_of_the_persons_is_kept_and_never_leads_out_of_the_home() {
    let person = Person::new();
    let real = person.at("home/dotfiles.json");
    fs::rename(person.file(), &real).expect("moved");
    symlink(&real, person.file()).expect("link");
    let mut lent = person.lend();
    write(&person.copy(), &tokens("2"));
    lent.take_back().expect("written back");
    assert!(fs::symlink_metadata(person.file()).expect("file").is_symlink());
    assert_eq!(read(&real), tokens("2"));
    fs::remove_file(person.file()).expect("link");
    let outside = person.at("outside.json");
    write(&outside, &tokens("3"));
    symlink(&outside, person.file()).expect("link");
    let lent = SignIn::lend(
        Account::Codex,
        &person.file(),
        &person.at("home"),
        &person.at("run/home"),
    );
    assert!(lent.expect_err("refused").to_string().contains("leads out"));
}

#[test]
fn who_has_signed_out_is_not_signed_in_by_an_old_copy() {
    let person = Person::new();
    drop(person.lend());
    fs::remove_file(person.file()).expect("signed out");
    let lent = SignIn::lend(
        Account::Codex,
        &person.file(),
        &person.at("home"),
        &person.at("run/home"),
    );
    assert!(lent.expect("nothing is wrong").is_none() && !person.copy().exists());
}

#[test]
fn a_variable_signs_in_without_a_file_and_an_empty_one_does_not() {
    let with = |name: &str, value: &str| [(name.to_owned(), value.to_owned())].into();
    assert!(Account::Claude.signs_in_by(&with("ANTHROPIC_API_KEY", "k")));
    assert!(Account::Claude.signs_in_by(&with("CLAUDE_CODE_OAUTH_TOKEN", "k")));
    assert!(Account::Codex.signs_in_by(&with("CODEX_API_KEY", "k")));
    assert!(!Account::Codex.signs_in_by(&with("ANTHROPIC_API_KEY", "k")));
    assert!(!Account::Claude.signs_in_by(&with("ANTHROPIC_API_KEY", "")));
    let moved = with("CLAUDE_CONFIG_DIR", "/elsewhere");
    assert_eq!(
        Account::Claude.file_of(Path::new("/home/me"), &moved),
        Path::new("/elsewhere/.credentials.json")
    );
}

#[test]
fn a_refusal_without_any_renewal_is_the_persons_to_mend() {
    let person = Person::new();
    assert_eq!(person.lend().since_the_turn_began(), ending::SignIn::Same);
}

#[test]
fn what_the_agent_renewed_itself_is_nobody_elses_renewal() {
    let person = Person::new();
    let mut lent = person.lend();
    for number in ["2", "3"] {
        write(&person.copy(), &tokens(number));
        lent.tend().expect("tended");
    }
    assert_eq!(person.held(), tokens("3"));
    assert_eq!(lent.since_the_turn_began(), ending::SignIn::Same);
    person.sign_in("somebody else's");
    assert_eq!(lent.since_the_turn_began(), ending::SignIn::Renewed);
}

#[test]
fn a_folder_in_the_place_of_the_copy_stands_in_nobodys_way() {
    let person = Person::new();
    let kept = person.at("home/kept");
    fs::create_dir(&kept).expect("folder");
    write(&kept.join("file"), &tokens("kept"));
    let mut lent = person.lend();
    let plant = || {
        fs::remove_file(person.copy()).expect("copy");
        fs::create_dir_all(person.copy().join("locked/below")).expect("folder");
        symlink(&kept, person.copy().join("link")).expect("link");
        fs::set_permissions(person.copy().join("locked"), fs::Permissions::from_mode(0o000)).expect("mode");
    };
    plant();
    person.sign_in("2");
    lent.tend().expect("tended");
    assert_eq!(read(&person.copy()), tokens("2"));
    plant();
    lent.take_back().expect("taken back");
    drop(person.lend());
    assert_eq!(read(&person.copy()), tokens("2"));
    assert_eq!(read(&kept.join("file")), tokens("kept"), "no link was followed");
}

fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(5), "it did not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}
