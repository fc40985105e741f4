//! From the paths that were asked for to arms: which runs belong to which, and which hold something.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use indexmap::{IndexMap, IndexSet};

use super::PipelineError;
use super::error::too_few;
use super::stage_options::cluster_field_exists;
use super::stage_stores::{self, MOST_NAMED, alone};
use crate::collect::{CollectError, RunAddress};
use crate::diag::Diagnostic;
use crate::model::{ConfigValue, Run, RunLabel, shell_word};
use crate::pairing::{self, Arm, PairedArms};
use crate::settings::{Across, Settings};
use crate::text::Refusal;

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
    let read = runs.iter().filter(|run| !run.is_empty()).map(|run| run.input);
    paths.len() - read.collect::<BTreeSet<usize>>().len()
}

/// Builds the arms and pairs them. Runs after those of the inputs measure the noise.
pub(super) fn pair_inputs<'a>(
    inputs: &[ArmInput],
    runs: &'a [Run],
    settings: &Settings,
    noticed: &[Diagnostic],
) -> Result<PairedArms<'a>, PipelineError> {
    let (compared, repeats) = runs.split_at(arm_run_count(inputs, runs));
    let mut arms = usable(inputs, compared, settings, noticed)?;
    refuse_several(repeats)?;
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
    settings: &Settings,
    noticed: &[Diagnostic],
) -> Result<Vec<Arm<'a>>, PipelineError> {
    if let (Some(across), [input]) = (&settings.across, inputs) {
        return arms_across(input, runs, across, noticed);
    }
    refuse_several(runs)?;
    let mut before = 0;
    let arms = inputs.iter().map(|input| {
        let own = before..before + input.runs.len();
        before = own.end;
        arm(input, runs.iter().filter(|run| own.contains(&run.input)).collect())
    });
    let arms: Vec<Option<Arm<'a>>> = arms.collect();
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
    Err(CollectError::not_found(&RunAddress::of(&lost).path).into())
}

/// Number of leading runs that belong to arms; the others measure the noise. What does not exist was not
/// read.
pub(super) fn arm_run_count(inputs: &[ArmInput], runs: &[Run]) -> usize {
    let paths = inputs.iter().map(|arm| arm.runs.len()).sum();
    runs.iter().take_while(|run| run.input < paths).count()
}

/// An arm for each value of a column, the baseline first.
fn arms_across<'a>(
    input: &ArmInput,
    runs: &'a [Run],
    across: &Across,
    noticed: &[Diagnostic],
) -> Result<Vec<Arm<'a>>, PipelineError> {
    let column = across.column.as_str();
    let mut by_value: IndexMap<String, Vec<&'a Run>> = IndexMap::new();
    for run in runs {
        let value = value_across(run, column);
        let known = by_value.keys().find(|known| text_value(known).same_as(&value)).cloned();
        by_value.entry(known.unwrap_or_else(|| value.to_string())).or_default().push(run);
    }
    let path = input.runs.first().map_or_else(String::new, |path| path.display().to_string());
    if runs.iter().all(Run::is_empty) {
        return Err(PipelineError::EmptyRun { path, diagnostics: noticed.to_vec() });
    }
    if by_value.len() < 2 {
        let fields = runs.iter().flat_map(|run| &run.content.sample_fields).map(String::as_str);
        let mut fields: BTreeSet<&str> = fields.collect();
        if runs.iter().any(|run| run.member.is_some()) {
            fields = stage_stores::keys_apart(runs).into_iter().collect();
        }
        let is_known =
            fields.contains(column) || runs.iter().any(|run| run.setting(column).is_some());
        let key = if is_known { "refused.one-value" } else { "refused.no-such-column" };
        let refusal = Refusal::new(key).with("path", path).with("column", column);
        return Err(refusal.among(column, fields).into());
    }
    if let Some(baseline) = &across.baseline {
        let wanted = text_value(baseline);
        let Some(at) = by_value.keys().position(|value| text_value(value).same_as(&wanted)) else {
            let refusal = Refusal::new("refused.no-such-value").with("path", path);
            let refusal = refusal.with("column", column).with("value", baseline.as_str());
            return Err(refusal.among(baseline, by_value.keys().cloned()).into());
        };
        by_value.move_index(at, 0);
    }
    let mut arms = Vec::with_capacity(by_value.len());
    for (value, runs) in by_value {
        if runs.iter().all(|run| run.member.is_none()) {
            refuse_several(runs.iter().copied())?;
        }
        let is_setting = runs.iter().any(|run| run.member.is_some());
        let is_named = !is_setting && !value.is_empty();
        let name = if is_named { value } else { format!("{column}={value}") };
        arms.extend(arm(&ArmInput { name: Some(name), runs: Vec::new() }, runs));
    }
    if arms.len() < 2 {
        return Err(PipelineError::EmptyRun { path, diagnostics: noticed.to_vec() });
    }
    Ok(arms)
}

