//! Honest work of real projects: a command applies what their people changed,
//! and trueup should find it proved without asking anybody.

#[cfg(test)]
mod change;
#[cfg(test)]
mod controls;
#[cfg(test)]
mod criteria;
#[cfg(test)]
mod history;
#[cfg(test)]
mod inits;
#[cfg(test)]
mod price;
#[cfg(test)]
mod projects;
#[cfg(test)]
mod related;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod verdict;
