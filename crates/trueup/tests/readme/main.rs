//! The README is true: what it tells a newcomer to type ends as it says.

#[cfg(test)]
mod quick_start;
