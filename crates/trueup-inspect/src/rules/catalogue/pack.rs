//! Packs of rules as they are written.

use super::{
    example::RawExample,
    rule::{MarkerPlace, Rule, Seeks, Silences, SoughtKeys, SoughtLines, SoughtMarker, Told, Which},
};
use crate::rules::{
    paths::PathPattern,
    pattern::Pattern,
    source::{Family, Look},
    suspicions::FileRole,
};
use serde::Deserialize;
use toml::Spanned;
use trueup_core::rule::{Level, RuleId};

/// Why a pack cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pack}:{line}: {what}")]
pub struct PackError {
    /// The pack, as it was named.
    pub pack: String,
    /// The line that is wrong, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// The text of a pack, with the name that errors call it by.
#[derive(Clone, Copy)]
pub(super) struct PackText<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

impl PackText<'_> {
    /// What is wrong at a place of the text.
    pub(super) fn wrong(self, at: usize, what: impl Into<String>) -> PackError {
        let before = self.text.get(..at).unwrap_or_default();
        PackError {
            pack: self.name.to_owned(),
            line: before.matches('\n').count() + 1,
            what: what.into(),
        }
    }
}

/// A rule, and where its id stands in the pack.
pub(super) struct Placed {
    pub(super) rule: Rule,
    pub(super) at: usize,
}

/// A file of rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    languages: Vec<Family>,
    rule: Vec<Entry>,
}

/// A rule as it is written. What it looks for decides which keys it has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<String>,
    level: Level,
    message: String,
    why: String,
    bad: Vec<RawExample>,
    good: Vec<RawExample>,
    languages: Option<Vec<Family>>,
    r#where: Option<Place>,
    #[serde(default)]
    told: Told,
    marker: Option<String>,
    #[serde(default)]
    skips: Silences,
    #[serde(default)]
    code: Vec<String>,
    #[serde(default)]
    text: Vec<String>,
    #[serde(default)]
    comment: Vec<String>,
    paths: Option<Vec<String>>,
    file: Option<String>,
    counts: Option<Which>,
    keys: Option<Vec<String>>,
    detector: Option<bool>,
}

/// In which files a rule holds.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Place {
    Production,
    Tests,
    Shared,
    Setup,
    Anywhere,
}

/// The rules of a pack.
pub(super) fn read(pack: PackText<'_>) -> Result<Vec<Placed>, PackError> {
    let wrong = |error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        pack.wrong(at, error.message())
    };
    let Pack { languages, rule } = toml::from_str(pack.text).map_err(wrong)?;
    rule.into_iter().map(|entry| entry.rule(pack, &languages)).collect()
}

impl Entry {
    fn rule(mut self, pack: PackText<'_>, languages: &[Family]) -> Result<Placed, PackError> {
        let at = self.id.span().start;
        let written = self.id.get_ref();
        let id = RuleId::of(written).ok_or_else(|| {
            let what =
                format!("`{written}` is no id; one is two words of small letters, digits and dashes: `shop/no-print`");
            pack.wrong(at, what)
        })?;
        let is_path = self.paths.is_some();
        let (bad, good) = (std::mem::take(&mut self.bad), std::mem::take(&mut self.good));
        let examples = |all: Vec<RawExample>| {
            let example = |one: RawExample| if is_path { one.of_path() } else { one.of_content() };
            all.into_iter().map(example).collect()
        };
        let (level, message, why) = (self.level, self.message.clone(), self.why.clone());
        let wrong = pack.wrong(
            at,
            format!(
                "`{id}` looks for nothing, or for several things at once; it takes `where` with `code`, `text` or \
                 `comment`, or `paths`, or `file` with `counts` and `keys`"
            ),
        );
        let rule = Rule {
            seeks: self.seeks(languages).ok_or(wrong)?,
            id,
            file: None,
            level,
            message,
            why,
            bad: examples(bad),
            good: examples(good),
        };
        Ok(Placed { rule, at })
    }

    /// What the rule looks for; nothing where its keys do not go together.
    fn seeks(self, languages: &[Family]) -> Option<Seeks> {
        let families = self.languages.unwrap_or_else(|| languages.to_vec());
        let of = |look: Look, all: Vec<String>| all.into_iter().map(move |one| (look, Pattern::new(&one)));
        let parts: Vec<(Look, Pattern)> = of(Look::Code, self.code)
            .chain(of(Look::Text, self.text))
            .chain(of(Look::Comment, self.comment))
            .collect();
        let has_parts = !parts.is_empty();
        let keys = (self.file, self.counts, self.keys);
        match (self.r#where, self.marker, self.paths, keys, self.detector) {
            (Some(place), Some(name), None, (None, None, None), None) if has_parts => {
                Some(Seeks::Marker(SoughtMarker {
                    name,
                    families,
                    place: place.of_marker()?,
                    silences: self.skips,
                    parts,
                }))
            }
            (Some(place), None, None, (None, None, None), None) if has_parts => Some(Seeks::Lines(SoughtLines {
                families,
                place: place.of_lines()?,
                parts,
                told: self.told,
            })),
            (None, None, Some(paths), (None, None, None), None) if !has_parts && !paths.is_empty() => Some(
                Seeks::Paths(paths.iter().map(|path| PathPattern::owned(path)).collect()),
            ),
            (None, None, None, (Some(file), Some(which), Some(keys)), None) if !has_parts => {
                Some(Seeks::Keys(SoughtKeys {
                    file: PathPattern::owned(&file),
                    which,
                    keys,
                }))
            }
            (None, None, None, (None, None, None), Some(true)) if !has_parts => Some(Seeks::Code),
            (..) => None,
        }
    }
}

impl Place {
    const fn of_lines(self) -> Option<FileRole> {
        match self {
            Self::Production => Some(FileRole::Production),
            Self::Tests => Some(FileRole::Tests),
            Self::Shared => Some(FileRole::Shared),
            Self::Setup => Some(FileRole::Setup),
            Self::Anywhere => None,
        }
    }

    const fn of_marker(self) -> Option<MarkerPlace> {
        match self {
            Self::Anywhere => Some(MarkerPlace::Anywhere),
            Self::Tests => Some(MarkerPlace::Tests),
            Self::Production | Self::Shared | Self::Setup => None,
        }
    }
}
