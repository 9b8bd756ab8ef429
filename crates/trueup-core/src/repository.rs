//! What a repository is like, and whether a run can stand on it.
//!
//! A proof is worth something only where a plain checkout of the proved tree
//! holds the bytes the checks saw. Git has many ways to show other bytes than
//! it keeps. Those that can be followed are followed by the engine; of the
//! others it reports the facts below, and here it is decided what they mean.

use alloc::{format, string::String, vec::Vec};

/// What was found in the repository and in the tree of a base, as far as it
/// stands between the tree and a plain checkout of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// Objects of the base that a partial clone has not fetched.
    pub unfetched: Option<Unfetched>,
    /// Objects of the base in whose place `git replace` shows others.
    pub replaced: Vec<String>,
    /// Submodules whose commit is not here.
    pub submodules: Vec<Submodule>,
    /// Files that go through a filter for which a program is configured.
    pub filtered: Vec<Filtered>,
    /// Files kept by Git LFS whose content is not here.
    pub unsmudged: Vec<String>,
    /// Two names the file system of the state root cannot tell apart.
    pub twins: Option<(String, String)>,
    /// A name too long to be laid below the state root.
    pub too_long: Option<String>,
}

/// What a partial clone has not fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfetched {
    /// How many objects.
    pub objects: usize,
    /// The remote that has promised them.
    pub remote: String,
    /// Where the clone lies below the checkout; empty for the repository itself.
    pub place: String,
}

/// A submodule whose commit is not here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submodule {
    /// Where it belongs.
    pub path: String,
    /// What of it is here.
    pub there: SubmoduleState,
}

/// What is here of a submodule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmoduleState {
    /// Nothing.
    Nothing,
    /// The repository, without this commit.
    WithoutCommit(String),
}

/// A file that goes through a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// The file.
    pub path: String,
    /// The filter's name.
    pub filter: String,
}

/// Why no run can stand on this repository, and what to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What is wrong, in one sentence.
    pub why: String,
    /// A command that mends it, or leads there.
    pub next: String,
}

/// The first reason why no run can stand here; `None` where one can.
pub fn unfit(repository: &Repository) -> Option<Unfit> {
    let reasons = [unfetched, replaced, submodule, filtered, unsmudged, twins, too_long];
    reasons.into_iter().find_map(|reason| reason(repository))
}

fn unfetched(repository: &Repository) -> Option<Unfit> {
    let Unfetched { objects, remote, place } = repository.unfetched.as_ref()?;
    let (what, git): (String, String) = match place.as_str() {
        "" => ("this".into(), "git".into()),
        place => (format!("the submodule `{place}`"), format!("git -C {}", quoted(place))),
    };
    Some(Unfit {
        why: format!(
            "{what} is a partial clone that lacks {objects} objects of the base, and trueup does not fetch in your name"
        ),
        next: format!("{git} fetch --refetch --no-filter {remote}"),
    })
}

fn replaced(repository: &Repository) -> Option<Unfit> {
    let object = repository.replaced.first()?;
    Some(Unfit {
        why: format!(
            "`git replace` shows something else in place of {object} of the base, and only in this repository, \
             so a proof would hold nowhere else; commit what you mean, then remove the replacement"
        ),
        next: format!("git replace -d {object}"),
    })
}

fn submodule(repository: &Repository) -> Option<Unfit> {
    let Submodule { path, there } = repository.submodules.first()?;
    Some(match there {
        SubmoduleState::Nothing => Unfit {
            why: format!("the submodule `{path}` of the base is not here"),
            next: format!("git submodule update --init --recursive -- {}", quoted(path)),
        },
        SubmoduleState::WithoutCommit(commit) => Unfit {
            why: format!("the submodule `{path}` is here, but not the commit the base names"),
            next: format!("git -C {} fetch origin {commit}", quoted(path)),
        },
    })
}

fn filtered(repository: &Repository) -> Option<Unfit> {
    let Filtered { path, filter } = repository.filtered.first()?;
    Some(Unfit {
        why: format!(
            "`{path}` goes through the filter `{filter}`, a program of your git configuration that trueup does not run, \
             so a room would hold other bytes than your checkout; unset the filter if the bytes git keeps are meant"
        ),
        next: format!(
            "git config --show-origin --get-regexp {}",
            quoted(&format!("^filter\\.{filter}\\."))
        ),
    })
}

fn unsmudged(repository: &Repository) -> Option<Unfit> {
    let path = repository.unsmudged.first()?;
    let others = match repository.unsmudged.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    Some(Unfit {
        why: format!("the content of `{path}`{others} is kept by Git LFS and is not here"),
        next: "git lfs pull".into(),
    })
}

fn twins(repository: &Repository) -> Option<Unfit> {
    let (one, other) = repository.twins.as_ref()?;
    Some(Unfit {
        why: format!("the file system of the state root cannot tell `{one}` from `{other}`, and the base has both"),
        next: "export TRUEUP_STATE=/a/folder/of/your/own".into(),
    })
}

fn too_long(repository: &Repository) -> Option<Unfit> {
    let path = repository.too_long.as_ref()?;
    let head: String = path.chars().take(40).collect();
    Some(Unfit {
        why: format!(
            "the base has a name of {} bytes (`{head}…`), which is too long below the state root",
            path.len()
        ),
        next: "export TRUEUP_STATE=/short".into(),
    })
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
