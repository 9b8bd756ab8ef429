//! Which packages a Python project lists, and where.

use super::groups::{Group, GroupKind, groups, package};
use crate::project::folder::Folder;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// Files of plain lists, as people name them.
const REQUIREMENTS: [&str; 8] = [
    "requirements.txt",
    "requirements-dev.txt",
    "requirements_dev.txt",
    "dev-requirements.txt",
    "requirements-test.txt",
    "test-requirements.txt",
    "requirements/dev.txt",
    "requirements/test.txt",
];

/// What a project lists.
pub(super) struct Packages {
    project: Table,
    /// Each listed package with the file that lists it.
    listed: BTreeMap<String, String>,
    requirements: Vec<&'static str>,
    /// What those files list.
    required: Vec<String>,
    groups: Vec<Group>,
    manifest: Option<String>,
    /// `setup.py` or `setup.cfg` describe a package to install.
    setup: Option<&'static str>,
}

impl Packages {
    /// Reads every list of this folder, or says which file cannot be read.
    pub(super) fn read(here: &Folder<'_>) -> Result<Self, String> {
        let manifest = here.read("pyproject.toml");
        let path = here.path("pyproject.toml");
        let project: Table = match &manifest {
            Some(text) => text.parse().map_err(|_| path.clone())?,
            None => Table::new(),
        };
        let mut packages = Self {
            listed: BTreeMap::new(),
            requirements: REQUIREMENTS.into_iter().filter(|name| here.has(name)).collect(),
            manifest: manifest.map(|_| path.clone()),
            required: Vec::new(),
            groups: groups(&project, here),
            setup: here.first(&["setup.py", "setup.cfg"]),
            project,
        };
        for name in packages.of_the_project() {
            packages.listed.entry(name).or_insert_with(|| path.clone());
        }
        for group in &packages.groups {
            for name in group.wants.iter().filter_map(|want| package(want)) {
                packages.listed.entry(name).or_insert_with(|| here.path(group.file));
            }
        }
        for file in packages.requirements.clone() {
            for line in here.read(file).unwrap_or_default().lines() {
                if let Some(name) = package(line) {
                    packages.required.push(name.clone());
                    packages.listed.entry(name).or_insert_with(|| here.path(file));
                }
            }
        }
        Ok(packages)
    }

    /// What the project itself needs, without any group.
    fn of_the_project(&self) -> Vec<String> {
        let listed = self
            .project
            .get("project")
            .and_then(|project| project.get("dependencies"));
        let lines = listed.and_then(Value::as_array).into_iter().flatten();
        let mut names: Vec<String> = lines.filter_map(Value::as_str).filter_map(package).collect();
        let poetry = self.table("poetry").and_then(|poetry| poetry.get("dependencies"));
        let keys = poetry.and_then(Value::as_table).into_iter().flat_map(Table::keys);
        names.extend(keys.filter_map(|name| package(name)));
        names
    }

    /// The group that has to be installed before tests can run: one that lists
    /// pytest, or else an extra whose name says so.
    fn for_tests(&self) -> Option<&Group> {
        let runs_tests = self.groups.iter().filter(|group| group.lists("pytest"));
        let by_name = || {
            let named = self.groups.iter().filter(|group| group.is_for_tests());
            named
                .filter(|group| group.kind == GroupKind::Extra)
                .min_by_key(|group| group.rank())
        };
        runs_tests.min_by_key(|group| group.rank()).or_else(by_name)
    }

    /// The group for tests that pip is given package by package: no extra of
    /// the project, and nothing that a list has already.
    fn spelled_out(&self) -> Option<&Group> {
        let listed = self.required.iter().any(|name| name == "pytest");
        self.for_tests()
            .filter(|group| group.kind != GroupKind::Extra && !listed)
    }

