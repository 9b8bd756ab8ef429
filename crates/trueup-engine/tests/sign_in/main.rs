//! One sign-in, many runs: whoever renews it renews it for all, and a
//! person's file is never worse than it was.

#[cfg(test)]
mod agents;
#[cfg(test)]
mod files;
