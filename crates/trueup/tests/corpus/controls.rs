//! How many tests of real projects a control can be tried on, and how many of
//! those it would ask about without reason.

use crate::{
    change::Change,
    history::{clones, commits, export},
    projects::{CLONES, Language, Project},
    suite::{execute, shell},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};
use trueup_core::test_results::{Test, TestOutcome, TestResults};
use trueup_inspect::{
    changes::{ChangedFile, Side, is_called, lies_elsewhere},
    code::{
        self, Comparing, SharedValue, is_test_path, letters_of_tests, neighbour, new_values, other_expectations,
        written_answers,
    },
};

/// The most that may pass whatever is expected, of a hundred that can be changed.
const MOST: usize = 2;

/// Tests that expect something else, and the source they stand in.
type Changed = BTreeMap<String, (String, BTreeSet<String>)>;

/// What became of the tests of a project.
#[derive(Debug, Default)]
struct Counted {
    passed: usize,
    changed: usize,
    red: usize,
    /// Those that pass whatever is expected.
    never_red: Vec<String>,
    /// Those that nothing was told of: what was changed did not compile.
    untold: usize,
}

/// The files of a tree that may hold tests, or what tests share.
fn sources(tree: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(tree).expect("below").display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if is_test_path(&name) || name.ends_with(".rs") {
                found.extend(fs::read_to_string(&path).ok().map(|text| (name, text)));
            }
        }
    }
    found.sort();
    found
}

/// Every file of tests with all that they expect changed.
fn expecting_something_else(tree: &Path) -> Changed {
    let sources = sources(tree);
    let texts: Vec<(&str, &str)> = sources
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let changed = texts.iter().filter_map(|(path, text)| {
        let other = other_expectations(path, text, &Comparing::of(path, text, &texts), |_| true)?;
        Some(((*path).to_owned(), (other.source, other.tests)))
    });
    changed.collect()
}

fn is_changed(test: &Test, changed: &Changed) -> bool {
    let mut files = changed.iter().filter(|(path, _)| !lies_elsewhere(test, path));
    files.any(|(path, (_, tests))| {
        let stem = path.rsplit('/').next().and_then(|name| name.split('.').next());
        // Python tells its files as modules, and Rust a test's module alone.
        let is_here = !path.ends_with(".py") || stem.is_some_and(|stem| test.id.contains(stem));
        is_here && tests.iter().any(|name| is_called(&test.id, name))
    })
}

/// How the suite ends with these files laid over the tree.
fn executed(project: &Project, tree: &Path, changed: &Changed) -> TestResults {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy");
    shell(folder.path(), &format!("cp -a {} {}", tree.display(), copy.display()));
    for (path, (source, _)) in changed {
        fs::write(copy.join(path), source).expect("a file");
    }
    execute(project, &copy).tests
}

/// An id without the case of a table, which may be called after its values.
fn of_any_case(id: &str) -> &str {
    let id = id.split('[').next().unwrap_or(id);
    let test = id.find("::Test").map(|at| at + "::Test".len());
    let case = test.and_then(|at| Some(at + id.get(at..)?.find('/')?));
    case.and_then(|at| id.get(..at)).unwrap_or(id)
}

