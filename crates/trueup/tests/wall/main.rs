//! The wall, against real bubblewrap: what is inside stays inside, sees only
//! what it may, and does not outlive its end.

#[cfg(test)]
mod dialogue;
#[cfg(test)]
mod escape;
#[cfg(test)]
mod life;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod place;
#[cfg(test)]
mod run;
#[cfg(test)]
mod talk;
