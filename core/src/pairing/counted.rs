//! Samples that an engine counted, beside each other: how many are pairs, and what either arm has of a
//! metric. There are no rows, so nothing here says which samples they are.

use std::collections::BTreeMap;

use super::arm_scores::{mean_of_infinite, right_of};
use super::content::{MOST_QUARANTINED, PairingProof};
use super::pair_arm::PairArm;
use super::partners::PairedRows;
use crate::model::{
    CountedGroup, CountedIds, CountedPairs, CountedScores, MetricKind, PairStatus, Run, ScoreState,
};

/// How the samples of two arms fit together, however that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairCounts {
    pub pairs: u64,
    /// Samples of the baseline without partner, contradicted ones apart.
    pub baseline_only: u64,
    pub candidate_only: u64,
    /// Ids that are set aside because their records contradict each other in at least one arm.
    pub contradicted: u64,
    /// Equal ids over different content: among the pairs where they are too many to be set aside.
    pub other_content: u64,
    /// How many of them were set aside: all or none.
    pub quarantined: u64,
    /// Pairs whose prompts differ although they are the same sample.
    pub prompt_differs: u64,
    /// What proves that partners are the same sample.
    pub proof: PairingProof,
}

impl PairCounts {
    /// Samples of either arm that are in no pair. Equal ids over different content are two samples, each
    /// without a partner.
    pub fn unpaired(&self) -> u64 {
        self.baseline_only + self.candidate_only + self.contradicted + 2 * self.quarantined
    }

    /// Whether too many of the equal ids stand over different content for any of them to be pairs.
    pub fn has_other_content(&self) -> bool {
        self.other_content > 0 && self.quarantined == 0
    }
}

impl PairedRows {
    pub fn counts(&self) -> PairCounts {
        PairCounts {
            pairs: self.pairs.len() as u64,
            baseline_only: self.baseline_only,
            candidate_only: self.candidate_only,
            contradicted: self.contradicted,
            other_content: self.content_differs.len() as u64,
            quarantined: self.quarantined,
            prompt_differs: self.prompt_differs,
            proof: self.proof,
        }
    }
}

/// The samples of one dataset in both arms.
#[derive(Debug, Clone)]
pub struct CountedTable<'a> {
    pub counted: &'a CountedPairs,
    pub counts: PairCounts,
    pub records: [CountedRecords; 2],
}

/// The records of one arm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountedRecords {
    /// Ids without contradiction.
    pub distinct: u64,
    /// Extra records whose id was seen before with equal scores.
    pub agreeing: u64,
    /// Ids whose records contradict each other, and their records.
    pub conflicting: u64,
    pub set_aside: u64,
}

impl CountedRecords {
    /// Samples that have a record, ids whose records contradict each other included.
    pub fn recorded(self) -> u64 {
        self.distinct + self.conflicting
    }

    fn of(counted: &CountedPairs, arm: usize) -> Self {
        let mut found = Self::default();
        for (status, own) in &counted.ids {
            let (present, records) = (own.present[arm], own.records[arm]);
            if *status == PairStatus::NoId {
                continue;
            }
            if status.is_torn(arm) {
                found.conflicting += present;
                found.set_aside += records;
            } else {
                found.distinct += present;
                found.agreeing += records.saturating_sub(present);
            }
        }
        found
    }
}

impl<'a> CountedTable<'a> {
    fn new(counted: &'a CountedPairs) -> Self {
        let none = CountedIds::default();
        let of = |status| counted.ids.get(&status).unwrap_or(&none);
        let ids = |status| of(status).ids;
        let [same, reworded, other] = [PairStatus::Pair, PairStatus::Reworded, PairStatus::Other];
        let matched = ids(same) + ids(reworded) + ids(other);
        let are_few = ids(other) as f64 <= MOST_QUARANTINED * matched as f64;
        let quarantined = if are_few { ids(other) } else { 0 };
        let pairs = matched - quarantined;
        let known = |of_ids: [u64; 2]| pairs > 0 && of_ids.iter().sum::<u64>() == pairs;
        let prompts = known([of(same).with_prompts, of(reworded).with_prompts]);
        let targets = known([of(same).with_targets, of(reworded).with_targets]);
        let proof = match (targets, prompts) {
            (true, true) if ids(reworded) == 0 => PairingProof::TargetAndPrompt,
            (true, _) => PairingProof::Target,
            (_, true) => PairingProof::Prompt,
            _ => PairingProof::IdOnly,
        };
        let conflicts = counted.ids.iter().filter(|(status, _)| status.is_conflict());
        Self {
            counted,
            counts: PairCounts {
                pairs,
                baseline_only: ids(PairStatus::OnlyA),
                candidate_only: ids(PairStatus::OnlyB),
                contradicted: conflicts.map(|(_, own)| own.ids).sum(),
                other_content: ids(other),
                quarantined,
                prompt_differs: ids(reworded),
                proof: if ids(other) > quarantined { PairingProof::IdOnly } else { proof },
            },
            records: [0, 1].map(|arm| CountedRecords::of(counted, arm)),
        }
    }

    /// Whether ids of that status are pairs.
    pub fn are_pairs(&self, status: PairStatus) -> bool {
        match status {
            PairStatus::Pair | PairStatus::Reworded => true,
            PairStatus::Other => self.counts.has_other_content(),
            _ => false,
        }
    }

    /// Whether every pair has the same score in both arms, or in none.
    pub(super) fn has_same_scores(&self, cell: &CountedCell<'_>) -> bool {
        let mut groups = cell.scores.groups.iter().filter(|group| self.are_pairs(group.status));
        groups.all(|group| {
            let [mine, theirs] = group.scores;
            let others = group.sums.map_or(0, |sums| sums.others);
            group.scored[0] == group.scored[1] && mine == theirs && others == 0
        })
    }

