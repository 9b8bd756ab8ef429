//! Workspaces behind a veil: one checkout of the base, and what each agent
//! writes laid over it.

#[cfg(test)]
mod layers;
#[cfg(test)]
mod workspaces;
