//! Which crate may know which, and what the pure one may know at all.

use crate::{breaks, holds, house::House, keeps};
use std::collections::BTreeSet;
use toml::{Table, Value};

/// Each crate and the crates of ours it may build on. A crate that is not
/// here has no place in the house yet: give it one, and say why.
const MAY_KNOW: [(&str, &[&str]); 8] = [
    ("trueup-core", &[]),
    ("trueup-inspect", &["trueup-core"]),
    // What leads out of a sandbox; what may go out is the core's to say.
    ("trueup-net", &["trueup-core"]),
    ("trueup-engine", &["trueup-core", "trueup-inspect", "trueup-net"]),
    ("trueup-fleet", &["trueup-core", "trueup-inspect", "trueup-engine"]),
    ("trueup-web", &["trueup-core", "trueup-inspect", "trueup-engine"]),
    (
        "trueup",
        &[
            "trueup-core",
            "trueup-inspect",
            "trueup-engine",
            "trueup-fleet",
            "trueup-web",
        ],
    ),
    ("trueup-testkit", &["trueup-core", "trueup-inspect", "trueup-engine"]),
];

/// All that the pure crate may build on: nothing here can open a file.
const CORE_MAY_USE: [&str; 3] = ["serde", "sha2", "thiserror"];

/// What only some crates may reach for.
struct Reach {
    /// What it gives whoever holds it.
    what: &'static str,
    packages: &'static [&'static str],
    /// Who may be built on it; some of them are yet to be made.
    shipped: &'static [&'static str],
    /// Whose tests may use it as well.
    tested: &'static [&'static str],
}

/// Crates made to speak to other machines: `trueup-net` is the proxy of agents.
const SPEAKERS: &[&str] = &["trueup-net", "trueup-fleet"];

/// What only some crates may reach for. `deny.toml` says the same of packages
/// that come in through others.
const REACHES: [Reach; 3] = [
    Reach {
        what: "the network",
        packages: &[
            "curl",
            "curl-sys",
            "gix-protocol",
            "gix-transport",
            "h2",
            "hyper",
            "hyper-rustls",
            "hyper-tls",
            "hyper-util",
            "native-tls",
            "openssl",
            "openssl-sys",
            "quinn",
            "reqwest",
            "restate-sdk",
            "rustls",
            "socket2",
            "tokio-rustls",
            "tokio-tungstenite",
            "tungstenite",
            "ureq",
        ],
        shipped: SPEAKERS,
        tested: &[],
    },
    Reach {
        what: "an HTTP server",
        packages: &["axum", "tower", "tower-http"],
        shipped: &["trueup-web", "trueup-testkit"],
        tested: &[],
    },
    Reach {
        what: "SQLite",
        packages: &["libsqlite3-sys", "rusqlite"],
        shipped: &["trueup-engine"],
        // The bench compares the journal with bare inserts.
        tested: &["trueup", "trueup-testkit"],
    },
];

/// Features of tokio that open sockets.
const SOCKETS: [&str; 2] = ["full", "net"];

/// Who may have those: whoever speaks to other machines, and whoever serves.
const SERVERS: [&str; 4] = ["trueup-net", "trueup-fleet", "trueup-web", "trueup-testkit"];

/// Where every package comes from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// One manifest under `crates/`.
pub(crate) struct Manifest {
    /// Where it stands.
    pub(crate) path: String,
    /// The crate's name.
    pub(crate) name: String,
    /// What the crate itself is built on.
    pub(crate) builds_on: BTreeSet<String>,
    /// What only its tests are built on.
    pub(crate) tests_with: BTreeSet<String>,
    table: Table,
}

