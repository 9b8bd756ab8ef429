//! The build in which faults can be planted, by which every harness proves that
//! it can fail.

use std::path::{Path, PathBuf};

/// Where it lies. One that is missing ends the test: a harness that was not seen
/// to fail proves nothing. It is never built here: a build inside a test would
/// wait for the one that runs it.
pub fn known_bad() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bad = root.join("target/known-bad/trueup");
    assert!(bad.is_file(), "{} is missing; type:\n  just binaries", bad.display());
    bad
}
