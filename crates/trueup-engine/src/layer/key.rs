//! What a layer and a cache are made from, as one digest.

use super::{Layer, LayerRequest, Layers};
use crate::workspace;
use std::collections::BTreeMap;
use trueup_core::{criterion::Check, digest::Digest, evidence::Isolation, ground::Preparation, id::TreeId};
use trueup_inspect::changes::globs;

/// Raised whenever what lies in a layer or cache is read differently.
const FORMAT: &[u8] = b"layer 1";

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
    /// Where key files are the base's, everybody who starts from it shares what
    /// was made from it. Where they differ, and may, what is made belongs to this very tree
    /// of this run: a script that runs meanwhile could leave anything in it.
    pub(super) fn source(
        &self,
        wanted: &LayerRequest,
        preparation: &Preparation,
    ) -> Result<Result<Source, RefusedKey>, workspace::Error> {
        let of_base = self.workspaces.objects(&wanted.base, &preparation.key)?;
        let of_tree = self.workspaces.objects(&wanted.tree, &preparation.key)?;
        let own = of_base != of_tree;
        if own && let Err(unfit) = allowed(wanted, preparation, &of_base, &of_tree) {
            return Ok(Err(unfit));
        }
        let program = preparation.argv.first().and_then(|word| self.sandbox.resolve(word));
        let mut fields = vec![
            FORMAT.to_vec(),
            preparation.definition().as_str().as_bytes().to_vec(),
            format!("{program:?} {}", std::env::consts::ARCH).into_bytes(),
            // What an agent without a wall could reach is not used behind one.
            format!("{:?}", self.sandbox.isolation()).into_bytes(),
        ];
        for (path, object) in &of_tree {
            fields.push(path.clone().into_bytes());
            fields.push(object.clone().unwrap_or_default().into_bytes());
        }
        // Key files are not all that a preparation may read: a script of the tree
        // can have a say in it. So what was made from one tree serves that tree.
        let (tree, ownership) = match own {
            true => (&wanted.tree, Ownership::Candidate),
            false => (&wanted.base, Ownership::Base),
        };
        fields.push(tree.as_str().as_bytes().to_vec());
        if own {
            fields.push(self.run.as_str().as_bytes().to_vec());
        }
        Ok(Ok(Source {
            key: Digest::of_fields(fields.iter().map(Vec::as_slice)),
            tree: tree.clone(),
            ownership,
        }))
    }
}

/// The objects of key files, by path.
type Objects = BTreeMap<String, Option<String>>;

/// A file that decides what is installed also decides what the checks run, so
/// only a person lets it change.
fn allowed(
    wanted: &LayerRequest,
    preparation: &Preparation,
    of_base: &Objects,
    of_tree: &Objects,
) -> Result<(), RefusedKey> {
    let globs = globs(&wanted.lockfiles).map_err(|error| RefusedKey(format!("allow.lockfiles: {error}")))?;
    let changed = of_tree
        .iter()
        .filter(|(path, object)| of_base.get(*path) != Some(*object));
    match changed.map(|(path, _)| path).find(|path| !globs.is_match(path)) {
        None => Ok(()),
        Some(path) => Err(RefusedKey(format!(
            "{path} differs from the base and decides what [prepare.{}] installs, and so what is executed here; \
             put it back, or let a person add `allow: {{ lockfiles: [{path}] }}` to the task",
            preparation.name
        ))),
    }
}

/// What a check's cache is made from.
pub(super) fn cache_key(check: &Check, base: &TreeId, isolation: Isolation, layers: &[Layer]) -> Digest {
    let argv = check.argv();
    let definition = check.definition();
    let wall = format!("{isolation:?}");
    let mut fields: Vec<&[u8]> = vec![b"cache 1", wall.as_bytes(), base.as_str().as_bytes()];
    fields.push(definition.as_str().as_bytes());
    fields.extend(argv.iter().map(|word| word.as_bytes()));
    fields.extend(layers.iter().map(|layer| layer.key.as_str().as_bytes()));
    Digest::of_fields(fields)
}