fn counted(project: &Project, tree: &Path) -> Counted {
    let before = execute(project, tree).tests;
    let all = expecting_something_else(tree);
    let passed: Vec<&Test> = before
        .that_ran()
        .filter(|test| test.outcome == TestOutcome::Passed)
        .collect();
    let mut count = Counted {
        passed: passed.len(),
        ..Counted::default()
    };
    let mut waiting: BTreeSet<&str> = passed
        .iter()
        .filter(|test| is_changed(test, &all))
        .map(|test| of_any_case(&test.id))
        .collect();
    count.changed = waiting.len();
    // One file that does not compile takes others with it.
    let alone = all.iter().map(|(path, it)| Changed::from([(path.clone(), it.clone())]));
    for changed in std::iter::once(all.clone()).chain(alone) {
        let is_wanted = |test: &&&Test| waiting.contains(of_any_case(&test.id)) && is_changed(test, &changed);
        let wanted: BTreeSet<&str> = passed
            .iter()
            .filter(is_wanted)
            .map(|test| of_any_case(&test.id))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let now = executed(project, tree, &changed);
        for id in wanted {
            let told: Vec<TestOutcome> = now
                .that_ran()
                .filter(|test| of_any_case(&test.id) == id)
                .map(|test| test.outcome)
                .collect();
            if told.contains(&TestOutcome::Failed) {
                count.red += 1;
            } else if told.is_empty() {
                continue;
            } else {
                count.never_red.push(format!("{} {id}", project.name));
            }
            waiting.remove(id);
        }
    }
    count.untold = waiting.len();
    count
}

#[test]
#[ignore = "needs clones, and most of an hour: just controls"]
fn tests_of_real_projects_look_at_what_they_expect() {
    let clones = clones();
    let begin = env::var("TRUEUP_TEST_CASE").unwrap_or_default();
    let mut of_language: BTreeMap<Language, Counted> = BTreeMap::new();
    let is_there = |project: &&Project| clones.join(project.name).is_dir() && project.name.starts_with(&begin);
    for project in CLONES.iter().filter(is_there) {
        let change = Change::laid(project, "as it is", |_, after| {
            export(&clones.join(project.name), "HEAD", after)
        });
        let one = counted(project, &change.after());
        println!("controls: {:<28} {one:?}", project.name);
        let sum = of_language.entry(project.language).or_default();
        sum.passed += one.passed;
        sum.changed += one.changed;
        sum.red += one.red;
        sum.untold += one.untold;
        sum.never_red.extend(one.never_red);
    }
    assert!(!of_language.is_empty(), "nothing was measured");
    for (language, sum) in &of_language {
        println!(
            "controls: {language:?} tests={} applies={} red={} never_red={} untold={}",
            sum.passed,
            sum.changed,
            sum.red,
            sum.never_red.len(),
            sum.untold
        );
        assert!(sum.red > 0, "{language:?}: nothing was changed");
        assert!(sum.never_red.len() * 100 <= sum.changed * MOST, "{:#?}", sum.never_red);
    }
}

/// Nobody executes anything here: it tells which commits are worth executing.
#[test]
#[ignore = "needs clones: just controls"]
fn new_code_and_its_tests_seldom_share_values() {
    let clones = clones();
    let (mut all, mut sharing, mut telling) = (0, 0, 0);
    for commit in commits().iter().filter(|one| clones.join(one.project.name).is_dir()) {
        let folder = tempfile::tempdir().expect("a folder");
        let sides = ["before", "after"].map(|side| folder.path().join(side));
        let clone = clones.join(commit.project.name);
        for (side, id) in sides.iter().zip([format!("{}^", commit.id), commit.id.to_owned()]) {
            fs::create_dir(side).expect("a folder");
            export(&clone, &id, side);
        }
        let files = files_that_differ(&clone, commit.id, &sides);
        let values = files.iter().filter_map(|file| {
            let after = file.text(Side::After)?;
            Some(new_values(&file.path, file.text(Side::Before), after))
        });
        let values: BTreeSet<SharedValue> = values.flatten().collect();
        let is_shared = |file: &ChangedFile| {
            let after = file
                .text(Side::After)
                .filter(|_| code::Language::of(&file.path).is_some());
            after.is_some_and(|after| neighbour(&file.path, after, &values, 0, |_| true).is_some())
        };
        all += 1;
        let tells = what_tells(&files, &values, &sides[1]);
        telling += usize::from(tells.is_some());
        sharing += usize::from(files.iter().any(is_shared));
        if files.iter().any(is_shared) || tells.is_some() {
            let tells = tells.unwrap_or_default();
            println!(
                "controls: {} {} {} {tells}",
                commit.project.name, commit.id, commit.named
            );
        }
    }
    println!("controls: values are shared in {sharing} of {all} commits, and tell something in {telling}");
    assert!(all > 0, "nothing was looked at");
}

