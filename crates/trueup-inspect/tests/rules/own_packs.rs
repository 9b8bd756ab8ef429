//! Packs that a repository brings.

use std::collections::BTreeMap;
use trueup_inspect::rules::{
    Catalogue, PackError, catalogue, differences, is_protected, silencing, suppressions, suppressions_since, suspicions,
};

const FILE: &str = "tools/rules.toml";

/// A pack with one rule, which looks for this.
fn pack(id: &str, looks_for: &str) -> String {
    format!(
        "languages = [\"python\"]\n\n[[rule]]\nid = \"{id}\"\nlevel = \"ask\"\nmessage = \"is not for the shop\"\n\
         why = \"It never was.\"\nbad = []\ngood = []\n{looks_for}\n"
    )
}

fn with(packs: &[(&str, String)]) -> Result<Catalogue, PackError> {
    let packs = packs.iter().map(|(file, text)| ((*file).to_owned(), text.clone()));
    Catalogue::with(packs.collect::<BTreeMap<_, _>>())
}

fn own(looks_for: &str) -> Catalogue {
    let read = with(&[(FILE, pack("shop/own", looks_for))]);
    assert!(read.is_ok(), "{looks_for}: {read:?}");
    read.unwrap_or_default()
}

/// The rules that a new file of this text breaks by its lines.
fn of_lines(rules: &Catalogue, path: &str, text: &str) -> Vec<String> {
    let found = suspicions(rules, path, None, text).into_iter();
    let breaches = found.flat_map(|one| one.breaks);
    breaches.map(|breach| breach.rule.id.to_string()).collect()
}

/// The rules that a change of a file breaks as a whole, or by its keys.
fn of_files(rules: &Catalogue, path: &str, before: &str, after: &str) -> Vec<String> {
    let found = differences(rules, path, Some(before.as_bytes()), Some(after.as_bytes()), "tasks");
    found.iter().map(|one| one.rule.id.to_string()).collect()
}

#[test]
fn a_rule_about_lines_finds_what_it_says_and_what_others_think_harmless() {
    let rules = own("where = \"production\"\ncode = ['\\bexit\\(1\\)']");
    assert_eq!(of_lines(&rules, "price.py", "exit(1)\n"), ["shop/own"]);
    assert_eq!(of_lines(&rules, "tests/test_price.py", "exit(1)\n"), [""; 0]);
    assert_eq!(of_lines(&rules, "price.rs", "exit(1)\n"), [""; 0]);
    assert_eq!(of_lines(catalogue(), "price.py", "exit(1)\n"), [""; 0]);
    assert_eq!(
        of_lines(&rules, "price.py", "import os\nos._exit(0); exit(1)\n"),
        ["py/ends-process", "shop/own"],
        "both are told"
    );
}

#[test]
fn a_rule_about_markers_counts_them_under_their_name() {
    let rules = own("marker = \"calm\"\nwhere = \"anywhere\"\ncomment = ['\\bcalm\\b']");
    let text = "a = 1  # calm\nb = 2  # calm, noqa\n";
    assert_eq!(
        suppressions(&rules, "price.py", text),
        BTreeMap::from([("calm", 2), ("noqa", 1)])
    );
    assert_eq!(suppressions_since(&rules, "price.py", None, text)["calm"], 2);
    let rule = silencing(&rules, "price.py", "calm").expect("its rule");
    assert_eq!((rule.id.as_str(), rule.file.as_deref()), ("shop/own", Some(FILE)));
}

#[test]
fn a_rule_about_paths_or_keys_tells_of_their_change_whoever_reads_them() {
    let rules = own("paths = [\"db/schema.sql\", \".eslintrc.json\"]");
    assert_eq!(of_files(&rules, "db/schema.sql", "a", "b"), ["shop/own"]);
    assert_eq!(of_files(&rules, "db/seeds.sql", "a", "b"), [""; 0]);
    assert_eq!(
        of_files(&rules, ".eslintrc.json", "{\"a\": 1}", "{\"a\": 2}"),
        ["any/linter-settings", "shop/own"]
    );
    let change = (Some(&b"{\"a\": 1}"[..]), Some(&b"{\"a\": 2}"[..]));
    let found = differences(&rules, ".eslintrc.json", change.0, change.1, "tasks");
    assert!(found[0].readers.is_some() && found[1].readers.is_none(), "{found:?}");
    let rules = own("file = \"deploy.json\"\ncounts = \"all\"\nkeys = [\"where.*\"]");
    let before = "{\"where\": {\"host\": \"a\"}, \"b\": 1}";
    assert_eq!(
        of_files(
            &rules,
            "deploy.json",
            before,
            "{\"where\": {\"host\": \"c\"}, \"b\": 1}"
        ),
        ["shop/own"]
    );
    assert_eq!(
        of_files(
            &rules,
            "deploy.json",
            before,
            "{\"where\": {\"host\": \"a\"}, \"b\": 2}"
        ),
        [""; 0]
    );
    assert_eq!(
        of_files(&rules, "deploy.json", before, "{"),
        ["shop/own"],
        "it could say anything"
    );
}

