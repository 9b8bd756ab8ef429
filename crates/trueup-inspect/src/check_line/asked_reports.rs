//! What to write into trueup.toml where no check reports what a line asks for:
//! the words of the runner that this project has, or the page that lists all.

use super::context::Context;
use crate::rules;
use trueup_core::{
    criterion::{Execution, OUT},
    kind::{Kind, Runner},
};

/// Where the words of every runner stand.
const PAGE: &str = "docs/configuration.md, under Reports, has the line for each runner";

/// How the runner of this project tells what became of each test.
pub(super) fn of_tests(context: &Context<'_>) -> String {
    let silent = |execution: &Execution| execution.parse.is_none();
    let (name, runner) = known(context, &silent).unwrap_or_else(|| ("tests".to_owned(), project(context)));
    let words = match runner {
        Runner::Pytest | Runner::Unittest => ("pytest --junitxml={{out}}/junit.xml", "junit"),
        Runner::Vitest => (
            "npx vitest run --reporter=junit --outputFile={{out}}/junit.xml",
            "junit",
        ),
        Runner::Jest => ("npx jest --json --outputFile={{out}}/jest.json", "jest"),
        Runner::Mocha => (
            "npx mocha --reporter xunit --reporter-option output={{out}}/junit.xml",
            "junit",
        ),
        Runner::NodeTest => (
            "node --test --test-reporter=junit --test-reporter-destination={{out}}/junit.xml",
            "junit",
        ),
        Runner::CargoTest | Runner::Nextest => ("cargo test --no-fail-fast", "libtest"),
        Runner::GoTest => ("go test -json ./...", "go"),
        Runner::Maven => ("mvn test -Dsurefire.reportsDirectory={{out}}", "junit"),
        Runner::Gradle => (
            "bash -c './gradlew test; s=$?; cp -r build/test-results/test/*.xml {{out}}; exit $s'",
            "junit",
        ),
        Runner::Other => return format!("have one of your checks write a report, and say `parse`: {PAGE}"),
    };
    told(&name, words)
}

/// How the runner of this project tells which lines its tests reach.
pub(super) fn of_lines(context: &Context<'_>) -> String {
    let any = |_: &Execution| true;
    let runner = known(context, &any).map_or_else(|| project(context), |(_, runner)| runner);
    let run = match runner {
        Runner::Pytest | Runner::Unittest => "pytest --cov --cov-report=lcov:{{out}}/lcov.info",
        Runner::Vitest => "npx vitest run --coverage --coverage.reporter=lcovonly --coverage.reportsDirectory={{out}}",
        Runner::Jest => "npx jest --coverage --coverageReporters=lcovonly --coverageDirectory={{out}}",
        Runner::Mocha => "npx c8 --reporter=lcovonly --reports-dir={{out}} npx mocha",
        Runner::NodeTest => {
            "node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination={{out}}/lcov.info"
        }
        Runner::CargoTest | Runner::Nextest => "cargo llvm-cov --lcov --output-path {{out}}/lcov.info",
        Runner::GoTest | Runner::Maven | Runner::Gradle | Runner::Other => {
            return format!("have a check write lcov into `{OUT}`, and say `parse = \"lcov\"`: {PAGE}");
        }
    };
    told("coverage", (run, "lcov"))
}

fn told(name: &str, (run, parse): (&str, &str)) -> String {
    format!("put into trueup.toml: [checks.{name}] with run = \"{run}\" and parse = \"{parse}\"")
}

/// The first of these checks whose runner is known by its words, or by the
/// script that they name.
fn known(context: &Context<'_>, fits: &dyn Fn(&Execution) -> bool) -> Option<(String, Runner)> {
    let mut all = context.definitions.iter().filter(|(_, execution)| fits(execution));
    all.find_map(
        |(name, execution)| match rules::kind(name, execution.parse, &execution.argv, context.files) {
            Kind::Tests(Runner::Other) | Kind::Lint | Kind::Types | Kind::Build | Kind::Coverage(_) | Kind::Plain => {
                None
            }
            Kind::Tests(runner) => Some((name.clone(), runner)),
        },
    )
}

