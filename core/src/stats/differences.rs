//! Paired differences, one by one, counted, or only summed up.

use super::moments::Moments;

/// Paired differences (candidate − baseline), their moments, and the two arms' own moments.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DifferenceSample {
    pub differences: Moments,
    pub baseline: Moments,
    pub candidate: Moments,
    /// Largest size that a difference can have, from the bounds of the scores; `None` where these
    /// are not known.
    pub bound: Option<f64>,
    cubes: f64,
    all: Vec<f64>,
    /// Of those other than 0, where the differences are only counted or summed up and `all` is empty.
    others: Option<OtherDifferences>,
}

/// What is known of the differences other than 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OtherDifferences {
    pub moments: Moments,
    /// Sum of cubed deviations from their mean.
    pub cubes: f64,
    /// Sum of fourth powers, or the most that it can be.
    pub fourths: f64,
    pub least: f64,
    pub most: f64,
}

/// Sums of so many values and of their powers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PowerSums {
    pub n: u64,
    pub sum: f64,
    pub squares: f64,
    pub cubes: f64,
}

impl PowerSums {
    pub fn moments(self) -> Moments {
        let mean = if self.n > 0 { self.sum / self.n as f64 } else { 0.0 };
        Moments::new(self.n, mean, (self.squares - self.sum * mean).max(0.0))
    }

    /// Sum of cubed deviations from the mean.
    fn cubed_deviations(self) -> f64 {
        let mean = if self.n > 0 { self.sum / self.n as f64 } else { 0.0 };
        self.cubes - 3.0 * mean * self.squares + 2.0 * mean * mean * self.sum
    }
}

/// Most differences of counted pairs that are kept one by one: as many as are resampled.
pub(in crate::stats) const MOST_KEPT: u64 = 10_000;

/// Relative to the scores: a difference that is rounding, not a change.
pub(super) const ROUNDING: f64 = 1e-12;

/// Candidate − baseline, and 0 where the two are equal but for rounding: 0.1 + 0.2 is 0.3.
pub fn difference(baseline: f64, candidate: f64) -> f64 {
    let apart = candidate - baseline;
    let rounding = ROUNDING * baseline.abs().max(candidate.abs());
    if apart.abs() <= rounding { 0.0 } else { apart }
}

impl DifferenceSample {
    /// No pairs yet, whose differences cannot be larger than `bound`.
    pub fn within(bound: Option<f64>) -> Self {
        Self { bound, ..Self::default() }
    }

    pub fn add(&mut self, baseline: f64, candidate: f64) {
        let difference = difference(baseline, candidate);
        self.all.push(difference);
        self.cubes += added_cubes(self.differences, difference);
        self.differences.add(difference);
        self.baseline.add(baseline);
        self.candidate.add(candidate);
    }

    /// Pairs of scores, each with how often it occurs. Of few pairs every difference is kept.
    pub fn counted(pairs: &[(f64, f64, u64)], bound: Option<f64>) -> Self {
        let mut sample = Self::within(bound);
        let n: u64 = pairs.iter().map(|(.., count)| count).sum();
        if n <= MOST_KEPT {
            for &(baseline, candidate, count) in pairs {
                (0..count).for_each(|_| sample.add(baseline, candidate));
            }
            return sample;
        }
        let differences = || pairs.iter().map(|&(x, y, count)| (difference(x, y), count));
        sample.baseline = Moments::counted(pairs.iter().map(|&(x, _, count)| (x, count)));
        sample.candidate = Moments::counted(pairs.iter().map(|&(_, y, count)| (y, count)));
        sample.differences = Moments::counted(differences());
        sample.cubes = cubed_deviations(differences(), sample.differences.mean);
        let others = || differences().filter(|(difference, _)| *difference != 0.0);
        let moments = Moments::counted(others());
        let ends = others().map(|(difference, _)| difference);
        sample.others = Some(OtherDifferences {
            moments,
            cubes: cubed_deviations(others(), moments.mean),
            fourths: others().map(|(value, count)| value.powi(4) * count as f64).sum(),
            least: ends.clone().fold(f64::INFINITY, f64::min),
            most: ends.fold(f64::NEG_INFINITY, f64::max),
        });
        sample
    }

    /// Pairs of which only sums are known: those of both arms and of the differences. `others` differences,
    /// between `ends`, are not 0.
    pub fn summed(
        arms: [PowerSums; 2],
        differences: PowerSums,
        (others, ends): (u64, [f64; 2]),
        bound: Option<f64>,
    ) -> Self {
        let of_others = PowerSums { n: others, ..differences };
        Self {
            differences: differences.moments(),
            baseline: arms[0].moments(),
            candidate: arms[1].moments(),
            bound,
            cubes: differences.cubed_deviations(),
            all: Vec::new(),
            others: Some(OtherDifferences {
                moments: of_others.moments(),
                cubes: of_others.cubed_deviations(),
                fourths: differences.squares * ends[0].powi(2).max(ends[1].powi(2)),
                least: ends[0],
                most: ends[1],
            }),
        }
    }

    /// Sum of fourth powers of the differences; of such as are only summed up the most that it can be.
    pub fn fourths(&self) -> f64 {
        match self.others {
            Some(others) => others.fourths,
            None => self.all.iter().map(|difference| difference.powi(4)).sum(),
        }
    }

    /// Sum of cubed deviations of the differences from their mean.
    pub fn cubed_deviations(&self) -> f64 {
        self.cubes
    }

