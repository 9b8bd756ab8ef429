//! Lines that rest on what the project configured.

use crate::place::{TASK, after, colour, household, on_base, refusal, why};

/// Writes the tests that `names.txt` lists; the second word is how each ended.
const TESTS: &str = "{ echo '<testsuite>'\nwhile read -r name end; do\n\
    echo \"<testcase classname='tests.test_a' name='$name'>\"\n\
    case $end in failed) echo '<failure message=\"assert 1 == 2\"/>';; skipped) echo '<skipped/>';; esac\n\
    echo '</testcase>'\ndone < names.txt\necho '</testsuite>'; } > \"$1\"\n! grep -q failed names.txt\n";
const CHECK: &str = "[checks.tests]\nrun = \"sh tool.sh {{out}}/a.xml\"\nparse = \"junit\"\n";

#[test]
fn one_test_must_have_run_and_passed() {
    let lines = [
        "verify: test test_new",
        "guard: test `tests/test_a.py::test_old` in tests",
    ];
    let household = household(TESTS, CHECK, &lines);
    household.file("names.txt", "test_old passed\n");
    household.commit("Tests");
    let base = on_base(&household);
    assert_eq!((colour(&base[0]), colour(&base[1])), ("red", "green"), "{base:#?}");
    assert!(why(&base[0]).contains("no test called `test_new` ran"), "{base:#?}");
    for (names, new, told) in [
        ("test_old passed\ntest_new passed\n", "green", ""),
        ("test_old passed\ntest_new failed\n", "red", "failed"),
        ("test_old passed\ntest_new skipped\n", "red", "was skipped"),
        ("test_old passed\ntest_newer passed\n", "red", "no test called"),
        ("test_old passed\ntest_new passed\ntest_new failed\n", "red", "failed"),
    ] {
        let done = after(&household, &[("names.txt", names)]);
        assert_eq!(
            (colour(&done[0]), colour(&done[1])),
            (new, "green"),
            "{names}: {done:#?}"
        );
        assert!(new == "green" || why(&done[0]).contains(told), "{names}: {done:#?}");
    }
    let failed = after(&household, &[("names.txt", "test_old passed\ntest_new failed\n")]);
    assert_eq!(failed[0]["because"], "assertion", "{failed:#?}");
}

#[test]
fn a_line_that_cannot_be_meant_says_what_to_write() {
    let other = "[checks.more]\nrun = \"sh tool.sh {{out}}/a.xml\"\nparse = \"junit\"\n";
    for (configuration, line, told) in [
        (
            "",
            "test a",
            "docs/configuration.md, under Reports, has the line for each runner",
        ),
        (
            "[checks.unit]\nrun = \"go test ./...\"\n",
            "test a",
            "[checks.unit] with run = \"go test -json ./...\" and parse = \"go\"",
        ),
        (&*format!("{CHECK}{other}"), "test a", "in more` or `test NAME in tests"),
        (CHECK, "test a in test", "did you mean `tests`"),
        (CHECK, "test", "there is no `[checks.test]`"),
        (CHECK, "coverage >= 80%", "parse = \"lcov\""),
        (CHECK, "coverage > 80%", "does not say how much"),
        (CHECK, "coverage >= 180%", "does not say how much"),
        (CHECK, "http GET / is 200", "[services.web]"),
        (CHECK, "http FETCH / is 200", "no method"),
        (CHECK, "http GET / is fine", "no status"),
        (CHECK, "manual look at it", "who looks"),
        (CHECK, "manual @ann look at it", "in quotes"),
    ] {
        let household = household(TESTS, configuration, &[&format!("verify: {line}")]);
        let refused = refusal(&household);
        assert!(refused.contains(told), "{line}: {refused}");
    }
}

#[test]
fn a_key_that_cannot_be_meant_is_refused() {
    for (key, told) in [
        ("parse = \"junti\"", "did you mean `junit`"),
        ("parse = \"junit\"\nbaseline = \"no-new\"", "no-new"),
        ("baseline = \"old\"", "expected"),
    ] {
        let configuration = format!("[checks.it]\nrun = \"true\"\n{key}\n");
        let household = household("", &configuration, &["verify: it"]);
        let refused = household.trueup(&["check", TASK]);
        assert!(
            refused.code == 2 && refused.stderr.contains(told),
            "{key}: {refused:#?}"
        );
    }
}

const WEB: &str = "[services.web]\nrun = \"python3 -m http.server 8971 --bind 127.0.0.1\"\nport = 8971\n";

#[test]
fn a_service_is_asked_and_its_status_decides() {
    for mode in ["bubblewrap", "none"] {
        let lines = [
            "verify: http GET /answer.txt is 200",
            "guard: http GET /nothing is 404 from web",
        ];
        let household = household("", WEB, &lines).with_variable("TRUEUP_SANDBOX", mode);
        let base = on_base(&household);
        assert_eq!(
            (colour(&base[0]), colour(&base[1])),
            ("red", "green"),
            "{mode}: {base:#?}"
        );
        let done = after(&household, &[("answer.txt", "42\n")]);
        assert_eq!(
            (colour(&done[0]), colour(&done[1])),
            ("green", "green"),
            "{mode}: {done:#?}"
        );
    }
}

#[test]
fn a_service_that_does_not_speak_http_or_dies_is_never_green() {
    let odd = "[services.web]\nrun = \"python3 serve.py\"\nport = 8972\n";
    let household = household("", odd, &["verify: http GET / is 200"]);
    let accept = "import socket\ns = socket.create_server(('127.0.0.1', 8972))\nwhile True:\n    c, _ = s.accept()\n";
    household.file(
        "serve.py",
        &format!("{accept}    c.sendall(b'200 OK\\r\\n\\r\\n'); c.close()\n"),
    );
    household.commit("A service");
    assert_eq!(colour(&on_base(&household)[0]), "red");
    let dies = "import socket\ns = socket.create_server(('127.0.0.1', 8972))\ns.accept()\nc, _ = s.accept()\nraise SystemExit(3)\n";
    let died = after(&household, &[("serve.py", dies)]);
    assert_ne!(colour(&died[0]), "green", "{died:#?}");
}

#[test]
fn what_a_person_has_to_look_at_is_not_executed_and_asked() {
    let lines = [
        "verify: file done.txt exists",
        "verify: manual @ann \"Open it and look\"",
    ];
    let household = household("", "", &lines);
    household.set_agent("echo done > done.txt\n");
    let base = on_base(&household);
    assert_eq!(base.len(), 1, "{base:#?}");
    let run = household.trueup(&["run", TASK]);
    assert_eq!(run.code, 4, "{run:#?}");
    assert!(
        format!("{}{}", run.stdout, run.stderr).contains("Open it and look"),
        "{run:#?}"
    );
}
