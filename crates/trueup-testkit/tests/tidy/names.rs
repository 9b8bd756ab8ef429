//! Names are nouns of the glossary; names of nothing are refused.

use crate::{breaks, holds, house::House, keeps, source::rust};
use std::collections::BTreeSet;
use syn::{
    Ident,
    visit::{self, Visit},
};

/// Words that say nothing about what a thing is.
const SAY_NOTHING: [&str; 12] = [
    "manager",
    "handler",
    "service",
    "services",
    "processor",
    "helper",
    "helpers",
    "util",
    "utils",
    "common",
    "misc",
    "impl",
];

/// Where words are decided.
const GLOSSARY: &str = "docs/glossary.md";

/// No type and no file is called by a word that says nothing, or numbered. A
/// word the glossary chose says something where it stands alone.
fn names_say_something(house: &House) -> Vec<String> {
    let chosen = house.paper(GLOSSARY).map(|glossary| table(&glossary.text).0);
    let is_chosen = |word: &str| {
        let chosen = chosen.as_ref();
        chosen.is_some_and(|chosen| chosen.contains(word) || chosen.contains(word.trim_end_matches('s')))
    };
    let (types, mut findings) = types(house);
    for (path, name) in types.into_iter().filter(|(_, name)| !is_chosen(&name.to_lowercase())) {
        if let Some(word) = words(&name).into_iter().find(|word| says_nothing(word)) {
            findings.push(format!("{path}: the type `{name}` is called `{word}`"));
        }
    }
    for paper in &house.papers {
        // The folders of a path are names as much as the file's own is.
        let parts = paper.path.split('/').filter(|_| !paper.path.starts_with("docs/"));
        for part in parts {
            let stem = part.split('.').next().unwrap_or(part);
            if !is_chosen(stem) && stem.split(['_', '-']).any(|word| says_nothing(&word.to_lowercase())) {
                findings.push(format!("{}: `{part}` says nothing about what it is", paper.path));
            }
        }
    }
    findings
}

fn says_nothing(word: &str) -> bool {
    let number = word.strip_prefix('v').is_some_and(|rest| {
        // `v1` alone may be the name of a wire format; a second one beside it is not.
        !rest.is_empty() && rest != "1" && rest.bytes().all(|byte| byte.is_ascii_digit())
    });
    number || SAY_NOTHING.contains(&word)
}

/// No type is called by a word the glossary rejects.
fn rejected_words_stay_rejected(house: &House) -> Vec<String> {
    let Some(glossary) = house.paper(GLOSSARY) else {
        return vec![format!("{GLOSSARY}: it is missing")];
    };
    let (chosen, rejected) = table(&glossary.text);
    let (types, mut findings) = types(house);
    if chosen.is_empty() || rejected.is_empty() {
        findings.push(format!("{GLOSSARY}: it holds no table of words"));
    }
    for (path, name) in types {
        let word = words(&name).join(" ");
        // A word rejected for one thing may be the chosen word of another.
        if rejected.contains(&word) && !chosen.contains(&word) {
            findings.push(format!("{path}: the type `{name}` is a word the glossary rejects"));
        }
    }
    findings
}

/// The chosen and the rejected words of the glossary's four columns.
fn table(text: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut chosen = BTreeSet::new();
    let mut rejected = BTreeSet::new();
    let split = |cell: &str| {
        let words = cell.split(',').map(|word| word.trim().to_lowercase());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
    };
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [word, _, not, _] = cells.as_slice() else { continue };
        if *word == "word" || word.starts_with("---") {
            continue;
        }
        chosen.extend(split(word));
        rejected.extend(split(not));
    }
    (chosen, rejected)
}

/// Every type that is declared, with the file it is declared in.
fn types(house: &House) -> (Vec<(&str, String)>, Vec<String>) {
    let (files, findings) = rust(house);
    let mut types = Vec::new();
    for (path, file) in files {
        let mut declared = Declared { names: Vec::new() };
        declared.visit_file(&file);
        types.extend(declared.names.into_iter().map(|name| (path, name)));
    }
    (types, findings)
}

struct Declared {
    names: Vec<String>,
}

impl Declared {
    fn note(&mut self, name: &Ident) {
        self.names.push(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.note(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.note(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.note(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.note(&item.ident);
        visit::visit_item_type(self, item);
    }
}

/// `RunId` is `run`, `id`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        match words.last_mut() {
            Some(word) if !letter.is_uppercase() => word.push(letter),
            _ => words.push(letter.to_lowercase().collect()),
        }
    }
    words
}

#[test]
fn types_and_files_have_names_that_say_something() {
    holds(names_say_something);
    for bad in [
        "RunManager",
        "EventHandler",
        "GitService",
        "StringUtils",
        "AgentImpl",
        "EventV2",
    ] {
        let source = format!("mod inner {{ pub struct {bad}; }}");
        breaks(names_say_something, &[("a.rs", &source)], bad);
        breaks(names_say_something, &[("a.rs", &format!("trait {bad} {{}}"))], bad);
    }
    for bad in [
        "src/git_helpers.rs",
        "src/utils/mod.rs",
        "src/event_v2.rs",
        "tests/common.rs",
    ] {
        breaks(names_say_something, &[(bad, "")], "says nothing");
    }
    keeps(
        names_say_something,
        &[("src/implement.rs", "enum Commonwealth { Handler }")],
    );
    let glossary = "| word | meaning | rejected | why |\n|---|---|---|---|\n| service | a program | daemon | |\n";
    let chosen = |source: &'static str| [(GLOSSARY, glossary), ("src/services.rs", source)];
    keeps(names_say_something, &chosen("struct Service;"));
    breaks(names_say_something, &chosen("struct GitService;"), "GitService");
    breaks(names_say_something, &[("src/services.rs", "")], "says nothing");
}

#[test]
fn no_type_is_called_by_a_rejected_word() {
    holds(rejected_words_stay_rejected);
    let glossary = "| word | meaning | rejected | why |\n|---|---|---|---|\n\
        | run | a task | job, work flow | |\n| step | a wish | move | |\n| turn | a call | step | |\n";
    let bad = |source: &'static str| [(GLOSSARY, glossary), ("a.rs", source)];
    breaks(rejected_words_stay_rejected, &bad("struct Job;"), "`Job`");
    breaks(rejected_words_stay_rejected, &bad("type WorkFlow = u8;"), "`WorkFlow`");
    keeps(rejected_words_stay_rejected, &bad("enum Step {}\nstruct JobCount;"));
    breaks(rejected_words_stay_rejected, &[], "missing");
    breaks(rejected_words_stay_rejected, &[(GLOSSARY, "none")], "no table");
}