/// What new code has in common with tests and nobody names by chance: texts with
/// parts, letters, answers. The control asks for the same of goals' tests alone.
fn what_tells(files: &[ChangedFile], values: &BTreeSet<SharedValue>, after: &Path) -> Option<String> {
    let tests: Vec<(String, String)> = sources(after)
        .into_iter()
        .filter(|(path, _)| is_test_path(path))
        .collect();
    let data: Vec<(&str, &str)> = tests
        .iter()
        .filter(|(path, _)| code::Language::of(path).is_none())
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let letters: BTreeSet<char> = tests
        .iter()
        .flat_map(|(path, text)| letters_of_tests(path, text))
        .collect();
    let is_of_tests = |value: &&SharedValue| match value {
        SharedValue::Text(text) => tests.iter().any(|(_, source)| source.contains(text)),
        SharedValue::Letter(letter) => letters.contains(letter),
        SharedValue::Number(_) => false,
    };
    let is_letter = |value: &&&SharedValue| matches!(value, SharedValue::Letter(_));
    let tells: Vec<&SharedValue> = values.iter().filter(|value| value.is_telling()).collect();
    let (letters, texts): (Vec<&SharedValue>, Vec<&SharedValue>) = tells.iter().partition(|value| is_letter(value));
    let of_letters = letters.iter().filter(|value| is_of_tests(value)).count();
    let of_texts = texts.iter().filter(|value| is_of_tests(value)).count();
    let work = files.iter().filter(|file| !is_test_path(&file.path));
    let answers =
        work.filter_map(|file| Some(written_answers(&data, file.text(Side::Before), file.text(Side::After)?)));
    let answers = answers.flatten().collect::<BTreeSet<&str>>().len();
    let is_enough = of_letters >= 3 && of_letters == letters.len()
        || of_texts >= 3 && of_texts * 4 >= texts.len() * 3
        || answers >= 3;
    is_enough.then(|| {
        format!(
            "{of_texts} of {} texts, {of_letters} letters, {answers} answers",
            texts.len()
        )
    })
}

fn files_that_differ(clone: &Path, id: &str, [before, after]: &[std::path::PathBuf; 2]) -> Vec<ChangedFile> {
    let line = format!("git -C {} diff --name-only --no-renames {id}^ {id}", clone.display());
    let names = crate::suite::try_shell(Path::new("/"), &line).stdout;
    let file = |path: &str| ChangedFile {
        path: path.to_owned(),
        before: fs::read(before.join(path)).ok(),
        after: fs::read(after.join(path)).ok(),
    };
    names.lines().map(file).collect()
}

/// The measure can fail: a test that takes any answer is never red.
#[test]
fn a_test_that_takes_any_answer_is_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let tree = folder.path();
    fs::create_dir(tree.join("tests")).expect("a folder");
    let any = "class Any:\n    def __eq__(self, other):\n        return True\n";
    fs::write(
        tree.join("tests/test_a.py"),
        format!(
            "{any}\n\ndef check(got, want):\n    assert got == want\n\n\n\
             def test_looks():\n    check(1 + 1, 2)\n\n\ndef test_takes_any():\n    check(Any(), 2)\n\n\n\
             def test_says_nothing():\n    assert Any()\n"
        ),
    )
    .expect("a file");
    let project = crate::projects::called(crate::projects::PACKAGES, "semantic-version");
    let count = counted(project, tree);
    assert_eq!(
        (count.passed, count.changed, count.red, count.untold),
        (3, 2, 1, 0),
        "{count:?}"
    );
    assert_eq!(count.never_red.len(), 1, "{count:?}");
}
