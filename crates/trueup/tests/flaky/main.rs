//! Checks that fail one time in three on the same tree. Once that is known
//! they hardly ever pass for proof, and they never cost a turn.

#[cfg(test)]
mod known;
#[cfg(test)]
mod scene;
