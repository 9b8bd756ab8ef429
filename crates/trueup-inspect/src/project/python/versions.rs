//! Packages that ask git for their version, which no room can answer.

use super::groups::package;
use crate::project::folder::Folder;
use toml::{Table, Value};

/// How such a package is told its version, and what it writes about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Versioned {
    /// The variable that it is told by.
    pub(super) variable: &'static str,
    /// The file that its build writes into the tree and its code reads.
    pub(super) written: Option<String>,
}

/// Who asks git, and the variable that answers it.
const ASKING: [(&str, &str); 7] = [
    ("setuptools-scm", SCM),
    ("vcs-versioning", SCM),
    ("hatch-vcs", SCM),
    ("flit-scm", SCM),
    ("pdm-backend", "PDM_BUILD_SCM_VERSION"),
    ("poetry-dynamic-versioning", "POETRY_DYNAMIC_VERSIONING_BYPASS"),
    ("uv-dynamic-versioning", "UV_DYNAMIC_VERSIONING_BYPASS"),
];

const SCM: &str = "SETUPTOOLS_SCM_PRETEND_VERSION";

/// The version of a package that was never released.
const FIRST: &str = "0.1.0";

/// Whether and how this package asks git.
pub(super) fn versioned(project: &Table, here: &Folder<'_>) -> Option<Versioned> {
    let at = |keys: &[&str]| {
        let first = project.get(*keys.first()?)?;
        keys.iter().skip(1).try_fold(first, |value, key| value.get(*key))
    };
    let required = at(&["build-system", "requires"]).and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let required: Vec<String> = required.filter_map(package).collect();
    // pdm's own builder asks only where it is told to.
    let is_asking = |name: &str| {
        let asks = name != "pdm-backend" || at(&["tool", "pdm", "version", "source"]).is_some();
        asks && required.iter().any(|required| required == name)
    };
    let by_script = || {
        here.read("setup.py")
            .is_some_and(|text| text.contains("use_scm_version"))
    };
    let asking = ASKING.into_iter().find(|(name, _)| is_asking(name));
    let (_, variable) = asking.or_else(|| by_script().then_some(("", SCM)))?;
    let files: [&[&str]; 3] = [
        &["tool", "hatch", "build", "hooks", "vcs", "version-file"],
        &["tool", "setuptools_scm", "version_file"],
        &["tool", "setuptools_scm", "write_to"],
    ];
    let written = files.into_iter().find_map(|keys| at(keys)?.as_str());
    let is_plain = |path: &&str| {
        let of_a_path = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        path.chars().all(of_a_path) && !path.starts_with('/') && !path.contains("..") && !here.has(path)
    };
    Some(Versioned {
        variable,
        written: written.filter(is_plain).map(str::to_owned),
    })
}

/// The number in the tag of a release: `v1.2.3` and `name-1.2.3` are 1.2.3.
pub(super) fn number(tag: Option<&str>) -> String {
    let last = tag.unwrap_or_default().rsplit(['-', '/', '_', '@']).next();
    let last = last.unwrap_or_default().trim_start_matches(['v', 'V']);
    let end = last.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    let number = last
        .get(..end.unwrap_or(last.len()))
        .unwrap_or_default()
        .trim_matches('.');
    match number.is_empty() {
        true => FIRST.to_owned(),
        false => number.to_owned(),
    }
}
