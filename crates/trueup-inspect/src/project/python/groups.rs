//! Packages that a project asks for beside its own: extras, dependency groups,
//! and the environments of tools that run its tests.

use crate::project::folder::Folder;
use toml::{Table, Value};

/// Who installs a group, and under which name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// `[project.optional-dependencies]`.
    Extra,
    /// `[dependency-groups]`.
    Dependency,
    /// A group of poetry's that is installed only where it is asked for.
    PoetryOptional,
    /// What the installer of the project installs by itself.
    Usual,
    /// The environment of a tool, which trueup makes without it.
    Environment,
}

/// Some packages that are asked for together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) kind: GroupKind,
    pub(super) name: String,
    /// The file that asks for them, seen from the project's folder.
    pub(super) file: &'static str,
    /// Each as it is asked for: `pytest>=8`.
    pub(super) wants: Vec<String>,
}

/// Groups whose names say that they are for tests, the most usual first.
const FOR_TESTS: [&str; 6] = ["test", "tests", "testing", "dev", "develop", "default"];

/// Groups whose names say that they only write pages.
const FOR_PAGES: [&str; 7] = ["doc", "docs", "documentation", "sphinx", "mkdocs", "rtd", "readthedocs"];

impl Group {
    fn new(kind: GroupKind, name: &str, file: &'static str, wants: Vec<String>) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            file,
            wants,
        }
    }

    pub(super) fn lists(&self, name: &str) -> bool {
        self.wants.iter().any(|want| package(want).as_deref() == Some(name))
    }

    /// How plainly its name says that it is for tests; less is plainer.
    pub(super) fn rank(&self) -> usize {
        let place = FOR_TESTS.iter().position(|name| *name == self.name);
        place.unwrap_or(FOR_TESTS.len())
    }

    /// Whether its name says that it is for tests.
    pub(super) fn is_for_tests(&self) -> bool {
        self.rank() < FOR_TESTS.len()
    }
}

/// Every group but those for pages.
pub(super) fn groups(manifest: &Table, here: &Folder<'_>) -> Vec<Group> {
    let mut groups = in_the_manifest(manifest);
    groups.extend(tox(manifest, here));
    groups.extend(nox(here));
    groups.extend(pre_commit(here));
    let is_for_pages = |group: &Group| {
        let first = group.name.split(['-', '_', '.']).next().unwrap_or_default();
        FOR_PAGES.contains(&first.to_lowercase().as_str())
    };
    groups.retain(|group| !is_for_pages(group));
    groups
}

fn in_the_manifest(manifest: &Table) -> Vec<Group> {
    let file = "pyproject.toml";
    let tool = |name: &str| manifest.get("tool").and_then(|tools| tools.get(name));
    let mut groups = Vec::new();
    let mut add = |kind: GroupKind, tables: Option<&Value>, of: &dyn Fn(&Value) -> Vec<String>| {
        for (name, value) in tables.and_then(Value::as_table).into_iter().flatten() {
            groups.push(Group::new(kind, name, file, of(value)));
        }
    };
    let extras = manifest
        .get("project")
        .and_then(|project| project.get("optional-dependencies"));
    add(GroupKind::Extra, extras, &texts);
    let named = manifest.get("dependency-groups");
    add(GroupKind::Dependency, named, &|group| {
        with_included(named, group, DEEPEST)
    });
    add(
        GroupKind::Usual,
        tool("pdm").and_then(|pdm| pdm.get("dev-dependencies")),
        &texts,
    );
    let uv = tool("uv").and_then(|uv| uv.get("dev-dependencies")).map(texts);
    let hatch = tool("hatch").and_then(|hatch| hatch.get("envs"));
    add(GroupKind::Environment, hatch, &|environment| {
        let lists = ["dependencies", "extra-dependencies"].into_iter();
        lists.filter_map(|list| environment.get(list)).flat_map(texts).collect()
    });
    if let Some(poetry) = tool("poetry") {
        let named = poetry.get("group").and_then(Value::as_table);
        for (name, group) in named.into_iter().flatten() {
            let optional = group.get("optional").and_then(Value::as_bool) == Some(true);
            let kind = if optional {
                GroupKind::PoetryOptional
            } else {
                GroupKind::Usual
            };
            groups.push(Group::new(kind, name, file, keys(group.get("dependencies"))));
        }
        let dev = keys(poetry.get("dev-dependencies"));
        groups.push(Group::new(GroupKind::Usual, "dev", file, dev));
    }
    groups.extend(uv.map(|wants| Group::new(GroupKind::Usual, "dev", file, wants)));
    groups
}

/// How deep groups that include groups are followed.
const DEEPEST: usize = 4;

fn with_included(named: Option<&Value>, group: &Value, depth: usize) -> Vec<String> {
    let mut wants = texts(group);
    let items = group.as_array().into_iter().flatten();
    let included = items.filter_map(|item| named?.get(item.get("include-group")?.as_str()?));
    if depth > 0 {
        wants.extend(included.flat_map(|group| with_included(named, group, depth - 1)));
    }
    wants
}

fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn keys(table: Option<&Value>) -> Vec<String> {
    let table = table.and_then(Value::as_table).into_iter();
    table.flat_map(Table::keys).cloned().collect()
}

/// What tox installs into the environments that are for tests.
fn tox(manifest: &Table, here: &Folder<'_>) -> Vec<Group> {
    let table = manifest.get("tool").and_then(|tools| tools.get("tox"));
    if let Some(deps) = table
        .and_then(|tox| tox.get("env_run_base"))
        .and_then(|base| base.get("deps"))
    {
        return vec![Group::new(
            GroupKind::Environment,
            "test",
            "pyproject.toml",
            texts(deps),
        )];
    }
    let legacy = table.and_then(|tox| tox.get("legacy_tox_ini")).and_then(Value::as_str);
    match (legacy.map(str::to_owned), here.read("tox.ini")) {
        (Some(text), _) => environments(&text, "pyproject.toml"),
        (None, Some(text)) => environments(&text, "tox.ini"),
        (None, None) => Vec::new(),
    }
}

/// Each `[testenv…]` of a tox.ini with the lines of its `deps`.
fn environments(text: &str, file: &'static str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let (mut inside, mut listing) = (false, false);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix('[') {
            let name = heading.trim_end().trim_end_matches(']');
            inside = name == "testenv" || name.starts_with("testenv:");
            listing = false;
            if inside {
                let name = name.strip_prefix("testenv:").unwrap_or("test");
                groups.push(Group::new(GroupKind::Environment, name, file, Vec::new()));
            }
            continue;
        }
        let mut want = line.trim();
        if !line.starts_with([' ', '\t']) {
            let (key, first) = line.split_once('=').unwrap_or((line, ""));
            listing = inside && key.trim() == "deps";
            want = first.trim();
        }
        // `py39: name` is for one Python alone; `{…}` only tox can fill in.
        let want = want.split_once(": ").map_or(want, |(_, want)| want.trim());
        let is_plain = !want.is_empty() && !want.starts_with('#') && !want.contains('{');
        if let Some(group) = groups.last_mut().filter(|_| listing && is_plain) {
            group.wants.push(want.to_owned());
        }
    }
    groups
}

/// What the sessions of a noxfile install, as far as it stands there in quotes.
fn nox(here: &Folder<'_>) -> Vec<Group> {
    let text = here.read("noxfile.py").unwrap_or_default();
    let mut groups: Vec<Group> = Vec::new();
    let mut installing = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("def ").and_then(|rest| rest.split('(').next()) {
            groups.push(Group::new(GroupKind::Environment, name, "noxfile.py", Vec::new()));
        }
        let call = line.split_once("session.install(").map(|(_, rest)| rest);
        installing = installing || call.is_some();
        if !installing {
            continue;
        }
        let words = call.unwrap_or(line);
        let quoted = words.split(['"', '\'']).skip(1).step_by(2);
        let plain = quoted.filter(|word| !word.starts_with(['-', '.']) && package(word).is_some());
        if let Some(group) = groups.last_mut() {
            group.wants.extend(plain.map(str::to_owned));
        }
        installing = !words.contains(')');
    }
    groups
}

/// Linters whose hooks pre-commit would run, each in the version named there.
const HOOKS: [(&str, &str); 2] = [("astral-sh/ruff-pre-commit", "ruff"), ("pycqa/flake8", "flake8")];

fn pre_commit(here: &Folder<'_>) -> Vec<Group> {
    let file = ".pre-commit-config.yaml";
    let text = here.read(file).unwrap_or_default().to_lowercase();
    let mut groups = Vec::new();
    let mut tool = None;
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ");
        if line.starts_with("repo:") {
            let hook = HOOKS.iter().find(|(repository, _)| line.contains(repository));
            tool = hook.map(|(_, tool)| *tool);
        }
        let revision = line
            .strip_prefix("rev:")
            .map(|rest| rest.split('#').next().unwrap_or(rest));
        if let (Some(tool), Some(revision)) = (tool, revision) {
            let version = revision.trim().trim_matches(['"', '\'']).trim_start_matches('v');
            let is_version = version.starts_with(|c: char| c.is_ascii_digit());
            let is_plain = version.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
            if is_version && is_plain {
                let want = format!("{tool}=={version}");
                groups.push(Group::new(GroupKind::Environment, "pre-commit", file, vec![want]));
            }
        }
    }
    groups
}

/// The package a line asks for: `pytest>=8 ; python_version > "3.9"` is `pytest`.
pub(super) fn package(line: &str) -> Option<String> {
    let line = line.trim();
    let end = line
        .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)))
        .unwrap_or(line.len());
    let name = line.get(..end)?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    is_name.then(|| name.to_lowercase().replace('_', "-"))
}
