//! Which packages a Python project lists, and where.

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

/// Groups of optional packages that tests need.
const FOR_TESTS: [&str; 4] = ["test", "tests", "testing", "dev"];

/// What a project lists.
pub(super) struct Packages {
    project: Table,
    /// Each listed package with the file that lists it.
    listed: BTreeMap<String, String>,
    requirements: Vec<&'static str>,
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
            setup: here.first(&["setup.py", "setup.cfg"]),
            project,
        };
        for name in packages.in_the_manifest() {
            packages.listed.entry(name).or_insert_with(|| path.clone());
        }
        for file in packages.requirements.clone() {
            for line in here.read(file).unwrap_or_default().lines() {
                if let Some(name) = package(line) {
                    packages.listed.entry(name).or_insert_with(|| here.path(file));
                }
            }
        }
        Ok(packages)
    }

    fn in_the_manifest(&self) -> Vec<String> {
        let mut lists: Vec<&Value> = Vec::new();
        let project = self.project.get("project");
        lists.extend(project.and_then(|project| project.get("dependencies")));
        let groups = [
            project.and_then(|project| project.get("optional-dependencies")),
            self.project.get("dependency-groups"),
        ];
        for group in groups.into_iter().flatten().filter_map(Value::as_table) {
            lists.extend(group.values());
        }
        let uv = self.table("uv").and_then(|uv| uv.get("dev-dependencies"));
        lists.extend(uv);
        let lines = lists
            .into_iter()
            .filter_map(Value::as_array)
            .flatten()
            .filter_map(Value::as_str);
        let mut names: Vec<String> = lines.filter_map(package).collect();
        if let Some(poetry) = self.table("poetry") {
            let groups = poetry.get("group").and_then(Value::as_table);
            let tables = [poetry.get("dependencies"), poetry.get("dev-dependencies")]
                .into_iter()
                .flatten()
                .chain(
                    groups
                        .into_iter()
                        .flat_map(Table::values)
                        .filter_map(|group| group.get("dependencies")),
                );
            names.extend(
                tables
                    .filter_map(Value::as_table)
                    .flat_map(Table::keys)
                    .filter_map(|name| package(name)),
            );
        }
        names
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

    /// The files that decide what pip installs.
    pub(super) fn files(&self) -> Vec<&'static str> {
        let mut files = self.requirements.clone();
        if self.is_package() {
            files.extend(self.manifest.is_some().then_some("pyproject.toml"));
            files.extend(self.setup);
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
            let optional = self
                .project
                .get("project")
                .and_then(|project| project.get("optional-dependencies"));
            let extra = FOR_TESTS
                .iter()
                .find(|name| optional.is_some_and(|groups| groups.get(**name).is_some()));
            arguments.push("-e".into());
            arguments.push(extra.map_or_else(|| ".".to_owned(), |extra| format!(".[{extra}]")));
        }
        arguments
    }
}

/// The package a line asks for: `pytest>=8 ; python_version > "3.9"` is `pytest`.
fn package(line: &str) -> Option<String> {
    let line = line.trim();
    let end = line
        .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)))
        .unwrap_or(line.len());
    let name = line.get(..end)?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    is_name.then(|| name.to_lowercase().replace('_', "-"))
}
