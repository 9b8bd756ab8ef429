//! What a test says of the answer, without what differs from one execution to
//! the next, and from one tree to another.

/// What pytest puts before what went wrong, among the code around it.
const WRONG: &str = "E  ";

/// How lines begin that say where something failed and not what.
const PLACES: [&str; 4] = ["at ", "\u{276f} ", "--- ", "note: "];

/// What a message says of the answer, in lines that are sorted: some tests go
/// through their cases in any order.
pub(super) fn gist(message: &str) -> String {
    let wrong: Vec<&str> = message.lines().filter_map(|line| line.strip_prefix(WRONG)).collect();
    let lines = if wrong.is_empty() {
        message.lines().collect()
    } else {
        wrong
    };
    // What follows in Go is where each routine stood.
    let lines = lines.into_iter().take_while(|line| !line.starts_with("goroutine "));
    let lines = lines.map(str::trim).filter(|line| !is_place(line));
    let mut lines: Vec<String> = lines.map(without_addresses).collect();
    lines.sort();
    lines.join("\n")
}

fn is_place(line: &str) -> bool {
    line.is_empty() || line.contains(" panicked at ") || PLACES.iter().any(|begin| line.starts_with(begin))
}

/// The line without the addresses of objects in memory.
fn without_addresses(line: &str) -> String {
    let mut parts = line.split("0x");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("0x");
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    plain
}

/// A text with a mark in the place of each of these values, where they stand
/// for themselves.
pub(super) fn masked<'a>(text: &str, values: impl Iterator<Item = &'a String>) -> String {
    let mut values: Vec<&String> = values.collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    values
        .into_iter()
        .fold(text.to_owned(), |text, value| masked_once(&text, value))
}

fn masked_once(text: &str, value: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(value) {
        masked.push_str(before);
        let goes_on = [
            (masked.chars().last(), value.chars().next()),
            (value.chars().last(), after.chars().next()),
        ];
        let is_part = goes_on.iter().any(|(one, next)| {
            let is_word = |c: &Option<char>| c.is_some_and(char::is_alphanumeric);
            is_word(one) && is_word(next)
        });
        masked.push_str(if is_part { value } else { "\0" });
        rest = after;
    }
    masked.push_str(rest);
    masked
}
