//! Objects and refs of a run, with real packs of a real git.

use super::{PortRule, PortSubject, at_once, fresh, same};
use crate::conformance::Found;
use std::{
    error::Error,
    io::Write,
    process::{Command, Stdio},
};
use tempfile::TempDir;
use trueup_core::id::RunId;
use trueup_engine::travel::{Carried, Moved, Trees};

/// Every rule by name.
pub fn rules<S: PortSubject<Port = dyn Trees>>() -> Vec<PortRule> {
    crate::travelling_rules!(trees, listed_travelling_rules, S)
}

/// A git of nobody's, to make packs in and to read them.
struct Git(TempDir);

impl Git {
    fn init() -> Result<Self, Box<dyn Error>> {
        let git = Self(tempfile::tempdir()?);
        git.run(&["init", "--quiet", "--bare", "--template="], b"")?;
        Ok(git)
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.0.path());
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input)?;
        }
        let output = child.wait_with_output()?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }

    fn line(&self, arguments: &[&str], input: &[u8]) -> Result<String, Box<dyn Error>> {
        Ok(String::from_utf8(self.run(arguments, input)?)?.trim().to_owned())
    }

    /// A tree with one file of this text, in a pack.
    fn tree(&self, text: &str) -> Result<(String, Vec<u8>), Box<dyn Error>> {
        let blob = self.line(&["hash-object", "-w", "--stdin"], text.as_bytes())?;
        let tree = self.line(&["mktree"], format!("100644 blob {blob}\tfile\n").as_bytes())?;
        let objects = format!("{tree}\n{blob}\n");
        let pack = self.run(&["pack-objects", "--stdout", "--quiet"], objects.as_bytes())?;
        Ok((tree, pack))
    }

    /// What the file of a tree holds that came in these packs.
    fn text(carried: &Carried, tree: &str) -> Result<String, Box<dyn Error>> {
        let git = Self::init()?;
        for pack in &carried.packs {
            git.run(&["index-pack", "--stdin", "--fix-thin"], pack)?;
        }
        git.line(&["cat-file", "blob", &format!("{tree}:file")], b"")
    }
}

fn run() -> RunId {
    RunId::new("T-001.1")
}

fn name(label: &str) -> String {
    format!("refs/runs/{}/{label}", run())
}

/// A run with one tree under one ref.
fn carried(text: &str, label: &str) -> Result<(String, Carried), Box<dyn Error>> {
    let (tree, pack) = Git::init()?.tree(text)?;
    let refs = [(name(label), tree.clone())].into();
    let packs = vec![pack];
    Ok((tree, Carried { packs, refs }))
}

/// Refs, and every object they lead to.
pub fn what_was_taken_in_is_carried_out_whole<S: PortSubject<Port = dyn Trees>>() -> Found {
    let (_store, trees) = fresh::<S>();
    let (one, first) = carried("one", "turn-1")?;
    let (two, second) = carried("two", "turn-2")?;
    trees.take_in(&run(), &first)?;
    trees.take_in(&run(), &second)?;
    let out = trees.carry_out(&run(), &[])?;
    let due = first.refs.into_iter().chain(second.refs).collect();
    same("the refs", &out.refs, &due)?;
    same("what the port says of them", &trees.refs(&run())?, &due)?;
    same("the first tree's file", &Git::text(&out, &one)?, &"one".to_owned())?;
    same("the second tree's file", &Git::text(&out, &two)?, &"two".to_owned())
}

/// A redo takes in what was taken in.
pub fn taking_in_twice_changes_nothing<S: PortSubject<Port = dyn Trees>>() -> Found {
    let (_store, trees) = fresh::<S>();
    let (tree, one) = carried("one", "turn-1")?;
    trees.take_in(&run(), &one)?;
    trees.take_in(&run(), &one)?;
    let out = trees.carry_out(&run(), &[])?;
    same("the refs", &out.refs, &one.refs)?;
    same("the tree's file", &Git::text(&out, &tree)?, &"one".to_owned())
}

/// Also where its name begins alike.
pub fn what_is_carried_of_one_run_is_nothing_of_another<S: PortSubject<Port = dyn Trees>>() -> Found {
    let (_store, trees) = fresh::<S>();
    trees.take_in(&run(), &carried("one", "turn-1")?.1)?;
    for other in ["T-001.12", "T-001", "T-002.1"] {
        let other = RunId::new(other);
        same("its refs", &trees.refs(&other)?, &Default::default())?;
        same("what is carried", &trees.carry_out(&other, &[])?, &Carried::default())?;
    }
    Ok(())
}

