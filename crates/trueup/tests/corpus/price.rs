//! What the walls cost: suites of real projects with the kernel's filter and all
//! limits, and without, in turn.

use crate::{
    change::Change,
    history::{clones, export},
    projects::{CLONES, called},
};
use std::{env, fs, process::Command};
use trueup_testkit::{
    household::{Household, output},
    known_bad::known_bad,
};

/// Some of each language, with suites that take seconds: each pair compiles anew.
const PRICED: [&str; 12] = [
    "mahmoud/boltons",
    "more-itertools/more-itertools",
    "hynek/structlog",
    "unjs/ufo",
    "unjs/pathe",
    "tj/commander.js",
    "withoutboats/heck",
    "google/uuid",
    "spf13/pflag",
    "gorilla/schema",
    "shopspring/decimal",
    "dustin/go-humanize",
];
/// How often both are measured.
const PAIRS: u32 = 10;
/// How much more processor time all of them together may take.
const MOST: f64 = 1.05;
/// The faults that take the walls away.
const NO_WALLS: &str = "shares-kernel,limits-nothing";

/// A project whose suite is to be executed again and again.
struct Priced {
    household: Household,
    asked: u32,
}

impl Priced {
    fn of(name: &str) -> Self {
        let project = called(CLONES, name);
        let clone = clones().join(name);
        let change = Change::laid(project, "as it is", |before, after| {
            export(&clone, "HEAD", before);
            export(&clone, "HEAD", after);
        });
        let binary = known_bad().display().to_string();
        let household = change.household(&["verify: file priced.txt has /yes/".to_owned()], &binary);
        household.file("priced.txt", "yes\n");
        Self { household, asked: 0 }
    }

    /// Seconds of processor time that all checks take with these faults, children
    /// included.
    fn seconds(&mut self, faults: &str) -> f64 {
        self.asked += 1;
        // Nothing that was found out about another tree may be believed of this one.
        self.household.file("asked.txt", &self.asked.to_string());
        self.household.git(&["add", "--force", "asked.txt", "priced.txt"]);
        self.household.git(&["commit", "--quiet", "--message", "Once more"]);
        let said = self.household.folder().join("said.txt");
        let mut shell = Command::new("sh");
        self.household.furnish(&mut shell);
        let line = "\"$0\" verify T-001 --on HEAD > \"$1\" 2>&1; echo $?; times";
        let verify = shell.args(["-c", line]).arg(known_bad()).arg(&said);
        let told = output(verify.env("TRUEUP_FAULT", faults)).stdout;
        assert_eq!(told.lines().next(), Some("0"), "{:?}", fs::read_to_string(said));
        of_children(&told)
    }
}

/// What the last line of the shell's `times` tells.
fn of_children(told: &str) -> f64 {
    told.lines().next_back().expect("times").split(' ').map(seconds).sum()
}

/// `1m2.345s` in seconds.
fn seconds(told: &str) -> f64 {
    let parts = told.trim_end_matches('s').split_once('m').expect("minutes");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    number(parts.0).mul_add(60.0, number(parts.1))
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

#[test]
#[ignore = "needs clones, and most of an hour: just price"]
fn suites_of_real_projects_run_behind_the_walls_and_cost_no_more() {
    let begin = env::var("TRUEUP_TEST_CASE").unwrap_or_default();
    let (mut ours, mut bare) = (0.0, 0.0);
    for name in PRICED.iter().filter(|name| name.starts_with(&begin)) {
        let mut priced = Priced::of(name);
        // What is prepared, downloaded or compiled once is no price of the walls.
        priced.seconds("");
        priced.seconds(NO_WALLS);
        let pairs: Vec<(f64, f64)> = (0..PAIRS)
            .map(|pair| match pair % 2 {
                0 => (priced.seconds(""), priced.seconds(NO_WALLS)),
                _ => {
                    let bare = priced.seconds(NO_WALLS);
                    (priced.seconds(""), bare)
                }
            })
            .collect();
        let (with, without): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (with, without) = (median(with), median(without));
        println!("price: {name:<32} {:.3}, {with:.2} s of {without:.2} s", with / without);
        ours += with;
        bare += without;
    }
    println!("price: all {:.3}, {ours:.2} s of {bare:.2} s", ours / bare);
    assert!(bare > 0.0, "nothing was measured");
    assert!(ours / bare <= MOST, "{:.3}, at most {MOST}", ours / bare);
}

/// The measure can fail: who works more takes more.
#[test]
fn processor_time_is_read_as_the_shell_tells_it() {
    assert!((seconds("1m2.345s") - 62.345).abs() < 0.001);
    let busy = |count: u32| {
        let line = format!("sh -c 'i=0; while [ $i -lt {count} ]; do i=$((i+1)); done'; times");
        of_children(&output(Command::new("sh").args(["-c", &line])).stdout)
    };
    assert!(busy(2_000_000) > 5.0 * busy(100_000));
}
