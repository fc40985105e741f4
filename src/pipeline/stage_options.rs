//! What the settings ask of each stage, and whether the runs have what they name.

use std::collections::BTreeSet;

use super::PipelineError;
use crate::collect::{KeyWeight, ReadOptions};
use crate::compare::CompareOptions;
use crate::derive::DeriveOptions;
use crate::diag::Fact;
use crate::model::{Clustering, CountedPlan, DATASET_AXIS, Layout, Run, leaf, plain};
use crate::pairing::{self, ConfigRole, PairingOptions};
use crate::settings::{Settings, no_layout};
use crate::text::Refusal;

impl From<&Settings> for ReadOptions {
    fn from(settings: &Settings) -> Self {
        Self {
            clustering: settings.clustering.clone(),
            names: settings.names.clone(),
            access: settings.access.clone(),
            apart: true,
            pool: settings.pool.clone(),
            columns: settings.across.iter().map(|across| across.column.clone()).collect(),
            weight: Some(key_weight),
            chosen: settings.chosen.clone(),
            declared: settings.readers.clone().into(),
            skips_log_figures: false,
        }
    }
}

/// How strongly a key that differs suggests that two directories are different runs.
pub(super) fn key_weight(key: &str) -> KeyWeight {
    match pairing::config_role(key) {
        _ if pairing::is_environment(key) => KeyWeight::Nothing,
        _ if names_questions(key) => KeyWeight::Questions,
        ConfigRole::Model if pairing::names_the_model(key) => KeyWeight::Identity,
        ConfigRole::Dataset => KeyWeight::Questions,
        ConfigRole::Code | ConfigRole::Library | ConfigRole::Hardware => KeyWeight::Nothing,
        _ => KeyWeight::Setting,
    }
}

impl From<&Settings> for DeriveOptions {
    fn from(settings: &Settings) -> Self {
        Self {
            pass_at: settings.pass_at.clone(),
            names: settings.names.clone(),
            primary: settings.primary.clone(),
        }
    }
}

impl From<&Settings> for PairingOptions {
    fn from(settings: &Settings) -> Self {
        Self {
            vary: settings.vary.clone(),
            names: settings.names.clone(),
            clustering: settings.clustering.clone(),
            primary: settings.primary.clone(),
            margins: settings.margins.keys().cloned().collect(),
        }
    }
}

impl From<&Settings> for CompareOptions {
    fn from(settings: &Settings) -> Self {
        Self {
            stats: settings.options,
            margins: settings.margins.clone(),
            anytime: settings.anytime,
        }
    }
}

/// Whether a key says which questions were asked, beside those of evaluated data.
fn names_questions(key: &str) -> bool {
    let name = plain(leaf(key));
    matches!(
        name.as_str(),
        "category" | "domain" | "lang" | "language" | "level" | "subject" | "topic"
    )
}

/// Refuses a cluster key that no sample of any run has.
pub(super) fn cluster_field_exists(
    runs: &[Run],
    clustering: &Clustering,
) -> Result<(), PipelineError> {
    let Clustering::Key(key) = clustering else { return Ok(()) };
    if let Some(plan) = counted_by(runs) {
        let refusal = Refusal::new("refused.cluster-counted").with("key", key.as_str());
        return match plan.cluster() {
            Some(counted) if counted == key => Ok(()),
            counted => Err(refusal.with("counted", Fact::first(1, counted)).into()),
        };
    }
    let mut tables = runs.iter().flat_map(|run| &run.content.samples).peekable();
    if tables.peek().is_none() || tables.any(|table| !table.clusters().is_empty()) {
        return Ok(());
    }
    let fields = runs.iter().flat_map(|run| &run.content.sample_fields);
    let fields: BTreeSet<&str> = fields.map(String::as_str).collect();
    let unknown = Refusal::new("refused.cluster-unknown").with("key", key.as_str());
    Err(unknown.among(key, fields).into())
}

/// What the samples were counted by, where an engine did.
fn counted_by(runs: &[Run]) -> Option<&CountedPlan> {
    let counted = runs.iter().find_map(|run| run.content.counted.as_ref())?;
    counted.datasets.first().map(|dataset| &*dataset.plan)
}

/// Refuses a placeholder in `[commands] eval` that no result has a value for.
pub(super) fn check_eval_placeholders(
    runs: &[Run],
    settings: &Settings,
) -> Result<(), PipelineError> {
    let Some(eval) = &settings.eval else { return Ok(()) };
    let mut known = axes_of(runs);
    known.extend(["run", "arm", "metric", DATASET_AXIS]);
    let unknown = eval.placeholders().find(|name| !known.contains(name));
    let refusal = unknown.map(|name| {
        let refusal = Refusal::new("refused.placeholder").with("path", eval.location.path.as_str());
        let refusal = refusal.with("line", eval.location.line.unwrap_or_default());
        refusal.with("name", format!("{{{name}}}")).among(name, known.iter().copied())
    });
    refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
}

fn axes_of(runs: &[Run]) -> BTreeSet<&str> {
    let content = || runs.iter().map(|run| &run.content);
    let tables = content().flat_map(|content| &content.samples);
    let scalars = content().flat_map(|content| &content.scalars);
    let tables = tables.map(|table| (&table.dims, &table.dataset));
    let places = tables.chain(scalars.map(|scalar| (&scalar.dims, &scalar.dataset)));
    places
        .flat_map(|(dims, dataset)| dims.names().chain(dataset.as_ref().map(|_| DATASET_AXIS)))
        .collect()
}

/// The layout under the names that the axes have in the data. Refuses an axis that no result of any
/// run has. A coordinate with a single value still counts as an axis.
pub(super) fn axes_found(runs: &[Run], settings: &Settings) -> Result<Layout, PipelineError> {
    let axes = axes_of(runs);
    let layout = settings.layout.renamed(|axis| settings.axis(axis, &axes)).map_err(no_layout)?;
    let unknown = layout.axes().find(|axis| !axes.contains(axis));
    match unknown.map(|axis| Refusal::new("refused.axis").with("axis", axis).among(axis, axes)) {
        None => Ok(layout),
        Some(refusal) => Err(refusal.into()),
    }
}
