//! From a task to its proof.

use super::gallery::{ENDED, Gallery, Look};
use trueup_testkit::household::Household;

/// Asks about two files before it has done the work, and speaks.
const ASKS: &str = r#"
echo "Reading the tests."
if [ "$TRUEUP_TURN" -eq 1 ]; then sleep 3; fi
echo 'echo "Hello, ${1:-world}"' > greet.sh
if [ "$TRUEUP_TURN" -gt 1 ]; then
    printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
    printf '[pytest]\naddopts = -q\n' > pytest.ini
    printf 'export default {}\n' > vitest.config.ts
fi
"#;

/// Changes nothing, whatever it is told.
const IDLES: &str = "echo 'All done! Every criterion is met.'\n";

/// A run that asks, is approved, and is begun anew with an agent that idles.
pub(super) fn screens(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(ASKS);
    let mut gallery = Gallery::new(&household, look);
    gallery.hang("help", "--help", &["Exit codes", ENDED]);
    gallery.ends("never-run", "show");
    gallery.ends("check", "check T-001");
    let run = gallery.open("run T-001");
    if look.name != "plain" {
        gallery.frame("turn", &run, &["turn 1/20", "Reading the tests.", "last heard"]);
    }
    gallery.frame("question", &run, &[ENDED]);
    drop(run);
    gallery.ends("status-waiting", "status");
    gallery.ends("show-waiting", "show T-001");
    match look.name {
        "plain" => gallery.ends("approve", "approve T-001"),
        _ => gallery.hang("approve", "approve T-001", &["1 of 2", "May it stay?"]),
    }
    gallery.ends("approved", "approve T-001 all");
    gallery.ends("status-verified", "status");
    gallery.ends("show-verified", "show T-001");
    gallery.ends("time", "show T-001 --time");
    gallery.ends("log", "log T-001");
    gallery.ends("diff", "diff T-001");
    household.set_agent(IDLES);
    gallery.ends("stuck", "run T-001 --anew");
    gallery.ends("rule", "rules explain py/ends-process");
    gallery.wrong
}
