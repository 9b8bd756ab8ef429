//! Keys that decide nothing.

/// Keys of a `package.json` that describe the package. Every other key is
/// read by some tool, and a tool that takes part in a run of tests can be
/// made to change what they see.
const DESCRIBES: [&str; 31] = [
    "$schema",
    "name",
    "displayName",
    "version",
    "description",
    "keywords",
    "categories",
    "homepage",
    "bugs",
    "license",
    "licenses",
    "author",
    "contributors",
    "maintainers",
    "publisher",
    "funding",
    "icon",
    "repository",
    "private",
    "files",
    "types",
    "typings",
    "engines",
    "os",
    "cpu",
    "libc",
    "sideEffects",
    "publishConfig",
    "man",
    "peerDependenciesMeta",
    "bundleDependencies",
];

/// Keys that only describe, of the files in which every other key counts.
pub(super) const DESCRIBING: [(&str, &[&str]); 1] = [("package.json", &DESCRIBES)];
