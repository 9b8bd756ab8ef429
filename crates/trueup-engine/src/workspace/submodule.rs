//! Submodules: other repositories whose files belong to a checkout.
//!
//! A tree names only a commit of each. The tree of that commit is copied from
//! the person's own clone of it when a base is taken, and its files are laid
//! into every room and workspace. They are read-only in the sense that counts:
//! nothing an agent does to them reaches a tree.

use super::{
    error::Error,
    folder::{self, write},
    git::Git,
    index::{Index, LINK_MODE},
    lfs::is_laid,
    output::{self, text},
    refs::target,
    walk::walk,
    workspaces::Workspaces,
};
use crate::state::make_private;
use std::{
    collections::{HashMap, HashSet},
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Component, Path, PathBuf},
};
use trueup_core::{digest::Digest, id::RunId, turn::Finding};

/// Ends the name of a file that holds a path.
const PATH: &str = "path";

/// A submodule as a tree names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Where its files belong.
    pub(super) path: Vec<u8>,
    /// The commit.
    pub(super) commit: String,
    /// The name under which a clone of it is kept.
    pub(super) name: String,
}

/// Where clones of submodules are looked for.
#[derive(Clone, Debug)]
pub(super) struct Clones {
    /// The git directories that may hold `modules/NAME`.
    pub(super) git_dirs: Vec<PathBuf>,
    /// The checkout, if there is one.
    pub(super) checkout: Option<PathBuf>,
}

impl Clones {
    /// The clone of a submodule.
    pub(super) fn of(&self, named: &Named) -> Option<PathBuf> {
        let below = Path::new("modules").join(&named.name);
        // Git refuses such names, too: they lead elsewhere.
        let plain = below.components().all(|part| matches!(part, Component::Normal(_)));
        let kept = self.git_dirs.iter().filter(|_| plain).map(|dir| dir.join(&below));
        let own = self.checkout.iter().filter_map(|checkout| {
            let place = checkout.join(OsStr::from_bytes(&named.path));
            git_dir_at(&place)
        });
        own.chain(kept).find(|dir| dir.join("HEAD").exists())
    }

    /// Where the submodules of a submodule are looked for.
    pub(super) fn below(&self, named: &Named, clone: &Path) -> Self {
        let place = |checkout: &PathBuf| checkout.join(OsStr::from_bytes(&named.path));
        Self {
            git_dirs: vec![clone.to_path_buf()],
            checkout: self.checkout.as_ref().map(place),
        }
    }
}

/// The git directory of a checkout: its `.git`, or what that file names.
fn git_dir_at(place: &Path) -> Option<PathBuf> {
    let dot_git = place.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let mut told = fs::read(&dot_git).ok()?;
    told.pop_if(|last| *last == b'\n');
    let told = OsString::from_vec(told.strip_prefix(b"gitdir: ")?.to_vec());
    Some(place.join(told))
}

/// The submodules a plain `git submodule update --init` would lay for a tree:
/// links that `.gitmodules` knows. Every other link is an empty folder.
pub(super) fn named(git: &Git, tree: &str, links: &[(Vec<u8>, String)]) -> Result<Vec<Named>, Error> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let file = format!("--blob={tree}:.gitmodules");
    let keys = r"^submodule\..*\.(path|update)$";
    let told = git.call(&["config", "-z", &file, "--get-regexp", keys], &[])?;
    let mut names: HashMap<Vec<u8>, String> = HashMap::new();
    let mut left_out = HashSet::new();
    for record in output::records(&told.stdout) {
        let mut fields = record.splitn(2, |byte| *byte == b'\n');
        let (Some(key), Some(value)) = (fields.next(), fields.next()) else {
            continue;
        };
        let key = String::from_utf8_lossy(key).into_owned();
        let name = key.strip_prefix("submodule.").and_then(|key| key.rsplit_once('.'));
        match name {
            Some((name, "path")) => drop(names.insert(value.to_vec(), name.to_string())),
            Some((name, _)) if value == b"none" => drop(left_out.insert(name.to_string())),
            Some(_) | None => {}
        }
    }
    Ok(links
        .iter()
        .filter_map(|(path, commit)| {
            let name = names.get(path).filter(|name| !left_out.contains(*name))?;
            Some(Named {
                path: path.clone(),
                commit: commit.clone(),
                name: name.clone(),
            })
        })
        .collect())
}

