//! Versions such as 1.4.0 or 2.0.0-rc.1.

use std::cmp::Ordering;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub numbers: [u64; 3],
    pub pre: Vec<String>,
}

/// Reads a version; None if the text is none.
pub fn parse(text: &str) -> Option<Version> {
    let (release, pre) = match text.split_once('-') {
        Some((release, pre)) => (release, pre.split('.').map(String::from).collect()),
        None => (text, Vec::new()),
    };
    let parts: Vec<u64> = release.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    Some(Version { numbers: parts.try_into().ok()?, pre })
}

/// Says which of two versions comes first.
pub fn compare(a: &Version, b: &Version) -> Ordering {
    a.numbers.cmp(&b.numbers).then_with(|| a.pre.cmp(&b.pre))
}
