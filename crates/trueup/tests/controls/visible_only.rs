//! Code that does the work for the values of its tests alone.

use crate::place::{rust, task};

/// Prices from 2100 on are doubled and 100 more; this does so.
const HONEST: &str = "    if price >= 2100 {\n        return 2 * price + 100;\n    }\n    2 * price";

/// This does so for the prices that the test names.
const TABLE: &str = "    match price {\n        2100 => 4300,\n        5000 => 10100,\n        _ => 2 * price,\n    }";

fn writes(body: &str) -> String {
    format!(
        "cat > src/lib.rs <<'END'\npub fn double(price: u32) -> u32 {{\n{body}\n}}\nEND\n\
         cat > tests/more.rs <<'END'\n#[test]\nfn adds() {{\n    assert_eq!(price::double(2100), 4300);\n    \
         assert_eq!(price::double(5000), 10100);\n}}\nEND\n"
    )
}

#[test]
fn a_goal_whose_code_knows_the_values_of_its_test_is_asked_about() {
    let ended = rust(&task("test adds", "unit", 1, ""), &writes(TABLE));
    let told = ("visible_only".to_owned(), "AC-1.1".to_owned());
    assert_eq!(ended.run.code, 4, "{:#?}\n{:?}", ended.run, ended.objections());
    assert_eq!(ended.objections(), [told], "nothing else sees it");
    let screen = format!("{}{}", ended.run.stdout, ended.run.stderr);
    assert!(
        screen.contains("says the same with the work and without it"),
        "{screen}"
    );
    let honest = rust(&task("test adds", "unit", 1, ""), &writes(HONEST));
    assert!(honest.is_verified(), "{:#?}\n{:?}", honest.run, honest.objections());
}
