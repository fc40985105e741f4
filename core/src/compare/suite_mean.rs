//! The mean difference over the datasets of an average, and how sure it is.
//!
//! Owns which interval an average has; what it says is decided in `suite.rs`.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::evidence::ComparisonEvidence;
use super::grouped::Groupable;
use super::suite_groups::{PartDifferences, Spread, SuiteField, SuiteGroups};
use super::suite_interval::{Dependence, dependences, mover, p_value};
use super::{CompareOptions, MeasuredCell, margins, seeds};
use crate::pairing::PairArm;
use crate::stats::means::intraclass::Intraclass;
use crate::stats::means::pooled::PooledMean;
use crate::stats::{self, Design, Interval};

/// Tag of intervals that are put together from those of the datasets.
const OF_DATASETS: &str = "mover";

/// Tag of intervals by the pooled variance of paired differences.
const POOLED: &str = "pooled-t";

/// A weighted mean of differences, in the unit of the difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteMean {
    /// Tag of the interval: `pooled-t`, `mover`, or the method that compares the means of runs.
    pub method: &'static str,
    pub delta: f64,
    pub interval: Interval,
    /// Interval for margins, at 1 − 2α.
    pub margin_interval: Interval,
    /// Two-sided p-value of no difference; 1e-12 stands for that or less.
    pub p: f64,
    /// Largest part of the mean that samples without score or partner could make up.
    pub slack: f64,
}

/// A field by whose values the differences of all datasets of an average are alike.
#[derive(Debug)]
pub struct HiddenInSuite {
    pub(super) field: SuiteField,
    pub(super) correlation: Intraclass,
    /// Whether a dataset shows it by itself.
    pub(super) told: bool,
    /// Its values.
    pub(super) values: usize,
    /// Samples whose differences were looked at.
    pub(super) samples: usize,
}

/// The datasets of an average, and what their samples have to do with each other.
pub(super) struct SuiteSamples<'c, 'a> {
    parts: &'c [&'c MeasuredCell<'a>],
    dependences: Vec<Dependence>,
    differences: Option<Vec<PartDifferences>>,
    /// Clusters that count, and samples with one id: they may reach over datasets.
    clusters: Option<SuiteGroups>,
    ids: Option<SuiteGroups>,
}

