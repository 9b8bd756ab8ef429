//! Secrets of the person's environment, kept out of everything that is stored
//! or shown.
//!
//! An agent needs its key, and may print it. What programs print passes
//! through a [`Redactor`] before anybody sees or stores it; verdicts come from
//! exit codes and trees, so nothing here can change one.

use crate::fault::{self, Fault};
use regex::bytes::{Regex, RegexBuilder};
use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};
use trueup_core::{
    control::Reaction,
    event::Event,
    evidence::{Because, CheckOutcome},
    objection::Objection,
    settings::looks_secret,
};

/// Shorter values are too common to be told from words.
const SHORTEST: usize = 8;

/// How much memory finding them may take; tokens are long, and written in many ways.
const LARGEST_PATTERN: usize = 32 << 20;

/// Values that must not be stored, by the names of their variables.
#[derive(Clone, Default)]
pub struct Secrets {
    known: Option<Arc<Known>>,
}

struct Known {
    /// Every way of writing every value, the longest first.
    forms: Vec<Form>,
    /// Finds any of them.
    any: Regex,
    longest: usize,
}

#[derive(Clone)]
struct Form {
    bytes: Vec<u8>,
    mark: Vec<u8>,
}

/// One stream being redacted, whatever pieces it comes in.
#[derive(Debug)]
pub struct Redactor {
    secrets: Secrets,
    /// The end of what came so far, where it may be the beginning of a secret.
    held: Vec<u8>,
}

impl Secrets {
    /// These variables' values; the short ones are left out.
    pub fn of(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self::default().and(variables)
    }

    /// What an environment tells by the names of its variables.
    pub fn of_environment(environment: &BTreeMap<String, String>) -> Self {
        let secret = environment.iter().filter(|(name, _)| looks_secret(name));
        Self::of(secret.map(|(name, value)| (name.clone(), value.clone())))
    }

    /// These, and these variables' values. If that is more than can be looked
    /// for, these stay.
    #[must_use]
    pub fn and(&self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let known = self.known.iter().flat_map(|known| known.forms.iter().cloned());
        let mut forms: Vec<Form> = known.collect();
        for (name, value) in variables.into_iter().filter(|(_, value)| value.len() >= SHORTEST) {
            let mark = format!("[{name} redacted]").into_bytes();
            for bytes in ways_of_writing(value.as_bytes()) {
                forms.push(Form {
                    bytes,
                    mark: mark.clone(),
                });
            }
        }
        forms.sort_by_key(|form| Reverse(form.bytes.len()));
        let words: Vec<String> = forms.iter().map(|form| literal(&form.bytes)).collect();
        let longest = forms.first().map_or(0, |form| form.bytes.len());
        let pattern = format!("(?-u){}", words.join("|"));
        match RegexBuilder::new(&pattern).size_limit(LARGEST_PATTERN).build() {
            Ok(any) if longest > 0 => Self {
                known: Some(Arc::new(Known { forms, any, longest })),
            },
            Ok(_) | Err(_) => self.clone(),
        }
    }

    /// A text without any secret in it.
    pub fn redact<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        match &self.known {
            Some(known) => known.replace(bytes),
            None => Cow::Borrowed(bytes),
        }
    }

    /// A sentence without any secret in it.
    pub fn redact_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.redact(text.as_bytes())).into_owned()
    }

    /// The name of a file without any secret in it.
    fn redact_name(&self, name: &str) -> String {
        match fault::planted(Fault::TellsNames) {
            true => name.to_owned(),
            false => self.redact_text(name),
        }
    }

    /// The event without any secret in what programs and the system said. What
    /// people wrote stays as it is: evidence is bound to it.
    pub fn redact_event(&self, mut event: Event) -> Event {
        match &mut event {
            Event::Checked(checked) => {
                for evidence in &mut checked.evidence {
                    if let CheckOutcome::CannotRun { why } | CheckOutcome::Failed { why: Some(why), .. } =
                        &mut evidence.saw
                    {
                        *why = self.redact_text(why);
                    }
                    if let Some(Because::Broken(why)) = &mut evidence.because {
                        *why = self.redact_text(why);
                    }
                }
                self.redact_objections(&mut checked.objections);
            }
            Event::Challenged(challenged) => {
                for control in &mut challenged.controls {
                    control.about = self.redact_text(&control.about);
                    if let Reaction::Red { by: why }
                    | Reaction::Otherwise { why }
                    | Reaction::NotLaid { why }
                    | Reaction::Nothing { why } = &mut control.turned
                    {
                        *why = self.redact_text(why);
                    }
                }
                self.redact_objections(&mut challenged.objections);
            }
            Event::TurnEnded(ended) => {
                let outcome = &mut ended.outcome;
                let said = outcome.ending.words_mut().into_iter();
                for words in said.chain(outcome.claim.words_mut()) {
                    *words = self.redact_text(words);
                }
                for finding in &mut ended.outcome.findings {
                    finding.path = self.redact_name(&finding.path);
                    finding.what = self.redact_text(&finding.what);
                }
            }
            Event::PublishRefused(refused) => refused.why = self.redact_text(&refused.why),
            Event::Troubled(troubled) => troubled.what = self.redact_text(&troubled.what),
            Event::Opened(_)
            | Event::Committed(_)
            | Event::Published(_)
            | Event::Interrupted(_)
            | Event::Resumed(_)
            | Event::SpaceFreed(_)
            | Event::Due(_)
            | Event::BudgetSet(_)
            | Event::Answered(_)
            | Event::OpeningCompleted(_)
            | Event::TaskChanged(_)
            | Event::AgentChanged(_) => {}
        }
        event
    }

    fn redact_objections(&self, objections: &mut [Objection]) {
        for objection in objections {
            objection.path = self.redact_name(&objection.path);
            objection.what = self.redact_text(&objection.what);
        }
    }

    /// A redactor for one stream.
    pub fn stream(&self) -> Redactor {
        Redactor {
            secrets: self.clone(),
            held: Vec::new(),
        }
    }
}

