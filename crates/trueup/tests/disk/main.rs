//! A full disk: the state root lies on a file system of 64 MB that fills up
//! in mid-run. The run waits with its reason, goes on when there is space, and
//! comes to the end of its undisturbed twin.
//!
//! The file system is a tmpfs in a mount namespace of this test's own: as
//! root, or in a user namespace. Where neither can be had the test fails.

#[cfg(test)]
mod mounted;
#[cfg(test)]
mod place;
#[cfg(test)]
mod quota;