    /// Every difference, in order; none where they are only counted or summed up.
    pub fn all(&self) -> &[f64] {
        &self.all
    }

    /// Whether single differences are not known.
    pub fn is_summed(&self) -> bool {
        self.others.is_some()
    }

    /// What is known of the differences other than 0; without any the ends are infinite.
    pub fn others(&self) -> OtherDifferences {
        self.others.unwrap_or_else(|| {
            let others = || self.all.iter().copied().filter(|difference| *difference != 0.0);
            let moments: Moments = others().collect();
            OtherDifferences {
                moments,
                cubes: others().map(|difference| (difference - moments.mean).powi(3)).sum(),
                fourths: self.fourths(),
                least: others().fold(f64::INFINITY, f64::min),
                most: others().fold(f64::NEG_INFINITY, f64::max),
            }
        })
    }

    /// Sample skewness of the differences, √n·Σ(d − d̄)³/(Σ(d − d̄)²)^(3/2); `None` below three
    /// pairs and without spread.
    pub fn skewness(&self) -> Option<f64> {
        let Moments { n, m2, .. } = self.differences;
        (n >= 3 && m2 > 0.0).then(|| (n as f64).sqrt() * self.cubes / m2.powf(1.5))
    }
}

fn cubed_deviations(counted: impl Iterator<Item = (f64, u64)>, mean: f64) -> f64 {
    counted.map(|(value, count)| (value - mean).powi(3) * count as f64).sum()
}

/// What the sum of cubed deviations gains from one more value (Pébay 2008, Sandia SAND2008-6212).
fn added_cubes(before: Moments, value: f64) -> f64 {
    let (n, apart) = ((before.n + 1) as f64, value - before.mean);
    let shifted = apart.powi(3) * before.n as f64 * (before.n as f64 - 1.0) / (n * n);
    shifted - 3.0 * apart * before.m2 / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skewness_is_that_of_its_definition_in_two_passes() {
        let pairs = [(0.0, 1.0), (1.0, 1.0), (2.0, 7.0), (0.5, 0.0), (3.0, 2.0), (1.0, 9.0)];
        let mut sample = DifferenceSample::default();
        for (baseline, candidate) in pairs {
            sample.add(baseline, candidate);
        }
        let differences = pairs.map(|(baseline, candidate): (f64, f64)| candidate - baseline);
        let mean = differences.iter().sum::<f64>() / 6.0;
        let power = |k: i32| differences.iter().map(|d| (d - mean).powi(k)).sum::<f64>() / 6.0;
        let expected = power(3) / power(2).powf(1.5);
        assert!((sample.skewness().unwrap() - expected).abs() < 1e-14);
    }

    #[test]
    fn counted_pairs_have_the_moments_of_single_ones() {
        let pairs: Vec<(f64, f64, u64)> = (0..40_u32)
            .map(|i| (f64::from(i % 7) / 6.0, f64::from(i % 5) / 4.0, 300 + u64::from(i)))
            .collect();
        let counted = DifferenceSample::counted(&pairs, Some(1.0));
        let mut single = DifferenceSample::within(Some(1.0));
        for &(baseline, candidate, count) in &pairs {
            (0..count).for_each(|_| single.add(baseline, candidate));
        }
        assert!(counted.is_summed() && counted.all().is_empty() && !single.is_summed());
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-11 * a.abs().max(1.0), "{a} {b}");
        let (mine, theirs) = (counted.others(), single.others());
        for (a, b) in [
            (counted.differences, single.differences),
            (counted.baseline, single.baseline),
            (counted.candidate, single.candidate),
            (mine.moments, theirs.moments),
        ] {
            assert_eq!(a.n, b.n);
            near(a.mean, b.mean);
            near(a.m2, b.m2);
        }
        near(mine.cubes, theirs.cubes);
        near(counted.fourths(), single.fourths());
        near(counted.cubed_deviations(), single.cubed_deviations());
        assert_eq!((mine.least, mine.most), (theirs.least, theirs.most));
        let few = DifferenceSample::counted(&[(0.0, 1.0, 3), (1.0, 1.0, 2)], None);
        assert_eq!(few.all(), [1.0, 1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn sums_of_pairs_have_the_moments_of_single_ones() {
        let pairs = [(0.0, 1.0), (1.0, 1.0), (2.0, 7.0), (0.5, 0.0), (3.0, 2.0), (1.0, 9.0)];
        let mut single = DifferenceSample::default();
        let mut sums = [PowerSums::default(); 3];
        for (baseline, candidate) in pairs {
            single.add(baseline, candidate);
            for (sum, value) in sums.iter_mut().zip([baseline, candidate, candidate - baseline]) {
                sum.n += 1;
                sum.sum += value;
                sum.squares += value * value;
                sum.cubes += value.powi(3);
            }
        }
        let [baseline, candidate, differences] = sums;
        let summed =
            DifferenceSample::summed([baseline, candidate], differences, (5, [-1.0, 8.0]), None);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(summed.differences.m2, single.differences.m2);
        near(summed.baseline.m2, single.baseline.m2);
        near(summed.skewness().unwrap(), single.skewness().unwrap());
        near(summed.others().moments.m2, single.others().moments.m2);
        near(summed.others().cubes, single.others().cubes);
        assert!(summed.fourths() >= single.fourths());
    }
}
