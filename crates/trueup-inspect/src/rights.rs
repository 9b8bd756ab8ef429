//! What of a changed file may stay in a phase that may change tests alone, or
//! everything but tests.

use crate::code::{Language, Touched, is_test_path, items, touched, with_tests_of};
use trueup_core::phase::Rights;

/// What becomes of a file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileRuling {
    /// It stays as it is.
    Stays,
    /// It becomes this: what the phase may change is as it was left, and the
    /// rest as it was before.
    Partly(String),
    /// It becomes what it was before, or goes if it was not there.
    GoesBack,
}

/// What becomes of a file that differs from what it was when the phase began.
/// A side without a text is absent, or no text. What is neither test nor
/// readable as one is no test, so a phase of tests leaves nothing of it.
pub fn rule(rights: Rights, path: &str, before: Option<&str>, after: Option<&str>) -> FileRuling {
    if !offends(rights, of_change(rights, path, before, after)) {
        return FileRuling::Stays;
    }
    let mixed = match rights {
        Rights::All => None,
        Rights::Tests => with_tests_of(path, before, after),
        Rights::Code => with_tests_of(path, after, before),
    };
    match mixed {
        // What was mixed is judged like anything else: the next turn begins
        // with it, and must find nothing to put back.
        Some(text) if is_a_lawful_change(rights, path, before, &text) => FileRuling::Partly(text),
        Some(_) | None => FileRuling::GoesBack,
    }
}

/// What a change touches. Where no text tells, the path does.
fn of_change(rights: Rights, path: &str, before: Option<&str>, after: Option<&str>) -> Touched {
    let by_path = match is_test_path(path) {
        true => Touched::Tests,
        false => Touched::Code,
    };
    // What nobody could read before held no test that anybody knew of; that
    // it can be read now must not stand in the way of the work.
    if rights == Rights::Code && before.is_some_and(|before| is_unreadable(path, before)) {
        return by_path;
    }
    match touched(path, before, after) {
        Touched::Nothing => by_path,
        Touched::Tests => Touched::Tests,
        Touched::Code => Touched::Code,
        Touched::Both => Touched::Both,
    }
}

fn is_unreadable(path: &str, text: &str) -> bool {
    Language::of(path).is_some() && items(path, text).is_none()
}

const fn offends(rights: Rights, touched: Touched) -> bool {
    match rights {
        Rights::All => false,
        Rights::Tests => matches!(touched, Touched::Code | Touched::Both),
        Rights::Code => matches!(touched, Touched::Tests | Touched::Both),
    }
}

fn is_a_lawful_change(rights: Rights, path: &str, before: Option<&str>, text: &str) -> bool {
    let touched = touched(path, before, Some(text));
    touched != Touched::Nothing && !offends(rights, touched)
}

#[cfg(test)]
mod tests {
    use super::{FileRuling, rule};
    use trueup_core::phase::Rights;

