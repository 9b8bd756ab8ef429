//! The two git directories of a state root, and how a base gets into them.

use super::{
    answers::Answers,
    error::Error,
    folder::{self, write},
    git::Git,
    lfs,
    person::PersonRepository,
    refs::target,
    workspaces::{Overlays, Workspaces},
};
use crate::{state::StateRoot, write::write_durably};
use std::{ffi::OsString, fs, io, path::Path};
use trueup_core::{
    event::Base,
    id::{CommitId, TreeId},
};

/// What is fetched is objects and one ref: no tags, no notes left anywhere,
/// nothing tidied behind anybody's back.
const FETCH: [&str; 9] = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
    "--no-write-commit-graph",
    "--update-shallow",
    // The sending side does not inherit our settings. Whether the repository
    // may be trusted was asked when it was found.
    // Nor may what a person grafted into their history cut off ours.
    "--upload-pack=GIT_GRAFT_FILE=/dev/null git -c 'safe.directory=*' -c core.hooksPath=/dev/null upload-pack",
];

impl Workspaces {
    /// Opens the repository round `checkout` and makes the two git directories
    /// of its state root, unless they are there. Many processes may do so at once.
    pub fn open(state: &StateRoot, checkout: &Path) -> Result<Self, Error> {
        let workspaces = Self {
            state: state.clone(),
            person: PersonRepository::find(checkout)?,
            overlays: Overlays::default(),
            answers: Answers::default(),
        };
        workspaces.make_stores()?;
        Ok(workspaces)
    }

    /// The commit `rev` names in the person's repository, fetched with its
    /// history and nothing else.
    pub fn base(&self, rev: &str) -> Result<Base, Error> {
        let commit = self.person.commit(rev)?;
        let kept = base_ref(&commit);
        let store = self.store();
        if !has_ref(&store, &kept)? {
            self.bring_along(&self.person.git(), &commit)?;
            let refspec = format!("{commit}:{kept}");
            let fetched = match self.promised_by(&self.person.git())? {
                // The older history of a partial clone is mostly not here.
                Some(_) => fetch_tip(&store, &self.person.common, &refspec),
                None => fetch(&store, &self.person.common, &refspec),
            };
            // Another process may have fetched the same base a moment earlier.
            if !has_ref(&store, &kept)? {
                fetched?;
            }
        }
        folder::settle(&self.state.store(), &kept)?;
        self.share_shallow_end()?;
        Ok(Base {
            tree: TreeId::new(store.line(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")])?),
            commit,
            name: rev.to_string(),
        })
    }

    fn make_stores(&self) -> Result<(), Error> {
        let (store, results) = (self.state.store(), self.state.results());
        self.make_store(&store, None)?;
        // Relative, so that a state root can be moved as a whole.
        self.make_store(&results, Some("../../store.git/objects\n"))?;
        folder::sweep(self.state.path(), "store.git.");
        folder::sweep(self.state.path(), "results.git.");
        folder::sweep(self.state.path(), "incoming.");
        folder::sweep(self.state.path(), "lent.");
        folder::sweep(self.state.path(), "base.");
        folder::sweep(self.state.path(), lfs::SCRATCH);
        let found = object_format(&store)?;
        if found == self.person.object_format {
            Ok(())
        } else {
            Err(Error::ObjectFormat {
                found,
                wanted: self.person.object_format.clone(),
            })
        }
    }

    /// Makes a git directory aside and renames it into place, so that it is
    /// whole or not there however many processes try at once.
    fn make_store(&self, place: &Path, borrows: Option<&str>) -> Result<(), Error> {
        if place.join("HEAD").exists() {
            return Ok(());
        }
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let aside = folder::Scratch::new(self.state.path(), &name)?;
        self.init(aside.path(), &["--bare"])?;
        if let Some(borrows) = borrows {
            write(&aside.path().join("objects/info/alternates"), borrows.as_bytes())?;
        }
        folder::flush(aside.path())?;
        match folder::rename(aside.path(), place) {
            Err(_) if place.join("HEAD").exists() => Ok(()),
            done => done.map_err(Error::at(place)),
        }
    }

    /// Makes a git directory of the person's object format, with nothing of
    /// the machine's templates in it.
    pub(super) fn init(&self, place: &Path, how: &[&str]) -> Result<(), Error> {
        let format = format!("--object-format={}", self.person.object_format);
        let mut arguments = vec!["init", "--quiet", "--template=", "--initial-branch=work", &format];
        arguments.extend(how);
        // Git would take the directory it is told of for the one to make.
        let git = Git::ours(self.state.path(), place).nowhere();
        let git = if how.contains(&"--bare") { git.private() } else { git };
        git.run(&arguments)?;
        Ok(())
    }

    /// Where a shallow repository's history ends, so does ours.
    fn share_shallow_end(&self) -> Result<(), Error> {
        let end = match fs::read(self.state.store().join("shallow")) {
            Ok(end) => end,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::at(&self.state.store())(error)),
        };
        let copy = self.state.results().join("shallow");
        if fs::read(&copy).is_ok_and(|known| known == end) {
            return Ok(());
        }
        write_durably(&copy, &end).map_err(Error::at(&copy))
    }
}

/// The object format of a git directory of ours, as git wrote it down when it
/// made it.
fn object_format(git_dir: &Path) -> Result<String, Error> {
    let path = git_dir.join("config");
    let config = fs::read_to_string(&path).map_err(Error::at(&path))?;
    let told = config
        .lines()
        .find_map(|line| line.trim().strip_prefix("objectformat = "));
    Ok(told.unwrap_or("sha1").to_string())
}

/// The ref that keeps a base alive in the store.
pub(super) fn base_ref(commit: &CommitId) -> String {
    format!("refs/bases/{commit}")
}

/// Fetches by one refspec from a repository on this machine.
pub(super) fn fetch(git: &Git, from: &Path, refspec: &str) -> Result<(), Error> {
    fetch_with(git, &[], from, refspec)
}

/// Fetches a commit without the ones before it.
fn fetch_tip(git: &Git, from: &Path, refspec: &str) -> Result<(), Error> {
    fetch_with(git, &["--depth=1"], from, refspec)
}

fn fetch_with(git: &Git, how: &[&str], from: &Path, refspec: &str) -> Result<(), Error> {
    let mut arguments: Vec<OsString> = FETCH.iter().chain(how).map(OsString::from).collect();
    arguments.extend([from.into(), refspec.into()]);
    git.run(&arguments)?;
    Ok(())
}

fn has_ref(git: &Git, name: &str) -> Result<bool, Error> {
    Ok(target(git, name)?.is_some())
}
