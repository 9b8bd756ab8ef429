//! The rules of a run.
//!
//! This crate is pure: it has no files, no clock, no threads and no async, so
//! everything it decides is a function of the facts it was given. Read the
//! modules in the order below; it is the order in which data walks through.
#![no_std]

extern crate alloc;

// What is asked.
pub mod id;
pub mod digest;
pub mod kind;
pub mod scope;
pub mod criterion;
pub mod reach;
pub mod ground;
pub mod budget;
pub mod task;

// How an agent is driven.
pub mod usage;
pub mod patience;
pub mod settings;
pub mod repository;
pub mod branch;
pub mod phase;
pub mod plan;
pub mod ladder;
pub mod memory;
pub mod ending;
pub mod turn;

// What is wished, and what comes back.
pub mod effect;
pub mod test_results;
pub mod repeat;
pub mod evidence;
pub mod control;
pub mod rule;
pub mod signature;
pub mod approach;
pub mod objection;
pub mod event;

// What it means.
pub mod judge;
pub mod gate;
pub mod checkpoint;
pub mod run;
pub mod difference;
pub mod task_change;
pub mod agent_change;
pub mod report;
pub mod fate;
pub mod schedule;
pub mod time_spent;
