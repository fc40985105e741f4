//! Data sets without a difference, made from the samples at hand by giving out labels anew.

use std::collections::BTreeSet;

use crate::compare::joined::{Joined, Scored};
use crate::compare::{evidence, joined};
use crate::group::{ArmPair, Cell, OwnClusters, SideSamples, own_clusters};
use crate::stats::resampling::random::Stream;
use crate::stats::{ClusterSums, Counts, Design, DifferenceSample, Moments, PairedCounts};

/// How labels are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relabelling {
    /// The two arms' labels are swapped, or not, within each pair.
    SwappedPairs,
    /// The two arms' labels are swapped, or not, within each cluster of pairs.
    SwappedClusters,
    /// The samples of both arms are put together and given to arms of the same sizes.
    RedrawnSamples,
    /// The clusters of both arms are put together and given to arms of as many.
    RedrawnClusters,
    /// The answers to each problem are given to two arms.
    SplitAnswers {
        /// Answers in each arm.
        in_arm: usize,
        /// Answers that there are.
        of: usize,
    },
    /// The samples of a run are split into halves.
    SplitSamples,
    /// The clusters of a run are split into halves.
    SplitClusters,
}

/// The samples of one cell, ready to be relabelled.
#[derive(Debug)]
pub(super) struct Null {
    pub(super) relabelling: Relabelling,
    /// Pairs, clusters, problems or samples that labels are given to.
    pub(super) n: usize,
    data: Data,
}

/// What labels are given to.
#[derive(Debug)]
enum Data {
    /// Pairs with outcomes 0 or 1: only discordant ones have labels that matter.
    Outcomes(PairedCounts),
    /// Pairs with scores.
    Scores(Vec<(f64, f64)>),
    /// Clusters of pairs.
    Clusters(ClusterSums),
    /// Problems with several answers.
    Answers(Answers),
    /// Samples, of which the first arm gets `first`.
    Samples { scores: Vec<f64>, first: usize, right: Option<f64> },
    /// Clusters of samples, of which the first arm gets `first`.
    Units { sums: Vec<(f64, u64)>, first: usize },
}

/// Answers to problems, `of` to each, `in_arm` of which go to either arm.
#[derive(Debug)]
struct Answers {
    scores: Vec<f64>,
    in_arm: usize,
    of: usize,
    /// The cluster of each problem, where one holds several.
    clusters: Option<Vec<(u64, usize)>>,
    right: Option<f64>,
}

impl Null {
    /// The samples of two arms. `None` when the comparison stands on something else.
    pub(super) fn of_two(pair: &ArmPair<'_>, cell: &Cell<'_>) -> Option<Self> {
        let (mine, theirs) = (cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?);
        let evidence = evidence::of(pair, cell).ok()?;
        let (relabelling, n, data) = match evidence.design() {
            Design::PairedBinary(counts) => {
                (Relabelling::SwappedPairs, counts.n() as usize, Data::Outcomes(*counts))
            }
            Design::PairedClustered(sums) => {
                let n = sums.clusters.len();
                (Relabelling::SwappedClusters, n, Data::Clusters(sums.clone()))
            }
            Design::PairedReal(_) => {
                let pairs = Joined::of(pair, cell)?.complete();
                let scores: Vec<(f64, f64)> = pairs.map(Scored::scores).collect();
                (Relabelling::SwappedPairs, scores.len(), Data::Scores(scores))
            }
            Design::IndependentBinary { .. } | Design::IndependentReal { .. } => {
                let mut scores: Vec<f64> = mine.scores().collect();
                let first = scores.len();
                scores.extend(theirs.scores());
                let right = right_of(&scores.iter());
                let n = scores.len();
                (Relabelling::RedrawnSamples, n, Data::Samples { scores, first, right })
            }
            Design::IndependentClustered { baseline, candidate } => {
                let first = baseline.clusters.len();
                let sums = [&baseline.clusters[..], &candidate.clusters[..]].concat();
                (Relabelling::RedrawnClusters, sums.len(), Data::Units { sums, first })
            }
            Design::ReportedRates { .. }
            | Design::SeedsByItems { .. }
            | Design::PairedSeeds(_)
            | Design::IndependentSeeds { .. } => return None,
        };
        Some(Self { relabelling, n, data })
    }

    /// The samples of one run, split at random. `None` without two that have a score.
    pub(super) fn of_one(pair: &ArmPair<'_>, cell: &Cell<'_>) -> Option<Self> {
        let samples = cell.baseline.samples.as_ref()?;
        let own = own_clusters(samples, &pair.clustering);
        let (relabelling, n, data) = if let Some(answers) = Answers::of(samples, own) {
            let Answers { in_arm, of, .. } = answers;
            let n = answers.scores.len() / of;
            (Relabelling::SplitAnswers { in_arm, of }, n, Data::Answers(answers))
        } else if let Some(sums) = clusters(samples, own) {
            let (n, first) = (sums.len(), sums.len() / 2);
            (Relabelling::SplitClusters, n, Data::Units { sums, first })
        } else {
            let scores: Vec<f64> = samples.scores().collect();
            let (n, first, right) = (scores.len(), scores.len() / 2, right_of(&scores.iter()));
            (Relabelling::SplitSamples, n, Data::Samples { scores, first, right })
        };
        (n >= 2).then_some(Self { relabelling, n, data })
    }

