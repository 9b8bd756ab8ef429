//! A report in numbers: what a check is judged by.

use super::{checks::Checks, files::differing};
use crate::{halt::Halt, workspace};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};
use trueup_core::{
    criterion::{Check, CheckMethod, Measured},
    digest::Digest,
    effect::Verify,
    evidence::{Body, Named, Tally},
    gate::Reading,
    id::TreeId,
    judge::RunTests,
    kind::{Ratchet, ReportContents},
};
use trueup_inspect::{
    changes, code,
    report::{Finding, Level, Lines, Report, Test, TestOutcome},
};

impl Checks {
    /// What a check's report means for it, where it has one.
    pub(super) fn reading(
        &self,
        wish: &Verify,
        check: &Check,
        of_run: Option<&RunTests>,
        (report, list): (Option<&Result<Report, String>>, &Body),
    ) -> Result<Reading, Halt> {
        let report = match report {
            None => return Ok(Reading::None),
            Some(Err(why)) => return Ok(Reading::Unreadable(why.clone())),
            Some(Ok(report)) => report,
        };
        let new_findings = match self.new_findings(wish, check, report) {
            Ok(count) => count,
            Err(error) => {
                let why = format!("what it found on the base cannot be read: {error}");
                return Ok(Reading::Unreadable(why));
            }
        };
        let (lines, reached) = self.lines(wish, check, report)?;
        let total = ended(report.tests.iter());
        let (named, near) = named(check, of_run, report);
        Ok(Reading::Read(Tally {
            passed: total.passed,
            failed: total.failed,
            skipped: total.skipped,
            named,
            near,
            findings: count(faults(report).count()),
            new_findings,
            lines,
            reached,
            list: list.clone(),
        }))
    }

    /// Keeps what a program reported; nothing where that cannot be read.
    pub(super) fn keep_report(&self, report: Option<&Result<Report, String>>) -> io::Result<Body> {
        match report {
            Some(Ok(report)) => {
                let json = serde_json::to_vec(report)?;
                self.blobs.put_body(&json, json.len() as u64)
            }
            Some(Err(_)) | None => Ok(Body {
                digest: Digest::of(b""),
                bytes: 0,
            }),
        }
    }

    /// How many findings the base does not have. Without a word of the base,
    /// all of them are new, unless this is the base.
    fn new_findings(&self, wish: &Verify, check: &Check, report: &Report) -> io::Result<u32> {
        let ratchet = check.execution().map_or(Ratchet::None, |execution| execution.ratchet);
        if ratchet == Ratchet::None {
            return Ok(0);
        }
        match self.before(wish, check)? {
            Some(before) => Ok(count(beyond(report, &before))),
            None if wish.tree == wish.base => Ok(0),
            None => Ok(count(beyond(report, &Report::default()))),
        }
    }

    /// What a check reported on the base, where that is known.
    fn before(&self, wish: &Verify, check: &Check) -> io::Result<Option<Report>> {
        let listed = wish.before.iter().find(|listed| listed.check == check.id);
        let read = |list| Ok(serde_json::from_slice(&self.blobs.get(list)?)?);
        listed.map(|listed| read(&listed.list)).transpose()
    }

    /// The run's own tests that a check asks for, if it asks for such. Where
    /// nothing is known of the base there are none.
    pub(super) fn run_tests(&self, wish: &Verify, check: &Check, report: &Report) -> Result<Option<RunTests>, Halt> {
        let CheckMethod::RunTests { name, .. } = &check.how else {
            return Ok(None);
        };
        let before = self.before(wish, check)?;
        let Some(before) = before.filter(|_| wish.tree != wish.base) else {
            return Ok(Some(RunTests::Written(BTreeSet::new())));
        };
        let files = differing(&self.workspaces, &wish.base, &wish.tree)?;
        Ok(Some(changes::run_tests(&before, report, &files, name.as_deref())))
    }

