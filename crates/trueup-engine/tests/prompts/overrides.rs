//! Templates that people write.

use super::{brief, render};
use std::{fs, path::Path};
use trueup_engine::agent::prompt::{Flaw, Prompts};

/// The templates, with one of them replaced.
fn with(name: &str, text: &str) -> Result<Prompts, Flaw> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), text).expect("a template");
    Prompts::with_overrides(folder.path())
}

#[test]
fn a_replaced_template_says_what_its_author_wrote() {
    let text = "{{ TASK_ID }} {{ TASK_TITLE }} {{ TASK_DESCRIPTION }} {{ PHASE }} {{ WEIGHT }} {{ ITERATION }}\
                {{ RETRY_CONTEXT }}{{ TEST_RESULTS }}{{ SCREENSHOT_DIR }} {{ REQUIRES_UI_TESTING }}\n\
                {% include \"claims.md.j2\" %}";
    let prompts = with("turn.md.j2", text).expect("a good template");
    let told = render(&prompts, &brief(), &[]).expect("a prompt").text;
    assert!(
        told.starts_with("T-014 Say hello The program greets in {{ every }} language. implement medium 1 False\n"),
        "{told}"
    );
    assert!(told.contains("<phase_complete>"), "{told}");
    let written: Vec<&str> = prompts.overrides().map(|(name, _)| name).collect();
    assert_eq!(written, ["turn.md.j2"]);
    assert_eq!(Prompts::embedded().overrides().count(), 0);
}

#[test]
fn a_replaced_retry_is_told_as_retry_context() {
    let prompts = with("retry.md.j2", "Again, {{ last.turn }}!").expect("a good template");
    let mut brief = brief();
    brief.rung = trueup_core::ladder::Rung::Retry;
    brief.last = Some(super::past(1));
    let told = render(&prompts, &brief, &[]).expect("a prompt").text;
    assert!(told.contains("Again, 1!"), "{told}");
}

#[test]
fn a_bad_template_is_refused_with_its_place_before_any_agent_starts() {
    for (name, text, place, said) in [
        (
            "turn.md.j2",
            "one\ntwo {{ TASK_TITEL }}\n",
            ":2",
            "there is no variable `TASK_TITEL`; did you mean `TASK_TITLE`?",
        ),
        (
            "turn.md.j2",
            "{% if false %}\n{{ phase }}\n{% endif %}",
            ":2",
            "there is no variable `phase`; did you mean `PHASE`?",
        ),
        (
            "failures.md.j2",
            "{% for failure in failures %}\n{{ failure.chek }}{% endfor %}",
            ":2",
            "there is no field `chek`; did you mean `check`?",
        ),
        ("turn.md.j2", "a\nb\n{% for x in %}", ":3", "unexpected end of block"),
        ("turn.md.j2", "a\n{{ PHASE | shout }}", ":2", "shout"),
        ("turn.md.j2", "a\n{% include \"secret.md\" %}", ":2", "secret.md"),
        (
            "turn.md.j2",
            "{% for x in range(9999) %}{% for y in range(9999) %}{{ y }}{% endfor %}{% endfor %}",
            ":1",
            "does not end",
        ),
        (
            "retri.md.j2",
            "",
            "",
            "there is no template of this name; did you mean `retry.md.j2`?",
        ),
    ] {
        let flaw = with(name, text).map(drop).expect_err("it is refused").to_string();
        assert!(flaw.contains(&format!("{name}{place}: ")), "{flaw}");
        assert!(flaw.contains(said), "{said} is not in: {flaw}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_refused_and_what_is_no_template_is_left_alone() {
    let flaw = Prompts::with_overrides(Path::new("/nowhere/at/all"))
        .map(drop)
        .expect_err("refused");
    assert!(
        flaw.to_string().starts_with("/nowhere/at/all: cannot be read"),
        "{flaw}"
    );
    let prompts = with("README.md", "{{ nothing }}").expect("no template");
    assert_eq!(prompts.overrides().count(), 0);
}

#[test]
fn a_template_that_is_too_long_or_no_text_is_refused() {
    let flaw = with("turn.md.j2", &"x".repeat(300_000))
        .map(drop)
        .expect_err("too long");
    assert!(flaw.to_string().contains("too many"), "{flaw}");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("turn.md.j2"), b"\xff\xfe").expect("a file");
    assert!(Prompts::with_overrides(folder.path()).is_err());
}
