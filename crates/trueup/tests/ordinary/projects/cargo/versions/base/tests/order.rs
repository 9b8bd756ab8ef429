mod common;

use common::check_order;
use std::cmp::Ordering::{Equal, Greater, Less};
use versions::{compare, parse};

#[test]
fn compares_numbers() {
    check_order("1.2.3", "1.10.0", Less);
    check_order("2.0.0", "1.9.9", Greater);
    check_order("1.0.0", "1.0.0", Equal);
}

#[test]
fn a_release_comes_after_its_candidates() {
    check_order("1.0.0-rc.1", "1.0.0", Less);
    check_order("1.0.0", "1.0.0-alpha", Greater);
}

#[test]
fn sorts_the_list() {
    let list = include_str!("data/order.txt");
    let expected: Vec<_> = list.lines().map(|line| parse(line).unwrap()).collect();
    let mut sorted = expected.clone();
    sorted.reverse();
    sorted.sort_by(compare);
    assert_eq!(sorted, expected);
}

#[test]
fn reads_versions() {
    assert!(parse("1.0").is_none());
    assert!(parse("1.0.x").is_none());
    assert_eq!(parse("1.0.0-rc.1").unwrap().pre, ["rc", "1"]);
}
