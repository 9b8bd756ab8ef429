//! Which bubblewrap is used, and whether it is new enough.

use super::{
    home,
    setup::{Error, Setup},
};
use crate::trace;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The oldest bubblewrap that knows `--disable-userns`.
const OLDEST: (u32, u32) = (0, 8);

/// What it is asked with.
const VERSION: &str = "--version";

/// The first bubblewrap on the PATH that is not the repository's own.
pub(super) fn find(setup: &Setup) -> Result<PathBuf, Error> {
    let repository = setup.repository.canonicalize().ok();
    std::env::split_paths(&setup.path)
        .filter(|folder| folder.is_absolute())
        .chain([PathBuf::from("/usr/bin")])
        .filter_map(|folder| folder.join("bwrap").canonicalize().ok())
        .find(|found| home::is_program(found) && !repository.as_ref().is_some_and(|inside| found.starts_with(inside)))
        .ok_or(Error::Missing)
}

/// Refuses one that lacks what the wall needs.
pub(super) fn demand_version(program: &Path) -> Result<(), Error> {
    let traced = trace::Child::outside("bwrap", &[VERSION]);
    let asked = Command::new(program).arg(VERSION).env_clear().output();
    let answer = asked.map_err(Error::at(program))?;
    traced.exited(answer.status);
    let found = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    match version(&found) {
        Some(version) if version >= OLDEST => Ok(()),
        Some(_) | None => Err(Error::TooOld {
            program: program.to_owned(),
            found,
        }),
    }
}

/// Reads `bubblewrap 0.8.0`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix("bubblewrap ")?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_is_read_or_refused() {
        assert_eq!(version("bubblewrap 0.8.0"), Some((0, 8)));
        assert_eq!(version("bubblewrap 1.11"), Some((1, 11)));
        assert_eq!(version("something else"), None);
    }
}