    /// Whether labels make no difference, because what they are given to is equal.
    pub(super) fn is_constant(&self) -> bool {
        match &self.data {
            Data::Outcomes(counts) => counts.discordant() == 0,
            Data::Scores(pairs) => pairs.iter().all(|(before, after)| before == after),
            Data::Clusters(sums) => sums.clusters.iter().all(|(sum, _)| *sum == 0.0),
            Data::Answers(answers) => answers.problems().all(equal),
            Data::Samples { scores, .. } => equal(scores),
            Data::Units { sums, .. } => {
                sums.iter().map(|&(sum, n)| sum / n as f64).is_sorted_by(|a, b| a == b)
            }
        }
    }

    /// The design of one relabelled data set.
    pub(super) fn relabelled(&self, draws: &mut Stream) -> Design {
        match &self.data {
            Data::Outcomes(counts) => Design::PairedBinary(swapped_outcomes(*counts, draws)),
            Data::Scores(pairs) => {
                let mut differences = DifferenceSample::default();
                for &(before, after) in pairs {
                    let swapped = heads(draws);
                    let (before, after) = if swapped { (after, before) } else { (before, after) };
                    differences.add(before, after);
                }
                Design::PairedReal(differences)
            }
            Data::Clusters(sums) => {
                let swap = |&(sum, n): &(f64, u64)| (if heads(draws) { -sum } else { sum }, n);
                Design::PairedClustered(ClusterSums {
                    clusters: sums.clusters.iter().map(swap).collect(),
                })
            }
            Data::Answers(answers) => answers.split(draws),
            Data::Samples { scores, first, right } => {
                split(scores, [*first, scores.len() - first], *right, draws)
            }
            Data::Units { sums, first } => split_clusters(sums, *first, draws),
        }
    }
}

impl Answers {
    /// The answers to each problem, where there are several. A problem with an answer that has no
    /// score is left out, as it is from a comparison, and so is one with fewer answers than most.
    fn of(samples: &SideSamples<'_>, known: Option<OwnClusters<'_>>) -> Option<Self> {
        let answers = samples.table.answers_behind(samples.column)?;
        let of = samples.table.repeats() as usize;
        let (mut scores, mut clusters) = (Vec::new(), Vec::new());
        let mut first = 0;
        for (row, &count) in samples.table.answers()?.counts().iter().enumerate() {
            let own = first..first + count as usize;
            first = own.end;
            let all = own.map(|answer| answers.get(answer).filter(|_| count as usize == of));
            if let Some(all) = all.collect::<Option<Vec<f64>>>() {
                scores.extend(all);
                clusters.push(known.map_or((0, row), |known| known.of_row(row)));
            }
        }
        let several = clusters.iter().collect::<BTreeSet<_>>().len() < clusters.len();
        let right = right_of(&scores.iter());
        Some(Self { scores, in_arm: of / 2, of, clusters: several.then_some(clusters), right })
    }

    fn problems(&self) -> impl Iterator<Item = &[f64]> {
        self.scores.chunks(self.of)
    }

    /// The design that a comparison of the two arms would have.
    fn split(&self, draws: &mut Stream) -> Design {
        let pairs = self.problems().map(|problem| self.means_of_arms(problem, draws));
        match (&self.clusters, self.right.filter(|_| self.in_arm == 1)) {
            (Some(clusters), _) => {
                let differences = pairs.map(|[before, after]| after - before);
                Design::PairedClustered(joined::sums_of(clusters.iter().zip(differences)))
            }
            (None, Some(right)) => {
                let mut counts = PairedCounts::default();
                pairs.for_each(|[before, after]| counts.add(before == right, after == right));
                Design::PairedBinary(counts)
            }
            (None, None) => {
                let mut differences = DifferenceSample::default();
                pairs.for_each(|[before, after]| differences.add(before, after));
                Design::PairedReal(differences)
            }
        }
    }

    /// The means of two arms to which answers of one problem are given. An odd answer goes to none.
    fn means_of_arms(&self, problem: &[f64], draws: &mut Stream) -> [f64; 2] {
        let mut sums = [0.0; 2];
        give_out(problem.iter(), [self.in_arm; 2], draws, |arm, score| {
            if let Some(sum) = sums.get_mut(arm) {
                *sum += score;
            }
        });
        sums.map(|sum| sum / self.in_arm as f64)
    }
}

/// Gives `wanted` things to two arms, every choice as likely as any other, in one pass (selection
/// sampling; Fan, Muller and Rezucha 1962).
fn give_out<T>(
    things: impl ExactSizeIterator<Item = T>,
    wanted: [usize; 2],
    draws: &mut Stream,
    mut take: impl FnMut(usize, T),
) {
    let mut left = things.len();
    let [mut first, mut second] = wanted;
    for thing in things {
        let drawn = draws.below(left);
        left -= 1;
        if drawn < first {
            first -= 1;
            take(0, thing);
        } else if drawn < first + second {
            second -= 1;
            take(1, thing);
        }
    }
}

