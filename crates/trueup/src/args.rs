//! What a person may type. Only the shape is checked here; meaning is each
//! command's own.

mod driving;

pub(crate) use driving::{Queue, Resume, Run, Up};

use crate::complete;
use clap::{Args, Parser, Subcommand, ValueEnum, builder::NonEmptyStringValueParser};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// Carries a coding task to a proved result with any command-line agent.
#[derive(Debug, Parser)]
#[command(name = "trueup", version, about, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What applies to every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// What is asked of the log. A single `-v` of `check` asks for what red
    /// checks printed, and not for what trueup does.
    pub(crate) fn logged(&self) -> Global {
        let verbose = match (&self.command, self.global.verbose) {
            (Command::Check(_), 1) => 0,
            (_, verbose) => verbose,
        };
        Global {
            verbose,
            ..self.global.clone()
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  trueup demo                     a proof from red to green, no agent needed
  trueup init                     set up this repository, see what holds today
  trueup new \"Greet by name\"      write a task, then give each criterion a check
  trueup check T-001              is every goal red and every guard green today?
  trueup run T-001                work until every criterion is proved

Exit codes: 0 verified, 1 an error of trueup's, 2 wrong usage, 3 not verified,
4 waiting for a person, 5 stuck, 6 budget spent, 7 agent unusable, 8 conflict,
9 verified but waived, 10 nothing to do, 130/143 stopped and resumable (docs/exit-codes.md).";

/// What applies to every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Print one JSON document (`run`, `resume` and `log`: one JSON line per event).
    #[arg(long, global = true, env = "TRUEUP_JSON", value_parser = clap::builder::FalseyValueParser::new())]
    pub(crate) json: bool,
    /// Work in this folder.
    #[arg(
        short = 'C',
        long = "dir",
        global = true,
        env = "TRUEUP_DIR",
        value_name = "DIR",
        default_value = "."
    )]
    pub(crate) folder: PathBuf,
    /// How progress is shown: lines that update on a terminal, one line per event elsewhere.
    #[arg(long, global = true, env = "TRUEUP_PROGRESS", value_enum, default_value_t = ShowProgress::Auto)]
    pub(crate) progress: ShowProgress,
    /// When to use colour; `auto` heeds NO_COLOR.
    #[arg(long, global = true, env = "TRUEUP_COLOR", value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// Print plain lines: no colour, no symbols, nothing that moves, and no question on a key.
    #[arg(long, global = true, env = "TRUEUP_PLAIN", value_parser = clap::builder::FalseyValueParser::new())]
    pub(crate) plain: bool,
    /// Print no commands to type next: where this run happens, nobody can type any.
    #[arg(long, global = true, hide = true)]
    pub(crate) no_next: bool,
    /// Log effects, agents and checks to standard error; twice: every git as well.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// What to log, as `LEVEL` or `TARGET=LEVEL,...`; `-v` is `info`, `-vv` is `debug`.
    #[arg(long = "log", global = true, env = "TRUEUP_LOG", value_name = "FILTER")]
    pub(crate) log_filter: Option<String>,
    /// Append the log to this file instead; at `debug` where nothing else is said.
    #[arg(long, global = true, env = "TRUEUP_LOG_FILE", value_name = "FILE")]
    pub(crate) log_file: Option<PathBuf>,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowProgress {
    // Live on a terminal, lines elsewhere.
    Auto,
    // One line per event.
    Lines,
    // Nothing.
    None,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    // On a terminal, unless NO_COLOR is set.
    Auto,
    // Always.
    Always,
    // Never.
    Never,
}

