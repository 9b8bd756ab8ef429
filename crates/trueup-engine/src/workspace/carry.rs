//! Runs carried out of results and taken into them, so that another machine
//! can go on with their trees.

use super::{error::Error, folder, refs::target, workspaces::Workspaces};
use crate::travel::{Carried, Moved, Trees, of_run, require_own, require_unmoved};
use std::{collections::BTreeMap, io};
use trueup_core::id::{CommitId, RunId};

/// What stands in the place of an object that is not there.
const NOWHERE: &str = "0";

impl Trees for Workspaces {
    fn carry_out(&self, run: &RunId, known: &[CommitId]) -> io::Result<Carried> {
        let refs = self.refs(run)?;
        if refs.is_empty() {
            return Ok(Carried::default());
        }
        let wanted = refs.values().map(ToString::to_string);
        let not = known.iter().map(|commit| format!("^{commit}"));
        let asked: Vec<String> = wanted.chain(not).collect();
        let pack = self.results().feed(
            &["pack-objects", "--revs", "--stdout", "--quiet", "--delta-base-offset"],
            format!("{}\n", asked.join("\n")).as_bytes(),
        )?;
        Ok(Carried {
            packs: vec![pack],
            refs,
        })
    }

    fn take_in(&self, run: &RunId, carried: &Carried) -> io::Result<()> {
        carried.refs.keys().try_for_each(|name| require_own(run, name))?;
        let standing = self.refs(run)?;
        require_unmoved(&standing, &carried.refs)?;
        let git = self.results();
        for pack in &carried.packs {
            git.feed(&["index-pack", "--stdin", "--fix-thin"], pack)?;
        }
        folder::settle_objects(&self.state.results())?;
        for (name, object) in &carried.refs {
            if let Moved::No(Some(there)) = self.move_ref(run, name, None, object)?
                && there != *object
            {
                require_unmoved(&BTreeMap::from([(name.clone(), there)]), &carried.refs)?;
            }
        }
        Ok(())
    }

    fn refs(&self, run: &RunId) -> io::Result<BTreeMap<String, String>> {
        let [own, rescued] = of_run(run);
        let arguments = ["for-each-ref", "--format=%(objectname) %(refname)", &own, &rescued];
        let listed = self.results().run(&arguments)?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let pairs = listed.lines().filter_map(|line| line.split_once(' '));
        Ok(pairs
            .map(|(object, name)| (name.to_owned(), object.to_owned()))
            .collect())
    }

    fn move_ref(&self, run: &RunId, name: &str, from: Option<&str>, to: &str) -> io::Result<Moved> {
        require_own(run, name)?;
        let git = self.results();
        let old = match from {
            Some(object) => object.to_owned(),
            None => NOWHERE.repeat(to.len()),
        };
        let answer = git.call(&["update-ref", name, to, &old], &[])?;
        if answer.succeeded() {
            folder::settle_ref(&self.state.results(), name)?;
            return Ok(Moved::Yes);
        }
        let standing = target(&git, name)?;
        match standing.as_deref() == from {
            // It stood where it was thought, so that something else is wrong.
            true => Err(Error::unclear("update-ref", answer.stderr.as_bytes()).into()),
            false => Ok(Moved::No(standing)),
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.is_full() {
            true => io::ErrorKind::StorageFull,
            false => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}
