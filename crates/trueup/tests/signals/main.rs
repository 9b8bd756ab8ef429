//! Asked to stop: whoever asks, however and whenever, the run stops in an
//! orderly way, says how to go on, and comes to the end it would have come to.

mod scene;

use scene::{Ended, Scene, chance};
use std::time::{Duration, Instant};
use trueup_testkit::{
    household::{Household, scale},
    known_bad::known_bad,
    processes,
    reference::{self, TASK},
};

/// The three signals, and the exit code each ends in.
const SIGNALS: [(rustix::process::Signal, i32); 3] = [
    (rustix::process::Signal::INT, 130),
    (rustix::process::Signal::TERM, 143),
    (rustix::process::Signal::HUP, 143),
];
/// How many moments are tried.
const MOMENTS: (usize, usize) = (6, 20);
/// How long anything may live after it was told to end at once.
const GRACE: Duration = Duration::from_secs(2);
/// Which moments are tried: the same ones every time.
const SEED: u64 = 9;

#[test]
fn a_signal_at_any_moment_stops_a_run_that_then_comes_to_the_same_end() {
    let (began, undisturbed) = (Instant::now(), Scene::new("0.4"));
    let whole = undisturbed.run(&["run", TASK]);
    assert_eq!(whole.code, 0, "{whole:?}");
    let reference = undisturbed.end(0);
    let moments = if scale() >= 10 { MOMENTS.1 } else { MOMENTS.0 };
    let (mut stopped, mut early, mut late, mut slowest, mut seed) = (0, 0, 0, Duration::ZERO, SEED);
    let mut length = whole.took;
    while stopped < moments {
        let (signal, code) = SIGNALS[stopped % SIGNALS.len()];
        let scene = Scene::new("0.4");
        let running = scene.start(&["run", TASK]);
        let moment = length.mul_f64(chance(&mut seed));
        std::thread::sleep(moment);
        running.signal(signal);
        let (asked, ended) = (Instant::now(), running.wait());
        if ended.code == 0 {
            // Everything was proved and delivered before the signal came: the
            // machine was busier when a whole run was measured.
            late += 1;
            length = length.min(ended.took);
            assert!(late <= moments, "the run is too short for its moments");
            continue;
        }
        slowest = slowest.max(asked.elapsed());
        let nothing = processes::gone_within(scene.household.folder(), GRACE);
        nothing.unwrap_or_else(|living| panic!("{signal:?} after {moment:?}: alive: {living:#?}"));
        let kept = scene.kept();
        if kept.is_empty() {
            // It was not opened yet, so there is nothing to resume.
            early += 1;
            assert!(ended.code == code || ended.code == 128 + signal.as_raw(), "{ended:?}");
        } else {
            assert_eq!(ended.code, code, "{signal:?} after {moment:?}: {kept:?} {ended:?}");
            assert_eq!(kept.last().map(String::as_str), Some("interrupted"), "{kept:?}");
            assert!(ended.says("trueup resume T-001"), "{ended:?}");
            stopped += 1;
        }
        scene.comes_to(&reference);
    }
    println!(
        "signals: moments={stopped} too_early={early} too_late={late} same_end={} slowest_stop_ms={} seconds={}",
        stopped + early,
        slowest.as_millis(),
        began.elapsed().as_secs()
    );
}

#[test]
fn a_second_interrupt_ends_at_once_and_leaves_nothing_alive() {
    let scene = Scene::new("0");
    // The branch cannot be delivered while its ref is locked, and git is asked
    // again and again: the run is busy where no stop is heard.
    scene.lock_the_branch();
    let running = scene.start(&["run", TASK, "--json"]);
    running.wait_for("\"type\":\"committed\"");
    running.signal(SIGNALS[0].0);
    std::thread::sleep(Duration::from_millis(50));
    running.signal(SIGNALS[0].0);
    let (asked, ended) = (Instant::now(), running.wait());
    let took = asked.elapsed();
    assert_eq!(ended.code, 130, "{ended:?}");
    assert!(took < GRACE, "{took:?}");
    let alive = processes::gone_within(scene.household.folder(), GRACE);
    alive.unwrap_or_else(|living| panic!("alive: {living:#?}"));
    scene.unlock_the_branch();
    scene.comes_to(&Scene::reference());
    println!("signals: second_interrupt_ms={} same_end=1", took.as_millis());
}

#[test]
fn an_agent_deaf_to_signals_is_ended_too() {
    let scene = Scene::new("0");
    scene
        .household
        .set_agent("trap '' INT TERM HUP\necho \"1 begins\" >> \"$LEDGER\"\nsleep 600 & sleep 600\n");
    let running = scene.start(&["run", TASK]);
    scene.wait_for_turn(1);
    running.signal(SIGNALS[0].0);
    let (asked, ended) = (Instant::now(), running.wait());
    assert_eq!(ended.code, 130, "{ended:?}");
    assert!(asked.elapsed() < GRACE + GRACE, "{:?}", asked.elapsed());
    let alive = processes::gone_within(scene.household.folder(), GRACE);
    alive.unwrap_or_else(|living| panic!("alive: {living:#?}"));
}

