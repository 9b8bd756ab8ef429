//! Whether colours are used. Help and wrong usage are told before any flag is
//! read, so whether somebody wants none is looked up among the words first.

use crate::args::{Color, Global};
use anstream::ColorChoice;
use std::ffi::OsString;

/// What is no yes in a variable that turns something on; clap's own list.
const NO: [&str; 7] = ["", "0", "f", "false", "n", "no", "off"];

/// Decides for what is printed until the flags are read.
pub(crate) fn begin_by_words(words: impl Iterator<Item = OsString>) {
    choice_by_words(words, &|name| std::env::var(name).ok()).write_global();
}

/// Decides for all that is printed from here on.
pub(super) fn begin(global: &Global) {
    let choice = match (global.plain, global.color) {
        (true, _) | (false, Color::Never) => ColorChoice::Never,
        (false, Color::Auto) => ColorChoice::Auto,
        (false, Color::Always) => ColorChoice::Always,
    };
    choice.write_global();
}

/// The same, by words that nobody has understood yet. One that is wrong says
/// nothing here; whoever understands them tells of it.
fn choice_by_words(words: impl Iterator<Item = OsString>, variable: &dyn Fn(&str) -> Option<String>) -> ColorChoice {
    let is_on = |value: String| !NO.contains(&value.to_lowercase().as_str());
    let mut is_plain = variable("TRUEUP_PLAIN").is_some_and(is_on);
    let mut color = variable("TRUEUP_COLOR");
    let mut words = words.map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        match word.split_once('=') {
            None if word == "--" => break,
            None if word == "--plain" => is_plain = true,
            None if word == "--color" => color = words.next(),
            Some(("--color", value)) => color = Some(value.to_owned()),
            None | Some(_) => {}
        }
    }
    match is_plain || color.as_deref() == Some("never") {
        true => ColorChoice::Never,
        false => ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::choice_by_words;
    use anstream::ColorChoice;

    #[test]
    fn words_decide_before_anybody_understood_them_and_a_variable_where_they_say_nothing() {
        let choice = |words: &str, set: &[(&str, &str)]| {
            let variable = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            choice_by_words(words.split(' ').map(Into::into), &variable)
        };
        let plain = ("TRUEUP_PLAIN", "1");
        assert_eq!(choice("--plain --help", &[]), ColorChoice::Never);
        assert_eq!(choice("run --help --plain", &[]), ColorChoice::Never);
        assert_eq!(choice("--help", &[plain]), ColorChoice::Never);
        assert_eq!(choice("--color always --help", &[plain]), ColorChoice::Never);
        assert_eq!(choice("--color never --help", &[]), ColorChoice::Never);
        let never = ("TRUEUP_COLOR", "never");
        assert_eq!(choice("--color=auto --help", &[never]), ColorChoice::Auto);
        assert_eq!(choice("--help", &[never]), ColorChoice::Never);
        assert_eq!(choice("--help", &[("TRUEUP_PLAIN", "false")]), ColorChoice::Auto);
        assert_eq!(choice("reject T-001 -- --plain", &[]), ColorChoice::Auto);
    }
}