#[test]
fn a_rule_of_a_pack_hides_nothing_that_others_find() {
    // A file that decides how tests run is read as none of the production code; one that a pack names is.
    let rules = own("paths = [\"src/\"]");
    assert_eq!(
        of_lines(&rules, "src/price.py", "import os\nos._exit(0)\n"),
        ["py/ends-process"]
    );
    // What nothing describes counts in package.json, whatever a pack calls it.
    let rules = own("file = \"package.json\"\ncounts = \"all\"\nkeys = [\"jest\"]");
    let (before, after) = ("{\"jest\": {\"a\": 1}}", "{\"jest\": {\"a\": 2}}");
    let built_in = of_files(catalogue(), "package.json", before, after);
    assert!(!built_in.is_empty());
    assert_eq!(
        of_files(&rules, "package.json", before, after),
        [built_in, vec!["shop/own".to_owned()]].concat()
    );
    // A lock file is a question of what is installed, and stays one.
    assert!(trueup_inspect::rules::is_lock("vendor/a.go"));
}

#[test]
fn a_pack_tells_trueup_how_work_is_checked_wherever_it_lies() {
    let lying = |file: &str| with(&[(file, pack("shop/own", "paths = [\"a\"]"))]).expect("a pack");
    for file in [FILE, "ruff.toml", "Cargo.lock", "docs/house.txt"] {
        let rules = lying(file);
        let changed = of_files(&rules, file, "a = 1\n", "a = 2\n");
        assert!(
            changed.contains(&"any/trueup-settings".to_owned()),
            "{file}: {changed:?}"
        );
        let gone = differences(&rules, file, Some(b"a = 1\n"), None, "tasks");
        assert!(gone.iter().any(|one| one.readers.is_none()), "{file}: {gone:?}");
        assert!(is_protected(&rules, file), "{file}");
    }
    assert!(!is_protected(catalogue(), "docs/house.txt"));
    assert_eq!(
        of_files(&lying(FILE), "Tools/Rules.toml", "a = 1\n", "a = 2\n"),
        ["any/trueup-settings"],
        "one file on some machines"
    );
    assert_eq!(of_files(&lying(FILE), FILE, "a = 1\n", "a  =  1 # one\n"), [""; 0]);
}

#[test]
fn a_pack_is_refused_for_what_would_find_nothing_or_take_anothers_place() {
    let lines = "where = \"production\"\ncode = ['a']";
    for (id, looks_for, told) in [
        ("py/ends-process", lines, "is the id of a rule that comes with trueup"),
        ("any/unreadable-pack", lines, "is an id that trueup keeps for itself"),
        ("Shop/own", lines, "is no id"),
        ("shop/own", "detector = true", "has a `detector`"),
        (
            "shop/own",
            "code = ['a']",
            "looks for nothing, or for several things at once",
        ),
        ("shop/own", "where = \"anywhere\"\ncode = ['a']", "looks for nothing"),
        ("shop/own", "where = \"production\"\ncode = ['a(']", "looks for `a(`"),
        (
            "shop/own",
            "where = \"production\"\ncode = ['\\p{Greek}']",
            "no regular expression over ASCII",
        ),
        (
            "shop/own",
            "marker = \"noqa\"\nwhere = \"anywhere\"\ncomment = ['a']",
            "counts the marker `noqa`",
        ),
        (
            "shop/own",
            "file = \"deploy.conf\"\ncounts = \"all\"\nkeys = [\"a\"]",
            "neither JSON, TOML, YAML nor INI",
        ),
    ] {
        let refused = with(&[(FILE, pack(id, looks_for))]).map(drop).expect_err(told);
        assert!(refused.what.contains(told), "{told}: {refused}");
        assert_eq!((refused.pack.as_str(), refused.line), (FILE, 4), "{refused}");
    }
    let refused = with(&[(FILE, pack("shop/own", "colour = 1"))])
        .map(drop)
        .expect_err("a key");
    assert_eq!(refused.line, 10, "{refused}");
    let twice = [("a.toml", pack("shop/own", lines)), ("b.toml", pack("shop/own", lines))];
    let refused = with(&twice).map(drop).expect_err("an id of two rules");
    assert_eq!(
        refused.to_string(),
        "b.toml:4: there is a rule `shop/own` in a.toml already; give this one another id"
    );
}
