//! Runs of one arm that are no trainings of their own: one checkpoint evaluated again, checkpoints of
//! one training, folds of one cross-validation.
//!
//! What is recorded decides first, and names of directories only where they differ in nothing but a
//! number.

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic};
use crate::model::{DataRole, Run, announces_training};
use crate::pairing::{
    ArmPair, PairArm, belongs_to_training, names_one_model, names_other_model, recorded_seed,
    without_numbers_behind,
};

/// What runs have in common that are told apart by a number alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// Checkpoints of one training.
    Steps,
    /// Folds of one cross-validation.
    Folds,
}

impl Relation {
    /// Whether a word, in lower case, stands before the number in the names of such runs.
    fn is_announced_by(self, word: &str) -> bool {
        match self {
            Self::Steps => announces_training(word),
            Self::Folds => ["fold", "cv", "cv_fold", "kfold"].contains(&word),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Folds => "folds",
        }
    }
}

/// The runs whose spread stands for that of an arm: its own, or the baseline and what repeats it.
fn repetitions<'a>(pair: &ArmPair<'a>, which: PairArm) -> Vec<&'a Run> {
    let noise = pair.noise.iter().map(|member| member.run);
    let noise = noise.filter(|_| which == PairArm::Baseline && !pair.is_repeated());
    pair.runs(which).chain(noise).collect()
}

/// Whether the runs that stand for the spread of an arm all evaluate one model, or checkpoints of one
/// training: their spread is not that between trainings.
pub(super) fn is_one_training(pair: &ArmPair<'_>, which: PairArm) -> bool {
    let runs = repetitions(pair, which);
    is_one_model(&runs) || relation(&runs) == Some(Relation::Steps)
}

/// Whether they are checkpoints of one training, by their names.
pub(super) fn are_steps(pair: &ArmPair<'_>, which: PairArm) -> bool {
    relation(&repetitions(pair, which)) == Some(Relation::Steps)
}

/// Whether something recorded tells that they are trainings: settings or data of one, or other models.
pub(super) fn are_told(pair: &ArmPair<'_>, which: PairArm) -> bool {
    let runs = repetitions(pair, which);
    let [first, others @ ..] = &runs[..] else { return false };
    let first_model = &first.content.provenance.model;
    runs.iter().any(|run| trains(run))
        || others.iter().any(|other| {
            let is_named = first_model.is_some() && other.content.provenance.model.is_some();
            is_named && other.content.provenance.model != *first_model
                || names_other_model(&first.content.config, &other.content.config)
        })
}

/// Whether a run records settings or data of a training.
fn trains(run: &Run) -> bool {
    let has_data = run.data_files.iter().any(|file| file.role == DataRole::Train);
    has_data || run.content.config.iter().any(|(key, _)| belongs_to_training(key))
}

fn is_one_model(runs: &[&Run]) -> bool {
    let [first, others @ ..] = runs else { return false };
    !others.is_empty()
        && !runs.iter().any(|run| trains(run))
        && others.iter().all(|other| names_one_model(first, other))
}

/// How runs belong together whose names differ in nothing but a number.
fn relation(runs: &[&Run]) -> Option<Relation> {
    let [first, others @ ..] = runs else { return None };
    let all = [Relation::Steps, Relation::Folds];
    let found = all.into_iter().find(|relation| {
        // Two that differ in nothing else are enough: others may be at another number of shots.
        let mut places = BTreeMap::new();
        runs.iter().any(|run| {
            let place = without_numbers_behind(&run.path, |word| relation.is_announced_by(word));
            place.is_some_and(|place| {
                places.insert(place, &run.path).is_some_and(|other| *other != run.path)
            })
        })
    })?;
    // Trainings with seeds of their own may each be evaluated at another step.
    let seed = |run: &Run| recorded_seed(&run.content.config);
    let trains = first.content.config.iter().any(|(key, _)| belongs_to_training(key));
    let has_own_seed = trains && others.iter().any(|other| seed(other) != seed(first));
    (found == Relation::Folds || !has_own_seed).then_some(found)
}

/// One finding for each arm whose runs differ in a step or a fold alone.
pub(super) fn check_trainings(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let finding = |&which: &PairArm| {
        let runs = repetitions(pair, which);
        let relation = relation(&runs)?;
        let names: Vec<String> = runs.iter().map(|run| run.id.clone()).collect();
        let finding = Diagnostic::new(Code::RunsOfOneTraining).run(&runs[0].id);
        Some(
            finding
                .with("arm", pair.name(which))
                .with("relation", relation.name())
                .with("runs", names),
        )
    };
    PairArm::BOTH.iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_numbered_by_a_step_or_a_fold_and_by_nothing_else() {
        for (path, steps, folds) in [
            ("out/a/checkpoint-100", Some("out/a/checkpoint-"), None),
            ("out/a/global_step=20/eval", Some("out/a/global_step=/eval"), None),
            ("a/sft_epoch1_200.json", Some("a/sft_epoch_200.json"), None),
            ("a/qwen_ckpt500/seed-3", Some("a/qwen_ckpt/seed-3"), None),
            ("a/Fold3", None, Some("a/Fold")),
            ("a/seed-3", None, None),
            ("a/checkpoint", None, None),
            ("a/run2", None, None),
            ("a/billfold3", None, None),
        ] {
            let found = [Relation::Steps, Relation::Folds]
                .map(|one| without_numbers_behind(path, |word| one.is_announced_by(word)));
            assert_eq!(found.each_ref().map(Option::as_deref), [steps, folds], "{path}");
        }
    }
}
