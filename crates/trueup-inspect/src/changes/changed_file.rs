//! A file that differs between two trees, with both its contents.

/// A file that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Where it lies.
    pub path: String,
    /// What it held, if it was there.
    pub before: Option<Vec<u8>>,
    /// What it holds, if it is there.
    pub after: Option<Vec<u8>>,
}

/// Which of a file's two contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What it held.
    Before,
    /// What it holds.
    After,
}

impl ChangedFile {
    /// A content, if it is there.
    pub fn bytes(&self, side: Side) -> Option<&[u8]> {
        match side {
            Side::Before => self.before.as_deref(),
            Side::After => self.after.as_deref(),
        }
    }

    /// A content, if it is there and is text.
    pub fn text(&self, side: Side) -> Option<&str> {
        str::from_utf8(self.bytes(side)?).ok()
    }

    /// Its name without its folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether it is new.
    pub const fn is_added(&self) -> bool {
        self.before.is_none() && self.after.is_some()
    }
}