/// The commands, in the order a newcomer meets them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a task going from red to proved, in a throw-away repository.
    #[command(after_help = "Example:\n  trueup demo")]
    Demo,
    /// Set up this repository: find its checks, write trueup.toml, and try them once.
    #[command(
        after_help = "Examples:\n  trueup init\n  trueup init --yes\n  trueup init --refresh\n\nNothing that is there is changed, but by --refresh after a yes."
    )]
    Init(SetUp),
    /// Allow this repository's commands to be run.
    #[command(after_help = "Example:\n  trueup trust --yes")]
    Trust(Trust),
    /// Write a task file, and open it in your editor.
    #[command(after_help = "Examples:\n  trueup new \"Greet by name\"\n  trueup new \"Greet by name\" --no-edit")]
    New(New),
    /// Read tasks and run their checks on the base: is every goal red, every guard green?
    #[command(
        after_help = "Examples:\n  trueup check T-001\n  trueup check T-001 -v     show everything that red checks printed"
    )]
    Check(Tasks),
    /// Work on a task until every criterion is proved.
    #[command(
        after_help = "Examples:\n  trueup run T-001\n  trueup run T-001 --agent codex --with-changes\n  trueup run \"Greet by name\""
    )]
    Run(Run),
    /// Queue tasks: open a run of each, which `trueup up` carries on.
    #[command(after_help = "Examples:\n  trueup queue T-001 T-002\n  trueup queue T-003 --agent codex")]
    Queue(Queue),
    /// Carry on every run that is queued, killed or due, in all repositories.
    #[command(
        after_help = "Examples:\n  trueup up\n  trueup up --until-idle\n  nohup trueup up &\n\nCtrl-C stops every run where nothing is lost; the next `trueup up` goes on with them."
    )]
    Up(Up),
    /// Run a task's checks, without any agent, on its delivered branch or another revision.
    #[command(after_help = "Examples:\n  trueup verify T-001\n  trueup verify T-001 --on HEAD")]
    Verify(Verify),
    /// List the tasks, and where each one stands; what waits for you comes first.
    #[command(after_help = "Examples:\n  trueup status\n  trueup status T-001")]
    Status(Status),
    /// List what waits for you, in all repositories, each with what to type.
    #[command(after_help = "Examples:\n  trueup inbox\n  trueup inbox --json")]
    Inbox,
    /// Show a task's criteria with their evidence.
    #[command(
        after_help = "Examples:\n  trueup show\n  trueup show T-001 --time\n  trueup show T-001 --html proof.html     a page to send to somebody\n  trueup show T-001 --json"
    )]
    Show(Show),
    /// Print what happened, or what an agent or a check printed.
    #[command(
        after_help = "Examples:\n  trueup log T-001 -f\n  trueup log T-001 --turn 2\n  trueup log T-001 --blob 3f2a91c0"
    )]
    Log(Log),
    /// Print what the run changed since its base.
    #[command(after_help = "Examples:\n  trueup diff\n  trueup diff T-001")]
    Diff(LastTask),
    /// Continue a run that was stopped or killed, or that waits.
    #[command(after_help = "Examples:\n  trueup resume\n  trueup resume T-001\n  trueup resume T-001 --agent codex")]
    Resume(Resume),
    /// Approve what a run asks about, all or some of it, and continue the run.
    #[command(
        after_help = "Examples:\n  trueup approve T-001\n  trueup approve T-001 --plain\n  trueup approve T-001 1 vitest.config.ts"
    )]
    Approve(Approve),
    /// Reject what a run asks about, with a reason that its agent is told.
    #[command(after_help = "Example:\n  trueup reject T-001 \"keep the old test\"")]
    Reject(Reject),
    /// Tell a stuck or blocked agent how to go on, and continue the run.
    #[command(after_help = "Example:\n  trueup answer T-001 -m \"The discount is taken off before tax.\"")]
    Answer(Statement),
    /// Accept a weak proof, with a reason; the run then ends with exit code 9.
    #[command(after_help = "Example:\n  trueup waive T-001 -m \"The test is weak; the change is one constant.\"")]
    Waive(Statement),
    /// Ask a running run to stop; it can be resumed.
    #[command(after_help = "Example:\n  trueup stop T-001")]
    Stop(OneTask),
    /// Remove what is no longer needed: workspaces of finished runs, old output, leftovers.
    #[command(after_help = "Examples:\n  trueup gc --dry-run\n  trueup gc --keep-days 7")]
    Gc(Gc),
    /// Show how runs ended, what they cost, and how much disk trueup uses.
    #[command(after_help = "Example:\n  trueup stats")]
    Stats,
    /// Check that everything trueup needs works here.
    #[command(after_help = "Examples:\n  trueup doctor\n  trueup doctor --repair\n  trueup doctor --bundle")]
    Doctor(Doctor),
    /// List the agents, or test one with a small question.
    #[command(
        subcommand,
        after_help = "Examples:\n  trueup agent list\n  trueup agent test claude"
    )]
    Agent(Agent),
    /// Show the configuration in force, or change it.
    #[command(
        subcommand,
        after_help = "Examples:\n  trueup config show --origin\n  trueup config set checks.test.timeout 20m"
    )]
    Config(ConfigCommand),
    /// List the rules that sort what you are asked about, or explain one.
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:\n  trueup rules\n  trueup rules explain py/ends-process\n  trueup rules --json"
    )]
    Rules(Rules),
    /// Print the JSON Schema of trueup.toml, or of a task's front matter.
    #[command(after_help = "Examples:\n  trueup schema config\n  trueup schema task")]
    Schema(Schema),
    /// Print what makes a shell complete commands, tasks and runs.
    #[command(
        after_help = "Examples:\n  trueup completions bash > ~/.local/share/bash-completion/completions/trueup\n  trueup completions zsh > ~/.zfunc/_trueup\n  trueup completions fish > ~/.config/fish/completions/trueup.fish"
    )]
    Completions(Completions),
    /// Print the man page, or write those of every command into a folder.
    #[command(after_help = "Examples:\n  trueup man | man -l -\n  trueup man ~/.local/share/man/man1")]
    Man(Man),
    /// The first program inside every sandbox.
    #[command(name = "sandbox-entry", hide = true)]
    SandboxEntry,
    /// The agent of `trueup demo`, and of the first task that `trueup init` writes.
    #[command(name = "demo-agent", hide = true)]
    DemoAgent(DemoAgent),
}

