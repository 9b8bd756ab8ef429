//! What lies uncommitted in the person's checkout, taken as a base.

use super::{
    deliver::signed_by,
    error::Error,
    folder::{self, Scratch},
    git::quoted,
    output::text,
    person::Checkout,
    stage::stage_all,
    store::base_ref,
    submodule,
    workspaces::Workspaces,
};
use std::fs;
use trueup_core::{
    event::{Base, Identity},
    id::{CommitId, Timestamp, TreeId},
};

impl Workspaces {
    /// A commit on top of `rev` of everything uncommitted and not ignored:
    /// staged, unstaged and untracked. The same files at the same moment make
    /// the same commit; the checkout and its index are only read.
    pub fn base_with_changes(&self, rev: &str, at: Timestamp, author: &Identity) -> Result<Base, Error> {
        if self.person.checkout == Checkout::Bare {
            return Err(Error::NoCheckout);
        }
        let base = self.base(rev)?;
        if self.person.commit("HEAD")? != base.commit {
            return Err(Error::NotOnHead(rev.to_string()));
        }
        let scratch = Scratch::new(self.state.path(), "incoming")?;
        let objects = scratch.path().join("objects");
        fs::create_dir(&objects).map_err(Error::at(&objects))?;
        let index = scratch.path().join("index");
        folder::copy_index(&self.person.git_dir.join("index"), &index)?;
        // New objects go aside; the person's are borrowed, none is written there.
        let git = self
            .person
            .eyes()
            .without_filters(self.person.filters()?)
            .index(&index)
            .variable("GIT_OBJECT_DIRECTORY", &objects)
            .variable(
                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                quoted(&self.person.common.join("objects")),
            );
        let skipped = stage_all(&git, &self.person.folder, &self.lfs())?;
        if let Some(first) = skipped.into_iter().next() {
            return Err(Error::NotTakeable {
                path: String::from_utf8_lossy(&first.path).into_owned(),
                why: first.reason,
            });
        }
        if let Some(path) = submodule::moved(&git)? {
            let why = "it is a submodule on another commit than the one staged (`git add` stages it)".to_string();
            return Err(Error::NotTakeable { path, why });
        }
        let tree = TreeId::new(git.line(&["write-tree"])?);
        if tree == base.tree {
            return Ok(base);
        }
        let message = b"Uncommitted changes, as a run found them\n";
        let git = signed_by(git, author, at);
        let made = git.feed(
            &["commit-tree", tree.as_str(), "-p", base.commit.as_str(), "-F", "-"],
            message,
        )?;
        let commit = CommitId::new(text(&made));
        let wanted = format!("{commit}\n^{}\n", base.commit);
        let store = self.store();
        git.pipe(
            &["pack-objects", "--quiet", "--revs", "--stdout"],
            wanted.as_bytes(),
            &store,
            &["index-pack", "--stdin", "--fix-thin"],
        )?;
        let kept = base_ref(&commit);
        self.bring_along(&store, &commit)?;
        store.run(&["update-ref", &kept, commit.as_str()])?;
        folder::settle(&self.state.store(), &kept)?;
        Ok(Base {
            commit,
            tree,
            name: format!("{rev} with uncommitted changes"),
        })
    }
}
