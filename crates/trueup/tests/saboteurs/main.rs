//! Known ways to fake done, each with an honest twin, judged by trueup and by
//! a loop that trusts exit codes.

#[cfg(test)]
mod alone;
#[cfg(test)]
mod beyond;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod hollow;
#[cfg(test)]
mod own_tests;
#[cfg(test)]
mod runs;
