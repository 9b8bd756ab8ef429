//! No file can make the reader panic, hang or forget itself.

mod reading;

use proptest::prelude::*;
use reading::read;
use std::time::{Duration, Instant};

const HEAD: &str = "---\nv: 1\nid: T-1\ntitle: t\n---\n";
const LARGE: usize = 1024 * 1024 - 256;

/// An unoptimised reader on a busy machine gets more time than the shipped one.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// A text repeated up to the size limit.
fn filled(unit: &str) -> String {
    unit.repeat(LARGE / unit.len())
}

/// Files of one mebibyte, each meant to cost more than its size.
fn hostile() -> Vec<(&'static str, String)> {
    let section = format!("{HEAD}## Acceptance criteria\n");
    let mut files: Vec<(&'static str, String)> = vec![
        ("nested keys", format!("---\n{}", filled("a: {"))),
        ("nested lists", format!("---\nx-a: {}\n---\n", filled("["))),
        ("many keys", {
            let keys: String = (0..80_000).map(|n| format!("k{n}: 1\n")).collect();
            format!("---\n{keys}---\n")
        }),
        ("one key many times", format!("---\n{}---\n", filled("k: 1\n"))),
        ("anchors", format!("---\n{}---\n", filled("x-a: &a [*a, *a]\n"))),
        ("a long scalar", format!("---\ntitle: {}\n---\n", filled("a"))),
        ("quotes", format!("---\ntitle: {}\n---\n", filled("\"'"))),
        ("front matter without end", format!("---\n{}", filled("# c\n"))),
    ];
    for (name, unit) in [
        ("deep lists", "- "),
        ("deep quotes", "> "),
        ("deep quotes and lists", "> - "),
        ("open brackets", "["),
        ("open links", "[a]("),
        ("images", "![a"),
        ("stars", "*a_ "),
        ("strong stars", "**a"),
        ("closing stars", "a** "),
        ("tags", "<a "),
        ("comments", "<!--"),
        ("entities", "&a"),
        ("references", "[a]: b\n"),
        ("footnotes", "[^a]: "),
        ("tables", "|a"),
        ("headings", "## Acceptance criteria\n"),
        ("items", "- [ ] **A** a\n"),
        ("items without id", "- a\n"),
        ("items with checks", "- [ ] **A** a\n  - verify: `a | b`\n"),
        ("blank lines", "\n"),
        ("escapes", "\\"),
        ("underlines", "a\n=\n"),
    ] {
        files.push((name, format!("{section}{}", filled(unit))));
    }
    files.push((
        "a long criterion",
        format!("{section}- [ ] **A** {}", filled("a\n  verify: b\n")),
    ));
    files.push((
        "a long check",
        format!("{section}- [ ] **A** a\n  - verify: `{}`", filled("'a' ")),
    ));
    files.push((
        "a long regex",
        format!("{section}- [ ] **A** a\n  - verify: no /{}/ in a", filled("\\/")),
    ));
    files.push(("backticks", {
        let runs: String = (1..1400).map(|n| format!("{} ", "`".repeat(n))).collect();
        format!("{section}- [ ] **A** a\n  - verify: {runs}")
    }));
    files.push(("growing indents", {
        let lists: String = (0..1400).map(|n| format!("{}- a\n", " ".repeat(n))).collect();
        format!("{section}{lists}")
    }));
    files
}

#[test]
fn a_hostile_file_of_one_mebibyte_is_answered_within_a_second() {
    let mut slow = Vec::new();
    for (name, text) in hostile() {
        assert!(text.len() <= 1024 * 1024, "{name} has {} bytes", text.len());
        let start = Instant::now();
        let answer = read(text.as_bytes());
        let took = start.elapsed();
        let problems = answer.err().map_or(0, |problems| problems.len());
        assert!(problems <= 100, "{name} is answered with {problems} problems");
        println!("{took:>12.3?}  {problems:>6} problems  {name}");
        if took > LIMIT {
            slow.push((name, took));
        }
    }
    assert!(slow.is_empty(), "{slow:?}");
}

/// Pieces from which something like a task file grows.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("---\n".to_owned()),
        Just("v: 1\nid: T-1\ntitle: t\n".to_owned()),
        Just("scope: {touch: [a], ".to_owned()),
        Just("## Acceptance criteria\n".to_owned()),
        Just("- [ ] **AC-1** text\n".to_owned()),
        Just("  - verify: `true`\n".to_owned()),
        Just("  - verify hidden: secret.sh\n".to_owned()),
        Just("  - guard: no /a/ in `b`\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\t".to_owned()),
        "[-`*#/\\\\ \n:>\\[\\]ab]{0,8}",
        ".{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        drop(read(&bytes));
    }

    #[test]
    fn no_text_like_a_task_makes_it_panic(pieces in prop::collection::vec(piece(), 0..24)) {
        let text = pieces.concat();
        let lines = text.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count() + 1;
        for text in [text.clone(), format!("{HEAD}## Acceptance criteria\n- [ ] **B** b\n{text}")] {
            match read(text.as_bytes()) {
                Ok(task) => prop_assert!(!task.criteria.is_empty()),
                Err(problems) => {
                    prop_assert!(!problems.is_empty());
                    let past = problems.iter().find(|p| p.line == 0 || p.line as usize > lines + 8 || p.column == 0);
                    prop_assert!(past.is_none(), "{past:?}");
                }
            }
        }
    }

    #[test]
    fn a_criterion_keeps_its_line_whatever_stands_before_it(before in prop::collection::vec("[a-z `*\\[\\]>|]{0,12}", 0..12)) {
        let prose: String = before.iter().map(|line| format!("x{line}\n")).collect();
        let text = format!("{HEAD}{prose}\n## Acceptance criteria\n\n- [ ] **A** a\n  - verify: `true`\n");
        let task = read(text.as_bytes()).map_err(|problems| TestCaseError::fail(format!("{text}{problems:?}")))?;
        let line = 5 + u32::try_from(before.len()).expect("few") + 4;
        prop_assert_eq!((task.criteria[0].line, task.criteria[0].checks[0].line), (line, line + 1));
    }
}