/// The independent design of samples given to two arms.
fn split(scores: &[f64], wanted: [usize; 2], right: Option<f64>, draws: &mut Stream) -> Design {
    let mut moments = [Moments::default(); 2];
    let mut counts = [Counts { x: 0, n: 0 }; 2];
    give_out(scores.iter(), wanted, draws, |arm, score| match right {
        Some(right) => {
            if let Some(counts) = counts.get_mut(arm) {
                counts.x += u64::from(*score == right);
                counts.n += 1;
            }
        }
        None => {
            if let Some(moments) = moments.get_mut(arm) {
                moments.add(*score);
            }
        }
    });
    if right.is_some() {
        let [baseline, candidate] = counts;
        Design::IndependentBinary { baseline, candidate }
    } else {
        let [baseline, candidate] = moments;
        Design::IndependentReal { baseline, candidate }
    }
}

/// The design of clusters given to two arms, `first` of them to the first.
fn split_clusters(sums: &[(f64, u64)], first: usize, draws: &mut Stream) -> Design {
    let mut arms = [ClusterSums::default(), ClusterSums::default()];
    give_out(sums.iter(), [first, sums.len() - first], draws, |arm, sum| {
        if let Some(arm) = arms.get_mut(arm) {
            arm.clusters.push(*sum);
        }
    });
    let [baseline, candidate] = arms;
    Design::IndependentClustered { baseline, candidate }
}

fn swapped_outcomes(counts: PairedCounts, draws: &mut Stream) -> PairedCounts {
    let discordant = counts.discordant();
    let gained = (0..discordant).filter(|_| heads(draws)).count() as u64;
    PairedCounts { gained, lost: discordant - gained, ..counts }
}

fn heads(draws: &mut Stream) -> bool {
    draws.below(2) == 1
}

/// Sum and count of the scores of each cluster, where one holds several samples.
fn clusters(samples: &SideSamples<'_>, own: Option<OwnClusters<'_>>) -> Option<Vec<(f64, u64)>> {
    let own = own?;
    let scored = samples.rows().filter_map(|row| Some((own.of_row(row), samples.score(row)?)));
    let sums = joined::sums_of(scored).clusters;
    sums.iter().any(|&(_, n)| n > 1).then_some(sums)
}

/// The score that stands for right when there are only two: 0 and 1, or 0 and 100.
fn right_of<'a>(scores: &(impl Iterator<Item = &'a f64> + Clone)) -> Option<f64> {
    let only = |right: f64| scores.clone().all(|&score| score == 0.0 || score == right);
    [1.0, 100.0].into_iter().find(|right| only(*right))
}

fn equal(scores: &[f64]) -> bool {
    scores.is_sorted_by(|a, b| a == b)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_way_to_give_two_of_four_answers_is_equally_likely() {
        let mut seen = BTreeMap::<Vec<usize>, u32>::new();
        let mut draws = Stream::named(&[1, 2, 3]);
        for _ in 0..6_000 {
            let mut arms = vec![2; 4];
            give_out(0..4, [1, 1], &mut draws, |arm, answer| arms[answer] = arm);
            *seen.entry(arms).or_default() += 1;
        }
        // 4·3 ways; five standard deviations of a count with mean 500: 5·√(6,000·11/144) = 107.
        assert_eq!(seen.len(), 12);
        assert!(seen.values().all(|count| count.abs_diff(500) < 107), "{seen:?}");
    }

    #[test]
    fn relabelled_outcomes_keep_what_both_arms_agree_about() {
        let counts = PairedCounts { both_right: 5, gained: 30, lost: 2, both_wrong: 7 };
        let mut draws = Stream::named(&[]);
        for _ in 0..20 {
            let swapped = swapped_outcomes(counts, &mut draws);
            assert_eq!((swapped.both_right, swapped.both_wrong), (5, 7));
            assert_eq!(swapped.discordant(), 32);
        }
    }

    #[test]
    fn answers_are_split_within_their_problem_and_an_odd_one_is_left_out() {
        let answers = |of, scores: &[f64]| Answers {
            scores: scores.to_vec(),
            in_arm: of / 2,
            of,
            clusters: None,
            right: right_of(&scores.iter()),
        };
        let mut draws = Stream::named(&[]);
        let design = answers(3, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]).split(&mut draws);
        let counts = PairedCounts { both_right: 1, both_wrong: 1, ..PairedCounts::default() };
        assert_eq!(design, Design::PairedBinary(counts));
        let Design::PairedReal(differences) = answers(4, &[1.0, 1.0, 1.0, 0.0]).split(&mut draws)
        else {
            panic!("two answers in an arm are a mean")
        };
        assert_eq!(differences.differences.mean.abs(), 0.5);
    }
}
