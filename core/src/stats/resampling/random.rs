//! Random numbers that are the same on every machine and on any number of threads.
//!
//! The generator is `SplitMix64` (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number
//! generators*): word i is a fixed mixture of seed + i·γ, so that any word can be had without those
//! before it. A [`RandomStream`] starts at its own place in that sequence, 2^32 words from the next one.
//! Work is cut into blocks of fixed size and block i draws from stream i; which thread computes a
//! block makes no difference.

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

/// Where all sequences start. Any other value would do as well; it is fixed so that equal inputs
/// give equal reports.
const SEED: u64 = 20_141_020;

/// γ: the odd whole number closest to 2^64 divided by the golden ratio.
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// Words may be rejected with probability 2^-8 at most where several draws share them.
const MOST_OUTCOMES: u128 = 1 << 56;

/// Most draws that are taken from one word.
pub(super) const MOST_IN_WORD: usize = 8;

/// A sequence of 2^32 random words.
#[derive(Debug, Clone)]
pub struct RandomStream {
    state: u64,
}

impl RandomStream {
    /// The stream with this number, below 2^32.
    pub fn new(number: u64) -> Self {
        Self { state: SEED.wrapping_add((number << 32).wrapping_mul(GAMMA)) }
    }

    /// A stream of its own for whatever some numbers name.
    pub fn named(numbers: &[u64]) -> Self {
        let state = numbers.iter().fold(0, |state, number| mixed(state ^ mixed(*number)));
        Self { state }
    }

    /// The next 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mixed(self.state)
    }

    /// One of the whole numbers below `bound`, all equally likely (Lemire 2019); 0 for a bound of 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let (mut left, mut draw) = self.word().carrying_mul(bound, 0);
        if left < bound {
            let threshold = bound.wrapping_neg() % bound;
            while left < threshold {
                (left, draw) = self.word().carrying_mul(bound, 0);
            }
        }
        draw as usize
    }
}

