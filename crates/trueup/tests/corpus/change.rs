//! What people changed: two trees, laid into a household whose agent turns one
//! into the other.

use crate::{
    criteria::Seen,
    projects::{Language, Project},
    suite::{self, shell, try_shell},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use trueup_testkit::{household::Household, saboteurs::Tools};

/// A tree of a project, and what its people made of it.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    pub(crate) project: &'a Project,
    /// Which of the project's: a commit, or a version.
    pub(crate) which: String,
    folder: TempDir,
}

impl<'a> Change<'a> {
    /// A change whose trees are laid into the two folders it is given.
    pub(crate) fn laid(project: &'a Project, which: &str, lay: impl FnOnce(&Path, &Path)) -> Self {
        let folder = tempfile::Builder::new().prefix("change-").tempdir().expect("a folder");
        let change = Self {
            project,
            which: which.to_owned(),
            folder,
        };
        for tree in [change.before(), change.after()] {
            fs::create_dir_all(tree).expect("a folder");
        }
        lay(&change.before(), &change.after());
        for tree in [change.before(), change.after()] {
            if let Some((path, text)) = project.built {
                fs::write(tree.join(path), text).expect("a file");
            }
        }
        change
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.project.name, self.which)
    }

    fn before(&self) -> PathBuf {
        self.folder.path().join("before")
    }

    pub(crate) fn after(&self) -> PathBuf {
        self.folder.path().join("after")
    }

    /// What the suite says of it.
    pub(crate) fn seen(&self) -> Seen {
        Seen {
            language: self.project.language,
            before: suite::execute(self.project, &self.before()),
            tests_alone: suite::execute(self.project, &self.tests_alone()),
            after: suite::execute(self.project, &self.after()),
        }
    }

    /// The tree before with the tests after it, as far as they have files of their own.
    fn tests_alone(&self) -> PathBuf {
        let patterns = match self.project.language {
            Language::Go => "-name *_test.go -o -path */testdata/*",
            Language::JavaScript => "-path ./test/* -o -path ./tests/*",
            Language::Python => "-path ./test/* -o -path ./tests/* -o -path ./testing/*",
            Language::Rust => "-path ./tests/*",
        };
        let tree = self.folder.path().join("tests-alone");
        shell(
            self.folder.path(),
            &format!(
                "set -f; cp -a before tests-alone; cd after; find . -type f '(' {patterns} ')' -print0 \
                 | xargs -0 -r cp --parents -t ../tests-alone"
            ),
        );
        tree
    }

    /// The tree before, committed with a task of these check lines, and an agent
    /// that makes the change in its first turn.
    pub(crate) fn household(&self, lines: &[String], binary: &str) -> Household {
        let tools = Tools::find();
        let household = Household::new(binary, "true\n")
            .with_variable("HOME", &tools.home().display().to_string())
            .with_variable("PATH", &suite::path(self.project.origin))
            .in_real_time();
        let path = household.checkout().join("trueup.toml");
        let written = fs::read_to_string(path).expect("a configuration");
        household.file("trueup.toml", &format!("{written}\n{}", self.project.tables()));
        let checkout = household.checkout();
        let lay = |tree: &Path| {
            shell(
                &checkout,
                &format!(
                    "git rm -r -q --ignore-unmatch . && cp -a {}/. . && git add --all --force -- . ':!trueup.toml'",
                    tree.display()
                ),
            );
        };
        lay(&self.after());
        household.git(&["commit", "--quiet", "--message", "After"]);
        let after = household.git(&["rev-parse", "HEAD"]);
        lay(&self.before());
        household.git(&["commit", "--quiet", "--allow-empty", "--message", "Before"]);
        let patch = household.git(&["diff", "--binary", "--full-index", "HEAD", &after]);
        household.git(&["checkout", "--quiet", "--orphan", "base"]);
        household.git(&["branch", "--quiet", "--delete", "--force", "main"]);
        household.git(&["branch", "--quiet", "--move", "main"]);
        household.task("T-001", &task(lines));
        household.git(&["add", "--force", "tasks/T-001.md"]);
        household.git(&["commit", "--quiet", "--message", "The base"]);
        household.set_agent(&format!(
            "[ \"$TRUEUP_TURN\" = 1 ] || exit 0\ngit apply --whitespace=nowarn <<'END OF THE CHANGE'\n{patch}\nEND OF THE CHANGE\n"
        ));
        let clean = try_shell(&checkout, "git status --short");
        assert_eq!(clean.stdout, "", "{}", self.name());
        household
    }
}

fn task(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("  - {line}\n")).collect();
    format!(
        "---\nv: 1\nid: T-001\ntitle: What the project's people did\nsize: small\nbudget: {{ turns: 3 }}\n\
         allow: {{ self_tested: true }}\n---\n\nDo it.\n\n## Acceptance criteria\n\n\
         - [ ] **AC-1** It is done.\n{}  - guard: tests\n",
        lines.concat()
    )
}
