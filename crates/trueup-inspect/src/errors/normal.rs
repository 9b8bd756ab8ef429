//! A line of an error without what changes from one time to the next.

use regex::Regex;
use std::sync::LazyLock;

/// What is taken out of a line, in this order, and what is put there.
const CHANGING: [(&str, &str); 20] = [
    // Dates and times, as logs and names of log files spell them.
    (
        r"\d{4}[-/]\d{2}[-/]\d{2}(?:[T _]\d{2}[:_]\d{2}(?:[:_]\d{2}(?:[.,_]\d+)?)?)?(?: ?Z| ?[+-]\d{2}:?\d{2})?",
        "",
    ),
    (r"\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AP]M)?", ""),
    (
        r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,4}\b(?:,? \d{4}\b)?",
        "",
    ),
    // How long something took.
    (r"\b(?:\d+[hm])+\d+(?:\.\d+)?s\b", ""),
    (
        r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|hours?)\b",
        "",
    ),
    // Names that are made up anew each time.
    (
        r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
        "",
    ),
    (r"(?i)\b0x[0-9a-f]+\b\??", ""),
    (r"\.\.\.[0-9a-f]{4,}\b", "..."),
    (r"\b\d{10,}\b", ""),
    (
        r"(?i)\b(pid|process|thread|goroutine|worker|port)([ =:#]{1,2})\d+\b",
        "$1",
    ),
    (r"(thread '[^']*') \(\d+\)", "$1"),
    (r"\b(\d{1,3}(?:\.\d{1,3}){3}|localhost):\d+\b", "$1"),
    // Folders; the name of the file stays.
    (
        r"(?:file://)?(?:\b[A-Za-z]:)?[\w.@~+-]*(?:[/\\][\w.@~+-]+)*[/\\]([\w.@~+-])",
        "$1",
    ),
    (r"\.?\btmp[._-]?[A-Za-z0-9_]{6,}\b", "tmp"),
    (r"\b(go-build|pytest-|Test\w*?)\d{3,}\b", "$1"),
    // Where in a file it stands.
    (
        r"\b(\w[\w-]*\.[A-Za-z]\w*|[Mm]akefile|[Jj]ustfile|Dockerfile)(?::\d+)+\b",
        "$1",
    ),
    (r"(\.[A-Za-z]\w*)\(\d+,\d+\):", "$1:"),
    (r"(?i),? ?\b(?:at )?(?:on )?(?:lines?|col(?:umn)?|offset)[ :]+\d+\b", ""),
    (r"^\s*\d+:\d+\s", ""),
    (r"^not ok \d+", "not ok"),
];

/// Words of hexadecimal digits that are longer than a word or a number of people.
const HEXADECIMAL: &str = r"\b[0-9a-f]{8,}\b";

static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let compiled = CHANGING
        .iter()
        .filter_map(|(find, put)| Some((Regex::new(find).ok()?, *put)));
    compiled.collect()
});

static WORD_OF_DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HEXADECIMAL).ok());

/// The line without what changes from one time to the next, its words set
/// apart by one space.
pub(super) fn normal(line: &str) -> String {
    let mut text = line.to_owned();
    for (find, put) in RULES.iter() {
        text = find.replace_all(&text, *put).into_owned();
    }
    if let Some(word) = WORD_OF_DIGITS.as_ref() {
        let has_both = |word: &str| {
            word.bytes().any(|byte| byte.is_ascii_digit()) && word.bytes().any(|byte| byte.is_ascii_lowercase())
        };
        text = word
            .replace_all(&text, |found: &regex::Captures<'_>| {
                let word = found.get(0).map_or("", |found| found.as_str());
                if has_both(word) { String::new() } else { word.to_owned() }
            })
            .into_owned();
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{CHANGING, RULES, WORD_OF_DIGITS, normal};

    #[test]
    fn every_expression_is_one() {
        assert_eq!(RULES.len(), CHANGING.len());
        assert!(WORD_OF_DIGITS.is_some());
    }

    #[test]
    fn what_changes_from_one_time_to_the_next_is_left_out_and_names_stay() {
        for (line, left) in [
            ("2026-11-19T14:24:34.123677+00:00 error: x", "error: x"),
            ("error at Thu, 19 Nov 2026 14:20:40: x", "error at : x"),
            (
                "npm error in /home/a/.npm/_logs/2026-11-19T14_24_34_123Z-debug-0.log",
                "npm error in -debug-0.log",
            ),
            ("✗ adds (6 ms)", "✗ adds ()"),
            ("FAIL shop 0.003s", "FAIL shop"),
            (
                "/srv/one/shop/tests/test_a.py:12: AssertionError",
                "test_a.py: AssertionError",
            ),
            ("./tests/test_a.py:9: AssertionError", "test_a.py: AssertionError"),
            ("src/typed.ts(8,7): error TS2322: no", "typed.ts: error TS2322: no"),
            ("typed.ts:8:7 - error TS2322: no", "typed.ts - error TS2322: no"),
            ("  8:7  error  'a' is never used", "error 'a' is never used"),
            ("File \"/a/b/main.py\", line 9, in total", "File \"main.py\", in total"),
            ("object at 0x7f15a1f17590>", "object at >"),
            ("<Cart o...7fdc1d8a4510> is", "<Cart o...> is"),
            (
                "thread 'adds' (27578) panicked at src/lib.rs:8:21:",
                "thread 'adds' panicked at lib.rs:",
            ),
            ("id 6f1c2f0e-94a5-4d6c-8f0a-6a2f4c9b1d11 is gone", "id is gone"),
            ("target/debug/deps/add-e4cff7205a3ff52f", "add-"),
            (
                "no such file: '/tmp/tmpk3j2h1a_/prices.csv'",
                "no such file: 'prices.csv'",
            ),
            ("no such folder: /tmp/tmpk3j2h1a_", "no such folder: tmp"),
            (
                "dial tcp 127.0.0.1:54321: connection refused",
                "dial tcp 127.0.0.1: connection refused",
            ),
            ("C:\\work\\shop\\main.py:3: error", "main.py: error"),
            ("not ok 17 - adds", "not ok - adds"),
            (
                "make: *** [Makefile:2: test] Error 127",
                "make: *** [Makefile: test] Error 127",
            ),
        ] {
            assert_eq!(normal(line), left, "{line}");
        }
        for same in [
            "assert 3 == 4",
            "expected -1 to be 3 // Object.is equality",
            "deadbeef is beef",
            "decade 2020",
        ] {
            assert_eq!(normal(same), same);
        }
    }
}
