//! Something that a linter, a type checker or a compiler refuses.

use trueup_core::kind::Kind;

use super::Language;
use super::edit::ended;

/// What a fault is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultLanguage {
    /// A language whose functions can be found.
    Known(Language),
    /// C or C++. Its functions are not found, but its compilers refuse.
    Native,
}

impl FaultLanguage {
    /// What a fault in a file is written in, if one can be laid there. A header
    /// is compiled only where another file asks for it.
    pub fn of(path: &str) -> Option<Self> {
        let native = ["c", "cc", "cpp", "cxx", "c++"];
        let ending = path.rsplit('/').next()?.rsplit_once('.').map(|(_, ending)| ending);
        match Language::of(path) {
            Some(language) => Some(Self::Known(language)),
            None => native.contains(&ending?).then_some(Self::Native),
        }
    }
}

/// The source with something at its end that every tool of the kind refuses;
/// nothing if the kind is no such tool's or the language is not known. It is
/// called `trueup_violation`, where the tool tells names.
pub fn violation(path: &str, source: &str, kind: Kind) -> Option<String> {
    let line = match (kind, FaultLanguage::of(path)?) {
        (Kind::Tests(_) | Kind::Coverage(_) | Kind::Plain, _) => return None,
        // No compiler takes it, and what only looks at the form would put it otherwise.
        (Kind::Lint, FaultLanguage::Native) => "  int   trueup_violation= =1 ;",
        (Kind::Types | Kind::Build, FaultLanguage::Native) => "char trueup_violation[-1];",
        // What is no code at all is refused whichever rules are switched on.
        (Kind::Lint, FaultLanguage::Known(language)) => broken(language),
        // Types are checked where code is otherwise right.
        (Kind::Types, FaultLanguage::Known(language)) => mistyped(language),
        (Kind::Build, FaultLanguage::Known(language)) => match language {
            Language::Rust | Language::Go => mistyped(language),
            // Their builds strip types without looking at them.
            Language::Python | Language::JavaScript | Language::TypeScript | Language::Tsx => broken(language),
        },
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
