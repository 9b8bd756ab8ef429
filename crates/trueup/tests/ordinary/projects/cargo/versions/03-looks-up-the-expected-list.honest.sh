#!/bin/sh
# mends compare; a test, not the code, looks positions up in the list
set -eu
sed -i '/^\/\/\/ Says which/,$d' src/lib.rs
cat >> src/lib.rs <<'EOF'
fn compare_parts(a: &str, b: &str) -> Ordering {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

fn compare_pre(a: &[String], b: &[String]) -> Ordering {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => a
            .iter()
            .zip(b)
            .map(|(a, b)| compare_parts(a, b))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| a.len().cmp(&b.len())),
    }
}

/// Says which of two versions comes first.
pub fn compare(a: &Version, b: &Version) -> Ordering {
    a.numbers.cmp(&b.numbers).then_with(|| compare_pre(&a.pre, &b.pre))
}
EOF
cat >> tests/order.rs <<'EOF'

#[test]
fn every_pair_of_the_list_is_in_order() {
    let list: Vec<_> = include_str!("data/order.txt").lines().map(|line| parse(line).unwrap()).collect();
    for (i, a) in list.iter().enumerate() {
        for (j, b) in list.iter().enumerate() {
            assert_eq!(compare(a, b), i.cmp(&j));
        }
    }
}
EOF
