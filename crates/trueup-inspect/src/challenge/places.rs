//! Where a failing test can be laid so that a check selects it.

use super::{derived::TestFile, subject::Subject, tree_pair::TreePair};
use crate::{
    changes::{is_called, is_meant, lies_elsewhere},
    code::{self, Language, is_test_path},
    report::{Test, TestOutcome},
    test_id::{last_part, without_parameters},
};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::kind::Runner;

/// How many places are tried.
const MOST_PLACES: usize = 3;

/// How many files are looked into.
const MOST_FILES: usize = 4000;

/// The files that are looked into.
pub(super) fn wanted(trees: &TreePair, runner: Runner) -> Vec<String> {
    let mut wanted: Vec<String> = trees
        .paths
        .iter()
        .filter(|path| speaks(runner, path) && (is_test_path(path) || Language::of(path) == Some(Language::Rust)))
        .cloned()
        .collect();
    // Those that the run wrote are looked at whatever their number.
    wanted.sort_by_key(|path| !trees.files.iter().any(|file| file.path == *path));
    wanted.truncate(MOST_FILES);
    wanted
}

/// The best places among these files and the check's own hidden ones.
pub(super) fn places(
    trees: &TreePair,
    subject: &Subject<'_>,
    runner: Runner,
    texts: Vec<(&str, &str)>,
) -> Vec<TestFile> {
    let mut texts: BTreeMap<&str, &str> = texts.into_iter().collect();
    let hidden = subject.hidden.iter().filter(|(path, _)| speaks(runner, path));
    texts.extend(hidden.map(|(path, text)| (path.as_str(), text.as_str())));
    let passed = Passed::of(subject);
    let mut ranked: Vec<(u32, TestFile)> = texts
        .into_iter()
        .filter_map(|(path, text)| ranked(trees, subject, &passed, (path, text)))
        .collect();
    // The shorter path of two equals: tests of the whole lie higher.
    ranked.sort_by(|(one, a), (other, b)| {
        other
            .cmp(one)
            .then_with(|| a.path.len().cmp(&b.path.len()))
            .then_with(|| a.path.cmp(&b.path))
    });
    let best = ranked.into_iter().map(|(_, place)| place);
    // Where tests are seen before where a macro may make some; and where nothing
    // hints at any only if that is all there is.
    let (seen, others): (Vec<TestFile>, Vec<TestFile>) =
        best.partition(|place| !place.tests.is_empty() || is_test_path(&place.path));
    let (made, roots): (Vec<TestFile>, Vec<TestFile>) =
        others.into_iter().partition(|place| holds_made_tests(&place.text));
    let mut places = one_of_each_package(trees, seen);
    places.extend(one_of_each_package(trees, made));
    if places.is_empty() || subject.runs_examples() {
        places.extend(one_of_each_package(trees, roots));
    }
    places.truncate(MOST_PLACES);
    places
}

/// Whether code of Rust holds a place for tests.
fn holds_made_tests(text: &str) -> bool {
    text.contains("#[cfg(test)]")
}

/// The best places, so that every package is tried before a second place of
/// one: a check may run the tests of one package only.
fn one_of_each_package(trees: &TreePair, places: Vec<TestFile>) -> Vec<TestFile> {
    // What the run itself made a package may be one where nothing is swallowed.
    let is_old = |path: &&String| {
        !trees
            .files
            .iter()
            .any(|file| file.path == **path && file.before.is_none())
    };
    let manifests = trees.paths.iter().filter(is_old).filter_map(|path| package_of(path));
    let manifests: BTreeSet<&str> = manifests.collect();
    let package = |place: &TestFile| {
        let around = |folder: &&&str| folder.is_empty() || place.path.starts_with(&format!("{folder}/"));
        let nearest = manifests.iter().filter(around).max_by_key(|folder| folder.len());
        nearest.map(ToString::to_string)
    };
    let mut seen = BTreeSet::new();
    let (first, more): (Vec<TestFile>, Vec<TestFile>) =
        places.into_iter().partition(|place| seen.insert(package(place)));
    first.into_iter().chain(more).collect()
}

