//! Checks that rest on what the project configured: coverage, a request to a
//! service, and a person's own eyes.

use super::{
    asked_reports,
    context::Context,
    syntax::{after_word, code_span, nothing_after},
};
use crate::{nearest, problem::Complaint};
use trueup_core::{
    criterion::{CheckMethod, Execution, Measured, Network, Service},
    kind::ReportContents,
};

const COVERAGE_FORM: &str = "write `coverage >= 80%`, or `coverage changed >= 80%`";
const HTTP_FORM: &str = "write `http GET /path is 200`";
const MANUAL_FORM: &str = "write `manual @who \"what they shall do\"`";
const METHODS: [&str; 7] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/// `coverage >= N%`, `coverage changed >= N%`, each with `in CHECK`.
pub(super) fn coverage(rest: &str, context: &Context<'_>) -> Result<CheckMethod, Complaint> {
    let (of, rest) = match after_word(rest, "changed") {
        Some(rest) => (Measured::Changed { since: None }, rest),
        None => (Measured::All, rest),
    };
    let wrong = || Complaint::new(format!("`coverage {rest}` does not say how much")).hint(COVERAGE_FORM);
    let amount = rest.strip_prefix(">=").ok_or_else(wrong)?.trim_start();
    let (number, rest) = amount.split_once('%').ok_or_else(wrong)?;
    let least = hundredths(number.trim()).ok_or_else(wrong)?;
    let fitting = Fitting {
        fits: &|_, execution| {
            execution
                .parse
                .is_some_and(|format| format.tells() == ReportContents::Lines)
        },
        what: "measures coverage",
        lacking: &|| asked_reports::of_lines(context),
        again: "coverage >= N%",
    };
    let (by, execution) = fitting.only(in_check(rest.trim())?, context)?;
    Ok(CheckMethod::Coverage {
        of,
        least,
        by,
        execution,
    })
}

/// `80` and `80.25`, in hundredths; nothing beyond a hundred.
fn hundredths(number: &str) -> Option<u32> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || whole.len() > 3 || part.len() > 2 {
        return None;
    }
    let part: u32 = format!("{part:0<2}").parse().ok()?;
    let least = whole.parse::<u32>().ok()? * 100 + part;
    (1..=10_000).contains(&least).then_some(least)
}

/// `http GET PATH is CODE`, also with `from SERVICE`.
pub(super) fn http(rest: &str, context: &Context<'_>) -> Result<CheckMethod, Complaint> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (method, path, status, from) = match words.as_slice() {
        [method, path, "is", status] => (*method, *path, *status, None),
        [method, path, "is", status, "from", service] => (*method, *path, *status, Some(*service)),
        _ => return Err(Complaint::new(format!("`http {rest}` is no request with its answer")).hint(HTTP_FORM)),
    };
    if !METHODS.contains(&method) {
        let hint = nearest::hint(method, METHODS);
        return Err(Complaint::new(format!("`{method}` is no method that is asked with")).hint(hint));
    }
    let path = path.trim_matches('`');
    let is_plain = path.starts_with('/') && path.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_plain {
        return Err(Complaint::new(format!("`{path}` is no path of a request")).hint("it begins with a slash"));
    }
    let code: Option<u16> = status.parse().ok().filter(|code| (200..600).contains(code));
    let Some(code) = code.filter(|_| status.len() == 3) else {
        return Err(Complaint::new(format!("`{status}` is no status of an answer")).hint(HTTP_FORM));
    };
    let service = service(from, context)?;
    let argv = ["http", method, path, "is", status, "from", &service.name];
    let argv = argv.map(str::to_owned).to_vec();
    let mut execution = Execution::new(argv, context.command_timeout_ms, Network::Off);
    execution.services = vec![service.clone()];
    Ok(CheckMethod::Http {
        method: method.to_owned(),
        path: path.to_owned(),
        status: code,
        execution,
    })
}

/// The service of this name, or the only one; it must say where it listens.
fn service<'a>(named: Option<&str>, context: &Context<'a>) -> Result<&'a Service, Complaint> {
    let listening: Vec<&Service> = context
        .services
        .values()
        .filter(|service| service.port.is_some())
        .collect();
    if let Some(name) = named {
        let found = listening.iter().find(|service| service.name == name);
        return found.copied().ok_or_else(|| match context.services.get(name) {
            Some(_) => Complaint::new(format!("the service `{name}` says no port"))
                .hint(format!("add `port = 8080` to `[services.{name}]`")),
            None => {
                let known = context.services.keys().map(String::as_str);
                Complaint::new(format!("there is no `[services.{name}]`")).hint(nearest::hint(name, known))
            }
        });
    }
    match listening.as_slice() {
        [only] => Ok(only),
        [] => Err(Complaint::new("there is no service that could be asked")
            .hint("put into trueup.toml: [services.web] with run = \"the command that serves\" and port = 8080")),
        several => {
            let names: Vec<&str> = several.iter().map(|service| service.name.as_str()).collect();
            Err(Complaint::new("several services could be asked")
                .hint(format!("write `from {}`", names.join("` or `from "))))
        }
    }
}

