//! `init` on real projects: in how many of them what it writes is green at once.
//!
//! A project counts when at least one check that runs its tests is switched on,
//! and every check that is switched on was green on the newest commit, without
//! an edit. What `init` commented out by itself is counted on its own.

use crate::history::clones;
use serde_json::Value;
use std::{env, fmt::Write, fs, path::Path, process::Command, time::Instant};
use trueup_testkit::{
    household::{Household, Output, output},
    newcomer::newcomer,
    saboteurs::Tools,
};

/// The fewest projects that say something.
const PROJECTS: usize = 30;

/// Of a hundred projects so many are green at once.
const GREEN: usize = 90;

/// How long `init` may take, in seconds.
const LIMIT: &str = "900";

/// What became of a project.
struct SetUp {
    name: String,
    tools: Vec<String>,
    checks: Vec<Tried>,
    took: f64,
    /// What was said where nothing could be tried.
    error: String,
}

/// A check that `init` wrote.
struct Tried {
    name: String,
    purpose: String,
    words: String,
    /// `green`, `red` or `not_executed`.
    base: String,
    switched_off: bool,
    took: f64,
    /// The line that tells most.
    reason: String,
}

impl SetUp {
    /// As `init --json` tells it.
    fn read(name: &str, took: f64, ended: &Output) -> Self {
        let told: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let error = match text(&told["error"]) {
            error if error.is_empty() && told.is_null() => format!("exit {}: {}", ended.code, ended.stderr),
            error => error,
        };
        Self {
            name: name.to_owned(),
            tools: list(&told["tools"]).iter().map(|tool| text(&tool["name"])).collect(),
            checks: list(&told["checks"]).iter().map(Tried::read).collect(),
            took,
            error,
        }
    }

    /// Whether its tests run and all that is switched on is green.
    fn is_green(&self) -> bool {
        let mut on = self.checks.iter().filter(|check| !check.switched_off);
        let runs_tests = self.checks.iter().any(|check| check.is_green_test());
        runs_tests && on.all(|check| check.base == "green")
    }

    /// Whether nothing had to be commented out, either.
    fn is_wholly_green(&self) -> bool {
        self.is_green() && self.checks.iter().all(|check| check.base == "green")
    }

    /// A line of the table.
    fn row(&self) -> String {
        let word = match (self.is_wholly_green(), self.is_green()) {
            (true, _) => "green",
            (false, true) => "green but for what is off",
            (false, false) => "red",
        };
        let checks: Vec<String> = self.checks.iter().map(Tried::words).collect();
        let reasons = self.checks.iter().filter(|check| check.base != "green");
        let reason = reasons.map(|check| format!("{}: {}", check.name, check.reason)).next();
        let fields = [
            self.name.clone(),
            self.tools.join(", "),
            word.to_owned(),
            format!("{:.0}", self.took),
            checks.join("; "),
            reason.unwrap_or_else(|| self.error.clone()),
        ];
        fields.map(|field| field.replace(['\t', '\n'], " ")).join("\t")
    }
}

impl Tried {
    fn read(check: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let words = check["argv"].as_array().cloned().unwrap_or_default();
        let words: Vec<String> = words.iter().map(text).collect();
        let tail = check["tail"].as_array().cloned().unwrap_or_default();
        let tail: Vec<String> = tail.iter().map(text).collect();
        let cannot = text(&check["saw"]["cannot_run"]["why"]);
        let telling = cannot.lines().chain(tail.iter().map(String::as_str)).find(|line| {
            let line = line.to_lowercase();
            ["error", "not found", "no module", "failed"]
                .iter()
                .any(|word| line.contains(word))
        });
        Self {
            name: text(&check["name"]),
            purpose: text(&check["purpose"]),
            words: words.join(" "),
            base: text(&check["base"]),
            switched_off: check["switched_off"] == true,
            took: check["duration_ms"].as_f64().unwrap_or_default() / 1000.0,
            reason: telling
                .unwrap_or(tail.last().map_or(cannot.as_str(), String::as_str))
                .trim()
                .to_owned(),
        }
    }

    fn is_green_test(&self) -> bool {
        self.purpose == "test" && self.base == "green" && !self.switched_off
    }

    fn words(&self) -> String {
        let off = if self.switched_off { ", off" } else { "" };
        format!("{} `{}` {} {:.1}s{off}", self.name, self.words, self.base, self.took)
    }
}

