//! The scripted model as a program, for people who want to try trueup, or an
//! agent, without tokens.

use clap::Parser;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};
use trueup_testkit::model_server::{ModelServer, Scripts};

/// A model that says what a script tells it to. It listens on loopback alone.
#[derive(Debug, Parser)]
#[command(name = "model-server")]
struct Args {
    /// The script; docs/model-server.md describes it.
    script: PathBuf,
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Appends every request to this file, one JSON object per line.
    #[arg(long)]
    log: Option<PathBuf>,
}

fn main() -> ExitCode {
    match open(&Args::parse()).and_then(|server| told(&server).map(|()| server)) {
        Ok(server) => {
            server.wait();
            ExitCode::SUCCESS
        }
        Err(error) => {
            // Nothing is left to be done for a reader of standard error who is gone.
            drop(writeln!(io::stderr(), "model-server: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn open(args: &Args) -> io::Result<ModelServer> {
    let named = |path: &PathBuf, error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
    let text = fs::read_to_string(&args.script).map_err(|error| named(&args.script, error))?;
    let scripts: Scripts = serde_json::from_str(&text).map_err(|error| named(&args.script, error.into()))?;
    let log = match &args.log {
        Some(path) => Some(
            File::options()
                .create(true)
                .append(true)
                .open(path)
                .map_err(|error| named(path, error))?,
        ),
        None => None,
    };
    ModelServer::open(scripts, args.port, log)
}

/// The port, and what to type so that an agent asks here.
fn told(server: &ModelServer) -> io::Result<()> {
    let url = server.url();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "port {port}

Claude Code:
  export ANTHROPIC_BASE_URL={url} ANTHROPIC_API_KEY=sk-scripted
  export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1
  claude -p 'Create hello.txt' --model claude-sonnet-4-5 --permission-mode acceptEdits

Codex:
  export SCRIPTED_KEY=sk-scripted
  codex exec -s workspace-write -c model=scripted-model -c model_provider=scripted \\
    -c 'model_providers.scripted={{name=\"scripted\",base_url=\"{url}/v1\",env_key=\"SCRIPTED_KEY\",wire_api=\"responses\"}}' \\
    -c features.plugins=false -c analytics.enabled=false 'Create hello.txt' </dev/null",
        port = server.port
    )?;
    out.flush()
}
