//! A state root that an older build wrote, with runs at every position, is
//! resumed by today's to the same ends.
//!
//! The archive holds a whole household as the build of commit 09a770f left it,
//! and what that very build made of it afterwards, under another path. It is
//! made anew by `just upgrade-fixture`.

#[cfg(test)]
mod making;
#[cfg(test)]
mod resumed;
#[cfg(test)]
mod scene;
