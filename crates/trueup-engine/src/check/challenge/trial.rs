//! One execution of a check on a tree that was changed on purpose.

use super::subject::Subject;
use crate::{
    check::{
        Checks, Halt, elapsed_ms,
        files::{File, differing},
        ground::Ground,
        room::{Held, Lay, Ran},
    },
    layer::{Layers, Prepared, Wanted},
    trace,
};
use std::{io, time::Instant};
use trueup_core::{
    criterion::Check,
    effect::Verify,
    evidence::{Body, Saw},
    ground::Caches,
    id::TreeId,
};

/// What is known of the two trees.
pub(super) struct Scene {
    /// How checks are executed on the tree.
    pub(super) wish: Verify,
    /// The same on the base.
    base: Verify,
    /// What differs between them.
    pub(super) files: Vec<File>,
    /// Every regular file of the tree.
    pub(super) paths: Vec<String>,
    prepared: Prepared,
    prepared_base: Prepared,
}

/// Which tree is laid first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// The one that will be delivered.
    Tree,
    /// The one the work started from.
    Base,
}

/// What one execution gave.
pub(super) struct Seen {
    /// As it ended.
    pub(super) ran: Ran,
    /// All that it printed.
    pub(super) output: Body,
    /// How long it took.
    pub(super) took_ms: u64,
}

impl Scene {
    /// What is laid under one of the trees for a check.
    pub(super) fn ground(&self, layers: &Layers, on: On, check: &Check) -> Ground {
        match on {
            On::Tree => Ground::of(layers, &self.wish, check, &self.prepared),
            On::Base => Ground::of(layers, &self.base, check, &self.prepared_base),
        }
    }

    const fn tree(&self, on: On) -> &TreeId {
        match on {
            On::Tree => &self.wish.tree,
            On::Base => &self.base.tree,
        }
    }
}

impl Checks {
    pub(super) async fn scene(&self, wish: &Verify) -> Result<Scene, Halt> {
        let mut wish = wish.clone();
        // What a sabotaged tree leaves must warm nobody.
        if wish.caches == Caches::Fill {
            wish.caches = Caches::Use;
        }
        let base = Verify {
            tree: wish.base.clone(),
            ..wish.clone()
        };
        let prepared = self.layers.prepared(&Wanted::from(&wish), &mut |_| {}).await?;
        let prepared_base = self.layers.prepared(&Wanted::from(&base), &mut |_| {}).await?;
        let (checks, trees) = (self.clone(), (wish.base.clone(), wish.tree.clone()));
        let reading = trace::spawn_blocking(move || {
            let files = differing(&checks.workspaces, &trees.0, &trees.1)?;
            Ok::<_, Halt>((files, checks.workspaces.files(&trees.1)?))
        });
        let (files, paths) = reading.await.map_err(io::Error::other)??;
        Ok(Scene {
            wish,
            base,
            files,
            paths,
            prepared,
            prepared_base,
        })
    }

    /// Executes what the subject executes, with these files laid over a tree.
    pub(super) async fn attempt(
        &self,
        scene: &Scene,
        subject: &Subject<'_>,
        on: On,
        lays: &[Lay],
    ) -> Result<Seen, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let started = Instant::now();
        let ran = match scene.ground(&self.layers, on, subject.first) {
            Ground::Not(why) => Ran::not(why),
            Ground::Laid(laid) => {
                let held = Held {
                    tree: scene.tree(on),
                    lays,
                };
                self.run_in_room(held, subject.first, subject.execution, &laid).await?
            }
        };
        // What met a full disk saw the disk and not the tree.
        if let Some(shortage) = self.space.at_work() {
            return Err(Halt::NoSpace(shortage));
        }
        let both = [ran.stdout.kept.as_slice(), ran.stderr.kept.as_slice()].concat();
        let output = self.blobs.put_body(&both, ran.stdout.total + ran.stderr.total)?;
        let took_ms = elapsed_ms(started);
        Ok(Seen { ran, output, took_ms })
    }

    /// What one of the subject's checks would have said of it.
    pub(super) fn judged(&self, scene: &Scene, check: &Check, seen: &Seen) -> Result<Saw, Halt> {
        Ok(self.judge(&scene.wish, check, &seen.ran)?.saw)
    }

    /// The texts of those of these files of the tree that are text.
    pub(super) async fn texts(&self, scene: &Scene, paths: Vec<String>) -> Result<Vec<(String, String)>, Halt> {
        let (checks, tree) = (self.clone(), scene.wish.tree.clone());
        let reading = trace::spawn_blocking(move || checks.workspaces.read_many(&tree, &paths));
        let read = reading.await.map_err(io::Error::other)??;
        let texts = read.into_iter();
        let texts = texts.filter_map(|(path, bytes)| Some((path, String::from_utf8(bytes).ok()?)));
        Ok(texts.collect())
    }
}
