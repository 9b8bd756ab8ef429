//! Numbers that a seed decides, the same on every machine.

/// A small generator (splitmix64): good enough to pick a byte.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `end`, which is not zero.
    pub(crate) const fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    /// The same bytes but for one, which is changed, added or taken away.
    pub(crate) fn change_one(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut changed = bytes.to_vec();
        let at = self.below(bytes.len());
        let other = 1 + self.below(255) as u8;
        match self.below(8) {
            0 => changed.insert(at, other),
            1 => drop(changed.remove(at)),
            _ => changed[at] ^= other,
        }
        changed
    }
}
