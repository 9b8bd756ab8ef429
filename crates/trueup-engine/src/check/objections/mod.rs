//! What a person must know of the difference between two trees.

mod inventory;
mod reach;
mod ruling;
mod things;

use self::{
    inventory::LaidBack,
    ruling::{Ruling, counts_least, most_asking},
};
use super::{checks::Checks, files::differing};
use crate::{
    blocking::blocking,
    fault::{self, Fault},
    halt::Halt,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io, iter,
    path::Path,
};
use trueup_core::{
    criterion::Check,
    digest::Digest,
    effect::{ReportDigest, Verify},
    evidence::Evidence,
    id::CheckId,
    objection::{Objection, ObjectionKind},
    test_results::TestResults,
};
use trueup_inspect::{
    challenge::Probe,
    changes::{Allowed, ChangedFile, Side},
    report::Report,
    rules::{self, CalledPrograms, Readers, Words},
};

/// The most objections that are told one by one.
const MOST: usize = 200;

/// The most files whose words are looked at.
const MOST_FILES: usize = 20_000;

impl Checks {
    /// Compares a tree, and what its checks reported, with the base.
    pub async fn objections(&self, wish: &Verify, evidence: &[Evidence]) -> Result<Vec<Objection>, Halt> {
        if wish.tree == wish.base || fault::planted(Fault::BelievesGreen) {
            return Ok(Vec::new());
        }
        let passed = evidence.iter().filter(|evidence| evidence.passed()).cloned();
        let now = ReportDigest::of(&passed.collect::<Vec<_>>());
        let (checks, wish) = (self.clone(), wish.clone());
        let altered = checks.altered(&wish, evidence).await?;
        blocking(move || {
            let files = differing(&checks.workspaces, &wish.base, &wish.tree)?;
            let mut found = checks.of_files(&files, &wish)?;
            found.extend(checks.installs(&wish, &files)?);
            let resorted = checks.workspaces.resorted(&wish.base, &wish.tree)?;
            found.extend(things::resorted(
                &resorted,
                &checks.tasks,
                &Allowed(&wish.allow),
                checks.ruling(),
            ));
            // A check that is red says little of what there is to run.
            let is_green = |listed: &&ReportDigest| now.iter().any(|now| now.check == listed.check);
            let before = checks.reports(wish.before.iter().filter(is_green))?;
            let after = checks.reports(&now)?;
            let tests =
                |reports: &BTreeMap<_, Report>| TestResults::of(reports.values().flat_map(|report| &report.tests));
            let (ran_before, ran_now) = (tests(&before), tests(&after));
            let laid_back = laid_back(&wish.checks().collect::<Vec<_>>(), &before);
            let allowed = Allowed(&wish.allow);
            found.extend(inventory::missing(&ran_before, &ran_now, &files, &allowed, laid_back));
            found.extend(checks.less_reached(&wish, &before, &after)?);
            let there = checks.workspaces.files(&wish.tree)?.into_iter().collect();
            found.extend(doubled(&files, &there, &Allowed(&wish.allow), checks.ruling()));
            found.extend(altered);
            Ok(bounded(found))
        })
        .await
    }

    /// What files alone tell, without what only programs read that take no
    /// part in a run of checks.
    fn of_files(&self, files: &[ChangedFile], wish: &Verify) -> Result<Vec<Objection>, Halt> {
        let allowed = Allowed(&wish.allow);
        let mut found: Vec<Told> = Vec::new();
        for file in files {
            found.extend(protected(file, &self.tasks, &allowed, self.ruling()));
            found.extend(suspicious(file, &allowed, self.ruling()));
        }
        found.extend(suppressed(files, &allowed, self.ruling()));
        let of: BTreeSet<Read> = found.iter().filter_map(|(_, read)| read.clone()).collect();
        let taking_part = self.taking_part(of, wish, files)?;
        let counts = |(_, read): &Told| read.as_ref().is_none_or(|read| taking_part.contains(read));
        Ok(most_asking(found.into_iter().filter(counts).map(|(one, _)| one)))
    }

