//! Agents that say they are done. No word, tag, file or exit code of theirs
//! leads to a verdict; and no lie harms the one who did the work.

#[cfg(test)]
mod lies;

#[cfg(test)]
mod runs;
