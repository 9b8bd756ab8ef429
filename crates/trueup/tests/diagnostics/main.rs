//! What helps whoever looks for a fault: the log, and what a bug report needs.

#[cfg(test)]
mod logging;