/// `manual @who "steps"`.
pub(super) fn manual(rest: &str) -> Result<CheckMethod, Complaint> {
    let wrong = |what: &str| Complaint::new(what).hint(MANUAL_FORM);
    let who = rest
        .strip_prefix('@')
        .ok_or_else(|| wrong("the line does not say who looks"))?;
    let end = who
        .find([' ', '\t'])
        .ok_or_else(|| wrong("the line does not say what they shall do"))?;
    let (who, steps) = who.split_at(end);
    let steps = steps.trim();
    let (steps, after) = if steps.starts_with('`') {
        code_span(steps)?
    } else {
        let body = steps.strip_prefix('"');
        let body = body.ok_or_else(|| wrong("what they shall do does not stand in quotes"))?;
        let (body, after) = body
            .rsplit_once('"')
            .ok_or_else(|| wrong("the quote is never closed"))?;
        (body.to_owned(), after.trim())
    };
    nothing_after(after)?;
    if who.is_empty() || steps.trim().is_empty() {
        return Err(wrong("the line does not say who shall do what"));
    }
    Ok(CheckMethod::Manual {
        who: format!("@{who}"),
        steps,
    })
}

/// Which named checks a line can mean.
pub(super) struct Fitting<'a> {
    pub(super) fits: &'a dyn Fn(&str, &Execution) -> bool,
    /// What they do, after "`[checks.X]`".
    pub(super) what: &'a str,
    /// What to write where there is none.
    pub(super) lacking: &'a dyn Fn() -> String,
    /// How the line begins.
    pub(super) again: &'a str,
}

impl Fitting<'_> {
    /// The one of this name, or the only one.
    pub(super) fn only(&self, named: Option<String>, context: &Context<'_>) -> Result<(String, Execution), Complaint> {
        let all = context.definitions.iter();
        let mut fitting = all.filter(|(name, execution)| (self.fits)(name, execution));
        if let Some(name) = named {
            let Some(execution) = context.definitions.get(&name) else {
                let known = context.definitions.keys().map(String::as_str);
                return Err(Complaint::new(format!("there is no `[checks.{name}]`")).hint(nearest::hint(&name, known)));
            };
            return match (self.fits)(&name, execution) {
                true => Ok((name, execution.clone())),
                false => {
                    Err(Complaint::new(format!("nothing in `[checks.{name}]` {}", self.what)).hint((self.lacking)()))
                }
            };
        }
        match (fitting.next(), fitting.next()) {
            (Some((name, execution)), None) => Ok((name.clone(), execution.clone())),
            (None, _) => Err(Complaint::new(format!("no `[checks.NAME]` {}", self.what)).hint((self.lacking)())),
            (Some((one, _)), Some((other, _))) => {
                Err(
                    Complaint::new(format!("more than one `[checks.NAME]` {}", self.what)).hint(format!(
                        "write `{} in {one}` or `{} in {other}`",
                        self.again, self.again
                    )),
                )
            }
        }
    }
}

pub(super) fn in_check(rest: &str) -> Result<Option<String>, Complaint> {
    if rest.is_empty() {
        return Ok(None);
    }
    match after_word(rest, "in") {
        Some(name) if !name.contains([' ', '\t']) => Ok(Some(name.to_owned())),
        Some(_) | None => nothing_after(rest).map(|()| None),
    }
}

#[cfg(test)]
mod tests {
    use super::{coverage, http, hundredths, manual};
    use crate::{
        check_line::{
            Context,
            asked_tests::{run_tests, test},
        },
        problem::Complaint,
    };
    use std::collections::BTreeMap;
    use trueup_core::{
        criterion::{CheckMethod, Execution, Measured, Network, Service},
        kind::Format,
    };

