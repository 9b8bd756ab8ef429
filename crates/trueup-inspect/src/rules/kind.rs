//! What kind a named check is of.

use super::{
    Files,
    calls::{Call, calls},
    runner::among,
};
use trueup_core::kind::{Format, Kind, ReportContents, Runner};

/// Programs whose kind their name and first word tell; an empty word is any.
const PROGRAMS: [(&str, &str, Kind); 38] = [
    ("eslint", "", Kind::Lint),
    ("ruff", "check", Kind::Lint),
    ("ruff", "format", Kind::Lint),
    ("flake8", "", Kind::Lint),
    ("pylint", "", Kind::Lint),
    ("pycodestyle", "", Kind::Lint),
    ("black", "", Kind::Lint),
    ("isort", "", Kind::Lint),
    ("bandit", "", Kind::Lint),
    ("biome", "", Kind::Lint),
    ("oxlint", "", Kind::Lint),
    ("standard", "", Kind::Lint),
    ("xo", "", Kind::Lint),
    ("prettier", "", Kind::Lint),
    ("stylelint", "", Kind::Lint),
    ("golangci-lint", "", Kind::Lint),
    ("staticcheck", "", Kind::Lint),
    ("shellcheck", "", Kind::Lint),
    ("cargo", "clippy", Kind::Lint),
    ("cargo", "fmt", Kind::Lint),
    ("next", "lint", Kind::Lint),
    ("tsc", "", Kind::Types),
    ("vue-tsc", "", Kind::Types),
    ("mypy", "", Kind::Types),
    ("pyright", "", Kind::Types),
    ("basedpyright", "", Kind::Types),
    ("pyre", "", Kind::Types),
    ("ty", "check", Kind::Types),
    ("svelte-check", "", Kind::Types),
    ("cargo", "build", Kind::Build),
    ("cargo", "check", Kind::Build),
    ("cargo", "test", Kind::Build),
    ("go", "build", Kind::Build),
    ("go", "vet", Kind::Build),
    ("mvn", "", Kind::Build),
    ("mvnw", "", Kind::Build),
    ("gradle", "", Kind::Build),
    ("gradlew", "", Kind::Build),
];

/// The kind of a check: by its name, else by the report it writes, else by
/// the programs it calls in the end.
pub fn kind(name: &str, parse: Option<Format>, argv: &[String], files: Files<'_>) -> Kind {
    let calls = calls(argv, files);
    let runner = among(&calls, files);
    let or_other = runner.unwrap_or(Runner::Other);
    let by_report = |format: Format| match (format, format.tells()) {
        (Format::Cargo, _) => Kind::Build,
        (_, ReportContents::Tests) => Kind::Tests(or_other),
        (_, ReportContents::Lines) => Kind::Coverage(or_other),
        (_, ReportContents::Findings) => Kind::Lint,
    };
    match (name, parse, runner) {
        ("test" | "tests", ..) => Kind::Tests(or_other),
        ("lint", ..) => Kind::Lint,
        ("types" | "typecheck", ..) => Kind::Types,
        ("build", ..) => Kind::Build,
        ("coverage", ..) => Kind::Coverage(or_other),
        (_, Some(format), _) => by_report(format),
        (_, None, Some(runner)) => Kind::Tests(runner),
        (_, None, None) => calls.iter().find_map(by_program).unwrap_or_default(),
    }
}

fn by_program(call: &Call) -> Option<Kind> {
    let fits = |(program, verb, _): &&(&str, &str, Kind)| {
        *program == call.program() && (verb.is_empty() || *verb == call.verb())
    };
    PROGRAMS.iter().find(fits).map(|(.., kind)| *kind)
}
