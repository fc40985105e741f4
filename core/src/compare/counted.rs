//! Samples that an engine counted: their scores with how often they occur, and the designs that these
//! make. The same evidence as of samples that were read, as far as counts and sums go.

use super::MeasuredCell;
use super::bounds::{Bounds, DifferenceReadings, wrong_and_right};
use super::evidence::ComparisonEvidence;
use super::joined::{PairScores, of_outcomes, paired_counts};
use crate::model::{
    ClusterTotals, Clustering, CountedGroup, MetricKind, MetricSpec, PairStatus, ScoreState,
    ScoreSums,
};
use crate::pairing::{
    ArmPair, CellPair, CountedCell, CountedSide, CountedTable, PairCounts, PairedRows,
};
use crate::stats::{
    ClusterClassSums, ClusterSums, Design, DifferenceSample, Moments, PowerSums, difference,
};

/// Clusters up to which each is written out, so that the sums of all can be counted exactly.
const MOST_CLUSTERS: u64 = 1_000_000;

/// The counted samples of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct CountedPairing<'c, 'a> {
    table: &'c CountedTable<'a>,
    cell: CountedCell<'a>,
    sides: [&'c CountedSide<'a>; 2],
    /// Whether samples that belong together count as such.
    is_clustered: bool,
    spec: &'c MetricSpec,
}

/// Scores that stand for missing ones of baseline and candidate, in the unit of the cell.
type Filled = [f64; 2];

/// Ids with scores, or with sums of these, of which some are filled in.
#[derive(Debug, Clone, Copy)]
struct Part {
    ids: u64,
    scores: [Option<f64>; 2],
    scored: [bool; 2],
    sums: Option<ScoreSums>,
}

impl<'c, 'a> CountedPairing<'c, 'a> {
    /// The samples of a cell, when both arms have some and at least one pair of them matches.
    pub(super) fn new(pair: &'c ArmPair<'a>, cell: &'c CellPair<'a>) -> Option<Self> {
        let counted = cell.counted?;
        let table = pair.counted.get(counted.table)?;
        let sides = [cell.baseline.counted.as_ref()?, cell.candidate.counted.as_ref()?];
        let is_clustered = pair.clustering != Clustering::Off;
        let counted = Self { table, cell: counted, sides, is_clustered, spec: &cell.spec };
        (table.counts.pairs > 0).then_some(counted)
    }

    /// The score that stands for right, where every score is right or wrong; the other is 0.
    fn right(self) -> Option<f64> {
        Some(self.sides[0].right_score()?.max(self.sides[1].right_score()?))
    }

    /// The part that a group is, in the unit of the cell.
    fn part(self, group: &CountedGroup) -> Part {
        let scale = self.sides.map(|side| side.scale);
        let scores = [0, 1].map(|arm| group.scores[arm].map(|score| score * scale[arm]));
        // Of one metric both arms are summed in one unit.
        let by = scale[0];
        let sums = group.sums.map(|sums| ScoreSums {
            scores: sums.scores.map(|sum| sum * by),
            squares: sums.squares.map(|sum| sum * by * by),
            differences: sums.differences * by,
            squared_differences: sums.squared_differences * by * by,
            cubed_differences: sums.cubed_differences * by * by * by,
            least: sums.least * by,
            most: sums.most * by,
            ..sums
        });
        let scored = group.scored.map(|state| state == ScoreState::Finite);
        Part { ids: group.ids, scores, scored, sums }
    }

    /// The pairs with a score in both arms; with scores for missing ones every sample that either arm was
    /// asked, as the coverage of the cell counts them.
    fn parts(self, filled: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        for group in &self.cell.scores.groups {
            let part = self.part(group);
            let is_pair = self.table.are_pairs(group.status);
            if !filled {
                let is_complete = part.scored == [true; 2];
                parts.extend(Some(part).filter(|_| is_pair && is_complete));
                continue;
            }
            match group.status {
                PairStatus::NoId => {}
                _ if is_pair => {
                    let asked = self.cell.was_asked(group, false);
                    parts.extend(Some(part).filter(|_| asked));
                }
                status => parts.extend(part.apart(status)),
            }
        }
        parts
    }

