//! What to do about a wall that cannot stand: a function of facts alone.

use std::path::PathBuf;

/// What is known of this machine once bubblewrap was tried on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// What came of looking for bubblewrap.
    pub found: Found,
    /// What was said when it was tried; empty where it was not.
    pub said: String,
    /// `kernel.apparmor_restrict_unprivileged_userns`, where the kernel has it.
    pub apparmor_restricts: Option<u64>,
    /// `kernel.unprivileged_userns_clone`, where the kernel has it.
    pub namespaces_for_all: Option<u64>,
    /// `user.max_user_namespaces`, where the kernel has it.
    pub most_namespaces: Option<u64>,
    /// What trueup runs in.
    pub surroundings: Surroundings,
    /// Whose packages this machine installs.
    pub distribution: Distribution,
}

/// What came of looking for bubblewrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is none.
    Missing,
    /// One that is too old.
    TooOld(PathBuf),
    /// One that runs with the rights of root.
    Setuid(PathBuf),
    /// One that should do.
    Usable(PathBuf),
}

/// What trueup runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// A machine, as far as it shows.
    No,
    /// Docker.
    Docker,
    /// Podman.
    Podman,
    /// A pod of Kubernetes.
    Kubernetes,
    /// A runner of GitHub Actions: a machine that is thrown away.
    GitHub,
}

/// Whose packages a machine installs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Debian, Ubuntu and their kin.
    Debian,
    /// Fedora, Red Hat and their kin.
    Fedora,
    /// Arch.
    Arch,
    /// Alpine.
    Alpine,
    /// SUSE.
    Suse,
    /// macOS, where there is no bubblewrap at all.
    MacOs,
    /// Some other.
    Other,
}

/// One way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is in the way, and what to do, in a sentence.
    pub what: String,
    /// What to type or write, line by line.
    pub lines: Vec<String>,
}

impl Fix {
    fn new(what: impl Into<String>, lines: &[&str]) -> Self {
        Self {
            what: what.into(),
            lines: lines.iter().map(|&line| line.to_owned()).collect(),
        }
    }
}

/// Every way out, the best first. The last ones do without a wall of ours.
pub fn fixes(facts: &Facts) -> Vec<Fix> {
    let mut fixes = match &facts.found {
        Found::Missing => vec![install(facts.distribution)],
        Found::TooOld(_) => vec![update(facts.distribution)],
        Found::Setuid(program) => vec![Fix::new(
            "This bwrap is setuid, and such a one cannot switch off further user namespaces. Take that right away.",
            &[&format!("sudo chmod u-s {}", program.display())],
        )],
        Found::Usable(program) => {
            let program = program.display().to_string();
            let known = [switched_off(facts), apparmor(facts, &program), masked(facts)];
            known.into_iter().flatten().collect()
        }
    };
    if fixes.is_empty() {
        fixes.push(Fix::new(
            "What is in the way is not one of the known reasons. See it fail by itself.",
            &["bwrap --unshare-user --unshare-all --disable-userns --ro-bind / / true"],
        ));
    }
    fixes.push(without(facts));
    fixes
}

fn install(distribution: Distribution) -> Fix {
    let command = match distribution {
        Distribution::Debian => "sudo apt install bubblewrap",
        Distribution::Fedora => "sudo dnf install bubblewrap",
        Distribution::Arch => "sudo pacman -S bubblewrap",
        Distribution::Alpine => "sudo apk add bubblewrap",
        Distribution::Suse => "sudo zypper install bubblewrap",
        Distribution::MacOs => return Fix::new("There is no bubblewrap for macOS, and no other wall yet.", &[]),
        Distribution::Other => {
            return Fix::new(
                "Install the package `bubblewrap`, version 0.8 or newer, and have `bwrap` on PATH.",
                &[],
            );
        }
    };
    Fix::new("Install bubblewrap.", &[command])
}

