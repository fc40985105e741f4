//! Arms of several trainings: one figure for each run, or all their scores of the same samples.
//!
//! Owns which runs and samples enter and which design they make; the statistics of a design are
//! elsewhere.

use super::bounds::DifferenceReadings;
use super::crossed::{Crossed, Scores, mean};
use super::evidence::ComparisonEvidence;
use super::{CompareOptions, VerdictReason, WeighedFigures};
use crate::model::Run;
use crate::pairing::{
    ArmPair, CellPair, PairArm, PairPartition, PairedRunCell, PerArm, unanswered_parts,
};
use crate::stats::proportions::independent::{Arm, differ_beyond_chance};
use crate::stats::{self, Design, DifferenceSample, Moments};

/// Fewest trainings in an arm that allow the spread between seeds to be separated from that between
/// samples.
const FEWEST_CROSSED: usize = 3;

/// The same where samples come in clusters, whose spread two figures do not show.
const FEWEST_IN_CLUSTERS: usize = 2;

/// Fewer pairs of seeds cannot reach 0.05 by sign flips.
const FEWEST_PAIRED: usize = 6;

/// Share of the samples that some run lacks above which the samples that all have are too few to
/// speak for them.
const MOST_LOST: f64 = 0.05;

/// The trainings behind one cell.
#[derive(Debug, Clone)]
pub struct Seeds<'a> {
    /// The runs of the baseline and of the candidate, the lead first.
    pub arms: PerArm<Vec<SeedFigure<'a>>>,
    /// Pairs of runs with the same seed, where seeds are the pairs of the analysis.
    pub paired: Option<u64>,
    /// Samples that every run was scored on, where they are part of the analysis.
    pub items: Option<u64>,
    /// Whether every run of both arms has the same figure, and the same scores where known.
    pub all_equal: bool,
}

#[derive(Debug, Clone)]
pub struct SeedFigure<'a> {
    pub run: &'a Run,
    pub seed: Option<String>,
    /// Its figure in the unit of the cell: over the samples that all runs have where these are
    /// part of the analysis, else its own.
    pub value: Option<f64>,
    pub n: Option<u64>,
}

impl<'a> Seeds<'a> {
    pub fn arm(&self, which: PairArm) -> &[SeedFigure<'a>] {
        &self.arms[which]
    }

    pub fn moments(&self, which: PairArm) -> Moments {
        self.values(which).collect()
    }

    /// Mean over the runs of that arm that have a figure.
    pub fn mean(&self, which: PairArm) -> Option<f64> {
        let values: Vec<f64> = self.values(which).collect();
        (!values.is_empty()).then(|| mean(&values))
    }

    pub fn range(&self, which: PairArm) -> Option<(f64, f64)> {
        let lowest = self.values(which).reduce(f64::min)?;
        Some((lowest, self.values(which).reduce(f64::max)?))
    }

    /// Whether every run of both arms has a figure.
    pub(super) fn is_complete(&self) -> bool {
        self.arms.iter().flatten().all(|one| one.value.is_some())
    }

    fn values(&self, which: PairArm) -> impl Iterator<Item = f64> {
        self.arm(which).iter().filter_map(|one| one.value)
    }
}

/// What each run of both arms has for a cell, and their scores of the samples.
struct RunFigures<'p, 'a> {
    runs: PerArm<Vec<PairedRunCell<'p, 'a>>>,
    crossed: Option<Crossed>,
    /// The scores of the samples that every run has, where these are part of the analysis.
    shared: Option<Scores<f64>>,
}

/// What several trainings say about a cell.
pub(super) fn weigh<'a>(
    pair: &'a ArmPair<'a>,
    cell: &'a CellPair<'a>,
    options: &CompareOptions,
) -> WeighedFigures<'a> {
    let laid = lay_out(pair, cell);
    let mut seeds = laid.seeds(pair);
    let means = seeds.mean(PairArm::Baseline).zip(seeds.mean(PairArm::Candidate));
    let scale = cell.spec.unit.shown_scale();
    let delta = means.map(|(baseline, candidate)| (candidate - baseline) * scale);
    let design = laid.design(pair, cell.spec.range());
    if let Ok(Design::PairedSeeds(sample)) = &design {
        seeds.paired = Some(sample.differences.n);
    }
    let evidence = design.map(|design| ComparisonEvidence::new(design, &cell.spec));
    let analysis = evidence.as_ref().ok().and_then(|evidence| evidence.analysis(options));
    let readings = delta.filter(|_| evidence.is_ok());
    let readings = readings.and_then(|delta| {
        let found = laid.readings(pair, cell, delta);
        if laid.lacks_answers(cell) {
            return Some(found.unwrap_or_else(DifferenceReadings::complete).needs_answers());
        }
        found
    });
    WeighedFigures { delta, evidence, analysis, readings, seeds: Some(seeds) }
}

