//! A repository of some kind, one task in it, and the comparison that decides:
//! what a check saw in its room, and what the same check sees in a plain
//! checkout of the branch that was delivered.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use trueup_testkit::household::{Household, NOW, Output, output};

/// The one task: `done.txt` is to be written, and `tests/own.sh`, which knows
/// the kind of repository, is to stay green.
const TASK: &str = "---\nv: 1\nid: T-001\ntitle: Finish\n---\n\n## Acceptance criteria\n
- [ ] **AC-1** It is done.
  - verify: `sh tests/work.sh`
- [ ] **AC-2** What was there still works.
  - guard: `sh tests/own.sh`
";

/// Prints one digest over every file's name and bytes, one over every link,
/// one over which files can be executed; then tests.
const WORK: &str = "set -e
all() { find . -name .git -prune -o \"$@\" | LC_ALL=C sort -z; }
all -type f -print0 | xargs -0 -r sha256sum -z | sha256sum
all -type l -printf '%p -> %l\\0' | sha256sum
all -type f -perm -100 -print0 | sha256sum
sh tests/own.sh
grep -q done done.txt
";

/// What every agent here does.
pub(crate) const FINISH: &str = "echo done > done.txt\n";

/// A household whose repository is of some kind.
pub(crate) struct Wild {
    pub(crate) household: Household,
}

impl Wild {
    /// A repository whose own test is `own`. Nothing is committed yet.
    pub(crate) fn new(own: &str) -> Self {
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), FINISH);
        household.file("tests/own.sh", own);
        household.file("tests/work.sh", WORK);
        household.task("T-001", TASK);
        Self { household }
    }

    /// The checkout.
    pub(crate) fn checkout(&self) -> PathBuf {
        self.household.checkout()
    }

    /// A place beside the checkout.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.household.folder().join(name)
    }

    /// Commits all there is.
    pub(crate) fn commit(&self) -> String {
        self.household.commit("What there is")
    }

    /// What the agent does beyond its work.
    pub(crate) fn agent(&self, script: &str) {
        self.household.set_agent(&format!("{FINISH}{script}"));
    }

    /// The task allows the change of this file.
    pub(crate) fn allow(&self, path: &str) {
        let allowing = format!("title: Finish\nallow: {{change: [{path}]}}\n");
        self.household
            .task("T-001", &TASK.replace("title: Finish\n", &allowing));
    }

    /// Workspaces lie over one checkout of their base from now on.
    pub(crate) fn veil(&self) {
        let config = fs::read_to_string(self.checkout().join("trueup.toml")).expect("a configuration");
        let config = format!("{config}\n[workspace]\nlay = \"overlay\"\n");
        self.household.file("trueup.toml", &config);
    }

    /// How many checkouts of bases there are.
    pub(crate) fn bases(&self) -> usize {
        let bases = fs::read_dir(self.household.state().join("bases"));
        bases.expect("a folder").count()
    }

    /// Puts another repository in the checkout's place: `make` is given where
    /// the old one lies now, and where the new one belongs.
    pub(crate) fn replace(&self, make: impl FnOnce(&Path, &Path)) {
        let (upstream, checkout) = (self.beside("upstream"), self.checkout());
        fs::rename(&checkout, &upstream).expect("a place beside");
        make(&upstream, &checkout);
        fs::copy(upstream.join("trueup.toml"), checkout.join("trueup.toml")).expect("the configuration");
        self.household.git(&["config", "user.name", "Ada"]);
        self.household.git(&["config", "user.email", "ada@example.invalid"]);
        let exclude = self.household.git(&["rev-parse", "--git-path", "info/exclude"]);
        let exclude = checkout.join(exclude);
        fs::create_dir_all(exclude.parent().expect("a folder")).expect("a folder");
        fs::write(exclude, "trueup.toml\n").expect("what git overlooks");
    }

    /// Plain git in some folder, as the person runs it; it must succeed.
    pub(crate) fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(folder);
        let output = self.plain(&mut git);
        assert!(output.code == 0, "git {arguments:?}: {output:#?}");
        output.stdout.trim_end().to_owned()
    }

    /// The run ends as verified, and a plain clone of the branch is what the
    /// checks saw.
    pub(crate) fn is_proved(&self) {
        self.is_proved_in(|checkout, plain| {
            let from = checkout.display().to_string();
            let to = plain.display().to_string();
            self.git_in(
                self.household.folder(),
                &["clone", "--quiet", "--branch", "trueup/T-001", &from, &to],
            );
        });
    }

    /// The same, in a linked worktree of the person's own repository.
    pub(crate) fn is_proved_in_a_worktree(&self) {
        self.is_proved_in(|checkout, plain| {
            let to = plain.display().to_string();
            self.git_in(checkout, &["worktree", "add", "--quiet", &to, "trueup/T-001"]);
        });
    }

    /// The same, in a checkout that `check_out` makes by plain git.
    pub(crate) fn is_proved_in(&self, check_out: impl FnOnce(&Path, &Path)) {
        let check = self.household.trueup(&["check", "T-001"]);
        assert_eq!(check.code, 0, "{check:#?}");
        self.run(&[]);
        self.compare(check_out);
    }

    /// Runs the task to its verified end, with the checkout left as it was.
    pub(crate) fn run(&self, more: &[&str]) {
        let before = self.untouched();
        let ended = self.household.trueup(&[&["run", "T-001"], more].concat());
        assert_eq!(ended.code, 0, "{ended:#?}\n{:#}", self.household.show("T-001"));
        assert_eq!(self.untouched(), before, "the checkout was touched");
    }

    /// A plain checkout of the delivered branch is what the checks saw.
    pub(crate) fn compare(&self, check_out: impl FnOnce(&Path, &Path)) {
        let plain = self.beside("plain");
        check_out(&self.checkout(), &plain);
        let seen = self.plain(Command::new("sh").arg("tests/work.sh").current_dir(&plain));
        assert_eq!(seen.code, 0, "a plain checkout fails the check: {seen:#?}");
        assert_eq!(seen.stdout, self.seen_in_the_room(), "the room held other bytes");
    }

    /// A plain clone of the delivered branch is what the checks saw.
    pub(crate) fn compare_with_a_clone(&self) {
        self.compare(|checkout, plain| {
            let (from, to) = (checkout.display().to_string(), plain.display().to_string());
            let clone = ["clone", "--quiet", "--branch", "trueup/T-001", &from, &to];
            self.git_in(&self.household.home(), &clone);
        });
    }

    /// What the goal printed in the room in which it was proved.
    pub(crate) fn seen_in_the_room(&self) -> String {
        let shown = self.household.show("T-001");
        let evidence = &shown["criteria"][0]["evidence"][0];
        assert_eq!(evidence["saw"], "passed", "{shown:#}");
        let digest = evidence["stdout"]["digest"].as_str().expect("a digest");
        fs::read_to_string(self.household.state().join("blobs").join(digest)).expect("what the check printed")
    }

    /// What the agent was told of things that were left out in its first turn.
    pub(crate) fn findings(&self) -> String {
        let events = self.household.events("T-001");
        events
            .iter()
            .map(|event| event["outcome"]["findings"].to_string())
            .collect()
    }

    /// `check`, `run` and `verify` refuse with this sentence and this command
    /// to type, and nothing is written.
    pub(crate) fn is_refused(&self, sentence: &str, next: &str) {
        let before = (self.untouched(), self.refs());
        for command in ["check", "run", "verify"] {
            let ended = self.household.trueup(&[command, "T-001"]);
            let told = format!("error: {sentence}\n  {next}\n");
            assert_eq!((ended.code, ended.stderr.as_str()), (3, told.as_str()), "{command}");
        }
        assert_eq!((self.untouched(), self.refs()), before);
        assert_eq!(self.household.trueup(&["show", "T-001"]).code, 2, "a run was opened");
    }

    /// The checkout's files and index; where the index lies elsewhere, the files
    /// as git sees them.
    fn untouched(&self) -> BTreeMap<String, String> {
        if self.checkout().join(".git/index").is_file() {
            return self.household.checkout_digest();
        }
        let status = self.household.git(&["status", "--porcelain", "--ignored"]);
        BTreeMap::from([("status".to_owned(), status)])
    }

    fn refs(&self) -> String {
        self.household.git(&["for-each-ref"])
    }

    /// Runs a program as the person would.
    pub(crate) fn plain(&self, command: &mut Command) -> Output {
        let path = std::env::var("PATH").expect("a PATH");
        let variables = [("PATH", path), ("HOME", self.household.home().display().to_string())];
        command.env_clear().envs(variables);
        command.env("GIT_AUTHOR_DATE", NOW).env("GIT_COMMITTER_DATE", NOW);
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_ALLOW_PROTOCOL", "file");
        output(command)
    }

    /// Writes an executable file of the checkout.
    pub(crate) fn program(&self, name: &str, text: &str) {
        self.household.file(name, text);
        let path = self.checkout().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    }
}

#[test]
#[should_panic(expected = "check")]
fn a_repository_that_is_not_refused_is_caught() {
    let wild = Wild::new("true\n");
    wild.commit();
    wild.is_refused("this repository cannot be used", "git init");
}

#[test]
#[should_panic(expected = "the room held other bytes")]
fn a_checkout_with_other_bytes_is_caught() {
    let wild = Wild::new("true\n");
    wild.commit();
    wild.is_proved_in(|checkout, plain| {
        let (from, to) = (checkout.display().to_string(), plain.display().to_string());
        wild.git_in(
            wild.household.folder(),
            &["clone", "--quiet", "--branch", "trueup/T-001", &from, &to],
        );
        fs::write(plain.join("more.txt"), "no branch has this\n").expect("a file");
    });
}