fn update(distribution: Distribution) -> Fix {
    let tools = match distribution {
        Distribution::Debian => "sudo apt install git gcc meson ninja-build pkg-config libcap-dev",
        Distribution::Fedora => "sudo dnf install git gcc meson ninja-build libcap-devel",
        Distribution::Arch => return Fix::new("Update bubblewrap.", &["sudo pacman -Syu bubblewrap"]),
        Distribution::Alpine => return Fix::new("Update bubblewrap.", &["sudo apk add --upgrade bubblewrap"]),
        Distribution::Suse => "sudo zypper install git gcc meson ninja libcap-devel",
        Distribution::MacOs | Distribution::Other => {
            return Fix::new("Update bubblewrap to 0.8 or newer.", &[]);
        }
    };
    Fix::new(
        "Where your release has no newer package (Debian 11, Ubuntu 22.04), build one; it goes to /usr/local/bin.",
        &[
            tools,
            "git clone --depth 1 --branch v0.8.0 https://github.com/containers/bubblewrap",
            "meson setup bubblewrap/build bubblewrap && sudo ninja -C bubblewrap/build install",
        ],
    )
}

/// Kernel switches that turn user namespaces off for everybody.
fn switched_off(facts: &Facts) -> Option<Fix> {
    if facts.namespaces_for_all == Some(0) {
        return Some(Fix::new(
            "User namespaces are switched off for everybody but root. Switch them on, now and for good.",
            &[
                "sudo sysctl -w kernel.unprivileged_userns_clone=1",
                "echo kernel.unprivileged_userns_clone=1 | sudo tee /etc/sysctl.d/60-trueup.conf",
            ],
        ));
    }
    (facts.most_namespaces == Some(0)).then(|| {
        Fix::new(
            "No user namespace may be made here: user.max_user_namespaces is 0. Raise it, now and for good.",
            &[
                "sudo sysctl -w user.max_user_namespaces=15000",
                "echo user.max_user_namespaces=15000 | sudo tee /etc/sysctl.d/60-trueup.conf",
            ],
        )
    })
}

/// Ubuntu since 23.10 lets a program use user namespaces only where a profile says so.
fn apparmor(facts: &Facts, program: &str) -> Option<Fix> {
    if facts.apparmor_restricts.unwrap_or_default() == 0 {
        return None;
    }
    let off = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
    if facts.surroundings == Surroundings::GitHub {
        return Some(Fix::new(
            "AppArmor keeps programs of this runner from using user namespaces. Add a step before trueup.",
            &[&format!("- run: {off}")],
        ));
    }
    let profile = format!("profile bwrap {program} flags=(unconfined) {{");
    Some(Fix::new(
        format!(
            "AppArmor keeps bwrap from using user namespaces, as on Ubuntu 24.04. Give it a profile \
             (or allow every program: `{off}`)."
        ),
        &[
            "sudo tee /etc/apparmor.d/bwrap <<'END'",
            "abi <abi/4.0>,",
            "include <tunables/global>",
            &profile,
            "  userns,",
            "  include if exists <local/bwrap>",
            "}",
            "END",
            "sudo apparmor_parser --replace /etc/apparmor.d/bwrap",
        ],
    ))
}

/// What a container's own walls take away.
fn masked(facts: &Facts) -> Option<Fix> {
    let said = |word: &str| facts.said.contains(word);
    let of_proc = said("mount proc");
    let of_namespaces = said("namespace") || said("uid map") || said("pivot_root") || said("Operation not permitted");
    if !of_proc && !of_namespaces {
        return None;
    }
    let what = match of_proc {
        true => "This container masks /proc, so no second one can be mounted.",
        false => "This container's seccomp profile forbids new namespaces.",
    };
    let lines: &[&str] = match facts.surroundings {
        Surroundings::No | Surroundings::GitHub if !of_proc => return None,
        Surroundings::Docker | Surroundings::No | Surroundings::GitHub => &[
            "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
             --security-opt systempaths=unconfined …",
        ],
        Surroundings::Podman => &["podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …"],
        Surroundings::Kubernetes => &[
            "securityContext:",
            "  procMount: Unmasked",
            "  seccompProfile: { type: Unconfined }",
        ],
    };
    Some(Fix::new(format!("{what} Start it with less in the way."), lines))
}

