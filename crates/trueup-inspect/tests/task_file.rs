//! What a well written task file means.

mod reading;

use reading::{read, understood};
use trueup_core::{
    budget::Budget,
    criterion::{CheckMethod, Criterion, Execution, Network, Role, Visibility},
    digest::Digest,
    id::TaskId,
    scope::Scope,
    task::{Allow, Priority, SelfTested, Size, Task},
};

const WHOLE: &str = r#"---
v: 1
id: T-014
title: Dark mode that follows the system
size: medium
priority: P1
needs: [T-012, T-013]
base: main
agent: claude
scope:
  touch: ["src/**", "./tests/**"]
  never: [pnpm-lock.yaml]
  max_new_lines: 600
  x-why: small
budget: {turns: 8, time: 1h30m, tokens: 200000, usd: 0.50}
allow:
  change: [Cargo.toml]
  remove_tests: ["old::test"]
  lockfiles: [Cargo.lock]
  rules: [any/ci, "rust/ends-process@src/**"]
  self_tested: true
x-team: {any: [thing, 1, null]}
---

People ask for a dark theme.

## Notes before

- a list that is **no** criterion

## Acceptance criteria

<!-- one line per statement -->

- [ ] **AC-1** With no stored choice the theme
  follows `prefers-color-scheme`, **always**.
  - verify: `cargo test --test theme -- "follows the system"`
  - guard: lint
- [x] **AC-2** A picked theme survives.

  Even a reload.

  - verify: file src/theme.rs exists
  - verify: file `src/my theme.rs` has /fn\s+pick\/keep/
  - guard: no /unwrap\(\)/ in src/**/*.rs
  - verify hidden: secret.sh
  - verify hidden: `python3 tasks/hidden/T-014/data.txt`

### Later

* [ ] **AC_3** Nobody knows how.

## After

The old context is dead.
"#;

