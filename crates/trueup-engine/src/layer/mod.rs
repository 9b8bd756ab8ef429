//! What is laid under trees: what preparations brought, and what checks left
//! on the base.
//!
//! A *layer* holds what one preparation left, under the digest of everything it
//! was made from. A *cache* holds what one check left in a room of the base. Both
//! are the engine's own: rooms and workspaces see them through veils, or have
//! copies, and nothing that is written there ever comes back.

mod base_contents;
mod cache;
mod copy;
mod key;
mod prepare;
mod real_folder;
mod show;

pub use base_contents::BaseContents;
pub use copy::shares_blocks;
pub use prepare::Prepared;
pub use show::{InTheWay, Shown};

pub(crate) use cache::Cached;

use crate::{
    sandbox::Sandbox,
    state::StateRoot,
    stop::StopToken,
    workspace::{Room, Workspaces},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use trueup_core::{
    digest::Digest,
    effect::Verify,
    ground::Preparation,
    id::{RunId, TreeId},
    task::Allow,
};

/// Everything that layers need of the world.
#[derive(Clone, Debug)]
pub struct Layers {
    /// Where they lie.
    pub state: StateRoot,
    /// Where trees are read and rooms are laid.
    pub workspaces: Workspaces,
    /// The wall round each preparation.
    pub sandbox: Sandbox,
    /// The person's variables, of which a preparation sees those it names.
    pub environment: BTreeMap<String, String>,
    /// What preparations are given that nobody may keep, by their names.
    pub secrets: BTreeMap<String, BTreeMap<String, String>>,
    /// The run they are laid for.
    pub run: RunId,
    /// The lock that every sandbox of the run holds.
    pub alive: PathBuf,
    /// Hears when work shall end early.
    pub stop: StopToken,
    /// What bases hold.
    pub bases: BaseContents,
}

/// What is wanted under a tree.
#[derive(Clone, Debug)]
pub struct LayerRequest {
    /// The tree.
    pub tree: TreeId,
    /// The tree the work started from.
    pub base: TreeId,
    /// What is prepared.
    pub prepare: Vec<Preparation>,
    /// What a person allowed in advance.
    pub allow: Allow,
    /// What a person approved since, by the names of the objections.
    pub approved: BTreeSet<Digest>,
}

impl From<&Verify> for LayerRequest {
    fn from(wish: &Verify) -> Self {
        Self {
            tree: wish.tree.clone(),
            base: wish.base.clone(),
            prepare: wish.prepare.clone(),
            allow: wish.allow.clone(),
            approved: wish.approved.clone(),
        }
    }
}

/// What one preparation left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The preparation's name.
    pub name: String,
    /// The digest of everything it was made from.
    pub key: Digest,
    /// Its folders, each with the path it was kept from.
    pub folders: Vec<(PathBuf, FolderPlace)>,
}

/// Where a kept folder belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderPlace {
    /// Here in the tree.
    Tree(PathBuf),
    /// Here in the home.
    Home(PathBuf),
}

impl FolderPlace {
    /// Reads a path of `keep`.
    fn of(path: &str) -> Self {
        match path.strip_prefix("~/") {
            Some(rest) => Self::Home(PathBuf::from(rest)),
            None => Self::Tree(PathBuf::from(path)),
        }
    }
}

/// The folders kept below `place`, each with where it belongs.
fn folders(place: &Path, paths: &[String]) -> Vec<(PathBuf, FolderPlace)> {
    let numbered = paths.iter().enumerate();
    numbered
        .map(|(count, path)| (place.join(count.to_string()), FolderPlace::of(path)))
        .collect()
}

impl Layers {
    /// An empty room beside the others, for what a veil or a copy holds.
    fn beside(&self, name: &str) -> Result<Room, crate::workspace::Error> {
        self.workspaces.empty_room(&self.run, name)
    }
}