/// Every manifest, and what is wrong with those that cannot be read.
pub(crate) fn manifests(house: &House) -> (Vec<Manifest>, Vec<String>) {
    let mut manifests = Vec::new();
    let mut findings = Vec::new();
    for paper in house
        .ending("/Cargo.toml")
        .filter(|paper| paper.path.starts_with("crates/"))
        // A project that a test works on is nobody's crate.
        .filter(|paper| !paper.path.contains("/fixtures/"))
    {
        let table = match paper.text.parse::<Table>() {
            Ok(table) => table,
            Err(error) => {
                findings.push(format!("{}: {error}", paper.path));
                continue;
            }
        };
        let name = table.get("package").and_then(|package| package.get("name"));
        let mut manifest = Manifest {
            path: paper.path.clone(),
            name: name.and_then(Value::as_str).unwrap_or_default().to_owned(),
            builds_on: dependencies(&table, "dependencies"),
            tests_with: dependencies(&table, "dev-dependencies"),
            table: table.clone(),
        };
        manifest.builds_on.extend(dependencies(&table, "build-dependencies"));
        let targets = table.get("target").and_then(Value::as_table);
        for target in targets.into_iter().flat_map(Table::values).filter_map(Value::as_table) {
            manifest.builds_on.extend(dependencies(target, "dependencies"));
            manifest.builds_on.extend(dependencies(target, "build-dependencies"));
            manifest.tests_with.extend(dependencies(target, "dev-dependencies"));
        }
        manifests.push(manifest);
    }
    (manifests, findings)
}

/// The packages a section names; a renamed one counts under its true name.
fn dependencies(table: &Table, section: &str) -> BTreeSet<String> {
    let section = table.get(section).and_then(Value::as_table);
    let named = |(key, value): (&String, &Value)| {
        let package = value.get("package").and_then(Value::as_str);
        package.unwrap_or(key).to_owned()
    };
    section.into_iter().flatten().map(named).collect()
}

/// Arrows between our crates point inwards; the testkit is for tests alone.
fn inward(house: &House) -> Vec<String> {
    let (manifests, mut findings) = manifests(house);
    for manifest in &manifests {
        let Some((_, may_know)) = MAY_KNOW.iter().find(|(name, _)| *name == manifest.name) else {
            findings.push(format!(
                "{}: `{}` has no place in the house",
                manifest.path, manifest.name
            ));
            continue;
        };
        let ours = |name: &&String| name.starts_with("trueup");
        for other in manifest.builds_on.iter().filter(ours) {
            if !may_know.contains(&other.as_str()) {
                findings.push(format!("{}: `{}` may not know `{other}`", manifest.path, manifest.name));
            }
        }
        for other in manifest.tests_with.iter().filter(ours) {
            if other != "trueup-testkit" && !may_know.contains(&other.as_str()) {
                findings.push(format!(
                    "{}: tests of `{}` may not know `{other}`",
                    manifest.path, manifest.name
                ));
            }
        }
    }
    findings
}

/// The pure crate builds on its allow-list and nothing else.
fn core_is_fenced(house: &House) -> Vec<String> {
    let (manifests, mut findings) = manifests(house);
    for manifest in manifests.iter().filter(|manifest| manifest.name == "trueup-core") {
        for other in &manifest.builds_on {
            if !CORE_MAY_USE.contains(&other.as_str()) {
                findings.push(format!("{}: the pure crate may not use `{other}`", manifest.path));
            }
        }
    }
    findings
}

/// Every crate takes its lints from the workspace, so none can opt out.
fn lints_are_shared(house: &House) -> Vec<String> {
    let (manifests, mut findings) = manifests(house);
    for manifest in manifests {
        let lints = manifest.table.get("lints").and_then(Value::as_table);
        let shared = lints.and_then(|lints| lints.get("workspace")).and_then(Value::as_bool);
        if shared != Some(true) || lints.is_some_and(|lints| lints.len() != 1) {
            findings.push(format!("{}: `[lints]` must be `workspace = true` alone", manifest.path));
        }
    }
    findings
}