    /// Reads in a project with the checks `unit` and `cover`, and two services.
    fn read(
        form: fn(&str, &Context<'_>) -> Result<CheckMethod, Complaint>,
        line: &str,
    ) -> Result<CheckMethod, Complaint> {
        let definition = |word: &str, parse| Execution {
            parse,
            ..Execution::new(vec![word.to_owned()], 7, Network::Off)
        };
        let definitions = BTreeMap::from([
            ("cover".to_owned(), definition("measure", Some(Format::Lcov))),
            ("plain".to_owned(), definition("pytest", None)),
            ("unit".to_owned(), definition("run", Some(Format::Junit))),
        ]);
        let service = |name: &str, port| Service {
            name: name.to_owned(),
            argv: vec!["serve".to_owned()],
            ready: None,
            port,
        };
        let services = BTreeMap::from([
            ("queue".to_owned(), service("queue", None)),
            ("web".to_owned(), service("web", Some(8080))),
        ]);
        let context = Context {
            definitions: &definitions,
            services: &services,
            ..Context::bare(1000)
        };
        form(line, &context)
    }

    #[test]
    fn a_tests_name_goes_to_the_end_of_the_line_or_to_its_check() {
        for (line, expected) in [
            ("test_a", "test_a"),
            ("gives 5 % in a cart", "gives 5 % in a cart"),
            ("gives 5 % in unit", "gives 5 %"),
            ("`a in unit` in unit", "a in unit"),
            ("tests/test_a.py::test_b[x in y]", "tests/test_a.py::test_b[x in y]"),
        ] {
            match read(test, line) {
                Ok(CheckMethod::Test { name, of, .. }) => assert_eq!((name.as_str(), of.as_str()), (expected, "unit")),
                other => panic!("{line}: {other:?}"),
            }
        }
        for wrong in ["a in units", "a in cover", "a in plain", "`a` in", "`a` b", "``"] {
            assert!(read(test, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tests_of_the_run_are_all_or_those_of_a_name() {
        for (form, line, expected) in [
            (run_tests as fn(&str, &Context<'_>) -> _, "of this run", None),
            (run_tests, "of this run in unit", None),
            (test, "test_a of this run", Some("test_a")),
            (test, "gives 5 % of this run in unit", Some("gives 5 %")),
            (test, "`a of this run` of this run in unit", Some("a of this run")),
        ] {
            match read(form, line) {
                Ok(CheckMethod::RunTests { name, of, since, .. }) => {
                    assert_eq!(
                        (name.as_deref(), of.as_str(), since),
                        (expected, "unit", None),
                        "{line}"
                    );
                }
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(matches!(read(test, "`a of this run`"), Ok(CheckMethod::Test { .. })));
        for wrong in [
            "of",
            "of this",
            "of that run",
            "of this run in plain",
            "of this run unit",
        ] {
            assert!(read(run_tests, wrong).is_err(), "{wrong}");
        }
        assert!(read(test, "of this run").is_err(), "it does not say which");
    }

    #[test]
    fn an_amount_is_a_share_of_a_hundred() {
        for (text, expected) in [
            ("80", Some(8000)),
            ("99.5", Some(9950)),
            ("0.01", Some(1)),
            ("100", Some(10_000)),
        ] {
            assert_eq!(hundredths(text), expected, "{text}");
        }
        for wrong in ["", "0", "-1", "100.01", "1e2", "8 0", "80.", "80.123", "1000"] {
            assert_eq!(hundredths(wrong), None, "{wrong}");
        }
        for (line, changed) in [(">= 80%", false), ("changed >= 80 % in cover", true)] {
            match read(coverage, line) {
                Ok(CheckMethod::Coverage {
                    of, least: 8000, by, ..
                }) => {
                    assert_eq!((of == Measured::All, by.as_str()), (!changed, "cover"), "{line}");
                }
                other => panic!("{line}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_request_asks_the_one_service_that_listens() {
        for line in ["GET /a?b=1 is 200", "POST / is 404 from web"] {
            match read(http, line) {
                Ok(CheckMethod::Http { execution, .. }) => assert_eq!(execution.services[0].name, "web"),
                other => panic!("{line}: {other:?}"),
            }
        }
        for wrong in [
            "GET / is 200 from queue",
            "GET / is 200 from wep",
            "GET a is 200",
            "GET / is 100",
            "GET / 200",
        ] {
            assert!(read(http, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_person_is_named_and_told_what_to_do() {
        for (line, told) in [
            ("@ann \"Open it\"", "Open it"),
            ("@ann \"Say \"yes\" to it\"", "Say \"yes\" to it"),
            ("@ann `make demo`", "make demo"),
        ] {
            match manual(line) {
                Ok(CheckMethod::Manual { who, steps }) => assert_eq!((who.as_str(), steps.as_str()), ("@ann", told)),
                other => panic!("{line}: {other:?}"),
            }
        }
        for wrong in [
            "ann \"a\"",
            "@ann",
            "@ann a",
            "@ann \"\"",
            "@ann \"a",
            "@ \"a\"",
            "@ann \"a\" b",
        ] {
            assert!(manual(wrong).is_err(), "{wrong}");
        }
    }
}