/// The design of one figure for each run of either arm, the lead first; `bound` is the largest
/// possible difference of two figures.
pub(super) fn figures_design(
    pair: &ArmPair<'_>,
    baseline: &[f64],
    candidate: &[f64],
    bound: Option<f64>,
) -> Design {
    match pair.seed_pairs().filter(|pairs| pairs.len() >= FEWEST_PAIRED) {
        Some(pairs) => {
            let mut sample = DifferenceSample::within(bound);
            for (a, b) in pairs {
                sample.add(baseline[a], candidate[b]);
            }
            Design::PairedSeeds(sample)
        }
        None => Design::IndependentSeeds {
            baseline: baseline.iter().copied().collect(),
            candidate: candidate.iter().copied().collect(),
        },
    }
}

fn lay_out<'p, 'a>(pair: &'p ArmPair<'a>, cell: &'p CellPair<'a>) -> RunFigures<'p, 'a> {
    let runs = PairArm::BOTH.map(|which| pair.run_cells(cell, which));
    let crossed = Crossed::new(cell, &runs);
    let is_clustered = crossed.as_ref().is_some_and(Crossed::is_clustered);
    let fewest = if is_clustered { FEWEST_IN_CLUSTERS } else { FEWEST_CROSSED };
    let shared = crossed.as_ref().and_then(|crossed| shared(crossed, &runs, fewest));
    RunFigures { runs, crossed, shared }
}

/// The scores of the samples that every run has, of so many runs in either arm, where they are most and
/// none is infinite.
fn shared(
    crossed: &Crossed,
    runs: &PerArm<Vec<PairedRunCell<'_, '_>>>,
    fewest: usize,
) -> Option<Scores<f64>> {
    let several = runs.iter().all(|arm| arm.len() >= fewest);
    let finite = runs.iter().flatten().filter_map(PairedRunCell::value).all(f64::is_finite);
    if several && finite { crossed.shared(MOST_LOST) } else { None }
}

/// The scores of a cell of several runs in both arms, to be divided in groups.
#[derive(Debug)]
pub(super) struct GroupableRuns {
    crossed: Crossed,
    shared: Scores<f64>,
}

