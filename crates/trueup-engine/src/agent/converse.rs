//! A dialogue held with a real program behind the wall: its lines, its facts,
//! its silences and its costs, until one side has had enough.

use super::{
    call::{Answer, Happening},
    dialogue::{Act, Dialogue},
    fact::{Fact, Finish},
    lines::{LONGEST, Line, Lines},
    sign_in::{SignIn, TendedSignIn},
    token_redactor::TokenRedactor,
    transcript::Transcript,
    trouble::Trouble,
    watch::{Notice, Verdict, Watch},
};
use crate::{
    clock::Clock,
    redact::Secrets,
    sandbox::{Bounds, Ended, HowEnded, Program, Purpose, Reply, Responder, Sandbox, Stream},
    stop::StopToken,
    trace,
};
use std::time::Duration;
use tokio::time::Instant;
use trueup_core::{
    budget::Limit,
    ending::{self, Ending},
    id::Timestamp,
    turn::Policy,
    usage::Usage,
};

/// How often the watch looks.
const PULSE: Duration = Duration::from_millis(250);

/// How long an agent that was asked to break off may take, as after a stop.
const KIND_GRACE: Duration = Duration::from_secs(2);

/// How much of standard error is handed to the dialogue at the end.
const STDERR_KEPT: u64 = 64 * 1024;

/// What one talk with an agent's program is held by.
#[derive(Debug)]
pub struct Talk {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// What it may see, write and reach.
    pub bounds: Bounds,
    /// What it may cost, and how long it is waited for.
    pub policy: Policy,
    /// The person's sign-in, where it was lent to the agent.
    pub sign_in: Option<SignIn>,
}

/// Holds a dialogue with a program in a sandbox, from its start to its end.
pub async fn converse(
    sandbox: &Sandbox,
    talk: Talk,
    dialogue: &mut dyn Dialogue,
    stop: &StopToken,
    live: &mut (dyn FnMut(Happening<'_>) + Send),
) -> Answer {
    let program = Program {
        purpose: Purpose::Agent,
        argv: talk.argv,
        stdin: Vec::new(),
        time_limit: Duration::from_millis(talk.policy.time_limit_ms),
        output_limit: STDERR_KEPT,
    };
    let secrets = talk.sign_in.as_ref().map(SignIn::secrets);
    let sandbox = sandbox.hiding(secrets.unwrap_or_default());
    let token_redactor = talk.sign_in.as_ref().map(SignIn::token_redactor);
    let token_redactor = token_redactor.unwrap_or_else(|| TokenRedactor::over(Vec::new(), Vec::new()));
    let tended = match talk.sign_in.map(SignIn::tend_meanwhile).transpose() {
        Ok(tended) => tended,
        Err(error) => return Answer::unusable(format!("its sign-in cannot be tended: {error}")),
    };
    let mut conversation = Conversation::new(talk.policy, token_redactor, dialogue, live);
    let ended = sandbox.converse(&talk.bounds, &program, stop, &mut conversation).await;
    let (mut answer, mut token_redactor) = conversation.conclude(ended);
    if let Some(tended) = tended {
        let refused = match answer.ending {
            Ok(Ending::NotSignedIn { .. }) => Refused::Yes,
            Ok(_) | Err(_) => Refused::No,
        };
        let (now, seen) = trace::spawn_blocking(move || take_back(tended, refused))
            .await
            .unwrap_or_default();
        if let (Some(now), Ok(Ending::NotSignedIn { sign_in, .. })) = (now, &mut answer.ending) {
            *sign_in = now;
        }
        token_redactor.learn(seen);
        hide(token_redactor.secrets(), &mut answer);
    }
    answer
}

/// Takes the sign-in back, and answers which tokens came up meanwhile. Who was
/// refused learns whether somebody renewed it: then nobody has to sign in again.
fn take_back(tended: TendedSignIn, refused: Refused) -> (Option<ending::SignIn>, Vec<(String, String)>) {
    let Ok(mut lent) = tended.end() else {
        return (None, Vec::new());
    };
    // What could not be written back is when the next turn begins.
    drop(lent.take_back());
    let now = match refused {
        Refused::Yes => Some(lent.since_the_turn_began()),
        Refused::No => None,
    };
    let mut seen = lent.seen();
    seen.extend(lent.secrets());
    (now, seen)
}

/// Takes out of an answer what became known as a secret after it was said.
fn hide(secrets: &Secrets, answer: &mut Answer) {
    answer.transcript = secrets.redact(&answer.transcript).into_owned();
    let ending = answer.ending.as_mut().ok().and_then(Ending::words_mut);
    let said = ending.into_iter().chain(answer.claim.words_mut());
    for words in said.chain(answer.version.as_mut()) {
        *words = secrets.redact_text(words);
    }
}

/// Whether the agent was refused for its sign-in.
#[derive(Clone, Copy)]
enum Refused {
    Yes,
    No,
}

/// A dialogue under way.
struct Conversation<'a> {
    policy: Policy,
    /// Nothing is heard that has not passed here.
    token_redactor: TokenRedactor,
    dialogue: &'a mut dyn Dialogue,
    live: &'a mut (dyn FnMut(Happening<'_>) + Send),
    watch: Watch,
    lines: Lines,
    transcript: Transcript,
    began: Instant,
    /// What it has cost so far.
    used: Option<Usage>,
    /// What the agent said of the world when it last tried again, until its
    /// model answers.
    retried: Option<(Trouble, String)>,
    /// Why the agent was asked to break off, and until when it may do so.
    parting: Option<(Ending, Instant)>,
}

