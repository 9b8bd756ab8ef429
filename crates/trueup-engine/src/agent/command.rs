//! Any executable as an agent: the prompt on standard input and in a file,
//! the clone as working folder, everything it prints into the transcript.

use super::{
    call::{Answer, Call, Happening},
    claim,
    model_network::ModelNetwork,
    spec::absent,
    transcript::Transcript,
};
use crate::{
    sandbox::{Bounds, HowEnded, Program, Purpose, ReadOnlyMount, Sandbox},
    stop::StopToken,
    transcript::plain,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};
use trueup_core::{ending::Ending, memory::Claim, usage::Usage};

/// In how many of its last bytes a claim is looked for.
const LAST_WORDS: usize = 16 * 1024;

/// Where the prompt lies inside the sandbox.
const PROMPT_FILE: &str = "/run/trueup/prompt.md";

/// Any executable as an agent.
#[derive(Clone, Debug)]
pub struct Command {
    /// The executable, wherever it lies on this machine.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables it is given besides the allow-listed ones.
    pub variables: BTreeMap<String, String>,
    /// Folders it may also read.
    pub read: Vec<PathBuf>,
    /// Folders it may also write.
    pub write: Vec<PathBuf>,
    /// What it reaches its model through, where it has a network of its own.
    pub network: Option<ModelNetwork>,
}

impl Command {
    pub(super) async fn call(
        &self,
        sandbox: &Sandbox,
        call: &Call,
        stop: &StopToken,
        live: &mut (dyn FnMut(Happening<'_>) + Send),
    ) -> Answer {
        let program = match self.program.canonicalize() {
            Ok(program) => program,
            Err(error) => return Answer::unusable(absent(&self.program, &error)),
        };
        let mut argv = vec![program.display().to_string()];
        argv.extend(self.arguments.iter().cloned());
        let mut bounds = Bounds {
            read: self.read.clone(),
            write: self.write.clone(),
            ..bounds(sandbox, call, &program)
        };
        // What is ours wins.
        let ours = std::mem::replace(&mut bounds.variables, self.variables.clone());
        bounds.variables.extend(ours);
        if let Some(network) = &self.network
            && let Err(error) = network.furnish(sandbox, call, &mut bounds)
        {
            return Answer::unusable(format!("its network: {error}"));
        }
        let program = Program {
            purpose: Purpose::Agent,
            argv,
            stdin: call.prompt.clone().into_bytes(),
            time_limit: Duration::from_millis(call.policy.time_limit_ms),
            output_limit: call.policy.output_limit,
        };
        let mut transcript = Transcript::new(call.policy.output_limit);
        let ended = sandbox
            .run(&bounds, &program, stop, &mut |_, bytes| {
                transcript.add(bytes);
                live(Happening::Printed(bytes));
            })
            .await;
        let ending = match ended.how {
            HowEnded::Exited(code) => Ok(Ending::Exited { code }),
            HowEnded::TimedOut => Ok(Ending::TimedOut),
            HowEnded::Overran(excess) => Ok(Ending::Overran {
                why: excess.to_string(),
            }),
            HowEnded::Stopped(by) => Err(by),
            // Nobody talks with it, so nobody can have had enough of it.
            HowEnded::Dismissed => Ok(Ending::Interrupted),
            HowEnded::NotStarted(why) | HowEnded::Unserved(why) => Ok(Ending::Unusable { why }),
        };
        Answer {
            ending,
            claim: claim_of(&transcript.kept),
            transcript: transcript.kept,
            transcript_total: transcript.total,
            usage: Usage::default(),
            took: ended.took,
            session: None,
            session_files: None,
            version: None,
        }
    }
}

/// What it says of its work, in the last of what it printed. All of it is its
/// transcript, so nothing is repeated as a summary.
fn claim_of(printed: &[u8]) -> Claim {
    let last = printed.len().saturating_sub(LAST_WORDS);
    let said = claim::read(&plain(printed.get(last..).unwrap_or(printed)));
    Claim {
        summary: String::new(),
        ..said
    }
}

/// What every agent sees, writes and reaches: its clone, what that borrows
/// from, its prompt, itself.
pub(super) fn bounds(sandbox: &Sandbox, call: &Call, program: &Path) -> Bounds {
    let prompt = ReadOnlyMount {
        host: call.prompt_file.clone(),
        inner: PathBuf::from(PROMPT_FILE),
    };
    let ours = [
        ("TRUEUP_PROMPT_FILE", sandbox.seen_at(&prompt).display().to_string()),
        ("TRUEUP_RUN", call.run.clone()),
        ("TRUEUP_TASK", call.task.clone()),
        ("TRUEUP_TURN", call.turn.to_string()),
    ];
    let laid_where_it_is = |path: &Path| ReadOnlyMount {
        host: path.to_owned(),
        inner: path.to_owned(),
    };
    let mut lay: Vec<ReadOnlyMount> = call.borrowed.iter().map(|path| laid_where_it_is(path)).collect();
    lay.push(laid_where_it_is(program));
    lay.push(prompt);
    lay.extend(call.shown.iter().cloned());
    Bounds {
        tree: call.workspace.clone(),
        own: call.own.clone(),
        network: call.policy.network,
        egress: None,
        read: Vec::new(),
        write: Vec::new(),
        lay,
        services: Vec::new(),
        sockets: Vec::new(),
        variables: ours.map(|(name, value)| (name.to_owned(), value)).into(),
        alive: call.alive.clone(),
    }
}
