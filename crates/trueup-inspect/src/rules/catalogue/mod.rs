//! Every rule by its id.
//!
//! What a person should look at is data: packs of rules, one for each language
//! and one for all, each rule with its reason and examples. What no expression
//! can say is found by code, and has its rule among them like everything else.

mod detector;
mod example;
mod pack;
mod rule;

pub(super) use self::rule::{MarkerPlace, Silences, Told, Which};
pub use self::{
    detector::Detector,
    example::Example,
    pack::PackError,
    rule::{Rule, Seeks},
};

use super::{paths::names, source::Family, suspicions::FileRole};
use std::sync::LazyLock;
use trueup_core::rule::RuleId;

/// The packs that come with the program.
const BUILT_IN: [(&str, &str); 7] = [
    ("python", include_str!("../../../rules/python.toml")),
    ("javascript", include_str!("../../../rules/javascript.toml")),
    ("rust", include_str!("../../../rules/rust.toml")),
    ("go", include_str!("../../../rules/go.toml")),
    ("java", include_str!("../../../rules/java.toml")),
    ("native", include_str!("../../../rules/native.toml")),
    ("general", include_str!("../../../rules/general.toml")),
];

/// Rules in the order in which they are told.
#[derive(Debug)]
pub struct Catalogue {
    rules: Vec<Rule>,
    /// What stands for a rule that is not there.
    missing: Rule,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    // A pack that cannot be read is found by a test. Should one get past it,
    // every line is asked about, so that nothing hides.
    Catalogue::read(&BUILT_IN).unwrap_or_else(|error| Catalogue {
        rules: vec![Rule::unreadable(&error.to_string())],
        missing: Rule::unreadable(&error.to_string()),
    })
});

/// The rules that come with the program.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

impl Catalogue {
    /// The rules of packs, each with the name that an error calls it by.
    pub fn read(packs: &[(&str, &str)]) -> Result<Self, PackError> {
        let mut rules: Vec<Rule> = Vec::new();
        for (pack, text) in packs {
            for rule in pack::read(pack, text)? {
                if rules.iter().any(|known| known.id == rule.id) {
                    return Err(PackError::twice(pack, &rule.id));
                }
                rules.push(rule);
            }
        }
        let missing = Rule::unreadable("its rule is missing");
        Ok(Self { rules, missing })
    }

    /// All of them.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule of this id.
    pub fn find(&self, id: &RuleId) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == *id)
    }

    /// The rules about lines of a file.
    pub(super) fn lines(&self, family: Family, role: FileRole) -> Vec<&Rule> {
        let holds = |rule: &&Rule| match &rule.seeks {
            Seeks::Lines(lines) => lines.families.contains(&family) && role.places().contains(&lines.place),
            Seeks::Marker(_) | Seeks::Paths(_) | Seeks::Keys(_) | Seeks::Code => false,
        };
        self.rules.iter().filter(holds).collect()
    }

    /// The rules about markers in a language.
    pub(super) fn markers(&self, family: Family) -> impl Iterator<Item = (&Rule, &rule::SoughtMarker)> {
        self.rules.iter().filter_map(move |rule| match &rule.seeks {
            Seeks::Marker(marker) if marker.families.contains(&family) => Some((rule, marker)),
            Seeks::Marker(_) | Seeks::Lines(_) | Seeks::Paths(_) | Seeks::Keys(_) | Seeks::Code => None,
        })
    }

    /// The first rule that knows a path.
    pub(super) fn of_path(&self, path: &str) -> Option<&Rule> {
        let names = names(path);
        self.rules.iter().find(|rule| match &rule.seeks {
            Seeks::Paths(patterns) => patterns.iter().any(|pattern| pattern.fits(&names)),
            Seeks::Lines(_) | Seeks::Marker(_) | Seeks::Keys(_) | Seeks::Code => false,
        })
    }

    /// The rules about keys of a file.
    pub(super) fn keys(&self, path: &str) -> impl Iterator<Item = (&Rule, &rule::SoughtKeys)> {
        let names = names(path);
        self.rules.iter().filter_map(move |rule| match &rule.seeks {
            Seeks::Keys(keys) if keys.file.fits(&names) => Some((rule, keys)),
            Seeks::Keys(_) | Seeks::Lines(_) | Seeks::Marker(_) | Seeks::Paths(_) | Seeks::Code => None,
        })
    }

    /// The rule of what code finds.
    pub fn detector(&self, detector: Detector) -> &Rule {
        let found = self.rules.iter().find(|rule| rule.id.as_str() == detector.id());
        found.unwrap_or(&self.missing)
    }
}
