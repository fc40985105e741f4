//! Records drawn for reading: so many of every kind of ending, the same ones in any order of the
//! input and on any number of threads.
//!
//! Each problem gets a number from the seed, its dataset and its id, as good as random; the records
//! with the smallest numbers are drawn (bottom-k sampling; Cohen and Kaplan 2007, *PODC*). So the
//! same problems are drawn from evaluations of different checkpoints, as far as they end alike.

use std::collections::BTreeMap;

use super::quotas::MetricsQuota;
use crate::model::ContentHashes;
use crate::stats::resampling::random::RandomStream;

/// Records longer than this many bytes are not drawn.
pub(super) const MOST_BYTES: usize = 1 << 20;

/// A record that may be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What it is chosen by.
    key: u64,
    /// Hash of its text, which decides between answers to one problem.
    hash: u64,
    /// Number of its file, in the order given.
    pub file: usize,
    pub line: u64,
    /// The record as it was written.
    pub text: String,
}

/// The number of a problem.
pub(super) fn key(seed: u64, dataset: u64, id: u64) -> u64 {
    RandomStream::named(&[seed, dataset, id]).word()
}

/// The records of one kind that have the smallest numbers. Each problem is in it once.
#[derive(Debug, Default)]
pub(super) struct MetricsPool {
    limit: usize,
    kept: BTreeMap<u64, Candidate>,
    /// Records there are.
    pub(super) available: u64,
    /// Those too long to be drawn.
    pub(super) too_long: u64,
}

impl MetricsPool {
    /// A pool that keeps so many.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Offers a record.
    pub(super) fn offer(&mut self, key: u64, text: &str, line: u64) {
        self.available += 1;
        if text.len() > MOST_BYTES {
            self.too_long += 1;
        } else if self.takes(key) {
            let hash = ContentHashes::hash_bytes(text.as_bytes()).get();
            self.keep(Candidate { key, hash, file: 0, line, text: text.to_owned() });
        }
    }

    fn takes(&self, key: u64) -> bool {
        let is_full = self.kept.len() >= self.limit;
        self.limit > 0
            && !(is_full && self.kept.last_key_value().is_some_and(|(last, _)| key > *last))
    }

    fn keep(&mut self, candidate: Candidate) {
        match self.kept.get_mut(&candidate.key) {
            Some(known) if order(&candidate) < order(known) => *known = candidate,
            Some(_) => {}
            None => {
                self.kept.insert(candidate.key, candidate);
                if self.kept.len() > self.limit {
                    self.kept.pop_last();
                }
            }
        }
    }

    /// Takes those of a part of a file.
    pub(super) fn append(&mut self, part: Self, file: usize, lines: u64) {
        self.available += part.available;
        self.too_long += part.too_long;
        for mut candidate in part.kept.into_values() {
            if self.takes(candidate.key) {
                (candidate.file, candidate.line) = (file, candidate.line + lines);
                self.keep(candidate);
            }
        }
    }
}

fn order(candidate: &Candidate) -> (u64, usize, u64) {
    (candidate.hash, candidate.file, candidate.line)
}

/// What was drawn of one dataset.
#[derive(Debug, Clone, Default)]
pub struct Drawn {
    pub quota: MetricsQuota,
    /// Every kind, in the order of the report.
    pub strata: Vec<Stratum>,
    /// Records that were left for the random ones.
    pub rest: u64,
    /// How many of these were drawn.
    pub random: u64,
    /// The records, by kind and then the random ones.
    pub records: Vec<DrawnRecord>,
    /// Records that were too long to be drawn.
    pub too_long: u64,
}

/// One kind of ending.
#[derive(Debug, Clone)]
pub struct Stratum {
    pub kind: String,
    pub quota: u64,
    pub available: u64,
    pub taken: u64,
}

/// One record that was drawn.
#[derive(Debug, Clone)]
pub struct DrawnRecord {
    pub kind: String,
    /// Whether it was drawn from the rest and not for its kind.
    pub is_random: bool,
    pub candidate: Candidate,
}