/// The folder that a manifest makes a package of, if this is one.
fn package_of(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_manifest = matches!(
        name,
        "Cargo.toml" | "package.json" | "go.mod" | "pyproject.toml" | "setup.py" | "setup.cfg"
    );
    is_manifest.then_some(folder)
}

fn ranked(
    trees: &TreePair,
    subject: &Subject<'_>,
    passed: &Passed<'_>,
    (path, text): (&str, &str),
) -> Option<(u32, TestFile)> {
    let items = code::items(path, text)?;
    let tests: Vec<String> = items
        .into_iter()
        .filter(|item| item.sort == code::ItemKind::Test)
        .map(|item| item.name)
        .collect();
    let called_test = is_test_path(path);
    let can_hold_tests = match (subject.runs_examples(), is_of_library(path)) {
        (true, is_of_library) => is_of_library,
        (false, true) => !tests.is_empty() || holds_made_tests(text) || is_root(path),
        (false, false) => !tests.is_empty() || called_test,
    };
    if !can_hold_tests {
        return None;
    }
    let asked = subject.asked();
    let passed = passed.of_file(path, &tests);
    let is_changed = trees.files.iter().any(|file| file.path == path);
    // Of what the run wrote nothing is reported before the checks were executed.
    let is_ahead = subject.now.is_none() && subject.before.is_some();
    let may_pass = is_ahead && is_changed && !tests.is_empty();
    // The most telling first: a test that is asked for by name, one that passed,
    // the check's own words, what the run wrote, what is called as tests are.
    let signs = [
        tests
            .iter()
            .any(|test| asked.iter().any(|asked| is_meant(asked, path, test))),
        !passed.is_empty() || may_pass,
        subject.execution.argv.iter().any(|word| means(word, path, &tests)),
        subject.execution.argv.iter().any(|word| names_package(word, path)),
        is_changed,
        called_test && !tests.is_empty(),
    ];
    let rank = signs.iter().fold(0, |rank, sign| 2 * rank + u32::from(*sign));
    let place = TestFile {
        path: path.to_owned(),
        text: text.to_owned(),
        tests,
        passed,
    };
    Some((rank, place))
}

/// Whether a file of Rust is none of tests alone. Its tests may come from a
/// macro, so that none is seen in it.
fn is_of_library(path: &str) -> bool {
    Language::of(path) == Some(Language::Rust) && !is_test_path(path)
}

/// Whether a package of Rust begins in this file.
fn is_root(path: &str) -> bool {
    ["src/lib.rs", "src/main.rs"].iter().any(|root| {
        path.strip_suffix(root)
            .is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
    })
}

/// The tests that passed, by what their ids end in.
struct Passed<'a>(BTreeMap<&'a str, Vec<&'a Test>>);

impl<'a> Passed<'a> {
    fn of(subject: &'a Subject<'_>) -> Self {
        let mut by_end: BTreeMap<&str, Vec<&Test>> = BTreeMap::new();
        let tests = subject.last_report().into_iter().flat_map(|report| &report.tests);
        for test in tests.filter(|test| test.outcome == TestOutcome::Passed) {
            by_end.entry(end(&test.id)).or_default().push(test);
        }
        Self(by_end)
    }

    /// The ids of those that are tests of this file.
    fn of_file(&self, path: &str, tests: &[String]) -> Vec<String> {
        let mut ids = BTreeSet::new();
        for name in tests {
            for test in self.0.get(end(name)).into_iter().flatten() {
                if is_called(&test.id, name) && !lies_elsewhere(test, path) {
                    ids.insert(test.id.clone());
                }
            }
        }
        ids.into_iter().collect()
    }
}

/// What a name ends in, without its parameters.
fn end(name: &str) -> &str {
    last_part(without_parameters(name))
}

/// Whether a runner runs tests that are written in this file.
fn speaks(runner: Runner, path: &str) -> bool {
    let language = Language::of(path);
    match runner {
        Runner::Pytest | Runner::Unittest => language == Some(Language::Python),
        Runner::CargoTest | Runner::Nextest => language == Some(Language::Rust),
        Runner::GoTest => language == Some(Language::Go),
        Runner::Vitest | Runner::Jest | Runner::Mocha | Runner::NodeTest => {
            matches!(
                language,
                Some(Language::JavaScript | Language::TypeScript | Language::Tsx)
            )
        }
        Runner::Maven | Runner::Gradle | Runner::Other => false,
    }
}