/// The network, servers and databases are each in the crates made for them.
fn reaches_are_kept(house: &House) -> Vec<String> {
    let (manifests, mut findings) = manifests(house);
    for manifest in &manifests {
        for Reach {
            what,
            packages,
            shipped,
            tested,
        } in &REACHES
        {
            let name = manifest.name.as_str();
            let held = |used: &BTreeSet<String>| {
                let held = packages.iter().filter(|package| used.contains(**package));
                held.map(|package| format!("{}: `{package}` is {what}, which `{name}` may not hold", manifest.path))
                    .collect::<Vec<_>>()
            };
            if !shipped.contains(&name) {
                findings.extend(held(&manifest.builds_on));
                if !tested.contains(&name) {
                    findings.extend(held(&manifest.tests_with));
                }
            }
        }
        if !SERVERS.contains(&manifest.name.as_str()) && opens_sockets(&manifest.table) {
            findings.push(format!("{}: it takes sockets from tokio", manifest.path));
        }
    }
    let root = house
        .paper("Cargo.toml")
        .and_then(|root| root.text.parse::<Table>().ok());
    let shared = root.as_ref().and_then(|root| root.get("workspace")?.as_table());
    if shared.is_some_and(opens_sockets) {
        findings.push("Cargo.toml: it takes sockets from tokio for every crate".to_owned());
    }
    findings
}

/// Whether a manifest asks tokio for its sockets.
fn opens_sockets(table: &Table) -> bool {
    let targets = table.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let sections = [table].into_iter().chain(targets).flat_map(|table| {
        let names = ["dependencies", "dev-dependencies", "build-dependencies"];
        names.map(|name| table.get(name).and_then(Value::as_table))
    });
    let mut tokios = sections.flatten().flatten().filter(|(key, value)| {
        let package = value.get("package").and_then(Value::as_str);
        package.unwrap_or(key.as_str()) == "tokio"
    });
    tokios.any(|(_, tokio)| {
        let features = tokio.get("features").and_then(Value::as_array);
        let mut features = features.into_iter().flatten().filter_map(Value::as_str);
        features.any(|feature| SOCKETS.contains(&feature))
    })
}

/// Everything in the lock file comes from one place.
fn lock_has_one_source(house: &House) -> Vec<String> {
    let Some(lock) = house.paper("Cargo.lock") else {
        return vec!["Cargo.lock: it is missing".to_owned()];
    };
    let table = match lock.text.parse::<Table>() {
        Ok(table) => table,
        Err(error) => return vec![format!("Cargo.lock: {error}")],
    };
    let packages = table
        .get("package")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let mut findings = Vec::new();
    for package in packages {
        let source = package.get("source").and_then(Value::as_str);
        if source.is_some_and(|source| source != REGISTRY) {
            findings.push(format!(
                "Cargo.lock: {} is not from the default registry",
                package["name"]
            ));
        }
    }
    findings
}

#[test]
fn arrows_between_crates_point_inwards() {
    holds(inward);
    let path = "crates/trueup-core/Cargo.toml";
    let upwards = "[package]\nname = 'trueup-core'\n[dependencies]\ntrueup-engine.workspace = true";
    breaks(inward, &[(path, upwards)], "may not know `trueup-engine`");
    let renamed = "[package]\nname = 'trueup-core'\n[dependencies]\nfriend = { package = 'trueup-engine' }";
    breaks(inward, &[(path, renamed)], "may not know `trueup-engine`");
    let target = "[package]\nname = 'trueup-core'\n[target.'cfg(unix)'.dependencies]\ntrueup-engine.workspace = true";
    breaks(inward, &[(path, target)], "may not know `trueup-engine`");
    let kit = "[package]\nname = 'trueup-engine'\n[dependencies]\ntrueup-testkit.workspace = true";
    breaks(
        inward,
        &[("crates/trueup-engine/Cargo.toml", kit)],
        "may not know `trueup-testkit`",
    );
    let kit = "[package]\nname = 'trueup-engine'\n[dev-dependencies]\ntrueup-testkit.workspace = true";
    keeps(inward, &[("crates/trueup-engine/Cargo.toml", kit)]);
    let stranger = "[package]\nname = 'trueup-helpers'";
    breaks(
        inward,
        &[("crates/trueup-helpers/Cargo.toml", stranger)],
        "has no place",
    );
    breaks(inward, &[(path, "[package")], path);
}

