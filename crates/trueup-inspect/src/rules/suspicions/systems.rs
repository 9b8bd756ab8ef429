//! Files that their names keep from being built on every system.

use super::suspicion::Found;
use crate::rules::{
    catalogue::{Detector, catalogue},
    paths,
    source::Line,
};

/// The systems and machines that Go knows by the ends of file names.
const KNOWN: [&str; 42] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "ios",
    "js",
    "linux",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
    "hurd",
    "nacl",
    "386",
    "amd64",
    "amd64p32",
    "arm",
    "arm64",
    "arm64be",
    "armbe",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "mipsle",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "sparc",
    "sparc64",
    "wasm",
];

/// A new file of Go that is built for one system or machine alone: tests run on
/// one, and users have others.
pub(super) fn built_for_one(path: &str, before: Option<&Line>, after: Option<&Line>) -> Option<Found> {
    let (stem, ending) = paths::name(path).rsplit_once('.')?;
    let (_, end) = stem.rsplit_once('_')?;
    if ending != "go" || before.is_some() || !KNOWN.contains(&end) {
        return None;
    }
    let first = after?;
    let rule = catalogue().detector(Detector::BuiltForOneSystem);
    let what = format!(
        "its name has it built for `{end}` alone, and {}: take it out",
        rule.message
    );
    Some(Found::saying(first.number, what, rule))
}
