//! With what and by whom results were made: code, libraries, machines, the judge. Kinds of difference
//! that have a code of their own, and what was left out of or into the comparison of configurations.

use crate::diag::{Code, Diagnostic, Fact};
use crate::model::{ConfigEntry, ConfigValue, Run, leaf, plain};
use crate::pairing::{ArmPair, COMMIT, CellPair, ConfigChange, ConfigRole, PairArm, same_commit};
use crate::quantity::Unit;

pub(super) fn check_circumstances(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let changes = pair.undeclared();
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut judge_differs = false;
    for change in &changes {
        let Some(code) = own_code(change, pair) else { continue };
        judge_differs |= change.role() == ConfigRole::Judge;
        found.extend(differs(code, change));
    }
    let has_commit = found.iter().any(|one| one.code == Code::CodeDiffers);
    found.extend(commits(pair).filter(|_| !has_commit));
    if judge_differs {
        found.extend(judged_metrics(pair));
    }
    found.extend(dirty(pair));
    found.extend(declined(pair));
    found.extend(respelled(pair));
    found
}

/// Whether a difference is told by a code of this file.
pub(super) fn has_own_code(change: &ConfigChange<'_>, pair: &ArmPair<'_>) -> bool {
    own_code(change, pair).is_some()
}

fn own_code(change: &ConfigChange<'_>, pair: &ArmPair<'_>) -> Option<Code> {
    match change.role() {
        ConfigRole::Judge | ConfigRole::Scorer => Some(Code::JudgeDiffers),
        ConfigRole::Code => Some(Code::CodeDiffers),
        ConfigRole::Library => Some(Code::LibraryDiffers),
        ConfigRole::Hardware if multiplies_batch(change, pair) => None,
        ConfigRole::Hardware if compares_speed(pair) => Some(Code::SpeedUnlike),
        ConfigRole::Hardware => Some(Code::HardwareDiffers),
        _ => None,
    }
}

/// Whether the number of devices is part of the batch that is trained on.
fn multiplies_batch(change: &ConfigChange<'_>, pair: &ArmPair<'_>) -> bool {
    const DEVICES: &[&str] = &[
        "gpu_count",
        "n_gpu",
        "n_gpus",
        "n_gpus_per_node",
        "nnodes",
        "num_devices",
        "num_gpus",
        "num_machines",
        "num_nodes",
        "num_processes",
        "world_size",
    ];
    let is_devices =
        change.first().is_some_and(|first| DEVICES.contains(&plain_leaf(&first.key).as_str()));
    let per_device = |run: &Run| {
        let mut keys = run.content.config.iter().map(|(key, _)| plain_leaf(key));
        keys.any(|name| name == "per_device_train_batch_size" || name == "batch_size_per_gpu")
    };
    is_devices && (per_device(pair.baseline) || per_device(pair.candidate))
}

/// The last component as every producer would write it.
fn plain_leaf(key: &str) -> String {
    plain(leaf(key))
}

fn compares_speed(pair: &ArmPair<'_>) -> bool {
    pair.cells.iter().any(|cell| cell.figures().is_some() && is_speed(cell))
}

/// Whether the metric tells how fast something was.
pub(super) fn is_speed(cell: &CellPair<'_>) -> bool {
    let name = cell.key.metric.to_ascii_lowercase();
    let by_name = ["throughput", "latency", "runtime", "per_second", "per_sec", "tps", "speed"];
    cell.spec.unit == Unit::Seconds
        || by_name.iter().any(|part| name.contains(part))
        || name.ends_with("/s")
}

/// The finding that a setting differs, with both values.
pub(super) fn differs(code: Code, change: &ConfigChange<'_>) -> Option<Diagnostic> {
    let difference = change.first()?;
    let shown = |entry: &Option<ConfigEntry>| {
        entry.as_ref().map_or_else(|| Fact::from("—"), |entry| Fact::from(&entry.value))
    };
    let name = change.name();
    Some(
        Diagnostic::new(code)
            .key(&name)
            .with("role", change.role().key())
            .with("key", name)
            .with("leaf", leaf(&difference.key))
            .with("baseline", shown(&difference.baseline))
            .with("candidate", shown(&difference.candidate))
            .at(difference.candidate.as_ref().map(|entry| entry.source.location())),
    )
}

/// The commits that the harness recorded, where the configurations say nothing of theirs.
fn commits(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let declared = pair.factors.contains(COMMIT)
        || pair.differences.iter().any(|one| {
            one.role == ConfigRole::Code && !one.one_sided() && pair.factors.contains(&one.key)
        });
    let mine = pair.baseline.content.provenance.commit.as_ref()?;
    let theirs = pair.candidate.content.provenance.commit.as_ref()?;
    (!declared && !same_commit(mine, theirs)).then(|| {
        Diagnostic::new(Code::CodeDiffers)
            .key("commit")
            .with("role", ConfigRole::Code.key())
            .with("key", "commit")
            .with("leaf", "commit")
            .with("baseline", mine.as_str())
            .with("candidate", theirs.as_str())
    })
}

fn judged_metrics(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let is_judged = |metric: &str| {
        let metric = metric.to_ascii_lowercase();
        let mut words = metric.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| matches!(word, "judge" | "judged" | "grader" | "autorater"))
    };
    let metrics = pair.cells.iter().map(|cell| cell.key.metric.as_str());
    let metrics: std::collections::BTreeSet<&str> =
        metrics.filter(|metric| is_judged(metric)).collect();
    let found = |metric: &str| Diagnostic::new(Code::JudgedMetric).about_metric(metric);
    metrics.into_iter().map(found).collect()
}

fn dirty(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let runs: Vec<String> = PairArm::BOTH
        .into_iter()
        .flat_map(|which| pair.runs(which))
        .filter(|run| is_dirty(run))
        .map(|run| run.id.clone())
        .collect();
    (!runs.is_empty()).then(|| Diagnostic::new(Code::DirtyTree).with("runs", runs))
}

fn is_dirty(run: &Run) -> bool {
    const FLAGS: &[&str] = &["dirty", "git_dirty", "is_dirty", "code_dirty", "uncommitted_changes"];
    let says = |(key, entry): (&str, &ConfigEntry)| {
        let name = plain_leaf(key);
        let yes = entry.value.same_as(&ConfigValue::Bool(true));
        let is_patch = name == "git_diff" && !entry.value.is_nothing();
        (FLAGS.contains(&name.as_str()) && yes) || is_patch
    };
    let commit = run.content.provenance.commit.as_deref().unwrap_or_default();
    run.content.config.iter().any(says) || commit.ends_with("dirty")
}

fn declined(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let keys = &pair.factors.declined;
    let first = pair.differences.iter().find(|one| keys.contains(&one.key))?;
    Some(
        Diagnostic::new(Code::FactorDeclined)
            .with("role", first.role.key())
            .with("keys", keys.clone())
            .with("leaf", leaf(&first.key)),
    )
}

fn respelled(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let pairs: Vec<String> =
        pair.respelled.iter().map(|one| format!("{} = {}", one.baseline, one.candidate)).collect();
    (!pairs.is_empty()).then(|| {
        Diagnostic::new(Code::KeysRespelled).with("count", pairs.len()).with("pairs", pairs)
    })
}
