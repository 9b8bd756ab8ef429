//! The table of capabilities is whole, and every proof it names exists.

use crate::{breaks, holds, house::House, keeps};

const TABLE: &str = "docs/capabilities.md";

/// Another page whose last column names proofs.
const THREATS: &str = "docs/threats.md";

/// The capabilities are numbered from 1 to this.
const LAST: u32 = 220;

/// What stands where no test proves a capability.
const NOT_YET: &str = "not yet";

/// Every number stands in the table exactly once.
fn every_number_once(house: &House) -> Vec<String> {
    let Some(table) = house.paper(TABLE) else {
        return vec![format!("{TABLE}: it is missing")];
    };
    let mut findings = Vec::new();
    let mut numbers = Vec::new();
    for (cell, _, _) in rows(&table.text) {
        match range(cell) {
            Some(range) => numbers.extend(range),
            None => findings.push(format!("{TABLE}: `{cell}` is neither a number nor a range")),
        }
    }
    for number in 1..=LAST {
        match numbers.iter().filter(|held| **held == number).count() {
            1 => {}
            0 => findings.push(format!("{TABLE}: {number} is missing")),
            times => findings.push(format!("{TABLE}: {number} stands there {times} times")),
        }
    }
    let beyond = numbers.iter().filter(|number| !(1..=LAST).contains(*number));
    findings.extend(beyond.map(|number| format!("{TABLE}: there is no capability {number}")));
    findings
}

/// Every capability and every defence is shown by tests that exist, or not yet.
fn every_proof_exists(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for page in [TABLE, THREATS] {
        let Some(table) = house.paper(page) else {
            findings.push(format!("{page}: it is missing"));
            continue;
        };
        for (subject, words, proof) in rows(&table.text) {
            if words.is_empty() {
                findings.push(format!("{page}: {subject} has no words"));
            }
            let tests: Vec<&str> = proof.split('`').skip(1).step_by(2).collect();
            if tests.is_empty() && proof != NOT_YET {
                findings.push(format!("{page}: {subject} is shown neither by a test nor `{NOT_YET}`"));
            }
            let nowhere = tests.into_iter().filter(|test| !exists(house, test));
            findings.extend(nowhere.map(|test| format!("{page}: {subject} names `{test}`, which is nowhere")));
        }
    }
    findings
}

/// The rows of the table: number, words, proof.
fn rows(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    text.lines().filter(|line| line.starts_with('|')).filter_map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let row = (cells.next()?, cells.next()?, cells.next()?);
        (!matches!(row.0, "number" | "threat") && !row.0.starts_with("---")).then_some(row)
    })
}

/// `7`, or `194–206` with either dash.
fn range(cell: &str) -> Option<std::ops::RangeInclusive<u32>> {
    let (first, last) = cell.split_once(['-', '–']).unwrap_or((cell, cell));
    Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
}

/// `crate::file::test_name`: a file (or folder) of that name in that crate
/// that holds such a function.
fn exists(house: &House, test: &str) -> bool {
    let parts: Vec<&str> = test.split("::").collect();
    let [name, file @ .., test] = parts.as_slice() else {
        return false;
    };
    let folder = format!("crates/{}/", name.replace('_', "-"));
    let function = format!("fn {test}(");
    house.ending(".rs").any(|paper| {
        let places: Vec<&str> = paper.path.trim_end_matches(".rs").split('/').collect();
        paper.path.starts_with(&folder)
            && !file.is_empty()
            && file.iter().all(|part| places.contains(part))
            && paper.text.contains(&function)
    })
}

#[test]
fn every_capability_has_its_row() {
    holds(every_number_once);
    breaks(every_number_once, &[], "missing");
    let head = "| number | words | proved by |\n|---|---|---|\n";
    let row = |cell: &str| format!("| {cell} | words | not yet |\n");
    let whole = format!("{head}{}{}", row("1-199"), row("200–220"));
    keeps(every_number_once, &[(TABLE, &whole)]);
    let short = format!("{head}{}{}", row("1-6"), row("8-220"));
    breaks(every_number_once, &[(TABLE, &short)], "7 is missing");
    breaks(
        every_number_once,
        &[(TABLE, &format!("{whole}{}", row("7")))],
        "7 stands there 2 times",
    );
    breaks(
        every_number_once,
        &[(TABLE, &format!("{whole}{}", row("seven")))],
        "neither",
    );
    breaks(
        every_number_once,
        &[(TABLE, &format!("{whole}{}", row("221")))],
        "no capability 221",
    );
}

#[test]
fn every_named_proof_exists() {
    holds(every_proof_exists);
    let threats = (THREATS, "| threat | defence | shown by |\n");
    breaks(every_proof_exists, &[threats], "missing");
    let source = ("crates/trueup-core/tests/rules.rs", "#[test]\nfn it_holds() {}");
    let row = |proof: &str| format!("| 1 | words | {proof} |\n");
    let good = row("`trueup_core::rules::it_holds`");
    keeps(every_proof_exists, &[(TABLE, &good), (THREATS, &good), source]);
    keeps(every_proof_exists, &[(TABLE, &row("not yet")), threats]);
    for bad in [
        "trueup_core::rules::it_hold",
        "trueup_core::other::it_holds",
        "trueup::rules::it_holds",
        "it_holds",
    ] {
        let bad = row(&format!("`{bad}`"));
        breaks(every_proof_exists, &[(TABLE, &bad), threats, source], "nowhere");
        breaks(
            every_proof_exists,
            &[(TABLE, &good), (THREATS, &bad), source],
            "nowhere",
        );
    }
    breaks(every_proof_exists, &[(TABLE, &row("surely")), threats], "neither");
    breaks(
        every_proof_exists,
        &[(TABLE, "| 1 |  | not yet |"), threats],
        "no words",
    );
}
