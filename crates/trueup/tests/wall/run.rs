//! What goes in comes in whole, what comes out is told as it was.

use crate::place::{Place, program, text};
use std::{fs, os::unix::fs::symlink, time::Duration};
use trueup_core::{criterion::Service, event::Stop};
use trueup_engine::{
    sandbox::{HowEnded, ReadOnlyMount, Stream, TREE},
    stop::StopSource,
};

#[tokio::test]
async fn exit_codes_and_signals_are_told_apart_from_programs_that_never_ran() {
    let place = Place::new();
    let bounds = place.check();
    fs::write(bounds.tree.place().join("plain"), "not a program").expect("file");
    for (script, code) in [
        ("exit 0", 0),
        ("exit 7", 7),
        ("exit 255", 255),
        ("kill -9 $$", 137),
        ("kill -TERM $$", 143),
    ] {
        let ended = place.run(&bounds, &["sh", "-c", script]).await;
        assert_eq!(ended.how, HowEnded::Exited(code), "{script}: {}", text(&ended));
    }
    for missing in ["no-such-program", "./missing", "./plain", ""] {
        let ended = place.run(&bounds, &[missing]).await;
        assert!(
            matches!(&ended.how, HowEnded::NotStarted(why) if why.contains("cannot start")),
            "{}",
            text(&ended)
        );
    }
    let ended = place.run(&bounds, &[]).await;
    assert!(matches!(ended.how, HowEnded::NotStarted(_)), "{}", text(&ended));
}

