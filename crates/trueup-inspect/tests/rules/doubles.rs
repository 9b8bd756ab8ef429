//! New files that take another's place because of how names are looked up.

use trueup_inspect::rules::doubles;

fn told(added: &str, there: &[&str]) -> bool {
    let found = doubles(&[added], &|path| there.contains(&path));
    // The path is told beside it, and not once more.
    let is_told = |what: &str| what.starts_with("beside `") && !what.contains(&format!("`{added}`"));
    assert!(found.iter().all(|one| one.path == added && is_told(&one.what)));
    !found.is_empty()
}

#[test]
fn a_file_that_is_looked_for_before_another_of_its_name_is_told() {
    let rows = [
        ("src/price.mjs", "src/price.ts"),
        ("src/price.js", "src/price.ts"),
        ("src/price.ts", "src/price.js"),
        ("src/price.json", "src/price.ts"),
        ("src/price.node", "src/price.ts"),
        ("src/price.wasm", "src/price.tsx"),
        ("index.cjs", "index.js"),
        ("src/price.ts", "src/price/index.ts"),
        ("src/price.js", "src/price/index.ts"),
        ("shop/price/__init__.py", "shop/price.py"),
        ("shop/price.so", "shop/price.py"),
        ("shop/price.cpython-312-x86_64-linux-gnu.so", "shop/price.py"),
        ("shop/price.pyd", "shop/price.py"),
        ("shop/__init__.py", "src/shop/__init__.py"),
        ("src/shop/__init__.py", "shop/__init__.py"),
        ("shop.py", "src/shop/__init__.py"),
        ("tests/shop/__init__.py", "shop/__init__.py"),
        ("tests/shop.py", "src/shop.py"),
        ("price", "price.c"),
        ("lib/price.o", "lib/price.c"),
        ("lib/price.h.gch", "lib/price.h"),
        ("a/Price.class", "a/Price.java"),
        ("price_linux.syso", "price_linux.go"),
    ];
    for (added, there) in rows {
        assert!(told(added, &[added, there]), "{added} beside {there}");
    }
}

#[test]
fn a_file_that_takes_nobodys_place_is_not_told() {
    let rows: &[(&str, &[&str])] = &[
        ("src/price.test.ts", &["src/price.ts"]),
        ("src/price.d.ts", &["src/price.js"]),
        ("src/price.css", &["src/price.tsx"]),
        ("src/price.module.css", &["src/price.tsx"]),
        ("src/price.md", &["src/price.ts"]),
        ("src/price.stories.tsx", &["src/price.tsx"]),
        ("src/steps.mjs", &["src/price.ts"]),
        ("data/price.json", &["src/price.ts"]),
        ("src/price.json", &["src/price.js"]),
        ("src/price/index.ts", &["src/price.ts"]),
        ("src/price.vue", &["src/price.ts"]),
        ("tsconfig.json", &["src/tsconfig.ts"]),
        ("shop/price.pyi", &["shop/price.py"]),
        ("shop/price/test_price.py", &["shop/price.py"]),
        ("shop/price.py", &["shop/price/__init__.py"]),
        ("shop/shop.py", &["shop/__init__.py"]),
        ("tests/__init__.py", &["tests/test_price.py"]),
        ("tests/shop/__init__.py", &["tests/__init__.py", "shop/__init__.py"]),
        ("tests/unit/shop/__init__.py", &["shop/__init__.py"]),
        ("src/price/mod.rs", &["src/lib.rs"]),
        ("price_test.go", &["price.go"]),
        ("price_linux.go", &["price.go"]),
        ("price.h", &["price.c"]),
        ("Makefile", &["price.c"]),
        ("", &[""]),
        (".ts", &[".js"]),
    ];
    for (added, there) in rows {
        assert!(!told(added, there), "{added} beside {there:?}");
    }
}

#[test]
fn a_file_that_was_moved_away_has_no_double() {
    assert!(!told("src/price.mjs", &["src/price.mjs"]));
    assert!(!told("shop/price/__init__.py", &["shop/price/__init__.py"]));
}

#[test]
fn of_several_added_files_each_double_is_told_once() {
    let there = ["src/a.ts", "src/b.ts"];
    let found = doubles(&["src/a.js", "src/c.js", "src/b.mjs"], &|path| there.contains(&path));
    let paths: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["src/a.js", "src/b.mjs"]);
}