#[expect(clippy::panic, reason = "a file that should be good and is not fails the test")]
fn good(text: &str) -> Task {
    read(text.as_bytes()).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// A file with this criteria section and nothing special else.
fn with_criteria(criteria: &str) -> Vec<Criterion> {
    let head = "---\nv: 1\nid: T-1\ntitle: t\n---\n## Acceptance criteria\n";
    good(&format!("{head}{criteria}")).criteria
}

fn hows(line: &str) -> CheckMethod {
    let criteria = with_criteria(&format!("- [ ] **A** a\n  - {line}\n"));
    criteria[0].checks[0].how.clone()
}

/// What a file with these front matter lines and this criteria section leaves
/// out, line by line, and its task.
#[expect(clippy::panic, reason = "a file that should be good and is not fails the test")]
fn filled_in(front: &str, criteria: &str) -> (Task, Vec<(u32, String)>) {
    let text = format!("---\n{front}---\n## Acceptance criteria\n{criteria}");
    let read = understood(text.as_bytes(), Some("greet")).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let said = read
        .filled_in
        .into_iter()
        .map(|formality| (formality.line, formality.read_as));
    (read.task, said.collect())
}

fn argv(words: &[&str]) -> CheckMethod {
    let words = words.iter().map(ToString::to_string).collect();
    CheckMethod::Command(Execution::new(words, 1000, Network::Off))
}

#[test]
fn every_key_of_the_front_matter_is_read() {
    let task = good(WHOLE);
    assert_eq!(task.id, TaskId::new("T-014"));
    assert_eq!(task.title, "Dark mode that follows the system");
    assert_eq!((task.size, task.priority), (Size::Medium, Some(Priority::P1)));
    assert_eq!(task.needs, [TaskId::new("T-012"), TaskId::new("T-013")]);
    assert_eq!(
        (task.base.as_deref(), task.agent.as_deref()),
        (Some("main"), Some("claude"))
    );
    assert_eq!(
        task.scope,
        Scope {
            touch: vec!["src/**".into(), "tests/**".into()],
            never: vec!["pnpm-lock.yaml".into()],
            max_new_lines: Some(600)
        }
    );
    assert_eq!(
        task.budget,
        Budget {
            turns: Some(8),
            time_ms: Some(5_400_000),
            tokens: Some(200_000),
            millicents: Some(50_000)
        }
    );
    assert_eq!(
        task.allow,
        Allow {
            change: vec!["Cargo.toml".into()],
            remove_tests: vec!["old::test".into()],
            lockfiles: vec!["Cargo.lock".into()],
            rules: vec!["any/ci".into(), "rust/ends-process@src/**".into()],
            self_tested: SelfTested::Accepted,
        }
    );
    assert_eq!(task.digest, Digest::of(WHOLE.as_bytes()));
}

#[test]
fn the_agent_reads_everything_but_the_criteria() {
    let text = good(WHOLE).text;
    assert!(text.starts_with("People ask"), "{text}");
    assert!(text.contains("no** criterion\n\n## After"), "{text}");
    assert!(text.ends_with("dead."), "{text}");
    assert!(!text.contains("AC-1") && !text.contains("verify"), "{text}");
}

#[test]
fn every_criterion_knows_its_line_and_its_checks() {
    let criteria = good(WHOLE).criteria;
    let told: Vec<_> = criteria
        .iter()
        .map(|c| (c.id.as_str(), c.line, c.text.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (
                "AC-1",
                35,
                "With no stored choice the theme follows `prefers-color-scheme`, **always**."
            ),
            ("AC-2", 39, "A picked theme survives. Even a reload."),
            ("AC_3", 51, "Nobody knows how."),
        ]
    );
    let checks: Vec<_> = criteria
        .iter()
        .flat_map(|c| &c.checks)
        .map(|c| (c.id.as_str(), c.line, c.role))
        .collect();
    assert_eq!(
        checks,
        [
            ("AC-1.1", 37, Role::Goal),
            ("AC-1.2", 38, Role::Guard),
            ("AC-2.1", 43, Role::Goal),
            ("AC-2.2", 44, Role::Goal),
            ("AC-2.3", 45, Role::Guard),
            ("AC-2.4", 46, Role::Goal),
            ("AC-2.5", 47, Role::Goal),
        ]
    );
    assert_eq!(
        criteria[0].checks[0].source,
        "`cargo test --test theme -- \"follows the system\"`"
    );
    assert!(criteria[2].checks.is_empty());
}

#[test]
fn hidden_checks_carry_the_hidden_files_and_open_ones_none() {
    let criteria = good(WHOLE).criteria;
    for check in criteria.iter().flat_map(|c| &c.checks) {
        match &check.sight {
            Visibility::Open => assert!(!check.source.contains("secret")),
            Visibility::Hidden(files) => {
                assert_eq!(files.len(), 2);
                assert_eq!(check.role, Role::Goal);
            }
        }
    }
    assert_eq!(criteria[1].checks[3].how, argv(&["./tasks/hidden/T-014/secret.sh"]));
    assert_eq!(
        criteria[1].checks[4].how,
        argv(&["python3", "tasks/hidden/T-014/data.txt"])
    );
}

#[test]
fn every_form_of_a_check_is_understood() {
    let exists = |path: &str| CheckMethod::FileExists { path: path.into() };
    let has = |path: &str, pattern: &str| CheckMethod::FileHas {
        path: path.into(),
        pattern: pattern.into(),
    };
    let none = |pattern: &str, glob: &str| CheckMethod::NoneIn {
        pattern: pattern.into(),
        glob: glob.into(),
    };
    for (line, how) in [
        ("verify: `true`", argv(&["true"])),
        ("verify:`true`", argv(&["true"])),
        (
            "verify: ``bash -c 'echo `date`'``",
            argv(&["bash", "-c", "echo `date`"]),
        ),
        ("verify: ` true `", argv(&["true"])),
        ("guard: file ./a//b exists", exists("a/b")),
        ("guard: file `a b` exists", exists("a b")),
        ("verify: file a_b_c has /x*y*/", has("a_b_c", "x*y*")),
        ("verify: file a has `/x | y/`", has("a", "x | y")),
        (r"verify: file a has /a\/b\\/", has("a", r"a/b\\")),
        ("verify: file a has /[link](x)/", has("a", "[link](x)")),
        ("verify: no /TODO|FIXME/ in **/*.rs", none("TODO|FIXME", "**/*.rs")),
        ("verify: no /a in b/ in `src/**`", none("a in b", "src/**")),
    ] {
        assert_eq!(hows(line), how, "{line}");
    }
    let named = hows("verify: unit-tests");
    assert!(
        matches!(named, CheckMethod::Named { name, execution } if name == "unit-tests" && execution.timeout_ms == 7)
    );
}

#[test]
fn a_command_may_run_over_two_lines() {
    let criteria = with_criteria("- [ ] **A** a\n  - verify: `cargo test\n    --all`\n  - guard: lint\n");
    assert_eq!(criteria[0].checks[0].how, argv(&["cargo", "test", "--all"]));
    assert_eq!((criteria[0].checks[0].line, criteria[0].checks[1].line), (8, 10));
}

#[test]
fn the_bytes_of_the_file_may_come_from_any_editor() {
    let plain = good(WHOLE);
    let windows = WHOLE.replace('\n', "\r\n");
    let old_mac = WHOLE.replace('\n', "\r");
    let marked = format!("\u{feff}{WHOLE}");
    for text in [windows, old_mac, marked] {
        let task = good(&text);
        assert_eq!(task.digest, Digest::of(text.as_bytes()));
        let plain = Task {
            digest: task.digest.clone(),
            ..plain.clone()
        };
        assert_eq!(task, plain);
    }
    let tabs = with_criteria("-\t[ ] **A** a\n\t- verify: `true`\n");
    assert_eq!((tabs[0].text.as_str(), tabs[0].checks.len()), ("a", 1));
    let loose = with_criteria("* [ ] **A** a\n\n  * verify: `true`\n\n* [ ] __B__: b\n\n  1. guard: lint\n");
    assert_eq!(
        (loose[1].text.as_str(), loose[1].checks.len(), loose[1].line),
        ("b", 1, 11)
    );
    let no_end =
        good("---\nv: 1\nid: T-1\ntitle: t\n---\n# Top\n## ACCEPTANCE Criteria ##\n1. [ ] **A** a\n   - guard: lint");
    assert_eq!((no_end.criteria[0].line, no_end.text.as_str()), (8, "# Top"));
    let underlined = good("---\nv: 1\nid: T-1\ntitle: t\n---\nAcceptance criteria\n---\n- [ ] **A** a");
    assert_eq!((underlined.criteria.len(), underlined.text.as_str()), (1, ""));
}

#[test]
fn sizes_have_numbers_and_names_and_money_is_counted_exactly() {
    let with = |line: &str| {
        good(&format!(
            "---\nv: 1\nid: T-1\ntitle: t\n{line}\n---\n## Acceptance criteria\n- [ ] **A** a"
        ))
    };
    for (index, name) in ["trivial", "small", "medium", "large", "greenfield"]
        .into_iter()
        .enumerate()
    {
        assert_eq!(with(&format!("size: {name}")).size, Size::ALL[index]);
        assert_eq!(with(&format!("size: {}", index + 1)).size, Size::ALL[index]);
    }
    assert_eq!(with("x-a: 1").size, Size::Small);
    for (usd, millicents) in [
        ("5", 500_000),
        ("0.50", 50_000),
        ("0.07", 7_000),
        ("1.15", 115_000),
        ("0.00001", 1),
    ] {
        assert_eq!(
            with(&format!("budget: {{usd: {usd}}}")).budget.millicents,
            Some(millicents)
        );
    }
    for (time, ms) in [
        ("90s", 90_000),
        ("10m", 600_000),
        ("2h", 7_200_000),
        ("1h30m", 5_400_000),
        ("1h1m1s", 3_661_000),
    ] {
        assert_eq!(with(&format!("budget: {{time: {time}}}")).budget.time_ms, Some(ms));
    }
}

#[test]
fn a_file_that_says_everything_leaves_nothing_to_fill_in() {
    let read = understood(WHOLE.as_bytes(), Some("other")).expect("a good file");
    assert_eq!((read.filled_in, read.task.id), (Vec::new(), TaskId::new("T-014")));
}

#[test]
fn formalities_are_filled_in_and_each_is_said_with_its_line() {
    let (task, said) = filled_in(
        "title: Greet by name\n",
        "- It greets.\n  - verify: pytest tests/test_greet.py -q\n\
         - [ ] It says *who*.\n  - guard: lint\n\
         - **B** It is quick.\n  - guard: ./check.sh --fast\n\
         - [ ] **AC-4** four\n\
         - [x] five\n",
    );
    let ids: Vec<&str> = task.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
    assert_eq!(
        (task.id.as_str(), ids),
        ("greet", vec!["AC-1", "AC-2", "B", "AC-4", "AC-5"])
    );
    let texts: Vec<&str> = task.criteria.iter().map(|criterion| criterion.text.as_str()).collect();
    assert_eq!(texts, ["It greets.", "It says *who*.", "It is quick.", "four", "five"]);
    let check = &task.criteria[0].checks[0];
    assert_eq!(
        (check.id.as_str(), check.source.as_str()),
        ("AC-1.1", "`pytest tests/test_greet.py -q`")
    );
    assert_eq!(check.how, argv(&["pytest", "tests/test_greet.py", "-q"]));
    let expected = [
        (2, "`id: greet`"),
        (2, "`v: 1`"),
        (5, "`- [ ] **AC-1**`"),
        (6, "the command `pytest tests/test_greet.py -q`"),
        (7, "`- [ ] **AC-2**`"),
        (9, "`- [ ] **B**`"),
        (10, "the command `./check.sh --fast`"),
        (12, "`- [ ] **AC-5**`"),
    ];
    assert_eq!(said, expected.map(|(line, what)| (line, what.to_owned())));
}

#[test]
fn a_number_that_another_criterion_has_is_not_given_again() {
    let (task, _) = filled_in(
        "v: 1\nid: T-1\ntitle: t\n",
        "- [ ] **AC-2** a\n- [ ] b\n- [ ] c\n- [ ] **AC-1** d\n",
    );
    let ids: Vec<&str> = task.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
    assert_eq!(ids, ["AC-2", "AC-3", "AC-4", "AC-1"]);
}