#[test]
fn the_pure_crate_uses_only_its_allow_list() {
    holds(core_is_fenced);
    let path = "crates/trueup-core/Cargo.toml";
    let bad = "[package]\nname = 'trueup-core'\n[dependencies]\nserde = '1'\ntokio = '1'";
    breaks(core_is_fenced, &[(path, bad)], "may not use `tokio`");
    let tests = "[package]\nname = 'trueup-core'\n[dev-dependencies]\nproptest = '1'";
    keeps(core_is_fenced, &[(path, tests)]);
}

#[test]
fn no_crate_opts_out_of_the_lints() {
    holds(lints_are_shared);
    let path = "crates/trueup/Cargo.toml";
    breaks(
        lints_are_shared,
        &[(path, "[package]\nname = 'trueup'")],
        "workspace = true",
    );
    let own = "[lints]\nworkspace = true\nclippy.unwrap_used = 'warn'";
    breaks(lints_are_shared, &[(path, own)], "alone");
}

#[test]
fn everything_locked_has_one_source() {
    holds(lock_has_one_source);
    breaks(lock_has_one_source, &[], "missing");
    let mirror = "[[package]]\nname = 'x'\nsource = 'registry+https://mirror.example/index'";
    breaks(lock_has_one_source, &[("Cargo.lock", mirror)], "default registry");
    let git = "[[package]]\nname = 'x'\nsource = 'git+https://example.com/x'";
    breaks(lock_has_one_source, &[("Cargo.lock", git)], "default registry");
}

#[test]
fn network_servers_and_sqlite_stay_in_the_crates_made_for_them() {
    holds(reaches_are_kept);
    let path = "crates/trueup/Cargo.toml";
    let engine = "crates/trueup-engine/Cargo.toml";
    for (section, package) in [
        ("dependencies", "reqwest"),
        ("dev-dependencies", "rustls"),
        ("build-dependencies", "ureq"),
        ("target.'cfg(unix)'.dependencies", "axum"),
        ("dependencies", "rusqlite"),
    ] {
        let bad = format!("[package]\nname = 'trueup'\n[{section}]\n{package} = '1'");
        breaks(reaches_are_kept, &[(path, &bad)], "may not hold");
    }
    let renamed = "[package]\nname = 'trueup-engine'\n[dependencies]\nweb = { package = 'hyper', version = '1' }";
    breaks(reaches_are_kept, &[(engine, renamed)], "`hyper` is the network");
    let own = "[package]\nname = 'trueup-engine'\n[dependencies]\nrusqlite.workspace = true";
    keeps(reaches_are_kept, &[(engine, own)]);
    let bench = "[package]\nname = 'trueup'\n[dev-dependencies]\nrusqlite.workspace = true";
    keeps(reaches_are_kept, &[(path, bench)]);
    let sockets = "tokio = { version = '1', features = ['rt', 'net'] }";
    let own = format!("[package]\nname = 'trueup'\n[dependencies]\n{sockets}");
    breaks(reaches_are_kept, &[(path, &own)], "takes sockets");
    let everybody = format!("[workspace.dependencies]\n{sockets}");
    breaks(reaches_are_kept, &[("Cargo.toml", &everybody)], "for every crate");
    let fleet = format!("[package]\nname = 'trueup-fleet'\n[dependencies]\nhyper = '1'\n{sockets}");
    keeps(reaches_are_kept, &[("crates/trueup-fleet/Cargo.toml", &fleet)]);
}
