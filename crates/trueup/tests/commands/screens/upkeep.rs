//! What is looked at now and then: figures, disk, configuration, rules, and the
//! demo.

use super::gallery::{Gallery, Look};
use std::{fs, process::Command};
use trueup_testkit::household::{Household, output};

/// A household with one finished run, which all looks share.
pub(super) fn household() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.trueup(&["run", "T-001"]);
    household
}

/// Figures of one finished run, what can be removed of it, and what needs no run.
pub(super) fn screens(household: &Household, look: &Look) -> Vec<String> {
    let mut gallery = Gallery::new(household, look);
    // Each look removes what can be removed, so each has a copy.
    let state = household.folder().join(format!("state-{}", look.name));
    let copied = output(Command::new("cp").arg("-a").arg(household.state()).arg(&state));
    assert_eq!(copied.code, 0, "{copied:#?}");
    gallery.variables = vec![format!("TRUEUP_STATE={}", state.display())];
    gallery.ends("stats", "stats");
    gallery.ends("gc-dry-run", "gc --dry-run --keep-days 0");
    gallery.ends("gc", "gc --keep-days 0");
    gallery.ends("gc-nothing", "gc --keep-days 0");
    gallery.variables = vec![format!("TRUEUP_STATE={}-new", state.display())];
    gallery.ends("stats-empty", "stats");
    gallery.variables.clear();
    gallery.ends("config", "config show");
    gallery.ends("config-origin", "config show --origin");
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    gallery.ends("config-set", "config set limits.turn 20m");
    gallery.ends("config-set-local", "config set project.base main --local");
    gallery.variables = vec![format!("XDG_CONFIG_HOME={}", state.join("config").display())];
    gallery.ends("config-set-user", "config set limits.turn 20m --user");
    gallery.variables.clear();
    household.file("trueup.toml", &config);
    fs::remove_file(household.checkout().join("trueup.local.toml")).expect("the local layer");
    gallery.ends("rules", "rules");
    gallery.ends("demo", "demo");
    gallery.wrong
}
