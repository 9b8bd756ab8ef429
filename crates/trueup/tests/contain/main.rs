//! Everything an agent started ends with it, however it ends, and nothing
//! else does.

#[cfg(test)]
mod scene;

#[cfg(test)]
mod tests {
    use super::scene::{GRACE, Scene, living, reap};
    use std::{
        fs,
        process::{Command, Stdio},
        time::{Duration, Instant},
    };
    use trueup_testkit::household::scale;

    /// How often each end is come to, over all of them.
    const CYCLES: (usize, usize) = (40, 200);

    /// How agents end.
    const ENDS: usize = 4;

    /// Lets an agent come to its end again and again, behind each wall in turn.
    fn cycle(what: &str, then: &str, limits: &str, end: impl Fn(&Scene)) {
        let (began, cycles) = (Instant::now(), (CYCLES.0 * scale()).min(CYCLES.1) / ENDS);
        let mut slowest = Duration::ZERO;
        for number in 0..cycles {
            let mode = ["bubblewrap", "none"][number % 2];
            let mut scene = Scene::new(mode, then, limits);
            end(&scene);
            match scene.gone() {
                Ok(took) => slowest = slowest.max(took),
                Err(left) => panic!("{what} behind {mode}, cycle {number}: {left:#?}"),
            }
            scene.assert_the_stranger_lives();
        }
        println!(
            "contain: end={what} cycles={cycles} survivors=0 strangers_ended=0 slowest_ms={} seconds={}",
            slowest.as_millis(),
            began.elapsed().as_secs()
        );
    }

    #[test]
    fn nothing_survives_an_agents_own_end() {
        let ends = "sleep 0.3; echo 'echo \"Hello, ${1:-world}\"' > greet.sh; exit 0";
        cycle("own", ends, "", |scene| {
            let ended = scene.household.trueup(&["run", "T-001"]);
            assert_eq!(ended.code, 0, "{ended:#?}");
        });
    }

    #[test]
    fn nothing_survives_a_stop() {
        cycle("stop", "wait", "", |scene| {
            let mut running = scene.start();
            scene.wait_until_up();
            let asked = scene.household.trueup(&["stop", "T-001"]);
            assert_eq!(asked.code, 0, "{asked:#?}");
            assert_eq!(running.wait().expect("an end").code(), Some(143));
        });
    }

    #[test]
    fn nothing_survives_a_time_limit() {
        cycle("time", "wait", "[limits]\nturn = \"2s\"\n", |scene| {
            let mut running = scene.start();
            scene.wait_until_up();
            assert!(running.wait().expect("an end").code().is_some());
        });
    }

    #[test]
    fn nothing_survives_the_death_of_trueup() {
        cycle("kill", "wait", "", |scene| {
            let mut running = scene.start();
            scene.wait_until_up();
            running.kill().expect("a kill");
            running.wait().expect("an end");
        });
    }

    /// Takes 600 MB.
    const HOG: &str =
        "python3 -c 'import time; held = [bytearray(b\"x\" * (10 << 20)) for _ in range(60)]; time.sleep(30)'";
    /// Starts processes that start processes.
    const BOMB: &str = "bomb() { bomb | bomb & }; bomb; wait; sleep 30";

    /// A scene whose person allows little.
    fn meagre(mode: &str, then: &str) -> Scene {
        let scene = Scene::new(mode, then, "");
        let own = scene.household.home().join(".config/trueup");
        fs::create_dir_all(&own).expect("a folder");
        fs::write(
            own.join("config.toml"),
            "[limits]\nmemory = \"200MB\"\nprocesses = 150\n",
        )
        .expect("a file");
        scene
    }

    #[test]
    fn an_agent_that_takes_too_much_is_ended_with_all_it_started_and_told_why() {
        for (mode, then, why) in [
            ("bubblewrap", BOMB, "more than 150 processes"),
            ("bubblewrap", HOG, "more than 200 MB of memory"),
            ("none", HOG, "more than 200 MB of memory"),
        ] {
            let mut scene = meagre(mode, then);
            let ended = scene.household.trueup(&["run", "T-001"]);
            assert_ne!(ended.code, 0, "{ended:#?}");
            let log = scene.household.trueup(&["log", "T-001"]).stdout;
            assert!(log.contains(&format!("was ended: it took {why}")), "{log}");
            assert!(scene.gone().is_ok(), "{why}");
            scene.assert_the_stranger_lives();
        }
    }

    #[test]
    fn a_check_that_takes_too_much_is_red_and_says_why() {
        for (program, why) in [(BOMB, "more than 150 processes"), (HOG, "more than 200 MB of memory")] {
            let writes = format!("printf '%s\\n' {} > greet.sh; exit 0", quoted(program));
            let scene = meagre("bubblewrap", &writes);
            let ended = scene.household.trueup(&["run", "T-001"]);
            assert_ne!(ended.code, 0, "{ended:#?}");
            let said = format!("{}{}", ended.stdout, ended.stderr);
            assert!(said.contains(&format!("it was ended: it took {why}")), "{said}");
            assert!(scene.gone().is_ok(), "{why}");
        }
    }

    /// One word for a shell.
    fn quoted(text: &str) -> String {
        format!("'{}'", text.replace('\'', r"'\''"))
    }

    #[test]
    fn known_bad_an_agent_without_an_entry_leaves_what_it_started() {
        let scene = Scene::new("none", "sleep 0.3; exit 0", "");
        let mut agent = Command::new(scene.household.agent());
        let agent = agent.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(agent.status().expect("an agent").success());
        let left = living(&scene.number);
        reap(&left);
        assert!(left.len() >= 3, "{left:?}");
        assert!(scene.gone_within(GRACE).is_ok(), "they were ended by this test");
    }
}
