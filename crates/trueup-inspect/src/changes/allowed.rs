//! What a task's words allow in advance.

use crate::report::{Report, Test};
use globset::{Glob, GlobSet, GlobSetBuilder};
use trueup_core::{objection::ObjectionKind, rule::RuleId, task::Allow, test_results::TestOutcome};

/// What a task allows in advance.
#[derive(Clone, Copy, Debug)]
pub struct Allowed<'a>(pub &'a Allow);

impl Allowed<'_> {
    /// The word that allows this of a file.
    pub fn path(&self, kind: ObjectionKind, path: &str) -> Option<String> {
        selecting(kind.allowing(self.0), path)
    }

    /// The word that allows a file to break a rule: it selects the file for
    /// everything of the kind, or it names the rule.
    pub fn rule(&self, kind: ObjectionKind, rule: &RuleId, path: &str) -> Option<String> {
        let allows = |word: &&String| match word.split_once('@') {
            Some((id, files)) => id == rule.as_str() && selecting(&[files.to_owned()], path).is_some(),
            None => *word == rule.as_str(),
        };
        self.path(kind, path)
            .or_else(|| self.0.rules.iter().find(allows).cloned())
    }

    /// The word that allows this of a test: it names the test, or its file.
    pub fn test(&self, kind: ObjectionKind, id: &str, file: Option<&str>) -> Option<String> {
        let words = kind.allowing(self.0);
        let named = words.iter().find(|word| names(word, id)).cloned();
        named
            .or_else(|| selecting(words, id))
            .or_else(|| selecting(words, file?))
            .or_else(|| selecting(&self.0.change, file?))
    }
}

fn names(word: &str, id: &str) -> bool {
    let test = Test {
        id: id.to_owned(),
        outcome: TestOutcome::Passed,
        file: None,
        line: None,
        message: String::new(),
    };
    let report = Report {
        tests: vec![test],
        ..Report::default()
    };
    !report.called(word).is_empty()
}

/// These patterns, as one.
pub fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern)?);
    }
    set.build()
}

/// The first of these words that selects the path. A word that is no glob
/// selects nothing.
fn selecting(words: &[String], path: &str) -> Option<String> {
    let selects = |word: &&String| {
        globs(std::slice::from_ref(word)).is_ok_and(|glob| glob.is_match(path)) || word.trim_end_matches('/') == path
    };
    words.iter().find(selects).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allow() -> Allow {
        Allow {
            change: vec!["tests/old/**".into(), "pytest.ini".into()],
            remove_tests: vec!["test_slow".into(), "tests/legacy/**".into(), "pkg::TestOld*".into()],
            lockfiles: vec!["Cargo.lock".into()],
            ..Allow::default()
        }
    }

    #[test]
    fn a_word_allows_what_it_names_and_nothing_else() {
        let allow = allow();
        let allowed = Allowed(&allow);
        let file = |kind, path| allowed.path(kind, path).is_some();
        assert!(file(ObjectionKind::Protected, "pytest.ini"));
        assert!(
            !file(ObjectionKind::Protected, "Cargo.lock"),
            "a lock file has words of its own"
        );
        assert!(file(ObjectionKind::Lockfile, "Cargo.lock"));
        assert!(!file(ObjectionKind::Suspicious, "src/lib.rs"));
    }

    #[test]
    fn a_rule_is_allowed_by_its_id_everywhere_or_in_the_files_behind_it() {
        let allow = Allow {
            change: vec!["Makefile".into()],
            rules: vec!["py/ends-process@src/cli/**".into(), "any/ci".into()],
            ..Allow::default()
        };
        let by = |rule: &str, path: &str| {
            let rule = RuleId::of(rule).expect("an id");
            Allowed(&allow).rule(ObjectionKind::Suspicious, &rule, path)
        };
        assert_eq!(by("any/ci", "x/y").as_deref(), Some("any/ci"));
        assert_eq!(
            by("py/ends-process", "src/cli/main.py").as_deref(),
            Some("py/ends-process@src/cli/**")
        );
        assert_eq!(by("py/ends-process", "src/price.py"), None);
        assert_eq!(by("py/runs-text", "src/cli/main.py"), None);
        assert_eq!(by("py/runs-text", "Makefile").as_deref(), Some("Makefile"));
    }

    #[test]
    fn a_test_is_allowed_by_its_name_its_id_or_its_file() {
        let allow = allow();
        let allowed = Allowed(&allow);
        let test = |id, file| allowed.test(ObjectionKind::TestGone, id, file).is_some();
        assert!(test("tests.test_a::test_slow", None), "its last name");
        assert!(test("tests.test_a::test_slow[1]", None), "with any parameter");
        assert!(!test("tests.test_a::test_very_slow", None), "not the end of a word");
        assert!(test("pkg::TestOldThing", None), "a glob of ids");
        assert!(test("a::b", Some("tests/legacy/test_a.py")), "its file");
        assert!(test("a::b", Some("tests/old/test_a.py")), "a file that may change");
        assert!(!test("a::b", Some("tests/test_a.py")));
        assert!(!test("a::b", None));
    }
}
