//! The network of an agent that reaches its model and what a person named:
//! what goes through, and every way out that was thought of.

#[cfg(test)]
mod outside;
#[cfg(test)]
mod subscriptions;
#[cfg(test)]
mod ways_out;
