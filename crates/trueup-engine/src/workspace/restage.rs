//! An index with some entries changed, and the trees it makes, without git.
//!
//! Git keeps beside the entries of an index which folder is which tree. What
//! did not change keeps its tree, so a snapshot costs what changed.

use super::{
    index::{Index, Known, Place, entries, number},
    object::{Kind, Pack},
};
use std::collections::BTreeMap;

/// How deep folders may lie; what lies deeper is left to git.
const DEPTH: usize = 200;

/// What is to be staged under some paths; `None` for nothing.
pub(super) type Restaged = BTreeMap<Vec<u8>, Option<Entry>>;

/// An entry of an index.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) known: Known,
    pub(super) mode: u32,
    pub(super) object: Vec<u8>,
}

/// What came of staging.
pub(super) struct Outcome {
    /// The index, as it lies in a file.
    pub(super) index: Vec<u8>,
    /// The tree of everything that is staged.
    pub(super) tree: Vec<u8>,
}

/// A folder as git last knew it.
struct Node<'a> {
    name: &'a [u8],
    /// How many entries it has, and its tree, unless something changed in it.
    known: Option<(usize, &'a [u8])>,
    below: Vec<Self>,
    /// All of this, as it is written.
    bytes: &'a [u8],
}

/// A folder as it is now.
struct Folder {
    tree: Vec<u8>,
    bytes: Vec<u8>,
}

/// Entries of which trees are made.
struct Trees<'a> {
    bytes: &'a [u8],
    places: &'a [Place],
    name: usize,
    pack: &'a mut Pack,
}

/// A part of the entries: those in one folder.
#[derive(Clone, Copy)]
struct Part<'a> {
    from: usize,
    to: usize,
    /// How much of each path is the folder's.
    prefix: usize,
    depth: usize,
    /// What changed in it.
    changed: &'a [&'a [u8]],
}

/// Stages these, and packs the trees that are new. `None` for what is left to
/// git: whatever is not as it was expected to be.
pub(super) fn restage(index: &Index, restaged: &Restaged, pack: &mut Pack) -> Option<Outcome> {
    let mut bytes = merged(index, restaged)?;
    let (places, end) = entries(&bytes, index.name)?;
    if end != bytes.len() || clashes(&bytes, &places, index, restaged) {
        return None;
    }
    let changed: Vec<&[u8]> = restaged
        .iter()
        .filter(|(path, entry)| !is_same(index, path, entry.as_ref()))
        .map(|(path, _)| path.as_slice())
        .collect();
    let before = match index.trees() {
        Some(extension) => Some(Node::read(&mut &*extension, index.name, 0)?),
        None => None,
    };
    let whole = Part {
        from: 0,
        to: places.len(),
        prefix: 0,
        depth: 0,
        changed: &changed,
    };
    let mut trees = Trees {
        bytes: &bytes,
        places: &places,
        name: index.name,
        pack,
    };
    let root = trees.folder(b"", before.as_ref(), whole)?;
    bytes.extend(b"TREE");
    bytes.extend(u32::try_from(root.bytes.len()).ok()?.to_be_bytes());
    bytes.extend_from_slice(&root.bytes);
    // Zeros say that nobody has summed it up.
    bytes.extend(vec![0; index.name]);
    Some(Outcome {
        index: bytes,
        tree: root.tree,
    })
}

/// The entries of an index with these in it.
fn merged(index: &Index, restaged: &Restaged) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(index.bytes.len() + restaged.len() * 128);
    bytes.extend(b"DIRC\0\0\0\x02\0\0\0\0");
    let mut count = index.entries.len();
    let mut copied = 12;
    for (path, entry) in restaged {
        let (at, is_there) = match index.position(path) {
            Ok(at) => (at, true),
            Err(at) => (at, false),
        };
        let upto = index.begin(at);
        bytes.extend_from_slice(index.bytes.get(copied..upto).unwrap_or_default());
        copied = usize::max(copied, if is_there { index.begin(at + 1) } else { upto });
        count -= usize::from(is_there);
        if let Some(entry) = entry {
            count += 1;
            write_entry(&mut bytes, path, entry);
        }
    }
    bytes.extend_from_slice(
        index
            .bytes
            .get(copied..index.begin(index.entries.len()))
            .unwrap_or_default(),
    );
    bytes
        .get_mut(8..12)?
        .copy_from_slice(&u32::try_from(count).ok()?.to_be_bytes());
    Some(bytes)
}

fn write_entry(bytes: &mut Vec<u8>, path: &[u8], entry: &Entry) {
    let start = bytes.len();
    bytes.extend(entry.known.stat_with(entry.mode));
    bytes.extend_from_slice(&entry.object);
    let length = u16::try_from(path.len()).unwrap_or(0xfff).min(0xfff);
    bytes.extend(length.to_be_bytes());
    bytes.extend_from_slice(path);
    let size = bytes.len() - start;
    bytes.resize(start + size / 8 * 8 + 8, 0);
}

/// Whether something that is new stands for a file where others need a folder.
fn clashes(bytes: &[u8], places: &[Place], index: &Index, restaged: &Restaged) -> bool {
    let at = |place: &Place| bytes.get(place.path.0..place.path.1).unwrap_or_default();
    let is_file = |path: &[u8]| places.binary_search_by(|place| at(place).cmp(path)).is_ok();
    let is_folder = |path: &[u8]| {
        let inner = [path, b"/"].concat();
        let first = places.partition_point(|place| at(place) < inner.as_slice());
        places.get(first).is_some_and(|place| at(place).starts_with(&inner))
    };
    let new = restaged
        .iter()
        .filter(|(path, entry)| entry.is_some() && index.position(path).is_err());
    new.map(|(path, _)| path).any(|path| {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut above = slashes.filter_map(|(end, _)| path.get(..end));
        is_folder(path) || above.any(is_file)
    })
}

