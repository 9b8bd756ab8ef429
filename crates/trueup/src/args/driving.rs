//! What may be typed to have runs driven.

use crate::complete;
use clap::Args;
use clap_complete::engine::ArgValueCompleter;

/// Work on a task.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The task's id, its file or its title; of a title that no task has, a task is drafted. The
    /// task of the last run where absent. An unfinished run goes on.
    #[arg(add = ArgValueCompleter::new(complete::tasks))]
    pub(crate) task: Option<String>,
    /// The agent, by its name in the configuration.
    #[arg(long, env = "TRUEUP_AGENT", add = ArgValueCompleter::new(complete::agents))]
    pub(crate) agent: Option<String>,
    /// Start from the checkout as it lies, uncommitted work included.
    #[arg(long)]
    pub(crate) with_changes: bool,
    /// Open a new run although an earlier one is unfinished.
    #[arg(long)]
    pub(crate) anew: bool,
}

/// Open runs that nobody drives yet.
#[derive(Debug, Args)]
pub(crate) struct Queue {
    /// The tasks, by id, file or title.
    #[arg(required = true, value_name = "TASK", add = ArgValueCompleter::new(complete::tasks))]
    pub(crate) tasks: Vec<String>,
    /// The agent, by its name in the configuration.
    #[arg(long, env = "TRUEUP_AGENT", add = ArgValueCompleter::new(complete::agents))]
    pub(crate) agent: Option<String>,
    /// Open new runs although earlier ones are unfinished.
    #[arg(long)]
    pub(crate) anew: bool,
}

/// Carry runs on.
#[derive(Debug, Args)]
pub(crate) struct Up {
    /// How many runs are worked on at once, at most.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) at_most: u8,
    /// End as soon as nothing is left to do but what waits for you.
    #[arg(long)]
    pub(crate) until_idle: bool,
    /// Processes that the program before an upgrade had started.
    #[arg(long, hide = true, value_delimiter = ',')]
    pub(crate) adopt: Vec<u32>,
}

/// Go on with a run.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The task or run; the last unfinished one where absent.
    #[arg(add = ArgValueCompleter::new(complete::tasks_and_runs))]
    pub(crate) task: Option<String>,
    /// Do not wait any longer for what the run waits for: ask the model now.
    #[arg(long)]
    pub(crate) now: bool,
    /// End where the run waits for a moment: whoever called knows when it comes.
    #[arg(long, hide = true)]
    pub(crate) leave_moments: bool,
    /// Go on with this agent as trueup.toml configures it now; without it, a run keeps the agent
    /// it was opened with.
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(complete::agents))]
    pub(crate) agent: Option<String>,
}