impl<'a> Conversation<'a> {
    fn new(
        policy: Policy,
        token_redactor: TokenRedactor,
        dialogue: &'a mut dyn Dialogue,
        live: &'a mut (dyn FnMut(Happening<'_>) + Send),
    ) -> Self {
        Self {
            policy,
            token_redactor,
            dialogue,
            live,
            watch: Watch::new(policy.patience),
            lines: Lines::up_to(LONGEST),
            transcript: Transcript::new(policy.output_limit),
            began: Instant::now(),
            used: None,
            retried: None,
            parting: None,
        }
    }

    fn take(&mut self, line: Line) -> Vec<Reply> {
        let acts = match line {
            Line::Whole(line) => self.dialogue.hear(&line),
            Line::TooLong => vec![Act::Fact(Fact::Unknown)],
        };
        self.perform(acts)
    }

    fn perform(&mut self, acts: Vec<Act>) -> Vec<Reply> {
        let mut replies = Vec::new();
        for act in acts {
            match act {
                Act::Say(bytes) => replies.push(Reply::Say(bytes)),
                Act::HangUp => replies.push(Reply::HangUp),
                Act::End => replies.push(Reply::End),
                Act::Fact(fact) => replies.extend(self.note(&fact)),
            }
        }
        replies
    }

    /// Shows a fact, and judges by it what the turn may still cost.
    fn note(&mut self, fact: &Fact) -> Vec<Reply> {
        (self.live)(Happening::Did(fact));
        if let Some(activity) = self.watch.note(fact, self.began.elapsed()) {
            (self.live)(Happening::Activity { activity, for_ms: 0 });
        }
        match fact {
            Fact::Used(usage) => {
                self.used = Some(*usage);
                let limit = passed(&self.policy, usage);
                limit.map_or_else(Vec::new, |limit| self.part(Ending::Spent(limit)))
            }
            Fact::Retries { why, status, after_ms } => {
                self.retried = of_the_world(*status, why).map(|trouble| (trouble, why.clone()));
                // Whoever says that it waits for so long is not waited for: the
                // run waits better, and without a turn under way.
                match after_ms.filter(|after| *after >= self.policy.patience.model_ms) {
                    Some(after_ms) => self.give_up_on_the_model(Some(later(after_ms)), after_ms),
                    None => Vec::new(),
                }
            }
            Fact::Streamed => {
                self.retried = None;
                Vec::new()
            }
            Fact::Began(_)
            | Fact::Asked
            | Fact::Spoke(_)
            | Fact::ToolBegan { .. }
            | Fact::ToolEnded { .. }
            | Fact::Changed(_)
            | Fact::Denied { .. }
            | Fact::Unknown => Vec::new(),
        }
    }

    /// Parts from an agent whose model gives nothing. Where the agent told why
    /// it has to wait, that is the reason; silence alone is another one.
    fn give_up_on_the_model(&mut self, until: Option<Timestamp>, silent_ms: u64) -> Vec<Reply> {
        let known = self.retried.take();
        self.part(known.map_or(Ending::Hung { silent_ms }, |(trouble, why)| trouble.ending(&why, until)))
    }

    /// Asks the agent to break off, and remembers why. The first reason counts.
    fn part(&mut self, why: Ending) -> Vec<Reply> {
        if self.parting.is_some() {
            return Vec::new();
        }
        self.parting = Some((why, Instant::now() + KIND_GRACE));
        self.interrupt()
    }

    /// Takes in what was printed, without any secret in it.
    fn take_in(&mut self, stream: Stream, bytes: &[u8]) -> Vec<Reply> {
        if bytes.is_empty() {
            return Vec::new();
        }
        self.transcript.add(bytes);
        (self.live)(Happening::Printed(bytes));
        match stream {
            Stream::Stdout => {
                let lines = self.lines.take(bytes);
                lines.into_iter().flat_map(|line| self.take(line)).collect()
            }
            Stream::Stderr => Vec::new(),
        }
    }

    /// What all of it came to, and what still looks out for tokens.
    fn conclude(mut self, ended: Ended) -> (Answer, TokenRedactor) {
        for (stream, bytes) in self.token_redactor.rest() {
            drop(self.take_in(stream, &bytes));
        }
        if let Some(rest) = self.lines.rest() {
            // The program is gone: nothing can be answered any more.
            drop(self.take(rest));
        }
        let stderr = self.token_redactor.secrets().redact(&ended.stderr.kept);
        let finish = self.dialogue.finish(&ended.how, &stderr);
        let usage = match finish.usage {
            Usage {
                tokens: None,
                millicents: None,
                ..
            } => self.used.unwrap_or(finish.usage),
            said => said,
        };
        let parting = self.parting.map(|(why, _)| why);
        let Finish {
            ending,
            session,
            claim,
            version,
            ..
        } = finish;
        let ending = match ended.how {
            HowEnded::Stopped(by) => Err(by),
            HowEnded::TimedOut => Ok(Ending::TimedOut),
            HowEnded::Overran(excess) => Ok(Ending::Overran {
                why: excess.to_string(),
            }),
            HowEnded::NotStarted(why) | HowEnded::Unserved(why) => Ok(Ending::Unusable { why }),
            HowEnded::Exited(_) | HowEnded::Dismissed => Ok(concluded(ending, parting)),
        };
        let answer = Answer {
            ending,
            transcript: self.transcript.kept,
            transcript_total: self.transcript.total,
            usage,
            took: ended.took,
            session,
            session_files: None,
            claim,
            version,
        };
        (answer, self.token_redactor)
    }
}