/// Whether a tree is the same with this entry as before.
fn is_same(index: &Index, path: &[u8], entry: Option<&Entry>) -> bool {
    match (index.find(path), entry) {
        (None, None) => true,
        (Some(was), Some(is)) => was.mode == is.mode && was.object_bytes() == is.object,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

impl<'a> Node<'a> {
    /// Reads a folder and those below it off the front.
    fn read(rest: &mut &'a [u8], name: usize, depth: usize) -> Option<Self> {
        let all = *rest;
        let zero = all.iter().position(|byte| *byte == 0)?;
        let line = zero + all.get(zero..)?.iter().position(|byte| *byte == b'\n')?;
        let numbers = std::str::from_utf8(all.get(zero + 1..line)?).ok()?;
        let (count, below) = numbers.split_once(' ')?;
        let (count, below) = (count.parse::<i64>().ok()?, below.parse::<usize>().ok()?);
        let mut end = line + 1;
        let known = match usize::try_from(count) {
            Ok(count) => {
                end += name;
                Some((count, all.get(line + 1..end)?))
            }
            Err(_) => None,
        };
        *rest = all.get(end..)?;
        let mut nodes = Vec::new();
        for _ in 0..below {
            nodes.push(Self::read(rest, name, depth + 1).filter(|_| depth < DEPTH)?);
        }
        Some(Self {
            name: all.get(..zero)?,
            known,
            below: nodes,
            bytes: all.get(..all.len() - rest.len())?,
        })
    }

    fn child(&self, name: &[u8]) -> Option<&Self> {
        let found = self.below.binary_search_by(|node| order(node.name).cmp(&order(name)));
        self.below.get(found.ok()?)
    }
}

/// Git orders folders by the length of their names first.
const fn order(name: &[u8]) -> (usize, &[u8]) {
    (name.len(), name)
}

impl Trees<'_> {
    /// The tree of a folder, packed with those below it that are new.
    fn folder(&mut self, name: &[u8], before: Option<&Node<'_>>, part: Part<'_>) -> Option<Folder> {
        if let Some((_, tree)) = before.and_then(|node| node.known).filter(|_| part.changed.is_empty()) {
            return self.as_before(before?, tree, part);
        }
        let mut body = Vec::new();
        let mut below = Vec::new();
        let mut at = part.from;
        while at < part.to {
            let path = self.path(at)?;
            let rest = path.get(part.prefix..)?;
            let Some(slash) = rest.iter().position(|byte| *byte == b'/') else {
                let start = self.places.get(at)?.start;
                body.extend(format!("{:o} ", number(self.bytes, start + 24)?).bytes());
                body.extend_from_slice(rest);
                body.push(0);
                body.extend_from_slice(self.bytes.get(start + 40..start + 40 + self.name)?);
                at += 1;
                continue;
            };
            let (child, inner) = (rest.get(..slash)?.to_vec(), part.prefix + slash + 1);
            let node = before.and_then(|node| node.child(&child));
            let inside = self.inside(part, at, inner, node)?;
            let folder = self.folder(&child, node, inside)?;
            body.extend(b"40000 ");
            body.extend_from_slice(&child);
            body.push(0);
            body.extend_from_slice(&folder.tree);
            at = inside.to;
            below.push((child, folder.bytes));
        }
        below.sort_by(|(one, _), (other, _)| order(one).cmp(&order(other)));
        let tree = self.pack.add(Kind::Tree, &body)?;
        let count = part.to - part.from;
        let mut bytes = name.to_vec();
        bytes.push(0);
        bytes.extend(format!("{count} {}\n", below.len()).bytes());
        bytes.extend_from_slice(&tree);
        below.into_iter().for_each(|(_, folder)| bytes.extend(folder));
        Some(Folder { tree, bytes })
    }

    /// A folder in which nothing changed.
    fn as_before(&self, before: &Node<'_>, tree: &[u8], part: Part<'_>) -> Option<Folder> {
        let count = part.to.checked_sub(part.from)?;
        // Git knows as many entries as there are, or it knows something else.
        before.known.filter(|(known, _)| *known == count)?;
        Some(Folder {
            tree: tree.to_vec(),
            bytes: before.bytes.to_vec(),
        })
    }

    /// The entries in the folder of the entry at `at`, whose paths share `inner` bytes.
    fn inside<'a>(&self, part: Part<'a>, at: usize, inner: usize, node: Option<&Node<'_>>) -> Option<Part<'a>> {
        let start = self.path(at)?.get(..inner)?;
        let first = part.changed.partition_point(|path| *path < start);
        let after = part.changed.get(first..)?;
        let changed = after.get(..after.partition_point(|path| path.starts_with(start)))?;
        let is_in = |at: usize| self.path(at).is_some_and(|path| path.starts_with(start));
        let told = node
            .and_then(|node| node.known)
            .map(|(count, _)| at + count)
            .filter(|to| changed.is_empty() && at < *to && is_in(*to - 1) && (*to >= part.to || !is_in(*to)));
        let to = match told {
            Some(to) => to,
            None => {
                let places = self.places.get(at..part.to)?;
                let path = |place: &Place| self.bytes.get(place.path.0..place.path.1).unwrap_or_default();
                at + places.partition_point(|place| path(place).starts_with(start))
            }
        };
        (part.depth < DEPTH).then_some(Part {
            from: at,
            to,
            prefix: inner,
            depth: part.depth + 1,
            changed,
        })
    }

    fn path(&self, at: usize) -> Option<&[u8]> {
        let place = self.places.get(at)?;
        self.bytes.get(place.path.0..place.path.1)
    }
}