/// Draws from the pools, which are in the order of the report.
pub(super) fn draw(
    pools: Vec<(String, MetricsPool)>,
    quota: MetricsQuota,
    left_out: &[String],
) -> Drawn {
    let is_out = |kind: &str| left_out.iter().any(|out| out == kind);
    let sizes: Vec<u64> = pools
        .iter()
        .map(|(kind, pool)| if is_out(kind) { 0 } else { pool.kept.len() as u64 })
        .collect();
    let quotas = quota.shares(&sizes);
    let mut drawn = Drawn { quota, ..Drawn::default() };
    let mut rest: Vec<(f64, DrawnRecord)> = Vec::new();
    for ((kind, pool), share) in pools.into_iter().zip(quotas) {
        drawn.too_long += pool.too_long;
        let asked = if is_out(&kind) { 0 } else { share.asked };
        let mut kept = pool.kept.into_values();
        let chosen: Vec<Candidate> = kept.by_ref().take(share.taken as usize).collect();
        // Numbers above the last one chosen are evenly spread up to 1: stretched from there on, those
        // of all kinds are, and the smallest are a fair draw from all that is left.
        let from = chosen.last().map_or(0.0, |last| unit(last.key));
        drawn.strata.push(Stratum {
            kind: kind.clone(),
            quota: asked,
            available: pool.available,
            taken: chosen.len() as u64,
        });
        let record =
            |is_random, candidate| DrawnRecord { kind: kind.clone(), is_random, candidate };
        drawn.records.extend(chosen.into_iter().map(|candidate| record(false, candidate)));
        if !is_out(&kind) {
            drawn.rest += pool.available - share.taken;
            let stretched = |key: u64| (unit(key) - from) / (1.0 - from);
            rest.extend(kept.map(|one| (stretched(one.key), record(true, one))));
        }
    }
    rest.sort_by(|(a, one), (b, other)| {
        a.total_cmp(b).then_with(|| order(&one.candidate).cmp(&order(&other.candidate)))
    });
    let random = rest.into_iter().take(quota.random as usize).map(|(_, record)| record);
    drawn.records.extend(random);
    drawn.random = drawn.records.iter().filter(|record| record.is_random).count() as u64;
    drawn
}

/// A number of 64 bits as one from 0 to 1.
fn unit(key: u64) -> f64 {
    key as f64 / 2f64.powi(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(keys: impl IntoIterator<Item = u64>, limit: usize) -> MetricsPool {
        let mut pool = MetricsPool::new(limit);
        for number in keys {
            pool.offer(key(7, 1, number), &format!("{{\"id\":{number}}}"), number);
        }
        pool
    }

    fn lines(drawn: &Drawn) -> Vec<u64> {
        drawn.records.iter().map(|record| record.candidate.line).collect()
    }

    #[test]
    fn what_is_drawn_does_not_depend_on_the_order_or_the_parts() {
        let whole = pool(0..1000, 8);
        let mut parts = MetricsPool::new(8);
        for start in [500, 0, 750, 250] {
            parts.append(pool((start..start + 250).rev(), 8), 0, 0);
        }
        assert_eq!(whole.kept, parts.kept);
        assert_eq!((whole.available, parts.available), (1000, 1000));
    }

    #[test]
    fn a_problem_is_drawn_once() {
        let mut pool = MetricsPool::new(3);
        for line in 0..10 {
            pool.offer(key(7, 1, 5), &format!("{{\"id\":5,\"try\":{line}}}"), line);
        }
        assert_eq!((pool.kept.len(), pool.available), (1, 10));
    }

    #[test]
    fn a_kind_with_too_few_gives_all_and_the_rest_is_drawn_at_random() {
        let quota = MetricsQuota { per_type: 5, random: 4, total: 0 };
        let pools = vec![
            ("success".to_owned(), pool(0..3, 9)),
            ("timeout".to_owned(), pool(10..40, 9)),
            ("api_error".to_owned(), pool(50..60, 9)),
        ];
        let drawn = draw(pools, quota, &["api_error".to_owned()]);
        let taken: Vec<(u64, u64)> =
            drawn.strata.iter().map(|one| (one.quota, one.taken)).collect();
        assert_eq!(taken, [(5, 3), (5, 5), (0, 0)]);
        assert_eq!((drawn.random, drawn.records.len()), (4, 12));
        assert!(lines(&drawn).iter().all(|line| *line < 40));
    }

    #[test]
    fn the_random_ones_come_from_the_kinds_by_their_number() {
        // 900 of one kind and 100 of another, five of each taken: nine in ten of the random ones are
        // of the first. 400 seeds give 2,000 draws; 6 standard deviations are 4 in 100.
        let mut first = 0;
        for seed in 0..400 {
            let filled = |range: std::ops::Range<u64>| {
                let mut pool = MetricsPool::new(10);
                range.for_each(|id| pool.offer(key(seed, 1, id), "{}", id));
                pool
            };
            let pools = vec![("a".to_owned(), filled(0..900)), ("b".to_owned(), filled(900..1000))];
            let drawn = draw(pools, MetricsQuota { per_type: 5, random: 5, total: 0 }, &[]);
            let random = drawn.records.iter().filter(|one| one.is_random);
            first += random.filter(|one| one.kind == "a").count();
        }
        let share = first as f64 / 2000.0;
        assert!((share - 895.0 / 990.0).abs() < 0.04, "{share}");
    }
}
