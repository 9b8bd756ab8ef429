//! Papers agree with the house: the book lists every page, links lead
//! somewhere, and each dependency is accounted for.

use crate::{arrows::manifests, breaks, holds, house::House, keeps};
use std::collections::BTreeSet;

const SUMMARY: &str = "docs/SUMMARY.md";
const TROUBLESHOOTING: &str = "docs/troubleshooting.md";
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

/// What headings are called in a link, by the rule of GitHub and of the book.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    let named = headings.map(|heading| {
        let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
        let name = heading.trim_start_matches('#').trim().to_lowercase();
        name.chars().filter(kept).collect::<String>().replace(' ', "-")
    });
    named.collect()
}

/// Links into a page lead to one of its headings.
fn links_lead_to_headings(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for page in house.ending(".md") {
        let links = page.text.split("](").skip(1);
        let links = links.filter_map(|rest| rest.split([')', ' ', '\n']).next()?.split_once('#'));
        for (target, anchor) in links.filter(|(target, _)| !target.contains("://")) {
            let path = match target {
                "" => page.path.clone(),
                target => resolve(page.folder(), target),
            };
            let Some(into) = house.paper(&path).filter(|into| into.path.ends_with(".md")) else {
                continue;
            };
            if !anchors(&into.text).contains(anchor) {
                findings.push(format!("{}: {path} has no heading `{anchor}`", page.path));
            }
        }
    }
    findings
}

/// What somebody is said to see in trouble is a part of what is printed.
fn troubles_are_printed(house: &House) -> Vec<String> {
    let Some(page) = house.paper(TROUBLESHOOTING) else {
        return vec![format!("{TROUBLESHOOTING}: it is missing")];
    };
    let sources: Vec<&str> = house
        .ending(".rs")
        .filter(|source| source.path.contains("/src/") && !source.path.contains("testkit"))
        .map(|source| source.text.as_str())
        .collect();
    let rows = page.text.lines().filter_map(|line| line.strip_prefix("| `"));
    let seen = rows.filter_map(|row| row.split(" |").next());
    let parts = seen.flat_map(|seen| seen.split('`').step_by(2));
    parts
        .filter(|part| !part.starts_with('[') && !sources.iter().any(|source| source.contains(part)))
        .map(|part| format!("{TROUBLESHOOTING}: nothing prints `{part}`"))
        .collect()
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
fn links_into_pages_lead_to_headings() {
    holds(links_lead_to_headings);
    let page = (
        "docs/b.md",
        "# B\n```sh\n# no heading\n```\n## Its \"network\", and `more`\n",
    );
    breaks(
        links_lead_to_headings,
        &[("docs/a.md", "[b](b.md#no-heading)"), page],
        "no heading",
    );
    breaks(links_lead_to_headings, &[("docs/a.md", "# A\n[a](#b)")], "`b`");
    let links = "# A\n[a](#a) [b](b.md#its-network-and-more) [out](https://example.com/#x)";
    keeps(links_lead_to_headings, &[("docs/a.md", links), page]);
}

#[test]
fn what_is_seen_in_trouble_is_printed() {
    holds(troubles_are_printed);
    breaks(troubles_are_printed, &[], "missing");
    let source = ("crates/a/src/b.rs", "\"it is gone\"");
    let page = |row: &'static str| (TROUBLESHOOTING, row);
    breaks(
        troubles_are_printed,
        &[source, page("| `it is lost` | why |")],
        "it is lost",
    );
    keeps(
        troubles_are_printed,
        &[source, page("| `it is` … `gone` | why |\n| no word of ours | why |")],
    );
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
