//! Checkpoints that were compared because they are the best of several: how much of their figures
//! may be owed to the choice (winner's curse).
//!
//! Goes by what configurations, states of the trainer and names say; measures nothing itself.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic, Severity};
use crate::model::{
    CHECKPOINT_DIMS, ConfigValue, Point, Run, Series, evaluation_word, leaf, plain,
};
use crate::pairing::{
    ArmPair, CellPair, ConfigRole, PairArm, PairedArms, SampledSide, config_role,
};
use crate::quantity::{Quantity, Unit};
use crate::stats::selection;

/// Last components of settings that let a training end with its best checkpoint.
const SETTINGS: &[&str] = &["load_best_model_at_end", "restore_best_weights"];
/// Last components of keys that name a best checkpoint.
const RECORDS: &[&str] = &["best_checkpoint", "best_model_checkpoint", "best_model_path"];

/// Fewer points are no choice to speak of.
const FEWEST_CHECKPOINTS: usize = 3;
/// How far a figure may be from a point that says the same, by rounding.
const SAME: f64 = 1e-4;
/// What series of the share of right samples are called.
const ACCURACIES: [&str; 2] = ["accuracy", "acc"];

/// One finding for each run that leads an arm and was chosen as the best of its checkpoints.
pub fn best_checkpoints(paired_arms: &PairedArms<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (position, pair) in paired_arms.pairs.iter().enumerate() {
        let chosen = PairArm::BOTH.map(|which| evidence(pair, which));
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
fn evidence(pair: &ArmPair<'_>, which: PairArm) -> Option<String> {
    let run = pair.run(which);
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
    setting.or_else(state).or_else(model).or_else(name).or_else(|| history(pair, which))
}

/// A series of the run whose best point, and not its last, is the figure that is compared.
fn history(pair: &ArmPair<'_>, which: PairArm) -> Option<String> {
    let judged = pair.cells.iter().filter(|cell| cell.has_good_side());
    judged.into_iter().find_map(|cell| {
        let (figure, sign) = (cell.figure(which)?, cell.spec.direction.sign()?);
        let series = own_series(pair.run(which), cell)
            .filter(|series| series.points.len() >= FEWEST_CHECKPOINTS);
        series.into_iter().find_map(|series| {
            let better = |a: &&Point, b: &&Point| (sign * a.value).total_cmp(&(sign * b.value));
            let best = series.points.iter().max_by(better)?;
            let is_compared = [1.0, 0.01, 100.0]
                .iter()
                .any(|unit| (best.value * unit - figure).abs() <= SAME * unit.max(1.0));
            let last = series.points.last()?;
            (is_compared && last.value != best.value).then(|| {
                let Series { metric, axis, path, .. } = series;
                format!("{path}: {metric} {} ({axis} {})", best.value, best.at)
            })
        })
    })
}

/// The series of that metric, by its name or as that of an evaluation.
fn own_series<'r>(run: &'r Run, cell: &CellPair<'_>) -> impl Iterator<Item = &'r Series> {
    let samples = [&cell.baseline, &cell.candidate].map(|side| side.samples.as_ref());
    let is_share_of_right = samples.into_iter().flatten().any(SampledSide::is_binary);
    let metric = cell.key.metric.clone();
    run.content.series.iter().filter(move |series| {
        let word = evaluation_word(&series.metric);
        let name = word.and_then(|word| series.metric.get(word.len() + 1..));
        let name = name.unwrap_or(&series.metric).to_ascii_lowercase();
        name == metric.to_ascii_lowercase()
            || is_share_of_right && ACCURACIES.contains(&name.as_str())
    })
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
    let series =
        run.content.series.iter().filter(|series| evaluation_word(&series.metric).is_some());
    let points = series.map(|series| series.points.len()).max().unwrap_or(0);
    let scalars = run.content.scalars.iter().map(|scalar| &scalar.dims);
    let tables = run.content.samples.iter().map(|table| &table.dims);
    let places = scalars.chain(tables);
    let at: BTreeSet<_> = places
        .filter_map(|dims| CHECKPOINT_DIMS.iter().find_map(|dim| dims.get(dim).cloned()))
        .collect();
    points.max(at.len())
}