/// The modes that need no bubblewrap, with what they cost.
fn without(facts: &Facts) -> Fix {
    match facts.surroundings {
        Surroundings::No => Fix::new(
            "Or do without any wall: agents and checks then run as you do, and every verdict says so.",
            &["export TRUEUP_SANDBOX=none"],
        ),
        Surroundings::Docker | Surroundings::Podman | Surroundings::Kubernetes | Surroundings::GitHub => Fix::new(
            "Or, where all of this is thrown away afterwards, let it be the wall; every verdict says so.",
            &["export TRUEUP_SANDBOX=outer"],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Distribution, Facts, Found, Surroundings, fixes};

    /// A healthy machine on which bubblewrap was not tried yet.
    fn healthy() -> Facts {
        Facts {
            found: Found::Usable("/usr/bin/bwrap".into()),
            said: String::new(),
            apparmor_restricts: Some(0),
            namespaces_for_all: Some(1),
            most_namespaces: Some(15000),
            surroundings: Surroundings::No,
            distribution: Distribution::Debian,
        }
    }

    fn text(facts: &Facts) -> String {
        let fix = fixes(facts).remove(0);
        format!("{}\n{}", fix.what, fix.lines.join("\n"))
    }

    #[test]
    fn a_missing_bubblewrap_is_installed_as_each_distribution_does() {
        for (distribution, command) in [
            (Distribution::Debian, "apt install"),
            (Distribution::Fedora, "dnf install"),
            (Distribution::Arch, "pacman -S"),
            (Distribution::Alpine, "apk add"),
            (Distribution::Suse, "zypper install"),
            (Distribution::MacOs, "no bubblewrap for macOS"),
            (Distribution::Other, "Install the package"),
        ] {
            let facts = Facts {
                found: Found::Missing,
                distribution,
                ..healthy()
            };
            assert!(text(&facts).contains(command), "{}", text(&facts));
        }
    }

    #[test]
    fn an_old_bubblewrap_is_updated_or_built() {
        let found = Found::TooOld("/usr/bin/bwrap".into());
        let facts = Facts { found, ..healthy() };
        assert!(text(&facts).contains("meson setup"), "{}", text(&facts));
    }

    #[test]
    fn a_setuid_bubblewrap_loses_that_right() {
        let found = Found::Setuid("/opt/bwrap".into());
        let facts = Facts { found, ..healthy() };
        assert!(text(&facts).contains("sudo chmod u-s /opt/bwrap"));
    }

    #[test]
    fn apparmor_is_given_a_profile_and_on_a_runner_a_step() {
        let restricted = Facts {
            said: "bwrap: setting up uid map: Permission denied".into(),
            apparmor_restricts: Some(1),
            ..healthy()
        };
        let told = text(&restricted);
        assert!(told.contains("/etc/apparmor.d/bwrap") && told.contains("profile bwrap /usr/bin/bwrap"));
        assert!(told.contains("apparmor_parser") && told.contains("apparmor_restrict_unprivileged_userns=0"));
        let runner = Facts {
            surroundings: Surroundings::GitHub,
            ..restricted
        };
        assert!(text(&runner).contains("- run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"));
    }

    #[test]
    fn each_switch_of_the_kernel_is_named() {
        let denied = Facts {
            said: "bwrap: No permissions to create new namespace".into(),
            ..healthy()
        };
        let clone = Facts {
            namespaces_for_all: Some(0),
            ..denied.clone()
        };
        assert!(text(&clone).contains("kernel.unprivileged_userns_clone=1"));
        let most = Facts {
            most_namespaces: Some(0),
            ..denied
        };
        assert!(text(&most).contains("user.max_user_namespaces=15000"));
    }

    #[test]
    fn a_container_is_told_what_it_masks_in_its_own_words() {
        let proc = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted";
        let seccomp = "bwrap: No permissions to create new namespace, likely because of seccomp";
        for (surroundings, said, words) in [
            (Surroundings::Docker, proc, ["masks /proc", "systempaths=unconfined"]),
            (Surroundings::Docker, seccomp, ["seccomp profile", "seccomp=unconfined"]),
            (Surroundings::Podman, proc, ["masks /proc", "unmask=ALL"]),
            (Surroundings::Kubernetes, proc, ["masks /proc", "procMount: Unmasked"]),
        ] {
            let facts = Facts {
                said: said.into(),
                surroundings,
                ..healthy()
            };
            assert!(words.iter().all(|word| text(&facts).contains(word)), "{}", text(&facts));
            let last = fixes(&facts).pop().expect("a last way out");
            assert_eq!(last.lines, ["export TRUEUP_SANDBOX=outer"]);
        }
    }

    #[test]
    fn what_is_not_known_is_shown_failing_by_itself() {
        let said = "bwrap: something new".into();
        let facts = Facts { said, ..healthy() };
        assert!(text(&facts).contains("bwrap --unshare-user"));
        let last = fixes(&facts).pop().expect("a last way out");
        assert_eq!(last.lines, ["export TRUEUP_SANDBOX=none"]);
    }
}
