//! The number of episodes that an evaluation by reinforcement learning stands on, as files state it beside its
//! figures.

use std::collections::BTreeMap;

/// Names of the number of episodes of an evaluation: rl-baselines3-zoo, `huggingface_sb3`.
pub(super) const EPISODE_KEYS: &[&str] = &["eval_episodes", "n_eval_episodes", "num_eval_episodes"];
/// Its name with the figures of an evaluation, which are called so; elsewhere it counts those of a training.
const BELOW_EVALUATION: &str = "num_episodes";
const EVALUATIONS: &[&str] = &["eval", "evaluation", "val", "test"];
/// How keys of figures of a training begin.
const OF_TRAINING: &[&str] = &["train", "training", "rollout", "time"];

/// Whether these keys are those of the number of episodes of an evaluation.
pub(super) fn is_number(parts: &[String]) -> bool {
    let Some((last, above)) = parts.split_last() else { return false };
    let is_of_evaluation = || above.iter().any(|key| EVALUATIONS.contains(&key.as_str()));
    EPISODE_KEYS.contains(&last.as_str()) || last == BELOW_EVALUATION && is_of_evaluation()
}

/// Such numbers by the keys above them.
#[derive(Debug, Default)]
pub(super) struct EpisodeCounts(BTreeMap<Vec<String>, u64>);

impl EpisodeCounts {
    pub(super) fn add(&mut self, mut parts: Vec<String>, count: Option<u64>) {
        parts.pop();
        if let Some(count) = count {
            self.0.entry(parts).or_insert(count);
        }
    }

    /// The episodes behind a figure that stands beside such a number, or below.
    pub(super) fn behind(&self, parts: &[String]) -> Option<u64> {
        let is_of_training = |key: &String| {
            let first = key.split('_').next().unwrap_or_default();
            OF_TRAINING.contains(&first)
        };
        (0..parts.len()).rev().find_map(|depth| {
            let (above, below) = parts.split_at_checked(depth)?;
            self.0.get(above).filter(|_| !below.iter().any(is_of_training)).copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_an_evaluation_stand_on_its_episodes_and_those_of_a_training_do_not() {
        let keys = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<String>>();
        let mut counts = EpisodeCounts::default();
        for (path, count) in [("eval_episodes", 20), ("a/evaluation/num_episodes", 5)] {
            assert!(is_number(&keys(path)), "{path}");
            counts.add(keys(path), Some(count));
        }
        for path in ["num_episodes", "env_runners/num_episodes", "train/num_episodes", "episodes"] {
            assert!(!is_number(&keys(path)), "{path}");
        }
        for (path, expected) in [
            ("mean_reward", Some(20)),
            ("eval/success_rate", Some(20)),
            ("a/evaluation/episode_return_mean", Some(5)),
            ("a/other", Some(20)),
            ("train/episode_return_mean", None),
            ("train_reward", None),
            ("rollout/ep_rew_mean", None),
        ] {
            assert_eq!(counts.behind(&keys(path)), expected, "{path}");
        }
    }
}
