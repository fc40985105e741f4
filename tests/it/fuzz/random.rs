//! Numbers that are the same everywhere for the same seed.

/// The generator of Steele, Lea and Flood (2014), "`SplitMix64`".
pub(super) struct Random(u64);

impl Random {
    /// The numbers of one input of a campaign.
    pub(super) fn of(seed: u64, number: u64) -> Self {
        let mut start = Self(seed);
        Self(start.number() ^ number)
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below that one; 0 below 0.
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.number().checked_rem(most as u64).unwrap_or(0) as usize
    }

    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub(super) fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }
}
