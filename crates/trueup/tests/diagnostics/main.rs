//! What helps whoever looks for a fault: the log, what a bug report needs, and the
//! page that follows a run.

#[cfg(test)]
mod bundle;
#[cfg(test)]
mod logging;
#[cfg(test)]
mod traced;
