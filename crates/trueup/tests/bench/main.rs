//! What trueup costs, against the bare thing it stands beside.
//!
//! Ours and the bare thing take turns within one run, so that a busy machine
//! is busy for both, and medians are compared. Each figure is a line that
//! begins with `measured:`. Bounds are held in release builds alone; a debug
//! build says what it measured and is not judged. `docs/costs.md` explains
//! every figure.

#[cfg(test)]
mod agents;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod known_bad;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod meter;
#[cfg(test)]
mod snapshot;
#[cfg(test)]
mod status;
#[cfg(test)]
mod tree;
#[cfg(test)]
mod turns;
#[cfg(test)]
mod workspace;
