//! Arms over the samples that all of them answered.

use super::{FEWEST_ARMS, keys, open};
use crate::compare::Comparison;
use crate::model::{MetricSpec, SampleTable};
use crate::pairing::{CellKey, SampledSide};
use crate::stats::distribution::reportable_p;
use crate::stats::proportions::paired::mcnemar_exact;
use crate::stats::resampling::max_t::{DRAWS, MaxT, max_t};
use crate::stats::systems::{ChiSquaredTest, cochran_q};
use crate::stats::{self, ClusterSums, Design, DifferenceSample, PairedCounts, Test, holm};

/// One metric of at least three arms, over the samples that all of them answered.
#[derive(Debug)]
pub struct OnSamples<'a> {
    pub key: &'a CellKey,
    pub spec: &'a MetricSpec,
    /// The arms, baseline first.
    pub arms: Vec<ArmOnSamples<'a>>,
    /// Random sign patterns behind the max-T p-values; `None` where all patterns were counted.
    pub drawn_patterns: Option<u64>,
    /// Samples with a score in every arm.
    pub samples: u64,
    /// Clusters among them, when the cluster is the unit.
    pub clusters: Option<u64>,
    /// Cochran's test that all arms have the same rate; for outcomes right or wrong that are not
    /// clustered.
    pub omnibus: Option<ChiSquaredTest>,
    /// Every pair of arms, p-values adjusted among them by Holm.
    pub pairs: Vec<PairOnSamples>,
}

impl OnSamples<'_> {
    /// Mean of the second arm of a pair − mean of the first, in the metric's unit.
    pub fn delta(&self, pair: &PairOnSamples) -> f64 {
        let [first, second] = pair.arms.map(|arm| self.arms[arm].mean);
        second - first
    }
}

#[derive(Debug)]
pub struct ArmOnSamples<'a> {
    pub id: &'a str,
    /// Mean over the shared samples, in the metric's unit.
    pub mean: f64,
    /// p-value against the baseline, adjusted over the candidates by the step-down max-T method;
    /// `None` for the baseline itself.
    pub p_max_t: Option<f64>,
}

#[derive(Debug, Clone)]
pub struct PairOnSamples {
    /// Positions of the two arms in [`OnSamples::arms`], the smaller first.
    pub arms: [usize; 2],
    /// Paired outcomes, for right or wrong.
    pub flips: Option<PairedCounts>,
    /// McNemar's exact test for right or wrong, else what the decision table takes for these two.
    pub test: Option<Test>,
    pub p_adjusted: Option<f64>,
}

pub(super) fn on_samples<'a>(
    comparisons: &'a [Vec<Comparison<'a>>],
    options: stats::Options,
) -> Vec<OnSamples<'a>> {
    keys(comparisons).into_iter().filter_map(|key| one_metric(comparisons, key, options)).collect()
}

fn one_metric<'a>(
    comparisons: &'a [Vec<Comparison<'a>>],
    key: &'a CellKey,
    options: stats::Options,
) -> Option<OnSamples<'a>> {
    let mut paired: Vec<&Comparison<'_>> = comparisons
        .iter()
        .filter_map(|of_pair| open(of_pair, key))
        .filter(|one| one.paired().is_some())
        .collect();
    let first = *paired.first()?;
    let shared = first.cell.baseline.samples.as_ref()?.table;
    paired.retain(|one| {
        one.cell.baseline.samples.as_ref().is_some_and(|mine| std::ptr::eq(mine.table, shared))
    });
    if paired.len() + 1 < FEWEST_ARMS {
        return None;
    }
    let scores = SharedScores::new(&paired, shared)?;
    let pairs = scores.pairs(options);
    let against_baseline = scores.against_baseline();
    let p_max_t = against_baseline.as_ref().map(|found| &found.p);
    let ids = std::iter::once(first.pair.baseline.id.as_str())
        .chain(paired.iter().map(|one| one.pair.candidate.id.as_str()));
    let arms = ids
        .zip(&scores.arms)
        .enumerate()
        .map(|(position, (id, own))| ArmOnSamples {
            id,
            mean: own.iter().sum::<f64>() / own.len() as f64,
            p_max_t: position.checked_sub(1).and_then(|at| p_max_t?.get(at).copied()),
        })
        .collect();
    Some(OnSamples {
        key,
        spec: &first.cell.spec,
        arms,
        drawn_patterns: against_baseline.as_ref().and_then(|found| found.drawn_patterns),
        samples: scores.len() as u64,
        clusters: scores.clusters.as_ref().map(|of| distinct(of) as u64),
        omnibus: scores.omnibus(),
        pairs,
    })
}

