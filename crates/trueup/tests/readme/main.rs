//! What a newcomer reads first is true.

#[cfg(test)]
mod criteria;
#[cfg(test)]
mod first_proof;
#[cfg(test)]
mod newcomer;
#[cfg(test)]
mod quick_start;
#[cfg(test)]
mod recipes;
#[cfg(test)]
mod recording;
