//! Which problems were met, in bounded memory: whether several records answer one problem, and what
//! an interval then needs.

use indexmap::{IndexMap, IndexSet};

use crate::stats::ClusterSums;

/// Problems of a dataset whose answers are summed up one by one.
pub(super) const MOST_SUMMED: usize = 65_536;
/// Problems of a dataset that are told apart.
pub(super) const MOST_SEEN: usize = 4_194_304;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Accepted,
    Executed,
    Syntax,
    Runtime,
    Timeout,
    Wrong,
    Api,
    Truncated,
    PassRatio,
    GenTokens,
    JudgeTime,
    GenTime,
}

const MEASURES: usize = 12;

/// Sum and number of each measure over the answers to one problem.
#[derive(Debug, Clone)]
struct Answers {
    records: u32,
    /// Hash of the first record.
    hash: u64,
    sums: [(f64, u32); MEASURES],
}

/// The problems of a dataset, by hash of their id.
#[derive(Debug, Default)]
pub(super) struct MetricsProblems {
    answers: IndexMap<u64, Answers>,
    seen: IndexSet<u64>,
    /// Whether sums by problem were given up.
    too_many_to_sum: bool,
    /// Whether problems are no longer told apart.
    pub(super) too_many: bool,
    /// Records whose problem was met before.
    pub(super) repeated: u64,
    /// Records that equal the first one of their problem.
    pub(super) equal: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    /// Its problem is new, or is not told apart.
    New,
    /// Its problem has another answer.
    Again,
    /// The record equals the first one of its problem.
    Equal,
}

impl MetricsProblems {
    /// Takes a record: hash of its id and of its text, and what is measured.
    pub(super) fn add(
        &mut self,
        id: u64,
        hash: u64,
        measured: impl Iterator<Item = (Measure, f64)>,
    ) -> Met {
        if self.too_many_to_sum {
            return self.see(id);
        }
        if self.answers.len() == MOST_SUMMED && !self.answers.contains_key(&id) {
            self.too_many_to_sum = true;
            self.seen = std::mem::take(&mut self.answers).into_keys().collect();
            return self.see(id);
        }
        let fresh = || Answers { records: 0, hash, sums: [(0.0, 0); MEASURES] };
        let answers = self.answers.entry(id).or_insert_with(fresh);
        for (measure, value) in measured {
            if let Some((sum, n)) = answers.sums.get_mut(measure as usize) {
                *sum += value;
                *n += 1;
            }
        }
        answers.records += 1;
        if answers.records == 1 {
            return Met::New;
        }
        self.repeated += 1;
        if answers.hash == hash {
            self.equal += 1;
            return Met::Equal;
        }
        Met::Again
    }

    fn see(&mut self, id: u64) -> Met {
        let is_full = self.seen.len() == MOST_SEEN;
        let is_known = if is_full { self.seen.contains(&id) } else { !self.seen.insert(id) };
        if is_known {
            self.repeated += 1;
            return Met::Again;
        }
        self.too_many |= is_full;
        Met::New
    }

    /// How many problems there are; `None` where they are not told apart.
    pub(super) fn count(&self) -> Option<u64> {
        let known = if self.too_many_to_sum { self.seen.len() } else { self.answers.len() };
        (!self.too_many).then_some(known as u64)
    }

    /// Whether problems have several answers.
    pub(super) fn has_several(&self) -> bool {
        self.repeated > 0
    }

    /// Sums by problem, where they are known.
    pub(super) fn sums(&self, measure: Measure) -> Option<ClusterSums> {
        if self.too_many_to_sum {
            return None;
        }
        let of_problem = |answers: &Answers| answers.sums.get(measure as usize).copied();
        let sums = self.answers.values().filter_map(of_problem).filter(|(_, n)| *n > 0);
        let mut clusters: Vec<(f64, u64)> = sums.map(|(sum, n)| (sum, u64::from(n))).collect();
        // The order of the input must not be seen in the last digit.
        clusters.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Some(ClusterSums::new(clusters))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_summed_by_problem_and_repetitions_counted() {
        let mut problems = MetricsProblems::default();
        let met: Vec<Met> = [(1, 10, 1.0), (2, 20, 0.0), (1, 11, 0.0), (2, 20, 0.0)]
            .into_iter()
            .map(|(id, hash, value)| {
                problems.add(id, hash, std::iter::once((Measure::Accepted, value)))
            })
            .collect();
        assert_eq!(met, [Met::New, Met::New, Met::Again, Met::Equal]);
        assert_eq!((problems.count(), problems.repeated, problems.equal), (Some(2), 2, 1));
        let sums = problems.sums(Measure::Accepted).expect("summed");
        assert_eq!(sums.clusters, [(0.0, 2), (1.0, 2)]);
    }

    #[test]
    fn beyond_the_first_bound_problems_are_only_told_apart() {
        let mut problems = MetricsProblems::default();
        for id in 0..MOST_SUMMED as u64 + 10 {
            problems.add(id, id, std::iter::empty());
        }
        assert_eq!(problems.add(3, 3, std::iter::empty()), Met::Again);
        assert_eq!(problems.count(), Some(MOST_SUMMED as u64 + 10));
        assert!(problems.sums(Measure::Accepted).is_none() && !problems.too_many);
    }
}
