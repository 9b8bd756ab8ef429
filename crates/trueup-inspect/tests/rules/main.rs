//! Rules about what a change may not do unnoticed: one row per rule, and one
//! per honest change that must raise nothing.

mod answers;
mod comparing;
mod counting;
mod doubles;
mod examples;
mod honest;
mod hostile;
mod kinds;
mod knowing;
mod mixed;
mod outspoken;
mod own_packs;
mod packs;
mod packages;
mod pages;
mod protected;
mod readers;
mod runners;
mod selecting;
mod suppressions;
mod suspicions;
mod twice;

/// A command as words.
fn words(line: &str) -> Vec<String> {
    let words = trueup_inspect::argv::words(line);
    assert!(words.is_ok(), "{line} is no plain command");
    words.unwrap_or_default()
}

/// A tree that holds these files.
fn tree<'a>(files: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<Vec<u8>> + 'a {
    move |path| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec())
    }
}
