//! Commands whose tests say what they compare.

use crate::words;
use trueup_core::kind::Runner;
use trueup_inspect::rules::outspoken;

#[test]
fn pytest_is_told_of_modules_that_tests_share() {
    let paths = words("shop/cart.py tests/helpers.py tests/__init__.py tests/test_a.py tests/data-1.py");
    let made = outspoken(Runner::Pytest, &words("pytest -q"), "w1", &paths).expect("a command");
    assert_eq!(made.argv.join(" "), "pytest -q -p outspoken_w1");
    let (path, text) = made.file.expect("a plugin");
    assert_eq!(path, ".w1/outspoken_w1.py");
    assert_eq!(
        text,
        "import pytest\n\npytest.register_assert_rewrite(\"helpers\", \"test_a\", \"tests\", \"tests.helpers\", \
         \"tests.test_a\")\n"
    );
    assert_eq!(made.variable, Some(("PYTHONPATH".to_owned(), ".w1".to_owned())));
}

#[test]
fn nobody_is_told_where_it_would_not_help() {
    let paths = words("tests/helpers.py");
    let of = |runner, line: &str, paths: &[String]| outspoken(runner, &words(line), "w1", paths);
    assert_eq!(of(Runner::Vitest, "vitest run", &paths), None);
    assert_eq!(of(Runner::Pytest, "make test", &paths), None);
    assert_eq!(of(Runner::Pytest, "pytest", &words("shop/cart.py")), None);
}
