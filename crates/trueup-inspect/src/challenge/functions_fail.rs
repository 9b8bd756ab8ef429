//! All that the run changed fails.

use super::{
    replay::Replay,
    step::{Ask, Attempt},
    stubs::{Loss, stubs},
};

/// What was seen where every function that the run changed fails; nothing where
/// none can be taken away.
pub(super) fn functions_fail<'a>(replay: &Replay<'a>) -> Result<Option<&'a Attempt>, Ask> {
    let functions = &replay.work().functions;
    replay.attempt_alone("functions fail", |word| stubs(functions, Loss::Fails(word)))
}
