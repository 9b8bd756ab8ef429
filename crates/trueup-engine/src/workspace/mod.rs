//! A private clone for the agent, snapshots and clean rooms for the engine.
