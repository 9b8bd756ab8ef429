//! What a turn changed beyond the rights of its phase is put back.
//!
//! Everything here is a fact about two trees, read from git's objects; what
//! was put back is kept under a rescue ref before anything else happens.

use super::{error::Error, folder, git::Git, objects::bodies, output, refs, workspaces::Workspaces};
use crate::crash;
use std::collections::BTreeMap;
use trueup_core::{
    id::{EffectId, RunId, TreeId},
    phase::Rights,
    turn::Finding,
};
use trueup_inspect::{
    code::{Language, is_test_path},
    rights::{FileRuling, rule},
};

/// How many files an agent is told one by one.
const TOLD: usize = 50;

/// Under this name an agent finds what was put back.
const RESCUE: &str = "refs/trueup/rescue";

/// What a turn may change, and since when.
#[derive(Clone, Copy, Debug)]
pub struct TurnRights<'a> {
    /// What it may change.
    pub rights: Rights,
    /// The tree its phase began with.
    pub since: &'a TreeId,
}

/// A tree in which something was put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredTree {
    /// The tree of what may stay.
    pub tree: TreeId,
    /// What was put back, as an agent is told.
    pub findings: Vec<Finding>,
}

/// A path that differs between two trees.
struct Differing {
    path: Vec<u8>,
    before: Side,
    after: Side,
}

/// What stands under a path in one of them.
struct Side {
    mode: String,
    object: String,
}

impl Side {
    fn is_there(&self) -> bool {
        self.mode != "000000"
    }

    /// Whether it is a file, neither a link nor a repository.
    fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

impl Workspaces {
    /// Puts back what a turn changed beyond its rights; `None` if that is
    /// nothing. What it left is kept under a rescue ref, and the label's ref
    /// then keeps the tree of what may stay; both are on disk when this returns.
    pub fn put_back(
        &self,
        run: &RunId,
        label: &EffectId,
        measure: TurnRights<'_>,
        left: &TreeId,
    ) -> Result<Option<RestoredTree>, Error> {
        if measure.rights == Rights::All || measure.since == left {
            return Ok(None);
        }
        let ruled = self.ruled(measure, left)?;
        if ruled.is_empty() {
            return Ok(None);
        }
        crash::point("rights.before");
        let results = self.state.results();
        let rescue = self.free_rescue(run, label)?;
        refs::point(&self.results(), &results, &rescue, left.as_str())?;
        crash::point("rights.rescued");
        let tree = self.lawful(run, left, &ruled)?;
        refs::point(
            &self.results(),
            &results,
            &format!("refs/runs/{run}/{label}"),
            tree.as_str(),
        )?;
        crash::point("rights.kept");
        let findings = told(measure.rights, &ruled);
        Ok(Some(RestoredTree { tree, findings }))
    }

    /// The paths that cannot stay as they were left.
    fn ruled(
        &self,
        TurnRights { rights, since }: TurnRights<'_>,
        left: &TreeId,
    ) -> Result<Vec<(Differing, FileRuling)>, Error> {
        let differing = self.differing(since, left)?;
        let texts = self.texts(&differing)?;
        let text = |side: &Side| texts.get(&side.object).map(String::as_str);
        let ruled = differing.into_iter().map(|one| {
            let path = String::from_utf8_lossy(&one.path).into_owned();
            let ruling = rule(rights, &path, text(&one.before), text(&one.after));
            (one, ruling)
        });
        Ok(ruled.filter(|(_, ruling)| *ruling != FileRuling::Stays).collect())
    }

    fn differing(&self, since: &TreeId, left: &TreeId) -> Result<Vec<Differing>, Error> {
        let raw = self.results().run(&[
            "diff-tree",
            "-r",
            "-z",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            since.as_str(),
            left.as_str(),
        ])?;
        let mut records = output::records(&raw);
        let mut found = Vec::new();
        while let Some(head) = records.next() {
            let one = records.next().and_then(|path| differing(head, path));
            found.push(one.ok_or_else(|| Error::unclear("diff-tree", head))?);
        }
        Ok(found)
    }

