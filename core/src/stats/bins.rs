//! Scores in bins of equal count by another number of the same samples.

use super::Moments;

/// Samples whose numbers lie next to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The lowest and the highest of the numbers.
    pub limits: [f64; 2],
    /// Mean of the numbers.
    pub center: f64,
    /// Of the scores.
    pub scores: Moments,
}

/// Bins of equal count of (number, score) points, sorted by the number: as many as `most`, as far as each has
/// `fewest` points. Sizes differ by one at most, the larger bins first; equal numbers are never parted, so that
/// a bin goes on behind them.
pub fn equal_count_bins(mut points: Vec<[f64; 2]>, most: usize, fewest: usize) -> Vec<Bin> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let count = points.len();
    let bins = most.min(count / fewest.max(1));
    if bins == 0 {
        return Vec::new();
    }
    let number = |at: usize| points.get(at).map(|point| point[0]);
    let mut cuts = vec![0];
    for bin in 1..bins {
        let mut cut = bin * (count / bins) + bin.min(count % bins);
        while cut < count && number(cut) == number(cut - 1) {
            cut += 1;
        }
        if cuts.last().is_some_and(|last| cut.saturating_sub(*last) >= fewest)
            && count.saturating_sub(cut) >= fewest
        {
            cuts.push(cut);
        }
    }
    cuts.push(count);
    let ranges = cuts.windows(2).filter_map(|ends| points.get(ends[0]..ends[1]));
    ranges.filter_map(bin).collect()
}

fn bin(points: &[[f64; 2]]) -> Option<Bin> {
    let (first, last) = (points.first()?, points.last()?);
    let (mut numbers, mut scores) = (Moments::default(), Moments::default());
    for [number, score] in points {
        numbers.add(*number);
        scores.add(*score);
    }
    Some(Bin { limits: [first[0], last[0]], center: numbers.mean, scores })
}

/// Expected calibration error: the mean over samples of how far the share of right answers of their bin lies
/// from its mean confidence, Σ nᵦ/N · |accᵦ − confᵦ| (Naeini, Cooper & Hauskrecht 2015, *AAAI*; over bins of
/// equal count Nguyen & O'Connor 2015, *EMNLP*). Scores are 0 or 1.
pub fn calibration_error(bins: &[Bin]) -> f64 {
    let count: u64 = bins.iter().map(|bin| bin.scores.n).sum();
    let apart = |bin: &Bin| bin.scores.n as f64 * (bin.scores.mean - bin.center).abs();
    bins.iter().map(apart).sum::<f64>() / (count.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers i·37 mod 211 / 211 of i < 211, right where i·53 mod 97 < 97 times the number.
    fn points() -> Vec<[f64; 2]> {
        let point = |i: usize| {
            let number = (i * 37 % 211) as f64 / 211.0;
            [number, f64::from(u8::from(((i * 53 % 97) as f64) < 97.0 * number))]
        };
        (0..211).map(point).collect()
    }

    #[test]
    fn bins_are_those_of_numpy() {
        let bins = equal_count_bins(points(), 10, 20);
        let sizes: Vec<u64> = bins.iter().map(|bin| bin.scores.n).collect();
        assert_eq!(sizes, SIZES);
        for (bin, [center, share]) in bins.iter().zip(EXPECTED) {
            assert!((bin.center - center).abs() < 1e-12, "{bin:?}");
            assert!((bin.scores.mean - share).abs() < 1e-12, "{bin:?}");
        }
        assert!((calibration_error(&bins) - ERROR).abs() < 1e-12, "{}", calibration_error(&bins));
    }

    // numpy 2.4.6: array_split of the points sorted by number, mean of each part, and the sum of
    // len(part) / 211 * abs(difference of the means).
    const SIZES: [u64; 10] = [22, 21, 21, 21, 21, 21, 21, 21, 21, 21];
    const EXPECTED: [[f64; 2]; 10] = [
        [0.049_763_033_175_4, 0.090_909_090_909_1],
        [0.151_658_767_772_5, 0.095_238_095_238_1],
        [0.251_184_834_123_2, 0.333_333_333_333_3],
        [0.350_710_900_473_9, 0.238_095_238_095_2],
        [0.450_236_966_824_6, 0.523_809_523_809_5],
        [0.549_763_033_175_4, 0.476_190_476_190_5],
        [0.649_289_099_526_1, 0.666_666_666_666_7],
        [0.748_815_165_876_8, 0.809_523_809_523_8],
        [0.848_341_232_227_5, 0.857_142_857_142_9],
        [0.947_867_298_578_2, 1.0],
    ];
    const ERROR: f64 = 0.057_770_490_330_4;

    #[test]
    fn equal_numbers_are_not_parted_and_small_bins_join_their_neighbour() {
        // 30 times 0.5, 30 times 0.9 and 40 times 1: verbal confidence has few values.
        let values = [(0.5, 30), (0.9, 30), (1.0, 40)];
        let points = values.iter().flat_map(|&(number, times)| vec![[number, 1.0]; times]);
        let bins = equal_count_bins(points.collect(), 10, 20);
        let limits: Vec<[f64; 2]> = bins.iter().map(|bin| bin.limits).collect();
        assert_eq!(limits, [[0.5, 0.5], [0.9, 0.9], [1.0, 1.0]]);
        let points = [(0.5, 90), (0.9, 10)].iter().flat_map(|&(x, times)| vec![[x, 1.0]; times]);
        assert_eq!(equal_count_bins(points.collect(), 10, 20).len(), 1);
        assert!(equal_count_bins(vec![[0.0, 1.0]; 19], 10, 20).is_empty());
    }
}