/// Somebody else took the run further, and that is not lost.
pub fn a_ref_that_stands_elsewhere_is_not_overwritten<S: PortSubject<Port = dyn Trees>>() -> Found {
    let (_store, trees) = fresh::<S>();
    let (_, one) = carried("one", "turn-1")?;
    let (_, other) = carried("another", "turn-1")?;
    trees.take_in(&run(), &one)?;
    same("whether it is refused", &trees.take_in(&run(), &other).is_err(), &true)?;
    same("the refs", &trees.refs(&run())?, &one.refs)
}

/// And says where it is otherwise.
pub fn a_ref_moves_only_from_where_it_is_thought_to_be<S: PortSubject<Port = dyn Trees>>() -> Found {
    let (_store, trees) = fresh::<S>();
    let (one, first) = carried("one", "turn-1")?;
    let (two, second) = carried("two", "turn-2")?;
    trees.take_in(&run(), &first)?;
    trees.take_in(&run(), &second)?;
    let (moving, at) = (name("delivered"), |object: &String| Some(object.clone()));
    let make = |to: &str| trees.move_ref(&run(), &moving, None, to);
    same("making it", &make(&one)?, &Moved::Yes)?;
    same("making it again", &make(&two)?, &Moved::No(at(&one)))?;
    let step = |from: &str, to: &str| trees.move_ref(&run(), &moving, Some(from), to);
    same("moving it from elsewhere", &step(&two, &one)?, &Moved::No(at(&one)))?;
    same("where it stands", &trees.refs(&run())?.get(&moving).cloned(), &at(&one))?;
    same("moving it", &step(&one, &two)?, &Moved::Yes)?;
    same(
        "where it stands then",
        &trees.refs(&run())?.get(&moving).cloned(),
        &at(&two),
    )
}

/// Two drivers overlap, and one of them is told that it came too late.
pub fn of_those_who_move_a_ref_from_one_place_one_does<S: PortSubject<Port = dyn Trees>>() -> Found {
    let store = S::fresh();
    let mut objects = Vec::new();
    for number in 0..8 {
        let (tree, one) = carried(&number.to_string(), &format!("turn-{number}"))?;
        store.open().take_in(&run(), &one)?;
        objects.push(tree);
    }
    let ports: Vec<_> = objects.iter().map(|tree| (store.open(), tree)).collect();
    let moved = at_once(|number| {
        let (port, tree) = ports.get(usize::from(number)).ok_or("no port")?;
        let moved = port.move_ref(&run(), &name("delivered"), None, tree);
        moved.map(|moved| (moved, (*tree).clone())).map_err(|_| "failed")
    });
    let moved = moved.into_iter().collect::<Result<Vec<_>, _>>()?;
    let winners: Vec<&String> = moved
        .iter()
        .filter(|(moved, _)| *moved == Moved::Yes)
        .map(|(_, tree)| tree)
        .collect();
    same("how many moved it", &winners.len(), &1)?;
    let standing = store.open().refs(&run())?.remove(&name("delivered"));
    same("where it stands", &standing.as_ref(), &winners.first().copied())
}

/// Whoever carries a run in cannot move a branch with it.
pub fn refs_that_are_not_the_runs_own_are_refused<S: PortSubject<Port = dyn Trees>>() -> Found {
    let (_store, trees) = fresh::<S>();
    let (tree, one) = carried("one", "turn-1")?;
    trees.take_in(&run(), &one)?;
    for foreign in ["refs/heads/main", "refs/runs/T-001.12/turn-1", "refs/bases/x", "HEAD"] {
        let carried = Carried {
            refs: [(foreign.to_owned(), tree.clone())].into(),
            ..one.clone()
        };
        same(foreign, &trees.take_in(&run(), &carried).is_err(), &true)?;
        same(foreign, &trees.move_ref(&run(), foreign, None, &tree).is_err(), &true)?;
    }
    Ok(())
}

/// Another process finds them.
pub fn trees_survive_a_reopen<S: PortSubject<Port = dyn Trees>>() -> Found {
    let store = S::fresh();
    let (tree, one) = carried("one", "turn-1")?;
    store.open().take_in(&run(), &one)?;
    let out = store.open().carry_out(&run(), &[])?;
    same("the refs", &out.refs, &one.refs)?;
    same("the tree's file", &Git::text(&out, &tree)?, &"one".to_owned())
}