/// List rules, or explain one.
#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// What to do instead of listing all.
    #[command(subcommand)]
    pub(crate) what: Option<RulesCommand>,
}

/// What can be done with rules besides listing them.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Say what a rule looks for, why, and how to switch it; with examples.
    #[command(after_help = "Example:\n  trueup rules explain py/ends-process")]
    Explain(Explained),
}

/// Explain a rule.
#[derive(Debug, Args)]
pub(crate) struct Explained {
    /// The rule, by its id: `trueup rules` lists them.
    #[arg(add = ArgValueCompleter::new(complete::rules))]
    pub(crate) id: String,
}

/// Say which agents are here, or try one.
#[derive(Debug, Subcommand)]
pub(crate) enum Agent {
    /// List the agents that are configured, and the known ones that could be.
    #[command(after_help = "Examples:\n  trueup agent list\n  trueup agent list --json")]
    List,
    /// Call an agent once, in a throw-away folder, and say how that ended.
    #[command(
        after_help = "Examples:\n  trueup agent test\n  trueup agent test codex\n\nExit codes: 0 it answered, 7 it did not."
    )]
    Test(AgentTest),
}

/// Call an agent once.
#[derive(Debug, Args)]
pub(crate) struct AgentTest {
    /// Its name in the configuration; the default agent where absent.
    #[arg(add = ArgValueCompleter::new(complete::agents))]
    pub(crate) name: Option<String>,
}

/// Show the configuration, or change it.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show every key that is set, with its value.
    #[command(after_help = "Example:\n  trueup config show --origin")]
    Show(ConfigShow),
    /// Set a key in trueup.toml; comments are kept.
    #[command(
        after_help = "Examples:\n  trueup config set project.base main\n  trueup config set agent.default claude --local"
    )]
    Set(ConfigSet),
}

/// Show every key that is set.
#[derive(Debug, Args)]
pub(crate) struct ConfigShow {
    /// Say which layer set each key, with file and line.
    #[arg(long)]
    pub(crate) origin: bool,
}

/// Set a key.
#[derive(Debug, Args)]
pub(crate) struct ConfigSet {
    /// The key, its parts joined by dots: `checks.test.timeout`.
    pub(crate) key: String,
    /// Its value, as TOML; anything else is text.
    pub(crate) value: String,
    /// Write it into your own file instead, which counts in every repository.
    #[arg(long)]
    pub(crate) user: bool,
    /// Write it into trueup.local.toml instead, which is not committed.
    #[arg(long, conflicts_with = "user")]
    pub(crate) local: bool,
}

/// Print a JSON Schema.
#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Of what.
    #[arg(value_enum, default_value_t = SchemaOf::Config)]
    pub(crate) of: SchemaOf,
}

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    // `trueup.toml` and the other layers.
    Config,
    // The front matter of a task file.
    Task,
}

/// Print what makes a shell complete.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// A shell that can complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Print the man page.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder to write one page per command into.
    #[arg(value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
}

/// Set up this repository.
#[derive(Debug, Args)]
pub(crate) struct SetUp {
    /// Ask nothing, and allow what is found to run.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Look again where trueup.toml is there already: show what would be added, and write it
    /// after a yes.
    #[arg(long)]
    pub(crate) refresh: bool,
}

/// The agent that comes with trueup.
#[derive(Debug, Args)]
pub(crate) struct DemoAgent {
    /// Which of the tasks it knows it works on.
    #[arg(value_enum)]
    pub(crate) task: DemoTask,
}

/// The tasks that the agent which comes with trueup knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DemoTask {
    // That of `trueup demo`.
    Greeting,
    // That which `trueup init` writes.
    FirstProof,
}

/// Allow this repository's commands to be run.
#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// Do not ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Write a task file.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// One line for people.
    pub(crate) title: String,
    /// The task's id; the next free `T-NNN` where absent.
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// Do not open the file in the editor that VISUAL or EDITOR names.
    #[arg(long)]
    pub(crate) no_edit: bool,
}

