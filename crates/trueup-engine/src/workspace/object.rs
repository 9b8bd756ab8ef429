//! Git's objects, named and packed without git.
//!
//! A pack of ours is two files however many objects it holds, so that what a
//! snapshot found new is on disk after two flushes and one of their folder.

use super::{Error, folder};
use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use sha1_checked::Sha1;
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    slice,
};

/// What kind of object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file's content.
    Blob,
    /// A folder.
    Tree,
}

/// How objects get their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// The one most repositories have.
    Sha1,
    /// The longer one.
    Sha256,
}

/// Objects that go into one pack.
pub(super) struct Pack {
    format: Format,
    bytes: Vec<u8>,
    /// Where each object begins, and the sum of its bytes.
    objects: BTreeMap<Vec<u8>, (u32, u32)>,
    squeeze: Compress,
}

/// A pack that lies beside its place under names nobody reads.
#[derive(Debug)]
pub(super) struct Written {
    folder: PathBuf,
    /// Its name, without what a pack and its index are told apart by.
    name: String,
    /// The two files as they lie there.
    aside: [PathBuf; 2],
}

/// What tells a pack and its index apart. Whoever reads looks for the index,
/// so it gets its name last.
const ENDINGS: [&str; 2] = ["pack", "idx"];

/// The first bytes of a pack: its mark and version. The number of objects follows.
const PACK: &[u8; 8] = b"PACK\0\0\0\x02";

/// The first bytes of a pack's index: its mark and version.
const INDEX: &[u8; 8] = b"\xfftOc\0\0\0\x02";

/// From here on a pack would need larger numbers than ours are.
const LIMIT: usize = 1 << 30;

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Tree => "tree",
        }
    }

    /// As a pack has it.
    const fn number(self) -> u8 {
        match self {
            Self::Tree => 2,
            Self::Blob => 3,
        }
    }
}

impl Format {
    /// The format of this name, if it is known here.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "sha1" => Some(Self::Sha1),
            "sha256" => Some(Self::Sha256),
            _ => None,
        }
    }

    /// How long a name is, in bytes.
    const fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// The sum of these bytes; `None` where they were made to have the sum of
    /// others, which git refuses as well.
    fn sum(self, parts: &[&[u8]]) -> Option<Vec<u8>> {
        match self {
            Self::Sha1 => {
                let mut hasher = Sha1::new();
                parts.iter().for_each(|part| hasher.update(part));
                let sum = hasher.try_finalize();
                (!sum.has_collision()).then(|| sum.hash().to_vec())
            }
            Self::Sha256 => {
                let mut hasher = Sha256::new();
                parts.iter().for_each(|part| hasher.update(part));
                Some(hasher.finalize().to_vec())
            }
        }
    }

    /// The name of an object.
    pub(super) fn name(self, kind: Kind, body: &[u8]) -> Option<Vec<u8>> {
        let head = format!("{} {}\0", kind.word(), body.len());
        self.sum(&[head.as_bytes(), body])
    }
}