    /// Scores of both arms with how often they occur, missing ones filled in.
    fn counted(self, filled: Option<Filled>) -> Vec<PairScores> {
        let parts = self.parts(filled.is_some()).into_iter();
        let [mine, theirs] = filled.unwrap_or_default();
        let scores = |part: Part| {
            let [baseline, candidate] = part.scores;
            (baseline.unwrap_or(mine), candidate.unwrap_or(theirs), part.ids)
        };
        parts.map(scores).collect()
    }

    /// The best design that scores in both arms allow, missing ones filled in or left out.
    pub(super) fn evidence(self, filled: Option<Filled>) -> Option<ComparisonEvidence> {
        let right = self.right();
        let bound = right.or_else(|| self.spec.range());
        let [mine, theirs] = self.sides.map(|side| side.scale);
        let is_summed = self.cell.kind == MetricKind::Sums;
        if mine != theirs && (is_summed || !self.cell.scores.clusters.is_empty()) {
            // Differences were summed up of percentages and shares.
            return None;
        }
        if is_summed {
            return self.of_sums(filled, bound);
        }
        let counted = self.counted(filled);
        let scores = || counted.iter().copied();
        let flips = right.map(|right| paired_counts(scores(), right));
        let all_equal = scores().all(|(mine, theirs, _)| difference(mine, theirs) == 0.0);
        let evidence = |design, pairs| {
            ComparisonEvidence::paired(design, pairs, (flips, bound, all_equal), self.spec)
        };
        let pairs = scores().map(|(.., pairs)| pairs).sum();
        if let Some(design) = self.clusters(filled, bound) {
            return Some(evidence(design, pairs));
        }
        let outcomes = of_outcomes(scores(), &evidence, flips, self.spec);
        if outcomes.is_some() {
            return outcomes;
        }
        let sample = DifferenceSample::counted(&counted, bound);
        (pairs >= 2).then(|| evidence(Design::PairedReal(sample), pairs))
    }

    /// The same where only sums of scores are known.
    fn of_sums(self, filled: Option<Filled>, bound: Option<f64>) -> Option<ComparisonEvidence> {
        let mut arms = [PowerSums::default(); 2];
        let mut differences = PowerSums::default();
        let (mut others, mut ends) = (0, [f64::INFINITY, f64::NEG_INFINITY]);
        for part in self.parts(filled.is_some()) {
            let sums = part.filled(filled.unwrap_or_default());
            for (arm, own) in arms.iter_mut().enumerate() {
                own.n += part.ids;
                own.sum += sums.scores[arm];
                own.squares += sums.squares[arm];
            }
            differences.n += part.ids;
            differences.sum += sums.differences;
            differences.squares += sums.squared_differences;
            differences.cubes += sums.cubed_differences;
            others += sums.others;
            if sums.others > 0 {
                ends = [ends[0].min(sums.least), ends[1].max(sums.most)];
            }
        }
        let pairs = differences.n;
        let all_equal = others == 0;
        let evidence =
            |design| ComparisonEvidence::paired(design, pairs, (None, bound, all_equal), self.spec);
        if let Some(design) = self.clusters(filled, bound) {
            return Some(evidence(design));
        }
        let sample = DifferenceSample::summed(arms, differences, (others, ends), bound);
        (pairs >= 2).then(|| evidence(Design::PairedReal(sample)))
    }

