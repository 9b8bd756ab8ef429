//! A usage limit in the night: the run is killed while it waits, taken up
//! again, and goes on by itself when the limit ends.

use super::scene::{DESCRIBE, EVERYBODY, GREET, Scene, Who};
use std::{
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use trueup_testkit::{
    alone::alone,
    household::scale,
    model_server::{Reply, Request},
    processes,
};

/// How far away the reset is when the limit is reached.
fn reset() -> Duration {
    Duration::from_secs(if scale() >= 10 { 90 } else { 12 })
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
    i64::try_from(since.as_millis()).expect("a moment")
}

/// When the limit ends, as soon as the journal holds it.
fn known_reset(scene: &Scene) -> i64 {
    let began = Instant::now();
    loop {
        if let Some(ending) = scene.endings().first() {
            let until = ending["limited"]["until"].as_i64();
            return until.unwrap_or_else(|| panic!("when it ends is not known: {ending}"));
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no turn ended");
        thread::sleep(Duration::from_millis(100));
    }
}

/// A run in the background, as in a terminal somebody left.
fn begin(scene: &Scene) -> Child {
    let mut run = scene.household.command(&["run", "T-001"]);
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    run.spawn().expect("a run")
}

/// Requests of any kind after the first one for work, up to this moment of
/// the server's.
fn between(requests: &[Request], until: Duration) -> usize {
    let first = requests.iter().position(Request::offers_tools).expect("a request");
    let later = requests.iter().skip(first + 1);
    later.filter(|request| request.at < until).count()
}

/// The limit, then all of the work in one turn.
fn night(who: Who, limit: Reply) -> [Reply; 3] {
    let both = format!("{GREET}; {DESCRIBE}");
    [limit, who.shell(&both), Reply::text("Both are done.")]
}

/// The limit of a subscription, which says when it ends.
fn by_subscription(who: Who) {
    let began = now();
    let scene = Scene::with_subscription(who, night(who, who.limited(reset())));
    goes_on_by_itself(&who.name(), reset().as_secs(), &scene, began);
}

/// The limit of a key. Claude Code would wait itself for as long as it is
/// told; what is too long for a turn is the run's to wait for. A long one (90
/// seconds) it gives up at once without a word of when it ends, so that the
/// run can only ask again, later each time.
fn by_key() {
    let (began, who) = (now(), Who::Claude("2.1.325"));
    let limit = Reply::status(429).header("retry-after", "12");
    let scene = Scene::new(who, night(who, limit));
    scene.configure("[limits]\nmodel = \"10s\"");
    goes_on_by_itself(&format!("{}-by-key", who.name()), 12, &scene, began);
}

fn goes_on_by_itself(who: &str, reset_s: u64, scene: &Scene, began: i64) {
    let mut run = begin(scene);
    let until = known_reset(scene);
    // SIGKILL: it can say nothing, and write nothing.
    run.kill().expect("a run that waits");
    run.wait().expect("a run that was killed");
    assert!(now() < until, "{who}: it was killed before the reset");
    let ended = scene.household.trueup(&["resume", "T-001"]);
    assert_eq!(ended.code, 0, "{who}: {ended:#?}\n{:#?}", scene.endings());
    let requests = scene.model.requests();
    // The server began after `began`, so this errs towards counting more.
    let reset_at = Duration::from_millis(u64::try_from(until - began).expect("later"));
    let early = between(&requests, reset_at);
    let shown = scene.household.show("T-001");
    println!(
        "nights: agent={who} reset_s={reset_s} requests_between={early} turns={}",
        shown["turns"]
    );
    assert_eq!(early, 0, "{who}: it asked before the limit ended");
    // What counts requests sees them.
    assert!(between(&requests, Duration::MAX) >= 2);
    assert_eq!(shown["turns"], 1, "{who}: a limit is no turn: {shown}");
    assert_eq!(scene.endings().len(), 2, "{:#?}", scene.endings());
}

/// The limit of a queued run, which no process waits for.
fn by_up() {
    let (began, who) = (now(), Who::Codex);
    let scene = Scene::with_subscription(who, night(who, who.limited(reset())));
    let queued = scene.household.trueup(&["queue", "T-001"]);
    assert_eq!(queued.code, 0, "{queued:#?}");
    let mut up = scene.household.command(&["up", "--until-idle"]);
    let up = up.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let up = up.spawn().expect("an up");
    let until = known_reset(&scene);
    let of_others = || {
        let all = processes::of(scene.household.folder()).into_iter();
        all.filter(|process| process.id != up.id()).collect::<Vec<_>>()
    };
    let mut left = of_others();
    while !left.is_empty() && now() < until {
        thread::sleep(Duration::from_millis(50));
        left = of_others();
    }
    assert!(left.is_empty(), "who waits has processes: {left:#?}");
    let ended = up.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert!(
        said.contains("    goes on by itself at 20") && said.contains(" verified "),
        "{said}"
    );
    let reset_at = Duration::from_millis(u64::try_from(until - began).expect("later"));
    let early = between(&scene.model.requests(), reset_at);
    assert_eq!(early, 0, "it asked before the limit ended");
    assert_eq!(scene.household.show("T-001")["turns"], 1);
}

#[test]
fn a_killed_run_that_waits_for_a_limit_goes_on_by_itself_when_it_ends() {
    let name = "overnight::a_killed_run_that_waits_for_a_limit_goes_on_by_itself_when_it_ends";
    alone(name, || {
        thread::scope(|nights| {
            for who in EVERYBODY {
                nights.spawn(move || by_subscription(who));
            }
            nights.spawn(by_key);
            nights.spawn(by_up);
        });
    });
}
