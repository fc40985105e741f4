//! Studies without a difference, made from the samples at hand: units are drawn with replacement,
//! as a new study would draw them, and labels are given out at random.
//!
//! With the units of the run itself the totals would stay as they are, and a discrete test has
//! another true level at each total.

use std::collections::BTreeMap;

use crate::compare::joined::{Joined, Scored};
use crate::compare::measure::best_evidence;
use crate::pairing::{ArmPair, CellPair, SampledSide, UnpairedClusters, side_clusters};
use crate::stats::resampling::random::RandomStream;
use crate::stats::{self, ClusterSums, Counts, Design, DifferenceSample, Moments, PairedCounts};

/// How labels are given out in a new study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relabelling {
    /// The two arms' labels are swapped, or not, within each pair.
    SwappedPairs,
    /// The two arms' labels are swapped, or not, within each cluster of pairs.
    SwappedClusters,
    /// Arms of the same sizes are drawn from the samples of both arms together.
    RedrawnSamples,
    /// Arms of as many clusters are drawn from those of both arms together.
    RedrawnClusters,
    /// The answers to each problem are given to two arms.
    SplitAnswers {
        /// Answers in each arm.
        in_arm: usize,
        of: usize,
    },
    /// Two halves are drawn from the samples of a run.
    SplitSamples,
    /// Two halves are drawn from the clusters of a run.
    SplitClusters,
}

/// The samples of one cell, from which studies are made.
#[derive(Debug)]
pub(super) struct Null {
    pub(super) relabelling: Relabelling,
    /// Pairs, clusters, problems or samples in a study.
    pub(super) n: usize,
    data: Data,
}

/// What labels are given to.
#[derive(Debug)]
enum Data {
    /// Pairs with outcomes 0 or 1.
    Outcomes(PairedCounts),
    Scores(Vec<(f64, f64)>),
    Clusters(ClusterSums),
    Answers(Answers),
    /// Samples, of which the first arm gets `first`.
    Samples {
        scores: Vec<f64>,
        first: usize,
        right: Option<f64>,
    },
    /// Clusters of samples, of which the first arm gets `first`.
    Units {
        sums: Vec<(f64, u64)>,
        first: usize,
    },
}

/// Answers to problems, `of` to each, `in_arm` of which go to either arm.
#[derive(Debug)]
struct Answers {
    scores: Vec<f64>,
    in_arm: usize,
    of: usize,
    /// The problems of each cluster, where one holds several.
    clusters: Option<Vec<Vec<usize>>>,
    right: Option<f64>,
}