    /// Sums of the differences in clusters, where some hold several pairs. A sample without a partner is a
    /// cluster of its own.
    fn clusters(self, filled: Option<Filled>, bound: Option<f64>) -> Option<Design> {
        let classes = &self.cell.scores.clusters;
        if !self.is_clustered || classes.is_empty() || self.table.counts.has_other_content() {
            return None;
        }
        let scale = self.sides[0].scale;
        let mut found = Vec::with_capacity(classes.len());
        for class in classes {
            let silent = class.silent[0] + if self.cell.decides { class.silent[1] } else { 0 };
            let [mine, theirs] = class.alone;
            let (size, moved) = match filled {
                None => (class.pairs, 0.0),
                Some([before, after]) => (
                    class.pairs + mine + theirs + silent,
                    mine as f64 * after - theirs as f64 * before + silent as f64 * (after - before),
                ),
            };
            let n = class.clusters as f64;
            let (sum, spread) = match class.sums {
                ClusterTotals::Each { complete, filled: all } => {
                    (if filled.is_some() { all } else { complete }, 0.0)
                }
                ClusterTotals::All { complete, filled: all } => {
                    let [sum, squares] = if filled.is_some() { all } else { complete };
                    (sum / n, (squares - sum * sum / n).max(0.0))
                }
            };
            let (sum, spread) = (sum * scale + moved, spread * scale * scale);
            found.extend((size > 0).then_some(ClusterClassSums {
                clusters: class.clusters,
                size,
                sum,
                spread,
            }));
        }
        if filled.is_some() {
            found.extend(self.alone(filled?));
        }
        if found.iter().map(|class| class.size).max()? <= 1 {
            return None;
        }
        let all: u64 = found.iter().map(|class| class.clusters).sum();
        let is_exact = self.cell.kind == MetricKind::Values && all <= MOST_CLUSTERS;
        let mut sums = ClusterSums { bound, ..ClusterSums::default() };
        if is_exact {
            for class in found {
                let alike = (0..class.clusters).map(|_| (class.sum, class.size));
                sums.clusters.extend(alike);
            }
        } else {
            sums.classes = found;
        }
        Some(Design::PairedClustered(sums))
    }

    /// Samples that are in no pair, as clusters of one.
    fn alone(self, filled: Filled) -> Vec<ClusterClassSums> {
        let groups = &self.cell.scores.groups;
        let apart = groups.iter().filter(|group| !self.table.are_pairs(group.status));
        let apart = apart.filter(|group| group.status != PairStatus::NoId);
        let parts = apart.flat_map(|group| self.part(group).apart(group.status));
        let class = |part: Part| {
            let sums = part.filled(filled);
            let n = part.ids as f64;
            let spread = sums.squared_differences - sums.differences * sums.differences / n;
            // Ids with equal scores differ by the same.
            let spread = if part.sums.is_some() { spread.max(0.0) } else { 0.0 };
            ClusterClassSums { clusters: part.ids, size: 1, sum: sums.differences / n, spread }
        };
        parts.map(class).collect()
    }

    /// Means of both arms over the pairs with a score in both.
    pub(super) fn means_over_pairs(self) -> Option<[f64; 2]> {
        let (mut sums, mut pairs) = ([0.0; 2], 0);
        for part in self.parts(false) {
            let own = part.filled([0.0; 2]);
            pairs += part.ids;
            sums = [sums[0] + own.scores[0], sums[1] + own.scores[1]];
        }
        (pairs > 0).then(|| sums.map(|sum| sum / pairs as f64))
    }

    /// How far samples without a score could move the difference; `None` where none is missing.
    pub(super) fn readings(
        self,
        cell: &CellPair<'_>,
        completed_only: f64,
    ) -> Option<DifferenceReadings<'static>> {
        let coverage = cell.coverage.filter(|coverage| coverage.lost() > 0)?;
        let Some((wrong, right)) = wrong_and_right(self.right(), cell) else {
            // The order of single samples would stand in, which counts do not have.
            return Some(DifferenceReadings::open());
        };
        let shown = cell.spec.unit.shown_scale();
        let mean = |filled: Filled| {
            let parts = self.parts(true);
            let ids: u64 = parts.iter().map(|part| part.ids).sum();
            let sum: f64 = parts.iter().map(|part| part.filled(filled).differences).sum();
            shown * sum / ids as f64
        };
        let bounds = Bounds {
            asked: coverage.eligible,
            lost: coverage.lost(),
            completed_only,
            all_wrong: mean([wrong, wrong]),
            all_right: mean([right, right]),
            worst: mean([right, wrong]),
            best: mean([wrong, right]),
            survives: None,
            truncation: None,
        };
        let extremes = [[right, wrong], [wrong, right]].map(|filled| self.evidence(Some(filled)));
        Some(match extremes {
            [Some(worst), Some(best)] => DifferenceReadings::from_extremes(bounds, [worst, best]),
            _ => DifferenceReadings::open(),
        })
    }
}

