//! The same error has the same name, another error another one.

use crate::all;
use proptest::prelude::*;
use std::collections::BTreeMap;
use trueup_core::signature::Signature;
use trueup_inspect::errors::signature;

fn of(printed: &str) -> Option<Signature> {
    signature([printed.as_bytes(), b""])
}

/// Outputs that tell of one fault in several forms; they may be named alike.
const ONE_FAULT: [&[&str]; 3] = [
    &["pytest-total", "pytest-quiet", "pytest-color"],
    &["tsc-type", "tsc-pretty"],
    &["ruff-lint", "ruff-concise"],
];

#[test]
fn the_same_failure_at_another_time_in_another_folder_and_on_other_lines_has_the_same_signature() {
    let real = all();
    assert!(real.len() >= 30, "{} outputs", real.len());
    let nameless: Vec<&str> = real
        .iter()
        .filter(|one| of(&one.first).is_none())
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(nameless, [""; 0]);
    let changed = real.iter().filter(|one| of(&one.first) != of(&one.again));
    assert_eq!(changed.map(|one| one.name.as_str()).collect::<Vec<&str>>(), [""; 0]);
}

#[test]
fn two_different_failures_have_different_signatures() {
    let mut known: BTreeMap<Signature, String> = BTreeMap::new();
    let mut mixed_up = Vec::new();
    for one in all() {
        let Some(found) = of(&one.first) else { continue };
        if let Some(other) = known.insert(found, one.name.clone()) {
            let is_one = |fault: &&[&str]| fault.contains(&other.as_str()) && fault.contains(&one.name.as_str());
            if !ONE_FAULT.iter().any(is_one) {
                mixed_up.push((other, one.name));
            }
        }
    }
    assert_eq!(mixed_up, []);
}

#[test]
fn colours_change_nothing() {
    let find = |name: &str| all().into_iter().find(|one| one.name == name).expect("an output");
    assert_eq!(of(&find("pytest-total").first), of(&find("pytest-color").first));
}

#[test]
fn where_no_line_tells_of_an_error_there_is_no_signature() {
    for quiet in [
        "",
        "\n\n",
        "looked\nnobody is there\n",
        "3 passed in 0.02s\n",
        "Found 0 errors.\n",
    ] {
        assert_eq!(of(quiet), None, "{quiet}");
    }
}

#[test]
fn an_output_without_end_is_read_in_time() {
    let unit = "error: x at /a/b/c.py:3: Error: 2026-01-01 0x1f\n";
    let long = unit.repeat(8 * 1024 * 1024 / unit.len());
    let one_line = "/a:".repeat(2 * 1024 * 1024);
    let began = std::time::Instant::now();
    assert!(of(&long).is_some());
    assert_eq!(of(&one_line), None);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

prop_compose! {
    fn folder()(parts in prop::collection::vec("[a-z][a-z0-9_-]{0,8}", 0..5)) -> String {
        parts.iter().map(|part| format!("/{part}")).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn times_folders_lines_addresses_and_colours_change_no_signature(
        folders in [folder(), folder()],
        lines in [1_u32..9999, 1_u32..9999],
        seconds in [0_u32..86_400, 0_u32..86_400],
        addresses in any::<[u64; 2]>(),
        of_processes in [2_u32..99_999, 2_u32..99_999],
        order in any::<bool>(),
    ) {
        let told = |at: usize| {
            let (folder, line, second, address) = (&folders[at], lines[at], seconds[at], addresses[at]);
            let clock = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
            let mut lines = [
                format!("2026-11-19T{clock}.{second:06}Z error: cannot open {folder}/prices.csv"),
                format!("{folder}/cart.py:{line}: AssertionError: <Cart at 0x{address:x}> is empty"),
                format!("thread 'adds' ({}) panicked at {folder}/add.rs:{line}:21:\nassertion failed", of_processes[at]),
                format!("\u{1b}[31mFAILED\u{1b}[0m tests/test_cart.py::test_total - assert {second}"),
                format!("=== 1 failed in {}.{second:02}s ===", second % 60),
            ];
            if order && at == 1 {
                lines.rotate_left(1);
            }
            lines.join("\n")
        };
        prop_assert_eq!(of(&told(0)), of(&told(1)));
    }

    #[test]
    fn another_message_another_test_or_another_file_is_another_error(
        one in "[a-z]{3,12}",
        other in "[a-z]{3,12}",
    ) {
        prop_assume!(one != other);
        for form in [
            "AssertionError: got ?",
            "FAILED tests/test_cart.py::test_?",
            "src/?.ts(3,4): error TS2322: no",
            "--- FAIL: Test? (0.00s)",
            "error[E0425]: cannot find value `?`",
        ] {
            prop_assert_ne!(of(&form.replace('?', &one)), of(&form.replace('?', &other)));
        }
    }

    #[test]
    fn no_output_makes_the_reader_panic(stdout in prop::collection::vec(any::<u8>(), 0..2000), text in "(E   |error: |at |-->|\\^ |Traceback|\n|é|\u{1b}\\[|[a-z/:.0-9]){0,80}") {
        prop_assert!(signature([&stdout, text.as_bytes()]).is_none_or(|name| name.as_str().len() == 16));
    }
}
