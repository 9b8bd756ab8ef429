//! Real agents take the scripted model for a real one: each creates a file
//! because the script says so, with no network but loopback.

mod scene;
mod signing_in;
mod typing;
mod writing;
