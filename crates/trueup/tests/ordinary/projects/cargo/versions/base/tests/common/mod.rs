use std::cmp::Ordering;
use versions::{compare, parse};

pub fn check_order(a: &str, b: &str, expected: Ordering) {
    let got = compare(&parse(a).unwrap(), &parse(b).unwrap());
    assert_eq!(got, expected, "{a} and {b}");
}
