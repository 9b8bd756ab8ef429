//! How soon a turn's tree is known, against `git add -A && git write-tree`.

use crate::{
    meter::{Bound, Figure, Times, demand, in_turns, is_full, rounds, sizes, tell, timed},
    tree::{Forest, edit, git, run},
};
use trueup_core::id::EffectId;
use trueup_engine::{
    sandbox::{Folder, Laying},
    workspace::Workspaces,
};

/// Whether what git writes is on disk when it returns, as our snapshots are.
#[derive(Clone, Copy)]
enum Care {
    /// Git as it comes: a power cut may take the objects.
    AsItComes,
    /// Git told to flush what it writes.
    Flushed,
}

impl Care {
    /// Git's own words for it.
    const fn words(self) -> &'static [&'static str] {
        match self {
            Self::AsItComes => &[],
            Self::Flushed => &["-c", "core.fsync=all"],
        }
    }
}

/// Snapshots of a workspace, and trees that git writes of the same edits in
/// the checkout.
fn times(forest: &Forest, spaces: &Workspaces, files: usize, care: Care) -> (Times, Times) {
    let (id, bare, state) = (run(1), forest.checkout(), forest.state());
    spaces.lay(&id, &forest.base, &forest.base.tree, None).expect("laid");
    let (work, beside) = (spaces.folder(&id), Folder::Plain(bare.clone()));
    git(&bare, &["reset", "--quiet", "--hard"]);
    git(&bare, &["clean", "--quiet", "--force"]);
    let mut trees = (Vec::new(), Vec::new());
    let (mut one, mut other) = (0, 0);
    let times = in_turns(
        rounds(7, 15),
        || {
            one += 1;
            edit(&work, &state, one, files);
            let label = EffectId::new(format!("turn-{one}"));
            timed(|| {
                let snapshot = spaces.snapshot(&id, &label).expect("a tree");
                trees.0.push(snapshot.tree.to_string());
            })
        },
        || {
            other += 1;
            edit(&beside, &state, other, files);
            timed(|| {
                git(&bare, &[care.words(), &["add", "-A"]].concat());
                trees.1.push(git(&bare, &[care.words(), &["write-tree"]].concat()));
            })
        },
    );
    assert_eq!(trees.0, trees.1, "both saw the same files");
    times
}

#[test]
fn a_snapshot_is_the_tree_that_git_writes_and_takes_about_as_long() {
    let (mut alike, mut careless) = (Vec::new(), Vec::new());
    for &files in sizes() {
        let forest = Forest::of(files);
        let bound = Bound::AtMost(1.2);
        let flushed = times(&forest, &forest.spaces, files, Care::Flushed);
        let plain = times(&forest, &forest.spaces, files, Care::AsItComes);
        let veiled = times(&forest, &forest.veiled(Laying::Overlay), files, Care::AsItComes);
        alike.push(Figure::ratio(format!("snapshot_{files}_of_git_that_flushes"), &flushed, bound).with_slack(1.25));
        careless.push(Figure::ratio(format!("snapshot_{files}"), &plain, bound));
        careless.push(Figure::ratio(format!("snapshot_behind_veil_{files}"), &veiled, bound));
    }
    // A disk that also works for others lets us wait, and not a git that flushes
    // nothing. How long is not ours to bound, so only a quiet machine is judged.
    if is_full() {
        demand(&careless);
    } else {
        tell(&careless);
    }
    demand(&alike);
}
