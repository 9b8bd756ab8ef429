//! Which packages a Python project lists, and where.

use super::{
    groups::{Group, GroupKind, groups, package},
    versions::{Versioned, versioned},
};
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

/// Programs and plugins that checks call beside the tests, where they are listed.
const CALLED: [&str; 5] = ["pytest-cov", "ruff", "flake8", "mypy", "pyright"];

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
    /// How it is told its version, where it would ask git.
    pub(super) versioned: Option<Versioned>,
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
            versioned: versioned(&project, here),
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

    /// The groups that have to be installed before checks can run: the one for
    /// tests, and one for each tool that another check calls.
    fn needed(&self) -> Vec<&Group> {
        let mut needed: Vec<&Group> = self.for_tests().into_iter().collect();
        for tool in CALLED {
            let is_there = needed.iter().any(|group| group.lists(tool));
            let listing = self.groups.iter().filter(|group| group.lists(tool));
            // A group of the project's own before the environment of a tool, a small one before a large one.
            let least = listing.min_by_key(|group| (group.kind == GroupKind::Environment, group.wants.len()));
            needed.extend(least.filter(|_| !is_there));
        }
        needed
    }

    /// The groups that pip is given package by package: no extra of the project,
    /// and none for a tool that a list has already.
    fn spelled_out(&self) -> impl Iterator<Item = &Group> {
        let has_list = |group: &&Group| {
            let mut called = CALLED.iter().chain(["pytest"].iter());
            called.any(|tool| group.lists(tool) && self.required.iter().any(|name| name == tool))
        };
        let needed = self.needed().into_iter();
        needed.filter(move |group| group.kind != GroupKind::Extra && !has_list(group))
    }

    /// What an installer is told, so that it installs what checks need as well.
    pub(super) fn flags(&self, extra: &str, group: &str) -> Vec<String> {
        let mut flags = Vec::new();
        for found in self.needed() {
            let flag = match found.kind {
                GroupKind::Extra => extra,
                GroupKind::Dependency if self.is_default(&found.name) => continue,
                GroupKind::Dependency | GroupKind::PoetryOptional => group,
                GroupKind::Usual | GroupKind::Environment => continue,
            };
            flags.extend([flag.to_owned(), found.name.clone()]);
        }
        flags
    }

    /// What only the environments of tools ask for, where checks need it.
    pub(super) fn of_environments(&self) -> Vec<String> {
        let needed = self.needed().into_iter();
        let environments = needed.filter(|group| group.kind == GroupKind::Environment);
        plain(environments)
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

    /// Whether installing it brings programs that are called by name.
    pub(super) fn brings_programs(&self) -> bool {
        let project = self.project.get("project");
        project.is_some_and(|project| project.get("scripts").is_some())
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
        for group in self.spelled_out() {
            if !files.contains(&group.file) {
                files.push(group.file);
            }
        }
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
            let needed = self.needed().into_iter();
            let extras = needed.filter(|group| group.kind == GroupKind::Extra);
            let extras: Vec<&str> = extras.map(|group| group.name.as_str()).collect();
            arguments.push("-e".into());
            arguments.push(match extras.as_slice() {
                [] => ".".to_owned(),
                names => format!(".[{}]", names.join(",")),
            });
        }
        arguments.extend(plain(self.spelled_out()));
        arguments
    }
}

/// What groups ask for, each once. A list that a list names, or the project
/// itself, is there already or cannot be told.
fn plain<'a>(groups: impl Iterator<Item = &'a Group>) -> Vec<String> {
    let mut wants: Vec<String> = Vec::new();
    for want in groups.flat_map(|group| &group.wants) {
        if package(want).is_some() && !wants.contains(want) {
            wants.push(want.clone());
        }
    }
    wants
}
