//! Finds the route for the path of an address.

mod pattern;
mod router;

pub use pattern::{Params, Pattern, Segment};
pub use router::{Found, Router};