/// Scores of every arm over the same samples.
struct SharedScores {
    /// One list for each arm, baseline first, all equally long and in the same order.
    arms: Vec<Vec<f64>>,
    /// Whether every score is right (1) or wrong (0).
    binary: bool,
    /// Cluster of each sample, when some clusters hold several.
    clusters: Option<Vec<u64>>,
}

impl SharedScores {
    /// The samples of the baseline with a score in every arm; `None` without any.
    fn new(paired: &[&Comparison<'_>], shared: &SampleTable) -> Option<Self> {
        let partners: Vec<Vec<Option<u32>>> = paired
            .iter()
            .map(|one| {
                let mut partner = vec![None; shared.len()];
                for &(a, b) in one.join().map_or(&[][..], |join| &join.pairs) {
                    partner[a as usize] = Some(b);
                }
                partner
            })
            .collect();
        let baseline = paired.first()?.cell.baseline.samples.as_ref()?;
        let candidates: Vec<&SampledSide<'_>> =
            paired.iter().filter_map(|one| one.cell.candidate.samples.as_ref()).collect();
        let binary = baseline.is_binary() && candidates.iter().all(|side| side.is_binary());
        let score = |side: &SampledSide<'_>, row: usize| {
            if binary {
                side.outcome(row).map(|right| f64::from(u8::from(right)))
            } else {
                side.score(row)
            }
        };
        let mut arms = vec![Vec::new(); candidates.len() + 1];
        let mut rows = Vec::new();
        for row in 0..shared.len() {
            let mut of_row = vec![score(baseline, row)];
            of_row.extend(
                candidates
                    .iter()
                    .zip(&partners)
                    .map(|(side, partner)| score(side, partner[row]? as usize)),
            );
            if let Some(of_row) = of_row.into_iter().collect::<Option<Vec<f64>>>() {
                rows.push(row);
                arms.iter_mut().zip(of_row).for_each(|(arm, score)| arm.push(score));
            }
        }
        let clusters = clusters(paired.first()?, &rows);
        (!rows.is_empty()).then_some(Self { arms, binary, clusters })
    }

    fn len(&self) -> usize {
        self.arms.first().map_or(0, Vec::len)
    }

    fn pairs(&self, options: stats::Options) -> Vec<PairOnSamples> {
        let positions = 0..self.arms.len();
        let both =
            positions.flat_map(|first| (first + 1..self.arms.len()).map(move |b| [first, b]));
        let tested: Vec<_> = both.map(|arms| (arms, self.tested(arms, options))).collect();
        let raw: Vec<f64> =
            tested.iter().filter_map(|(_, (_, test))| Some(test.as_ref()?.p)).collect();
        let mut adjusted = holm(&raw).into_iter();
        let pair = |(arms, (flips, test)): ([usize; 2], (_, Option<Test>))| {
            let p_adjusted = test.and_then(|_| adjusted.next());
            PairOnSamples { arms, flips, test, p_adjusted }
        };
        tested.into_iter().map(pair).collect()
    }

    /// Outcomes right or wrong are tested exactly: adjusted over many pairs, p-values are read far
    /// in the tail, where the mid-p variant promises nothing.
    fn tested(
        &self,
        arms: [usize; 2],
        options: stats::Options,
    ) -> (Option<PairedCounts>, Option<Test>) {
        let [first, second] = arms.map(|arm| self.arms[arm].as_slice());
        let flips = self.binary.then(|| {
            let mut counts = PairedCounts::default();
            first.iter().zip(second).for_each(|(a, b)| counts.add(*a == 1.0, *b == 1.0));
            counts
        });
        let test = match (&self.clusters, flips) {
            (Some(clusters), _) => {
                tested(&Design::PairedClustered(sums(first, second, clusters)), options)
            }
            (None, Some(counts)) => Some(Test {
                method: "mcnemar-exact",
                p: reportable_p(mcnemar_exact(counts)),
                statistic: None,
                attainable: None,
            }),
            (None, None) => {
                let mut differences = DifferenceSample::default();
                first.iter().zip(second).for_each(|(a, b)| differences.add(*a, *b));
                tested(&Design::PairedReal(differences), options)
            }
        };
        (flips, test)
    }

    fn omnibus(&self) -> Option<ChiSquaredTest> {
        if !self.binary || self.clusters.is_some() {
            return None;
        }
        let rows: Vec<Vec<f64>> =
            (0..self.len()).map(|row| self.arms.iter().map(|arm| arm[row]).collect()).collect();
        cochran_q(&rows)
    }