/// A submodule of the person's checkout that stands on another commit than the
/// index says. Nothing is run in it to find that out.
pub(super) fn moved(git: &Git) -> Result<Option<String>, Error> {
    let arguments = ["diff-files", "--raw", "-z", "--no-renames", "--ignore-submodules=dirty"];
    let differing = git.run(&arguments)?;
    let mut records = output::records(&differing);
    while let (Some(what), Some(path)) = (records.next(), records.next()) {
        let modes: Vec<&[u8]> = what.split(|byte| *byte == b' ').take(2).collect();
        if let [was, now] = modes.as_slice()
            && was.ends_with(LINK_MODE)
            && *now == LINK_MODE
        {
            return Ok(Some(String::from_utf8_lossy(path).into_owned()));
        }
    }
    Ok(None)
}

/// The ref that keeps the tree of a submodule's commit alive in the store.
pub(super) fn submodule_ref(commit: &str) -> String {
    format!("refs/submodules/{commit}")
}

/// What becomes of the indexes by which submodules were laid.
#[derive(Clone, Copy, Debug)]
pub(super) enum Indexes<'a> {
    /// They are removed.
    Discarded,
    /// They are kept for this run, to see later what changed.
    KeptFor(&'a RunId),
}

/// A folder into which a tree was laid.
struct ReadOnlyMount<'a> {
    root: &'a Path,
    indexes: Indexes<'a>,
}

