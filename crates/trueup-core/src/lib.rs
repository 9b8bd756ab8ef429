//! The rules of a run.
//!
//! This crate is pure: it has no files, no clock, no threads and no async, so
//! everything it decides is a function of the facts it was given. Read the
//! modules in the order below; it is the order in which data walks through.
#![no_std]

extern crate alloc;

pub mod budget;
pub mod checkpoint;
pub mod control;
pub mod criterion;
pub mod digest;
pub mod effect;
pub mod ending;
pub mod event;
pub mod evidence;
pub mod gate;
pub mod ground;
pub mod id;
pub mod judge;
pub mod kind;
pub mod ladder;
pub mod memory;
pub mod objection;
pub mod patience;
pub mod phase;
pub mod plan;
pub mod repeat;
pub mod report;
pub mod repository;
pub mod run;
pub mod settings;
pub mod task;
pub mod task_change;
pub mod test_results;
pub mod turn;
pub mod usage;
