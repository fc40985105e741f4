//! Which seed each run of an arm records, and whether seeds pair the runs of two arms.

use std::collections::BTreeSet;

use super::arm::Arm;
use super::config::{ConfigDifference, Factors, is_seed};
use super::{ArmPair, PairArm, PerArm};
use crate::model::{Run, leaf};

/// Keys that number trainings even where every run has the same number; others, such as the
/// `random_seed` of a harness, do so only where they vary.
const OF_TRAINING: &[&str] = &["seed", "training_seed", "train_seed"];

/// Keys of seeds that vary within an arm, ordered. A seed that all runs of an arm share numbers no
/// repetitions; where it differs between the arms it is a difference like any other.
pub(super) fn repetition_keys(arms: PerArm<&Arm<'_>>) -> Vec<String> {
    let keys: BTreeSet<&str> = arms.iter().flat_map(|arm| seed_keys(arm)).collect();
    let varies = |arm: &Arm<'_>, key: &str| {
        let values: BTreeSet<Option<String>> = arm.runs().map(|run| value(run, key)).collect();
        values.len() > 1
    };
    let varying = keys.into_iter().filter(|key| arms.iter().any(|arm| varies(arm, key)));
    varying.map(str::to_owned).collect()
}

/// The seed of each run of both arms, the lead first, by the keys that number repetitions. Only
/// configurations are asked, never names of directories.
pub(super) fn recorded_seeds(
    arms: PerArm<&Arm<'_>>,
    keys: &[String],
) -> PerArm<Vec<Option<String>>> {
    let shared: Vec<&str> = arms.iter().flat_map(|arm| seed_keys(arm)).collect();
    let shared = shared.into_iter().find(|key| OF_TRAINING.contains(&leaf(key)));
    let keys: Vec<&str> = if keys.is_empty() {
        shared.into_iter().collect()
    } else {
        keys.iter().map(String::as_str).collect()
    };
    arms.map(|arm| arm.runs().map(|run| seed(run, &keys)).collect())
}

fn seed_keys<'a>(arm: &Arm<'a>) -> impl Iterator<Item = &'a str> {
    let keys = arm.runs().flat_map(|run| run.content.config.iter().map(|(key, _)| key));
    keys.filter(|key| is_seed(key)).collect::<Vec<_>>().into_iter()
}

fn value(run: &Run, key: &str) -> Option<String> {
    run.content.config.get(key).map(|entry| entry.value.to_string())
}

/// The value of the only key, or each value behind its key. Keys with one value say it once.
fn seed(run: &Run, keys: &[&str]) -> Option<String> {
    let values: Vec<String> = keys.iter().filter_map(|key| value(run, key)).collect();
    let first = values.first()?;
    if values.iter().all(|value| value == first) {
        return Some(first.clone());
    }
    let named = keys.iter().filter_map(|key| Some(format!("{}={}", leaf(key), value(run, key)?)));
    Some(named.collect::<Vec<_>>().join(" "))
}

/// Where nothing but seeds differs, however many keys name them, the seeds are the factor.
pub(super) fn take_seed_for_factor(factors: &mut Factors, differences: &[ConfigDifference]) {
    if factors.keys.is_empty() && are_seeds_only(differences) {
        let seeds = differences.iter().filter(|one| !one.environment);
        let keys = seeds.map(|one| one.key.clone()).collect();
        *factors = Factors { keys, inferred: true, ..Factors::default() };
    }
}

/// Whether something differs that can move a metric, and nothing of that but seeds in both.
fn are_seeds_only(differences: &[ConfigDifference]) -> bool {
    let mut telling = differences.iter().filter(|one| !one.environment).peekable();
    let differ = telling.peek().is_some();
    differ && telling.all(|one| is_seed(&one.key) && !one.one_sided())
}

impl ArmPair<'_> {
    /// Whether both configurations record a seed, not the same, and differ in nothing else that can
    /// move a metric: repetitions of one configuration, one run each.
    pub fn differ_in_seeds_only(&self) -> bool {
        !self.is_repeated() && are_seeds_only(&self.differences)
    }

    /// Positions of the runs of either arm that have the same seed, when seeds pair the arms: every
    /// run records one, no arm has one twice, and both arms have the same ones.
    pub fn seed_pairs(&self) -> Option<Vec<(usize, usize)>> {
        let [baseline, candidate] = &self.seeds;
        let distinct = |seeds: &[Option<String>]| {
            let found: BTreeSet<String> = seeds.iter().flatten().cloned().collect();
            (found.len() == seeds.len()).then_some(found)
        };
        if distinct(baseline)? != distinct(candidate)? {
            return None;
        }
        let partner = |seed| candidate.iter().position(|other| other == seed);
        let pairs = baseline.iter().enumerate();
        pairs.map(|(position, seed)| Some((position, partner(seed)?))).collect()
    }

    /// The seed that a run of an arm records, by the run's position.
    pub fn seed(&self, which: PairArm, position: usize) -> Option<&str> {
        self.seeds[which].get(position)?.as_deref()
    }
}
