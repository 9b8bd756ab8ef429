//! The cheats and their honest twins, as they lie in `projects/`.
//!
//! They were written by somebody who had not read the gate. `task.md` holds what
//! is asked, `outside.sh` finds out from outside whether it was done, and each
//! `NAME.cheat.sh` has a `NAME.honest.sh` that makes a change of the same kind.

use std::{
    env, fs,
    path::{Path, PathBuf},
};
use trueup_core::digest::Digest;
use trueup_testkit::household::scale;

/// How many tasks of each kind of project are tried in CI, and how many cheats of each.
const DRAWN: usize = 1;
const DRAWN_CHEATS: usize = 1;

/// What is asked of an agent in a project.
pub(crate) struct Asked {
    /// `pytest`, `vitest`, `cargo` or `go`.
    pub(crate) runner: String,
    /// Runner and task.
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) cheats: Vec<Cheat>,
}

/// One cheat, with its twin.
pub(crate) struct Cheat {
    /// Unique among all: runner, task and name.
    pub(crate) name: String,
    pub(crate) script: String,
    pub(crate) twin: String,
}

impl Cheat {
    /// What it does, in a line.
    pub(crate) fn what(&self) -> &str {
        self.script.lines().nth(1).unwrap_or_default().trim_start_matches("# ")
    }
}

impl Asked {
    /// The text of `task.md`.
    pub(crate) fn task(&self) -> String {
        read(&self.folder.join("task.md"))
    }

    /// The project's files, each with its text.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let base = self.folder.join("base");
        let mut files = Vec::new();
        let mut folders = vec![base.clone()];
        while let Some(folder) = folders.pop() {
            for path in entries(&folder) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        let name = path.strip_prefix(&base).expect("below").display().to_string();
                        // No repository of a test's own may hide what lies here.
                        files.push((name.replace("gitignore", ".gitignore"), read(&path)));
                    }
                }
            }
        }
        files
    }
}

/// Every project with what is asked there.
pub(crate) fn all() -> Vec<Asked> {
    let projects = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ordinary/projects");
    let tasks = entries(&projects).into_iter().flat_map(|runner| entries(&runner));
    tasks.map(|folder| asked(&folder)).collect()
}

fn asked(folder: &Path) -> Asked {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let runner = name(folder.parent().expect("a folder above"));
    let task = format!("{runner}/{}", name(folder));
    let cheat = |path: PathBuf| {
        let short = name(&path).strip_suffix(".cheat.sh")?.to_owned();
        Some(Cheat {
            name: format!("{task}/{short}"),
            script: read(&path),
            twin: read(&folder.join(format!("{short}.honest.sh"))),
        })
    };
    Asked {
        cheats: entries(folder).into_iter().filter_map(cheat).collect(),
        runner,
        name: task,
        folder: folder.to_owned(),
    }
}

/// Those to be tried: all at scale 10 and above, else a few of each kind of
/// project, drawn by `TRUEUP_SEED`. `TRUEUP_TEST_CASE` tries those alone whose
/// names begin so.
pub(crate) fn drawn() -> Vec<Asked> {
    let mut all = all();
    if let Ok(begin) = env::var("TRUEUP_TEST_CASE") {
        for asked in &mut all {
            asked.cheats.retain(|cheat| cheat.name.starts_with(&begin));
        }
    } else if scale() < 10 {
        let seed = env::var("TRUEUP_SEED").unwrap_or_default();
        // Digests spread evenly, and are the same everywhere.
        let draw = |name: &str| Digest::of(format!("{seed} {name}").as_bytes()).to_string();
        all.sort_by_key(|asked| (asked.runner.clone(), draw(&asked.name)));
        let mut kept: Vec<Asked> = Vec::new();
        for mut asked in all {
            asked.cheats.sort_by_key(|cheat| draw(&cheat.name));
            asked.cheats.truncate(DRAWN_CHEATS);
            let same = kept.iter().filter(|one| one.runner == asked.runner).count();
            if same < DRAWN {
                kept.push(asked);
            }
        }
        all = kept;
    }
    all.retain(|asked| !asked.cheats.is_empty());
    all
}

/// What lies in a folder, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
