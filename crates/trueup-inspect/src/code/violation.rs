//! Something that a linter, a type checker or a compiler refuses.

use trueup_core::kind::Kind;

use super::Language;
use super::edit::ended;

/// The source with something at its end that every tool of the kind refuses;
/// nothing if the kind is no such tool's or the language is not known. It is
/// called `trueup_violation`, where the tool tells names.
pub fn violation(path: &str, source: &str, kind: Kind) -> Option<String> {
    let language = Language::of(path)?;
    let line = match kind {
        // What is no code at all is refused whichever rules are switched on.
        Kind::Lint => broken(language),
        // Types are checked where code is otherwise right.
        Kind::Types => mistyped(language),
        Kind::Build => match language {
            Language::Rust | Language::Go => mistyped(language),
            // Their builds strip types without looking at them.
            Language::Python | Language::JavaScript | Language::TypeScript | Language::Tsx => broken(language),
        },
        Kind::Tests(_) | Kind::Coverage(_) | Kind::Plain => return None,
    };
    Some(format!("{}\n{line}\n", ended(source)))
}

const fn broken(language: Language) -> &'static str {
    match language {
        Language::Python => "def trueup_violation(:",
        Language::JavaScript | Language::TypeScript | Language::Tsx => "const trueup_violation = = 1;",
        Language::Rust => "const trueup_violation: = = 1;",
        Language::Go => "var trueup_violation = = 1",
    }
}

const fn mistyped(language: Language) -> &'static str {
    match language {
        Language::Python => "trueup_violation: int = \"trueup_violation\"",
        // Plain JavaScript has no types that every checker knows of.
        Language::JavaScript => "const trueup_violation = = 1;",
        Language::TypeScript | Language::Tsx => "export const trueup_violation: number = \"trueup_violation\";",
        Language::Rust => "const _: u8 = \"trueup_violation\";",
        Language::Go => "var _ int = \"trueup_violation\"",
    }
}
