//! The scripted model speaks the protocols of real ones, and breaks them where
//! its script says so.

mod client;
mod faults;
mod protocols;
mod scripts;
mod signing_in;
