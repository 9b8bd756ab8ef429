//! A page for each rule, written from its pack; `TRUEUP_BLESS=1` writes them anew.

use std::{collections::BTreeMap, env, fmt::Write, fs, path::PathBuf};
use trueup_inspect::rules::{Example, Rule, catalogue};

/// Where the pages lie, as the summary of the book names them.
const FOLDER: &str = "rules";

/// What stands before and behind the pages in the summary of the book.
const BEFORE: &str = "- [Rules](rules/index.md)\n";

/// What a pack is called.
const PACKS: [(&str, &str); 7] = [
    ("py", "Python"),
    ("js", "JavaScript and TypeScript"),
    ("rust", "Rust"),
    ("go", "Go"),
    ("java", "Java and Kotlin"),
    ("c", "C, C++ and C#"),
    ("any", "Every language"),
];

const INTRODUCTION: &str = "\
# Rules

What an agent changed is compared with the base. Rules sort what a person should look at: a line that ends the
process, a test that is skipped, a file that decides how tests run. They read text and execute nothing. What is proved
is decided by [checks and controls](../evidence.md).

Each rule has a level:

- `ask`: the agent is told, and may take it back. You are asked about what stays.
- `note`: it is written beside the diff, and stops nobody.

You choose another level in `trueup.toml`, or in your own configuration for all repositories:

```toml
[rules]
profile = \"strict\"             # rules that only note ask, too
\"py/ends-process\" = \"note\"     # one rule by its id
```

`trueup trust` shows which rules a repository makes notes. A run keeps the levels that it was opened with. One task can
allow what a rule finds, in some files or everywhere:

```yaml
allow:
  rules: [\"py/ends-process@src/cli/**\"]
```

What you approved stays approved as long as the file, the bytes and the rule are the same, whatever words a later
trueup finds for it.

`trueup rules` lists them with the levels in force, `trueup rules explain ID` prints one. A repository can bring
[rules of its own](../own-rules.md).
";

fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut index = INTRODUCTION.to_owned();
    for (prefix, title) in PACKS {
        let of_pack = |rule: &&Rule| rule.id.as_str().split('/').next() == Some(prefix);
        let _ = write!(
            index,
            "\n## {title}\n\n| rule | level | what it finds |\n|---|---|---|\n"
        );
        for rule in catalogue().rules().filter(of_pack) {
            let (id, level, message) = (&rule.id, rule.level.word(), rule.message.replace('|', "\\|"));
            let _ = writeln!(index, "| [`{id}`]({id}.md) | {level} | {message} |");
            pages.insert(format!("{id}.md"), page(rule, title));
        }
    }
    pages.insert("index.md".to_owned(), index);
    pages
}

fn page(rule: &Rule, language: &str) -> String {
    let (id, level) = (&rule.id, rule.level.word());
    let other = if rule.level.is_ask() { "note" } else { "ask" };
    let mut page = format!(
        "# {id}\n\n{language}, level `{level}`: {}.\n\n{}\n",
        rule.message,
        wrapped(&rule.why)
    );
    for (title, examples) in [("What breaks it", &rule.bad), ("What does not", &rule.good)] {
        let _ = write!(page, "\n## {title}\n");
        for example in examples {
            page.push_str(&shown(example, rule));
        }
    }
    let _ = write!(
        page,
        "\n## To have it otherwise\n\n```toml\n[rules]\n\"{id}\" = \"{other}\"\n```\n\n\
         For one task: `allow: {{rules: [\"{id}@src/**\"]}}`. [All rules](../index.md)\n"
    );
    page
}

/// An example: its file, and what was changed in it.
fn shown(example: &Example, rule: &Rule) -> String {
    let path = example.path.clone().or_else(|| rule.usual_path()).unwrap_or_default();
    let beside = example.beside.iter().map(|other| format!(" beside `{other}`"));
    let mut text = format!("\n`{path}`{}", beside.collect::<String>());
    let lines = |sign: &str, text: &Option<String>| -> String {
        let lines = text.iter().flat_map(|text| text.lines());
        lines
            .map(|line| format!("{sign} {line}").trim_end().to_owned() + "\n")
            .collect()
    };
    match (&example.before, &example.after) {
        (None, None) => text.push('\n'),
        (None, Some(after)) => {
            let _ = write!(text, "\n\n```text\n{}\n```\n", after.trim_end());
        }
        (before, after) => {
            let _ = write!(text, "\n\n```diff\n{}{}```\n", lines("-", before), lines("+", after));
        }
    }
    text
}

/// Prose in lines as long as those of other pages.
fn wrapped(text: &str) -> String {
    let mut wrapped = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let longer = width + 1 + word.chars().count();
        let (between, now) = match (width, longer) {
            (0, longer) => ("", longer - 1),
            (_, longer) if longer > 118 => ("\n", longer - 1 - width),
            (_, longer) => (" ", longer),
        };
        wrapped = wrapped + between + word;
        width = now;
    }
    wrapped
}

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn every_rule_has_its_page_and_the_book_lists_it() {
    let wanted = pages();
    let folder = docs().join(FOLDER);
    let mut summary: String = BEFORE.to_owned();
    for rule in catalogue().rules() {
        let _ = writeln!(summary, "  - [{id}](rules/{id}.md)", id = rule.id);
    }
    if env::var_os("TRUEUP_BLESS").is_some() {
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the old pages go");
        }
        for (name, text) in &wanted {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a page is written");
        }
        return;
    }
    let book = fs::read_to_string(docs().join("SUMMARY.md")).expect("a summary");
    assert!(
        book.contains(&summary),
        "docs/SUMMARY.md lists other rules; it has to hold:\n{summary}"
    );
    let mut found = BTreeMap::new();
    for pack in fs::read_dir(&folder).expect("the pages") {
        let pack = pack.expect("an entry").path();
        let files = if pack.is_dir() {
            fs::read_dir(&pack)
                .expect("pages")
                .map(|file| file.expect("a page").path())
                .collect()
        } else {
            vec![pack]
        };
        for file in files {
            let name = file.strip_prefix(&folder).expect("below").display().to_string();
            found.insert(name, fs::read_to_string(file).expect("a page"));
        }
    }
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        names(&found),
        names(&wanted),
        "run with TRUEUP_BLESS=1 if this change is meant"
    );
    for (name, text) in wanted {
        assert_eq!(
            found[&name], text,
            "{name}: run with TRUEUP_BLESS=1 if this change is meant"
        );
    }
}
