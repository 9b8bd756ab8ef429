//! Every rule by its id.
//!
//! What a person should look at is data: packs of rules, one for each language
//! and one for all, each rule with its reason and examples. What no expression
//! can say is found by code, and has its rule among them like everything else.
//! A repository may bring packs of its own.

mod detector;
mod example;
mod own;
mod pack;
mod rule;

pub(super) use self::rule::{MarkerPlace, Silences, SoughtKeys, Told, Which};
pub use self::{
    detector::Detector,
    example::Example,
    pack::PackError,
    rule::{Rule, Seeks},
};

use self::pack::{PackText, Placed};
use super::{paths::names, source::Family, suspicions::FileRole};
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};
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

/// A file that tells trueup how work is checked. A pack of a repository does too.
const CONFIGURATION: &str = "trueup.toml";

/// Rules in the order in which they are told: those that come with the program,
/// then those of packs that somebody brought.
#[derive(Debug)]
pub struct Catalogue {
    built_in: Arc<Vec<Rule>>,
    own: Vec<Rule>,
    /// The packs that were brought, by their files.
    files: BTreeMap<String, String>,
    /// What stands for a rule that is not there.
    missing: Arc<Rule>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    // A pack that cannot be read is found by a test. Should one get past it,
    // every line is asked about, so that nothing hides.
    Catalogue::read(&BUILT_IN).unwrap_or_else(|error| {
        let unreadable = || Rule::unreadable(&error.to_string());
        Catalogue::of(vec![unreadable()], unreadable())
    })
});

/// The rules that come with the program.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

impl Default for Catalogue {
    fn default() -> Self {
        let Self { built_in, missing, .. } = catalogue();
        Self {
            built_in: Arc::clone(built_in),
            own: Vec::new(),
            files: BTreeMap::new(),
            missing: Arc::clone(missing),
        }
    }
}

impl Catalogue {
    /// The rules of packs, each with the name that an error calls it by.
    pub fn read(packs: &[(&str, &str)]) -> Result<Self, PackError> {
        let mut rules: Vec<Rule> = Vec::new();
        for &(name, text) in packs {
            let pack = PackText { name, text };
            for Placed { rule, at } in pack::read(pack)? {
                if rules.iter().any(|known| known.id == rule.id) {
                    return Err(pack.wrong(at, format!("there are two rules `{}`", rule.id)));
                }
                rules.push(rule);
            }
        }
        Ok(Self::of(rules, Rule::unreadable("its rule is missing")))
    }

    fn of(rules: Vec<Rule>, missing: Rule) -> Self {
        Self {
            built_in: Arc::new(rules),
            own: Vec::new(),
            files: BTreeMap::new(),
            missing: Arc::new(missing),
        }
    }

    /// The rules that come with the program, and those of these packs, by their
    /// files. What they bring adds to what is asked and takes nothing away.
    pub fn with(files: BTreeMap<String, String>) -> Result<Self, PackError> {
        let mut all = Self::default();
        for (name, text) in &files {
            let pack = PackText { name, text };
            for Placed { mut rule, at } in pack::read(pack)? {
                let known: Vec<&Rule> = all.rules().collect();
                own::fits(&rule, &known).map_err(|what| pack.wrong(at, what))?;
                rule.file = Some(name.clone());
                all.own.push(rule);
            }
        }
        all.files = files;
        Ok(all)
    }

    /// All of them.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.built_in.iter().chain(&self.own)
    }

    /// The packs that were brought: their texts by their files.
    pub const fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// Whether a file is a pack that was brought. On some machines names that
    /// differ only in letter case are one.
    pub(super) fn is_pack(&self, path: &str) -> bool {
        self.files.keys().any(|file| file.eq_ignore_ascii_case(path))
    }

    /// The rule of this id.
    pub fn find(&self, id: &RuleId) -> Option<&Rule> {
        self.rules().find(|rule| rule.id == *id)
    }

    /// The rules about lines of a file.
    pub(super) fn lines(&self, family: Family, role: FileRole) -> Vec<&Rule> {
        let holds = |rule: &&Rule| match &rule.seeks {
            Seeks::Lines(lines) => lines.families.contains(&family) && role.places().contains(&lines.place),
            Seeks::Marker(_) | Seeks::Paths(_) | Seeks::Keys(_) | Seeks::Code => false,
        };
        self.rules().filter(holds).collect()
    }

    /// The rules about markers in a language.
    pub(super) fn markers(&self, family: Family) -> impl Iterator<Item = (&Rule, &rule::SoughtMarker)> {
        self.rules().filter_map(move |rule| match &rule.seeks {
            Seeks::Marker(marker) if marker.families.contains(&family) => Some((rule, marker)),
            Seeks::Marker(_) | Seeks::Lines(_) | Seeks::Paths(_) | Seeks::Keys(_) | Seeks::Code => None,
        })
    }

    /// The first rule of the program that knows a path.
    pub(super) fn of_path(&self, path: &str) -> Option<&Rule> {
        let names = names(path);
        self.built_in.iter().find(|rule| knows(rule, &names))
    }

    /// Every rule of a pack that was brought that knows a path.
    pub(super) fn own_of_path(&self, path: &str) -> impl Iterator<Item = &Rule> {
        let names = names(path);
        self.own.iter().filter(move |rule| knows(rule, &names))
    }

    /// The rules of the program about keys of a file.
    pub(super) fn keys(&self, path: &str) -> Vec<(&Rule, &rule::SoughtKeys)> {
        keys(&self.built_in, path)
    }

    /// The rules of packs that were brought about keys of a file.
    pub(super) fn own_keys(&self, path: &str) -> Vec<(&Rule, &rule::SoughtKeys)> {
        keys(&self.own, path)
    }

    /// The rule of what code finds.
    pub fn detector(&self, detector: Detector) -> &Rule {
        let found = self.built_in.iter().find(|rule| rule.id.as_str() == detector.id());
        found.unwrap_or(&self.missing)
    }

    /// The rule about what tells trueup how work is checked.
    pub(super) fn settings(&self) -> &Rule {
        self.of_path(CONFIGURATION).unwrap_or(&self.missing)
    }
}

/// Whether a rule knows a path of these names.
fn knows(rule: &Rule, names: &[&str]) -> bool {
    match &rule.seeks {
        Seeks::Paths(patterns) => patterns.iter().any(|pattern| pattern.fits(names)),
        Seeks::Lines(_) | Seeks::Marker(_) | Seeks::Keys(_) | Seeks::Code => false,
    }
}

fn keys<'r>(rules: &'r [Rule], path: &str) -> Vec<(&'r Rule, &'r rule::SoughtKeys)> {
    let names = names(path);
    let found = rules.iter().filter_map(|rule| match &rule.seeks {
        Seeks::Keys(keys) if keys.file.fits(&names) => Some((rule, keys)),
        Seeks::Keys(_) | Seeks::Lines(_) | Seeks::Marker(_) | Seeks::Paths(_) | Seeks::Code => None,
    });
    found.collect()
}
