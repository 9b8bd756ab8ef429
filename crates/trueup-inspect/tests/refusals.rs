//! What cannot be understood is refused, with its line and what to write.

mod reading;

use reading::read;

/// Everything that is said about a file, line by line.
fn said(text: &str) -> Vec<String> {
    read(text.as_bytes())
        .err()
        .unwrap_or_default()
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Whether each expectation is the beginning of what is said, in this order.
fn check(text: &str, expected: &[&str]) {
    let said = said(text);
    let fits = said.len() == expected.len()
        && said
            .iter()
            .zip(expected)
            .all(|(said, expected)| said.contains(expected));
    assert!(fits, "{text}\nexpected {expected:#?}\nsaid {said:#?}");
}

/// A file whose front matter has these lines, from line 5 on.
fn front(lines: &str, expected: &[&str]) {
    check(
        &format!("---\nv: 1\nid: T-1\ntitle: t\n{lines}\n---\n## Acceptance criteria\n- [ ] **A** a\n"),
        expected,
    );
}

/// A file whose criteria section has these lines, from line 7 on.
fn section(lines: &str, expected: &[&str]) {
    check(
        &format!("---\nv: 1\nid: T-1\ntitle: t\n---\n## Acceptance criteria\n{lines}\n"),
        expected,
    );
}

/// A file with one criterion under which this line stands, on line 8.
fn line(line: &str, expected: &[&str]) {
    section(&format!("- [ ] **A** a\n  - {line}"), expected);
}

#[test]
fn unknown_keys_are_refused_at_every_level_with_the_nearest_name() {
    front(
        "titel: x",
        &["line 5: the key `titel` is unknown; did you mean `title`?"],
    );
    front(
        "depends: []",
        &["line 5: the key `depends` is unknown; known are `v`, `id`"],
    );
    front(
        "scope:\n  tuch: []",
        &["line 6: the key `tuch` is unknown; did you mean `touch`?"],
    );
    front(
        "budget: {turn: 1}",
        &["line 5: the key `turn` is unknown; did you mean `turns`?"],
    );
    front(
        "allow: {locks: [], change: []}",
        &["line 5: the key `locks` is unknown; known are `change`"],
    );
    front("x-a: 1\nscope: {x-b: 1}\nbudget: {x-c: [1]}\nallow: {x-d: {}}", &[]);
}

#[test]
fn wrong_values_are_refused_with_what_was_expected() {
    front(
        "size: huge",
        &["line 5: expected a size from 1 to 5 or its name, found `huge`"],
    );
    front(
        "size: meduim",
        &["line 5: expected a size from 1 to 5 or its name, found `meduim`; did you mean `medium`?"],
    );
    front("size: 6", &["line 5: expected a size from 1 to 5 or its name, found 6"]);
    front("size: 0", &["line 5: expected a size"]);
    front("priority: 1", &["line 5: expected a priority, found 1; P0"]);
    front("priority: high", &["line 5: expected a priority, found `high`"]);
    front("needs: T-2", &["line 5: expected a list, like [one, two], found text"]);
    front(
        "needs: [T-2, 3, a b]",
        &[
            "line 5: expected text, found a number; put it in quotes",
            "line 5: `a b` is no task id",
        ],
    );
    front("needs: [T-1]", &["line 5: `T-1` needs itself"]);
    front("base: -x", &["line 5: `-x` is no revision"]);
    front("base:", &["line 5: expected text, found nothing; give it a value"]);
    front("agent: \"a\\nb\"", &["line 5: the text holds a line break"]);
    front(
        "scope: all",
        &["line 5: expected a group of keys (touch, never, max_new_lines), found text"],
    );
    front(
        "scope:\n  touch: [/etc, ../x]\n  never: []\n  max_new_lines: -1",
        &[
            "line 6: `/etc` is absolute",
            "line 6: `../x` climbs out",
            "line 8: -1 is out of range",
        ],
    );
    front(
        "budget: {turns: 0, time: 10, tokens: 1.5, usd: -1}",
        &[
            "line 5: 0 is out of range",
            "line 5: 10 has no unit; write it like 90s",
            "line 5: expected a whole number, found a number",
            "line 5: -1 US dollars are out of range",
        ],
    );
    front(
        "budget: {turns: 9999999999, time: 1m1h, usd: five}",
        &[
            "line 5: 9999999999 is out of range",
            "line 5: `1m1h` is no span of time",
            "line 5: expected an amount in US dollars, found text",
        ],
    );
}

#[test]
fn what_every_task_needs_is_asked_for() {
    let body = "## Acceptance criteria\n- [ ] **A** a\n";
    check(
        &format!("---\nsize: 1\n---\n{body}"),
        &["no `id`; add", "no `title`; add"],
    );
    check(&format!("---\n---\n{body}"), &["line 2: expected a group of keys"]);
    check(
        &format!("---\nv: 2\nid: 1a\ntitle: ''\n---\n{body}"),
        &[
            "line 2: this is version 2",
            "line 3: `1a` is no task id",
            "line 4: the text is empty",
        ],
    );
    for id in ["a/b", "a.b", "a b", "-a", "ä", &"a".repeat(65)] {
        check(&format!("---\nv: 1\nid: {id}\ntitle: t\n---\n{body}"), &["line 3: `"]);
    }
    check(
        body,
        &["line 1: the file has no front matter; begin the file with\n---\nv: 1"],
    );
    check("", &["line 1: the file has no front matter"]);
    check(&format!("---\nv: 1\n{body}"), &["line 1: the front matter never ends"]);
}

#[test]
fn yaml_that_could_surprise_is_refused() {
    front("title: again", &["line 5: `title` stands here twice"]);
    front(
        "title: again\nsiez: 1",
        &["line 5: `title` stands here twice", "line 6: the key `siez` is unknown"],
    );
    front("x-a: &a 1\nx-b: *a", &["uses anchors and aliases"]);
    front("x-a: [[[[[[[[[[1]]]]]]]]]]", &["line 5: "]);
    front("x-a: !run it", &["line 5: this is not valid YAML"]);
    front("<<: {size: 1}", &["line 5: "]);
    front("size: [1", &["this is not valid YAML"]);
    front("...\nsize: 1", &["line 5: `...` would end the front matter"]);
    front("size: 1\n\tbase: x", &["this is not valid YAML"]);
}

#[test]
fn a_criterion_that_is_not_one_is_refused() {
    check(
        "---\nv: 1\nid: T-1\ntitle: t\n---\ntext\n",
        &["line 1: there is no heading `## Acceptance criteria`; write `- [ ]"],
    );
    check(
        "---\nv: 1\nid: T-1\ntitle: t\n---\n### Acceptance criteria\n- [ ] **A** a",
        &["line 6: the criteria stand under a heading of the second level"],
    );
    section("", &["there is no criterion under"]);
    for empty in ["- [ ]", "- [] ", "-"] {
        section(empty, &["line 7: this criterion says nothing"]);
    }
    section("- [ ] **A 1** a", &["line 7: `A 1` is no id of a criterion"]);
    section("- [ ] **A**", &["line 7: this criterion says nothing"]);
    section(
        "- [ ] **A** a\n- [ ] **B** b\n- [ ] **A** c",
        &["line 9: `A` already stands on line 7"],
    );
    section(
        "All of these:\n\n- [ ] **A** a",
        &["line 7: this is no criterion, and no agent would read it here; move it above"],
    );
    section(
        "- [ ] **A** a\n\n```\n- [ ] **B** b\n```",
        &["line 9: this is no criterion"],
    );
    section("    - [ ] **A** a", &["line 7: this is no criterion"]);
}

#[test]
fn a_check_line_in_the_wrong_place_is_refused() {
    section(
        "- [ ] **A** a\n- verify: `true`",
        &["line 8: this check line belongs to no criterion; indent it"],
    );
    section(
        "- [ ] **A** a\n  verify: `true`",
        &["line 8: Markdown reads this check line as part of the text"],
    );
    section(
        "- [ ] **A** a\n      - guard: `true`",
        &["line 8: Markdown reads this check line as part of the text"],
    );
    section(
        "- [ ] **A** a\n  - verify: `true`\n    - guard: `true`",
        &["line 9: nothing can stand under a check line"],
    );
    section(
        "- [ ] **A** a\n  - verify: `true`\n\n  after",
        &["line 10: this is neither the criterion's text nor a check"],
    );
    section(
        "- [ ] **A** a\n  ```\n  x\n  ```\n  - guard: lint",
        &["line 8: this is neither the criterion's text nor a check"],
    );
}

#[test]
fn a_line_under_a_criterion_says_what_it_is() {
    line(
        "verfy: `true`",
        &["line 8: `verfy:` is unknown; did you mean `verify`?"],
    );
    line("Guard: `true`", &["line 8: `Guard:` is unknown; did you mean `guard`?"]);
    line(
        "red first: yes",
        &["line 8: `red first:` is unknown; known are `verify`, `verify hidden`, `guard`"],
    );
    line("guard hidden: `true`", &["line 8: a guard cannot be hidden"]);
    line(
        "`cargo test`",
        &["line 8: this is part of no check; a line under a criterion begins with `verify:`"],
    );
    line("see the notes", &["line 8: this is part of no check"]);
    line("[ ] verify: `true`", &["line 8: this is part of no check"]);
}

#[test]
fn a_check_of_no_known_form_is_refused() {
    line(
        "verify:",
        &["line 8: the check is empty; a check is, for example, a command in backticks"],
    );
    for prose in [
        "it greets by name",
        "make sure it greets",
        "frobnicate --all",
        "src/a.py says hello",
    ] {
        let expected = format!("line 8: `{prose}` is no check; a check is a command in backticks");
        line(&format!("verify: {prose}"), &[expected.as_str()]);
    }
    line(
        "verify: cargo test | tail",
        &["line 8: the unquoted `|` means something only to a shell"],
    );
    line("guard: cargo test `x`", &["line 8: `cargo test `x`` is no check"]);
    line(
        "verify: lnit",
        &["line 8: there is no `[checks.lnit]`; did you mean `lint`?"],
    );
    line(
        "verify: coverage",
        &["line 8: there is no `[checks.coverage]`; known are `lint`, `unit-tests`; a command stands"],
    );
    line("verify: `a` and `b`", &["line 8: `and `b`` stands after the command"]);
    line("verify: `a", &["line 8: the backtick is never closed"]);
    line(
        "verify: `a | b`",
        &["line 8: the unquoted `|` means something only to a shell"],
    );
    line("verify: `A=1 b`", &["line 8: `A=` before the command"]);
    line("verify: `'a`", &["line 8: the quote ' is never closed"]);
    line(
        "verify: file /etc/passwd exists",
        &["line 8: `/etc/passwd` is absolute"],
    );
    line(
        "verify: file a/../../b exists",
        &["line 8: `a/../../b` climbs out with `..`"],
    );
    line("verify: file . exists", &["line 8: the path is empty"]);
    line(
        "verify: file a",
        &["line 8: the line does not say what the file must show"],
    );
    line(
        "verify: file a is there",
        &["line 8: `is there` is nothing a file can show"],
    );
    line(
        "verify: file a has x",
        &["line 8: the regular expression does not stand between slashes"],
    );
    line("verify: file a has /x", &["line 8: the regular expression never ends"]);
    line("verify: file a has //", &["line 8: the regular expression is empty"]);
    line("verify: file a has /x/ y", &["line 8: `y` stands after the check"]);
    line("verify: no /x/ at a", &["line 8: the line does not say where"]);
    line("verify: no /x/ in", &["line 8: the line does not say where"]);
    line("verify: no /x/ in ../a", &["line 8: `../a` climbs out"]);
}

#[test]
fn a_hidden_check_names_a_file_that_can_be_executed() {
    line(
        "verify hidden: secrt.sh",
        &["line 8: there is no file `tasks/hidden/T-1/secrt.sh`; did you mean `secret.sh`?"],
    );
    line(
        "verify hidden: data.txt",
        &["line 8: `tasks/hidden/T-1/data.txt` is not executable; `chmod +x"],
    );
    line(
        "verify hidden: file a exists",
        &["line 8: `file a exists` is no hidden check"],
    );
    line("verify hidden: ../x", &["line 8: `../x` is no hidden check"]);
    line("verify hidden:", &["line 8: `` is no hidden check"]);
    line("verify hidden: `a > b`", &["line 8: the unquoted `>`"]);
    check(
        "---\nv: 1\nid: T-broken\ntitle: t\n---\n## Acceptance criteria\n- [ ] **A** a\n  - verify hidden: x\n",
        &["line 8: the hidden files cannot be read: permission denied"],
    );
}

#[test]
fn all_problems_are_said_at_once_in_the_order_of_the_file() {
    let text = "---\nv: 1\nid: T-1\ntitle: t\nsiez: 1\nbudget: {time: soon}\n---\ntext\n\n## Acceptance criteria\n\
                - [ ] **A 1** nothing\n- [ ] **A** a\n  - verfy: x\n  - verify: `a | b`\n";
    check(text, &["line 5: ", "line 6: ", "line 11: ", "line 13: ", "line 14: "]);
}

#[test]
fn a_place_is_exact_to_the_column() {
    let text =
        "---\nv: 1\nid: T-1\ntitle: t\nscope: {tuch: []}\n---\n## Acceptance criteria\n- [ ] **A** a\n  - verfy: x\n";
    let places: Vec<(u32, u32)> = read(text.as_bytes())
        .expect_err("two slips")
        .iter()
        .map(|p| (p.line, p.column))
        .collect();
    assert_eq!(places, [(5, 9), (9, 5)]);
}

#[test]
fn what_is_no_text_is_refused() {
    let said = |bytes: &[u8]| read(bytes).expect_err("refused")[0].to_string();
    assert_eq!(said(b"---\nv: \xff\n"), "line 2: the line is not UTF-8 text");
    assert_eq!(
        said(b"---\nv: 1\n\n\x1b[0m"),
        "line 4: the line holds a control character, \\u{1b}; remove it"
    );
    assert!(said(&vec![b'a'; 1024 * 1024 + 1]).starts_with("line 1: the file has 1048577 bytes"));
}
