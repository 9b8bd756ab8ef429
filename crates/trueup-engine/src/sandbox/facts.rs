//! What this machine says of itself, for whoever looks for a fix.

use super::{Distribution, Error, Facts, Found, Setup, Surroundings, bubblewrap};
use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::Path};

/// The bit that lets a program run with its owner's rights.
const SETUID: u32 = 0o4000;

impl Facts {
    /// What is known after this came of trying.
    pub fn after(error: &Error, setup: &Setup) -> Self {
        let said = match error {
            Error::Unusable { why, .. } => why.clone(),
            Error::Missing | Error::TooOld { .. } | Error::Refused { .. } | Error::Io { .. } => String::new(),
        };
        Self {
            found: found(error, setup),
            said,
            apparmor_restricts: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            namespaces_for_all: number("/proc/sys/kernel/unprivileged_userns_clone"),
            most_namespaces: number("/proc/sys/user/max_user_namespaces"),
            surroundings: surroundings(&setup.environment, |path| Path::new(path).exists()),
            distribution: distribution(&fs::read_to_string("/etc/os-release").unwrap_or_default()),
        }
    }
}

fn found(error: &Error, setup: &Setup) -> Found {
    if let Error::TooOld { program, .. } = error {
        return Found::TooOld(program.clone());
    }
    let Ok(program) = bubblewrap::find(setup) else {
        return Found::Missing;
    };
    let is_setuid = fs::metadata(&program).is_ok_and(|about| about.permissions().mode() & SETUID != 0);
    if is_setuid {
        Found::Setuid(program)
    } else {
        Found::Usable(program)
    }
}

fn number(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The marks each kind of container leaves.
fn surroundings(environment: &BTreeMap<String, String>, exists: impl Fn(&str) -> bool) -> Surroundings {
    let has = |name: &str| environment.get(name).is_some_and(|value| !value.is_empty());
    if has("KUBERNETES_SERVICE_HOST") {
        Surroundings::Kubernetes
    } else if exists("/run/.containerenv") {
        Surroundings::Podman
    } else if exists("/.dockerenv") {
        Surroundings::Docker
    } else if environment.get("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        Surroundings::GitHub
    } else {
        Surroundings::No
    }
}

fn distribution(os_release: &str) -> Distribution {
    if cfg!(target_os = "macos") {
        return Distribution::MacOs;
    }
    let field = |name: &str| {
        let mut lines = os_release.lines().filter_map(|line| line.strip_prefix(name));
        lines.next().map(|value| value.trim_matches('"')).unwrap_or_default()
    };
    let names = field("ID=").split(' ').chain(field("ID_LIKE=").split(' '));
    let known = |name| match name {
        "debian" | "ubuntu" => Some(Distribution::Debian),
        "fedora" | "rhel" | "centos" => Some(Distribution::Fedora),
        "arch" => Some(Distribution::Arch),
        "alpine" => Some(Distribution::Alpine),
        "suse" | "opensuse" | "sles" => Some(Distribution::Suse),
        _ => None,
    };
    names.filter_map(known).next().unwrap_or(Distribution::Other)
}

#[cfg(test)]
mod tests {
    use super::{distribution, surroundings};
    use crate::sandbox::{Distribution, Surroundings};
    use std::collections::BTreeMap;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_distribution_is_known_by_itself_or_by_its_kin() {
        for (text, expected) in [
            ("NAME=x\nID=debian\n", Distribution::Debian),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", Distribution::Debian),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", Distribution::Fedora),
            ("ID=arch\n", Distribution::Arch),
            ("ID=alpine\n", Distribution::Alpine),
            ("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", Distribution::Suse),
            ("ID=haiku\n", Distribution::Other),
            ("", Distribution::Other),
        ] {
            assert_eq!(distribution(text), expected, "{text}");
        }
    }

    #[test]
    fn a_container_is_known_by_its_mark() {
        let nothing = BTreeMap::new();
        let variable = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
        assert_eq!(surroundings(&nothing, |_| false), Surroundings::No);
        assert_eq!(
            surroundings(&nothing, |path| path == "/.dockerenv"),
            Surroundings::Docker
        );
        assert_eq!(
            surroundings(&nothing, |path| path == "/run/.containerenv"),
            Surroundings::Podman
        );
        let pod = variable("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        assert_eq!(
            surroundings(&pod, |path| path == "/.dockerenv"),
            Surroundings::Kubernetes
        );
        let runner = variable("GITHUB_ACTIONS", "true");
        assert_eq!(surroundings(&runner, |_| false), Surroundings::GitHub);
        assert_eq!(
            surroundings(&runner, |path| path == "/.dockerenv"),
            Surroundings::Docker
        );
    }
}
