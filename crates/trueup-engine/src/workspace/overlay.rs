//! Overlays, the workspaces of large trees: a veil over one checkout of the base.
//!
//! The files of a base are written once, in a folder nobody writes to again.
//! Every workspace on that base is a veil over it, which takes what its agent
//! writes. The veil is laid for those alone who look through it: the agent's
//! sandbox, and the process of ours that snapshots.

use super::{
    error::Error,
    folder::{self, write},
    index::LINK_MODE,
    output,
    submodule::Indexes,
    workspaces::Workspaces,
};
use crate::{
    sandbox::{Folder, Laying, Veil, lay},
    trace,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};
use trueup_core::{
    event::Base,
    id::{RunId, TreeId},
};

/// From so many files on a workspace is an overlay unless somebody says otherwise.
/// Below, a copy is quick, and a folder of it can be renamed like any other.
const LARGE: usize = 5_000;

/// What a tree is like, as far as it decides how a workspace is laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A copy of it is quick.
    Small,
    /// A copy of it takes its time.
    Large,
    /// It names submodules. What changes in them is found by an index each
    /// that one run keeps, so they are copied for that run.
    Linking,
}

impl Workspaces {
    /// A run's workspace, as whoever looks into it is shown it.
    pub fn folder(&self, run: &RunId) -> Folder {
        let folder = self.overlay_of(run);
        match fs::read_to_string(folder.join(UNDER)) {
            Ok(tree) => Folder::Veiled(Veil {
                under: vec![self.files_of(&TreeId::new(tree.trim()))],
                folder,
            }),
            Err(_) => Folder::Plain(self.state.workspace(run)),
        }
    }

    /// Where a folder can be made that is then seen in a run's workspace.
    pub(crate) fn footing(&self, run: &RunId) -> PathBuf {
        match self.folder(run) {
            Folder::Plain(path) => path,
            Folder::Veiled(veil) => veil.upper(),
        }
    }

    /// Whether a workspace that shows exactly its base is to be an overlay.
    pub(super) fn wants_overlay(&self, tree: &TreeId) -> Result<bool, Error> {
        match (&self.overlays.entry, self.overlays.laying) {
            (None, _) | (Some(_), Laying::Copy) => Ok(false),
            (Some(_), Laying::Overlay) => Ok(self.kind(tree)? != Kind::Linking),
            (Some(entry), Laying::Auto) => Ok(self.kind(tree)? == Kind::Large && self.can_mount_overlays(entry)),
        }
    }

    /// Lays a veil aside, over the one checkout of the base, and the index that
    /// knows what is seen through it.
    pub(super) fn lay_overlay(&self, base: &Base, aside: &Path, index: &Path) -> Result<(), Error> {
        // Until the veil says what it lies over, nobody may take that away.
        let _held = self.state.hold_alternates().map_err(Error::at(aside))?;
        let checkout = self.base_checkout(&base.tree)?;
        let veil = Veil::hang(vec![checkout.join(FILES)], aside.to_owned()).map_err(Error::at(aside))?;
        write(&aside.join(UNDER), base.tree.as_str().as_bytes())?;
        self.lay_clone(&veil.upper(), &base.commit)?;
        folder::copy_index(&checkout.join("index"), &veil.upper().join(".git/index"))?;
        folder::copy_index(&checkout.join("index"), index)?;
        let files = self.results().work_tree(&checkout.join(FILES)).index(index);
        self.lfs().overlook(&files, &self.clone_at(&veil.upper()))
    }

    /// Where a run's overlay is kept, if its workspace is one.
    pub(super) fn overlay_of(&self, run: &RunId) -> PathBuf {
        self.state.workspace(run).with_file_name(format!("{run}.veil"))
    }

    /// The checkout of a base that all its veiled workspaces lie over; made
    /// when it is first asked for, built aside and renamed.
    fn base_checkout(&self, tree: &TreeId) -> Result<PathBuf, Error> {
        let place = self.state.bases().join(tree.as_str());
        if place.is_dir() {
            return Ok(place);
        }
        let aside = folder::Scratch::new(self.state.path(), "base")?;
        let files = aside.path().join(FILES);
        fs::create_dir(&files).map_err(Error::at(&files))?;
        self.check_out(tree, &files, &aside.path().join("index"), Indexes::Discarded)?;
        crate::crash::point("base.before");
        match folder::rename(aside.path(), &place) {
            // Another process may have made the same a moment earlier.
            Err(_) if place.is_dir() => Ok(place),
            done => done.map(|()| place.clone()).map_err(Error::at(&place)),
        }
    }

    fn files_of(&self, tree: &TreeId) -> PathBuf {
        self.state.bases().join(tree.as_str()).join(FILES)
    }

    fn kind(&self, tree: &TreeId) -> Result<Kind, Error> {
        // One that lies there was looked at when it was laid.
        if self.files_of(tree).is_dir() {
            return Ok(Kind::Large);
        }
        let listed = self.results().run(&["ls-tree", "-r", "-z", tree.as_str()])?;
        let mut count = 0_usize;
        for entry in output::records(&listed) {
            if entry.starts_with(LINK_MODE) {
                return Ok(Kind::Linking);
            }
            count += 1;
        }
        Ok(if count >= LARGE { Kind::Large } else { Kind::Small })
    }

    /// Really lays one, so that a machine that cannot is found before anything
    /// relies on it.
    fn can_mount_overlays(&self, entry: &Path) -> bool {
        let tried = || {
            let scratch = folder::Scratch::new(self.state.path(), "base").ok()?;
            let under = scratch.path().join("under");
            fs::create_dir(&under).ok()?;
            let veil = Veil::hang(vec![under], scratch.path().join("veil")).ok()?;
            let mut command = lay::command(entry, self.state.path(), &[&veil], Path::new("/bin/true")).ok()?;
            command
                .env_clear()
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let traced = trace::Child::outside("trueup", &[lay::SUBCOMMAND]);
            let status = command.status().ok()?;
            traced.exited(status);
            Some(status.success())
        };
        tried() == Some(true)
    }
}

/// The file in a veil's folder that names the tree it lies over.
const UNDER: &str = "over";

/// The folder of a base's files.
const FILES: &str = "files";
