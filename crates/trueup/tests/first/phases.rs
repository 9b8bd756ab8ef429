//! What an agent may do in each phase, and what becomes of the rest.

use crate::place::{Agent, GOALS, TESTS, carried_out, delivered, household, kept};
use trueup_testkit::saboteurs::PYTEST;

#[test]
fn code_written_in_the_phase_of_tests_is_put_back_kept_and_told() {
    let place = household(
        &PYTEST,
        GOALS,
        Agent {
            tests: &format!("{TESTS}honest\nput notes.md < /dev/null"),
            // What was put back can be looked at, and taken in its own phase.
            work: "told 'this phase may change tests only; `shop/price.py` was put back'\n\
                   told '`notes.md` was taken away'\n\
                   ! grep -q 95 shop/price.py\n! test -e notes.md\ntest -e tests/test_discount.py\n\
                   git show refs/trueup/rescue:shop/price.py > shop/price.py",
            ..Agent::default()
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 3, "{:#?}", told.events);
    let findings = told.findings(1);
    assert_eq!(
        findings,
        [
            "this phase may change tests only; `notes.md` was taken away",
            "this phase may change tests only; `shop/price.py` was put back",
            "this git ref holds the files as you left them, for the phase they belong to",
        ]
    );
    let left = kept(&place, "refs/rescue/T-001.1/turn-001", "shop/price.py");
    assert!(left.contains("95"), "{left}");
    let lawful = told.turns()[0]["tree"].as_str().expect("a tree").to_owned();
    assert!(!kept(&place, &lawful, "shop/price.py").contains("95"));
    assert!(kept(&place, &lawful, "tests/test_discount.py").contains("test_from_100"));
    assert!(delivered(&place, "shop/price.py").contains("95"));
}

#[test]
fn tests_changed_in_the_phase_of_work_are_put_back() {
    let weak = "put tests/test_discount.py <<'END'\ndef test_from_100():\n    pass\n\n\ndef test_rounded_down():\n    pass\nEND";
    let place = household(
        &PYTEST,
        GOALS,
        Agent {
            tests: TESTS,
            work: &format!(
                "if told 'this phase may not change tests; `tests/test_discount.py` was put back'; then\n\
                 grep -q 'discount(199) == 189' tests/test_discount.py\nhonest\nelse\n{weak}\nrm tests/test_price.py\nfi"
            ),
            ..Agent::default()
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 4, "{:#?}", told.events);
    assert_eq!(told.findings(2).len(), 3, "{:?}", told.findings(2));
    assert_eq!(told.turns()[0]["tree"], told.turns()[1]["tree"], "nothing was left");
    assert!(delivered(&place, "tests/test_discount.py").contains("discount(199) == 189"));
    assert!(delivered(&place, "tests/test_price.py").contains("test_total"));
}

#[test]
fn tests_that_pass_before_the_work_are_not_taken_for_first_ones() {
    let empty = "put tests/test_discount.py <<'END'\ndef test_from_100():\n    assert True\n\n\ndef test_rounded_down():\n    assert True\nEND";
    let place = household(
        &PYTEST,
        GOALS,
        Agent {
            tests: &format!("if told 'it passes before the work is done'; then\n{TESTS}else\n{empty}\nfi"),
            work: "honest",
            ..Agent::default()
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 4, "{:#?}", told.events);
}

#[test]
fn broken_tests_are_not_taken_for_first_ones() {
    let broken = "put tests/test_discount.py <<'END'\nfrom shop.price import discount\n\n\ndef test_from_100(:\n    assert discount(100) == 95\nEND";
    let place = household(
        &PYTEST,
        GOALS,
        Agent {
            tests: &format!("if told 'the test itself is broken'; then\n{TESTS}else\n{broken}\nfi"),
            work: "honest",
            ..Agent::default()
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 4, "{:#?}", told.events);
}

#[test]
fn tests_that_do_not_prove_the_work_are_made_stronger_by_themselves() {
    let weak = "put tests/test_discount.py <<'END'\nfrom shop.price import discount\n\n\ndef test_from_100():\n    assert discount(100) != 100\n\n\ndef test_rounded_down():\n    assert discount(199) != 199\nEND";
    let place = household(
        &PYTEST,
        GOALS,
        Agent {
            tests: weak,
            work: &format!(
                "if told 'This turn: stronger tests'; then\n{TESTS}put shop/more.py < /dev/null\nelse\nhonest\nfi"
            ),
            ..Agent::default()
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 4, "{:#?}", told.events);
    assert!(
        told.findings(3)[0].contains("tests only; `shop/more.py` was taken away"),
        "{:?}",
        told.findings(3)
    );
    assert!(delivered(&place, "tests/test_discount.py").contains("discount(199) == 189"));
}

#[test]
fn a_phase_of_tests_that_writes_none_goes_no_further() {
    let place = household(&PYTEST, GOALS, Agent::default());
    let path = place.checkout().join("tasks/T-001.md");
    let task = std::fs::read_to_string(path).expect("a task");
    place.task("T-001", &task.replace("size: 3\n", "size: 3\nbudget: { turns: 2 }\n"));
    place.commit("Two turns");
    let told = carried_out(&place);
    assert_eq!(told.run.code, 5, "{:#?}", told.run);
    assert_eq!(told.show["outcome"], "stuck");
    for turn in told.turns() {
        assert_eq!(turn["tree"], told.turns()[0]["tree"]);
    }
}

#[test]
fn what_was_put_better_is_delivered_if_all_stays_green() {
    let better = "sub shop/price.py 's/paid for an amount/paid for an amount of cents/'";
    let place = household(
        &PYTEST,
        GOALS,
        Agent {
            tests: TESTS,
            work: "honest",
            polish: better,
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 3);
    assert!(delivered(&place, "shop/price.py").contains("an amount of cents"));
    assert_eq!(told.show["tree"], told.turns()[2]["tree"]);
}

#[test]
fn what_was_put_better_and_breaks_something_is_taken_back() {
    let worse = "sub shop/price.py 's/return sum.items./return 0/'\nput shop/extra.py < /dev/null";
    let place = household(
        &PYTEST,
        GOALS,
        Agent {
            tests: TESTS,
            work: "honest",
            polish: worse,
        },
    );
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 3);
    assert_ne!(told.turns()[1]["tree"], told.turns()[2]["tree"]);
    assert_eq!(told.show["tree"], told.turns()[1]["tree"], "what was proved");
    assert!(delivered(&place, "shop/price.py").contains("return sum(items)"));
    let extra = place.try_git(&["cat-file", "-e", "trueup/T-001:shop/extra.py"]);
    assert_ne!(extra.code, 0, "nothing of it is delivered");
}