impl Known {
    fn replace<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        self.any.replace_all(bytes, |found: &regex::bytes::Captures<'_>| {
            let found = found.get(0).map(|found| found.as_bytes()).unwrap_or_default();
            let form = self.forms.iter().find(|form| form.bytes == found);
            form.map(|form| form.mark.clone()).unwrap_or_default()
        })
    }

    /// How many bytes at the end may be the beginning of a secret.
    fn open_end(&self, bytes: &[u8]) -> usize {
        let most = (self.longest - 1).min(bytes.len());
        let is_beginning = |length: &usize| {
            let end = bytes.get(bytes.len() - length..).unwrap_or_default();
            self.forms.iter().any(|form| form.bytes.starts_with(end))
        };
        (1..=most).rev().find(is_beginning).unwrap_or(0)
    }
}

impl Redactor {
    /// What may be shown by now, given the next piece.
    pub fn pass(&mut self, piece: &[u8]) -> Vec<u8> {
        let Some(known) = &self.secrets.known else {
            return piece.to_vec();
        };
        self.held.extend_from_slice(piece);
        let clear = known.settled(&self.held);
        let rest = self.held.split_off(clear);
        let passed = known.replace(&self.held).into_owned();
        self.held = rest;
        passed
    }

    /// Looks for these from now on, also in what is held back.
    pub fn learn(&mut self, secrets: &Secrets) {
        self.secrets = secrets.clone();
    }

    /// What was held back, at the end of the stream.
    pub fn finish(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        self.secrets.redact(&held).into_owned()
    }
}

impl Known {
    /// How much from the beginning can be judged, whatever comes next. A
    /// secret may be the beginning of a longer one, so one that reaches into
    /// the open end waits with it.
    fn settled(&self, bytes: &[u8]) -> usize {
        let mut clear = bytes.len() - self.open_end(bytes);
        for found in self.any.find_iter(bytes) {
            if found.start() < clear && found.end() > clear {
                clear = found.start();
            }
        }
        clear
    }
}

impl fmt::Debug for Secrets {
    /// Never the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.known.as_ref().map_or(0, |known| known.forms.len());
        write!(f, "Secrets({count} forms)")
    }
}

/// A value as it is, percent-encoded, as JSON escapes it, and as base64 shows
/// it wherever it stands in what was encoded.
fn ways_of_writing(value: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut ways = BTreeSet::from([value.to_vec()]);
    for digits in [b"0123456789ABCDEF", b"0123456789abcdef"] {
        ways.insert(percent_encoded(value, digits));
    }
    if let Ok(json) = serde_json::to_string(&String::from_utf8_lossy(value)) {
        ways.insert(json.trim_matches('"').as_bytes().to_vec());
    }
    for alphabet in [STANDARD, URL_SAFE] {
        for before in 0..3 {
            ways.insert(base64_inside(value, before, alphabet));
        }
    }
    ways.retain(|way| way.len() >= SHORTEST);
    ways
}

