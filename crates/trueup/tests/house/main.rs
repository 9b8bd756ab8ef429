//! Housekeeping: who may read the state root, what is never stored, what is
//! removed, and what stays readable when it is.

#[cfg(test)]
mod modes;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod sweeping;