    /// What of this may take part in a run of checks: checks call the program that
    /// reads it, or the tree names that program.
    fn taking_part(&self, all: BTreeSet<Read>, wish: &Verify, files: &[ChangedFile]) -> Result<BTreeSet<Read>, Halt> {
        if all.is_empty() {
            return Ok(all);
        }
        let read = |path: &str| self.workspaces.read(&wish.tree, path).ok().flatten();
        let executions = wish.checks().filter_map(|check| check.execution());
        let commands: Vec<Vec<String>> = executions
            .flat_map(|one| iter::once(&one.argv).chain(one.services.iter().map(|service| &service.argv)))
            .cloned()
            .collect();
        let first: Vec<Vec<String>> = wish.prepare.iter().map(|one| one.argv.clone()).collect();
        let called = CalledPrograms::by(&commands, &read).prepared_by(&first, &read);
        let is_called = |read: &Read| {
            let runs = |script: &String| called.may_run(script);
            called.may_be(Some(read.by)) && read.script.as_ref().is_none_or(runs)
        };
        let (mut found, mut others): (BTreeSet<_>, BTreeSet<_>) = all.into_iter().partition(is_called);
        if !others.is_empty() {
            let words = self.words(wish, files)?;
            others.retain(|read| words.as_ref().is_none_or(|words| words.name(Some(read.by))));
            found.extend(others);
        }
        Ok(found)
    }

    /// The words of a tree, and of what its files held before; nothing where
    /// there is too much to read.
    fn words(&self, wish: &Verify, files: &[ChangedFile]) -> Result<Option<Words>, Halt> {
        let mut paths = self.workspaces.files(&wish.tree)?;
        paths.retain(|path| Words::are_in(path));
        if paths.len() > MOST_FILES {
            return Ok(None);
        }
        let there = self.workspaces.read_many(&wish.tree, &paths)?;
        let there = there.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        let before = files
            .iter()
            .filter_map(|file| Some((file.path.as_str(), file.before.as_deref()?)));
        let texts = there.chain(before).filter(|(path, _)| Words::are_in(path));
        let texts: Vec<_> = texts
            .map(|(path, bytes)| (path, String::from_utf8_lossy(bytes)))
            .collect();
        Ok(Some(Words::of(texts.iter().map(|(path, text)| (*path, text.as_ref())))))
    }

    /// What a tree installs otherwise than its base: by the files that its
    /// preparations rest on, and by every lock file.
    fn installs(&self, wish: &Verify, files: &[ChangedFile]) -> Result<Vec<Objection>, Halt> {
        // A key can be a folder.
        let is_changed = |key: &&String| {
            let key = key.trim_start_matches("./");
            files.iter().any(|file| Path::new(&file.path).starts_with(key))
        };
        let keys = wish.prepare.iter().flat_map(|preparation| &preparation.key);
        let locks = files.iter().map(|file| &file.path).filter(|path| rules::is_lock(path));
        let paths: BTreeSet<String> = keys.filter(is_changed).chain(locks).cloned().collect();
        let paths: Vec<String> = paths.into_iter().collect();
        match paths.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(self.layers.installs(&wish.into(), &paths)?),
        }
    }

    /// These reports by their checks, as they were understood.
    fn reports<'a>(
        &self,
        listed: impl IntoIterator<Item = &'a ReportDigest>,
    ) -> Result<BTreeMap<&'a CheckId, Report>, Halt> {
        let read = |listed: &'a ReportDigest| Ok((&listed.check, self.report(&listed.list)?));
        listed.into_iter().map(read).collect()
    }

    /// A report, as it was understood.
    pub(super) fn report(&self, list: &Digest) -> Result<Report, Halt> {
        let bytes = self.blobs.get(list)?;
        Ok(serde_json::from_slice(&bytes).map_err(io::Error::other)?)
    }
}

/// Whether controls will be tried, and every check that reports tests is one
/// whose tests they lay back.
fn laid_back(checks: &[&Check], reports: &BTreeMap<&CheckId, Report>) -> LaidBack {
    let is_tried = checks.iter().any(|check| check.can_be_challenged());
    let reports_tests = |check: &&&Check| reports.get(&check.id).is_some_and(|report| !report.tests.is_empty());
    let mut reporting = checks.iter().filter(reports_tests);
    match is_tried && reporting.all(|check| Probe::all(check.kind()).contains(&Probe::Former)) {
        true => LaidBack::Later,
        false => LaidBack::Never,
    }
}

/// The programs that alone read something, and the script of a package that it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Read {
    by: Readers,
    script: Option<String>,
}

/// What these programs read, whatever it is.
const fn read_by(by: Readers) -> Read {
    Read { by, script: None }
}

/// An objection, with who alone reads what it is about.
type Told = (Objection, Option<Read>);

