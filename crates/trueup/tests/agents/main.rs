//! Real agents, driven by trueup against a scripted model: real programs, real
//! walls, no network but loopback, and no key that opens anything.

#[cfg(test)]
mod asking;

#[cfg(test)]
mod scene;

#[cfg(test)]
mod running;

#[cfg(test)]
mod verified;

#[cfg(test)]
mod model_network;

#[cfg(test)]
mod rows;

#[cfg(test)]
mod failures;

#[cfg(test)]
mod memory;

#[cfg(test)]
mod overnight;

#[cfg(test)]
mod handoff;

#[cfg(test)]
mod budget;
mod climbing;

#[cfg(test)]
mod sign_ins;

#[cfg(test)]
mod closed;

#[cfg(test)]
mod stuck;
