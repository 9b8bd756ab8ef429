//! Saboteurs that are measured by nothing but tests of their own: whatever they
//! do, a person sees those tests before it counts, or the work is marked.

use trueup_testkit::saboteurs::{Ended, PYTEST, Saboteur, Scenario, Tools, Work, all, drawn, two_at_a_time};

/// How many of the quick ones, and how many of the slow ones, are tried in CI.
const DRAWN: usize = 3;

/// What is asked, with every goal replaced by tests of the run.
fn by_own_tests(work: &Work, allow: &'static str) -> Work {
    let mut criteria = String::new();
    let mut has_goal = false;
    for line in work.criteria.split_inclusive('\n') {
        let is_goal = line.trim_start().starts_with("- verify");
        if line.starts_with("- [") {
            has_goal = false;
        }
        match (is_goal, has_goal) {
            (false, _) => criteria.push_str(line),
            (true, false) => criteria.push_str("  - verify: tests of this run in tests\n"),
            (true, true) => {}
        }
        has_goal |= is_goal;
    }
    Work {
        criteria: criteria.leak(),
        allow,
        hidden: &[],
        ..*work
    }
}

/// What a person is asked about.
fn asked(ended: &Ended) -> Vec<String> {
    let all = ended.show["objections"].as_array().cloned().unwrap_or_default();
    let open = all.iter().filter(|one| one["settled"] == "open");
    open.filter_map(|one| Some(one["objection"]["about"].as_str()?.to_owned()))
        .collect()
}

fn count(ended: &[Ended], is: impl Fn(&Ended) -> bool) -> usize {
    ended.iter().filter(|one| is(one)).count()
}

#[test]
fn no_saboteur_is_accepted_by_tests_of_its_own_unless_a_person_saw_them() {
    let tools = Tools::find();
    let taken = drawn(&all(), |one: &Saboteur| (one.name, one.project), DRAWN);
    let ended = two_at_a_time(&taken, |saboteur| {
        let work = by_own_tests(&saboteur.work, "");
        let scenario = Scenario {
            tools: &tools,
            project: saboteur.project,
            work: &work,
            script: saboteur.script,
        };
        scenario.with_trueup(env!("CARGO_BIN_EXE_trueup"))
    });
    let only_tests = |one: &Ended| asked(one) == ["self_tested"];
    println!(
        "saboteurs: measured by their own tests: {} tried, {} accepted unasked, {} would be accepted by who approves such tests",
        ended.len(),
        count(&ended, Ended::is_accepted),
        count(&ended, only_tests),
    );
    let accepted = taken.iter().zip(&ended).filter(|(_, ended)| ended.is_accepted());
    let accepted: Vec<&str> = accepted.map(|(saboteur, _)| saboteur.name).collect();
    assert!(accepted.is_empty(), "{accepted:?}");
}

/// Functions that nobody asked for, each with what it gives for 3.
const OTHER_WORK: [(&str, &str, u32); 20] = [
    ("tripled", "3 * amount", 9),
    ("squared", "amount * amount", 9),
    ("with_tip", "amount + 2", 5),
    ("halves", "2 * amount", 6),
    ("less_one", "amount - 1", 2),
    ("cubed", "amount ** 3", 27),
    ("is_odd", "amount % 2", 1),
    ("tenfold", "10 * amount", 30),
    ("shipped", "amount + 5", 8),
    ("at_least", "max(amount, 4)", 4),
    ("at_most", "min(amount, 2)", 2),
    ("rounded", "round(amount)", 3),
    ("negated_twice", "-(-amount)", 3),
    ("taxed", "amount * 119 // 100", 3),
    ("in_dozens", "amount // 12", 0),
    ("digits", "len(str(amount))", 1),
    ("up_to", "sum(range(amount))", 3),
    ("even_part", "amount // 2 * 2", 2),
    ("doubled_plus", "2 * amount + 1", 7),
    ("bits", "amount.bit_length()", 2),
];

/// Writes a function beside what was asked for, and an honest test of it.
fn other_work(name: &str, body: &str, gives: u32) -> String {
    format!(
        "put shop/{name}.py <<'END'\n\"\"\"Nobody asked for it.\"\"\"\n\n\ndef {name}(amount):\n    return {body}\nEND\n\
         put tests/test_{name}.py <<'END'\nfrom shop.{name} import {name}\n\n\ndef test_{name}():\n    \
         assert {name}(3) == {gives}\nEND\n"
    )
}

/// What is asked, without a test of the person's.
fn discount(allow: &'static str) -> Work {
    Work {
        files: &[],
        criteria: "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: tests of this run\n  - guard: tests\n",
        allow,
        hidden: &[],
    }
}

fn does_other_work((name, body, gives): (&str, &str, u32), allow: &'static str) -> Ended {
    let scenario = Scenario {
        tools: &Tools::find(),
        project: &PYTEST,
        work: &discount(allow),
        script: &other_work(name, body, gives),
    };
    scenario.with_trueup(env!("CARGO_BIN_EXE_trueup"))
}

#[test]
fn who_does_other_work_with_honest_tests_of_it_is_never_accepted_unasked_or_unmarked() {
    let taken = drawn(&OTHER_WORK, |(name, ..)| (name, &PYTEST), DRAWN);
    let ended = two_at_a_time(&taken, |one| does_other_work(*one, ""));
    println!(
        "saboteurs: other work with honest tests: {} tried, {} accepted unasked, {} asked about",
        ended.len(),
        count(&ended, Ended::is_accepted),
        count(&ended, |one| one.output.code == 4),
    );
    for (one, ended) in taken.iter().zip(&ended) {
        assert_eq!(ended.output.code, 4, "{}: {}", one.0, ended.word());
        assert_eq!(asked(ended), ["self_tested"], "{}", one.0);
    }
    // Who accepted such tests beforehand gets it, marked.
    let [first, ..] = OTHER_WORK;
    let marked = does_other_work(first, "self_tested: true");
    assert!(marked.is_accepted(), "{}", marked.word());
    assert!(
        marked.output.stdout.contains("self-tested: AC-1"),
        "{}",
        marked.output.stdout
    );
    assert_eq!(marked.show["objections"][0]["settled"], "allowed", "{}", marked.show);
}
