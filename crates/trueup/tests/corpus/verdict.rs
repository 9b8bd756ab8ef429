//! How trueup took an honest change.

use crate::{
    change::Change,
    criteria::{Goal, Seen},
    projects::Language,
};
use serde_json::Value;
use std::{fmt, time::Duration};
use trueup_testkit::household::Output;

/// What came of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Proved, and nobody was asked.
    Verified,
    /// A person was asked, about these kinds of things; what came of a yes.
    Asked(Vec<String>, i32),
    /// It ended otherwise, with this code.
    Refused(i32),
    /// The suite is red before the change, here: nothing can be said.
    Excluded,
    /// No test speaks of the change.
    Unspoken,
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified => write!(out, "verified"),
            Self::Asked(about, 0) => write!(out, "asked:{}", about.join("+")),
            Self::Asked(about, code) => write!(out, "asked:{}:{code}", about.join("+")),
            Self::Refused(code) => write!(out, "refused:{code}"),
            Self::Excluded => write!(out, "excluded"),
            Self::Unspoken => write!(out, "unspoken"),
        }
    }
}

/// One change, judged with one kind of goal.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) name: String,
    pub(crate) language: Language,
    pub(crate) verdict: Verdict,
    /// How long the run took, and one execution of the suite.
    pub(crate) took: Duration,
    pub(crate) guard: Duration,
    /// What was printed, for whoever looks into it.
    pub(crate) told: String,
}

impl Judged {
    /// Time over one execution of the suite.
    pub(crate) fn ratio(&self) -> f64 {
        self.took.as_secs_f64() / self.guard.as_secs_f64().max(0.001)
    }

    /// What to say where another verdict is recorded; `?` where none is yet.
    fn differs(&self, goal: Goal, recorded: &str) -> Option<String> {
        let Self {
            name, verdict, told, ..
        } = self;
        let differs = recorded != "?" && recorded != verdict.to_string();
        differs.then(|| format!("{name}: {goal:?}: {verdict}, not {recorded}:\n{told}"))
    }

    /// A line for whoever waits.
    fn tell(&self, goal: Goal) {
        println!(
            "  {:<44} {goal:<9?} {:<24} {:>6.1} s of {:>5.1} s ({:.1})",
            self.name,
            self.verdict.to_string(),
            self.took.as_secs_f64(),
            self.guard.as_secs_f64(),
            self.ratio()
        );
    }
}

/// A change judged with each kind of goal, and where a recorded verdict differs.
pub(crate) type JudgedBoth = [(Judged, Option<String>); 2];

/// Lets trueup judge a change, with named tests and with tests of the run,
/// beside what is recorded; `each` is handed what was seen.
pub(crate) fn judged_both(change: &Change<'_>, [named, own]: [&str; 2], each: impl Fn(&Judged, Goal)) -> JudgedBoth {
    let seen = change.seen();
    [(Goal::Named, named), (Goal::OwnTests, own)].map(|(goal, recorded)| {
        let judged = judged(change, &seen, goal, env!("CARGO_BIN_EXE_trueup"));
        judged.tell(goal);
        each(&judged, goal);
        let fault = judged.differs(goal, recorded);
        (judged, fault)
    })
}

/// Sums up, and fails where a recorded verdict differs.
pub(crate) fn hold(tried: Vec<JudgedBoth>) {
    let (mut faults, mut named, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for [by_name, by_own] in tried {
        faults.extend([by_name.1, by_own.1].into_iter().flatten());
        named.push(by_name.0);
        own.push(by_own.0);
    }
    sum_up(&named, Goal::Named);
    sum_up(&own, Goal::OwnTests);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Lets trueup judge a change.
pub(crate) fn judged(change: &Change<'_>, seen: &Seen, goal: Goal, binary: &str) -> Judged {
    let judged = |verdict, took, told| Judged {
        name: change.name(),
        language: change.project.language,
        verdict,
        took,
        guard: seen.after.took,
        told,
    };
    if seen.before.output.code != 0 {
        return judged(Verdict::Excluded, Duration::ZERO, tail(&seen.before.output));
    }
    if seen.after.output.code != 0 {
        return judged(Verdict::Excluded, Duration::ZERO, tail(&seen.after.output));
    }
    let Some(lines) = seen.lines(goal) else {
        return judged(Verdict::Unspoken, Duration::ZERO, String::new());
    };
    let household = change.household(&lines, binary);
    let begun = std::time::Instant::now();
    let output = household.trueup(&["run", "T-001"]);
    let took = begun.elapsed();
    let verdict = match output.code {
        0 => Verdict::Verified,
        4 => {
            let about = asked(&household.show("T-001"));
            let approved = household.trueup(&["approve", "T-001"]).code;
            match (approved, seen.lines(Goal::Named)) {
                (1.., None) => Verdict::Unspoken,
                (code, _) => Verdict::Asked(about, code),
            }
        }
        // Tests that say nothing of the change prove nothing: that is no fault of trueup's.
        _ if seen.lines(Goal::Named).is_none() => Verdict::Unspoken,
        code => Verdict::Refused(code),
    };
    let time = household.trueup(&["show", "T-001", "--time"]);
    let told = [lines.join("\n"), output.stdout, output.stderr, time.stdout].join("\n");
    judged(verdict, took, told)
}

/// The kinds of what a person is asked about.
fn asked(show: &Value) -> Vec<String> {
    let all = show["objections"].as_array().cloned().unwrap_or_default();
    let open = all.iter().filter(|one| one["settled"] == "open");
    let mut kinds: Vec<String> = open
        .filter_map(|one| Some(one["objection"]["about"].as_str()?.to_owned()))
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

fn tail(output: &Output) -> String {
    let text = format!("{}\n{}", output.stdout, output.stderr);
    let lines: Vec<&str> = text.lines().rev().take(30).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}

/// What is printed of many.
fn sum_up(all: &[Judged], goal: Goal) {
    let count = |is: &dyn Fn(&Verdict) -> bool, of: &[&Judged]| of.iter().filter(|one| is(&one.verdict)).count();
    let told = |name: &str, of: &[&Judged]| {
        println!(
            "corpus: {goal:?} {name} judged={} verified={} asked={} refused={} excluded={} unspoken={}",
            count(&|one| !matches!(one, Verdict::Excluded | Verdict::Unspoken), of),
            count(&|one| *one == Verdict::Verified, of),
            count(&|one| matches!(one, Verdict::Asked(..)), of),
            count(&|one| matches!(one, Verdict::Refused(_)), of),
            count(&|one| *one == Verdict::Excluded, of),
            count(&|one| *one == Verdict::Unspoken, of),
        );
    };
    let mut languages: Vec<Language> = all.iter().map(|one| one.language).collect();
    languages.sort();
    languages.dedup();
    for language in languages {
        let of: Vec<&Judged> = all.iter().filter(|one| one.language == language).collect();
        told(&format!("{language:?}"), &of);
    }
    told("all", &all.iter().collect::<Vec<_>>());
    let ended = all.iter().filter(|one| one.took > Duration::ZERO);
    let mut ratios: Vec<f64> = ended
        .filter(|one| one.guard >= Duration::from_secs(10))
        .map(Judged::ratio)
        .collect();
    ratios.sort_by(f64::total_cmp);
    if let (Some(median), Some(worst)) = (ratios.get(ratios.len() / 2), ratios.last()) {
        println!(
            "corpus: {goal:?} suites of 10 s and more: {} median={median:.1} worst={worst:.1}",
            ratios.len()
        );
    }
}
