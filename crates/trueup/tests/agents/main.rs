//! Real agents, driven by trueup against a scripted model: real programs, real
//! walls, no network but loopback, and no key that opens anything.

#[cfg(test)]
mod scene;

#[cfg(test)]
mod verified;
