//! What went wrong, from what a red check printed: a name by which the same
//! error is known again, and which kind of error it is.
//!
//! Tools are known by the form of their lines. A line of no known form tells
//! nothing, and where none is known there is neither name nor kind.

mod kind;
mod lines;
mod normal;
mod reported;
mod signature;

pub use self::kind::kind;
pub use self::signature::signature;
