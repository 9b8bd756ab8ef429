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
use trueup_core::rule::{Level, RuleId};

/// Why a pack cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pack of rules `{pack}` cannot be read: {what}")]
pub struct PackError {
    pack: String,
    what: String,
}

impl PackError {
    fn new(pack: &str, what: impl Into<String>) -> Self {
        Self {
            pack: pack.to_owned(),
            what: what.into(),
        }
    }

    pub(super) fn twice(pack: &str, id: &RuleId) -> Self {
        Self::new(pack, format!("there are two rules `{id}`"))
    }
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
    id: String,
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
pub(super) fn read(pack: &str, text: &str) -> Result<Vec<Rule>, PackError> {
    let read: Pack = toml::from_str(text).map_err(|error| PackError::new(pack, error.to_string()))?;
    let Pack { languages, rule } = read;
    rule.into_iter().map(|entry| entry.rule(pack, &languages)).collect()
}

impl Entry {
    fn rule(mut self, pack: &str, languages: &[Family]) -> Result<Rule, PackError> {
        let id = RuleId::of(&self.id).ok_or_else(|| PackError::new(pack, format!("`{}` is no id", self.id)))?;
        let is_path = self.paths.is_some();
        let (bad, good) = (std::mem::take(&mut self.bad), std::mem::take(&mut self.good));
        let examples = |all: Vec<RawExample>| {
            let example = |one: RawExample| if is_path { one.of_path() } else { one.of_content() };
            all.into_iter().map(example).collect()
        };
        let (level, message, why) = (self.level, self.message.clone(), self.why.clone());
        let wrong = PackError::new(pack, format!("`{id}` looks for nothing, or for several things at once"));
        Ok(Rule {
            seeks: self.seeks(languages).ok_or(wrong)?,
            id,
            level,
            message,
            why,
            bad: examples(bad),
            good: examples(good),
        })
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
