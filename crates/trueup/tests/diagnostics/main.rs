//! What helps whoever looks for a fault: the log, and what a bug report needs.

#[cfg(test)]
mod bundle;
#[cfg(test)]
mod logging;