fn protected(file: &ChangedFile, tasks: &str, allowed: &Allowed<'_>, ruling: Ruling<'_>) -> Vec<Told> {
    if fault::planted(Fault::ProtectsNothing) {
        return Vec::new();
    }
    let (before, after) = (file.before.as_deref(), file.after.as_deref());
    let differences = rules::differences(ruling.rules, &file.path, before, after, tasks);
    let kind = ObjectionKind::Protected;
    let objection = |difference: rules::Difference| {
        let key = difference.key.unwrap_or_default();
        let objection = Objection {
            allowed: allowed.rule(kind, &difference.rule.id, &difference.path),
            digest: kind.digest(&[difference.path.as_bytes(), key.as_bytes(), after.unwrap_or(b"\0")]),
            kind,
            path: difference.path,
            what: difference.what,
            rule: Some(ruling.levels.broken(difference.rule)),
        };
        let script = difference.script;
        (objection, difference.readers.map(|by| Read { by, script }))
    };
    differences.into_iter().map(objection).collect()
}

/// Lines that a person should look at, each with the rule that counts most: one
/// that asks before one that notes, and one that nobody allowed before others.
fn suspicious(file: &ChangedFile, allowed: &Allowed<'_>, ruling: Ruling<'_>) -> Vec<Told> {
    let Some(after) = file.text(Side::After) else {
        return Vec::new();
    };
    let kind = ObjectionKind::Suspicious;
    let objection = |suspicion: rules::Suspicion| {
        let at = usize::try_from(suspicion.line.saturating_sub(1)).unwrap_or(usize::MAX);
        let line = after.lines().nth(at).unwrap_or_default().trim();
        let breaches = suspicion.breaks.into_iter().map(|breach| {
            let rule = ruling.levels.broken(breach.rule);
            Objection {
                kind,
                path: file.path.clone(),
                digest: kind.digest(&[file.path.as_bytes(), rule.id.as_str().as_bytes(), line.as_bytes()]),
                what: format!("line {}: {}", suspicion.line, breach.what),
                allowed: allowed.rule(kind, &rule.id, &file.path),
                rule: Some(rule),
            }
        });
        let most = breaches.min_by_key(counts_least)?;
        Some((most, suspicion.readers.map(read_by)))
    };
    let found = rules::suspicions(ruling.rules, &file.path, file.text(Side::Before), after);
    found.into_iter().filter_map(objection).collect()
}

/// New files that take another's place because of how names are looked up.
fn doubled(
    files: &[ChangedFile],
    there: &BTreeSet<String>,
    allowed: &Allowed<'_>,
    ruling: Ruling<'_>,
) -> Vec<Objection> {
    let added = files.iter().filter(|file| file.is_added());
    let added: Vec<&str> = added.map(|file| file.path.as_str()).collect();
    let kind = ObjectionKind::Suspicious;
    let objection = |double: rules::Double| {
        let file = files.iter().find(|file| file.path == double.path);
        let bytes = file.and_then(|file| file.after.as_deref()).unwrap_or_default();
        let rule = ruling.levels.broken(double.rule);
        Objection {
            kind,
            digest: kind.digest(&[double.path.as_bytes(), rule.id.as_str().as_bytes(), bytes]),
            allowed: allowed.rule(kind, &rule.id, &double.path),
            path: double.path,
            what: double.what,
            rule: Some(rule),
        }
    };
    let found = rules::doubles(&added, &|path| there.contains(path));
    found.into_iter().map(objection).collect()
}

/// Markers that stand more often in a file than before. What stood in files
/// that are gone may stand in a new one: it was moved.
fn suppressed(files: &[ChangedFile], allowed: &Allowed<'_>, ruling: Ruling<'_>) -> Vec<Told> {
    let before = |file: &ChangedFile| {
        let text = file.text(Side::Before);
        text.map(|text| rules::suppressions(ruling.rules, &file.path, text))
            .unwrap_or_default()
    };
    let after = |file: &ChangedFile| {
        let text = file.text(Side::After);
        text.map(|text| rules::suppressions_since(ruling.rules, &file.path, file.text(Side::Before), text))
            .unwrap_or_default()
    };
    let mut moved: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.after.is_none()) {
        for (marker, number) in before(file) {
            *moved.entry(marker).or_default() += number;
        }
    }
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.after.is_some()) {
        let before = before(file);
        for (marker, number) in after(file) {
            let mut grown = number.saturating_sub(before.get(marker).copied().unwrap_or_default());
            if let (None, Some(moved)) = (&file.before, moved.get_mut(marker)) {
                let taken = grown.min(*moved);
                grown -= taken;
                *moved -= taken;
            }
            if grown > 0 {
                let objection = silenced(file, (marker, number, grown), allowed, ruling);
                found.push((objection, rules::silenced_by(marker).map(read_by)));
            }
        }
    }
    found
}

