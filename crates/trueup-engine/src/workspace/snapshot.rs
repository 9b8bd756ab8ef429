//! The tree of what lies in a workspace, made without trusting the workspace.

use super::{
    Error, Workspaces, folder,
    git::{self, Git},
    store::target,
    take::{self, Ignore, LINK_MODE, Untaken},
    walk::{self, Unfit, is_dot_git},
};
use crate::{crash, state::make_private};
use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};
use trueup_core::{
    id::{EffectId, RunId, TreeId},
    turn::Finding,
};

/// How many findings an agent is told one by one.
const FINDING_LIMIT: usize = 50;

/// What lay in a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its tree.
    pub tree: TreeId,
    /// What was left out, and why.
    pub findings: Vec<Finding>,
}

impl Workspaces {
    /// The tree of everything in a run's workspace that its own `.gitignore`
    /// files do not ignore. Nothing of the agent's `.git` is read. What cannot
    /// be taken is a finding and stays in the tree as it was when the workspace
    /// was laid or last snapshotted.
    pub fn snapshot(&self, run: &RunId, label: &EffectId) -> Result<Snapshot, Error> {
        self.snapshot_to(run, &format!("refs/runs/{run}/{label}"))
    }

    /// Saves what lies in a run's workspace before it is taken away. `None`
    /// if there is no workspace.
    pub fn rescue(&self, run: &RunId, label: &EffectId) -> Result<Option<TreeId>, Error> {
        if !self.exists(run) {
            return Ok(None);
        }
        let saved = self.snapshot_to(run, &self.free_rescue(run, label)?)?;
        Ok(Some(saved.tree))
    }

    /// A rescue ref that holds nothing yet: the same turn may be killed more
    /// than once, and what the first try left is not overwritten by the next.
    fn free_rescue(&self, run: &RunId, label: &EffectId) -> Result<String, Error> {
        let mut name = format!("refs/rescue/{run}/{label}");
        let mut count = 1_u32;
        while target(&self.results(), &name)?.is_some() {
            count += 1;
            name = format!("refs/rescue/{run}/{label}.{count}");
        }
        Ok(name)
    }

    fn snapshot_to(&self, run: &RunId, name: &str) -> Result<Snapshot, Error> {
        crash::point("git.snapshot.before");
        let work = self.state.workspace(run);
        let kept = self.index_of(run)?;
        let working = kept.with_file_name(folder::unique("index.working"));
        folder::copy_index(&kept, &working)?;
        let git = self.results().work_tree(&work).index(&working);
        let findings = take_all(&git, &work, &working)?;
        let tree = TreeId::new(git.line(&["write-tree"])?);
        self.results().run(&["update-ref", name, tree.as_str()])?;
        folder::settle(&self.state.results(), name)?;
        folder::rename(&working, &kept).map_err(Error::at(&kept))?;
        crash::point("git.snapshot.after");
        Ok(Snapshot { tree, findings })
    }

    /// The index that knows a run's workspace; what killed snapshots left
    /// beside it is removed.
    pub(super) fn index_of(&self, run: &RunId) -> Result<PathBuf, Error> {
        let home = self.state.run(run);
        make_private(&home).map_err(Error::at(&home))?;
        for entry in fs::read_dir(&home).map_err(Error::at(&home))?.flatten() {
            if entry.file_name().to_string_lossy().starts_with("index.") {
                match fs::remove_file(entry.path()) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(Error::at(&entry.path())(error));
                    }
                    Ok(()) | Err(_) => {}
                }
            }
        }
        Ok(home.join("index"))
    }
}

fn take_all(git: &Git, work: &Path, index: &Path) -> Result<Vec<Finding>, Error> {
    let links = links(git)?;
    let mut unfit = walk::unfit(work, &links);
    let nested: HashSet<Vec<u8>> = unfit.nested.iter().cloned().collect();
    let skip = |path: &[u8]| is_within(path, &nested) || is_within(path, &links) || is_reserved(path);
    take::distrust(git, work, index)?;
    let untaken = take::take(git, work, Ignore::AsTheTreeSays, skip)?;
    unfit.untaken.extend(untaken);
    findings(git, unfit)
}

/// Where the tree names commits of other repositories.
fn links(git: &Git) -> Result<HashSet<Vec<u8>>, Error> {
    let staged = git.run(&["ls-files", "--stage", "-z"])?;
    let linked = git::records(&staged).filter(|record| record.starts_with(LINK_MODE));
    Ok(linked
        .filter_map(|record| record.splitn(2, |byte| *byte == b'\t').nth(1))
        .map(<[u8]>::to_vec)
        .collect())
}

/// Whether a path is one of these folders or lies in one.
fn is_within(path: &[u8], folders: &HashSet<Vec<u8>>) -> bool {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    let mut above = slashes.filter_map(|(end, _)| path.get(..end));
    folders.contains(path) || above.any(|folder| folders.contains(folder))
}

fn is_reserved(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').any(is_dot_git)
}

/// What an agent is told of things that were left out. What is ignored would
/// have been left out anyway, and is not told.
fn findings(git: &Git, unfit: Unfit) -> Result<Vec<Finding>, Error> {
    let ignored = ignored(git, unfit.nested.iter().chain(&unfit.special))?;
    let mut findings = Vec::new();
    for path in unfit.nested.iter().filter(|path| !ignored.contains(*path)) {
        let path = shown(path);
        findings.push(Finding {
            what: format!(
                "`{path}` is a git repository of its own, so nothing in it was taken. If its files belong to this work, remove `{path}/.git`; if not, remove the folder or add it to .gitignore."
            ),
            path,
        });
    }
    for path in unfit.special.iter().filter(|path| !ignored.contains(*path)) {
        let path = shown(path);
        findings.push(Finding {
            what: format!(
                "`{path}` is a pipe, socket or device, which git cannot hold, so it was left out. Remove it or add it to .gitignore."
            ),
            path,
        });
    }
    for Untaken { path, why } in unfit.untaken {
        let path = shown(&path);
        findings.push(Finding {
            what: format!("`{path}` was left out: {why}. Make it readable, rename it or remove it."),
            path,
        });
    }
    let more = findings.len().saturating_sub(FINDING_LIMIT);
    if more > 0 {
        findings.truncate(FINDING_LIMIT);
        findings.push(Finding {
            path: ".".to_string(),
            what: format!("{more} more files and folders were left out for reasons like these."),
        });
    }
    Ok(findings)
}

fn ignored<'a>(git: &Git, paths: impl Iterator<Item = &'a Vec<u8>>) -> Result<HashSet<Vec<u8>>, Error> {
    // A name that begins like this is a name, never a pattern.
    let names: Vec<Vec<u8>> = paths.map(|path| [b"./", path.as_slice()].concat()).collect();
    if names.is_empty() {
        return Ok(HashSet::new());
    }
    let asked = git::joined(names.iter().map(Vec::as_slice));
    let answer = git
        .clone()
        .patterns()
        .call(&["check-ignore", "-z", "--stdin"], &asked)?;
    match answer.code {
        Some(0 | 1) => Ok(git::records(&answer.stdout)
            .filter_map(|name| name.strip_prefix(b"./"))
            .map(<[u8]>::to_vec)
            .collect()),
        Some(_) | None => Err(Error::unclear("check-ignore", answer.stderr.as_bytes())),
    }
}

fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