impl GroupableRuns {
    pub(super) fn new(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Option<Self> {
        let runs = PairArm::BOTH.map(|which| pair.run_cells(cell, which));
        let crossed = Crossed::new(cell, &runs)?;
        let shared = shared(&crossed, &runs, FEWEST_IN_CLUSTERS)?;
        Some(Self { crossed, shared })
    }

    /// The scores of the samples that every run has, and the position of each among the pairs of the
    /// leads.
    pub(super) fn scores(&self) -> (&Scores<f64>, Vec<Option<u32>>) {
        (&self.shared, self.crossed.pairs().collect())
    }

    /// The difference of the means over the runs of each sample, behind the position of its pair.
    pub(super) fn differences(&self) -> Vec<(usize, f64)> {
        let [baseline, candidate] = &self.shared;
        let over_runs = |arm: &[Vec<f64>], item: usize| {
            arm.iter().map(|run| run[item]).sum::<f64>() / arm.len() as f64
        };
        let difference =
            |item| stats::difference(over_runs(baseline, item), over_runs(candidate, item));
        let items = self.crossed.pairs().enumerate();
        items.filter_map(|(item, pair)| Some((pair? as usize, difference(item)))).collect()
    }

    /// Seeds crossed with groups of samples.
    pub(super) fn by_groups(&self, groups: &PairPartition) -> Design {
        let [baseline, candidate] = self.crossed.by_groups(groups, self.shared.clone());
        Design::SeedsByItems { baseline, candidate }
    }
}

impl<'a> RunFigures<'_, 'a> {
    fn seeds(&self, pair: &ArmPair<'a>) -> Seeds<'a> {
        let figure = |which: PairArm, position: usize, run: &PairedRunCell<'_, 'a>| {
            let row = self.shared.as_ref().and_then(|shared| shared[which].get(position));
            SeedFigure {
                run: run.run,
                seed: pair.seed(which, position).map(str::to_owned),
                value: row.map_or_else(|| run.value(), |row| Some(mean(row))),
                n: row.map_or_else(|| run.side?.n(), |row| Some(row.len() as u64)),
            }
        };
        let arms = PairArm::BOTH.map(|which| {
            let runs = self.arm(which).iter().enumerate();
            runs.map(|(position, run)| figure(which, position, run)).collect()
        });
        Seeds { all_equal: self.all_equal(), arms, paired: None, items: self.items() }
    }

    fn arm(&self, which: PairArm) -> &[PairedRunCell<'_, 'a>] {
        &self.runs[which]
    }

    /// Samples that every run was scored on, where they are part of the analysis.
    fn items(&self) -> Option<u64> {
        let [baseline, _] = self.shared.as_ref()?;
        baseline.first().map(|run| run.len() as u64)
    }

    /// The figure of each run of an arm, when all have one.
    fn figures(&self, which: PairArm) -> Result<Vec<f64>, VerdictReason> {
        let values: Vec<Option<f64>> = self.arm(which).iter().map(PairedRunCell::value).collect();
        if values.iter().all(Option::is_none) {
            return Err(VerdictReason::MissingValue);
        }
        if values.iter().flatten().any(|value| value.is_infinite()) {
            return Err(VerdictReason::InfiniteScores);
        }
        values.into_iter().collect::<Option<_>>().ok_or(VerdictReason::SeedMissing)
    }

    fn design(&self, pair: &ArmPair<'_>, bound: Option<f64>) -> Result<Design, VerdictReason> {
        let (baseline, candidate) =
            (self.figures(PairArm::Baseline)?, self.figures(PairArm::Candidate)?);
        if baseline.len().min(candidate.len()) < 2 {
            return Err(VerdictReason::OneSeed);
        }
        Ok(match self.crossed.as_ref().zip(self.shared.clone()) {
            Some((crossed, shared)) => {
                let [baseline, candidate] = crossed.by_cluster(shared);
                Design::SeedsByItems { baseline, candidate }
            }
            None => figures_design(pair, &baseline, &candidate, bound),
        })
    }

    /// The same design over every sample that some run was asked, with what is missing against the
    /// candidate and for it.
    fn readings(
        &self,
        pair: &ArmPair<'_>,
        cell: &CellPair<'_>,
        delta: f64,
    ) -> Option<DifferenceReadings<'static>> {
        let bound = cell.spec.range();
        let crossed = self.crossed.as_ref()?;
        if bound.is_none() && !crossed.has_bounds() {
            return (crossed.lost() > 0).then(DifferenceReadings::open);
        }
        let (bounds, extremes) = crossed.readings(delta, cell.spec.unit.shown_scale())?;
        let design = |scores: Scores<f64>| {
            if self.shared.is_some() {
                let [baseline, candidate] = crossed.by_cluster(scores);
                return Design::SeedsByItems { baseline, candidate };
            }
            let [baseline, candidate] =
                scores.map(|arm| arm.iter().map(|run| mean(run)).collect::<Vec<f64>>());
            figures_design(pair, &baseline, &candidate, bound)
        };
        let extremes = extremes.map(|scores| ComparisonEvidence::new(design(scores), &cell.spec));
        Some(DifferenceReadings::from_extremes(bounds, extremes))
    }

    /// Whether the runs of one arm lack more answers than by chance.
    fn lacks_answers(&self, cell: &CellPair<'_>) -> bool {
        let samples = self.runs.each_ref().map(|arm| {
            let sides = arm.iter().filter_map(|run| run.side?.samples.as_ref());
            sides.collect::<Vec<_>>()
        });
        let parts = unanswered_parts(samples.each_ref().map(Vec::as_slice), &cell.spec);
        let differ = |parts: PerArm<(u64, u64)>| {
            let [before, after] = parts.map(|(count, n)| Arm { x: count as f64, n: n as f64 });
            differ_beyond_chance(before, after)
        };
        cell.has_good_side() && parts.is_some_and(differ)
    }

    fn all_equal(&self) -> bool {
        let mut figures = self.runs.iter().flatten().map(PairedRunCell::value);
        let Some(Some(first)) = figures.next() else { return false };
        let lost = self.runs.iter().flatten().any(|run| run.lost_share > 0.0);
        let mut rows = self.shared.iter().flatten().flatten();
        let first_row = rows.next();
        !lost
            && figures.all(|figure| figure == Some(first))
            && rows.all(|row| Some(row) == first_row)
    }
}