fn percent_encoded(value: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    let mut encoded = Vec::new();
    for byte in value {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(byte) {
            encoded.push(*byte);
        } else {
            let digit = |number: u8| digits.get(usize::from(number)).copied().unwrap_or(b'0');
            encoded.extend([b'%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    encoded
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The letters of a base64 text that depend on this value alone, if `before`
/// bytes of something else (counted by threes) stand in front of it.
fn base64_inside(value: &[u8], before: usize, alphabet: &[u8; 64]) -> Vec<u8> {
    let bits = |index: usize| {
        let byte = value.get((index / 8).wrapping_sub(before)).copied();
        byte.map(|byte| byte >> (7 - index % 8) & 1)
    };
    let letters = (before + value.len()) * 8 / 6;
    let letter = |number: usize| {
        let six: Option<Vec<u8>> = (number * 6..number * 6 + 6).map(bits).collect();
        let index = six?.iter().fold(0_usize, |sum, bit| sum * 2 + usize::from(*bit));
        alphabet.get(index).copied()
    };
    (0..letters).filter_map(letter).collect()
}

/// These very bytes, as a pattern.
fn literal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!(r"\x{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE: &str = "s3cr3t/with+odd=chars";

    fn secrets() -> Secrets {
        Secrets::of([
            ("API_TOKEN".to_owned(), VALUE.to_owned()),
            ("LONG_TOKEN".to_owned(), format!("{VALUE}-and-more")),
            ("PIN_KEY".to_owned(), "1234567".to_owned()),
        ])
    }

    fn cut_at(text: &[u8], at: usize) -> Vec<u8> {
        let mut redactor = secrets().stream();
        let (one, two) = text.split_at(at);
        [redactor.pass(one), redactor.pass(two), redactor.finish()].concat()
    }

    #[test]
    fn a_secret_is_seen_wherever_a_stream_is_cut() {
        let text = format!("before {VALUE} between {VALUE}-and-more, {VALUE}-and after s3cr3t");
        let wanted =
            b"before [API_TOKEN redacted] between [LONG_TOKEN redacted], [API_TOKEN redacted]-and after s3cr3t";
        for at in 0..=text.len() {
            assert_eq!(cut_at(text.as_bytes(), at), wanted, "cut at {at}");
        }
        let mut redactor = secrets().stream();
        let mut bytewise: Vec<u8> = text.bytes().flat_map(|byte| redactor.pass(&[byte])).collect();
        bytewise.extend(redactor.finish());
        assert_eq!(bytewise, wanted);
    }

    #[test]
    fn a_secret_is_seen_in_every_dress() {
        // `printf 'ada:%s' "$VALUE" | base64`, and the like.
        for dressed in [
            "s3cr3t%2Fwith%2Bodd%3Dchars",
            "s3cr3t%2fwith%2bodd%3dchars",
            "czNjcjN0L3dpdGgrb2RkPWNoYXJz",
            "YWRhOnMzY3IzdC93aXRoK29kZD1jaGFycw==",
            "YTpzM2NyM3Qvd2l0aCtvZGQ9Y2hhcnM=",
        ] {
            let redacted = secrets().redact_text(dressed);
            assert!(redacted.contains("[API_TOKEN redacted]"), "{dressed} became {redacted}");
        }
    }

    #[test]
    fn what_is_short_or_no_secret_stays() {
        let text = "1234567 and s3cr3t/with are nobody's";
        assert_eq!(secrets().redact_text(text), text);
        assert_eq!(Secrets::default().redact_text(VALUE), VALUE);
        assert_eq!(Secrets::default().stream().pass(b"as it comes"), b"as it comes");
    }

    #[test]
    fn what_is_too_much_to_look_for_leaves_the_rest_looked_for() {
        let endless = ("ENDLESS".to_owned(), "abcdefgh".repeat(1 << 14));
        let both = secrets().and([endless]);
        assert_eq!(format!("{both:?}"), format!("{:?}", secrets()), "it was too much");
        assert_eq!(both.redact_text(VALUE), "[API_TOKEN redacted]");
    }

    #[test]
    fn a_stream_learns_on_its_way() {
        let mut redactor = secrets().stream();
        let held = redactor.pass(b"new-t0ken s3cr");
        redactor.learn(&secrets().and([("NEW".to_owned(), "new-t0ken".to_owned())]));
        let shown = [
            held,
            redactor.pass(b"3t/with+odd=chars new-t0"),
            redactor.pass(b"ken"),
            redactor.finish(),
        ];
        assert_eq!(shown.concat(), b"new-t0ken [API_TOKEN redacted] [NEW redacted]");
    }

    #[test]
    fn debug_output_tells_no_secret() {
        assert!(!format!("{:?}", secrets()).contains("s3cr3t"));
    }
}
