//! Families of tests: adjusted p-values, intervals that hold together, what can be detected beside
//! the others, and what is out of reach.

use rayon::iter::{IntoParallelRefMutIterator as _, ParallelIterator as _};

use super::{Choices, Comparison, Noise, anytime};
use crate::model::MetricSpec;
use crate::stats::{self, multiplicity};

/// The tests that are adjusted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Those that can lead to a verdict.
    Judged,
    /// Those of metrics that follow from another one's answers, which can lead to a verdict too.
    Derived,
    /// Those that only describe a change of a metric without a good side.
    Descriptive,
}

impl Family {
    const ALL: [Self; 3] = [Self::Judged, Self::Derived, Self::Descriptive];

    fn of(spec: &MetricSpec) -> Self {
        match (spec.direction.sign(), spec.derived) {
            (None, _) => Self::Descriptive,
            (Some(_), true) => Self::Derived,
            (Some(_), false) => Self::Judged,
        }
    }

    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Judged => "judged",
            Self::Derived => "derived",
            Self::Descriptive => "descriptive",
        }
    }
}

/// Holm within each family: neither token counts nor further readings of the same answers must
/// cost accuracy its significance.
pub(super) fn adjust(comparisons: &mut [Vec<Comparison<'_>>], choices: &Choices) {
    for kind in Family::ALL {
        let mut family: Vec<&mut Comparison<'_>> = comparisons
            .iter_mut()
            .flatten()
            .filter(|one| one.family_kind() == kind)
            .filter(|one| one.reason.is_none() && one.raw_p().is_some())
            .collect();
        adjust_one(&mut family, choices);
    }
}

fn adjust_one(family: &mut [&mut Comparison<'_>], choices: &Choices) {
    adjust_noise(family);
    let raw: Vec<f64> = family.iter().filter_map(|one| one.raw_p()).collect();
    let adjusted = multiplicity::holm(&raw);
    let alpha = choices.options.alpha;
    let mut steps: Vec<(f64, f64)> = raw.iter().copied().zip(adjusted.iter().copied()).collect();
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = raw.len();
    for (one, adjusted) in family.iter_mut().zip(adjusted) {
        one.p_adjusted = Some(adjusted);
        one.family = size;
        let test = one.analysis.as_ref().and_then(|analysis| analysis.test);
        one.out_of_reach = test
            .and_then(|test| test.attainable)
            .is_some_and(|attainable| lowest_adjusted(attainable, &steps, alpha) >= alpha);
    }
    if size > 1 && !choices.anytime {
        let options = stats::Options { alpha: alpha / size as f64, ..choices.options };
        family.par_iter_mut().for_each(|one| one.hold_together(options));
    }
}

/// Holm over the p-values against the noise between runs: a verdict has to pass both, so that neither
/// kind of chance finds a difference somewhere in the family more often than α.
fn adjust_noise(family: &mut [&mut Comparison<'_>]) {
    let mut noises: Vec<&mut Noise<'_>> =
        family.iter_mut().filter_map(|one| one.noise.as_mut()).collect();
    let raw: Vec<f64> = noises.iter().map(|noise| noise.p).collect();
    for (noise, adjusted) in noises.iter_mut().zip(multiplicity::holm(&raw)) {
        noise.p_adjusted = Some(adjusted);
    }
}

/// What Holm would have made of a p this small, given the other tests: each test with a smaller p
/// that is rejected takes one off the factor, and one that is not ends the descent. `steps` are the
/// family's p-values with their adjusted ones, ascending; its own is not below `attainable`.
fn lowest_adjusted(attainable: f64, steps: &[(f64, f64)], alpha: f64) -> f64 {
    let before = steps.partition_point(|(p, _)| *p < attainable);
    match steps.get(..before).and_then(<[_]>::last) {
        Some((_, adjusted)) if *adjusted >= alpha => *adjusted,
        _ => attainable * (steps.len() - before) as f64,
    }
}

impl Comparison<'_> {
    /// With which tests its own is adjusted.
    pub fn family_kind(&self) -> Family {
        Family::of(&self.cell.spec)
    }

    /// Takes the interval, the detectable effect and the needed size at the level of a test that
    /// holds together with its whole family: α/m, which is also what Holm asks of the smallest p.
    fn hold_together(&mut self, options: stats::Options) {
        self.ci_simultaneous = self.interval_at(1.0 - options.alpha);
        let planned = self.evidence.as_ref().and_then(|evidence| evidence.analyse(options, false));
        if let (Some(analysis), Some(planned)) = (&mut self.analysis, planned) {
            analysis.mde = planned.mde;
            analysis.needed = planned.needed;
        }
    }

    /// The p-value before adjustment.
    pub(super) fn raw_p(&self) -> Option<f64> {
        self.analysis.as_ref()?.test.map(|test| test.p)
    }

    /// Whether Holm's test finds a difference that the wider interval for the whole family, at
    /// level 1 − α/m, leaves open.
    pub fn beyond_simultaneous(&self) -> bool {
        self.p_adjusted.is_some_and(|p| p < self.alpha)
            && self.ci_simultaneous.is_some_and(|interval| !interval.excludes(0.0))
    }

    /// Whether the test holds however often it is looked at.
    pub fn is_anytime(&self) -> bool {
        let test = self.analysis.as_ref().and_then(|analysis| analysis.test);
        test.is_some_and(|test| test.method == anytime::METHOD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_out_of_reach_alone_may_be_out_of_reach_only_together() {
        // Five discordant pairs: 0.0625 is the smallest p. Six: 0.03125, too large for two tests
        // unless the other one is rejected first.
        let alpha = 0.05;
        for (attainable, others, reachable) in [
            (0.0625, &[][..], false),
            (0.031_25, &[], true),
            (0.031_25, &[0.4], false),
            (0.031_25, &[0.001], true),
            (0.031_25, &[0.03], false),
        ] {
            let mut raw = others.to_vec();
            raw.push(0.5);
            let adjusted = multiplicity::holm(&raw);
            let mut steps: Vec<(f64, f64)> = raw.into_iter().zip(adjusted).collect();
            steps.sort_by(|a, b| a.0.total_cmp(&b.0));
            let found = lowest_adjusted(attainable, &steps, alpha) < alpha;
            assert_eq!(found, reachable, "{attainable} beside {others:?}");
        }
    }
}
