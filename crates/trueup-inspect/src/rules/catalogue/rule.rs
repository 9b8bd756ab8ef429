//! One rule.

use super::Example;
use crate::rules::{
    paths::PathPattern,
    pattern::Pattern,
    source::{Family, Line, Look},
    suspicions::FileRole,
};
use serde::Deserialize;
use trueup_core::rule::{BrokenRule, Level, RuleId};

/// A rule about what a change may not do unnoticed.
#[derive(Debug)]
pub struct Rule {
    /// What it is called.
    pub id: RuleId,
    /// The file of its pack; nothing where it comes with the program.
    pub file: Option<String>,
    /// What becomes of what it finds, unless a person says otherwise.
    pub level: Level,
    /// What is said of it, behind what it found.
    pub message: String,
    /// What could hide in it, and when it is honest.
    pub why: String,
    /// What breaks it.
    pub bad: Vec<Example>,
    /// What is near to that and breaks nothing.
    pub good: Vec<Example>,
    /// What it looks for.
    pub seeks: Seeks,
}

/// What a rule looks for.
#[derive(Debug)]
pub enum Seeks {
    /// Added lines.
    Lines(SoughtLines),
    /// Markers that stand more often than before.
    Marker(SoughtMarker),
    /// Files by where they lie.
    Paths(Vec<PathPattern<String>>),
    /// Keys of files by their names.
    Keys(SoughtKeys),
    /// What code finds.
    Code,
}

/// Lines that a rule looks for.
#[derive(Debug)]
pub struct SoughtLines {
    pub(in crate::rules) families: Vec<Family>,
    pub(in crate::rules) place: FileRole,
    pub(in crate::rules) parts: Vec<(Look, Pattern)>,
    /// Whether a file that did it before goes on doing what it is for.
    pub(in crate::rules) told: Told,
}

/// How often lines of one file are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::rules) enum Told {
    /// Each that is new.
    #[default]
    Always,
    /// Those of a file that held none before.
    First,
}

/// A marker that a rule looks for.
#[derive(Debug)]
pub struct SoughtMarker {
    pub(in crate::rules) name: String,
    pub(in crate::rules) families: Vec<Family>,
    pub(in crate::rules) place: MarkerPlace,
    pub(in crate::rules) silences: Silences,
    pub(in crate::rules) parts: Vec<(Look, Pattern)>,
}

/// Where a marker means what it seems to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum MarkerPlace {
    /// In every file.
    Anywhere,
    /// Only where tests lie: elsewhere the word is somebody's own.
    Tests,
}

/// What a marker silences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(in crate::rules) enum Silences {
    /// A finding, a file, or a failure that then counts as a success.
    #[default]
    #[serde(rename = "more")]
    More,
    /// The test in which it stands, and no other: a new test that is left out
    /// silences nothing that was there.
    #[serde(rename = "one test")]
    OneTest,
}

/// Keys that a rule looks for.
#[derive(Debug)]
pub struct SoughtKeys {
    pub(in crate::rules) file: PathPattern<String>,
    pub(in crate::rules) which: Which,
    pub(in crate::rules) keys: Vec<String>,
}

/// Which values under a key count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::rules) enum Which {
    /// All of them.
    All,
    /// Packages that come from elsewhere than the registry: under the name of
    /// a runner, such a package can be anything.
    Elsewhere,
    /// Only another value than before: what has none yet replaces nothing.
    Replaced,
    /// Packages that cargo takes from elsewhere than the registry, or builds
    /// otherwise because of who asks.
    Crates,
    /// The same where only tests ask: no user gets what is built so.
    CratesOfTests,
}

impl Rule {
    /// A rule that every line breaks, for packs that cannot be read.
    pub(super) fn unreadable(why: &str) -> Self {
        Self {
            id: RuleId::unreadable_pack(),
            file: None,
            level: Level::Ask,
            message: format!("cannot be judged: {why}"),
            why: String::new(),
            bad: Vec::new(),
            good: Vec::new(),
            seeks: Seeks::Lines(SoughtLines {
                families: Family::ALL.to_vec(),
                place: FileRole::Tests,
                parts: vec![(Look::Text, Pattern::new(""))],
                told: Told::Always,
            }),
        }
    }

    /// The rule as something that breaks it names it.
    pub fn broken(&self) -> BrokenRule {
        BrokenRule {
            id: self.id.clone(),
            level: self.level,
        }
    }

    /// What is wrong with its expressions, if one of them is none.
    pub fn unsound(&self) -> Option<&str> {
        self.parts()
            .find(|(_, pattern)| !pattern.is_sound())
            .map(|(_, pattern)| pattern.expression())
    }

    /// The expressions that it looks for, by the part of a line they look at.
    pub fn expressions(&self) -> Vec<(&'static str, &str)> {
        self.parts()
            .map(|(look, pattern)| (look.word(), pattern.expression()))
            .collect()
    }

    /// The file that an example of it changes, unless it names one itself.
    pub fn usual_path(&self) -> Option<String> {
        match &self.seeks {
            Seeks::Lines(lines) => Some(lines.families.first()?.usual_path(lines.place).to_owned()),
            Seeks::Marker(marker) => {
                let place = match marker.place {
                    MarkerPlace::Anywhere => FileRole::Production,
                    MarkerPlace::Tests => FileRole::Tests,
                };
                Some(marker.families.first()?.usual_path(place).to_owned())
            }
            Seeks::Keys(keys) => Some(keys.file.named()),
            Seeks::Paths(_) | Seeks::Code => None,
        }
    }

    fn parts(&self) -> impl Iterator<Item = &(Look, Pattern)> {
        let parts = match &self.seeks {
            Seeks::Lines(lines) => lines.parts.as_slice(),
            Seeks::Marker(marker) => marker.parts.as_slice(),
            Seeks::Paths(_) | Seeks::Keys(_) | Seeks::Code => &[],
        };
        parts.iter()
    }

    /// Whether a line breaks it, told by the parts of the line.
    pub(in crate::rules) fn is_broken_by<'a>(&self, part: impl Fn(Look) -> &'a str) -> bool {
        self.parts().any(|(look, pattern)| pattern.fits(part(*look)))
    }

    /// Whether it is told of files that did the same before.
    pub(in crate::rules) fn told(&self) -> Told {
        match &self.seeks {
            Seeks::Lines(lines) => lines.told,
            Seeks::Marker(_) | Seeks::Paths(_) | Seeks::Keys(_) | Seeks::Code => Told::Always,
        }
    }
}

impl SoughtMarker {
    /// How often it stands in these lines.
    pub(in crate::rules) fn count(&self, lines: &[Line]) -> usize {
        let of_line = |line: &Line| -> usize {
            let parts = self.parts.iter();
            parts.map(|(look, pattern)| pattern.count(line.part(*look))).sum()
        };
        lines.iter().map(of_line).sum()
    }
}