impl<'c, 'a> SuiteSamples<'c, 'a> {
    pub(super) fn new(parts: &'c [&'c MeasuredCell<'a>]) -> Self {
        let dependences = dependences(parts);
        let is_repeated = parts.iter().any(|part| part.pair.is_repeated());
        // What equal questions make of the mean is known already.
        let asks = dependences.is_empty() && !is_repeated;
        let asked = |groups: fn(&[&MeasuredCell<'_>]) -> Option<SuiteGroups>| {
            if asks { groups(parts) } else { None }
        };
        Self {
            parts,
            dependences,
            differences: PartDifferences::of(parts),
            clusters: asked(SuiteGroups::by_clusters),
            ids: asked(SuiteGroups::by_ids),
        }
    }

    /// How far the weighted mean spreads beyond what the parts show by themselves, with these groups too.
    fn spread(&self, weights: &[f64], further: Option<&SuiteGroups>) -> Spread {
        let Some(differences) = &self.differences else { return Spread::ALONE };
        let spread = |groups: &SuiteGroups| groups.spread(differences, weights);
        let declared = self.clusters.iter().chain(further).map(spread);
        let ids = self.ids.as_ref().map(|ids| spread(ids).beyond_chance());
        declared.chain(ids).fold(Spread::ALONE, Spread::wider)
    }

    /// How many times as large the standard error of the weighted mean is as that of independent parts,
    /// where samples with one id go together.
    pub(super) fn together(&self, weights: &[f64]) -> Option<f64> {
        let spread = self.ids.as_ref()?.spread(self.differences.as_ref()?, weights);
        Some(spread.beyond_chance().factor).filter(|factor| *factor > 1.0)
    }

    /// The weighted mean of the differences, from the evidence of each part.
    pub(super) fn mean(
        &self,
        weights: &[f64],
        options: stats::Options,
        evidence: &[&ComparisonEvidence],
    ) -> Option<SuiteMean> {
        self.mean_in(weights, options, evidence, None)
    }

    /// The same where further groups may reach over the parts.
    fn mean_in(
        &self,
        weights: &[f64],
        options: stats::Options,
        evidence: &[&ComparisonEvidence],
        further: Option<&SuiteGroups>,
    ) -> Option<SuiteMean> {
        let parts = self.parts;
        let spread = self.spread(weights, further);
        let deltas: Vec<f64> = parts.iter().map(|part| part.delta).collect::<Option<_>>()?;
        let slack = parts.iter().zip(weights).map(|(part, w)| w * part.slack()).sum();
        let range = margins::range(&parts.first()?.cell.spec);
        // Satterthwaite's degrees of freedom are for independent datasets.
        let pooled = self.dependences.is_empty().then(|| pooled(evidence, weights)).flatten();
        if let Some(pooled) = pooled.map(|pooled| pooled.widened(spread.factor, spread.most_df)) {
            let interval = |level| margins::clipped_to_range(pooled.interval(level), range);
            return Some(SuiteMean {
                method: POOLED,
                delta: pooled.delta,
                interval: interval(1.0 - options.alpha),
                margin_interval: interval(1.0 - 2.0 * options.alpha),
                p: pooled.p(),
                slack,
            });
        }
        let delta: f64 = deltas.iter().zip(weights).map(|(delta, weight)| delta * weight).sum();
        let at = |level: f64| -> Option<Interval> {
            let intervals: Vec<Interval> =
                evidence.par_iter().map(|one| one.interval(level)).collect::<Option<_>>()?;
            let Interval { lo, hi, level } =
                mover(&deltas, &intervals, weights, &self.dependences, level);
            let wider = |limit: f64| delta + spread.factor * (limit - delta);
            let interval = Interval { lo: wider(lo), hi: wider(hi), level };
            Some(margins::clipped_to_range(interval, range))
        };
        Some(SuiteMean {
            method: OF_DATASETS,
            delta,
            interval: at(1.0 - options.alpha)?,
            margin_interval: at(1.0 - 2.0 * options.alpha)?,
            p: p_value(&at),
            slack,
        })
    }

    /// The fields by whose values the differences of all parts together are alike, of so many tests, and
    /// the mean with the clusters that these hide, or others in some part.
    pub(super) fn with_hidden(
        &self,
        weights: &[f64],
        tests: usize,
        options: &CompareOptions,
    ) -> (Vec<HiddenInSuite>, Vec<SuiteMean>) {
        let parts = self.parts;
        let is_repeated = parts.iter().any(|part| part.pair.is_repeated());
        let level = 1.0 - options.stats.alpha / tests.max(1) as f64;
        let (mut found, mut careful) = (Vec::new(), Vec::new());
        for field in SuiteField::all(parts) {
            let differences = self.differences.as_deref();
            let shown = differences.and_then(|all| field.groups(parts, all, level));
            let Some((groups, correlation)) = shown else { continue };
            let told = parts
                .iter()
                .any(|part| part.hidden.iter().any(|hidden| field.is(&hidden.key, &hidden.origin)));
            if correlation.is_none() && !told {
                continue;
            }
            careful.extend(if is_repeated {
                let crossed = groups.crossed(parts, weights);
                crossed.and_then(|design| of_design(parts, design, options.stats))
            } else {
                self.mean_by(&field, &groups, weights, options.stats)
            });
            found.extend(correlation.map(|correlation| HiddenInSuite {
                field,
                told,
                correlation,
                values: groups.len(),
                samples: differences.into_iter().flatten().map(PartDifferences::samples).sum(),
            }));
        }
        if !is_repeated && parts.iter().any(|part| !part.hidden.is_empty()) {
            let level = 1.0 - options.stats.alpha;
            let evidence = parts.iter().map(|part| most_careful(part, level));
            let evidence = evidence.collect::<Option<Vec<_>>>();
            careful.extend(evidence.and_then(|all| self.mean(weights, options.stats, &all)));
        }
        (found, careful)
    }

    /// The mean with the values of a field as clusters.
    fn mean_by(
        &self,
        field: &SuiteField,
        groups: &SuiteGroups,
        weights: &[f64],
        options: stats::Options,
    ) -> Option<SuiteMean> {
        let by_field = |part: &&MeasuredCell<'_>| {
            let scores = Groupable::new(part.pair, part.cell)?;
            scores.evidence_by(&field.in_part(part)?.partition, part.cell)
        };
        let clustered: Vec<Option<ComparisonEvidence>> = self.parts.iter().map(by_field).collect();
        let both = self.parts.iter().zip(&clustered);
        let evidence = both.map(|(part, found)| found.as_ref().or(part.evidence.as_ref()));
        self.mean_in(weights, options, &evidence.collect::<Option<Vec<_>>>()?, Some(groups))
    }
}

