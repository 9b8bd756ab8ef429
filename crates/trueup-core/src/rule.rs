//! Rules that sort what a person should look at, by their names.

use alloc::{borrow::ToOwned, collections::BTreeMap, string::String};
use core::fmt;
use serde::{Deserialize, Serialize};

/// A rule, as a person looks it up and switches it: `py/ends-process`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleId(String);

impl RuleId {
    /// The id of a text of two parts with a slash between them, each of small
    /// letters, digits and dashes.
    pub fn of(text: &str) -> Option<Self> {
        let (pack, name) = text.split_once('/')?;
        let is_plain = |part: &str| {
            let mut bytes = part.bytes();
            let begins = bytes.next().is_some_and(|first| first.is_ascii_lowercase());
            begins && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        (is_plain(pack) && is_plain(name)).then(|| Self(text.to_owned()))
    }

    /// What every line breaks where rules cannot be read.
    pub fn unreadable_pack() -> Self {
        Self("any/unreadable-pack".to_owned())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What becomes of something that a rule found. What asks is the first: where
/// two rules found the same line, a person is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The agent is told, and a person is asked about what stays.
    #[default]
    Ask,
    /// It is written beside the diff, and stops nobody.
    Note,
}

impl Level {
    /// Whether a person is asked.
    pub const fn is_ask(&self) -> bool {
        matches!(self, Self::Ask)
    }

    /// The level as people write it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Note => "note",
        }
    }
}

/// A rule that something breaks, at the level that counts for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BrokenRule {
    /// Its name.
    pub id: RuleId,
    /// What becomes of it.
    pub level: Level,
}

/// How much a person wants to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// Each rule as it is meant.
    #[default]
    Standard,
    /// Rules that only note ask, too.
    Strict,
}

/// The levels that a person chose for rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Levels {
    /// What holds for rules that nobody named.
    #[serde(default)]
    pub profile: Strictness,
    /// What was chosen by name.
    #[serde(default)]
    pub chosen: BTreeMap<RuleId, Level>,
}

impl Levels {
    /// Whether nobody chose anything.
    pub fn are_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The level of a rule, of which this is the usual one.
    pub fn of(&self, rule: &RuleId, usual: Level) -> Level {
        let unnamed = match self.profile {
            Strictness::Standard => usual,
            Strictness::Strict => Level::Ask,
        };
        self.chosen.get(rule).copied().unwrap_or(unnamed)
    }

    /// A broken rule at the level that counts.
    pub fn broken(&self, rule: BrokenRule) -> BrokenRule {
        BrokenRule {
            level: self.of(&rule.id, rule.level),
            ..rule
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_called_by_its_pack_and_a_plain_name() {
        for good in ["py/ends-process", "any/ci", "js/v8-ignore"] {
            assert!(RuleId::of(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "py",
            "py/",
            "/x",
            "Py/x",
            "py/x y",
            "py/a/b",
            "py/-x",
            "py/ends_process",
        ] {
            assert!(RuleId::of(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_level_chosen_by_name_comes_before_the_profile_and_that_before_the_usual_one() {
        let id = |text| RuleId::of(text).unwrap();
        let chosen = BTreeMap::from([(id("py/loud"), Level::Note), (id("py/quiet"), Level::Ask)]);
        let standard = Levels {
            profile: Strictness::Standard,
            chosen: chosen.clone(),
        };
        let strict = Levels {
            profile: Strictness::Strict,
            chosen,
        };
        for (rule, usual, as_usual, strictly) in [
            ("py/loud", Level::Ask, Level::Note, Level::Note),
            ("py/quiet", Level::Note, Level::Ask, Level::Ask),
            ("py/other", Level::Note, Level::Note, Level::Ask),
            ("py/other", Level::Ask, Level::Ask, Level::Ask),
        ] {
            assert_eq!(standard.of(&id(rule), usual), as_usual, "{rule}");
            assert_eq!(strict.of(&id(rule), usual), strictly, "{rule}");
        }
    }
}