impl Null {
    /// The samples of two arms. `None` when the comparison stands on something else.
    pub(super) fn between_arms(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Option<Self> {
        let (mine, theirs) = (cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?);
        let evidence = best_evidence(pair, cell).ok()?;
        let (relabelling, n, data) = match &evidence.design {
            Design::PairedBinary(counts) => {
                (Relabelling::SwappedPairs, counts.n() as usize, Data::Outcomes(*counts))
            }
            Design::PairedClustered(sums) => {
                let n = sums.clusters.len();
                (Relabelling::SwappedClusters, n, Data::Clusters(sums.clone()))
            }
            Design::PairedReal(_) => {
                let pairs = Joined::new(pair, cell)?.complete();
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
            Design::PairedRanks(_)
            | Design::ReportedMeans { .. }
            | Design::ReportedRates { .. }
            | Design::SeedsByItems { .. }
            | Design::PairedSeeds(_)
            | Design::IndependentSeeds { .. } => return None,
        };
        Some(Self { relabelling, n, data })
    }

    /// The samples of one run, split at random. `None` without two that have a score.
    pub(super) fn within_arm(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Option<Self> {
        let samples = cell.baseline.samples.as_ref()?;
        let own = side_clusters(samples, &pair.clustering);
        let (relabelling, n, data) = if let Some(answers) = Answers::collect(samples, own) {
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

    /// The design of one new study.
    pub(super) fn study(&self, draws: &mut RandomStream) -> Design {
        match &self.data {
            Data::Outcomes(counts) => Design::PairedBinary(outcomes(*counts, draws)),
            Data::Scores(pairs) => {
                let mut differences = DifferenceSample::default();
                for &(before, after) in drawn(pairs, pairs.len(), draws) {
                    let swapped = heads(draws);
                    let (before, after) = if swapped { (after, before) } else { (before, after) };
                    differences.add(before, after);
                }
                Design::PairedReal(differences)
            }
            Data::Clusters(sums) => {
                let clusters = drawn(&sums.clusters, sums.clusters.len(), draws).into_iter();
                let swap = |&(sum, n): &(f64, u64)| (if heads(draws) { -sum } else { sum }, n);
                let clusters = clusters.map(swap).collect();
                Design::PairedClustered(ClusterSums {
                    bound: sums.bound,
                    ..ClusterSums::new(clusters)
                })
            }
            Data::Answers(answers) => answers.split(draws),
            Data::Samples { scores, first, right } => {
                two_samples(scores, [*first, scores.len() - first], *right, draws)
            }
            Data::Units { sums, first } => {
                let mut arm = |size| {
                    ClusterSums::new(drawn(sums, size, draws).into_iter().copied().collect())
                };
                let [baseline, candidate] = [*first, sums.len() - first].map(&mut arm);
                Design::IndependentClustered { baseline, candidate }
            }
        }
    }
}

/// So many units, drawn with replacement.
fn drawn<'a, T>(units: &'a [T], size: usize, draws: &mut RandomStream) -> Vec<&'a T> {
    (0..size).filter_map(|_| units.get(draws.below(units.len()))).collect()
}

impl Answers {
    /// The answers to each problem, where there are several. A problem with an answer that has no
    /// score is left out, as it is from a comparison, and so is one with fewer answers than most.
    fn collect(samples: &SampledSide<'_>, known: Option<UnpairedClusters<'_>>) -> Option<Self> {
        let answers = samples.table.answers_behind(samples.column)?;
        let of = samples.table.repeats() as usize;
        let (mut scores, mut clusters) = (Vec::new(), BTreeMap::<_, Vec<usize>>::new());
        let (mut first, mut problems) = (0, 0);
        for (row, &count) in samples.table.answers()?.counts().iter().enumerate() {
            let own = first..first + count as usize;
            first = own.end;
            let all = own.map(|answer| answers.get(answer).filter(|_| count as usize == of));
            if let Some(all) = all.collect::<Option<Vec<f64>>>() {
                scores.extend(all);
                let cluster = known.map_or((0, row), |known| known.cluster_of(row));
                clusters.entry(cluster).or_default().push(problems);
                problems += 1;
            }
        }
        let several = clusters.len() < problems;
        let clusters = several.then(|| clusters.into_values().collect());
        let right = right_of(&scores.iter());
        Some(Self { scores, in_arm: of / 2, of, clusters, right })
    }

    fn problems(&self) -> impl Iterator<Item = &[f64]> {
        self.scores.chunks(self.of)
    }

    /// The design that a comparison of the two arms would have.
    fn split(&self, draws: &mut RandomStream) -> Design {
        let problems: Vec<&[f64]> = self.problems().collect();
        if let Some(clusters) = &self.clusters {
            let sums = drawn(clusters, clusters.len(), draws).into_iter().map(|cluster| {
                let own = cluster.iter().filter_map(|&problem| problems.get(problem));
                let differences = own.map(|problem| {
                    let [before, after] = self.means_of_arms(problem, draws);
                    stats::difference(before, after)
                });
                (differences.sum(), cluster.len() as u64)
            });
            return Design::PairedClustered(ClusterSums::new(sums.collect()));
        }
        let problems = drawn(&problems, problems.len(), draws).into_iter();
        let pairs = problems.map(|problem| self.means_of_arms(problem, draws));
        if let Some(right) = self.right.filter(|_| self.in_arm == 1) {
            let mut counts = PairedCounts::default();
            pairs.for_each(|[before, after]| counts.add(before == right, after == right));
            Design::PairedBinary(counts)
        } else {
            let mut differences = DifferenceSample::default();
            pairs.for_each(|[before, after]| differences.add(before, after));
            Design::PairedReal(differences)
        }
    }

    /// The means of two arms to which answers of one problem are given. An odd answer goes to none.
    fn means_of_arms(&self, problem: &[f64], draws: &mut RandomStream) -> [f64; 2] {
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
    draws: &mut RandomStream,
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

/// The independent design of two arms of so many samples, each drawn from all of them.
fn two_samples(
    scores: &[f64],
    sizes: [usize; 2],
    right: Option<f64>,
    draws: &mut RandomStream,
) -> Design {
    let [baseline, candidate] = sizes.map(|size| drawn(scores, size, draws));
    if let Some(right) = right {
        let counts = |arm: &[&f64]| Counts {
            x: arm.iter().filter(|score| ***score == right).count() as u64,
            n: arm.len() as u64,
        };
        Design::IndependentBinary { baseline: counts(&baseline), candidate: counts(&candidate) }
    } else {
        let moments = |arm: Vec<&f64>| arm.into_iter().copied().collect::<Moments>();
        Design::IndependentReal { baseline: moments(baseline), candidate: moments(candidate) }
    }
}

/// As many pairs as there are, drawn with replacement, the two outcomes of each swapped or not.
fn outcomes(counts: PairedCounts, draws: &mut RandomStream) -> PairedCounts {
    let mut study = PairedCounts::default();
    let right = counts.both_right as usize;
    let agreeing = right + counts.both_wrong as usize;
    for _ in 0..counts.n() {
        match draws.below(counts.n() as usize) {
            pair if pair < right => study.add(true, true),
            pair if pair < agreeing => study.add(false, false),
            _ => {
                let gained = heads(draws);
                study.add(!gained, gained);
            }
        }
    }
    study
}

fn heads(draws: &mut RandomStream) -> bool {
    draws.below(2) == 1
}

/// Sum and count of the scores of each cluster, where one holds several samples.
fn clusters(
    samples: &SampledSide<'_>,
    own: Option<UnpairedClusters<'_>>,
) -> Option<Vec<(f64, u64)>> {
    let own = own?;
    let scored = samples.rows().filter_map(|row| Some((own.cluster_of(row), samples.score(row)?)));
    let sums = ClusterSums::summed(scored).clusters;
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
    use super::*;

    #[test]
    fn every_way_to_give_two_of_four_answers_is_equally_likely() {
        let mut seen = BTreeMap::<Vec<usize>, u32>::new();
        let mut draws = RandomStream::named(&[1, 2, 3]);
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
    fn a_study_of_outcomes_has_as_many_pairs_and_as_many_discordant_ones_on_average() {
        let counts = PairedCounts { both_right: 50, gained: 30, lost: 2, both_wrong: 18 };
        let mut draws = RandomStream::named(&[]);
        let studies: Vec<PairedCounts> = (0..1_000).map(|_| outcomes(counts, &mut draws)).collect();
        assert!(studies.iter().all(|study| study.n() == 100));
        let total = |part: fn(&PairedCounts) -> u64| studies.iter().map(part).sum::<u64>();
        // Five standard deviations: of 100,000 pairs 32 % are discordant, half of them gained.
        assert!(total(|study| study.discordant()).abs_diff(32_000) < 740);
        assert!(total(|study| study.gained).abs_diff(16_000) < 580);
        assert!(total(|study| study.both_right).abs_diff(50_000) < 800);
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
        let mut draws = RandomStream::named(&[]);
        // Either arm has the only kind of answer of whichever problems are drawn.
        let design = answers(3, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]).split(&mut draws);
        let Design::PairedBinary(counts) = design else { panic!("one answer in an arm is 0 or 1") };
        assert_eq!((counts.n(), counts.discordant()), (2, 0));
        let Design::PairedReal(differences) = answers(4, &[1.0, 1.0, 1.0, 0.0]).split(&mut draws)
        else {
            panic!("two answers in an arm are a mean")
        };
        assert_eq!(differences.differences.mean.abs(), 0.5);
    }
}
