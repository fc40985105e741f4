//! Cells to comparisons: difference, interval, test, verdict.
//!
//! Reads the grouping and does not know the checks; which cells must not get a verdict comes in
//! as a table.

pub mod aa;
mod evidence;
mod suite;
mod trend;
mod verdict;

pub use suite::{Suite, SuiteMean, suites};
pub use trend::{FEWEST_POINTS, LevelChange, NoTrend, Trend, TrendEstimate, trends};
pub use verdict::{Reason, Verdict};

use indexmap::IndexMap;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::diag::{Code, Diagnostic};
use crate::group::{ArmPair, Cell, Grouping, Join, Which};
use crate::model::Unit;
use crate::stats::{self, Analysis, Moments, Note, PairedCounts, multiplicity};

/// Choices of the comparison.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// Level and power.
    pub options: stats::Options,
    /// Equivalence margins by canonical metric name, in the unit of the difference (pp for rates).
    pub margins: IndexMap<String, f64>,
}

/// What the checks decided about one pair of arms before anything is compared.
#[derive(Debug, Clone, Default)]
pub struct Prejudged {
    /// For each cell the finding that takes its verdict.
    pub blocked: Vec<Option<Code>>,
    /// Nothing that was recorded differs, results included.
    pub identical: bool,
}

/// One cell compared.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The pair of arms.
    pub pair: &'a ArmPair<'a>,
    /// The cell.
    pub cell: &'a Cell<'a>,
    /// Candidate − baseline in the unit of the difference; `None` when a side is missing.
    pub delta: Option<f64>,
    /// What the statistics say, in the unit of the difference.
    pub analysis: Option<Analysis>,
    /// Level of the analysis' interval.
    pub alpha: f64,
    /// p adjusted for the family (Holm).
    pub p_adjusted: Option<f64>,
    /// Number of tests in the family.
    pub family: usize,
    /// Paired outcomes, for 0/1 scores.
    pub flips: Option<PairedCounts>,
    /// Whether a number of samples was inferred from a stated standard error.
    pub inferred_size: bool,
    /// Whether the arms do not differ in anything that was recorded.
    pub identical_arms: bool,
    /// Pairs whose scores entered the comparison; `None` when samples were not paired.
    pub paired: Option<u64>,
    /// Both figures over the pairs, when these are only part of the samples.
    over_pairs: Option<[f64; 2]>,
    /// Number of clusters, when the cluster is the unit of the analysis instead of the sample.
    pub clusters: Option<u64>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, where a verdict needs a reason.
    pub reason: Option<Reason>,
}

impl Comparison<'_> {
    /// How samples were matched, when they were.
    pub fn join(&self) -> Option<&Join> {
        let index = self.cell.table?;
        self.pair.tables.get(index).map(|tables| &tables.join)
    }

    /// Whether the difference covers only part of the samples behind the figures beside it.
    pub fn covers_part(&self) -> bool {
        let sizes = Which::BOTH.map(|which| self.cell.side(which).n());
        self.paired.is_some_and(|pairs| sizes.iter().any(|n| n.is_some_and(|n| n != pairs)))
    }

    /// The figure of an arm that the difference stands on: over the pairs where samples were
    /// paired, else the arm's own.
    pub fn figure(&self, which: Which) -> Option<f64> {
        match (self.over_pairs, which) {
            (Some([baseline, _]), Which::Baseline) => Some(baseline),
            (Some([_, candidate]), Which::Candidate) => Some(candidate),
            (None, _) => self.cell.side(which).value().value(),
        }
    }

    /// Largest part of the difference that samples without a partner could make up, in the unit of
    /// the difference; `None` where scores have no bounds.
    pub fn slack(&self) -> Option<f64> {
        let coverage = self.cell.coverage?;
        if coverage.lost() == 0 {
            return Some(0.0);
        }
        let (lo, hi) = self.cell.spec.bounds.filter(|(lo, hi)| (hi - lo).is_finite())?;
        Some(coverage.lost_share() * (hi - lo) * self.cell.spec.unit.shown_scale())
    }

    /// Difference as a share of the baseline; `None` when that is undefined.
    pub fn relative(&self) -> Option<f64> {
        let baseline = self.figure(Which::Baseline)? * self.cell.spec.unit.shown_scale();
        (baseline != 0.0).then_some(self.delta? / baseline.abs())
    }
}

/// Name of the unit of differences: `pp` for rates.
pub fn delta_unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Fraction | Unit::Percent => "pp",
        Unit::Count => "count",
        Unit::Seconds => "s",
        Unit::Tokens => "tokens",
        Unit::Dollars => "USD",
        Unit::Plain => "",
    }
}

