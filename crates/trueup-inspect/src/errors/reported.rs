//! What tools report that a person must hear of at once: holes, secrets, and
//! data that would be lost. Each is known by the form of one tool's report.

use regex::RegexSet;
use std::sync::LazyLock;
use trueup_core::approach::ErrorKind;

/// Reports of audits and of searches for secrets.
const SECURITY: &[&str] = &[
    // npm and pnpm; an installation only mentions the number in passing.
    r"(?m)^# npm audit report$",
    r"(?m)^[1-9]\d* vulnerabilit(?:y|ies) found\nSeverity: ",
    // cargo-audit, cargo-deny, pip-audit, govulncheck, bundler-audit.
    r"(?m)^error: [1-9]\d* vulnerabilit(?:y|ies) found!",
    r"(?m)^error\[vulnerability\]: ",
    r"(?m)^Found [1-9]\d* known vulnerabilit(?:y|ies) in [1-9]\d* package",
    r"(?m)^Vulnerability #\d+: GO-\d{4}-\d+$",
    r"(?m)^Vulnerabilities found!$",
    // bandit, as far as it finds it grave; snyk; trivy.
    r"(?m)^>> Issue: \[B\d{3}:\w+\].*\n +Severity: (?:Medium|High) ",
    r"(?m)^ *✗ .+ \[(?:High|Critical) Severity\]\[https://",
    r"(?m)^Total: [1-9]\d* \(.*(?:HIGH|CRITICAL): [1-9]",
    // gitleaks, detect-secrets, trufflehog, git-secrets.
    r"(?m)\bWRN leaks found: [1-9]\d*$",
    r"(?m)^ERROR: Potential secrets about to be committed to git repo!",
    r"(?m)^🐷🔑🐷|Found verified result 🐷🔑",
    r"(?m)^\[ERROR\] Matched one or more prohibited patterns$",
];

/// What tools say before they drop or overwrite data.
const DATA_LOSS: &[&str] = &[
    // Prisma.
    r"(?m)There might be data loss when applying the changes:",
    r"(?m)^Error: Use the --accept-data-loss flag to ignore the data loss warnings",
    r"(?m)^ *• You are about to drop the (?:column|`)",
    r"(?m)^We need to reset the .+\n?.*All data will be lost",
    // Drizzle, Django, Rails, Entity Framework.
    r"(?m)Found data-loss statements:",
    r"(?m)^This will IRREVERSIBLY DESTROY",
    r"(?m)ActiveRecord::ProtectedEnvironmentError: You are attempting to run a destructive action",
    r"(?m)^=== Dangerous operation detected #strong_migrations ===$",
    r"(?m)^An operation was scaffolded that may result in the loss of data",
    // Atlas, Squawk, Terraform.
    r"(?m)^ *-- destructive changes detected:",
    r"(?m)(?:warning|error)\[ban-drop-(?:table|column|database)\]",
    r"(?m)^Plan: \d+ to add, \d+ to change, [1-9]\d* to destroy\.",
    r"(?m)^│ Error: Instance cannot be destroyed$",
    // git.
    r"(?m)^error: (?:Your local changes to the following files|The following untracked working tree files) would be (?:overwritten|removed) by ",
];

static SECURITY_SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(SECURITY).ok());
static DATA_LOSS_SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(DATA_LOSS).ok());

/// What is reported, if anything is.
pub(super) fn of(texts: &[String]) -> Option<ErrorKind> {
    let fits = |set: &Option<RegexSet>| {
        set.as_ref()
            .is_some_and(|set| texts.iter().any(|text| set.is_match(text)))
    };
    let security = fits(&SECURITY_SET).then_some(ErrorKind::Security);
    security.or_else(|| fits(&DATA_LOSS_SET).then_some(ErrorKind::DataLoss))
}

#[cfg(test)]
mod tests {
    use super::{DATA_LOSS_SET, SECURITY_SET};

    #[test]
    fn every_expression_is_one() {
        assert!(SECURITY_SET.is_some() && DATA_LOSS_SET.is_some());
    }
}