/// The search path of somebody who has the tools of these projects.
fn path() -> String {
    let tools = Tools::find();
    let folder = tools.folder().join("inits/bin");
    let is_there = folder.join("poetry").exists();
    assert!(is_there, "`{}` is not there: just inits", folder.display());
    format!("{}:{}", folder.display(), tools.path())
}

/// The registry from which whoever runs this installs packages of Node.
fn registry() -> String {
    let mut npm = Command::new("npm");
    let told = output(npm.args(["config", "get", "registry"]));
    assert_eq!(told.code, 0, "{told:#?}");
    told.stdout.trim().trim_end_matches('/').to_owned()
}

/// The newest commit of a clone, checked out by somebody who never heard of trueup.
fn lay(clone: &Path) -> Household {
    let household = newcomer(env!("CARGO_BIN_EXE_trueup"), &path())
        .with_variable("COREPACK_NPM_REGISTRY", &registry())
        .in_real_time();
    let clone = clone.display().to_string();
    household.git(&["fetch", "--quiet", "--tags", &clone, "HEAD"]);
    household.git(&["reset", "--quiet", "--hard", "FETCH_HEAD"]);
    household
}

fn set_up(name: &str, clone: &Path) -> SetUp {
    let household = lay(clone);
    let mut init = Command::new("timeout");
    init.args(["--kill-after=10", LIMIT, env!("CARGO_BIN_EXE_trueup")])
        .args(["init", "--yes", "--json"]);
    household.furnish(&mut init);
    let begun = Instant::now();
    let ended = output(&mut init);
    SetUp::read(name, begun.elapsed().as_secs_f64(), &ended)
}

/// Every clone, `OWNER/NAME`, in order.
fn names(clones: &Path) -> Vec<String> {
    let below = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect::<Vec<_>>()
    };
    let clones_of = |owner: &std::path::PathBuf| below(owner);
    let all = below(clones).iter().flat_map(clones_of).collect::<Vec<_>>();
    let mut names: Vec<String> = all
        .iter()
        .filter(|path| path.join("HEAD").exists() || path.join(".git").exists())
        .filter_map(|path| Some(path.strip_prefix(clones).ok()?.display().to_string()))
        .collect();
    names.sort();
    names
}

#[test]
#[ignore = "needs clones, a network and an hour: just inits"]
fn what_init_writes_is_green_at_once_in_nine_of_ten_projects() {
    let clones = clones();
    let begin = env::var("TRUEUP_TEST_CASE").unwrap_or_default();
    let mut table = String::from("project\ttools\tverdict\tseconds\tchecks\treason\n");
    let (mut all, mut green, mut wholly) = (0, 0, 0);
    for name in names(&clones).iter().filter(|name| name.starts_with(&begin)) {
        let seen = set_up(name, &clones.join(name));
        println!("inits: {}", seen.row());
        writeln!(table, "{}", seen.row()).expect("a line");
        fs::write(clones.join("inits.tsv"), &table).expect("a file");
        all += 1;
        green += usize::from(seen.is_green());
        wholly += usize::from(seen.is_wholly_green());
    }
    println!("inits: projects={all} green={green} nothing_off={wholly}");
    if begin.is_empty() {
        assert!(all >= PROJECTS, "{all} projects");
    }
    assert!(
        green * 100 >= all * GREEN,
        "{green} of {all} are green at once\n{table}"
    );
}

/// The harness can fail: a project whose tests are red, were not executed or
/// are not there does not count, nor does one with another red check.
#[test]
fn a_project_counts_only_with_green_tests_and_nothing_red_beside_them() {
    let set_up = |checks: &[(&str, &str, bool)]| {
        let checks = checks.iter().map(|(purpose, base, off)| {
            serde_json::json!({ "name": purpose, "purpose": purpose, "base": base, "switched_off": off })
        });
        let stdout = serde_json::json!({ "v": 1, "checks": checks.collect::<Vec<_>>() }).to_string();
        let ended = Output {
            code: 0,
            stdout,
            stderr: String::new(),
        };
        let seen = SetUp::read("a/b", 1.0, &ended);
        (seen.is_green(), seen.is_wholly_green())
    };
    let test = ("test", "green", false);
    assert_eq!(set_up(&[test, ("lint", "green", false)]), (true, true));
    assert_eq!(set_up(&[test, ("lint", "red", true)]), (true, false));
    for red in [
        &[][..],
        &[("lint", "green", false)],
        &[("test", "red", false)],
        &[("test", "red", true)],
        &[("test", "not_executed", false)],
        &[test, ("lint", "red", false)],
        &[test, ("test", "not_executed", false)],
    ] {
        assert_eq!(set_up(red), (false, false), "{red:?}");
    }
}
