//! A storm: twenty processes at once on one repository, some of them killed.
//!
//! Afterwards every run is carried to its end and looked at: it had one owner
//! at any time, nothing it showed is lost, and it ended as it would have
//! alone. What the storm would notice is shown on planted faults.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod seats;

#[cfg(test)]
mod tests {
    use crate::{
        audit::{Kept, Shown},
        seats::{Storm, Storms, TASKS},
    };
    use std::{fs, process::Command, time::Duration};
    use trueup_testkit::{household::scale, processes};

    /// From this scale on the storm lasts as long as it was promised to.
    const FULL: usize = 10;

    #[test]
    fn in_a_storm_every_run_has_one_owner_and_loses_nothing() {
        let lasts = Duration::from_secs(if scale() >= FULL { 60 } else { 15 });
        let storms = Storms::prepare();
        let alone = storms.alone();
        let Storm {
            spoken,
            started,
            killed,
        } = storms.rage(lasts);
        let dead = processes::gone_within(storms.household.folder(), Duration::from_secs(20));
        dead.expect("nothing lives on after the storm");
        let resumed = storms.resume_all();
        let kept = Kept::of(&storms.household);
        let faults = [
            storms.violations(),
            kept.has_one_owner_at_a_time(),
            kept.holds(&spoken),
            kept.ended_as(&storms.household, &alone),
            kept.unharmed(&storms.household),
        ]
        .concat();
        println!(
            "storm: seconds={} seats={} commands={started} killed={killed} runs={} events={} shown={} resumed={resumed} faults={}",
            lasts.as_secs(),
            crate::seats::SEATS,
            kept.runs().len(),
            kept.rows.len(),
            spoken.shown.len(),
            faults.len()
        );
        assert!(killed >= 5, "only {killed} were killed");
        assert!(kept.runs().len() > TASKS, "only {} runs", kept.runs().len());
        assert!(spoken.wrong.is_empty(), "{:#?}", spoken.wrong);
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn a_planted_double_owner_and_a_planted_loss_are_caught() {
        let storms = Storms::prepare();
        let ended = storms.household.trueup(&["run", "T-001", "--json"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let spoken = Shown::of("T-001", &ended.stdout);
        let kept = Kept::of(&storms.household);
        assert!(kept.has_one_owner_at_a_time().is_empty());
        assert!(kept.holds(&spoken).is_empty());
        // An event by an older epoch after one of a newer: two owners.
        let mut two = kept.clone();
        if let Some(row) = two.rows.get_mut(2) {
            row.epoch += 1;
        }
        assert!(!two.has_one_owner_at_a_time().is_empty());
        // An event that was shown and is not there, with and without a gap.
        let mut gap = kept.clone();
        gap.rows.remove(3);
        assert!(!gap.has_one_owner_at_a_time().is_empty());
        assert!(!gap.holds(&spoken).is_empty());
        let mut short = kept;
        short.rows.pop();
        assert!(!short.holds(&spoken).is_empty());
        // Two agents of one run at once.
        let agent = || {
            let mut agent = Command::new(storms.household.agent());
            agent.current_dir(storms.household.folder());
            agent.envs([
                ("TRUEUP_RUN", "T-001.1"),
                ("TRUEUP_TURN", "1"),
                ("TRUEUP_TASK", "T-001"),
            ]);
            agent.env("MARKS", storms.marks()).spawn().expect("an agent")
        };
        let (mut one, mut two) = (agent(), agent());
        assert!(one.wait().is_ok() && two.wait().is_ok());
        assert_eq!(storms.violations().len(), 1);
        fs::remove_file(storms.marks().join("violations")).expect("a violation");
    }
}
