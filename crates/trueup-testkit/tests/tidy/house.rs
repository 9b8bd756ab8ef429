//! The repository as rules see it: every file that is not ignored.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Projects as other people have them, in which agents are tried: no rules of
/// this house hold there.
const GUESTS: &str = "crates/trueup/tests/ordinary/projects";

/// A repository.
#[derive(Debug)]
pub(crate) struct House {
    /// Sorted by path.
    pub(crate) papers: Vec<Paper>,
}

/// One file of it.
#[derive(Debug)]
pub(crate) struct Paper {
    /// Relative to the root, with forward slashes.
    pub(crate) path: String,
    /// Its text; what is not text is replaced by marks that no rule looks for.
    pub(crate) text: String,
    /// How long it is on disk.
    pub(crate) bytes: u64,
}

impl House {
    /// A house of these files alone, for subjects that are known to be bad.
    pub(crate) fn of(papers: &[(&str, &str)]) -> Self {
        let papers = papers
            .iter()
            .map(|(path, text)| Paper {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
                bytes: text.len() as u64,
            })
            .collect();
        Self { papers }
    }

    /// Reads a house from disk, without git's own folder, what `.gitignore` names,
    /// and guests.
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let ignored = match fs::read_to_string(root.join(".gitignore")) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut papers = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder))? {
                let entry = entry?;
                let path = folder.join(entry.file_name());
                let name = path.to_string_lossy().replace('\\', "/");
                if name == ".git" || name == GUESTS || is_ignored(&ignored, &name) {
                    continue;
                }
                if entry.file_type()?.is_dir() {
                    folders.push(path);
                } else if entry.file_type()?.is_file() {
                    let bytes = fs::read(entry.path())?;
                    papers.push(Paper {
                        path: name,
                        text: String::from_utf8_lossy(&bytes).into_owned(),
                        bytes: bytes.len() as u64,
                    });
                }
            }
        }
        papers.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { papers })
    }

    /// The file at this path, if there is one.
    pub(crate) fn paper(&self, path: &str) -> Option<&Paper> {
        self.papers.iter().find(|paper| paper.path == path)
    }

    /// Whether a file or a folder stands at this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        self.papers
            .iter()
            .any(|paper| paper.path == path || paper.path.starts_with(&folder))
    }

    /// Every file whose path ends so.
    pub(crate) fn ending<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a Paper> {
        self.papers.iter().filter(move |paper| paper.path.ends_with(end))
    }
}

impl Paper {
    /// The file's name without folders.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The folder it stands in, empty for the root.
    pub(crate) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// Plain lines of `.gitignore` only: anchored paths, and bare names anywhere.
/// Globs are left to git, so what they hide is still looked at here.
fn is_ignored(lines: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .any(|line| match line.trim_end_matches('/').strip_prefix('/') {
            Some(anchored) => anchored == path,
            None => line.trim_end_matches('/') == name || line.trim_end_matches('/') == path,
        })
}

#[test]
fn a_house_is_read_without_what_git_ignores() -> io::Result<()> {
    let root = tempfile::tempdir()?;
    for path in [
        "target/a.rs",
        "docs/a.md",
        "crates/x/target/b.rs",
        ".git/config",
        "notes",
    ] {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(root.path()))?;
        fs::write(path, "x")?;
    }
    fs::write(root.path().join(".gitignore"), "# built\n/target\nnotes\n")?;
    let house = House::read(root.path())?;
    let paths: Vec<&str> = house.papers.iter().map(|paper| paper.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "crates/x/target/b.rs", "docs/a.md"]);
    Ok(())
}