    /// What an installer is told, so that it installs what tests need as well.
    pub(super) fn flags(&self, extra: &str, group: &str) -> Vec<String> {
        let Some(found) = self.for_tests() else {
            return Vec::new();
        };
        let flag = match found.kind {
            GroupKind::Extra => extra,
            GroupKind::Dependency if self.is_default(&found.name) => return Vec::new(),
            GroupKind::Dependency | GroupKind::PoetryOptional => group,
            GroupKind::Usual | GroupKind::Environment => return Vec::new(),
        };
        vec![flag.to_owned(), found.name.clone()]
    }

    /// Whether a dependency group is installed without being asked for.
    fn is_default(&self, name: &str) -> bool {
        match self.table("uv").and_then(|uv| uv.get("default-groups")) {
            Some(Value::Array(names)) => names.iter().any(|own| own.as_str() == Some(name)),
            Some(_) => true,
            None => name == "dev",
        }
    }

    fn table(&self, tool: &str) -> Option<&Table> {
        self.project.get("tool")?.get(tool)?.as_table()
    }

    /// Whether `[tool.NAME]` stands in the manifest.
    pub(super) fn has_table(&self, tool: &str) -> bool {
        self.table(tool).is_some()
    }

    /// Whether the manifest describes a project, not only settings of tools.
    pub(super) fn is_project(&self) -> bool {
        self.project.contains_key("project") || self.has_table("poetry") || !self.requirements.is_empty()
    }

    /// Whether a package is listed.
    pub(super) fn lists(&self, package: &str) -> bool {
        self.listed.contains_key(package)
    }

    /// The file that lists or configures a tool.
    pub(super) fn origin_of(&self, tool: &str) -> Option<String> {
        let configured = self.manifest.clone().filter(|_| self.has_table(tool));
        configured.or_else(|| self.listed.get(tool).cloned())
    }

    /// Whether `[tool.mypy]` says what to look at.
    pub(super) fn mypy_knows_its_files(&self) -> bool {
        let mypy = self.table("mypy");
        mypy.is_some_and(|mypy| {
            ["files", "packages", "modules"]
                .iter()
                .any(|key| mypy.contains_key(*key))
        })
    }

    /// Whether there is anything for pip to do.
    pub(super) fn installs_something(&self) -> bool {
        !self.listed.is_empty() || self.is_package()
    }

    /// Whether the project is a package that can be installed.
    fn is_package(&self) -> bool {
        self.setup == Some("setup.py") || self.project.contains_key("build-system")
    }

    /// Whether pdm installs the project, and does not only build it.
    pub(super) fn is_installed_by_pdm(&self) -> bool {
        self.table("pdm")
            .is_some_and(|pdm| pdm.contains_key("dev-dependencies"))
    }

    /// The files that decide what pip installs.
    pub(super) fn files(&self) -> Vec<&'static str> {
        let mut files = self.requirements.clone();
        if self.is_package() {
            files.extend(self.manifest.is_some().then_some("pyproject.toml"));
            files.extend(self.setup);
        }
        let more = self.spelled_out().map(|group| group.file);
        files.extend(more.filter(|file| !files.contains(file)));
        files
    }

    /// What pip is told to install.
    pub(super) fn pip_arguments(&self) -> Vec<String> {
        let lists = self
            .requirements
            .iter()
            .flat_map(|file| ["-r".to_owned(), (*file).to_owned()]);
        let mut arguments: Vec<String> = lists.collect();
        if self.is_package() {
            let extra = self.for_tests().filter(|group| group.kind == GroupKind::Extra);
            arguments.push("-e".into());
            arguments.push(extra.map_or_else(|| ".".to_owned(), |group| format!(".[{}]", group.name)));
        }
        let wants = self
            .spelled_out()
            .map(|group| group.wants.as_slice())
            .unwrap_or_default();
        // A list that a list names, or the project itself, is there already or cannot be told.
        arguments.extend(wants.iter().filter(|want| package(want).is_some()).cloned());
        arguments
    }
}
