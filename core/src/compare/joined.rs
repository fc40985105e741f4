//! Samples that both arms were asked: their scores, their clusters, and the designs they make.
//!
//! Knows which samples lack a score, and can put a score in their place; what to put there is
//! decided in `bounds.rs`.

use std::collections::BTreeMap;

use super::evidence::ComparisonEvidence;
use crate::model::MetricSpec;
use crate::pairing::{ArmPair, CellPair, LostAnswers, PairPartition, SampledSide, TablePair};
use crate::stats::signed_ranks::SignedRanks;
use crate::stats::{self, ClusterSums, Design, DifferenceSample, PairedCounts};

/// The joined samples of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joined<'c, 'a> {
    tables: &'c TablePair<'a>,
    pub(super) baseline: &'c SampledSide<'a>,
    pub(super) candidate: &'c SampledSide<'a>,
    pub(super) spec: &'c MetricSpec,
    /// Which pairs belong together; `None` when every pair stands for itself.
    clusters: Option<&'c PairPartition>,
}

/// One sample with a score in both arms, in the unit of the cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    baseline: f64,
    candidate: f64,
    cluster: Cluster,
}

/// One sample that either arm was asked.
#[derive(Debug, Clone, Copy)]
pub(super) enum AskedSample {
    /// By its position among the pairs.
    Pair(u32),
    /// In the baseline alone, by its row.
    Baseline(u32),
    /// In the candidate alone.
    Candidate(u32),
    /// Without a row that counts, by its number among these.
    SetAside(u32),
}

/// What a sample is clustered with. One without a partner is a cluster of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cluster {
    OfPair(u32),
    Baseline(u32),
    Candidate(u32),
    SetAside(u32),
}

impl<'c, 'a> Joined<'c, 'a> {
    /// The samples of a cell, when both arms have some and at least one pair of them matches.
    pub(super) fn new(pair: &'c ArmPair<'a>, cell: &'c CellPair<'a>) -> Option<Self> {
        let tables = pair.tables.get(cell.table?)?;
        let (baseline, candidate) =
            (cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?);
        let clusters = tables.clusters.used.as_ref();
        let joined = Self { tables, baseline, candidate, spec: &cell.spec, clusters };
        (!tables.join.pairs.is_empty()).then_some(joined)
    }

    /// Whether any pairs belong together.
    pub(super) fn is_clustered(self) -> bool {
        self.clusters.is_some()
    }

    /// The same samples in other clusters.
    pub(super) fn by(self, clusters: &'c PairPartition) -> Self {
        Self { clusters: Some(clusters), ..self }
    }

    /// The difference of each pair with a score in both arms, behind its position.
    pub(super) fn differences(self) -> Vec<(usize, f64)> {
        let rows = self.rows().enumerate();
        rows.filter_map(|(position, (.., scored))| Some((position, scored?.difference()))).collect()
    }

    /// The pairs with a score in both arms.
    pub(super) fn complete(self) -> impl Iterator<Item = Scored> + Clone {
        self.rows().filter_map(|(_, _, scored)| scored)
    }

    /// The rows of every pair in both tables, with the scores where both arms have one.
    pub(super) fn rows(self) -> impl Iterator<Item = (usize, usize, Option<Scored>)> + Clone {
        self.tables.join.pairs.iter().zip(0..).map(move |(&(a, b), position)| {
            let (a, b) = (a as usize, b as usize);
            let scores = self.baseline.score(a).zip(self.candidate.score(b));
            let cluster = self.cluster_of_pair(position);
            let scored = |(baseline, candidate)| Scored { baseline, candidate, cluster };
            (a, b, scores.map(scored))
        })
    }