/// A marker that stands so often in a file, and so many times more than before.
fn silenced(
    file: &ChangedFile,
    (marker, number, grown): (&str, usize, usize),
    allowed: &Allowed<'_>,
    ruling: Ruling<'_>,
) -> Objection {
    let kind = ObjectionKind::Suppressed;
    let times = match grown {
        1 => "once more".to_owned(),
        grown => format!("{grown} times more"),
    };
    let rule = rules::silencing(ruling.rules, &file.path, marker);
    let why = rule.map(|rule| format!("; it {}", rule.message)).unwrap_or_default();
    let rule = rule.map(|rule| ruling.levels.broken(rule.broken()));
    let word = rule.as_ref().map(|rule| allowed.rule(kind, &rule.id, &file.path));
    Objection {
        kind,
        path: file.path.clone(),
        what: format!("`{marker}` stands here {times} than on the base{why}"),
        digest: kind.digest(&[file.path.as_bytes(), marker.as_bytes(), number.to_string().as_bytes()]),
        allowed: word.unwrap_or_else(|| allowed.path(kind, &file.path)),
        rule,
    }
}

/// As many as anybody reads, what nobody allowed first; the rest is counted.
fn bounded(mut found: Vec<Objection>) -> Vec<Objection> {
    let mut known = BTreeSet::new();
    found.retain(|objection| known.insert(objection.digest.clone()));
    // What is installed is approved by its own name, so it stands first.
    let rank = |objection: &Objection| {
        (
            !objection.asks(),
            objection.allowed.is_some(),
            objection.kind != ObjectionKind::Lockfile,
        )
    };
    found.sort_by_key(|objection| (rank(objection), objection.kind, objection.path.clone()));
    if found.len() <= MOST {
        return found;
    }
    let rest = found.split_off(MOST - 1);
    if let Some(first) = rest.first() {
        let names: Vec<&[u8]> = rest.iter().map(|one| one.digest.as_str().as_bytes()).collect();
        let allowed = rest.iter().map(|one| one.allowed.clone()).collect::<Option<Vec<_>>>();
        found.push(Objection {
            kind: first.kind,
            path: first.path.clone(),
            what: format!(
                "this and {} more of the kind, too many to tell one by one",
                rest.len() - 1
            ),
            digest: first.kind.digest(&names),
            allowed: allowed.and_then(|words| words.into_iter().next()),
            rule: first.rule.clone(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueup_core::{
        criterion::{CheckMethod, Execution, Network, Role, Visibility},
        kind::{Kind, Runner},
        test_results::{Test, TestOutcome},
    };

    fn guard(id: &str, kind: Kind) -> Check {
        let execution = Execution {
            kind,
            ..Execution::new(vec!["check".to_owned()], 1000, Network::Off)
        };
        Check {
            id: CheckId::new(id),
            role: Role::Guard,
            sight: Visibility::Open,
            line: 1,
            source: String::new(),
            how: CheckMethod::Command(execution),
        }
    }

    fn report() -> Report {
        Report {
            tests: vec![Test {
                id: "a".to_owned(),
                outcome: TestOutcome::Passed,
                file: None,
                line: None,
                message: String::new(),
            }],
            ..Report::default()
        }
    }

    #[test]
    fn tests_are_laid_back_only_where_controls_will_be_tried_on_all_that_report_some() {
        let pytest = guard("A.1", Kind::Tests(Runner::Pytest));
        let maven = guard("A.2", Kind::Tests(Runner::Maven));
        let coverage = guard("A.3", Kind::Coverage(Runner::Pytest));
        let lint = guard("A.4", Kind::Lint);
        let laid_back = |checks: &[&Check]| {
            let is_lint = |check: &Check| check.kind() == Kind::Lint;
            let reports = checks.iter().map(|check| {
                let report = if is_lint(check) { Report::default() } else { report() };
                (&check.id, report)
            });
            laid_back(checks, &reports.collect())
        };
        assert_eq!(laid_back(&[&pytest]), LaidBack::Later);
        assert_eq!(
            laid_back(&[&pytest, &lint]),
            LaidBack::Later,
            "a linter reports no test"
        );
        assert_eq!(laid_back(&[&maven]), LaidBack::Never, "no control is tried at all");
        assert_eq!(laid_back(&[&maven, &pytest]), LaidBack::Later);
        assert_eq!(laid_back(&[&pytest, &coverage]), LaidBack::Never);
    }
}
