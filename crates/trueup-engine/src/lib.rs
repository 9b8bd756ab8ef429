//! The library one embeds: the loop, the ports, their adapters.
//!
//! Adapters perform and report facts; they decide nothing and never retry
//! work. Every decision is `trueup-core`'s.

pub mod agent;
mod blocking;
pub mod check;
pub mod clock;
pub mod crash;
pub mod drive;
pub mod driver;
pub mod durable;
mod failure;
pub mod fault;
pub mod housekeeping;
pub mod layer;
pub mod local;
pub mod machine;
pub mod redact;
pub mod sandbox;
mod settings;
pub mod space;
pub mod state;
pub mod stop;
mod trace;
pub mod transcript;
pub mod travel;
pub mod turn;
pub mod workspace;
pub mod world;
pub mod write;