/// The mixture of `SplitMix64`: any two words give two words that look unrelated.
fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// `count` values in order, made in parallel by blocks of `block`. `make` gets the stream of its
/// block, the number of the block's first value, and how many to make.
pub(super) fn in_blocks<T: Send>(
    count: usize,
    block: usize,
    make: impl Fn(&mut RandomStream, usize, usize) -> Vec<T> + Sync,
) -> Vec<T> {
    let blocks = (0..count.div_ceil(block)).into_par_iter();
    let made = blocks.map(|number| {
        let first = number * block;
        make(&mut RandomStream::new(number as u64), first, block.min(count - first))
    });
    made.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// Equally likely whole numbers below a bound.
///
/// A word times the bound has a draw in its upper half, and in its lower half what the next draw is
/// made of. What is left after the last draw tells whether the word has to be rejected, so that
/// every outcome is exactly equally likely (Lemire 2019, *Fast random integer generation in an
/// interval*; Brackett-Rozinsky and Lemire 2024, *Batched ranged random integer generation*).
#[derive(Debug, Clone, Copy)]
pub(super) struct Below {
    bound: u64,
    batch: usize,
    /// 2^64 modulo bound^batch: words that leave less are rejected.
    threshold: u64,
}

impl Below {
    /// Numbers below `bound`, which is between 1 and 2^32.
    pub(super) fn new(bound: usize) -> Self {
        let bound = bound.max(1) as u64;
        let (mut batch, mut outcomes) = (1, u128::from(bound));
        while batch < MOST_IN_WORD && outcomes * u128::from(bound) <= MOST_OUTCOMES {
            outcomes *= u128::from(bound);
            batch += 1;
        }
        Self { bound, batch, threshold: ((1_u128 << 64) % outcomes) as u64 }
    }

    /// Shows `count` numbers to `visit`, each with a lane below [`MOST_IN_WORD`]: sums that are
    /// kept apart by lane need not wait for each other.
    pub(super) fn each(
        self,
        stream: &mut RandomStream,
        count: usize,
        visit: impl FnMut(usize, usize),
    ) {
        match self.batch {
            1 => self.each_of::<1>(stream, count, visit),
            2 => self.each_of::<2>(stream, count, visit),
            3 => self.each_of::<3>(stream, count, visit),
            4 => self.each_of::<4>(stream, count, visit),
            5 => self.each_of::<5>(stream, count, visit),
            6 => self.each_of::<6>(stream, count, visit),
            7 => self.each_of::<7>(stream, count, visit),
            _ => self.each_of::<MOST_IN_WORD>(stream, count, visit),
        }
    }

    fn each_of<const BATCH: usize>(
        self,
        stream: &mut RandomStream,
        count: usize,
        mut visit: impl FnMut(usize, usize),
    ) {
        for _ in 0..count / BATCH {
            for (lane, draw) in self.batch::<BATCH>(stream).into_iter().enumerate() {
                visit(lane, draw);
            }
        }
        let rest = self.batch::<BATCH>(stream).into_iter().enumerate();
        for (lane, draw) in rest.take(count % BATCH) {
            visit(lane, draw);
        }
    }

    fn batch<const BATCH: usize>(self, stream: &mut RandomStream) -> [usize; BATCH] {
        loop {
            let mut left = stream.word();
            let draws = std::array::from_fn(|_| {
                let (low, high) = left.carrying_mul(self.bound, 0);
                left = low;
                high as usize
            });
            if left >= self.threshold {
                return draws;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_equal_the_published_sequences() {
        // Sebastiano Vigna, splitmix64.c (2015), as printed for these seeds at rosettacode.org.
        let sequences: [(u64, &[u64]); 2] = [
            (0, &[0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
            (
                1_234_567,
                &[
                    6_457_827_717_110_365_317,
                    3_203_168_211_198_807_973,
                    9_817_491_932_198_370_423,
                    4_593_380_528_125_082_431,
                    16_408_922_859_458_223_821,
                ],
            ),
        ];
        for (seed, words) in sequences {
            let mut stream = RandomStream { state: seed };
            let found: Vec<u64> = words.iter().map(|_| stream.word()).collect();
            assert_eq!(found, words, "seed {seed}");
        }
    }

    #[test]
    fn streams_of_other_names_have_other_words() {
        let words = |numbers: &[u64]| RandomStream::named(numbers).word();
        for other in [&[1, 2, 4][..], &[1, 3, 3], &[0, 2, 3], &[2, 1, 3], &[1, 2]] {
            assert_ne!(words(&[1, 2, 3]), words(other), "{other:?}");
        }
        assert_eq!(words(&[1, 2, 3]), words(&[1, 2, 3]));
    }

    #[test]
    fn a_stream_starts_where_the_one_before_it_would_come_to() {
        let mut jumped =
            RandomStream { state: RandomStream::new(6).state.wrapping_add(GAMMA << 32) };
        assert_eq!(jumped.word(), RandomStream::new(7).word());
    }

    #[test]
    fn draws_never_change() {
        let draws = |bound| {
            let mut found = Vec::new();
            Below::new(bound).each(&mut RandomStream::new(0), 7, |_, draw| found.push(draw));
            found
        };
        // By the definition in whole-number arithmetic: core/reference/resampling.py draws.
        assert_eq!(draws(2), [0, 1, 1, 0, 1, 1, 0]);
        assert_eq!(draws(10), [4, 2, 9, 1, 5, 2, 5]);
        assert_eq!(draws(2_000), [858, 610, 727, 1_645, 1_287, 61, 1_113]);
        assert_eq!(
            draws(3_000_000_000),
            [
                1_287_457_772,
                92_335_491,
                2_441_349_621,
                1_309_466_739,
                2_554_025_067,
                1_719_494_626,
                2_316_688_488
            ]
        );
    }

    #[test]
    fn single_draws_are_the_upper_half_of_a_product() {
        let (mut words, mut draws) = (RandomStream::new(3), RandomStream::new(3));
        for bound in [1, 6, 1_000_003] {
            let product = u128::from(words.word()) * bound as u128;
            assert_eq!(draws.below(bound), (product >> 64) as usize);
        }
    }

    #[test]
    fn every_number_is_drawn_equally_often() {
        const DRAWS: usize = 120_000;
        for bound in [3, 6, 40, 1_000] {
            let below = Below::new(bound);
            let mut counts = vec![0.0; bound];
            below.each(&mut RandomStream::new(1), DRAWS, |_, draw| counts[draw] += 1.0);
            let expected = DRAWS as f64 / bound as f64;
            let chi: f64 =
                counts.iter().map(|count: &f64| (count - expected).powi(2) / expected).sum();
            let degrees = (bound - 1) as f64;
            assert!((chi - degrees).abs() < 4.5 * (2.0 * degrees).sqrt(), "{bound}: {chi}");
        }
    }

    #[test]
    fn blocks_do_not_depend_on_the_number_of_threads() {
        let made = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                in_blocks(1_000, 64, |stream, first, count| {
                    (first..first + count).map(|i| (i, stream.word())).collect()
                })
            })
        };
        assert_eq!(made(1), made(4));
        assert_eq!(made(1).len(), 1_000);
    }
}
