//! The library one embeds: the loop, the ports, their adapters.
//!
//! Adapters perform and report facts; they decide nothing and never retry
//! work. Every decision is `trueup-core`'s.

// Who drives, and what keeps it.
pub mod driver;
pub mod drive;
pub mod durable;
pub mod travel;
pub mod machine;
pub mod opening;
mod settings;

// Where wishes become facts.
pub mod world;
pub mod turn;
pub mod agent;
pub mod check;
pub mod layer;
pub mod halt;
mod failure;

// What they stand on.
pub mod local;
pub mod workspace;
pub mod sandbox;
pub mod state;
pub mod space;
pub mod housekeeping;
pub mod transcript;

// What everybody uses.
mod blocking;
pub mod clock;
mod deep;
pub mod redact;
pub mod stop;
mod trace;
pub mod write;

// What tests plant.
pub mod crash;
pub mod fault;