impl Part {
    /// Samples without a partner. Equal ids over other content are two of them.
    fn apart(self, status: PairStatus) -> Vec<Self> {
        match status {
            PairStatus::Other => vec![self.without(1), self.without(0)],
            _ => vec![self],
        }
    }

    /// The same samples in the other arm alone.
    fn without(mut self, arm: usize) -> Self {
        self.scores[arm] = None;
        self.scored[arm] = false;
        if let Some(sums) = &mut self.sums {
            sums.scores[arm] = 0.0;
            sums.squares[arm] = 0.0;
        }
        self
    }

    /// Sums over the part with scores in the place of missing ones.
    fn filled(self, filled: Filled) -> ScoreSums {
        let n = self.ids as f64;
        let Some(own) = self.sums else {
            let [x, y] = [0, 1].map(|arm| self.scores[arm].unwrap_or(filled[arm]));
            let d = difference(x, y);
            return ScoreSums {
                scores: [n * x, n * y],
                squares: [n * x * x, n * y * y],
                highest: [x, y],
                differences: n * d,
                squared_differences: n * d * d,
                cubed_differences: n * d * d * d,
                others: if d == 0.0 { 0 } else { self.ids },
                least: d,
                most: d,
            };
        };
        if self.scored == [true; 2] {
            return own;
        }
        // (y − x)² with one of them constant needs no more than the sums of the other.
        let scores =
            [0, 1].map(|arm| if self.scored[arm] { own.scores[arm] } else { n * filled[arm] });
        let squares = [0, 1].map(|arm| {
            let constant = n * filled[arm] * filled[arm];
            if self.scored[arm] { own.squares[arm] } else { constant }
        });
        let crossed = match self.scored {
            [true, false] => filled[1] * own.scores[0],
            [false, true] => filled[0] * own.scores[1],
            _ => n * filled[0] * filled[1],
        };
        ScoreSums {
            scores,
            squares,
            differences: scores[1] - scores[0],
            squared_differences: (squares[0] + squares[1] - 2.0 * crossed).max(0.0),
            others: self.ids,
            ..own
        }
    }
}

impl MeasuredCell<'_> {
    /// How samples fit together, when they were matched here or by an engine.
    pub fn pair_counts(&self) -> Option<PairCounts> {
        let counted = || Some(self.pair.counted.get(self.cell.counted?.table)?.counts);
        self.join().map(PairedRows::counts).or_else(counted)
    }
}

/// The moments of the scores of one arm.
pub(super) fn moments(side: &CountedSide<'_>) -> Moments {
    let own = side.scores.of_arm(side.arm);
    let own = own.filter(|group| group.scored[side.arm] == ScoreState::Finite);
    let scale = side.scale;
    if own.clone().any(|group| group.sums.is_some()) {
        let sums = own.fold(PowerSums::default(), |sum, group| {
            let own = group.sums.unwrap_or_default();
            PowerSums {
                n: sum.n + group.ids,
                sum: sum.sum + own.scores[side.arm] * scale,
                squares: sum.squares + own.squares[side.arm] * scale * scale,
                cubes: 0.0,
            }
        });
        return sums.moments();
    }
    Moments::counted(own.filter_map(|group| Some((group.scores[side.arm]? * scale, group.ids))))
}