#[test]
fn ctrl_c_typed_at_a_terminal_is_the_same() {
    let mut codes = Vec::new();
    for presses in [1, 2] {
        let scene = Scene::new("0.6");
        let mut typed = scene.start_at_a_terminal(&["run", TASK]);
        scene.wait_for_turn(2);
        for _ in 0..presses {
            typed.press_ctrl_c();
        }
        let ended = typed.wait();
        assert_eq!(ended.code, 130, "{ended:?}");
        let alive = processes::gone_within(scene.household.folder(), GRACE);
        alive.unwrap_or_else(|living| panic!("alive: {living:#?}"));
        if presses == 1 {
            assert!(ended.says("trueup resume T-001"), "{ended:?}");
            assert_eq!(scene.kept().last().map(String::as_str), Some("interrupted"));
        }
        scene.comes_to(&Scene::reference());
        codes.push(ended.code);
    }
    println!("signals: typed_at_a_terminal={codes:?} same_end={}", codes.len());
}

#[test]
fn stop_from_another_process_is_the_same_and_needs_somebody_to_stop() {
    let scene = Scene::new("0.6");
    let running = scene.start(&["run", TASK]);
    scene.wait_for_turn(2);
    let asking = scene.run(&["stop", TASK]);
    assert_eq!(asking.code, 0, "{asking:?}");
    assert!(asking.says("trueup resume T-001"), "{asking:?}");
    let (asked, ended) = (Instant::now(), running.wait());
    let took = asked.elapsed();
    assert_eq!(ended.code, 143, "{ended:?}");
    assert!(ended.says("trueup resume T-001"), "{ended:?}");
    assert_eq!(scene.kept().last().map(String::as_str), Some("interrupted"));
    assert_eq!(scene.run(&["stop", TASK]).code, 10, "nobody drives it");
    scene.comes_to(&Scene::reference());
    assert_eq!(scene.run(&["stop", TASK]).code, 10, "it is over");
    println!("signals: stop_ms={} nothing_to_stop=10 same_end=1", took.as_millis());
}

#[test]
fn a_stop_between_two_effects_is_heard_by_the_next() {
    let reference = Scene::reference();
    for after in ["\"type\":\"checked\"", "\"type\":\"turn_ended\""] {
        let scene = Scene::new("0.3");
        let running = scene.start(&["run", TASK, "--json"]);
        running.wait_for(after);
        running.signal(SIGNALS[1].0);
        let ended = running.wait();
        assert_eq!(ended.code, 143, "{after}: {ended:?}");
        assert_eq!(scene.kept().last().map(String::as_str), Some("interrupted"));
        scene.comes_to(&reference);
    }
    println!("signals: between_effects=2 same_end=2");
}

#[test]
fn of_two_resumes_at_once_one_drives_and_one_is_refused() {
    let scene = Scene::new("0.4");
    let running = scene.start(&["run", TASK]);
    scene.wait_for_turn(1);
    running.signal(SIGNALS[1].0);
    assert_eq!(running.wait().code, 143);
    let both = [scene.start(&["resume", TASK]), scene.start(&["resume", TASK])];
    let mut codes: Vec<i32> = both.into_iter().map(|one| one.wait().code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [0, 8]);
    assert_eq!(scene.end(0), Scene::reference());
    let resumed = scene.kept().iter().filter(|kind| *kind == "resumed").count();
    assert_eq!(resumed, 1);
    assert_eq!(reference::begun(&scene.household), [1, 1, 2, 3]);
    println!("signals: resumes_at_once={codes:?} same_end=1");
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let scene = Scene::new("0.3");
    let running = scene.start_ignoring("HUP", &["run", TASK]);
    scene.wait_for_turn(1);
    running.signal(SIGNALS[2].0);
    let ended: Ended = running.wait();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(scene.end(0), Scene::reference());
}

/// Whatever goes on beside a thread that is gone would go on with less than it
/// knows of.
#[test]
fn a_panic_of_any_thread_ends_the_process() {
    const ABORTED: i32 = 128 + 6;
    let household = Household::greeting(known_bad());
    assert_eq!(household.trueup(&["status"]).code, 0);
    let ended = household
        .with_variable("TRUEUP_FAULT", "panics-aside")
        .trueup(&["status"]);
    assert_eq!(ended.code, ABORTED, "{ended:#?}");
    assert!(ended.stderr.contains("panicked"), "{}", ended.stderr);
}