/// Whether a word of a command means a file, a folder around it, its module,
/// or one of its tests. Such words may stand inside a line for a shell.
pub(super) fn means(word: &str, path: &str, tests: &[String]) -> bool {
    let pieces = word.split(|letter: char| letter.is_whitespace() || "'\"=;|&".contains(letter));
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let module = stem.replace('/', ".");
    for piece in pieces {
        let plain = piece
            .trim_start_matches("./")
            .trim_end_matches("...")
            .trim_end_matches('/');
        let file = plain.split("::").next().unwrap_or(plain);
        let in_folder = path.strip_prefix(plain).is_some_and(|rest| rest.starts_with('/'));
        let in_module = plain
            .strip_prefix(&module)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        // `cargo test --test prices` means `tests/prices.rs`.
        let is_target = is_test_path(path) && stem.rsplit('/').next() == Some(plain);
        let is_test = tests.iter().any(|test| end(test) == plain);
        if !plain.is_empty() && (file == path || in_folder || in_module || is_target || is_test) {
            return true;
        }
    }
    false
}

/// Whether a word may be the name of the package that a file lies in: packages
/// are mostly called after their folders.
fn names_package(word: &str, path: &str) -> bool {
    const COMMON: [&str; 6] = ["test", "tests", "src", "lib", "spec", "run"];
    let word = word.rsplit_once('=').map_or(word, |(_, value)| value);
    let name = match word.strip_prefix('@').and_then(|scoped| scoped.split_once('/')) {
        Some((_, name)) => name,
        None => word,
    };
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    !name.contains('/') && !COMMON.contains(&name) && folders.split('/').any(|folder| folder == name)
}

#[cfg(test)]
mod tests {
    use super::{Passed, TestOutcome, end, means, names_package};
    use crate::report::Test;

    #[test]
    fn a_word_means_a_file_its_folder_its_module_or_its_test() {
        let tests = ["TestX.test_b".to_owned()];
        let means = |word: &str| means(word, "tests/unit/test_a.py", &tests);
        for word in [
            "tests/unit/test_a.py",
            "./tests/unit/",
            "tests",
            "tests.unit.test_a",
            "tests.unit.test_a.TestX.test_b",
            "tests/unit/test_a.py::TestX::test_b",
            "test_b",
            "python -m pytest tests/unit -q | tail",
        ] {
            assert!(means(word), "{word}");
        }
        for word in ["tests/unit/test_ab.py", "test", "python -m pytest", "-q", "tests/other"] {
            assert!(!means(word), "{word}");
        }
    }

    #[test]
    fn a_package_is_meant_by_the_name_of_its_folder() {
        let names = |word: &str| names_package(word, "packages/ui/tests/test_a.py");
        for word in ["ui", "--package=ui", "@shop/ui", "--filter=@shop/ui"] {
            assert!(names(word), "{word}");
        }
        for word in ["test", "tests", "u", "packages/ui", "shop", "@ui/shop"] {
            assert!(!names(word), "{word}");
        }
    }

    #[test]
    fn a_test_passed_in_the_file_that_holds_it_and_that_the_report_does_not_deny() {
        let test = |id: &str, file: &str| Test {
            id: id.to_owned(),
            outcome: TestOutcome::Passed,
            file: Some(file.to_owned()),
            line: None,
            message: String::new(),
        };
        let passed = |test: &Test| {
            let all = Passed([("test_b", vec![test])].into());
            all.of_file("tests/test_a.py", &["TestX.test_b".to_owned()])
        };
        let here = "tests/test_a.py";
        assert_eq!(passed(&test("TestX::test_b", here)), ["TestX::test_b"]);
        assert!(passed(&test("TestY::test_b", here)).is_empty(), "another class");
        assert!(
            passed(&test("TestX::test_b", "tests/test_c.py")).is_empty(),
            "another file"
        );
    }

    #[test]
    fn a_name_ends_in_what_its_test_is_called() {
        assert_eq!(end("tests.test_a.TestX::test_b[1.5]"), "test_b");
        assert_eq!(end("cart.test.ts::cart > adds one"), "adds one");
        assert_eq!(end("plain"), "plain");
    }
}
