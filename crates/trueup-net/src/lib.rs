//! The way out of a sandbox.
//!
//! A sandbox with the network of its model has one door: a port of its own
//! loopback, behind which this proxy listens from outside. It answers three
//! kinds of requests:
//!
//! - to a [`Route`] of its own, by path: that goes to the agent's model, and the
//!   key that the agent never held is put in on the way;
//! - `CONNECT` to a host a person named: it speaks TLS with the agent by a
//!   certificate of its own, so that every request is seen before it goes on;
//! - a request in the clear to a host a person named with `http://`.
//!
//! What may be asked is decided in [`trueup_core::reach`], what it leads to is
//! looked up here, and what was looked up is what is connected to.

mod authority;
mod door;
mod egress;
mod key;
mod upstream;

pub use door::Door;
pub use egress::{Egress, Error, Plan, Route};
pub use key::HeldKey;
pub use upstream::Proxies;