/// What a run has in the column of its records, or under the key of its configuration.
fn value_across(run: &Run, column: &str) -> ConfigValue {
    let label = run.labels.iter().find(|label| label.column == column);
    let label = label.map(|label| text_value(&label.value));
    label.or_else(|| run.setting(column).cloned()).unwrap_or_else(|| text_value(""))
}

fn text_value(text: &str) -> ConfigValue {
    ConfigValue::Text(text.to_owned())
}

/// Refuses several runs of one input, unless they repeat each other with other seeds.
pub(super) fn refuse_several<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Result<(), Refusal> {
    refuse_runs_apart(runs, |label| !label.is_repetition(), None)
}

/// Refuses several runs of one input, whatever tells them apart, with what a command of one run
/// takes instead.
pub(super) fn refuse_several_runs(runs: &[Run], command: Option<&str>) -> Result<(), Refusal> {
    refuse_runs_apart(runs, |_| true, command)
}

fn refuse_runs_apart<'a>(
    runs: impl IntoIterator<Item = &'a Run>,
    tells_apart: fn(&RunLabel) -> bool,
    command: Option<&str>,
) -> Result<(), Refusal> {
    let mut by_input: BTreeMap<usize, Vec<&Run>> = BTreeMap::new();
    for run in runs {
        by_input.entry(run.input).or_default().push(run);
    }
    for runs in by_input.values() {
        let [first, others @ ..] = runs.as_slice() else { continue };
        if first.member.is_some() && !others.is_empty() {
            return Err(stage_stores::several_runs(runs, command));
        }
        let differs = |label: &&RunLabel| {
            tells_apart(label) && others.iter().any(|run| !run.labels.contains(label))
        };
        let Some(at) = first.labels.iter().position(|label| differs(&label)) else { continue };
        let (shared, label) = (&first.labels[..at], &first.labels[at]);
        let file = format!("{}{}", first.root_path(), RunLabel::behind_path(shared));
        let all = runs.iter().flat_map(|run| &run.labels);
        let values: IndexSet<&str> = all
            .filter(|other| other.column == label.column)
            .map(|other| other.value.as_str())
            .collect();
        let mut named: Vec<&str> = values.iter().copied().take(MOST_NAMED).collect();
        if values.len() > MOST_NAMED {
            named.push("…");
        }
        let examples = runs.iter().filter(|run| !run.labels.contains(label)).take(1);
        let word = |run: &&Run| {
            let is_seed = label.is_repetition();
            shell_word(if is_seed { &run.path } else { without_seed(&run.path, run) })
        };
        let examples: Vec<String> = std::iter::once(first).chain(examples).map(word).collect();
        let named: Vec<String> = named.into_iter().map(str::to_owned).collect();
        let several = match command {
            Some(command) => Refusal::new("refused.store-one").with("one", alone(command, first)),
            None if label.is_repetition() => Refusal::new("refused.seeds")
                .with("arms", format!("{} OTHER", shell_word(&file)))
                .with("pool", label.column.as_str()),
            None => Refusal::new("refused.several-runs"),
        };
        return Err(several
            .with("path", file.as_str())
            .with("column", label.column.as_str())
            .with("count", values.len())
            .with("names", named.clone())
            .with("values", named)
            .with("examples", examples.join(" "))
            .with("file", shell_word(&file)));
    }
    Ok(())
}

/// The id or path of a run for all runs that repeat it with other seeds.
fn without_seed<'t>(text: &'t str, run: &Run) -> &'t str {
    let seed = run.labels.last().filter(|label| label.is_repetition());
    let seed =
        seed.and_then(|seed| text.strip_suffix(&RunLabel::behind_path(std::slice::from_ref(seed))));
    seed.unwrap_or(text)
}

/// The arm led by its first run that holds something; `None` when none does.
fn arm<'a>(input: &ArmInput, mut members: Vec<&'a Run>) -> Option<Arm<'a>> {
    let lead = members.remove(members.iter().position(|run| !run.is_empty())?);
    let own = || if members.is_empty() { lead.id.as_str() } else { without_seed(&lead.id, lead) };
    let name = input.name.clone().unwrap_or_else(|| own().to_owned());
    Some(Arm { name, lead, members, noise: Vec::new() })
}
