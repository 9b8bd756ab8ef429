//! A check that cannot fail proves nothing, and a rule that was changed is
//! told: each rule once, with an honest run beside it.

#[cfg(test)]
mod place;

#[cfg(test)]
mod ahead;
#[cfg(test)]
mod altered;
#[cfg(test)]
mod any_answer;
#[cfg(test)]
mod blind_tests;
#[cfg(test)]
mod changed_tests;
#[cfg(test)]
mod early;
#[cfg(test)]
mod here_only;
#[cfg(test)]
mod made_tests;
#[cfg(test)]
mod once_only;
#[cfg(test)]
mod rules_only;
#[cfg(test)]
mod run_tests;
#[cfg(test)]
mod seen_to_fail;
#[cfg(test)]
mod some_tests;
#[cfg(test)]
mod stuck;
#[cfg(test)]
mod told_first;
#[cfg(test)]
mod users;
#[cfg(test)]
mod visible_only;
