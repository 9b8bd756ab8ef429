//! How soon a workspace is ready, against `git worktree add`.

use crate::{
    meter::{Bound, Figure, Times, demand, in_turns, rounds, sizes, timed},
    tree::{Forest, git, run},
};
use std::time::Duration;
use trueup_engine::{sandbox::Laying, workspace::Workspaces};

/// Times of workspaces laid in one way, and of worktrees between them.
struct ReadOnlyMount<'a> {
    forest: &'a Forest,
    spaces: Workspaces,
    count: usize,
}

impl ReadOnlyMount<'_> {
    fn ours(&mut self) -> Duration {
        self.count += 1;
        let id = run(self.count);
        let base = &self.forest.base;
        let took = timed(|| self.spaces.lay(&id, base, &base.tree, None).expect("laid"));
        self.spaces.remove_workspace(&id).expect("removed");
        took
    }

    fn in_turns(mut self, rounds: usize) -> (Times, Times) {
        let (forest, place) = (self.forest, self.forest.place("worktree"));
        let name = place.display().to_string();
        let bare = || {
            let took = timed(|| git(&forest.checkout(), &["worktree", "add", "--quiet", "--detach", &name]));
            git(&forest.checkout(), &["worktree", "remove", "--force", &name]);
            took
        };
        in_turns(rounds, || self.ours(), bare)
    }
}

#[test]
fn a_workspace_is_ready_as_soon_as_a_worktree_or_much_sooner() {
    let mut figures = Vec::new();
    for &files in sizes() {
        let forest = Forest::of(files);
        let rounds = if files > 10_000 { 3 } else { rounds(5, 9) };
        let copies = ReadOnlyMount {
            forest: &forest,
            spaces: forest.spaces.clone(),
            count: 0,
        };
        // The disk is the noise here: git and we both wait for the same one.
        let copy = Figure::ratio(
            format!("workspace_by_copy_{files}"),
            &copies.in_turns(rounds),
            Bound::AtMost(1.2),
        );
        figures.push(copy.with_slack(1.25));
        let mut veils = ReadOnlyMount {
            forest: &forest,
            spaces: forest.veiled(Laying::Overlay),
            count: 1_000,
        };
        let first = veils.ours().as_secs_f64() * 1e3;
        let times = veils.in_turns(rounds);
        println!("measured: first_workspace_by_overlay_{files}={first:.1} ms, which writes the base's files once");
        figures.push(Figure::ratio(
            format!("workspace_by_overlay_{files}"),
            &times,
            Bound::AtMost(0.1),
        ));
    }
    demand(&figures);
}