    pub fn missing(&self, which: PairArm) -> u64 {
        [self.counts.candidate_only, self.counts.baseline_only][which]
    }
}

/// The samples of both runs, where one file counts them.
pub(super) fn tables<'a>(baseline: &'a Run, candidate: &'a Run) -> Vec<CountedTable<'a>> {
    let arms = [baseline, candidate].map(|run| run.content.counted.as_ref());
    let [Some(mine), Some(theirs)] = arms else { return Vec::new() };
    if mine.arm == theirs.arm || !std::sync::Arc::ptr_eq(&mine.datasets, &theirs.datasets) {
        return Vec::new();
    }
    mine.datasets.iter().map(CountedTable::new).collect()
}

/// What a cell has of counts.
#[derive(Debug, Clone, Copy)]
pub struct CountedCell<'a> {
    /// Position in [`super::RunPair::counted`].
    pub table: usize,
    pub scores: &'a CountedScores,
    pub kind: MetricKind,
    /// Whether a pair without a score counts although it has one of another metric.
    pub decides: bool,
}

impl CountedCell<'_> {
    /// Whether a pair with these scores counts as asked.
    pub fn was_asked(&self, group: &CountedGroup, infinite_counts: bool) -> bool {
        group.scored.iter().any(|state| state.counts(infinite_counts))
            || self.decides
            || !group.elsewhere
    }
}

/// The scores of one arm for one metric.
#[derive(Debug, Clone)]
pub struct CountedSide<'a> {
    pub scores: &'a CountedScores,
    pub counted: &'a CountedPairs,
    pub arm: usize,
    /// Mean over the distinct samples with a score, in the unit of the metric; infinite where a score is that
    /// counts, NaN where such scores are.
    pub mean: f64,
    pub scored: u64,
    /// Those of them with an infinite score; 0 for scores with bounds.
    pub infinite: u64,
    pub unscored: u64,
    pub records: CountedRecords,
    largest: f64,
    outcomes: u64,
    hundreds: u64,
    pub scale: f64,
    written_infinite: u64,
}

impl<'a> CountedSide<'a> {
    /// The side of a metric; `None` where the arm has no score of it.
    pub(super) fn new(counted: &'a CountedPairs, place: usize, arm: usize) -> Option<Self> {
        let scores = counted.scores.get(place)?;
        let records = CountedRecords::of(counted, arm);
        let mut side = Self {
            scores,
            counted,
            arm,
            mean: 0.0,
            scored: 0,
            infinite: 0,
            unscored: 0,
            records,
            largest: f64::NEG_INFINITY,
            outcomes: 0,
            hundreds: 0,
            scale: 1.0,
            written_infinite: 0,
        };
        let mut sum = 0.0;
        let mut by_score = BTreeMap::<u64, u64>::new();
        for group in scores.of_arm(arm) {
            match group.scored[arm] {
                ScoreState::Absent => continue,
                ScoreState::Infinite => side.written_infinite += group.ids,
                ScoreState::Finite => side.scored += group.ids,
            }
            if let Some(sums) = group.sums {
                sum += sums.scores[arm];
                side.largest = side.largest.max(sums.highest[arm]);
            } else if let Some(score) = group.scores[arm] {
                // Whichever way equal scores are spread over groups, their sum is the same.
                *by_score.entry((score + 0.0).to_bits()).or_default() += group.ids;
            }
        }
        for (score, ids) in by_score {
            let score = f64::from_bits(score);
            sum += score * ids as f64;
            side.largest = side.largest.max(score);
            side.outcomes += if score == 0.0 || score == 1.0 { ids } else { 0 };
            side.hundreds += if score == 0.0 || score == 100.0 { ids } else { 0 };
        }
        side.unscored = records.distinct.saturating_sub(side.scored);
        side.mean = if side.scored > 0 { sum / side.scored as f64 } else { 0.0 };
        (side.scored + side.written_infinite > 0).then_some(side)
    }

    /// The score that stands for right when there are only two, in the unit of the cell.
    pub fn right_score(&self) -> Option<f64> {
        let right = right_of(self.outcomes == self.scored, self.hundreds == self.scored)?;
        Some(right * self.scale)
    }

    /// Right samples of all scored ones; only for outcomes that are right or wrong.
    pub fn right_count(&self) -> Option<u64> {
        Some((self.mean / self.right_score()? * self.scored as f64).round() as u64)
    }

    /// Whether the scores are not all one.
    pub fn varies(&self) -> bool {
        let own =
            self.scores.groups.iter().filter(|group| group.scored[self.arm] == ScoreState::Finite);
        let mut scores = own.clone().map(|group| group.scores[self.arm]);
        let first = scores.next();
        let is_listed = own.clone().all(|group| group.sums.is_none());
        if is_listed { scores.any(|score| Some(score) != first) } else { self.scored > 1 }
    }

    pub(super) fn largest(&self) -> f64 {
        self.largest
    }

    pub(super) fn has_outcomes(&self) -> bool {
        let most = self.largest == 1.0 && 2 * self.outcomes > self.scored;
        self.right_score() == Some(1.0) || most
    }

    pub(super) fn rescale(&mut self, scale: f64) {
        self.scale = scale;
        self.mean *= scale;
    }

    /// Takes infinite scores for results, because the metric has no bounds. Of both signs or one, counts
    /// do not say which.
    pub(super) fn count_infinite(&mut self) {
        self.infinite = self.written_infinite;
        if self.infinite > 0 {
            self.scored += self.infinite;
            self.unscored = self.unscored.saturating_sub(self.infinite);
            self.mean = mean_of_infinite(self.infinite, self.infinite);
        }
    }
}
