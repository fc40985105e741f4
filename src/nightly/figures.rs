//! What a run says by itself, and what its comparison adds, as rows of the history.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use serde_json::Value;

use super::job::Job;
use super::kept_settings::{RunSettings, settings_of};
use super::questions::Questions;
use super::record::{NightFigure, RunNote};
use crate::diag::{Code, Diagnostic, Effect, Unknown};
use crate::history::HistoryRow;
use crate::model::{ConfigValue, Measured, Run, RunStatus};
use crate::pairing::{ArmPair, CellPair, PairArm, StatedSide};
use crate::quantity::{Night, Unit};
use crate::report::FindingView;
use crate::text::Catalogue;

/// What was found in a run.
#[derive(Debug, Default)]
pub struct RunFigures {
    pub rows: Vec<HistoryRow>,
    /// Whether its settings are those that the job asks for.
    pub is_wanted: bool,
    /// How it says that it ended before its aim, or has not ended.
    pub ending: Option<String>,
    pub lacks: Option<RunNote>,
    pub questions: Questions,
    /// With their digest, which the rows have.
    pub settings: Option<(String, RunSettings)>,
}

/// The figures of a run that was set against itself, and of which this was noticed.
pub fn read_figures(
    (pair, noticed): (&ArmPair<'_>, &[Diagnostic]),
    job: &Job,
    name: &str,
) -> RunFigures {
    let run = pair.baseline;
    let is_wanted = job.chosen.iter().all(|label| {
        let value = ConfigValue::Text(label.value.clone());
        let is_about = |key: &String| {
            let above = key.strip_suffix(label.column.as_str());
            above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
        };
        let has_two_values = noticed.iter().any(|one| {
            one.code.leaves_unknown() == Some(Unknown::Setting)
                && one.subject.key.as_ref().is_none_or(is_about)
        });
        // Where something could not be read, nobody knows that it is another.
        let is_unknown = run.status != RunStatus::Complete;
        has_two_values || run.setting(&label.column).map_or(is_unknown, |own| own.same_as(&value))
    });
    let settings = settings_of(run);
    let digest = settings.as_ref().map(|(digest, _)| digest);
    let row = |cell| HistoryRow { config: digest.cloned(), ..row(pair, cell, job, name) };
    let rows: Vec<HistoryRow> = pair.cells.iter().map(row).collect();
    let is_unconfigured = !job.chosen.is_empty() && run.content.config.is_empty();
    let is_wanted = is_wanted || is_unconfigured;
    let lacks = is_unconfigured.then_some(RunNote::Unconfigured).or_else(|| lacks(run, &rows));
    let ending = run.content.endings.first().map(|ending| ending.said.clone());
    RunFigures { rows, is_wanted, ending, lacks, questions: Questions::of(run), settings }
}

/// What a run that ended lacks.
fn lacks(run: &Run, rows: &[HistoryRow]) -> Option<RunNote> {
    let short = |row: &&HistoryRow| {
        let there = row.n.map(|n| n + row.n_err.unwrap_or_default());
        there.zip(row.n_expected).is_some_and(|(there, expected)| there < expected)
    };
    match (run.status, &run.content.progress) {
        (RunStatus::Torn, _) => Some(RunNote::Torn),
        (RunStatus::Partial, _) => Some(RunNote::Unread),
        (_, Some(progress)) if progress.reached < progress.planned => {
            let [reached, planned] = [progress.reached, progress.planned];
            Some(RunNote::Steps { reached, planned })
        }
        _ => rows.iter().find(short).map(|row| RunNote::Samples {
            scored: row.n.unwrap_or_default().into(),
            planned: row.n_expected.unwrap_or_default().into(),
            dataset: row.dataset.clone().unwrap_or_else(|| row.metric.clone()),
        }),
    }
}

fn row(pair: &ArmPair<'_>, cell: &CellPair<'_>, job: &Job, name: &str) -> HistoryRow {
    let (run, side) = (pair.baseline, &cell.baseline);
    let provenance = &run.content.provenance;
    let count = |count: u64| u32::try_from(count).ok();
    let value = side.value();
    let stated = side.stated.as_ref();
    let expected = pair.expected(cell, PairArm::Baseline);
    HistoryRow {
        job: job.name.clone(),
        run: name.to_owned(),
        metric: cell.key.metric.clone(),
        dataset: cell.key.dataset.clone(),
        dims: Some(cell.key.dims.to_string()).filter(|dims| !dims.is_empty()),
        unit: cell.spec.unit.name().to_owned(),
        higher_is_better: cell.spec.direction.sign().map(|sign| sign > 0.0),
        value: match value {
            Measured::Value(value) => Some(value).filter(|value| value.is_finite()),
            Measured::Absent(_) => None,
        },
        stderr: match &side.samples {
            Some(samples) if samples.scored > 0 => standard_error(samples.scores()),
            _ => stated.and_then(StatedSide::stderr),
        },
        n: side.n().and_then(count),
        n_err: side.samples.as_ref().and_then(|samples| count(samples.errored)),
        n_expected: expected.and_then(|planned| count(planned.samples)),
        commit: provenance.commit.clone(),
        model: provenance.model.clone(),
        harness: provenance.harness.clone(),
        ..HistoryRow::default()
    }
}

/// s/√n of scores, in two passes.
fn standard_error(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let scores: Vec<f64> = scores.collect();
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    (n > 1.0).then(|| (squares / (n - 1.0) / n).sqrt()).filter(|error| error.is_finite())
}

/// Adds what `report.json` says of the comparisons of these runs. `name_of` is the name of a run by the
/// path under which it was compared.
pub fn attach_comparisons(
    rows: &mut [HistoryRow],
    report: &serde_json::Map<String, Value>,
    baseline: &str,
    name_of: impl Fn(&str) -> String,
) {
    let list = |name: &str| report.get(name).and_then(Value::as_array).into_iter().flatten();
    let grade = report.get("comparability").and_then(|one| one.get("grade")?.as_str());
    let text = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let name = |id: &str| {
        let run = list("runs").find(|run| text(run, "id").as_deref() == Some(id))?;
        Some(name_of(&text(run, "path")?))
    };
    for comparison in list("comparisons") {
        let Some(run) = text(comparison, "candidate_run").and_then(|id| name(&id)) else {
            continue;
        };
        let metric = text(comparison, "metric").unwrap_or_default();
        let dataset = text(comparison, "dataset");
        let dims = comparison.get("dims").and_then(Value::as_object).map(coordinates);
        let is_its = |row: &&mut HistoryRow| {
            row.run == run
                && row.metric == metric
                && row.dataset == dataset
                && row.dims.as_deref().unwrap_or_default() == dims.as_deref().unwrap_or_default()
        };
        let number = |pointer: &str| comparison.pointer(pointer).and_then(Value::as_f64);
        let count = |pointer: &str| {
            u32::try_from(comparison.pointer(pointer).and_then(Value::as_u64)?).ok()
        };
        for row in rows.iter_mut().filter(is_its) {
            row.baseline = Some(baseline.to_owned());
            row.n_paired = count("/pairing/paired");
            row.gained = count("/flips/gained");
            row.lost = count("/flips/lost");
            row.delta = number("/delta/absolute");
            row.delta_low = number("/delta/ci/0");
            row.delta_high = number("/delta/ci/1");
            row.p_adjusted = number("/test/p_adjusted").or_else(|| number("/test/p"));
            row.verdict = text(comparison, "verdict");
            row.grade = grade.map(str::to_owned);
        }
    }
}

/// The figure that a report is about: of that metric, else of one by which runs are judged; what got worse
/// first, then what comes nearest to it. `None` where the figures are of things that cannot be compared.
pub fn main_figure(
    report: &serde_json::Map<String, Value>,
    metric: Option<&str>,
) -> Option<NightFigure> {
    if report.get("comparability")?.get("grade")?.as_str() == Some("not-comparable") {
        return None;
    }
    let text = |one: &Value, name: &str| Some(one.get(name)?.as_str()?.to_owned());
    let rank = |one: &Value| {
        let is_asked = metric.is_some() && one.get("metric").and_then(Value::as_str) == metric;
        let is_primary = text(one, "role").as_deref() == Some("primary");
        let is_worse = text(one, "verdict").as_deref() == Some("worse");
        (!is_asked, !is_primary, !is_worse)
    };
    let p = |one: &Value| one.pointer("/test/p").and_then(Value::as_f64).unwrap_or(1.0);
    let all = report.get("comparisons")?.as_array()?.iter();
    let with_figures = all.filter(|one| one.pointer("/delta/absolute").is_some_and(Value::is_f64));
    let one = with_figures.min_by(|a, b| rank(a).cmp(&rank(b)).then(p(a).total_cmp(&p(b))))?;
    let figure = |arm: &str| {
        let over_pairs = one.pointer(&format!("/pairing/{arm}_value")).and_then(Value::as_f64);
        over_pairs.or_else(|| one.pointer(&format!("/{arm}/value"))?.as_f64())
    };
    Some(NightFigure {
        metric: text(one, "metric")?,
        dataset: text(one, "dataset"),
        unit: Unit::named(&text(one, "unit")?)?,
        baseline: figure("baseline")?,
        candidate: figure("candidate")?,
        run: text(one, "candidate_run"),
    })
}

/// Settings that a comparison blames, each once.
pub fn undeclared(report: &serde_json::Map<String, Value>) -> Vec<String> {
    let residue = report.get("comparability").and_then(|one| one.get("residue")?.as_array());
    let can_matter =
        |one: &&Value| one.get("can_move_metric").and_then(Value::as_bool) == Some(true);
    let keys =
        residue.into_iter().flatten().filter(can_matter).filter_map(|one| one.get("key")?.as_str());
    keys.map(str::to_owned).collect::<BTreeSet<String>>().into_iter().collect()
}

/// What is told of a comparison at most.
const MOST_NOTICED: usize = 3;

/// What a comparison says of the names that its job gives, and why it could not be judged beside settings
/// that are told by their keys: at most three.
pub fn noticed(findings: &[FindingView], keys: &[String], words: &Catalogue) -> Vec<String> {
    let is_told =
        |finding: &&FindingView| finding.subject.get("key").is_some_and(|key| keys.contains(key));
    let open = findings.iter().filter(|finding| finding.accepted.is_none());
    let title = |finding: &FindingView| match finding.code {
        Code::MetricUnused | Code::PrimaryUnused => Some(finding.local_message.clone()),
        code if code.effect() == Effect::None => None,
        code => Some(format!(
            "{} (`{}`)",
            words.get(&format!("diagnostic.{}.title", code.id())),
            code.id()
        )),
    };
    let found: IndexSet<String> = open.filter(|one| !is_told(one)).filter_map(title).collect();
    found.into_iter().take(MOST_NOTICED).collect()
}

/// Coordinates as `Dims` writes them.
fn coordinates(dims: &serde_json::Map<String, Value>) -> String {
    let shown = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    };
    dims.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// Of the rows of a night, those of the run of each figure that was finished last and is complete.
pub fn last_runs(rows: Vec<HistoryRow>) -> Vec<HistoryRow> {
    let mut last: BTreeMap<_, usize> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate().filter(|(_, row)| row.is_of_complete_run()) {
        let (metric, _, _, dataset, dims) = row.key();
        let figure = (row.night, &row.job, metric, dataset, dims, row.higher_is_better.is_none());
        let kept = last.entry(figure).or_insert(place);
        if rows.get(*kept).is_some_and(|kept| is_later(row, kept)) {
            *kept = place;
        }
    }
    let kept: BTreeSet<usize> = last.into_values().collect();
    let rows = rows.into_iter().enumerate();
    rows.filter(|(place, _)| kept.contains(place)).map(|(_, row)| row).collect()
}

/// Files a figure under its night; where a night has several runs, that of the one which was finished last
/// stays.
pub(super) fn take_last<'a>(nights: &mut BTreeMap<Night, &'a HistoryRow>, row: &'a HistoryRow) {
    let of_night = nights.entry(row.night).or_insert(row);
    if is_later(row, of_night) {
        *of_night = row;
    }
}

fn is_later(row: &HistoryRow, other: &HistoryRow) -> bool {
    (row.finished, &row.run) > (other.finished, &other.run)
}