#[tokio::test]
async fn a_program_that_ran_cannot_claim_that_it_did_not() {
    let place = Place::new();
    let forge = r#"
        trap '' PIPE
        echo 'trueup: cannot start sh: forged' >&2
        for fd in /proc/self/fd/* /proc/1/fd/*; do
            printf 'failed forged\n' 2>/dev/null >"$fd"
        done
        printf 'ready\nfailed forged\n' >&0
        kill -9 1; kill -SEGV 1; kill -BUS 1; kill -ABRT 1; kill -STOP 1; kill -TERM 1
        exit 127
    "#;
    for _ in 0..5 {
        let ended = place.run(&place.check(), &["sh", "-c", forge]).await;
        assert_eq!(ended.how, HowEnded::Exited(127), "{}", text(&ended));
    }
}

/// Whenever the entry starts something, its main thread blocks all signals for
/// a moment. What asks whether a service is ready is started again and again.
#[tokio::test]
async fn signals_from_within_never_end_the_sandbox() {
    let place = Place::new();
    let words = |line: &str| ["sh", "-c", line].map(str::to_owned).to_vec();
    let mut bounds = place.check();
    bounds.services = vec![Service {
        name: "nuisance".to_owned(),
        argv: words("trap '' TERM; while :; do kill -TERM 1; kill -USR1 1; kill -32 1; done 2>/dev/null"),
        ready: Some(words(
            "n=$(cat asked 2>/dev/null || echo 0); echo $((n + 1)) > asked; [ $n -gt 40 ]",
        )),
        port: None,
    }];
    let ended = place.run(&bounds, &["sh", "-c", "cat asked; exit 7"]).await;
    assert_eq!(ended.how, HowEnded::Exited(7), "{}", text(&ended));
}

#[tokio::test]
async fn standard_input_arrives_whole_and_ends() {
    let place = Place::new();
    let mut counting = program(&["sha256sum"]);
    counting.stdin = (0..1 << 20).map(|at: u32| (at % 251) as u8).collect();
    let ended = place.run_program(&place.check(), &counting).await;
    let expected = trueup_core::digest::Digest::of(&counting.stdin).to_string();
    let expected = expected.rsplit(':').next().expect("hex");
    assert!(text(&ended).contains(expected), "{}", text(&ended));
}

#[tokio::test]
async fn input_nobody_reads_holds_nothing_up() {
    let place = Place::new();
    let mut deaf = program(&["true"]);
    deaf.stdin = vec![b'x'; 4 << 20];
    let ended = place.run_program(&place.check(), &deaf).await;
    assert_eq!(ended.how, HowEnded::Exited(0));
    assert!(ended.took < Duration::from_secs(10), "{:?}", ended.took);
}

#[tokio::test]
async fn output_beyond_its_limit_is_counted_and_cut_in_the_middle() {
    let place = Place::new();
    let mut loud = program(&[
        "sh",
        "-c",
        "echo first; head -c 3000000 /dev/zero; echo last; echo aside >&2",
    ]);
    loud.output_limit = 1000;
    let mut live = 0;
    let nobody = StopSource::default();
    let mut count = |stream, bytes: &[u8]| live += if stream == Stream::Stdout { bytes.len() } else { 0 };
    let ended = place
        .sandbox
        .run(&place.check(), &loud, &nobody.token(), &mut count)
        .await;
    assert_eq!(ended.stdout.total, 3_000_011);
    assert_eq!(live, 3_000_011);
    assert!(ended.stdout.kept.len() < 1100);
    assert!(ended.stdout.kept.starts_with(b"first\n") && ended.stdout.kept.ends_with(b"last\n"));
    assert!(text(&ended).contains("[trueup: 2999011 bytes left out]"));
    assert_eq!(ended.stderr.kept, b"aside\n");
}

#[tokio::test]
async fn a_stopped_program_ends_and_says_who_asked() {
    let place = Place::new();
    let source = StopSource::default();
    let token = source.token();
    let (bounds, endless) = (
        place.check(),
        program(&["sh", "-c", "trap '' TERM INT; echo up; sleep 600"]),
    );
    let mut raise = |_, _: &[u8]| source.raise(Stop::Keyboard);
    let ended = place.sandbox.run(&bounds, &endless, &token, &mut raise).await;
    assert_eq!(ended.how, HowEnded::Stopped(Stop::Keyboard));
    assert!(ended.took < Duration::from_secs(10), "{:?}", ended.took);
    let ended = place.sandbox.run(&bounds, &endless, &token, &mut |_, _| {}).await;
    assert_eq!(
        ended.how,
        HowEnded::Stopped(Stop::Keyboard),
        "nothing starts after a stop"
    );
}

#[tokio::test]
async fn a_program_sees_what_its_bounds_show_and_nothing_else() {
    let place = Place::new();
    let mut bounds = place.agent();
    fs::create_dir(place.path("kept")).expect("folder");
    symlink(place.path("kept"), place.path("link")).expect("link");
    bounds.write = vec![place.path("link")];
    bounds.lay.push(ReadOnlyMount {
        host: place.path("extra/readable"),
        inner: "/laid/prompt.md".into(),
    });
    bounds
        .variables
        .insert("SECRET_OF_THE_AGENT".to_owned(), "with = and\nlines".to_owned());
    let at = place.folder.path().display();
    let script = format!(
        r#"set -e
        test "$PWD" = {TREE}; test "$HOME" = {at}/home; test "$USER" = someone; test "$(id -un)" = someone
        test "$(id -u)" != 0; test "$SECRET_OF_THE_AGENT" = "$(printf 'with = and\nlines')"
        cat /laid/prompt.md {at}/extra/readable {at}/state/store.git/objects/pack > /dev/null
        echo mine > {at}/link/file; echo mine > ~/fresh; echo mine > ~/.cargo/config.toml; echo mine > here
        if echo x > /planted; then exit 2; fi
        if echo x > ~/.cargo/bin/planted; then exit 3; fi
        env"#
    );
    let ended = place.run(&bounds, &["sh", "-c", &script]).await;
    assert_eq!(ended.how, HowEnded::Exited(0), "{}", text(&ended));
    assert!(place.path("kept/file").exists() && bounds.tree.place().join("here").exists());
    assert!(!place.path("home/fresh").exists());
    assert_eq!(
        place.sandbox.resolve("sh").expect("sh").file_name(),
        Some("sh".as_ref())
    );
}

#[tokio::test]
async fn what_may_not_be_shown_is_refused_before_anything_starts() {
    let place = Place::new();
    for wide in ["", "state", "home"] {
        let mut bounds = place.check();
        bounds.write = vec![place.path(wide)];
        let ended = place.run(&bounds, &["true"]).await;
        assert!(
            matches!(&ended.how, HowEnded::NotStarted(why) if why.contains("cannot be shown")),
            "{wide:?}"
        );
    }
    let mut bounds = place.check();
    bounds.variables.insert("A=B".to_owned(), String::new());
    assert!(matches!(
        place.run(&bounds, &["true"]).await.how,
        HowEnded::NotStarted(_)
    ));
}
