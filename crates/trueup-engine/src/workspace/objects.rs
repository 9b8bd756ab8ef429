//! Bodies of objects, read by git: an object is whatever a repository holds,
//! and git checks that it is what its name says.

use super::{error::Error, git::Git, output::text};
use std::collections::HashMap;

/// Blobs below this size are small: large enough for any pointer of Git LFS.
pub(super) const SMALL: usize = 1024;

/// The bodies of those of these objects that are small blobs.
pub(super) fn small_blobs(git: &Git, objects: &[String]) -> Result<HashMap<String, Vec<u8>>, Error> {
    let asked: String = objects.iter().flat_map(|object| [object, "\n"]).collect();
    let about = git.feed(
        &["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"],
        asked.as_bytes(),
    )?;
    let small: Vec<String> = text(&about)
        .lines()
        .filter_map(|line| {
            let (object, rest) = line.split_once(" blob ")?;
            (rest.parse::<usize>().ok()? < SMALL).then(|| object.to_string())
        })
        .collect();
    bodies(git, &small)
}

/// The bodies of these objects, all of which must be there.
pub(super) fn bodies(git: &Git, objects: &[String]) -> Result<HashMap<String, Vec<u8>>, Error> {
    let mut found = HashMap::new();
    if objects.is_empty() {
        return Ok(found);
    }
    let asked: String = objects.iter().flat_map(|object| [object.as_str(), "\n"]).collect();
    let batch = git.feed(&["cat-file", "--batch"], asked.as_bytes())?;
    let mut rest = batch.as_slice();
    for object in objects {
        let (body, after) = next_body(rest).ok_or_else(|| Error::unclear("cat-file", rest))?;
        found.insert(object.clone(), body.to_vec());
        rest = after;
    }
    Ok(found)
}

/// The first body of a batch, and what comes after it.
pub(super) fn next_body(batch: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = batch.iter().position(|byte| *byte == b'\n')?;
    let head = text(batch.get(..end)?);
    let size: usize = head.rsplit(' ').next()?.parse().ok()?;
    let start = end + 1;
    Some((batch.get(start..start + size)?, batch.get(start + size + 1..)?))
}
