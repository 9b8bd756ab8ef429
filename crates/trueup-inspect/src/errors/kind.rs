//! Which kind of error a red check tells of.

use super::{
    lines::{ErrorLines, plain},
    reported,
};
use regex::{Regex, RegexSet};
use std::sync::LazyLock;
use trueup_core::approach::ErrorKind;

/// A place before a message: `src/a.py:3:4: `, `a.ts(3,7): `, `vet: `.
const PLACE: &str = r"^(?:vet: )?\S*\.\w+(?::\d+)+:? (?:- )?|^\S+\.\w+\(\d+,\d+\): ";

/// What compares a value with what a test expects.
const TEST: &[&str] = &[
    r"^(?:Caused by: )?(?:[\w.]+\.)?(?:AssertionError|AssertionFailedError|ComparisonFailure|Failed)\b(?::|$| \[)",
    r"^assert(?:ion)?\b",
    r"^Expected: |^Received: |^left: |^right: ",
    r"^expected .+ to ",
    r"^expect\(",
    r"^\S+_test\.go:\d+: ",
];

/// What names a test that failed, for whatever reason.
const FAILED: &[&str] = &[
    r"^FAILED \S+::",
    r"^--- FAIL: ",
    r"^FAIL(?::|\s|$)",
    r"^test .+ \.\.\. FAILED$",
    r"^not ok \d+",
    r"^[✗✕×✖●] ",
    r"^thread '.+ panicked at ",
];

const SYNTAX: &[&str] = &[
    r"^(?:Uncaught )?(?:[\w.]+\.)?(?:Syntax|Indentation|Tab)Error\b",
    r"^(?:E999|E902)\b",
    r"\binvalid-syntax\b",
    r"^error: (?:expected (?:one of|identifier|expression|item|pattern|type|`|'|;)|unexpected (?:token|closing|end)|mismatched closing|this file contains an un|unclosed |unterminated |unknown start of token|cannot format )",
    r"error TS1\d{3}:",
    r"^syntax error\b|: syntax error\b|^missing '|^expected (?:'|declaration|operand|statement|expression)",
    r"\bParsing error:|^error +Parsing error|Transform failed with",
];

const IMPORT: &[&str] = &[
    r"^(?:[\w.]+\.)?(?:ModuleNotFoundError|ImportError|NameError|ReferenceError|ClassNotFoundException|NoClassDefFoundError)\b",
    r"\bNo module named \S",
    r"^(?:Caused by: )?(?:Error(?: \[\w+\])?: )?(?:Cannot find (?:module|package) |Failed to (?:resolve import|load url) )",
    r"does not provide an export",
    r"error TS(?:2304|2305|2307|2552|2614|2724|7016):",
    r"^error\[E(?:0405|0412|0422|0423|0425|0432|0433|0463|0583)\]",
    r"^undefined: |no required module provides package|^cannot find (?:package|module)|is not in (?:GOROOT|std)\b",
    r"^error: (?:no matching package|package \S+ does not exist|cannot find symbol)|cannot find symbol$",
    r"Could not find a version that satisfies",
    r"^fatal error: \S+: No such file",
    r"\[import-(?:not-found|untyped)\]$",
    r"^AttributeError: (?:partially initialized )?module '",
];

const TIMEOUT: &[&str] = &[
    r"^panic: test timed out after ",
    r"^(?:Error: )?Test timed out in \d",
    r"Exceeded timeout of \d+ ?ms for a (?:test|hook)",
    r"^(?:Error: )?Timeout of \d+ ?ms exceeded",
    r"^(?:[\w.]+\.)?(?:TimeoutError|TimeoutExpired|Timeout|ReadTimeout)\b(?::|$| )",
    r"^Failed: Timeout ",
    r"^(?:error: )?(?:rpc error: .*)?context deadline exceeded",
    r"^TIMEOUT \[",
];

const ENVIRONMENT: &[&str] = &[
    r": (?:command )?not found$",
    r"^(?:env|make(?:\[\d+\])?): .+: No such file or directory$|\] Error 127$",
    r": Permission denied$|^PermissionError\b",
    r"\b(?:EACCES|EPERM|ENOSPC|EMFILE|ECONNREFUSED|EADDRINUSE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b",
    r"No space left on device|Too many open files|Cannot allocate memory|Address already in use|address already in use",
    r"^(?:MemoryError|Killed|ConnectionRefusedError)\b",
    r"(?i)\bconnection refused\b|Could not resolve host|Temporary failure in name resolution|^curl: \(",
    r"^error: (?:no such command|linker `|toolchain ')|error while loading shared libraries",
    r"Cannot connect to the Docker daemon|Unsupported engine|requires a different Python|(?i)out of memory",
];

const TYPE: &[&str] = &[
    r"error TS\d{4}:",
    r"^error\[E\d{4}\]",
    r"^(?:error: )?.*\[(?:return-value|arg-type|assignment|attr-defined|union-attr|call-arg|index|operator|type-arg|override|misc|call-overload|no-redef)\]$",
    r"\(report[A-Z]\w+\)$",
    r"^(?:Uncaught )?(?:TypeError|AttributeError|KeyError|IndexError|ValueError|RangeError|ZeroDivisionError|UnboundLocalError|RecursionError|NotImplementedError)\b",
    r"(?:NullPointerException|ClassCastException|IndexOutOfBoundsException)\b",
    r"^cannot use |has no field or method|^(?:not enough|too many) arguments in|mismatched types|^invalid operation: |^panic: (?:runtime error|assignment to entry in nil map|interface conversion)",
    r"^error: (?:incompatible types|no matching function|cannot convert|invalid conversion)",
    r"^(?:called `(?:Option|Result)::|index out of bounds|attempt to )",
];

