//! Services: programs beside a check, in its own network, that decide nothing.

#[cfg(test)]
mod holes;
#[cfg(test)]
mod place;
#[cfg(test)]
mod refused;
#[cfg(test)]
mod ways;