    const CODE: &str = "pub fn one() -> u32 {\n    1\n}\n";
    const TESTS: &str =
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() {\n        assert_eq!(super::one(), 1);\n    }\n}\n";

    fn both(code: &str, tests: &str) -> String {
        format!("{code}\n{tests}")
    }

    #[test]
    fn a_phase_of_tests_leaves_tests_alone() {
        let rule = |path, before, after| rule(Rights::Tests, path, before, after);
        for path in [
            "tests/test_a.py",
            "src/cart.test.ts",
            "cart_test.go",
            "tests/data/a.json",
        ] {
            assert_eq!(rule(path, None, Some("x")), FileRuling::Stays, "{path}");
            assert_eq!(rule(path, Some("y"), Some("x")), FileRuling::Stays, "{path}");
            assert_eq!(rule(path, Some("y"), None), FileRuling::Stays, "{path}");
        }
        for path in [
            "src/a.py",
            "cart.go",
            "Cargo.lock",
            "README.md",
            "pyproject.toml",
            "data.bin",
        ] {
            assert_eq!(rule(path, None, Some("x")), FileRuling::GoesBack, "{path}");
            assert_eq!(rule(path, Some("y"), Some("x")), FileRuling::GoesBack, "{path}");
            assert_eq!(rule(path, Some("y"), None), FileRuling::GoesBack, "{path}");
            assert_eq!(rule(path, None, None), FileRuling::GoesBack, "{path}: no text");
        }
    }

    #[test]
    fn a_phase_of_work_leaves_everything_but_tests() {
        let rule = |path, before, after| rule(Rights::Code, path, before, after);
        for path in ["tests/test_a.py", "src/cart.test.ts", "cart_test.go", "tests/pixel.png"] {
            assert_eq!(rule(path, None, Some("x")), FileRuling::GoesBack, "{path}");
            assert_eq!(rule(path, Some("y"), Some("x")), FileRuling::GoesBack, "{path}");
            assert_eq!(rule(path, Some("y"), None), FileRuling::GoesBack, "{path}");
            assert_eq!(rule(path, None, None), FileRuling::GoesBack, "{path}: no text");
        }
        for path in ["src/a.py", "cart.go", "Cargo.lock", "README.md"] {
            assert_eq!(rule(path, None, Some("x")), FileRuling::Stays, "{path}");
            assert_eq!(rule(path, Some("y"), None), FileRuling::Stays, "{path}");
        }
    }

    #[test]
    fn where_tests_live_beside_code_each_is_put_back_by_itself() {
        let before = both(CODE, TESTS);
        let after = both(&CODE.replace('1', "2"), &TESTS.replace("1)", "2)"));
        let FileRuling::Partly(tests) = rule(Rights::Tests, "src/lib.rs", Some(&before), Some(&after)) else {
            panic!("it is put back in part");
        };
        assert!(tests.contains("    1\n") && tests.contains("one(), 2)"), "{tests}");
        let FileRuling::Partly(code) = rule(Rights::Code, "src/lib.rs", Some(&before), Some(&after)) else {
            panic!("it is put back in part");
        };
        assert!(code.contains("    2\n") && code.contains("one(), 1)"), "{code}");
        // What was put back is nothing that has to be put back.
        for (rights, mixed) in [(Rights::Tests, tests), (Rights::Code, code)] {
            assert_eq!(
                rule(rights, "src/lib.rs", Some(&before), Some(&mixed)),
                FileRuling::Stays
            );
        }
    }

    #[test]
    fn what_touches_only_the_other_side_goes_back_to_the_byte() {
        let before = both(CODE, TESTS);
        let code = both(&CODE.replace('1', "2"), TESTS);
        let tests = both(CODE, &TESTS.replace("1)", "2)"));
        let rule = |rights, after: &str| rule(rights, "src/lib.rs", Some(&before), Some(after));
        assert_eq!(rule(Rights::Tests, &code), FileRuling::GoesBack);
        assert_eq!(rule(Rights::Code, &code), FileRuling::Stays);
        assert_eq!(rule(Rights::Code, &tests), FileRuling::GoesBack);
        assert_eq!(rule(Rights::Tests, &tests), FileRuling::Stays);
    }

    #[test]
    fn tests_do_not_go_with_the_file_they_live_in() {
        let before = both(CODE, TESTS);
        let rule = |before: Option<&str>, after: Option<&str>| rule(Rights::Code, "src/lib.rs", before, after);
        assert_eq!(rule(Some(&before), None), FileRuling::GoesBack, "deleted");
        let unreadable = format!("{before}fn (");
        assert_eq!(
            rule(Some(&before), Some(&unreadable)),
            FileRuling::GoesBack,
            "unreadable"
        );
        // A new file keeps its code, and brings no tests.
        let FileRuling::Partly(code) = rule(None, Some(&before)) else {
            panic!("it is put back in part");
        };
        assert!(code.contains("fn one") && !code.contains("cfg(test)"), "{code}");
        // What nobody could read is mended.
        assert_eq!(rule(Some(&unreadable), Some(&before)), FileRuling::Stays);
    }

    #[test]
    fn who_may_change_everything_is_left_alone() {
        for path in ["src/a.py", "tests/test_a.py"] {
            assert_eq!(rule(Rights::All, path, Some("a"), None), FileRuling::Stays);
        }
    }
}
