//! Papers agree with the house: the book lists every page, links lead
//! somewhere, and each dependency is accounted for.

use crate::{arrows::manifests, breaks, holds, house::House, keeps};
use std::collections::BTreeSet;

const SUMMARY: &str = "docs/SUMMARY.md";
const DEPENDENCIES: &str = "docs/dependencies.md";

/// The targets of a page's links, without anchors.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', '#', ' ', '\n']).next()?;
        let elsewhere = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
        (!elsewhere).then_some(target)
    })
}

/// Where a relative link leads, seen from the root.
fn resolve(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The book lists every page of it.
fn every_page_is_listed(house: &House) -> Vec<String> {
    let Some(summary) = house.paper(SUMMARY) else {
        return vec![format!("{SUMMARY}: it is missing")];
    };
    let listed: Vec<String> = links(&summary.text).map(|target| resolve("docs", target)).collect();
    let mut findings = Vec::new();
    for page in house
        .ending(".md")
        .filter(|page| page.path.starts_with("docs/") && page.path != SUMMARY)
    {
        match listed.iter().filter(|path| **path == page.path).count() {
            1 => {}
            0 => findings.push(format!("{}: {SUMMARY} does not list it", page.path)),
            times => findings.push(format!("{}: {SUMMARY} lists it {times} times", page.path)),
        }
    }
    findings
}

/// Links between papers lead to something that is there.
fn links_lead_somewhere(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for page in house
        .ending(".md")
        .filter(|page| !page.path.starts_with("tasks-examples/"))
    {
        for target in links(&page.text) {
            if !house.has(&resolve(page.folder(), target)) {
                findings.push(format!("{}: `{target}` leads nowhere", page.path));
            }
        }
    }
    findings
}

/// Every direct dependency is accounted for, and nothing else is.
fn dependencies_are_accounted_for(house: &House) -> Vec<String> {
    let Some(page) = house.paper(DEPENDENCIES) else {
        return vec![format!("{DEPENDENCIES}: it is missing")];
    };
    let lines = page.text.lines().filter_map(|line| line.strip_prefix("- `"));
    let named: Vec<&str> = lines.filter_map(|line| line.split('`').next()).collect();
    let told: BTreeSet<&str> = named.iter().copied().collect();
    let (manifests, mut findings) = manifests(house);
    let used: BTreeSet<&str> = manifests
        .iter()
        .flat_map(|manifest| manifest.builds_on.iter().chain(&manifest.tests_with))
        .map(String::as_str)
        .filter(|name| !name.starts_with("trueup"))
        .collect();
    findings.extend(
        used.difference(&told)
            .map(|name| format!("{DEPENDENCIES}: `{name}` is not accounted for")),
    );
    findings.extend(
        told.difference(&used)
            .map(|name| format!("{DEPENDENCIES}: nothing uses `{name}`")),
    );
    if named.len() != told.len() {
        findings.push(format!("{DEPENDENCIES}: it names one twice"));
    }
    findings
}

#[test]
fn the_book_lists_every_page_once() {
    holds(every_page_is_listed);
    breaks(every_page_is_listed, &[], "missing");
    let page = ("docs/decisions/0001-a.md", "");
    breaks(every_page_is_listed, &[(SUMMARY, "# Book"), page], "does not list");
    let twice = "[a](decisions/0001-a.md) [b](./decisions/0001-a.md#why)";
    breaks(every_page_is_listed, &[(SUMMARY, twice), page], "2 times");
    keeps(every_page_is_listed, &[(SUMMARY, "- [a](decisions/0001-a.md)"), page]);
}

#[test]
fn links_between_papers_lead_somewhere() {
    holds(links_lead_somewhere);
    breaks(
        links_lead_somewhere,
        &[("docs/a.md", "[b](b.md)")],
        "`b.md` leads nowhere",
    );
    let there = [
        (
            "docs/a.md",
            "[up](../ARCHITECTURE.md#rooms) [out](https://example.com) [here](#a) [in](decisions/)",
        ),
        ("ARCHITECTURE.md", "[a](docs/a.md)"),
        ("docs/decisions/0001-a.md", ""),
    ];
    keeps(links_lead_somewhere, &there);
}

#[test]
fn every_dependency_is_accounted_for() {
    holds(dependencies_are_accounted_for);
    let manifest = (
        "crates/a/Cargo.toml",
        "[dependencies]\nserde = '1'\ntrueup-core.workspace = true\n[dev-dependencies]\nsyn = '3'",
    );
    breaks(dependencies_are_accounted_for, &[manifest], "missing");
    breaks(
        dependencies_are_accounted_for,
        &[manifest, (DEPENDENCIES, "- `serde`: x")],
        "`syn` is not",
    );
    let more = "- `serde`: x\n- `syn`: y\n- `regex`: z";
    breaks(
        dependencies_are_accounted_for,
        &[manifest, (DEPENDENCIES, more)],
        "nothing uses `regex`",
    );
    let twice = "- `serde`: x\n- `syn`: y\n- `syn`: z";
    breaks(
        dependencies_are_accounted_for,
        &[manifest, (DEPENDENCIES, twice)],
        "twice",
    );
}
