mod common;

use common::{check, check_table, shop};
use routes::{Pattern, Router, Segment};

#[test]
fn fixed_paths() {
    check(&shop(), "/", "home", &[]);
    check(&shop(), "/about", "about", &[]);
}

#[test]
fn unknown_paths_have_no_route() {
    for path in ["/nowhere", "/about/us", "/users", "/users/7/orders"] {
        assert_eq!(shop().find(path), None, "{path}");
    }
}

#[test]
fn parameters_take_one_segment() {
    let router = Router::new().add("/:year/:month", "archive");
    check(&router, "/2024/05", "archive", &[("year", "2024"), ("month", "05")]);
    assert!(router.find("/2024/").is_none());
    assert!(router.find("/2024/05/01").is_none());
}

#[test]
fn paths_of_the_shop() {
    check_table(&shop(), include_str!("data/shop.txt"));
}

#[test]
fn reads_patterns() {
    let pattern = Pattern::parse("/users/:id/*more");
    assert_eq!(
        pattern.segments,
        [Segment::Literal("users".into()), Segment::Param("id".into()), Segment::Rest("more".into())]
    );
}
