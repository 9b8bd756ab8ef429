//! `trueup inbox`: what waits for a person, in all repositories.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    foreground::wait,
    places::Places,
    project::{clock, environment, state_folder},
    render,
};

/// Lists every run that waits for a person, with what to type.
pub(crate) fn inbox(global: &Global) -> Result<Exit, Failure> {
    let environment = environment();
    let mut places = Places::of(state_folder(&environment)?, clock(&environment)?);
    places.look(global);
    let waiting = wait(places.waiting())??;
    render::inbox(&waiting, &places, global)?;
    Ok(Exit::Verified)
}
