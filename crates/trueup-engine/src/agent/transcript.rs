//! What an agent printed, both streams in the order they came.

/// Both streams up to a limit; the rest is counted.
#[derive(Debug)]
pub(super) struct Transcript {
    pub(super) kept: Vec<u8>,
    pub(super) total: u64,
    limit: u64,
}

impl Transcript {
    pub(super) const fn new(limit: u64) -> Self {
        Self {
            kept: Vec::new(),
            total: 0,
            limit,
        }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        let left = self.limit.saturating_sub(self.kept.len() as u64);
        let fits = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        self.kept.extend_from_slice(bytes.get(..fits).unwrap_or_default());
        self.total += bytes.len() as u64;
    }
}
