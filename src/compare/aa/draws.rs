//! Random draws for relabelling: a sequence for each data set that is made, so that it does not
//! matter which thread makes it.

/// A sequence of draws: `SplitMix64` (Steele, Lea and Flood 2014, *Fast splittable pseudorandom
/// number generators*).
#[derive(Debug)]
pub(super) struct Draws {
    state: u64,
}

/// Step of the state: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Draws {
    /// The sequence of one data set: relabelling number `replicate` of cell number `cell`.
    pub(super) fn of(seed: u64, cell: u64, replicate: u64) -> Self {
        let parts = [cell, replicate];
        Self { state: parts.iter().fold(mixed(seed), |state, part| mixed(state ^ mixed(*part))) }
    }

    /// A whole number below `bound`; 0 when that is 0. Uneven by less than `bound` in 2^64.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(STEP);
        ((u128::from(mixed(self.state)) * bound as u128) >> 64) as usize
    }

    /// Heads or tails.
    pub(super) fn heads(&mut self) -> bool {
        self.below(2) == 1
    }
}

fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        // Published first outputs for the seed 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
        let mut draws = Draws { state: 1_234_567 };
        let words = [(); 3].map(|()| {
            draws.state = draws.state.wrapping_add(STEP);
            mixed(draws.state)
        });
        assert_eq!(
            words,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn every_number_below_the_bound_is_about_equally_frequent() {
        let mut draws = Draws::of(0, 0, 0);
        let mut seen = [0_i32; 3];
        for _ in 0..30_000 {
            seen[draws.below(3)] += 1;
        }
        // Five standard deviations of a count with mean 10,000: 5·√(30,000·2/9) = 408.
        assert!(seen.iter().all(|count| (count - 10_000).abs() < 408), "{seen:?}");
    }
}
