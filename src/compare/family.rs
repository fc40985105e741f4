//! Families of tests: adjusted p-values, and what is out of reach beside the others.

use crate::model::MetricSpec;
use crate::stats::holm;

/// The tests that are adjusted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonFamily {
    /// Those that can lead to a verdict.
    Judged,
    /// Those of metrics that follow from another one's answers, which can lead to a verdict too.
    Derived,
    /// Those that only describe a change of a metric without a good side.
    Descriptive,
}

impl ComparisonFamily {
    const ALL: [Self; 3] = [Self::Judged, Self::Derived, Self::Descriptive];

    /// With which tests that of a metric in a cell is adjusted.
    pub(super) fn in_cells(spec: &MetricSpec) -> Self {
        if spec.derived { Self::Derived } else { Self::Judged }.unless_undirected(spec)
    }

    /// With which tests that of an average of the metric is adjusted.
    pub(super) fn in_averages(spec: &MetricSpec) -> Self {
        Self::Judged.unless_undirected(spec)
    }

    fn unless_undirected(self, spec: &MetricSpec) -> Self {
        if spec.direction.sign().is_some() { self } else { Self::Descriptive }
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

/// A test before the others of its family are looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unadjusted {
    pub(super) family: ComparisonFamily,
    pub(super) p: f64,
    /// The smallest p that the design could have given, where that is known.
    pub(super) attainable: Option<f64>,
    /// p of the difference against the noise between runs, where that is known.
    pub(super) noise_p: Option<f64>,
}

/// A test among those of its family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted {
    /// Its p by Holm's method.
    pub p: f64,
    pub family: usize,
    /// Whether no outcome of this design could have reached α in this family.
    pub out_of_reach: bool,
    /// p against the noise between runs, by Holm's method over those of the family: a verdict has
    /// to pass both, so that neither kind of chance finds a difference somewhere in the family more
    /// often than α.
    pub noise_p: Option<f64>,
}

/// Holm within each family: neither token counts nor further readings of the same answers must
/// cost accuracy its significance. Tests come back in their order; `None` is in no family.
pub(super) fn adjusted(tests: &[Option<Unadjusted>], alpha: f64) -> Vec<Option<Adjusted>> {
    let families = ComparisonFamily::ALL.map(|family| {
        let members = || tests.iter().flatten().filter(move |test| test.family == family);
        let noises = members().filter_map(|test| test.noise_p);
        (HolmSteps::new(members().map(|test| test.p)), HolmSteps::new(noises))
    });
    let adjusted = |test: &Unadjusted| {
        let (steps, noises) = &families[test.family as usize];
        let lowest = test.attainable.map(|attainable| steps.lowest(attainable, alpha));
        Some(Adjusted {
            p: steps.adjusted(test.p)?,
            family: steps.0.len(),
            out_of_reach: lowest.is_some_and(|p| p >= alpha),
            noise_p: test.noise_p.and_then(|p| noises.adjusted(p)),
        })
    };
    tests.iter().map(|test| adjusted(test.as_ref()?)).collect()
}

/// The p-values of a family, ascending, each with what Holm's method makes of it.
struct HolmSteps(Vec<(f64, f64)>);

impl HolmSteps {
    fn new(p: impl Iterator<Item = f64>) -> Self {
        let raw: Vec<f64> = p.collect();
        let mut steps: Vec<(f64, f64)> = raw.iter().copied().zip(holm(&raw)).collect();
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self(steps)
    }

    /// What became of that p; equal ones are adjusted alike.
    fn adjusted(&self, p: f64) -> Option<f64> {
        let at = self.0.partition_point(|(raw, _)| *raw < p);
        self.0.get(at).map(|(_, adjusted)| *adjusted)
    }

    /// What would have been made of a p this small, given the other tests: each test with a smaller
    /// p that is rejected takes one off the factor, and one that is not ends the descent. The test's
    /// own p is not below `attainable`.
    fn lowest(&self, attainable: f64, alpha: f64) -> f64 {
        let before = self.0.partition_point(|(p, _)| *p < attainable);
        match self.0.get(..before).and_then(<[_]>::last) {
            Some((_, adjusted)) if *adjusted >= alpha => *adjusted,
            _ => attainable * (self.0.len() - before) as f64,
        }
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
            let steps = HolmSteps::new(others.iter().copied().chain([0.5]));
            let found = steps.lowest(attainable, alpha) < alpha;
            assert_eq!(found, reachable, "{attainable} beside {others:?}");
        }
    }
}
