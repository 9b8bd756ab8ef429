//! The one line of what a red check printed that tells most of why. It is shown
//! to a person at once; nothing is decided by it.

/// How many of the last lines are looked at.
const LOOKED_AT: usize = 400;

/// Where an assertion or an exception is named: by pytest, by runners of
/// JavaScript, by Rust's panics and compilers, by Go and by shells.
const NAMES_FAULT: [&str; 16] = [
    "E   ",
    "AssertionError",
    "ModuleNotFoundError",
    "ImportError",
    "SyntaxError",
    "TypeError",
    "ReferenceError",
    "Error: ",
    "ERROR: ",
    "error: ",
    "error[E",
    "error TS",
    "panic: ",
    "assertion ",
    "expected ",
    "npm error ",
];

/// How a line says that something stands at a place in a file.
const AT_PLACE: [&str; 5] = [".py:", ".go:", ".ts:", ".js:", ".rs:"];

/// The line that tells most; nothing where none was printed.
pub fn line(printed: &str) -> Option<&str> {
    let lines: Vec<&str> = printed.lines().filter(|line| is_said(line)).collect();
    let from = lines.len().saturating_sub(LOOKED_AT);
    let lines = lines.get(from..).unwrap_or_default();
    let panic = || {
        let at = lines
            .iter()
            .position(|line| line.contains("' panicked at ") || line.contains(") panicked at "))?;
        lines.get(at + 1).copied()
    };
    let named = || lines.iter().copied().find(|line| names_fault(line));
    let placed = || lines.iter().copied().find(|line| stands_at_place(line));
    let last = || lines.last().copied();
    let told = panic().or_else(named).or_else(placed).or_else(last)?;
    Some(without_mark(told))
}

/// Whether a line says anything: rules and blank lines do not.
fn is_said(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

fn names_fault(line: &str) -> bool {
    let line = from_its_words(line);
    NAMES_FAULT.iter().any(|word| line.starts_with(word))
}

/// Where the words of a line begin.
fn from_its_words(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '→', '×', '✗', '❯'])
}

/// Whether a line begins with a place in a file and says something of it.
fn stands_at_place(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_place = AT_PLACE.iter().any(|end| {
        let number = first.split_once(end).map(|(_, number)| number);
        number.is_some_and(|number| number.starts_with(|letter: char| letter.is_ascii_digit()))
    });
    is_place && line.split_whitespace().nth(1).is_some()
}

/// Without the mark that pytest puts before what went wrong.
fn without_mark(line: &str) -> &str {
    let line = from_its_words(line).trim_end();
    line.strip_prefix("E   ").map_or(line, str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn what_pytest_asserts_is_told_and_not_its_summary() {
        let printed = "def test_discount():\n>       assert total(10) == 9\nE       assert 10 == 9\n\
                       test_cart.py:4: AssertionError\n=== 1 failed in 0.02s ===\n";
        assert_eq!(line(printed), Some("assert 10 == 9"));
    }

    #[test]
    fn a_file_that_is_not_there_is_told() {
        let printed = "ERROR: file or directory not found: tests/test_discount.py\n\nno tests ran in 0.00s\n";
        assert_eq!(
            line(printed),
            Some("ERROR: file or directory not found: tests/test_discount.py")
        );
    }

    #[test]
    fn of_a_panic_what_it_says_is_told_and_not_where_it_was() {
        let printed = "thread 'greets' panicked at src/lib.rs:7:9:\nassertion `left == right` failed\n  left: 1\n";
        assert_eq!(line(printed), Some("assertion `left == right` failed"));
        let newer = "thread 'greets' (42) panicked at src/lib.rs:7:9:\nnobody was greeted\nnote: run with\n";
        assert_eq!(line(newer), Some("nobody was greeted"));
    }

    #[test]
    fn compilers_and_runners_are_understood() {
        let all = [
            (
                "error[E0425]: cannot find function `greet`\n --> src/lib.rs:1:1\n",
                "error[E0425]: cannot find function `greet`",
            ),
            (
                "# greet\n./greet_test.go:6:12: undefined: Greet\nFAIL\tgreet [build failed]\n",
                "./greet_test.go:6:12: undefined: Greet",
            ),
            (
                "--- FAIL: TestGreet (0.00s)\n    greet_test.go:7: got \"\", want \"Hello\"\nFAIL\nexit status 1\n",
                "greet_test.go:7: got \"\", want \"Hello\"",
            ),
            (
                " FAIL  greet.test.ts > greets\nAssertionError: expected 'a' to be 'b'\n ❯ greet.test.ts:5:17\n",
                "AssertionError: expected 'a' to be 'b'",
            ),
            (
                "src/a.ts(3,7): error TS2322: not assignable\n",
                "src/a.ts(3,7): error TS2322: not assignable",
            ),
        ];
        for (printed, told) in all {
            assert_eq!(line(printed), Some(told));
        }
    }

    #[test]
    fn where_nothing_is_known_the_last_words_are_told() {
        assert_eq!(line("looked\nnobody is there\n-----\n\n"), Some("nobody is there"));
        assert_eq!(line("\n \n"), None);
    }
}