/// Compares every cell of every pair of arms; one list for each pair, in cell order. All tests of
/// one call are one family.
pub fn compare<'a>(
    grouping: &'a Grouping<'a>,
    prejudged: &[Prejudged],
    choices: &Choices,
) -> Vec<Vec<Comparison<'a>>> {
    let mut comparisons: Vec<Vec<Comparison<'a>>> = grouping
        .pairs
        .iter()
        .map(|pair| pair.cells.par_iter().map(|cell| analyse(pair, cell, choices)).collect())
        .collect();
    for (of_pair, prejudged) in comparisons.iter_mut().zip(prejudged) {
        for (comparison, code) in of_pair.iter_mut().zip(&prejudged.blocked) {
            comparison.identical_arms = prejudged.identical;
            if let (Some(code), Some(_)) = (code, comparison.delta) {
                comparison.reason = Some(Reason::Blocked(*code));
            }
        }
    }
    adjust(&mut comparisons);
    for comparison in comparisons.iter_mut().flatten() {
        verdict::decide(comparison, choices);
    }
    comparisons
}

fn analyse<'a>(pair: &'a ArmPair<'a>, cell: &'a Cell<'a>, choices: &Choices) -> Comparison<'a> {
    let scale = cell.spec.unit.shown_scale();
    let plain = cell.baseline.value().value().zip(cell.candidate.value().value());
    let mut comparison = Comparison {
        pair,
        cell,
        delta: plain.map(|(baseline, candidate)| (candidate - baseline) * scale),
        analysis: None,
        alpha: choices.options.alpha,
        p_adjusted: None,
        family: 0,
        flips: None,
        identical_arms: false,
        inferred_size: false,
        paired: None,
        over_pairs: None,
        clusters: None,
        verdict: Verdict::NotAssessable,
        reason: None,
    };
    if plain.is_none() {
        comparison.reason = Some(Reason::MissingValue);
        return comparison;
    }
    match evidence::of(pair, cell) {
        Ok(evidence) => {
            comparison.analysis = evidence.analyse(choices.options);
            if let Some(analysis) = &mut comparison.analysis
                && evidence.paired().is_none()
                && !analysis.notes.contains(&Note::TreatedAsIndependent)
            {
                analysis.notes.push(Note::TreatedAsIndependent);
            }
            comparison.flips = evidence.flips();
            comparison.paired = evidence.paired();
            comparison.clusters = evidence.clusters();
            comparison.over_pairs =
                if comparison.covers_part() { means_over_pairs(pair, cell) } else { None };
            comparison.inferred_size = evidence.inferred_size();
            if let Some(analysis) = &comparison.analysis
                && comparison.paired.is_some()
            {
                comparison.delta = Some(analysis.delta);
            }
        }
        Err(reason) => comparison.reason = Some(reason),
    }
    comparison
}

/// Means of both arms over the pairs with a score in both.
fn means_over_pairs(pair: &ArmPair<'_>, cell: &Cell<'_>) -> Option<[f64; 2]> {
    let join = &pair.tables.get(cell.table?)?.join;
    let (mine, theirs) = (cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?);
    let mut arms = [Moments::default(); 2];
    for &(a, b) in &join.pairs {
        if let Some((before, after)) = mine.score(a as usize).zip(theirs.score(b as usize)) {
            let [baseline, candidate] = &mut arms;
            baseline.add(before);
            candidate.add(after);
        }
    }
    let [baseline, candidate] = arms;
    (baseline.n > 0).then_some([baseline.mean, candidate.mean])
}

/// Margins for metrics that no run has.
pub fn unused_margins(grouping: &Grouping<'_>, choices: &Choices) -> Vec<Diagnostic> {
    let known = |metric: &str| {
        grouping.pairs.iter().flat_map(|pair| &pair.cells).any(|cell| cell.key.metric == metric)
    };
    let unused = choices.margins.keys().filter(|metric| !known(metric));
    unused
        .map(|metric| {
            Diagnostic::new(Code::MarginUnused).metric(metric).with("metric", metric.as_str())
        })
        .collect()
}

/// Holm over two families: the tests that can lead to a verdict, and those that only describe a
/// change of a metric without a good side. Token counts must not cost accuracy its significance.
fn adjust(comparisons: &mut [Vec<Comparison<'_>>]) {
    for judged in [true, false] {
        let p_of = |comparison: &Comparison<'_>| {
            let belongs = comparison.cell.spec.direction.sign().is_some() == judged;
            let open = comparison.reason.is_none() && belongs;
            comparison.analysis.as_ref().and_then(|analysis| analysis.test).filter(|_| open)
        };
        let raw: Vec<f64> =
            comparisons.iter().flatten().filter_map(|one| p_of(one).map(|test| test.p)).collect();
        let mut adjusted = multiplicity::holm(&raw).into_iter();
        for comparison in comparisons.iter_mut().flatten() {
            if p_of(comparison).is_some() {
                comparison.p_adjusted = adjusted.next();
                comparison.family = raw.len();
            }
        }
    }
}