/// The mean by the pooled variance of paired differences, in the unit of the difference.
fn pooled(evidence: &[&ComparisonEvidence], weights: &[f64]) -> Option<PooledMean> {
    let scaled = evidence.iter().zip(weights);
    let scaled = scaled.map(|(evidence, weight)| (&evidence.design, weight * evidence.scale));
    PooledMean::new(&scaled.collect::<Vec<_>>())
}

/// The evidence that says least of the difference: that of a field which hides clusters, or what
/// counts by itself.
fn most_careful<'c>(part: &'c MeasuredCell<'_>, level: f64) -> Option<&'c ComparisonEvidence> {
    let all = part.hidden.iter().map(|hidden| &hidden.evidence).chain(&part.evidence);
    let width = |evidence: &&ComparisonEvidence| {
        let interval = evidence.interval(level);
        interval.map_or(f64::INFINITY, |interval| interval.hi - interval.lo)
    };
    all.max_by(|a, b| width(a).total_cmp(&width(b)))
}

/// The means of the runs over the datasets, compared as one figure for each run, or crossed with the
/// clusters of their samples. `None` below two runs in an arm and when neither arm varies.
pub(super) fn over_runs(
    parts: &[&MeasuredCell<'_>],
    weights: &[f64],
    options: stats::Options,
) -> Option<SuiteMean> {
    let first = parts.first()?;
    let [baseline, candidate] = PairArm::BOTH.map(|which| run_means(parts, which));
    if baseline.len().min(candidate.len()) < 2 {
        return None;
    }
    let bound = first.cell.spec.range();
    let clusters = SuiteGroups::by_clusters(parts);
    let crossed = clusters.and_then(|clusters| clusters.crossed(parts, weights));
    let of_figures = || seeds::figures_design(first.pair, &baseline, &candidate, bound);
    of_design(parts, crossed.unwrap_or_else(of_figures), options)
}

/// What a design of runs over all parts says.
fn of_design(
    parts: &[&MeasuredCell<'_>],
    design: Design,
    options: stats::Options,
) -> Option<SuiteMean> {
    let evidence = ComparisonEvidence::new(design, &parts.first()?.cell.spec);
    let analysis = evidence.analysis_at(options)?;
    Some(SuiteMean {
        method: analysis.interval_method,
        delta: analysis.delta,
        interval: analysis.interval?,
        margin_interval: evidence.interval(1.0 - 2.0 * options.alpha)?,
        p: analysis.test?.p,
        slack: parts.iter().map(|part| part.slack()).sum::<f64>() / parts.len() as f64,
    })
}

/// Each run's mean over the datasets, the lead first.
fn run_means(parts: &[&MeasuredCell<'_>], which: PairArm) -> Vec<f64> {
    let runs = parts.first().map_or(0, |part| part.pair.size(which));
    let figures = |run: usize| {
        let of = move |part: &&MeasuredCell<'_>| part.seeds.as_ref()?.arm(which).get(run)?.value;
        parts.iter().filter_map(of)
    };
    (0..runs).map(|run| figures(run).sum::<f64>() / parts.len() as f64).collect()
}