/// Some tasks.
#[derive(Debug, Args)]
pub(crate) struct Tasks {
    /// Ids or files; every task of the repository where absent.
    #[arg(value_name = "TASK", add = ArgValueCompleter::new(complete::tasks))]
    pub(crate) tasks: Vec<String>,
}

/// Run a task's checks.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The task's id or file.
    #[arg(add = ArgValueCompleter::new(complete::tasks))]
    pub(crate) task: String,
    /// The revision; the delivered branch, or HEAD where there is none.
    #[arg(long, value_name = "REVISION")]
    pub(crate) on: Option<String>,
    /// Rest on nothing but the tree: look at no cache.
    #[arg(long)]
    pub(crate) cold: bool,
}

/// What waits, what runs, and what is done.
#[derive(Debug, Args)]
pub(crate) struct Status {
    /// List every run of this task.
    #[arg(conflicts_with_all = ["after", "limit"], add = ArgValueCompleter::new(complete::tasks))]
    pub(crate) task: Option<String>,
    /// Begin behind this task, where an earlier page ended.
    #[arg(long, value_name = "TASK", add = ArgValueCompleter::new(complete::tasks))]
    pub(crate) after: Option<String>,
    /// How many tasks are listed at most.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
}

/// One task.
#[derive(Debug, Args)]
pub(crate) struct OneTask {
    /// The task's id, its file, or one of its runs (`T-001.2`).
    #[arg(add = ArgValueCompleter::new(complete::tasks_and_runs))]
    pub(crate) task: String,
}

/// A task that was run.
#[derive(Debug, Args)]
pub(crate) struct LastTask {
    /// The task's id, its file, or one of its runs (`T-001.2`); the last run where absent.
    #[arg(add = ArgValueCompleter::new(complete::tasks_and_runs))]
    pub(crate) task: Option<String>,
}

/// Show a task's criteria with their evidence.
#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) of: LastTask,
    /// Say where the time of the run went.
    #[arg(long)]
    pub(crate) time: bool,
    /// Write one page for a browser that holds everything, to be kept or sent; `-` prints it.
    #[arg(long, value_name = "FILE", conflicts_with = "time")]
    pub(crate) html: Option<PathBuf>,
}

/// Say no to what a run asks.
#[derive(Debug, Args)]
pub(crate) struct Reject {
    /// The task's id, its file, or one of its runs (`T-001.2`).
    #[arg(add = ArgValueCompleter::new(complete::tasks_and_runs))]
    pub(crate) task: String,
    /// Why, for the agent to read.
    pub(crate) why: String,
}

/// Approve what a run asks about.
#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// The task's id, its file, or one of its runs (`T-001.2`).
    #[arg(add = ArgValueCompleter::new(complete::tasks_and_runs))]
    pub(crate) task: String,
    /// What to approve, by its number or its path, or `all`. Without it you are asked about each
    /// on a terminal, and shown each with --plain; elsewhere all of it is approved.
    pub(crate) items: Vec<String>,
}

/// Say something to a run that waits.
#[derive(Debug, Args)]
pub(crate) struct Statement {
    /// The task's id, its file, or one of its runs (`T-001.2`).
    #[arg(add = ArgValueCompleter::new(complete::tasks_and_runs))]
    pub(crate) task: String,
    /// What to say.
    #[arg(short, long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) message: String,
}

/// Print what happened.
#[derive(Debug, Args)]
pub(crate) struct Log {
    #[command(flatten)]
    pub(crate) of: LastTask,
    /// Go on printing what happens.
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// Print what the agent printed in this turn.
    #[arg(long, value_name = "N", conflicts_with = "follow")]
    pub(crate) turn: Option<u32>,
    /// Print a body by its digest, as `show --json` names it.
    #[arg(long, value_name = "DIGEST", conflicts_with_all = ["follow", "turn"])]
    pub(crate) blob: Option<String>,
}

/// Check that everything works.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Write what a bug report needs, without secrets, into this folder; into a new one below
    /// the temporary folder where none is named.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    pub(crate) bundle: Option<Option<PathBuf>>,
    /// Make a damaged journal whole again, as far as its events are proved; the damaged file is
    /// kept.
    #[arg(long, conflicts_with = "bundle")]
    pub(crate) repair: bool,
}

/// For how many days finished runs keep what they printed, where nothing else is said.
pub(crate) const KEEP_DAYS: u32 = 30;

/// Remove what is of no more use.
#[derive(Debug, Args)]
pub(crate) struct Gc {
    /// Say what would be removed, and remove nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Keep what finished runs printed for this many days.
    #[arg(long, value_name = "N", default_value_t = KEEP_DAYS)]
    pub(crate) keep_days: u32,
}
