//! What kind a named check is of.

use crate::{tree, words};
use trueup_core::kind::{Format, Kind, Runner};
use trueup_inspect::rules::kind;

#[test]
fn the_name_comes_before_the_report_and_the_report_before_the_program() {
    let rows: &[(&str, Option<Format>, &str, Kind)] = &[
        ("test", None, "vitest run", Kind::Tests(Runner::Vitest)),
        ("tests", None, "./check.bin", Kind::Tests(Runner::Other)),
        ("lint", None, "vitest run", Kind::Lint),
        ("types", None, "./x", Kind::Types),
        ("typecheck", None, "./x", Kind::Types),
        ("build", None, "./x", Kind::Build),
        (
            "coverage",
            None,
            "cargo llvm-cov nextest",
            Kind::Coverage(Runner::Nextest),
        ),
        ("api", Some(Format::Junit), "./x", Kind::Tests(Runner::Other)),
        ("api", Some(Format::Jest), "npx jest", Kind::Tests(Runner::Jest)),
        ("api", Some(Format::Go), "go test ./...", Kind::Tests(Runner::GoTest)),
        (
            "api",
            Some(Format::Lcov),
            "pytest --cov",
            Kind::Coverage(Runner::Pytest),
        ),
        ("api", Some(Format::Sarif), "./x", Kind::Lint),
        ("api", Some(Format::Eslint), "./x", Kind::Lint),
        ("api", Some(Format::Cargo), "cargo clippy", Kind::Build),
        ("api", None, "pytest", Kind::Tests(Runner::Pytest)),
        ("style", None, "npx eslint .", Kind::Lint),
        ("style", None, "uv run ruff check .", Kind::Lint),
        ("style", None, "cargo clippy -- -D warnings", Kind::Lint),
        ("style", None, "python -m flake8", Kind::Lint),
        ("style", None, "biome ci", Kind::Lint),
        ("style", None, "golangci-lint run", Kind::Lint),
        ("style", None, "npm run style", Kind::Lint),
        ("static", None, "npx tsc --noEmit", Kind::Types),
        ("static", None, "mypy src", Kind::Types),
        ("static", None, "pyright", Kind::Types),
        ("compiles", None, "cargo check", Kind::Build),
        ("compiles", None, "cargo test --no-run", Kind::Build),
        ("compiles", None, "go vet ./...", Kind::Build),
        ("compiles", None, "go build ./...", Kind::Build),
        ("smoke", None, "curl localhost", Kind::Plain),
        ("smoke", None, "make smoke", Kind::Plain),
    ];
    let tree = tree(&[("package.json", r#"{"scripts": {"style": "eslint src"}}"#)]);
    for (name, parse, line, wanted) in rows {
        assert_eq!(kind(name, *parse, &words(line), &tree), *wanted, "{name}: {line}");
    }
}