impl Workspaces {
    /// Copies the tree of a submodule's commit from the person's clone of it.
    pub(super) fn bring_submodule(&self, clone: &Git, commit: &str) -> Result<(), Error> {
        let kept = submodule_ref(commit);
        let store = self.store();
        let tree = clone.line(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")])?;
        if target(&store, &kept)?.is_some_and(|known| known == tree) {
            return Ok(());
        }
        clone.pipe(
            &["pack-objects", "--quiet", "--revs", "--stdout"],
            format!("{tree}\n").as_bytes(),
            &store,
            &["index-pack", "--stdin"],
        )?;
        store.run(&["update-ref", &kept, &tree])?;
        folder::settle(&self.state.store(), &kept)
    }

    /// Whether the tree of a submodule's commit was brought.
    pub(super) fn has_submodule(&self, commit: &str) -> Result<bool, Error> {
        Ok(target(&self.store(), &submodule_ref(commit))?.is_some())
    }

    /// Lays what a plain checkout has beyond what git itself lays: contents
    /// kept by Git LFS, and the files of submodules. `tree` was just laid into
    /// `place` by this index.
    pub(super) fn complete(&self, place: &Path, index: &Path, tree: &str, indexes: Indexes<'_>) -> Result<(), Error> {
        if let Indexes::KeptFor(run) = indexes {
            folder::remove(&self.links_of(run))?;
        }
        self.complete_below(&ReadOnlyMount { root: place, indexes }, Path::new(""), index, tree)
    }

    fn complete_below(&self, laid: &ReadOnlyMount<'_>, below: &Path, index: &Path, tree: &str) -> Result<(), Error> {
        let place = laid.root.join(below);
        let git = &self.results().throwaway().work_tree(&place).index(index);
        self.lfs().smudge(git, &place, index)?;
        if !fs::symlink_metadata(place.join(".gitmodules")).is_ok_and(|file| file.is_file()) {
            return Ok(());
        }
        for submodule in named(git, tree, &links(git)?)? {
            // A commit that was never brought belongs to no base that was looked at.
            let Some(tree) = target(&self.store(), &submodule_ref(&submodule.commit))? else {
                continue;
            };
            let path = below.join(OsStr::from_bytes(&submodule.path));
            let inside = laid.root.join(&path);
            let index = match laid.indexes {
                // Beside the room, and never in it.
                Indexes::Discarded => laid.root.with_file_name(folder::unique("submodule.index")),
                Indexes::KeptFor(run) => self.index_for(run, &path)?,
            };
            fs::create_dir_all(&inside).map_err(Error::at(&inside))?;
            let git = self.results().throwaway().work_tree(&inside).index(&index);
            git.run(&["read-tree", "--reset", "-u", &tree])?;
            let completed = self.complete_below(laid, &path, &index, &tree);
            if let Indexes::Discarded = laid.indexes {
                fs::remove_file(&index).map_err(Error::at(&index))?;
            }
            completed?;
        }
        Ok(())
    }

    /// The submodules of a run's workspace in which something changed since
    /// it was laid. Nothing of that is ever taken.
    pub(super) fn changed_submodules(&self, run: &RunId) -> Result<Vec<Finding>, Error> {
        let Ok(kept) = fs::read_dir(self.links_of(run)) else {
            return Ok(Vec::new());
        };
        let work = self.folder(run).place();
        let mut findings = Vec::new();
        for index in kept.flatten().map(|entry| entry.path()) {
            let Ok(path) = fs::read(index.with_extension(PATH)) else {
                continue;
            };
            if index.extension().is_some() {
                continue;
            }
            let path = PathBuf::from(OsString::from_vec(path));
            if self.is_changed(&work.join(&path), &index)? {
                let path = path.to_string_lossy().into_owned();
                findings.push(Finding {
                    what: format!(
                        "`{path}` is a submodule, a repository of its own, so nothing you changed in it was taken. Make your changes outside it."
                    ),
                    path,
                });
            }
        }
        findings.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(findings)
    }

    fn is_changed(&self, place: &Path, index: &Path) -> Result<bool, Error> {
        if !fs::symlink_metadata(place).is_ok_and(|kind| kind.is_dir()) {
            return Ok(true);
        }
        let known = Index::read(index, self.person.hash()?)?;
        let found = walk(place, &known);
        if found.is_nothing(&known) {
            return Ok(false);
        }
        let git = self.results().work_tree(place).index(index);
        let racy = found.racy_clean.iter().filter_map(|number| known.nth(*number));
        let racy: Vec<u8> = racy.flat_map(|staged| staged.anew()).collect();
        if !racy.is_empty() {
            git.feed(&["update-index", "-z", "--index-info"], &racy)?;
        }
        // Fails where files differ, which is what is asked next.
        git.call(&["update-index", "-q", "--refresh"], &[])?;
        let differing = git.run(&["diff-files", "--name-only", "-z", "--ignore-submodules=all"])?;
        let lfs = self.lfs();
        for path in output::records(&differing) {
            let file = place.join(OsStr::from_bytes(path));
            // A content in place of its pointer is what was laid.
            if !(lfs.is_used() && is_laid(&git, path, &file)?) {
                return Ok(true);
            }
        }
        let unknown = git.run(&["ls-files", "--others", "-z", "--exclude-per-directory=.gitignore"])?;
        let links = links(&git)?;
        // A submodule below this one has its own say.
        let is_linked = |path: &[u8]| {
            let below = |link: &[u8]| path.strip_prefix(link).is_some_and(|rest| rest.starts_with(b"/"));
            links.iter().any(|(link, _)| below(link))
        };
        Ok(output::records(&unknown).any(|path| !is_linked(path)))
    }

    /// Where the index of a submodule is kept for a run; its path lies beside it.
    fn index_for(&self, run: &RunId, path: &Path) -> Result<PathBuf, Error> {
        let kept = self.links_of(run);
        make_private(&kept).map_err(Error::at(&kept))?;
        let path = path.as_os_str().as_bytes();
        let index = kept.join(Digest::of(path).as_str());
        write(&index.with_extension(PATH), path)?;
        Ok(index)
    }

    fn links_of(&self, run: &RunId) -> PathBuf {
        self.state.run(run).join("submodules")
    }
}

/// The links of an index: where each stands, and the commit it names.
fn links(git: &Git) -> Result<Vec<(Vec<u8>, String)>, Error> {
    let staged = git.run(&["ls-files", "--stage", "-z"])?;
    Ok(output::records(&staged)
        .filter(|record| record.starts_with(LINK_MODE))
        .filter_map(|record| {
            let tab = record.iter().position(|byte| *byte == b'\t')?;
            let commit = record.get(..tab)?.split(|byte| *byte == b' ').nth(1)?;
            Some((record.get(tab + 1..)?.to_vec(), text(commit)))
        })
        .collect())
}