/// The runner that the files of the project speak of.
fn project(context: &Context<'_>) -> Runner {
    let is_there = |name: &&str| (context.files)(name).is_some();
    let by_file = [
        ("Cargo.toml", Runner::CargoTest),
        ("go.mod", Runner::GoTest),
        ("pyproject.toml", Runner::Pytest),
        ("setup.py", Runner::Pytest),
        ("requirements.txt", Runner::Pytest),
        ("pom.xml", Runner::Maven),
        ("build.gradle", Runner::Gradle),
    ];
    let script = ["npm", "test"].map(str::to_owned);
    let by_script = rules::runner(&script, context.files).filter(|_| is_there(&"package.json"));
    let found = by_script.filter(|runner| *runner != Runner::Other);
    let by_file = || {
        by_file
            .iter()
            .find(|(name, _)| is_there(name))
            .map(|(_, runner)| *runner)
    };
    match (found, by_script) {
        (Some(runner), _) => runner,
        // A package whose script says little is no project of another language.
        (None, Some(_)) => Runner::Other,
        (None, None) => by_file().unwrap_or(Runner::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::{of_lines, of_tests};
    use crate::check_line::Context;
    use std::collections::BTreeMap;
    use trueup_core::criterion::{Execution, Network};

    /// What is told in a project with this check and this file.
    fn told(run: &str, file: (&str, &str)) -> [String; 2] {
        let argv: Vec<String> = run.split(' ').map(str::to_owned).collect();
        let all = [("test".to_owned(), Execution::new(argv, 7, Network::Off))];
        let definitions: BTreeMap<String, Execution> = all.into_iter().filter(|_| !run.is_empty()).collect();
        let context = Context {
            definitions: &definitions,
            files: &|path| (path == file.0).then(|| file.1.as_bytes().to_vec()),
            ..Context::bare(1000)
        };
        [of_tests(&context), of_lines(&context)]
    }

    #[test]
    fn a_report_is_advised_for_the_runner_that_the_check_calls() {
        let scripts = |script: &str| format!("{{\"scripts\": {{\"test\": \"{script}\"}}}}");
        for (run, file, report, lines) in [
            (
                "npm test",
                scripts("vitest run"),
                "[checks.test] with run = \"npx vitest",
                "npx vitest",
            ),
            ("npm test", scripts("tsc && vitest run"), "npx vitest", "npx vitest"),
            ("npm test", scripts("jest --ci"), "npx jest --json", "npx jest"),
            (
                "npm test",
                scripts("node --test"),
                "node --test",
                "--test-reporter=lcov",
            ),
            ("npm run test", scripts("mocha"), "npx mocha", "npx c8"),
            (
                "make test",
                scripts("vitest run"),
                "[checks.tests] with run = \"npx vitest",
                "npx vitest",
            ),
            ("", scripts("jest"), "npx jest", "npx jest"),
        ] {
            let [told_report, told_lines] = told(run, ("package.json", &file));
            assert!(told_report.contains(report), "{run}: {told_report}");
            assert!(told_lines.contains(lines), "{run}: {told_lines}");
        }
        for (run, file, report) in [
            ("cargo test", "Cargo.toml", "libtest"),
            ("make test", "Cargo.toml", "cargo test"),
            ("go test ./...", "go.mod", "go test -json"),
            ("make test", "pyproject.toml", "pytest --junitxml"),
        ] {
            let [told_report, _] = told(run, (file, ""));
            assert!(told_report.contains(report), "{run}: {told_report}");
        }
    }

    #[test]
    fn where_no_runner_is_known_the_page_that_lists_them_is_named_and_none_is_guessed() {
        for (run, file) in [
            ("bats test", ("test/a.bats", "")),
            ("npm test", ("package.json", "{\"scripts\": {\"test\": \"ava\"}}")),
            ("", ("README.md", "")),
        ] {
            for told in told(run, file) {
                assert!(told.contains("docs/configuration.md"), "{told}");
                assert!(!told.contains("pytest"), "{told}");
            }
        }
    }
}
