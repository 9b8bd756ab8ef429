//! The tree of what lies in a workspace, made without trusting the workspace.

use super::{
    Error, Workspaces, folder,
    git::{self, Git},
    ignore::{Ignores, Listed, Thing},
    index::{Index, LINK, Staged},
    lfs::{self, Pointer},
    refs,
    store::target,
    take::{self, Taking, Untaken, Was, Were},
    walk::{self, Conversion, Found, Unfit, is_dot_git, says_how_to_convert},
};
use crate::{crash, state::make_private};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};
use trueup_core::{
    id::{EffectId, RunId, TreeId},
    turn::Finding,
};

/// How many findings an agent is told one by one.
const FINDING_LIMIT: usize = 50;

/// Where rescued trees are kept.
const RESCUES: &str = "refs/rescue/";

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
    pub(super) fn free_rescue(&self, run: &RunId, label: &EffectId) -> Result<String, Error> {
        let mut name = format!("{RESCUES}{run}/{label}");
        let mut count = 1_u32;
        while target(&self.results(), &name)?.is_some() {
            count += 1;
            name = format!("{RESCUES}{run}/{label}.{count}");
        }
        Ok(name)
    }

    /// Snapshots to this ref. Behind a veil that is done by its upper layer or
    /// else by a process of ours for which the veil is laid, and which comes by
    /// here once more.
    pub(super) fn snapshot_to(&self, run: &RunId, name: &str) -> Result<Snapshot, Error> {
        crash::point("git.snapshot.before");
        let place = self.folder(run);
        let snapshot = match (place.veil(), &self.veiling.entry) {
            (Some(veil), Some(_)) => match self.snapshot_upper(veil, run, name)? {
                Some(snapshot) => snapshot,
                None => self.snapshot_behind(veil, run, name)?,
            },
            (Some(_), None) | (None, _) => self.snapshot_work(&place.place(), run, name)?,
        };
        crash::point("git.snapshot.after");
        Ok(snapshot)
    }

    /// Snapshots a work tree that can be seen from here.
    fn snapshot_work(&self, work: &Path, run: &RunId, name: &str) -> Result<Snapshot, Error> {
        let kept = self.index_of(run)?;
        let index = Index::read(&kept, &self.person.object_format)?;
        let git = self.results().work_tree(work);
        let listed = |folder: &[u8]| Some(work.join(OsStr::from_bytes(folder)).join(".gitignore"));
        let (mut changes, unfit) = changes(&index, walk::look(work, &index), |found| {
            match simply_ignored(&listed, found) {
                Some(ignored) => Ok(ignored),
                None => ignored(&git, found),
            }
        })?;
        if changes.paths.iter().any(|path| says_how_to_convert(path)) && self.lfs().is_used() {
            changes.doubt_contents(&git, &index)?;
        }
        let (tree, untaken) = match self.take_without_git(work, &kept, (&index, &changes), name)? {
            Some(taken) => taken,
            None => self.take(work, &kept, changes, name)?,
        };
        let mut findings = findings(unfit, untaken);
        findings.extend(self.changed_submodules(run)?);
        Ok(Snapshot { tree, findings })
    }

    /// Takes what changed where no git is needed for it; `None` elsewhere, and
    /// then nothing has happened.
    pub(super) fn take_without_git(
        &self,
        work: &Path,
        kept: &Path,
        (index, changes): (&Index, &Changes),
        name: &str,
    ) -> Result<Option<(TreeId, Vec<Untaken>)>, Error> {
        match index.tree() {
            // The tree the turn began with is kept already, by the turn that left
            // it or as the base. What is rescued has a name of its own all the same.
            Some(tree) if changes.paths.is_empty() => {
                let tree = TreeId::new(tree);
                if name.starts_with(RESCUES) {
                    refs::point(&self.results(), &self.state.results(), name, tree.as_str())?;
                }
                Ok(Some((tree, Vec::new())))
            }
            Some(_) | None => self.take_quickly(work, kept, (index, changes), name),
        }
    }

    /// Takes what changed, and keeps the index that knows it.
    fn take(&self, work: &Path, kept: &Path, changes: Changes, name: &str) -> Result<(TreeId, Vec<Untaken>), Error> {
        let working = kept.with_file_name(folder::unique("index.working"));
        folder::copy_index(kept, &working)?;
        let quarantine = self.quarantine()?;
        let git = quarantine.git(self.results()).work_tree(work).index(&working);
        if !changes.forgotten.is_empty() {
            git.feed(&["update-index", "-z", "--index-info"], &changes.forgotten)?;
        }
        let taking = Taking {
            git: &git,
            root: work,
            lfs: &self.lfs(),
            were: &changes.were,
            conversion: changes.conversion,
        };
        let format = &self.person.object_format;
        let taken = take::enter(&taking, changes.paths, || Index::read(&working, format))?;
        let tree = TreeId::new(git.line(&["write-tree"])?);
        let mut contents = taken.contents;
        if taking.lfs.is_used() {
            let (before, now) = (Index::read(kept, format)?, Index::read(&working, format)?);
            contents.extend(before.forgotten_in(&now, &changes.were));
        }
        Index::remember(&working, format, &contents)?;
        quarantine.release(&working)?;
        crash::point("quarantine.released");
        folder::settle_objects(&self.state.results())?;
        refs::point(&self.results(), &self.state.results(), name, tree.as_str())?;
        folder::rename(&working, kept).map_err(Error::at(kept))?;
        Ok((tree, taken.untaken))
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

/// What is to be taken into an index.
pub(super) struct Changes {
    /// Where something may have changed.
    pub(super) paths: Vec<Vec<u8>>,
    /// Entries whose times git must forget, or it would not look.
    forgotten: Vec<u8>,
    /// What was staged under paths that may have changed.
    pub(super) were: Were,
    /// Whether git may convert files.
    pub(super) conversion: Conversion,
}

impl Changes {
    /// Where attributes changed, what is a content and what is not may have
    /// changed as well, so every file that is staged as a pointer is taken anew.
    fn doubt_contents(&mut self, git: &Git, index: &Index) -> Result<(), Error> {
        let objects: Vec<String> = index.staged().map(|staged| staged.object()).collect();
        let blobs = lfs::small_blobs(git, &objects)?;
        for staged in index.staged() {
            let is_pointer = blobs
                .get(&staged.object())
                .is_some_and(|blob| Pointer::read(blob).is_some());
            if is_pointer && !self.were.contains_key(staged.path) {
                self.add(&staged);
                self.forgotten.extend(staged.anew());
            }
        }
        self.paths.sort();
        Ok(())
    }

    /// Adds a staged file that may have changed.
    fn add(&mut self, staged: &Staged<'_>) {
        self.paths.push(staged.path.to_vec());
        let was = Was {
            object: staged.object().into_bytes(),
            mode: None,
        };
        self.were.insert(staged.path.to_vec(), was);
    }
}

/// Sorts what was found into what can be taken and what cannot.
pub(super) fn changes(
    index: &Index,
    mut found: Found,
    ignored: impl FnOnce(&Found) -> Result<HashSet<Vec<u8>>, Error>,
) -> Result<(Changes, Unfit), Error> {
    let links: HashSet<Vec<u8>> = index
        .staged()
        .filter(|staged| staged.mode == LINK)
        .map(|staged| staged.path.to_vec())
        .collect();
    let nested: HashSet<Vec<u8>> = found.unfit.nested.iter().cloned().collect();
    let skip = |path: &[u8]| is_within(path, &nested) || is_within(path, &links) || is_reserved(path);
    found.unknown.retain(|unknown| !skip(&unknown.path));
    let ignored = ignored(&found)?;
    found.unfit.nested.retain(|path| !ignored.contains(path));
    found.unfit.special.retain(|path| !ignored.contains(path));
    let mut changes = Changes {
        paths: Vec::new(),
        forgotten: Vec::new(),
        were: Were::new(),
        conversion: found.conversion,
    };
    let missing = found.missing(index);
    let tracked = found
        .differing
        .iter()
        .chain(&missing)
        .filter_map(|number| index.nth(*number));
    for staged in tracked.filter(|staged| !skip(staged.path)) {
        changes.add(&staged);
    }
    let lulled = found.lulled.iter().filter_map(|number| index.nth(*number));
    changes.forgotten.extend(lulled.flat_map(|staged| staged.anew()));
    let unknown = found.unknown.into_iter().filter(|unknown| {
        let fresh = unknown.fresh().is_some_and(|folder| ignored.contains(folder));
        !fresh && !ignored.contains(&unknown.path)
    });
    changes.paths.extend(unknown.map(|unknown| unknown.path));
    changes.paths.sort();
    Ok((changes, found.unfit))
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
pub(super) fn findings(unfit: Unfit, untaken: Vec<Untaken>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in &unfit.nested {
        let path = shown(path);
        findings.push(Finding {
            what: format!(
                "`{path}` is a git repository of its own, so nothing in it was taken. If its files belong to this work, remove `{path}/.git`; if not, remove the folder or add it to .gitignore."
            ),
            path,
        });
    }
    for path in &unfit.special {
        let path = shown(path);
        findings.push(Finding {
            what: format!(
                "`{path}` is a pipe, socket or device, which git cannot hold, so it was left out. Remove it or add it to .gitignore."
            ),
            path,
        });
    }
    for Untaken { path, why } in unfit.untaken.into_iter().chain(untaken) {
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
    findings
}

/// Which of what was found is ignored. Where nothing in a folder is staged the
/// folder is asked for first: what lies in an ignored one need not be asked for.
fn ignored(git: &Git, found: &Found) -> Result<HashSet<Vec<u8>>, Error> {
    let unfit = found.unfit.nested.iter().chain(&found.unfit.special).map(Vec::as_slice);
    let outermost = found
        .unknown
        .iter()
        .map(|unknown| unknown.fresh().unwrap_or(&unknown.path));
    let mut ignored = ask_ignored(git, unfit.chain(outermost).collect())?;
    let within = found
        .unknown
        .iter()
        .filter(|unknown| unknown.fresh().is_some_and(|folder| !ignored.contains(folder)));
    let more = ask_ignored(git, within.map(|unknown| unknown.path.as_slice()).collect())?;
    ignored.extend(more);
    Ok(ignored)
}

/// The same, where no git is needed to know it. `listed` says where the file
/// lies that lists what a folder ignores.
pub(super) fn simply_ignored(listed: Listed<'_>, found: &Found) -> Option<HashSet<Vec<u8>>> {
    if !found.unfit.nested.is_empty() || !found.unfit.special.is_empty() {
        return None;
    }
    let mut ignores = Ignores::of(listed);
    let mut folders: HashMap<&[u8], bool> = HashMap::new();
    let mut ignored = HashSet::new();
    for unknown in &found.unknown {
        if let Some(folder) = unknown.fresh() {
            let is_ignored = match folders.get(folder) {
                Some(known) => *known,
                None => ignores.ignores(folder, Thing::Folder)?,
            };
            folders.insert(folder, is_ignored);
            if is_ignored {
                ignored.insert(folder.to_vec());
                continue;
            }
        }
        if ignores.ignores(&unknown.path, Thing::File)? {
            ignored.insert(unknown.path.clone());
        }
    }
    Some(ignored)
}

fn ask_ignored(git: &Git, paths: BTreeSet<&[u8]>) -> Result<HashSet<Vec<u8>>, Error> {
    if paths.is_empty() {
        return Ok(HashSet::new());
    }
    // A name that begins like this is a name, never a pattern.
    let names: Vec<Vec<u8>> = paths.iter().map(|path| [b"./", *path].concat()).collect();
    let asked = git::joined(names.iter().map(Vec::as_slice));
    let arguments = ["check-ignore", "--no-index", "-z", "--stdin"];
    let answer = git.clone().patterns().call(&arguments, &asked)?;
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