    /// How many lines are asked about, and how many of them tests reached.
    fn lines(&self, wish: &Verify, check: &Check, report: &Report) -> Result<(u32, u32), workspace::Error> {
        let parse = check.execution().and_then(|execution| execution.parse);
        if parse.is_none_or(|format| format.tells() != ReportContents::Lines) {
            return Ok((0, 0));
        }
        let files = self.workspaces.files(&wish.tree)?;
        let known = in_tree(&report.lines, &files);
        let CheckMethod::Coverage {
            of: Measured::Changed { since },
            ..
        } = &check.how
        else {
            let hits: Vec<u64> = known.values().flat_map(BTreeMap::values).copied().collect();
            let reached = hits.iter().filter(|hits| **hits > 0).count();
            return Ok((count(hits.len()), count(reached)));
        };
        let since = since.as_ref().unwrap_or(&wish.base);
        let changed = self.workspaces.changed_lines(since, &wish.tree)?;
        let (mut asked, mut reached) = (0, 0);
        for (path, changed) in &changed {
            match known.get(path.as_str()) {
                Some(lines) => {
                    let hits = changed.iter().filter_map(|line| lines.get(line));
                    let hits: Vec<u64> = hits.copied().collect();
                    asked += hits.len();
                    reached += hits.iter().filter(|hits| **hits > 0).count();
                }
                None if is_overlooked(path, &known) => asked += self.unreached(&wish.tree, path, changed)?,
                None => {}
            }
        }
        Ok((count(asked), count(reached)))
    }

    /// How many of these lines stand in functions: of a file that no test ever
    /// loaded, a report may say nothing at all.
    fn unreached(&self, tree: &TreeId, path: &str, changed: &BTreeSet<u32>) -> Result<usize, workspace::Error> {
        let bytes = self.workspaces.read(tree, path)?.unwrap_or_default();
        let source = String::from_utf8_lossy(&bytes);
        let mut inside = BTreeSet::new();
        for item in code::items(path, &source).unwrap_or_default() {
            let before = source.get(..item.body.start).unwrap_or_default();
            let first = before.matches('\n').count() + 1;
            let body = source.get(item.body.clone()).unwrap_or_default();
            inside.extend((first..).zip(body.lines()).map(|(line, _)| count(line)));
        }
        Ok(changed.intersection(&inside).count())
    }
}

/// How the tests ended that the check asks for; where none has the name that it
/// asks for, those that it may have meant.
fn named(check: &Check, of_run: Option<&RunTests>, report: &Report) -> (Named, Vec<String>) {
    if let Some(of_run) = of_run {
        let own = report.tests.iter().filter(|test| of_run.ids().contains(&test.id));
        return (ended(own), Vec::new());
    }
    let CheckMethod::Test { name, .. } = &check.how else {
        return (Named::default(), Vec::new());
    };
    let named = report.named(name);
    let near = match named.is_empty() {
        true => report.near(name),
        false => Vec::new(),
    };
    (ended(named.into_iter()), near)
}

/// How tests ended, each counted once: one that failed in one place and passed
/// in another failed.
fn ended<'a>(tests: impl Iterator<Item = &'a Test>) -> Named {
    let mut by_id: BTreeMap<&str, TestOutcome> = BTreeMap::new();
    for test in tests {
        by_id
            .entry(&test.id)
            .and_modify(|worst| *worst = worse(*worst, test.outcome))
            .or_insert(test.outcome);
    }
    let of = |wanted: TestOutcome| count(by_id.values().filter(|outcome| **outcome == wanted).count());
    Named {
        passed: of(TestOutcome::Passed),
        failed: of(TestOutcome::Failed),
        skipped: of(TestOutcome::Skipped),
    }
}

const fn worse(one: TestOutcome, other: TestOutcome) -> TestOutcome {
    match (one, other) {
        (TestOutcome::Failed, _) | (_, TestOutcome::Failed) => TestOutcome::Failed,
        (TestOutcome::Skipped, _) | (_, TestOutcome::Skipped) => TestOutcome::Skipped,
        (TestOutcome::Passed, TestOutcome::Passed) => TestOutcome::Passed,
    }
}

/// The findings that count: what a tool only mentions is no fault.
fn faults(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| finding.level != Level::Note)
}

/// How many findings of a report another one does not have. Lines move, so
/// they do not tell one from another; their number does.
fn beyond(report: &Report, before: &Report) -> usize {
    let key = |finding: &Finding| (finding.rule.clone(), finding.path.clone(), finding.message.clone());
    let mut left: BTreeMap<_, usize> = BTreeMap::new();
    for finding in faults(before) {
        *left.entry(key(finding)).or_default() += 1;
    }
    let is_new = |finding: &&Finding| match left.get_mut(&key(finding)) {
        Some(known @ 1..) => {
            *known -= 1;
            false
        }
        Some(0) | None => true,
    };
    faults(report).filter(is_new).count()
}