impl Responder for Conversation<'_> {
    fn open(&mut self) -> Vec<Reply> {
        self.began = Instant::now();
        let acts = self.dialogue.open();
        self.perform(acts)
    }

    fn hear(&mut self, stream: Stream, bytes: &[u8]) -> Vec<Reply> {
        let bytes = self.token_redactor.pass(stream, bytes);
        self.watch.hear(self.began.elapsed());
        self.take_in(stream, &bytes)
    }

    fn pulse(&self) -> Option<Duration> {
        Some(PULSE)
    }

    fn beat(&mut self) -> Vec<Reply> {
        let at = self.began.elapsed();
        for notice in self.watch.notices(at) {
            (self.live)(happening(notice));
        }
        match (&self.parting, self.watch.verdict(at)) {
            (Some((_, until)), _) if *until <= Instant::now() => vec![Reply::End],
            (Some(_), _) | (None, None) => Vec::new(),
            (None, Some(Verdict::Hung(silent))) => self.give_up_on_the_model(None, millis(silent)),
            (None, Some(Verdict::Silent(silent))) => self.part(Ending::Silent {
                silent_ms: millis(silent),
            }),
        }
    }

    /// One that asks and does not listen cannot be asked to break off.
    fn unheard(&mut self) -> Vec<Reply> {
        let why = "it asks and does not listen".to_owned();
        self.parting
            .get_or_insert_with(|| (Ending::Broken { why }, Instant::now()));
        vec![Reply::End]
    }

    fn interrupt(&mut self) -> Vec<Reply> {
        let acts = self.dialogue.interrupt();
        match self.perform(acts) {
            // A dialogue that knows no kind way has no use for a moment.
            replies if replies.is_empty() => vec![Reply::End],
            replies => replies,
        }
    }
}

/// An agent that came to its end in good order did so, whatever it was about
/// to be ended for: what was over its limit is counted all the same.
fn concluded(said: Ending, parting: Option<Ending>) -> Ending {
    if matches!(said, Ending::Finished | Ending::Blocked { .. }) {
        return said;
    }
    parting.unwrap_or(said)
}

/// What an agent that tries again tells of the world, if it is that.
fn of_the_world(status: Option<u16>, why: &str) -> Option<Trouble> {
    let trouble = status.map(Trouble::of_status).or_else(|| Trouble::of_words(why))?;
    matches!(trouble, Trouble::Limit | Trouble::Unreachable).then_some(trouble)
}

/// The moment so much later than now.
fn later(after_ms: u64) -> Timestamp {
    let now = Clock::System.now().0;
    Timestamp(now.saturating_add(i64::try_from(after_ms).unwrap_or(i64::MAX)))
}

/// The limit that a cost has passed, if one has been.
fn passed(policy: &Policy, usage: &Usage) -> Option<Limit> {
    let over = |used: Option<u64>, left: Option<u64>| used.zip(left).is_some_and(|(used, left)| used > left);
    if over(usage.tokens, policy.tokens_left) {
        Some(Limit::Tokens)
    } else if over(usage.millicents, policy.millicents_left) {
        Some(Limit::Money)
    } else {
        None
    }
}

fn happening(notice: Notice) -> Happening<'static> {
    match notice {
        Notice::Heartbeat { activity, lasting } => Happening::Activity {
            activity,
            for_ms: millis(lasting),
        },
        Notice::Idle { lasting } => Happening::Idle {
            for_ms: millis(lasting),
        },
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