    /// Every sample that either arm was asked, as the coverage of the cell counts them: pairs with
    /// a score or a failure, samples without partner, ids set aside, and samples that an arm set out
    /// to score and neither has.
    pub(super) fn asked(self) -> Vec<AskedSample> {
        let join = &self.tables.join;
        let mut asked: Vec<AskedSample> = Vec::with_capacity(join.pairs.len());
        let pairs = join.pairs.iter().zip(0..);
        let was_asked = |&(&(a, b), _): &(&(u32, u32), u32)| {
            self.tables.was_asked(self.baseline, a, self.candidate, b)
        };
        asked.extend(pairs.filter(was_asked).map(|(_, position)| AskedSample::Pair(position)));
        let paired = asked.len();
        let alone = |samples: &SampledSide<'_>, mut paired: Vec<u32>| -> Vec<u32> {
            if self.tables.subset.is_some() {
                return Vec::new();
            }
            paired.sort_unstable();
            let rows = samples.rows().map(|row| row as u32);
            rows.filter(|row| paired.binary_search(row).is_err()).collect()
        };
        let mine = alone(self.baseline, join.pairs.iter().map(|&(a, _)| a).collect());
        asked.extend(mine.into_iter().map(AskedSample::Baseline));
        let theirs = alone(self.candidate, join.pairs.iter().map(|&(_, b)| b).collect());
        asked.extend(theirs.into_iter().map(AskedSample::Candidate));
        let unpaired = (asked.len() - paired) as u64;
        let apart = join.baseline_only + join.candidate_only + 2 * join.quarantined;
        let facing = unpaired.saturating_sub(apart);
        // Samples of which neither arm has a record are read like ids that are set aside.
        let aside = facing as u32..(join.contradicted + self.tables.unseen()) as u32;
        asked.extend(aside.map(AskedSample::SetAside));
        asked
    }

    /// The row of a sample in the table of either arm.
    fn rows_of(self, asked: AskedSample) -> [Option<usize>; 2] {
        let rows = match asked {
            AskedSample::Pair(_) => {
                let rows = self.pair_of(asked);
                [rows.map(|rows| rows.0), rows.map(|rows| rows.1)]
            }
            AskedSample::Baseline(row) => [Some(row), None],
            AskedSample::Candidate(row) => [None, Some(row)],
            AskedSample::SetAside(_) => [None, None],
        };
        rows.map(|row| row.map(|row| row as usize))
    }

    pub(super) fn baseline_score(self, asked: AskedSample) -> Option<f64> {
        self.baseline.score(self.rows_of(asked)[0]?)
    }

    pub(super) fn candidate_score(self, asked: AskedSample) -> Option<f64> {
        self.candidate.score(self.rows_of(asked)[1]?)
    }

    /// The pairs with a score in both arms and an answer in both, where one arm lacks answers that the
    /// other has, see [`SampledSide::has_unanswered`]. What both lack moves nothing.
    pub(super) fn answered(self) -> Option<impl Iterator<Item = Scored> + Clone> {
        let has = [self.baseline, self.candidate].map(|side| side.has_unanswered(self.spec));
        let lacks = move |a: usize, b: usize| {
            [
                has[0] && self.baseline.table.is_unanswered(a),
                has[1] && self.candidate.table.is_unanswered(b),
            ]
        };
        let differs = |(a, b, _)| lacks(a, b)[0] != lacks(a, b)[1];
        (has != [false, false] && self.rows().any(differs)).then(|| {
            let answered = self.rows().filter(move |&(a, b, _)| lacks(a, b) == [false, false]);
            answered.filter_map(|(_, _, scored)| scored)
        })
    }

    /// What one arm lacks of the answers of the other to the same problems.
    pub(super) fn lost_answers(self) -> Option<LostAnswers<'a>> {
        self.tables.lost_answers()
    }

    /// The scores of a sample, with these in place of what either arm lacks: a score, or of those `lost`
    /// some of the answers of which it is the mean. Of what follows from the number of answers, as pass@k
    /// does, the whole score is open.
    pub(super) fn filled(
        self,
        asked: AskedSample,
        lost: Option<&LostAnswers<'_>>,
        fill: [f64; 2],
    ) -> [f64; 2] {
        let scores = [self.baseline_score(asked), self.candidate_score(asked)];
        let lost = lost.zip(self.pair_of(asked)).map_or([0.0; 2], |(lost, rows)| {
            let is_mean = self.baseline.is_mean_of_answers() && self.candidate.is_mean_of_answers();
            lost.share_of(rows).map(|share| if is_mean || share == 0.0 { share } else { 1.0 })
        });
        let filled = |arm: usize| {
            scores[arm].map_or(fill[arm], |score| score + lost[arm] * (fill[arm] - score))
        };
        [filled(0), filled(1)]
    }

    /// The rows of a sample that is a pair.
    fn pair_of(self, asked: AskedSample) -> Option<(u32, u32)> {
        let AskedSample::Pair(position) = asked else { return None };
        self.tables.join.pairs.get(position as usize).copied()
    }

    /// Whether the answers of baseline and candidate were cut at the length limit.
    pub(super) fn cut(self, asked: AskedSample) -> [bool; 2] {
        let [baseline, candidate] = self.rows_of(asked);
        [
            baseline.is_some_and(|row| self.baseline.is_truncated(row)),
            candidate.is_some_and(|row| self.candidate.is_truncated(row)),
        ]
    }

    /// The sample with these scores.
    pub(super) fn scored(self, asked: AskedSample, baseline: f64, candidate: f64) -> Scored {
        let cluster = match asked {
            AskedSample::Pair(position) => self.cluster_of_pair(position),
            AskedSample::Baseline(row) => Cluster::Baseline(row),
            AskedSample::Candidate(row) => Cluster::Candidate(row),
            AskedSample::SetAside(number) => Cluster::SetAside(number),
        };
        Scored { baseline, candidate, cluster }
    }

    /// The score that stands for right, where every score is right or wrong; the other is 0.
    pub(super) fn right(self) -> Option<f64> {
        // An arm without any right answer does not show how right is written.
        Some(self.baseline.right_score()?.max(self.candidate.right_score()?))
    }

    /// The best design that scores in both arms allow: clusters, outcomes, or real values.
    pub(super) fn evidence(
        self,
        scored: impl Iterator<Item = Scored> + Clone,
    ) -> Option<ComparisonEvidence> {
        let counted = || scored.clone().map(|one| (one.baseline, one.candidate, 1));
        let flips = self.right().map(|right| paired_counts(counted(), right));
        let bound = self.right().or_else(|| self.spec.range());
        let all_equal = scored.clone().all(|sample| sample.difference() == 0.0);
        let evidence = |design, pairs| {
            ComparisonEvidence::paired(design, pairs, (flips, bound, all_equal), self.spec)
        };
        if self.clusters.is_some() {
            let differences = scored.clone().map(|sample| (sample.cluster, sample.difference()));
            let sums = ClusterSums { bound, ..ClusterSums::summed(differences) };
            let pairs = sums.clusters.iter().map(|&(_, n)| n).sum();
            if sums.clusters.iter().map(|&(_, n)| n).max()? > 1 {
                return Some(evidence(Design::PairedClustered(sums), pairs));
            }
        }
        let outcomes = of_outcomes(counted(), &evidence, flips, self.spec);
        if outcomes.is_some() {
            return outcomes;
        }
        let mut differences = DifferenceSample::within(bound);
        for sample in scored {
            differences.add(sample.baseline, sample.candidate);
        }
        let pairs = differences.differences.n;
        (pairs >= 2).then(|| evidence(Design::PairedReal(differences), pairs))
    }

    /// Whether the pairs with finite scores point as `delta` does by their order and the other way by
    /// their mean: by more than twice its standard error for normal differences of their mean size,
    /// in which a few large ones do not hide behind the spread that they make.
    pub(super) fn finite_contradict(self, delta: f64) -> bool {
        let differences: Vec<f64> = self.complete().map(Scored::difference).collect();
        let scores = self.complete().flat_map(|one| [one.baseline.abs(), one.candidate.abs()]);
        let ranks = SignedRanks::new(&differences, scores.fold(0.0, f64::max));
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let size = differences.iter().map(|difference| difference.abs()).sum::<f64>() / n;
        // The mean size of normal values is √(2/π) of their standard deviation.
        let deviation = size * std::f64::consts::FRAC_PI_2.sqrt();
        (ranks.plus() - ranks.minus()) * delta.signum() > 0.0
            && mean * delta.signum() < 0.0
            && mean.abs() > 2.0 * deviation / n.sqrt()
    }

    /// What the order of the scores says by itself: signed ranks of the differences, of whole
    /// clusters where these count. Infinite scores are as large as they are; for a missing one of
    /// the candidate `lost` stands, for one of the baseline its opposite. Without it only samples
    /// with a score in both arms take part.
    pub(super) fn by_order(self, lost: Option<f64>) -> Option<ComparisonEvidence> {
        let (mut sums, mut scale) = (BTreeMap::<Cluster, f64>::new(), 0.0_f64);
        for asked in self.asked() {
            let [baseline, candidate] = self.rows_of(asked);
            let mine = baseline.and_then(|row| self.baseline.ranked_score(row));
            let theirs = candidate.and_then(|row| self.candidate.ranked_score(row));
            let [mine, theirs] = [mine.or(lost.map(|lost| -lost)), theirs.or(lost)];
            let Some((mine, theirs)) = mine.zip(theirs) else { continue };
            let apart = match mine.is_finite() && theirs.is_finite() {
                true => stats::difference(mine, theirs),
                false if mine == theirs => 0.0,
                false => theirs - mine,
            };
            let finite = [mine, theirs].into_iter().filter(|score| score.is_finite());
            scale = finite.map(f64::abs).fold(scale, f64::max);
            *sums.entry(self.scored(asked, mine, theirs).cluster).or_default() += apart;
        }
        // What is infinite in both directions is of no sign.
        let known = |sum: f64| if sum.is_nan() { 0.0 } else { sum };
        let differences: Vec<f64> = sums.into_values().map(known).collect();
        let all_equal = differences.iter().all(|apart| *apart == 0.0);
        let ranks = SignedRanks::new(&differences, scale);
        let pairs = Some(differences.len() as u64);
        (!differences.is_empty()).then(|| ComparisonEvidence {
            pairs,
            all_equal,
            ..ComparisonEvidence::new(Design::PairedRanks(ranks), self.spec)
        })
    }

    /// The cluster of the pair at that position; the pair itself where no clusters count.
    fn cluster_of_pair(self, position: u32) -> Cluster {
        let number =
            self.clusters.and_then(|clusters| clusters.pair_clusters().get(position as usize));
        Cluster::OfPair(number.copied().unwrap_or(position))
    }
}