impl Pack {
    /// A pack that holds nothing yet.
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            bytes: [PACK.as_slice(), &[0; 4]].concat(),
            objects: BTreeMap::new(),
            squeeze: Compress::new(Compression::fast(), true),
        }
    }

    /// How its objects get their names.
    pub(super) const fn format(&self) -> Format {
        self.format
    }

    /// Adds an object; answers its name. `None` for what is git's to judge.
    pub(super) fn add(&mut self, kind: Kind, body: &[u8]) -> Option<Vec<u8>> {
        let name = self.format.name(kind, body)?;
        if self.objects.contains_key(&name) {
            return Some(name);
        }
        let start = self.bytes.len();
        let mut rest = body.len() >> 4;
        let mut byte = (kind.number() << 4) | low(body.len(), 0x0f);
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            byte = low(rest, 0x7f);
            rest >>= 7;
        }
        self.bytes.push(byte);
        self.squeeze(body)?;
        let mut sum = Crc::new();
        sum.update(self.bytes.get(start..)?);
        let start = u32::try_from(start).ok().filter(|_| self.bytes.len() < LIMIT)?;
        self.objects.insert(name.clone(), (start, sum.sum()));
        Some(name)
    }

    fn squeeze(&mut self, body: &[u8]) -> Option<()> {
        self.squeeze.reset();
        self.bytes.reserve(body.len() / 2 + 64);
        loop {
            let done = usize::try_from(self.squeeze.total_in()).ok()?;
            let rest = body.get(done..)?;
            let status = self.squeeze.compress_vec(rest, &mut self.bytes, FlushCompress::Finish);
            match status.ok()? {
                Status::StreamEnd => return Some(()),
                Status::Ok | Status::BufError => self.bytes.reserve(body.len() / 4 + 64),
            }
        }
    }

    /// Lays the objects of another pack behind those that are there, byte for
    /// byte. `None` if it is not one of ours, and then nothing was laid.
    pub(super) fn lay(&mut self, pack: &[u8], index: &[u8]) -> Option<()> {
        let name = self.format.length();
        let end = pack.len().checked_sub(name)?;
        let (body, sum) = pack.split_at_checked(end)?;
        let count = usize::try_from(number(pack, PACK.len())?).ok()?;
        let head = INDEX.len() + 1024;
        let fits = pack.starts_with(PACK)
            && index.starts_with(INDEX)
            && index.len() == head + count * (name + 8) + 2 * name
            && index.get(index.len() - 2 * name..index.len() - name)? == sum
            && self.format.sum(&[body])? == sum
            && self.bytes.len() + body.len() < LIMIT;
        if !fits {
            return None;
        }
        let (sums, starts) = (head + count * name, head + count * (name + 4));
        let mut objects = Vec::with_capacity(count);
        for at in 0..count {
            let object = index.get(head + at * name..head + (at + 1) * name)?;
            let start = usize::try_from(number(index, starts + at * 4)?).ok()?;
            objects.push((start, object, number(index, sums + at * 4)?));
        }
        objects.sort_unstable();
        let ends: Vec<usize> = objects.iter().skip(1).map(|(start, ..)| *start).chain([end]).collect();
        let whole = |((start, ..), end): (&(usize, &[u8], u32), &usize)| {
            // Whatever lies in terms of another object cannot be moved alone.
            let kind = body.get(*start).map_or(0, |byte| byte >> 4 & 7);
            start < end && (1..=4).contains(&kind)
        };
        if !objects.iter().zip(&ends).all(whole) {
            return None;
        }
        for ((start, object, sum), end) in objects.into_iter().zip(ends) {
            if !self.objects.contains_key(object) {
                let here = u32::try_from(self.bytes.len()).ok()?;
                self.bytes.extend_from_slice(body.get(start..end)?);
                self.objects.insert(object.to_vec(), (here, sum));
            }
        }
        Some(())
    }

    /// Whether nothing was added.
    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Writes the pack and its index beside their places. Neither is on disk yet.
    pub(super) fn write(mut self, objects: &Path) -> Result<Written, Error> {
        let folder = objects.join("pack");
        let unclear = || Error::unclear("pack", b"a pack cannot be summed up");
        let count = u32::try_from(self.objects.len()).map_err(|_| unclear())?;
        if let Some(place) = self.bytes.get_mut(PACK.len()..PACK.len() + 4) {
            place.copy_from_slice(&count.to_be_bytes());
        }
        let sum = self.format.sum(&[&self.bytes]).ok_or_else(unclear)?;
        self.bytes.extend_from_slice(&sum);
        let mut index = index(&self.objects, &sum);
        let own = self.format.sum(&[&index]).ok_or_else(unclear)?;
        index.extend_from_slice(&own);
        super::store::make_folder(&folder)?;
        // Git tidies away what begins like this, should we be killed.
        let aside = ENDINGS.map(|ending| folder.join(folder::unique(&format!("tmp_{ending}"))));
        let name = format!("pack-{}", super::index::hex(&sum));
        let written = Written { folder, name, aside };
        for (file, bytes) in written.aside.iter().zip([&self.bytes, &index]) {
            let made = File::options().write(true).create_new(true).mode(0o400).open(file);
            made.and_then(|mut file| file.write_all(bytes))
                .map_err(Error::at(file))?;
        }
        Ok(written)
    }
}

impl Written {
    /// The files that are to be flushed before they get their names.
    pub(super) fn files(&self) -> &[PathBuf; 2] {
        &self.aside
    }

    /// Gives the files their names, and puts the names on disk.
    /// Answers where the pack lies.
    pub(super) fn release(self) -> Result<PathBuf, Error> {
        let places = ENDINGS.map(|ending| self.folder.join(format!("{}.{ending}", self.name)));
        for (file, place) in self.aside.iter().zip(&places) {
            fs::rename(file, place).map_err(Error::at(place))?;
        }
        crate::crash::point("pack.named");
        super::quarantine::sync_all(slice::from_ref(&self.folder))?;
        let [pack, _] = places;
        Ok(pack)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // What got its name is not here any more; what cannot be removed is tidied away by git.
        for file in &self.aside {
            drop(fs::remove_file(file));
        }
    }
}

/// The index of a pack, up to its own sum.
fn index(objects: &BTreeMap<Vec<u8>, (u32, u32)>, pack: &[u8]) -> Vec<u8> {
    let mut index = INDEX.to_vec();
    let mut begins = [0_u32; 256];
    for name in objects.keys() {
        if let Some(count) = name.first().and_then(|first| begins.get_mut(usize::from(*first))) {
            *count += 1;
        }
    }
    let mut so_far = 0;
    for count in begins {
        so_far += count;
        index.extend(so_far.to_be_bytes());
    }
    index.extend(objects.keys().flatten());
    index.extend(objects.values().flat_map(|(_, sum)| sum.to_be_bytes()));
    index.extend(objects.values().flat_map(|(start, _)| start.to_be_bytes()));
    index.extend_from_slice(pack);
    index
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    super::index::number(bytes, at)
}

/// The lowest bits of a number.
fn low(number: usize, mask: usize) -> u8 {
    u8::try_from(number & mask).unwrap_or_default()
}