    /// The texts of files in which tests may live beside code, by object.
    fn texts(&self, differing: &[Differing]) -> Result<BTreeMap<String, String>, Error> {
        let mixed = differing.iter().filter(|one| {
            let path = String::from_utf8_lossy(&one.path);
            !is_test_path(&path) && Language::of(&path).is_some()
        });
        let sides = mixed.flat_map(|one| [&one.before, &one.after]);
        let objects: Vec<String> = sides
            .filter(|side| side.is_file())
            .map(|side| side.object.clone())
            .collect();
        let texts = bodies(&self.results(), &objects)?.into_iter();
        Ok(texts
            .filter_map(|(object, body)| Some((object, String::from_utf8(body).ok()?)))
            .collect())
    }

    /// The tree with everything put back, on disk but for its ref.
    fn lawful(&self, run: &RunId, left: &TreeId, ruled: &[(Differing, FileRuling)]) -> Result<TreeId, Error> {
        let index = self.index_of(run)?.with_file_name(folder::unique("index.rights"));
        let quarantine = self.quarantine()?;
        let git = quarantine.git(self.results()).index(&index);
        git.run(&["read-tree", left.as_str()])?;
        let (mut gone, mut back) = (Vec::new(), Vec::new());
        for (one, ruling) in ruled {
            // Gone first: what is put back may need a folder where a file was.
            gone.extend(entry("0", &"0".repeat(one.after.object.len()), &one.path));
            back.extend(entered(&git, one, ruling)?);
        }
        git.feed(&["update-index", "-z", "--index-info"], &[gone, back].concat())?;
        let tree = TreeId::new(git.line(&["write-tree"])?);
        quarantine.release(&[])?;
        std::fs::remove_file(&index).map_err(Error::at(&index))?;
        Ok(tree)
    }
}

fn differing(head: &[u8], path: &[u8]) -> Option<Differing> {
    let head = std::str::from_utf8(head).ok()?.strip_prefix(':')?;
    let fields: Vec<&str> = head.split(' ').collect();
    let [mode, mode_after, object, object_after, _] = fields.as_slice() else {
        return None;
    };
    let side = |mode: &str, object: &str| Side {
        mode: mode.to_owned(),
        object: object.to_owned(),
    };
    Some(Differing {
        path: path.to_vec(),
        before: side(mode, object),
        after: side(mode_after, object_after),
    })
}

/// What stands in the index in place of what was left.
fn entered(git: &Git, one: &Differing, ruling: &FileRuling) -> Result<Vec<u8>, Error> {
    Ok(match ruling {
        FileRuling::Stays => entry(&one.after.mode, &one.after.object, &one.path),
        FileRuling::Partly(text) => {
            let object = git.feed(&["hash-object", "-w", "--stdin"], text.as_bytes())?;
            entry(&one.after.mode, &output::text(&object), &one.path)
        }
        FileRuling::GoesBack if one.before.is_there() => entry(&one.before.mode, &one.before.object, &one.path),
        FileRuling::GoesBack => Vec::new(),
    })
}

/// An entry as `update-index --index-info` reads it.
fn entry(mode: &str, object: &str, path: &[u8]) -> Vec<u8> {
    [format!("{mode} {object}\t").as_bytes(), path, b"\0"].concat()
}

/// What an agent is told.
fn told(rights: Rights, ruled: &[(Differing, FileRuling)]) -> Vec<Finding> {
    let may = match rights {
        Rights::All => "this phase may change everything",
        Rights::Tests => "this phase may change tests only",
        Rights::Code => "this phase may not change tests",
    };
    let mut findings: Vec<Finding> = ruled
        .iter()
        .take(TOLD)
        .map(|(one, ruling)| {
            let path = String::from_utf8_lossy(&one.path).into_owned();
            let what = match (ruling, rights) {
                (FileRuling::Partly(_), Rights::Code) => format!("the tests in `{path}` are as they were before it"),
                (FileRuling::Partly(_), _) => format!("what is no test in `{path}` is as it was before it"),
                (_, _) if one.before.is_there() => format!("`{path}` was put back"),
                (_, _) => format!("`{path}` was taken away"),
            };
            Finding {
                what: format!("{may}; {what}"),
                path,
            }
        })
        .collect();
    if let Some(more) = ruled.len().checked_sub(TOLD).filter(|more| *more > 0) {
        findings.push(Finding {
            path: ".".to_owned(),
            what: format!("{may}; {more} more files were put back or taken away"),
        });
    }
    findings.push(Finding {
        path: RESCUE.to_owned(),
        what: "this git ref holds the files as you left them, for the phase they belong to".to_owned(),
    });
    findings
}
