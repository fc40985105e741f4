//! What a verdict about a pair is a claim about: two recipes, two checkpoints, or two ways to
//! evaluate one model.
//!
//! Looks at what was recorded and at how many runs there are; changes no grade and no verdict.

use super::data_files;
use super::trainings;
use crate::model::{DataRole, Run};
use crate::pairing::{ArmPair, ConfigDifference, ConfigRole, PairArm, config_role};

/// What a verdict speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// How models are made: several trainings of each arm, or runs of the baseline, tell how far
    /// trainings lie apart.
    Recipe,
    /// Two trained models: one training of each arm tells nothing of another training.
    Checkpoints,
    /// One model that is evaluated in two ways.
    Evaluation,
    /// Nothing recorded says whether the models differ, nor, of several runs, whether each is a training
    /// of its own.
    Unknown,
}

impl Claim {
    /// The name in `report.json` and in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recipe => "recipe",
            Self::Checkpoints => "checkpoints",
            Self::Evaluation => "evaluation",
            Self::Unknown => "unknown",
        }
    }
}

pub(super) fn claim(pair: &ArmPair<'_>) -> Claim {
    let claim = of_models(pair);
    if !pair.has_repetitions() {
        return claim;
    }
    // Runs of one training tell nothing of another one.
    let any =
        |is: fn(&ArmPair<'_>, PairArm) -> bool| PairArm::BOTH.iter().any(|&which| is(pair, which));
    match claim {
        Claim::Unknown if any(trainings::are_steps) => Claim::Checkpoints,
        Claim::Unknown if any(trainings::are_told) => Claim::Recipe,
        Claim::Unknown => Claim::Unknown,
        known if any(trainings::is_one_training) => known,
        _ => Claim::Recipe,
    }
}

/// What the models of the leads make a verdict about.
fn of_models(pair: &ArmPair<'_>) -> Claim {
    let is_training = pair.records_training();
    let kinds: Vec<Kind> = pair
        .differences
        .iter()
        .filter(|found| !found.environment && !found.one_sided())
        .map(|found| kind(found, pair, is_training))
        .collect();
    if kinds.contains(&Kind::Training) || other_training_data(pair) || other_models(pair) {
        Claim::Checkpoints
    } else if kinds.contains(&Kind::Unknown) {
        Claim::Unknown
    } else if kinds.contains(&Kind::Evaluation) || is_one_model(pair) {
        Claim::Evaluation
    } else {
        Claim::Unknown
    }
}

/// What a differing setting makes another one of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Training,
    Evaluation,
    /// Where or with what something ran.
    Circumstance,
    Unknown,
}

fn kind(difference: &ConfigDifference, pair: &ArmPair<'_>, is_training: bool) -> Kind {
    match difference.role {
        // A seed of sampling, where nothing but an evaluation of one model is recorded.
        ConfigRole::Seed if is_one_model(pair) => Kind::Evaluation,
        ConfigRole::Model | ConfigRole::TrainingData | ConfigRole::Training | ConfigRole::Seed => {
            Kind::Training
        }
        // Sampling and precision belong to the training where there is one.
        ConfigRole::Decoding | ConfigRole::Precision if is_training => Kind::Training,
        ConfigRole::Decoding
        | ConfigRole::Precision
        | ConfigRole::Judge
        | ConfigRole::Scorer
        | ConfigRole::Dataset
        | ConfigRole::Prompt
        | ConfigRole::FewShot => Kind::Evaluation,
        ConfigRole::Code | ConfigRole::Library | ConfigRole::Hardware => Kind::Circumstance,
        ConfigRole::Other => Kind::Unknown,
    }
}

fn other_training_data(pair: &ArmPair<'_>) -> bool {
    pair.data.iter().any(|files| {
        let is_training = files.baseline.role == DataRole::Train;
        is_training && data_files::differ(files.baseline, files.candidate)
    })
}

fn other_models(pair: &ArmPair<'_>) -> bool {
    models(pair).is_some_and(|[baseline, candidate]| baseline != candidate)
}

/// Whether both runs name one model and neither records a training, whose base it could be.
fn is_one_model(pair: &ArmPair<'_>) -> bool {
    if pair.records_training() {
        return false;
    }
    let [baseline, candidate] = [pair.baseline, pair.candidate].map(|run| &run.content.config);
    let is_shared = baseline.iter().any(|(key, entry)| {
        let theirs = candidate.get(key).filter(|theirs| theirs.value.same_as(&entry.value));
        config_role(key) == ConfigRole::Model && theirs.is_some()
    });
    is_shared || models(pair).is_some_and(|[baseline, candidate]| baseline == candidate)
}

/// The models that the results name, where both do.
fn models<'a>(pair: &ArmPair<'a>) -> Option<[&'a str; 2]> {
    let model = |run: &'a Run| run.content.provenance.model.as_deref();
    Some([model(pair.baseline)?, model(pair.candidate)?])
}
