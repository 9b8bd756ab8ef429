//! Facts about trees, read from git's objects and never from a folder.

use super::{error::Error, objects::bodies, output, workspaces::Workspaces};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use trueup_core::id::{CommitId, TreeId};

/// A file that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub path: String,
    /// Lines added; where it is not text, all that end in it.
    pub added: u32,
    /// Lines removed; none where it is not text.
    pub removed: u32,
}

/// How many paths are asked for at once; a command line has an end.
const AT_ONCE: usize = 500;

/// A path at which one tree holds another sort of thing than the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindChange {
    /// Which.
    pub path: String,
    /// What was there.
    pub before: EntryKind,
    /// What is there.
    pub after: EntryKind,
}

/// What a tree can hold at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// Nothing.
    Nothing,
    /// A file.
    File,
    /// A file that can be executed.
    Program,
    /// A link to somewhere else.
    Link,
    /// Another repository.
    Repository,
}

impl EntryKind {
    fn of(mode: &str) -> Self {
        match mode {
            "100755" => Self::Program,
            "120000" => Self::Link,
            "160000" => Self::Repository,
            "000000" => Self::Nothing,
            _ => Self::File,
        }
    }
}

/// One entry of a tree.
struct Entry {
    mode: String,
    object: String,
    path: String,
}

impl Entry {
    fn is_regular_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

impl Workspaces {
    /// Whether a tree has a file, link or folder of this path.
    pub fn tree_has(&self, tree: &TreeId, path: &str) -> Result<bool, Error> {
        Ok(self.entry(tree, path)?.is_some())
    }

    /// The objects of these paths in a tree, by path.
    pub fn objects(&self, tree: &TreeId, paths: &[String]) -> Result<BTreeMap<String, Option<String>>, Error> {
        let mut objects: BTreeMap<String, Option<String>> = BTreeMap::new();
        for some in paths.chunks(AT_ONCE) {
            let found = self.listed(tree, some.iter().filter_map(|path| plain(path)))?;
            for path in some {
                let plain = plain(path);
                let entry = found.iter().find(|entry| plain.as_ref() == Some(&entry.path));
                objects.insert(path.clone(), entry.map(|entry| entry.object.clone()));
            }
        }
        Ok(objects)
    }

    /// Whether a commit or one before it has or had something of this path.
    pub fn ever_had(&self, commit: &CommitId, path: &str) -> Result<bool, Error> {
        let history = [
            "rev-list",
            "--max-count=1",
            "--full-history",
            commit.as_str(),
            "--",
            path,
        ];
        Ok(!self.results().line(&history)?.is_empty())
    }

    /// Whether the file of this path holds or held a text in a commit or one before it.
    pub fn ever_said(&self, commit: &CommitId, path: &str, text: &str) -> Result<bool, Error> {
        let looked_for = format!("-S{text}");
        let history = [
            "log",
            "--max-count=1",
            "--format=%H",
            "--full-history",
            // A merge can bring what neither side had.
            "-m",
            "--no-textconv",
            "--no-ext-diff",
            "--no-patch",
            &looked_for,
            commit.as_str(),
            "--",
            path,
        ];
        Ok(!self.results().line(&history)?.is_empty())
    }

