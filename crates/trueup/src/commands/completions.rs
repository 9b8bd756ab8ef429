//! `trueup completions`: what makes a shell complete.

use crate::{
    args::{Completions, Shell},
    complete,
    exit::{Exit, Failure},
    render,
};

/// Prints the script for one shell.
pub(crate) fn completions(completions: &Completions) -> Result<Exit, Failure> {
    let shell = match completions.shell {
        Shell::Bash => "bash",
        Shell::Zsh => "zsh",
        Shell::Fish => "fish",
    };
    render::line(complete::registration(shell)?.trim_end());
    Ok(Exit::Verified)
}
