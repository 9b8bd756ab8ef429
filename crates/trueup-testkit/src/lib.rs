//! Not shipped: fakes, scripted agents, simulation, and one conformance suite
//! for every journal, desk and travelling port.

pub mod agents;
pub mod alone;
pub mod attacks;
pub mod bad_network;
pub mod conformance;
pub mod household;
pub mod known_bad;
pub mod model_server;
pub mod newcomer;
pub mod processes;
pub mod reference;
pub mod saboteurs;
pub mod sample;
pub mod simulation;
pub mod transcript;
pub mod travelling;
