//! What each command prints, whole; what its documents hold; and what a
//! person sees on a real terminal.

#[cfg(test)]
mod approving;
#[cfg(test)]
mod at_work;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod drafting;
#[cfg(test)]
mod embedding;
#[cfg(test)]
mod fates;
mod following;
#[cfg(test)]
mod help;
#[cfg(test)]
mod hostile_text;
#[cfg(test)]
mod inbox;
#[cfg(test)]
mod lately;
#[cfg(test)]
mod moving;
#[cfg(test)]
mod naming;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod page;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod repairing;
#[cfg(test)]
mod ruling;
#[cfg(test)]
mod ruling_by_packs;
#[cfg(test)]
mod screens;
#[cfg(test)]
mod stopping;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod trusting;
#[cfg(test)]
mod up;
