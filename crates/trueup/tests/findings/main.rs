//! What once got through from outside. Each attack is tried on today's trueup,
//! where it must not get through, and on one with the fault planted that let it
//! through, where it must: an attack that never succeeds shows nothing. All of
//! it as root, and again as somebody who is not.

#[cfg(test)]
mod anybody;
#[cfg(test)]
mod attack;
#[cfg(test)]
mod gate;
#[cfg(test)]
mod kernel;
#[cfg(test)]
mod state;
#[cfg(test)]
mod trust;
#[cfg(test)]
mod words;
