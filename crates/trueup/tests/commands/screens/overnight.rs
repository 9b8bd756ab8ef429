//! What is queued in the evening, and what waits in the morning.

use super::gallery::{Gallery, Look};
use trueup_testkit::household::Household;

const ASKS: &str = "echo '<phase_blocked>By which argument shall it greet?</phase_blocked>'\n";

pub(super) fn screens(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(ASKS);
    let mut gallery = Gallery::new(&household, look);
    gallery.ends("inbox-empty", "inbox");
    gallery.ends("queue", "queue T-001 NOPE");
    gallery.ends("status-queued", "status");
    gallery.ends("up", "up --until-idle");
    gallery.ends("queue-refused", "queue T-001");
    gallery.ends("inbox", "inbox");
    gallery.wrong
}
