//! The workspace room against real git.

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod clones;
#[cfg(test)]
mod contents;
#[cfg(test)]
mod deliveries;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod openings;
#[cfg(test)]
mod place;
#[cfg(test)]
mod quick;
#[cfg(test)]
mod repositories;
#[cfg(test)]
mod rights;
#[cfg(test)]
mod snapshots;