    /// Step-down max-T p-values of every candidate against the baseline, by joint sign flips of
    /// whole samples, or of whole clusters.
    fn against_baseline(&self) -> Option<AgainstBaseline> {
        let (baseline, candidates) = self.arms.split_first()?;
        let differences: Vec<Vec<f64>> = candidates
            .iter()
            .map(|candidate| match &self.clusters {
                Some(clusters) => sums(baseline, candidate, clusters)
                    .clusters
                    .into_iter()
                    .map(|(sum, _)| sum)
                    .collect(),
                None => {
                    baseline.iter().zip(candidate).map(|(a, b)| stats::difference(*a, *b)).collect()
                }
            })
            .collect();
        Some(AgainstBaseline::step_down(&differences))
    }
}

struct AgainstBaseline {
    p: Vec<f64>,
    drawn_patterns: Option<u64>,
}

impl AgainstBaseline {
    /// Of one column of differences for each candidate. Rows in which nothing differs have no sign
    /// to turn and are left out, so that few others are counted in full. No p lies below what the
    /// rows of its column could give, whatever was drawn.
    fn step_down(differences: &[Vec<f64>]) -> Self {
        let rows = differences.first().map_or(0, Vec::len);
        let moved: Vec<usize> =
            (0..rows).filter(|&row| differences.iter().any(|column| column[row] != 0.0)).collect();
        let columns: Vec<Vec<f64>> = differences
            .iter()
            .map(|column| moved.iter().map(|&row| column[row]).collect())
            .collect();
        let Some(MaxT { t, step_down: mut p, monte_carlo, .. }) = max_t(&columns) else {
            // A single sign can turn nowhere: its pattern and the opposite are as far from 0.
            return Self { p: vec![1.0; columns.len()], drawn_patterns: None };
        };
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by(|a, b| t[*b].total_cmp(&t[*a]));
        let mut before = 0.0_f64;
        for column in order {
            let signs = columns[column].iter().filter(|value| **value != 0.0).count();
            let attainable = (1.0 - signs as f64).exp2().min(1.0);
            before = before.max(p[column]).max(attainable);
            p[column] = before;
        }
        Self { p, drawn_patterns: monte_carlo.then_some(DRAWS as u64) }
    }
}

fn tested(design: &Design, options: stats::Options) -> Option<Test> {
    design.analyse(options)?.test
}

/// Cluster of each of these rows of the baseline, as the first pair of arms divides them, when some
/// hold several.
fn clusters(first: &Comparison<'_>, rows: &[usize]) -> Option<Vec<u64>> {
    let tables = first.pair.tables.get(first.cell.table?)?;
    let partition = tables.clusters.used.as_ref()?;
    let mut of_row = vec![None; tables.baseline.len()];
    for (&(row, _), &cluster) in tables.join.pairs.iter().zip(partition.pair_clusters()) {
        of_row[row as usize] = Some(u64::from(cluster));
    }
    let of_rows: Vec<u64> = rows.iter().filter_map(|&row| of_row[row]).collect();
    (of_rows.len() == rows.len() && distinct(&of_rows) < of_rows.len()).then_some(of_rows)
}

fn distinct(labels: &[u64]) -> usize {
    let mut labels = labels.to_vec();
    labels.sort_unstable();
    labels.dedup();
    labels.len()
}

fn sums(first: &[f64], second: &[f64], clusters: &[u64]) -> ClusterSums {
    let differences = first.iter().zip(second).map(|(a, b)| stats::difference(*a, *b));
    ClusterSums::summed(clusters.iter().zip(differences))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_all_arms_agree_on_do_not_matter() {
        let few = [vec![1.0, 1.0, 1.0, 1.0, -1.0], vec![1.0, 0.0, 0.0, -1.0, 1.0]];
        let among_many = few.clone().map(|mut column| {
            column.resize(500, 0.0);
            column
        });
        let (few, many) =
            (AgainstBaseline::step_down(&few), AgainstBaseline::step_down(&among_many));
        assert_eq!(few.p, many.p);
        assert_eq!(many.drawn_patterns, None, "5 signs are counted in full");
    }

    #[test]
    fn no_p_lies_below_what_the_signs_of_its_arm_could_give() {
        let mut often = vec![1.0; 40];
        often[0] = -1.0;
        let mut seldom = vec![0.0; 40];
        seldom[..3].fill(1.0);
        let found = AgainstBaseline::step_down(&[often, seldom]);
        assert_eq!(found.drawn_patterns, Some(9_999));
        assert!(found.p[1] >= 0.25, "2^-2 for three signs: {:?}", found.p);
    }

    #[test]
    fn a_single_sample_that_differs_shows_nothing() {
        for differences in [vec![vec![1.0, 0.0], vec![0.0, 0.0]], vec![vec![0.0; 9]; 2]] {
            assert_eq!(AgainstBaseline::step_down(&differences).p, [1.0, 1.0]);
        }
    }
}