impl Scored {
    /// The scores of baseline and candidate.
    pub(super) fn scores(self) -> (f64, f64) {
        (self.baseline, self.candidate)
    }

    /// The same sample with another change of score.
    pub(super) fn moving(self, change: f64) -> Self {
        Self { candidate: self.baseline + change, ..self }
    }

    /// A sample that scored nothing in either arm.
    #[cfg(test)]
    pub(super) fn nothing() -> Self {
        Self { baseline: 0.0, candidate: 0.0, cluster: Cluster::OfPair(0) }
    }

    /// Candidate − baseline; 0 where the scores are equal but for rounding.
    pub(super) fn difference(self) -> f64 {
        stats::difference(self.baseline, self.candidate)
    }
}

/// The lower and the higher of two scores, where pairs have no other: −1 and 1, or any that both arms have.
/// An arm of one score alone does not show that these are the only ones.
fn two_scores(scored: impl Iterator<Item = PairScores>) -> Option<[f64; 2]> {
    let (mut seen, mut ends) = ([[false; 2]; 2], Vec::with_capacity(2));
    for (baseline, candidate, _) in scored {
        for (arm, score) in [baseline, candidate].into_iter().enumerate() {
            let at = ends.iter().position(|end| *end == score).unwrap_or(ends.len());
            if at == ends.len() {
                ends.push(score);
            }
            *seen[arm].get_mut(at)? = true;
        }
    }
    let &[first, second] = &ends[..] else { return None };
    let ends = [first.min(second), first.max(second)];
    (ends == [-1.0, 1.0] || seen == [[true; 2]; 2]).then_some(ends)
}

pub(super) fn paired_counts(scored: impl Iterator<Item = PairScores>, right: f64) -> PairedCounts {
    let mut counts = PairedCounts::default();
    for (baseline, candidate, pairs) in scored {
        counts.add_pairs(baseline == right, candidate == right, pairs);
    }
    counts
}

/// Scores of baseline and candidate, and how many pairs have them.
pub(super) type PairScores = (f64, f64, u64);

/// The evidence of pairs that are right or wrong, or have no other than two scores; `None` for others.
pub(super) fn of_outcomes(
    scored: impl Iterator<Item = PairScores> + Clone,
    evidence: &impl Fn(Design, u64) -> ComparisonEvidence,
    flips: Option<PairedCounts>,
    spec: &MetricSpec,
) -> Option<ComparisonEvidence> {
    if let Some(counts) = flips {
        return (counts.n() > 0).then(|| evidence(Design::PairedBinary(counts), counts.n()));
    }
    let [wrong, right] = two_scores(scored.clone())?;
    let counts = paired_counts(scored, right);
    let scale = (right - wrong) * spec.unit.shown_scale();
    let outcomes = evidence(Design::PairedBinary(counts), counts.n());
    Some(ComparisonEvidence { scale, largest: Some(scale), ..outcomes })
}
