//! From the paths that were asked for to arms: which runs belong to which, and which hold something.

use std::path::PathBuf;

use super::PipelineError;
use super::error::too_few;
use super::stage_options::cluster_field_exists;
use crate::collect::CollectError;
use crate::diag::Diagnostic;
use crate::model::Run;
use crate::pairing::{self, Arm, PairedArms};
use crate::settings::Settings;

/// One arm of a comparison as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmInput {
    /// The name in reports; `None` for the id of its only run.
    pub name: Option<String>,
    /// Its runs, at least one. The first readable one leads.
    pub runs: Vec<PathBuf>,
}

pub(super) fn paths(inputs: &[ArmInput], noise: &[PathBuf]) -> Vec<PathBuf> {
    inputs.iter().flat_map(|arm| &arm.runs).chain(noise).cloned().collect()
}

/// How many of the paths hold no run that could be read.
pub(super) fn left_out(paths: &[PathBuf], runs: &[Run]) -> usize {
    paths.len() - runs.iter().filter(|run| !run.is_empty()).count()
}

/// The arms set against each other; the runs behind those of the inputs tell the noise.
pub(super) fn grouped<'a>(
    inputs: &[ArmInput],
    runs: &'a [Run],
    settings: &Settings,
    noticed: &[Diagnostic],
) -> Result<PairedArms<'a>, PipelineError> {
    let (compared, repeats) = runs.split_at(belonging(inputs, runs));
    let mut arms = usable(inputs, compared, noticed)?;
    if let Some(baseline) = arms.first_mut() {
        baseline.noise = repeats.iter().filter(|run| !run.is_empty()).collect();
    }
    cluster_field_exists(runs, &settings.clustering)?;
    pairing::pair_arms(&arms, &settings.into()).ok_or_else(|| too_few(arms.len()).into())
}

/// The arms that have a readable run, when the baseline and at least one candidate are among them.
pub(super) fn usable<'a>(
    inputs: &[ArmInput],
    runs: &'a [Run],
    noticed: &[Diagnostic],
) -> Result<Vec<Arm<'a>>, PipelineError> {
    // Runs come in the order of the inputs; those that do not exist are missing among them.
    let mut rest = runs.iter().peekable();
    let mut found = |path: &PathBuf| rest.next_if(|run| run.path == path.to_string_lossy());
    let arms: Vec<Option<Arm<'a>>> = inputs
        .iter()
        .map(|input| arm(input, input.runs.iter().filter_map(&mut found).collect()))
        .collect();
    let baseline_lost = arms.first().is_some_and(Option::is_none);
    let left = arms.iter().flatten().count();
    if !baseline_lost && (left >= 2 || left == inputs.len()) {
        return Ok(arms.into_iter().flatten().collect());
    }
    let mut lost = inputs.iter().zip(&arms).filter(|(_, arm)| arm.is_none());
    let lost = lost.find_map(|(input, _)| input.runs.first()).cloned().unwrap_or_default();
    let path = lost.to_string_lossy().into_owned();
    if runs.iter().any(|run| run.path == path) {
        return Err(PipelineError::EmptyRun { path, diagnostics: noticed.to_vec() });
    }
    Err(CollectError::not_found(&lost).into())
}

/// How many of the runs, from the first on, are runs of the arms: what does not exist was not read.
pub(super) fn belonging(inputs: &[ArmInput], runs: &[Run]) -> usize {
    let mut rest = runs.iter().peekable();
    let paths = inputs.iter().flat_map(|arm| &arm.runs);
    let found =
        paths.filter(|path| rest.next_if(|run| run.path == path.to_string_lossy()).is_some());
    found.count()
}

/// The arm led by its first run that holds something; `None` when none does.
fn arm<'a>(input: &ArmInput, mut members: Vec<&'a Run>) -> Option<Arm<'a>> {
    let lead = members.remove(members.iter().position(|run| !run.is_empty())?);
    let name = input.name.clone().unwrap_or_else(|| lead.id.clone());
    Some(Arm { name, lead, members, noise: Vec::new() })
}
