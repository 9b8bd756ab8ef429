//! A program that is talked with: it hears what is said when it is said, and
//! nobody waits for one that does not listen.

use crate::place::{Place, program, setup, text};
use std::time::{Duration, Instant};
use trueup_core::event::Stop;
use trueup_engine::{
    redact::Secrets,
    sandbox::{Ended, HowEnded, Program, Reply, Responder, Sandbox, Stream},
    stop::StopSource,
};

/// A responder made of what it answers.
#[derive(Default)]
struct Script {
    opening: Vec<Reply>,
    /// What is answered to a line that holds this word.
    answers: Vec<(&'static str, Vec<Reply>)>,
    parting: Vec<Reply>,
    heard: String,
    beats: u32,
}

impl Responder for Script {
    fn open(&mut self) -> Vec<Reply> {
        self.opening.clone()
    }

    fn hear(&mut self, _: Stream, bytes: &[u8]) -> Vec<Reply> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.heard += &text;
        let fits = self.answers.iter().filter(|(word, _)| text.contains(word));
        fits.flat_map(|(_, replies)| replies.clone()).collect()
    }

    fn pulse(&self) -> Option<Duration> {
        Some(Duration::from_millis(50))
    }

    fn beat(&mut self) -> Vec<Reply> {
        self.beats += 1;
        Vec::new()
    }

    fn interrupt(&mut self) -> Vec<Reply> {
        self.parting.clone()
    }
}

fn say(text: &str) -> Reply {
    Reply::Say(text.as_bytes().to_vec())
}

async fn talk(place: &Place, program: &Program, responder: &mut Script) -> Ended {
    let nobody = StopSource::default();
    let (bounds, token) = (place.check(), nobody.token());
    place.sandbox.converse(&bounds, program, &token, responder).await
}

#[tokio::test]
async fn each_word_is_heard_when_it_is_said_and_the_last_one_ends_the_input() {
    let place = Place::new();
    let mut responder = Script {
        opening: vec![say("one\n")],
        answers: vec![
            ("heard one", vec![say("two\n")]),
            ("heard two", vec![say("three\n"), Reply::HangUp, say("never\n")]),
        ],
        ..Script::default()
    };
    let mut echo = program(&["sh", "-c", "while read w; do echo heard $w; done; echo over"]);
    echo.stdin = b"zero\n".to_vec();
    let ended = talk(&place, &echo, &mut responder).await;
    assert_eq!(ended.how, HowEnded::Exited(0), "{}", text(&ended));
    assert_eq!(responder.heard, "heard zero\nheard one\nheard two\nheard three\nover\n");
}

#[tokio::test]
async fn nobody_waits_for_a_program_that_does_not_read() {
    let place = Place::new();
    let mut responder = Script {
        opening: vec![Reply::Say(vec![b'x'; 8 << 20]); 4],
        answers: vec![("more", vec![Reply::Say(vec![b'x'; 8 << 20])])],
        ..Script::default()
    };
    let deaf = program(&["sh", "-c", "for i in 1 2 3 4 5; do echo more; sleep 0.2; done"]);
    let ended = talk(&place, &deaf, &mut responder).await;
    assert_eq!(ended.how, HowEnded::Exited(0));
    assert!(ended.took < Duration::from_secs(10), "{:?}", ended.took);
    assert!(responder.beats >= 8, "time went on: {}", responder.beats);
}

#[tokio::test]
async fn a_partner_that_has_heard_enough_ends_everything() {
    let place = Place::new();
    let mut responder = Script {
        answers: vec![("up", vec![Reply::End])],
        ..Script::default()
    };
    let endless = program(&["sh", "-c", "trap '' TERM INT; setsid sleep 600 & echo up; sleep 600"]);
    let ended = talk(&place, &endless, &mut responder).await;
    assert_eq!(ended.how, HowEnded::Dismissed);
    assert!(ended.took < Duration::from_secs(10), "{:?}", ended.took);
}

#[tokio::test]
async fn a_stop_is_said_kindly_first_and_meant_after_a_moment() {
    let place = Place::new();
    for (script, last, least) in [
        ("echo up; read w; echo bye $w; exit 3", "bye stop\n", Duration::ZERO),
        ("echo up; sleep 600", "up\n", Duration::from_millis(1900)),
    ] {
        let source = StopSource::default();
        let mut responder = Script {
            parting: vec![say("stop\n")],
            ..Script::default()
        };
        let (bounds, token, program) = (place.check(), source.token(), program(&["sh", "-c", script]));
        let asked = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            source.raise(Stop::Keyboard);
            Instant::now()
        };
        let (ended, asked) = tokio::join!(place.sandbox.converse(&bounds, &program, &token, &mut responder), asked);
        assert_eq!(ended.how, HowEnded::Stopped(Stop::Keyboard), "{script}");
        assert!(responder.heard.ends_with(last), "{:?}", responder.heard);
        let took = asked.elapsed();
        assert!(took >= least && took < Duration::from_secs(6), "{script}: {took:?}");
    }
}

#[tokio::test]
async fn a_time_limit_is_said_kindly_first_and_is_still_a_time_limit() {
    let place = Place::new();
    let mut responder = Script {
        parting: vec![say("stop\n")],
        ..Script::default()
    };
    let mut slow = program(&["sh", "-c", "read w; echo bye $w"]);
    slow.time_limit = Duration::from_millis(500);
    let ended = talk(&place, &slow, &mut responder).await;
    assert_eq!(
        (ended.how, responder.heard.as_str()),
        (HowEnded::TimedOut, "bye stop\n")
    );
}

#[tokio::test]
async fn no_secret_is_heard_even_in_pieces() {
    let place = Place::new();
    let mut setup = setup(place.folder.path());
    setup.secrets = Secrets::of([("KEY".to_owned(), "sk-123456789".to_owned())]);
    let sandbox = Sandbox::new(setup).expect("a wall");
    let mut responder = Script::default();
    let leaky = program(&["sh", "-c", "printf 'it is sk-123'; sleep 0.3; echo '456789.'"]);
    let nobody = StopSource::default();
    let (bounds, token) = (place.check(), nobody.token());
    sandbox.converse(&bounds, &leaky, &token, &mut responder).await;
    assert_eq!(responder.heard, "it is [KEY redacted].\n");
}