/// The lines of a report by the files of a tree that it means. A tool may name
/// a file from a folder further in; where two could be meant, none is.
pub(super) fn in_tree<'a>(lines: &'a Lines, files: &'a [String]) -> BTreeMap<&'a str, BTreeMap<u32, u64>> {
    let mut by_file: BTreeMap<&str, BTreeMap<u32, u64>> = BTreeMap::new();
    for (name, hits) in &lines.0 {
        let name = name.trim_start_matches("./");
        let exact = files.iter().find(|file| *file == name);
        let tail = format!("/{name}");
        let mut further = files.iter().filter(|file| file.ends_with(&tail));
        let file = exact.or_else(|| further.next().filter(|_| further.next().is_none()));
        for (line, hits) in file.into_iter().flat_map(|_| hits) {
            let known = by_file.entry(file.map_or("", String::as_str)).or_default();
            let sum = known.entry(*line).or_default();
            *sum = sum.saturating_add(*hits);
        }
    }
    by_file
}

/// Whether a report that knows these files could have known this one, too.
fn is_overlooked(path: &str, known: &BTreeMap<&str, BTreeMap<u32, u64>>) -> bool {
    let ending = |path: &str| path.rsplit_once('.').map(|(_, ending)| ending.to_owned());
    let first = |path: &str| path.split_once('/').map(|(first, _)| first.to_owned());
    let alike = |other: &&str| ending(other) == ending(path) && first(other) == first(path);
    !code::is_test_path(path) && known.keys().any(alike)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{beyond, ended, in_tree, is_overlooked};
    use std::collections::BTreeMap;
    use trueup_inspect::report::{Finding, Level, Lines, Report, Test, TestOutcome};

    fn finding(rule: &str, line: u32, level: Level) -> Finding {
        Finding {
            path: "a.py".to_owned(),
            line: Some(line),
            rule: rule.to_owned(),
            level,
            message: "no".to_owned(),
        }
    }

    fn report(findings: &[Finding]) -> Report {
        Report {
            findings: findings.to_vec(),
            ..Report::default()
        }
    }

    #[test]
    fn a_finding_that_moved_is_not_new_and_one_more_of_its_kind_is() {
        let before = report(&[finding("E1", 3, Level::Error), finding("E1", 9, Level::Error)]);
        let moved = report(&[finding("E1", 4, Level::Error), finding("E1", 10, Level::Error)]);
        assert_eq!(beyond(&moved, &before), 0);
        let mut more = moved;
        more.findings.push(finding("E1", 11, Level::Warning));
        assert_eq!(beyond(&more, &before), 1);
        assert_eq!(beyond(&report(&[finding("E2", 3, Level::Error)]), &before), 1);
        assert_eq!(beyond(&report(&[finding("E2", 3, Level::Note)]), &before), 0);
    }

    #[test]
    fn a_test_that_failed_once_failed_and_is_counted_once() {
        let test = |id: &str, outcome| Test {
            id: id.to_owned(),
            outcome,
            file: None,
            line: None,
            message: String::new(),
        };
        let tests = [
            test("a", TestOutcome::Passed),
            test("a", TestOutcome::Failed),
            test("b", TestOutcome::Passed),
            test("b", TestOutcome::Skipped),
            test("c", TestOutcome::Passed),
        ];
        let ended = ended(tests.iter());
        assert_eq!((ended.passed, ended.failed, ended.skipped), (1, 1, 1));
    }

    #[test]
    fn lines_are_counted_for_the_one_file_of_the_tree_that_is_meant() {
        let hits = BTreeMap::from([(1, 1)]);
        let names = ["./src/a.py", "b.py", "c.py", "/usr/lib/d.py"];
        let lines = Lines(names.iter().map(|name| ((*name).to_owned(), hits.clone())).collect());
        let files = ["src/a.py", "pkg/b.py", "one/c.py", "two/c.py"].map(str::to_owned);
        let known = in_tree(&lines, &files);
        assert_eq!(known.keys().copied().collect::<Vec<_>>(), ["pkg/b.py", "src/a.py"]);
    }

    #[test]
    fn a_file_is_overlooked_where_its_like_is_known() {
        let known = BTreeMap::from([("src/a.py", BTreeMap::new())]);
        for (path, overlooked) in [
            ("src/b.py", true),
            ("src/deep/c.py", true),
            ("src/test_b.py", false),
            ("src/b.toml", false),
            ("scripts/b.py", false),
            ("b.py", false),
        ] {
            assert_eq!(is_overlooked(path, &known), overlooked, "{path}");
        }
    }
}