    /// A regular file's bytes; `None` if there is none. Links are not followed.
    pub fn read(&self, tree: &TreeId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.entry(tree, path)? {
            Some(entry) if entry.is_regular_file() => {
                Ok(Some(self.results().run(&["cat-file", "blob", &entry.object])?))
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The paths of a tree's regular files. A name that is not Unicode is
    /// shown with replacement characters, and [`Self::read_many`] knows it so.
    pub fn files(&self, tree: &TreeId) -> Result<Vec<String>, Error> {
        let entries = self.entries(tree)?.into_iter();
        Ok(entries.filter(Entry::is_regular_file).map(|entry| entry.path).collect())
    }

    /// What lies in a tree: each path with the name of its content, and of what
    /// sort it is.
    pub fn listing(&self, tree: &TreeId) -> Result<Vec<(String, String)>, Error> {
        let entries = self.entries(tree)?.into_iter();
        Ok(entries
            .map(|entry| (entry.path, format!("{} {}", entry.mode, entry.object)))
            .collect())
    }

    /// The bytes of those of these paths that are regular files in a tree.
    pub fn read_many(&self, tree: &TreeId, paths: &[String]) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let wanted: std::collections::HashSet<&str> = paths.iter().map(String::as_str).collect();
        let mut entries = self.entries(tree)?;
        entries.retain(|entry| entry.is_regular_file() && wanted.contains(entry.path.as_str()));
        let objects: Vec<String> = entries.iter().map(|entry| entry.object.clone()).collect();
        let bodies = bodies(&self.results(), &objects)?;
        let body = |entry: Entry| Some((entry.path, bodies.get(&entry.object)?.clone()));
        Ok(entries.into_iter().filter_map(body).collect())
    }

    /// What lies at those of these paths that are there. What is no regular
    /// file, a link for one, has its object's name as its content.
    pub fn contents(&self, tree: &TreeId, paths: &[String]) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let mut contents: BTreeMap<String, Vec<u8>> = self.read_many(tree, paths)?.into_iter().collect();
        let rest = paths.iter().filter(|path| !contents.contains_key(*path));
        let rest: Vec<String> = rest.cloned().collect();
        for (path, object) in self.objects(tree, &rest)? {
            if let Some(object) = object {
                contents.insert(path, format!("no regular file: {object}\n").into_bytes());
            }
        }
        Ok(contents)
    }

    /// The paths at which another sort of thing stands than before.
    pub fn resorted(&self, from: &TreeId, to: &TreeId) -> Result<Vec<KindChange>, Error> {
        let said = self.compared(from, to)?;
        let mut records = output::records(&said).map(String::from_utf8_lossy);
        let mut all = Vec::new();
        while let Some(head) = records.next().filter(|record| record.starts_with(':'))
            && let Some(path) = records.next()
        {
            let mut modes = head.trim_start_matches(':').split(' ').map(EntryKind::of);
            let (Some(before), Some(after)) = (modes.next(), modes.next()) else {
                return Err(Error::unclear("diff-tree", head.as_bytes()));
            };
            if before != after {
                let path = path.into_owned();
                all.push(KindChange { path, before, after });
            }
        }
        Ok(all)
    }

    /// The files that differ between two trees.
    pub fn changes(&self, from: &TreeId, to: &TreeId) -> Result<Vec<Change>, Error> {
        let said = self.compared(from, to)?;
        let mut records = output::records(&said).peekable();
        // Each sort comes first, a path of its own behind it.
        while records.next_if(|record| record.starts_with(b":")).is_some() {
            records.next();
        }
        records
            .map(|record| {
                let record = String::from_utf8_lossy(record);
                let mut fields = record.splitn(3, '\t');
                match (fields.next(), fields.next(), fields.next()) {
                    (Some(added), Some(removed), Some(path)) => Ok(Change {
                        added: match added.parse() {
                            Ok(added) => added,
                            // Files that are not text have a dash instead. One byte makes a
                            // file so, and must not hide its lines.
                            Err(_) => self.line_ends(to, path)?,
                        },
                        removed: removed.parse().unwrap_or(0),
                        path: path.to_string(),
                    }),
                    (_, _, _) => Err(Error::unclear("diff-tree", record.as_bytes())),
                }
            })
            .collect()
    }

    /// What git says of the difference of two trees: the sorts of both sides of
    /// each path, then the lines of each.
    fn compared(&self, from: &TreeId, to: &TreeId) -> Result<Arc<[u8]>, Error> {
        self.told(&[
            "diff-tree",
            "-r",
            "-z",
            "--raw",
            "--numstat",
            "--no-renames",
            from.as_str(),
            to.as_str(),
        ])
    }

    /// What git says of trees and nothing else.
    fn told(&self, question: &[&str]) -> Result<Arc<[u8]>, Error> {
        self.answers.to(question, || self.results().run(question))
    }

    /// How many lines end in a file; none where there is no such file.
    fn line_ends(&self, tree: &TreeId, path: &str) -> Result<u32, Error> {
        let bytes = self.read(tree, path)?.unwrap_or_default();
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
        Ok(u32::try_from(ends).unwrap_or(u32::MAX))
    }

    /// What differs between two trees, as a patch.
    pub fn diff(&self, from: &TreeId, to: &TreeId) -> Result<Vec<u8>, Error> {
        self.patch(from, to, &[])
    }

    /// What of that is in one file; nothing where that does not differ.
    pub fn diff_of(&self, from: &TreeId, to: &TreeId, path: &str) -> Result<Vec<u8>, Error> {
        match path.is_empty() {
            true => Ok(Vec::new()),
            false => self.patch(from, to, &["--", path]),
        }
    }

    fn patch(&self, from: &TreeId, to: &TreeId, of: &[&str]) -> Result<Vec<u8>, Error> {
        let words = [
            "diff-tree",
            "-r",
            "--patch",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            from.as_str(),
            to.as_str(),
        ];
        self.results().run(&[&words[..], of].concat())
    }

    /// The lines that a tree has and another one does not, by file; those
    /// that are blank are left out.
    pub fn changed_lines(&self, from: &TreeId, to: &TreeId) -> Result<BTreeMap<String, BTreeSet<u32>>, Error> {
        let compare = |how: &[&str]| {
            let words = ["diff-tree", "-r", "--no-renames"].iter().chain(how).copied();
            let words: Vec<&str> = words.chain([from.as_str(), to.as_str()]).collect();
            self.results().run(&words)
        };
        let names = compare(&["-z", "--name-only"])?;
        // Attributes of the tree could say that a file is no text, and hide its lines.
        let plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--text"];
        let patch = compare(&[&plain[..], &["--patch", "--unified=0"]].concat())?;
        let sections = added_lines(&patch);
        let names: Vec<&[u8]> = output::records(&names).collect();
        if names.len() != sections.len() {
            return Err(Error::unclear("diff-tree", &patch[..patch.len().min(200)]));
        }
        let named = names.iter().map(|name| String::from_utf8_lossy(name).into_owned());
        Ok(named.zip(sections).collect())
    }

    fn entry(&self, tree: &TreeId, path: &str) -> Result<Option<Entry>, Error> {
        let Some(path) = plain(path) else { return Ok(None) };
        let listed = self.listed(tree, [path.clone()])?;
        Ok(listed.into_iter().find(|entry| entry.path == path))
    }

    /// The entries of these plain paths, as far as there are any.
    fn listed(&self, tree: &TreeId, paths: impl IntoIterator<Item = String>) -> Result<Vec<Entry>, Error> {
        let paths: Vec<String> = paths.into_iter().collect();
        if paths.is_empty() {
            // Without a path, git would list everything.
            return Ok(Vec::new());
        }
        let words = ["ls-tree", "-z", "--full-tree", tree.as_str(), "--"];
        let words: Vec<&str> = words.into_iter().chain(paths.iter().map(String::as_str)).collect();
        entries(&self.told(&words)?)
    }

    fn entries(&self, tree: &TreeId) -> Result<Vec<Entry>, Error> {
        entries(&self.told(&["ls-tree", "-r", "-z", "--full-tree", tree.as_str()])?)
    }
}

/// A path as git spells it, if it can lead into a tree at all.
fn plain(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let leads_out = path.starts_with('/') || parts.is_empty() || parts.contains(&"..");
    (!leads_out).then(|| parts.join("/"))
}

fn entries(listed: &[u8]) -> Result<Vec<Entry>, Error> {
    let parse = |record: &[u8]| {
        let record = String::from_utf8_lossy(record);
        let (head, path) = record.split_once('\t')?;
        let mut fields = head.split(' ');
        let (mode, _, object) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Entry {
            mode: mode.to_string(),
            object: object.to_string(),
            path: path.to_string(),
        })
    };
    output::records(listed)
        .map(|record| parse(record).ok_or_else(|| Error::unclear("ls-tree", record)))
        .collect()
}

/// The numbers of the lines that a patch without context adds and that are not
/// blank, for each of its files in turn. Every line of a text begins with a
/// sign there, so that none can be taken for a head.
fn added_lines(patch: &[u8]) -> Vec<BTreeSet<u32>> {
    let mut files: Vec<BTreeSet<u32>> = Vec::new();
    let mut at = None;
    for line in patch.split(|byte| *byte == b'\n') {
        if line.starts_with(b"diff --git ") {
            files.push(BTreeSet::new());
            at = None;
        } else if let Some(head) = line.strip_prefix(b"@@ ") {
            at = first_added(&String::from_utf8_lossy(head));
        } else if let (Some(number), Some(text)) = (at, line.strip_prefix(b"+")) {
            if let Some(file) = files.last_mut().filter(|_| !text.trim_ascii().is_empty()) {
                file.insert(number);
            }
            at = Some(number + 1);
        }
    }
    files
}

/// The line at which `-1,2 +3,4 @@` begins to add.
fn first_added(head: &str) -> Option<u32> {
    let added = head.split(' ').find_map(|word| word.strip_prefix('+'))?;
    added.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::added_lines;

    #[test]
    fn added_lines_are_numbered_and_no_text_is_taken_for_a_head() {
        let patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -2 +2,3 @@ fn x\n-diff --git a b\n+one\n+  \n++@@ -1 +90 @@\n\
                     @@ -9,0 +12 @@\n+diff --git a b\n\\ No newline at end of file\n\
                     diff --git a/b b/b\nold mode 100644\nnew mode 100755\n\
                     diff --git a/c b/c\ndeleted file\n--- a/c\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
        let files = added_lines(patch.as_bytes());
        let files: Vec<Vec<u32>> = files.into_iter().map(|lines| lines.into_iter().collect()).collect();
        assert_eq!(files, [vec![2, 4, 12], vec![], vec![]]);
    }
}
