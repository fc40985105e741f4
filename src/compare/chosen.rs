//! Checkpoints that were compared because they are the best of several: how much of their figures
//! may be owed to the choice (winner's curse).
//!
//! Goes by what configurations, states of the trainer and names say; measures nothing itself.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic, Severity};
use crate::model::{ConfigValue, Run, leaf, plain};
use crate::pairing::{ArmPair, CHECKPOINT_DIMS, ConfigRole, PairArm, PairedArms, config_role};
use crate::quantity::{Quantity, Unit};
use crate::stats::selection;

/// Last components of settings that let a training end with its best checkpoint.
const SETTINGS: &[&str] = &["load_best_model_at_end", "restore_best_weights"];
/// Last components of keys that name a best checkpoint.
const RECORDS: &[&str] = &["best_checkpoint", "best_model_checkpoint", "best_model_path"];
/// How series begin that a training has of its evaluations.
const EVALUATED: &[&str] = &["eval_", "eval/", "val_", "val/", "validation_", "validation/"];

/// One finding for each run that leads an arm and was chosen as the best of its checkpoints.
pub fn best_checkpoints(paired_arms: &PairedArms<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (position, pair) in paired_arms.pairs.iter().enumerate() {
        let chosen = PairArm::BOTH.map(|which| evidence(pair.run(which)));
        let both = chosen.iter().all(Option::is_some);
        for (which, how) in PairArm::BOTH.into_iter().zip(&chosen) {
            // The baseline is the same run in every pair.
            let is_told = which == PairArm::Baseline && position > 0;
            if let Some(how) = how.as_ref().filter(|_| !is_told) {
                let mut finding = finding(pair, which, how);
                if both {
                    finding.severity = Severity::Info;
                }
                found.push(finding);
            }
        }
    }
    found
}

fn finding(pair: &ArmPair<'_>, which: PairArm, how: &str) -> Diagnostic {
    let run = pair.run(which);
    let checkpoints = evaluated(run);
    let mut finding = Diagnostic::new(Code::BestCheckpoint)
        .about_run(&run.id)
        .with("how", how)
        .with("metric", "")
        .with("checkpoints", "")
        .with("most", "");
    if checkpoints < 2 {
        return finding;
    }
    finding = finding.with("checkpoints", checkpoints);
    let mut judged = pair.cells.iter().filter(|cell| cell.has_good_side());
    let sized = judged.find_map(|cell| {
        let side = cell.side(which);
        let share = side.value().value()? / cell.spec.unit.whole()?;
        let most = selection::most_owed(share, side.n().filter(|n| *n > 0)?, checkpoints as u32);
        Some((cell, 100.0 * most))
    });
    match sized {
        Some((cell, most)) => finding
            .with("metric", cell.key.to_string())
            .with("most", Quantity::rounded(most, 1, Unit::Plain)),
        None => finding,
    }
}

/// What says that the run is the best of its checkpoints.
fn evidence(run: &Run) -> Option<String> {
    let config = &run.content.config;
    let is_set = |value: &ConfigValue| value.same_as(&ConfigValue::Bool(true));
    let setting = config.iter().find_map(|(key, entry)| {
        let name = plain(leaf(key));
        let names_it = RECORDS.contains(&name.as_str()) && !entry.value.is_nothing();
        let sets_it = SETTINGS.contains(&name.as_str()) && is_set(&entry.value);
        (names_it || sets_it).then(|| format!("{key}: {}", entry.value))
    });
    let state = || {
        let source = run.content.best_checkpoint.as_ref()?;
        Some(source.location().to_string())
    };
    let model = || {
        let named = config.iter().filter(|(key, _)| config_role(key) == ConfigRole::Model);
        let mut values = named.map(|(key, entry)| (key, entry.value.to_string()));
        let (key, value) = values.find(|(_, value)| says_best(last(value)))?;
        Some(format!("{key}: {value}"))
    };
    let name = || says_best(&run.name).then(|| run.name.clone());
    setting.or_else(state).or_else(model).or_else(name)
}

fn last(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// Whether a name has the word `best` beside one for a checkpoint, or is that word: `best of n` is a
/// way to answer.
fn says_best(name: &str) -> bool {
    let name = name.to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let is_checkpoint = |word: &&str| {
        matches!(
            *word,
            "checkpoint" | "checkpoints" | "ckpt" | "model" | "weights" | "epoch" | "step"
        )
    };
    words.contains(&"best") && (words.len() == 1 || words.iter().any(is_checkpoint))
}

/// How many checkpoints of the run were evaluated, as far as its files tell.
fn evaluated(run: &Run) -> usize {
    let is_evaluation = |metric: &str| EVALUATED.iter().any(|begin| metric.starts_with(begin));
    let series = run.content.series.iter().filter(|series| is_evaluation(&series.metric));
    let points = series.map(|series| series.points.len()).max().unwrap_or(0);
    let scalars = run.content.scalars.iter().map(|scalar| &scalar.dims);
    let tables = run.content.samples.iter().map(|table| &table.dims);
    let places = scalars.chain(tables);
    let at: BTreeSet<_> = places
        .filter_map(|dims| CHECKPOINT_DIMS.iter().find_map(|dim| dims.get(dim).cloned()))
        .collect();
    points.max(at.len())
}