const LINT: &[&str] = &[
    r"^\d+:\d+ +error ",
    r"^[A-Z]{1,6}\d{1,5}:? ",
    r"^would reformat |^Diff in ",
    r"declared (?:and|but) not used|imported (?:and|but) not used",
    r"^error: .* --> ",
    r"\[(?:pylint|golint|errcheck|staticcheck|revive|unused)\]$|\((?:golint|errcheck|staticcheck|revive|unused|gosimple)\)$",
];

static PLACES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PLACE).ok());
static FORMS: LazyLock<Option<Forms>> = LazyLock::new(Forms::compiled);

/// The forms of lines, by kind.
struct Forms {
    test: RegexSet,
    failed: RegexSet,
    syntax: RegexSet,
    import: RegexSet,
    timeout: RegexSet,
    environment: RegexSet,
    of_type: RegexSet,
    lint: RegexSet,
}

impl Forms {
    fn compiled() -> Option<Self> {
        Some(Self {
            test: RegexSet::new(TEST).ok()?,
            failed: RegexSet::new(FAILED).ok()?,
            syntax: RegexSet::new(SYNTAX).ok()?,
            import: RegexSet::new(IMPORT).ok()?,
            timeout: RegexSet::new(TIMEOUT).ok()?,
            environment: RegexSet::new(ENVIRONMENT).ok()?,
            of_type: RegexSet::new(TYPE).ok()?,
            lint: RegexSet::new(LINT).ok()?,
        })
    }
}

/// How many lines are of each kind.
#[derive(Default)]
struct Counted {
    /// Those that name a test that failed.
    failed: usize,
    test: usize,
    syntax: usize,
    import: usize,
    timeout: usize,
    environment: usize,
    of_type: usize,
    lint: usize,
}

impl Counted {
    fn take(&mut self, line: &str, forms: &Forms) {
        let place = PLACES.as_ref().and_then(|place| place.find(line));
        let said = place.and_then(|place| line.get(place.end()..)).unwrap_or(line);
        let is = |set: &RegexSet| set.is_match(said) || set.is_match(line);
        // A comparison may quote any other error, so it comes early; pytest says
        // of a time that ran out that the test failed. A name of a test says
        // least, so it comes last.
        let kinds = [
            (&forms.timeout, &mut self.timeout),
            (&forms.test, &mut self.test),
            (&forms.syntax, &mut self.syntax),
            (&forms.import, &mut self.import),
            (&forms.environment, &mut self.environment),
            (&forms.of_type, &mut self.of_type),
            (&forms.lint, &mut self.lint),
            (&forms.failed, &mut self.failed),
        ];
        if let Some((_, count)) = kinds.into_iter().find(|(set, _)| is(set)) {
            *count += 1;
        }
    }

    /// Whether tests ran, and one of them failed.
    const fn has_tests(&self) -> bool {
        self.test > 0 || self.failed > 0
    }

    /// What stands in the way of everything else comes first; then what is
    /// told most often.
    fn kind(&self) -> Option<ErrorKind> {
        if self.syntax > 0 {
            return Some(ErrorKind::Syntax);
        }
        if self.import > 0 {
            return Some(ErrorKind::Import);
        }
        if self.environment > 0 && self.test == 0 {
            return Some(ErrorKind::Environment);
        }
        let often = [
            (self.test, ErrorKind::Test),
            (self.of_type, ErrorKind::Type),
            (self.timeout, ErrorKind::Timeout),
            (self.lint, ErrorKind::Lint),
        ];
        let most = often.into_iter().rev().max_by_key(|(count, _)| *count);
        let told = most.filter(|(count, _)| *count > 0).map(|(_, kind)| kind);
        told.or_else(|| self.has_tests().then_some(ErrorKind::Test))
    }
}

/// The kind of the error that a red check printed to its two streams; nothing
/// where no line tells of an error.
///
/// Holes, secrets and loss of data are taken only from the reports of tools
/// that look for them, and only where no test failed: a test may print any
/// report, and its failing is ordinary.
pub fn kind(printed: [&[u8]; 2]) -> Option<ErrorKind> {
    let forms = FORMS.as_ref()?;
    let lines = ErrorLines::of(printed);
    let mut counted = Counted::default();
    for line in lines.said.iter().chain(&lines.summed_up) {
        counted.take(line, forms);
    }
    if !counted.has_tests() {
        let texts = printed.map(plain);
        if let Some(reported) = reported::of(&texts) {
            return Some(reported);
        }
    }
    counted
        .kind()
        .or_else(|| (!lines.is_empty()).then_some(ErrorKind::Unknown))
}

#[cfg(test)]
mod tests {
    use super::{FORMS, PLACES};

    #[test]
    fn every_expression_is_one() {
        assert!(FORMS.is_some() && PLACES.is_some());
    }
}
