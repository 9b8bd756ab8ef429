//! What a layer and a cache are made from, as one digest.

use super::{Layer, LayerRequest, Layers};
use crate::workspace;
use trueup_core::{
    criterion::Check,
    digest::Digest,
    evidence::Isolation,
    ground::Preparation,
    id::TreeId,
    objection::{Objection, ObjectionKind},
};
use trueup_inspect::{
    changes::{self, Allowed},
    rules::packages,
};

/// Raised whenever what lies in a layer or cache is read differently.
const FORMAT: &[u8] = b"layer 3";

/// What one preparation is to be made from.
pub(super) struct Source {
    pub(super) key: Digest,
    /// The tree it runs in.
    pub(super) tree: TreeId,
    pub(super) ownership: Ownership,
}

/// Whose scripts take part in a preparation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ownership {
    /// The base's alone.
    Base,
    /// A candidate's, because a person allowed its key files to differ.
    Candidate,
}

/// Why a preparation has nothing to be made from.
pub(super) struct RefusedKey(pub(super) String);

impl Layers {
    /// Where key files ask for what the base's do, everybody who starts from it
    /// shares what was made from it, or from a base that is prepared alike.
    /// Where they ask for something else, and may, what is made belongs to this
    /// very tree of this run: a script that runs meanwhile could leave anything
    /// in it.
    pub(super) fn source(
        &self,
        wanted: &LayerRequest,
        preparation: &Preparation,
    ) -> Result<Result<Source, RefusedKey>, workspace::Error> {
        let of_base = self.workspaces.objects(&wanted.base, &preparation.key)?;
        let of_tree = self.workspaces.objects(&wanted.tree, &preparation.key)?;
        let other = match of_base == of_tree {
            true => Vec::new(),
            false => self.installs(wanted, &preparation.key)?,
        };
        let is_open =
            |objection: &&Objection| objection.allowed.is_none() && !wanted.approved.contains(&objection.digest);
        if let Some(open) = other.iter().find(is_open) {
            return Ok(Err(refused(preparation, open)));
        }
        let allowed = Allowed(&wanted.allow);
        let is_allowed = |path: &String| allowed.path(ObjectionKind::Lockfile, path).is_some();
        let is_changed = |path: &String| of_base.get(path) != of_tree.get(path);
        // Who allows a file to differ has all that it says, whether it installs the same or not.
        let own = !other.is_empty() || of_tree.keys().any(|path| is_changed(path) && is_allowed(path));
        let objects = if own { of_tree } else { of_base };
        let program = preparation.argv.first().and_then(|word| self.sandbox.resolve(word));
        let mut fields = vec![
            FORMAT.to_vec(),
            preparation.definition().as_str().as_bytes().to_vec(),
            format!("{program:?} {}", std::env::consts::ARCH).into_bytes(),
            // What an agent without a wall could reach is not used behind one.
            format!("{:?}", self.sandbox.isolation()).into_bytes(),
        ];
        for (path, object) in &objects {
            fields.push(path.clone().into_bytes());
            fields.push(object.clone().unwrap_or_default().into_bytes());
        }
        let (tree, ownership) = match own {
            true => (&wanted.tree, Ownership::Candidate),
            false => (&wanted.base, Ownership::Base),
        };
        match ownership {
            Ownership::Candidate => {
                fields.push(tree.as_str().as_bytes().to_vec());
                fields.push(self.run.as_str().as_bytes().to_vec());
            }
            Ownership::Base => fields.push(self.say(tree, preparation)?.into_bytes()),
        }
        Ok(Ok(Source {
            key: Digest::of_fields(fields.iter().map(Vec::as_slice)),
            tree: tree.clone(),
            ownership,
        }))
    }

    /// Key files are not all that a preparation may read: a script of the tree
    /// can have a say in it. What was made from one tree serves those that
    /// agree with it on all of that.
    fn say(&self, tree: &TreeId, preparation: &Preparation) -> Result<String, workspace::Error> {
        let Some(fetcher) = packages::Fetcher::of(preparation) else {
            return Ok(self.bases.of(&self.workspaces, tree)?.as_str().to_owned());
        };
        let mut listing = self.workspaces.listing(tree)?;
        listing.retain(|(path, _)| !self.bases.is_ours(path));
        let paths = listing.iter().map(|(path, _)| path);
        let manifests: Vec<String> = paths.filter(|path| packages::is_manifest(path)).cloned().collect();
        let manifests = self.workspaces.contents(tree, &manifests)?;
        let read = |path: &str| manifests.get(path).cloned();
        Ok(fetcher.say(&listing, &read).as_str().to_owned())
    }

    /// What a tree installs otherwise than its base, of these files.
    pub fn installs(&self, wanted: &LayerRequest, paths: &[String]) -> Result<Vec<Objection>, workspace::Error> {
        let before = self.workspaces.contents(&wanted.base, paths)?;
        let after = self.workspaces.contents(&wanted.tree, paths)?;
        let found = paths.iter().filter_map(|path| {
            let (before, after) = (before.get(path), after.get(path));
            let allowed = Allowed(&wanted.allow);
            changes::installs(path, before.map(Vec::as_slice), after.map(Vec::as_slice), &allowed)
        });
        Ok(found.collect())
    }
}

/// A file that decides what is installed also decides what the checks run, so
/// only a person lets it ask for something else.
fn refused(preparation: &Preparation, open: &Objection) -> RefusedKey {
    RefusedKey(format!(
        "{} decides what [prepare.{}] installs, and so what is executed here, and asks for something else than on \
         the base; nobody approved that, and the task does not say `allow: {{ lockfiles: [{}] }}`",
        open.path, preparation.name, open.path
    ))
}

/// What a check's cache is made from.
pub(super) fn cache_key(check: &Check, base: &Digest, isolation: Isolation, layers: &[Layer]) -> Digest {
    let argv = check.argv();
    let definition = check.definition();
    let wall = format!("{isolation:?}");
    let mut fields: Vec<&[u8]> = vec![b"cache 2", wall.as_bytes(), base.as_str().as_bytes()];
    fields.push(definition.as_str().as_bytes());
    fields.extend(argv.iter().map(|word| word.as_bytes()));
    fields.extend(layers.iter().map(|layer| layer.key.as_str().as_bytes()));
    Digest::of_fields(fields)
}
