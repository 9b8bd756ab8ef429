//! Goals under the rules of the base.
//!
//! A person may allow that a configuration changes. A goal that passes by that
//! change alone shows nothing of the code: what a runner adds, defines or
//! replaces for tests is nowhere else.

use super::{
    canary::listed,
    subject::Subject,
    trial::{On, Scene, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::{Ran, Ways, digest},
    room::Lay,
};
use trueup_core::{
    criterion::Check,
    evidence::Saw,
    objection::{About, Objection},
};
use trueup_inspect::rules::{self, Sort};

/// How much of a file sets rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    /// All of it.
    Whole,
    /// Some of its keys.
    Keys,
}

impl Checks {
    /// Goals that turn red as soon as the files that set the rules are as they
    /// were on the base.
    pub(super) async fn rules_only(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Vec<Objection>, Halt> {
        let (whole, keys) = (of(&scene.files, Share::Whole), of(&scene.files, Share::Keys));
        let mut goals: Vec<&Check> = subject.goals().collect();
        if whole.is_empty() || goals.is_empty() {
            return Ok(Vec::new());
        }
        let mut lays: Vec<Lay> = whole.iter().map(|file| Lay::of(file, Side::Before)).collect();
        let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
        goals = self.red(scene, goals, &seen)?;
        if fails_nothing_of_the_base(subject, &seen) {
            return Ok(Vec::new());
        }
        // Rules may have gone from one file to another.
        if !goals.is_empty() && !keys.is_empty() {
            lays.extend(keys.iter().map(|file| Lay::of(file, Side::Before)));
            let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
            goals = self.red(scene, goals, &seen)?;
        }
        Ok(goals
            .into_iter()
            .map(|check| only_with(About::RulesOnly, check, &whole))
            .collect())
    }

    /// Those of these checks that did not pass.
    pub(super) fn red<'a>(&self, scene: &Scene, goals: Vec<&'a Check>, seen: &Seen) -> Result<Vec<&'a Check>, Halt> {
        let mut red = Vec::new();
        for check in goals {
            if self.judged(scene, check, seen)? != Saw::Passed {
                red.push(check);
            }
        }
        Ok(red)
    }
}

/// Whether no test of the base that passes now is seen to fail. New tests may
/// need what came with them, a fixture say, and are tried over the base's code;
/// what cannot be loaded, for want of an alias say, shows nothing.
fn fails_nothing_of_the_base(subject: &Subject<'_>, seen: &Seen) -> bool {
    let (Some(before), Some(now)) = (&subject.before, &subject.now) else {
        return false;
    };
    let (before, now, former) = (Ran::of([before]), Ran::of([now]), Ran::of(seen.tests()));
    let mut kept = before.that_ran().filter(|test| now.way(&test.id) == Some(Ways::Passed));
    !kept.any(|test| former.way(&test.id) == Some(Ways::Failed))
}

/// Of the files that differ, those that set rules by this much of them.
fn of(files: &[File], share: Share) -> Vec<&File> {
    files.iter().filter(|file| share_of(file) == Some(share)).collect()
}

fn share_of(file: &File) -> Option<Share> {
    if is_of_checks(&file.path) || is_built_from(&file.path) {
        return None;
    }
    // Without a folder of tasks: what they ask is not asked of the tree.
    let differences = rules::differences(&file.path, file.before.as_deref(), file.after.as_deref(), "");
    let first = differences
        .iter()
        .find(|difference| difference.sort == Sort::Protected)?;
    Some(match first.key {
        None => Share::Whole,
        Some(_) => Share::Keys,
    })
}

/// Whether a file says which checks there are. They are taken from elsewhere.
fn is_of_checks(path: &str) -> bool {
    let mut parts = path.split('/').peekable();
    parts.any(|part| matches!(part, "trueup.toml" | "trueup.local.toml" | ".trueup"))
}

/// Whether a file belongs to what users get as much as the code does: without
/// a build script that code needs, nothing is built for anybody.
fn is_built_from(path: &str) -> bool {
    path.rsplit('/').next() == Some("build.rs")
}

/// That a goal passes only with these files as they were changed. It is about
/// the goal and not about the files, whoever allowed those.
pub(super) fn only_with(about: About, check: &Check, files: &[&File]) -> Objection {
    let names: Vec<String> = files.iter().map(|file| format!("`{}`", file.path)).collect();
    let mut fields: Vec<&[u8]> = vec![check.id.as_str().as_bytes()];
    for file in files {
        fields.push(file.path.as_bytes());
        fields.push(file.after.as_deref().unwrap_or(b"\0"));
    }
    let verb = if names.len() == 1 {
        "as it was changed"
    } else {
        "as they were changed"
    };
    Objection {
        about,
        path: check.id.to_string(),
        what: format!(
            "{} passes only with {} {verb}: do the work in the code",
            check.id,
            listed(&names)
        ),
        digest: digest(about, &fields),
        allowed: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, before: Option<&str>, after: Option<&str>) -> File {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        File {
            path: path.to_owned(),
            before: bytes(before),
            after: bytes(after),
        }
    }

    #[test]
    fn rules_are_files_that_decide_how_tests_run_and_nothing_else() {
        let changed = |path: &str| share_of(&file(path, Some("[a]\nb = 1\n"), Some("[a]\nb = 2\n")));
        for path in ["vitest.config.ts", "tests/conftest.py", "Makefile", "pytest.ini"] {
            assert_eq!(changed(path), Some(Share::Whole), "{path}");
        }
        for path in [
            "src/price.ts",
            "tests/test_a.py",
            "trueup.toml",
            "a/trueup.local.toml",
            ".trueup/tasks/T-001.md",
            "Cargo.lock",
            "build.rs",
        ] {
            assert_eq!(changed(path), None, "{path}");
        }
        let keys = file(
            "pyproject.toml",
            Some(""),
            Some("[tool.pytest.ini_options]\naddopts = \"-q\"\n"),
        );
        assert_eq!(share_of(&keys), Some(Share::Keys));
    }

    #[test]
    fn what_was_added_is_taken_away_and_what_is_gone_comes_back() {
        let added = file("conftest.py", None, Some("a"));
        let gone = file("pytest.ini", Some("b"), None);
        assert_eq!(Lay::of(&added, Side::Before).bytes, None);
        assert_eq!(Lay::of(&gone, Side::Before).bytes.as_deref(), Some(&b"b"[..]));
    }
}
