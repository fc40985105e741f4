//! Records gathered into tables: one a dataset and grid point.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{
    Config, ConfigEntry, ConfigValue, Ending, FragmentPart, KindClass, RunLabel, SampleRow,
    SampleStatus, Source,
};

use super::claim_role::RecordClaimRole;
use super::claims::RecordClaims;
use super::coordinates::RecordCoordinates;
use super::counters;
use super::field::{Fields, MetricName, ScoreId};
use super::findings::{RecordFindings, Rivals};
use super::growing_table::{GrowingTable, TableKey};
use super::names::ANSWER_NUMBERS;
use super::record::Record;
use super::run_columns::{MOST_OF_SETTING, RunColumn, RunColumns, UNTOLD};
use super::several_runs::{self, Tables};
use super::value::RecordScore;

#[derive(Default)]
pub(crate) struct RecordTables {
    by_key: IndexMap<TableKey, GrowingTable>,
    /// The table of the record before.
    latest: usize,
    /// How often a record belongs to another table than the one before.
    changes: usize,
    /// The first names of models that records give, one more than is told.
    models: Vec<String>,
    run_columns: RunColumns,
    /// Whether records number the answers to one problem.
    numbers_answers: bool,
    /// Names of the metrics of the parts appended, and whether there are more than may be.
    metrics: BTreeSet<String>,
    is_full: bool,
}

fn row_of(record: &Record, status: SampleStatus, line: u64) -> SampleRow<'_> {
    SampleRow {
        id: record.id().unwrap_or_default(),
        hashes: record.hashes(),
        status,
        truncated: record.truncated().unwrap_or(false),
        line: u32::try_from(line).unwrap_or(u32::MAX),
    }
}

impl RecordTables {
    /// Adds a record that has an id.
    pub(crate) fn add(
        &mut self,
        record: &Record,
        fields: &Fields,
        line: u64,
        findings: &mut RecordFindings,
    ) {
        let scored = record.has_score(fields);
        let status = record.status(scored);
        // A score that is NaN is told by its name.
        if status == SampleStatus::Unscored && !record.has_failed_metric(fields) {
            findings.unscored.note(line);
        }
        if let Some(model) = record.model() {
            self.note_model(model);
        }
        let claims = record.claims(fields);
        findings.contradictions.note(&claims, line);
        let is_known = |id| fields.metric(id).is_some_and(|metric| metric.known);
        let table = self.table_of(record);
        table.rows.push(row_of(record, status, line));
        if fields.run_column_count() > 0 {
            table.note_runs(record, fields);
        }
        let class = class_of(record, fields);
        let ending = match (claims.ending(), class) {
            (Ending::Plain, Some(KindClass::Ended(Ending::Unknown))) => Ending::Unknown,
            (known, _) => known,
        };
        table.rows.set_ending(ending, record.response());
        table.rows.set_unanswered(claims.is_unanswered());
        table.rows.set_answer_match(claims.answer_match());
        table.rows.set_alike(record.alike());
        table.rows.set_attempts(record.attempts);
        record.tell_what_was_asked(&mut table.rows);
        note_overruled(record, fields, line, findings);
        for (id, score) in record.scores(fields) {
            if fields.has_aliases() && is_beaten(record, fields, id, score, line, findings) {
                continue;
            }
            let metric = fields.metric(id).map_or("", |metric| &metric.metric);
            match score {
                // Nothing was answered, so nothing was wrong.
                RecordScore::Finite(0.0) if is_no_result(&claims, fields.metric(id)) => {
                    let _made = table.column(id, fields);
                }
                RecordScore::Finite(value) => table.score(id, value, fields),
                RecordScore::Infinite(value) => {
                    findings.not_finite(metric, line);
                    table.score(id, value, fields);
                }
                RecordScore::NotANumber => {
                    findings.not_finite(metric, line);
                    // A metric of which every score failed is one without scores, not one that
                    // nobody took.
                    if is_known(id) {
                        let _made = table.column(id, fields);
                    }
                }
                RecordScore::Unusable => findings.unusable(metric, line),
                RecordScore::Absent => {}
            }
        }
        if let Some(truncated) = record.truncated() {
            let rows = &mut table.rows;
            let column =
                *table.truncation.get_or_insert_with(|| rows.derived_column("truncation_rate"));
            table.rows.score(column, f64::from(u8::from(truncated)));
        }
        table.set_groups(record, fields);
        table.error_types.push(class);
    }

    /// Takes what is known of fields when all records are there: takes away what was noted of those that
    /// turned out not to be shared.
    pub(crate) fn settle(&mut self, fields: &mut Fields) {
        if !fields.run_columns().is_empty() {
            self.run_columns = std::mem::take(fields.run_columns());
        }
        self.numbers_answers |= fields.names().any(|name| ANSWER_NUMBERS.contains(&name));
        for (_, table) in &mut self.by_key {
            table.rows.forget_shared(|key| fields.is_given_up(key));
        }
    }

    fn note_model(&mut self, name: &str) {
        if self.models.len() <= MOST_OF_SETTING && self.models.iter().all(|known| known != name) {
            self.models.push(name.to_owned());
        }
    }

    fn table_of(&mut self, record: &Record) -> &mut GrowingTable {
        let same = self.by_key.get_index(self.latest).is_some_and(|(key, _)| key.is_of(record));
        if !same {
            let dataset = record.dataset().map(str::to_owned);
            let entry = self.by_key.entry(TableKey { dataset, at: record.at.clone() });
            self.latest = entry.index();
            self.changes += 1;
            let _made = entry.or_default();
        }
        &mut self.by_key[self.latest]
    }

    /// Appends the tables of the next part, whose lines count from `lines` on, but for what makes more
    /// than so many metrics.
    pub(crate) fn append(&mut self, next: Self, lines: u64, most_metrics: usize) {
        for name in &next.models {
            self.note_model(name);
        }
        self.changes += next.changes;
        self.numbers_answers |= next.numbers_answers;
        let places = self.run_columns.take(&next.run_columns);
        for (key, mut table) in next.by_key {
            table.rows.shift_lines(u32::try_from(lines).unwrap_or(u32::MAX));
            table.rows.retain_metrics(|metric| {
                let is_known = self.metrics.contains(metric)
                    || self.metrics.len() < most_metrics && self.metrics.insert(metric.to_owned());
                self.is_full |= !is_known;
                is_known
            });
            let known = self.by_key.entry(key).or_default();
            known.append_runs(&table, &places, self.run_columns.count());
            known.append(table);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Whether metrics were left out.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The columns that may tell runs apart and say the same in all records.
    pub(crate) fn constants(&self) -> Vec<RunLabel> {
        self.run_columns.constants()
    }

    /// The tables of each run, with what all of its records share as settings; one part without labels
    /// where all records are of one run. Records without a dataset get `dataset`.
    pub(crate) fn finish(self, dataset: Option<&str>, path: &Arc<str>) -> Vec<FragmentPart> {
        let runs = several_runs::apart(self.by_key, &self.run_columns);
        let model =
            model_setting(&self.models).filter(|_| self.models.len() == 1 || runs.len() == 1);
        let finished = |(labels, tables): (Vec<RunLabel>, Tables)| {
            // Answers that are numbered may each have a temperature of their own.
            let tables = if self.numbers_answers {
                tables
            } else {
                several_runs::along_settings(tables, &self.run_columns)
            };
            let mut settings = settings(&tables, &self.run_columns);
            settings.extend(model.clone().map(|value| ("model", value)));
            finished(labels, counters::folded(tables, self.changes), settings, (dataset, path))
        };
        runs.into_iter().map(finished).collect()
    }
}

/// The models that records name: one, or several between which no run was told from another.
fn model_setting(models: &[String]) -> Option<ConfigValue> {
    let mut names: Vec<ConfigValue> = models.iter().cloned().map(ConfigValue::Text).collect();
    match names.len() {
        0 => None,
        1 => names.pop(),
        2..=MOST_OF_SETTING => {
            names.sort_by_key(ToString::to_string);
            Some(ConfigValue::List(names))
        }
        _ => Some(ConfigValue::Text(UNTOLD.to_owned())),
    }
}

/// What all records of a run say of its settings.
fn settings<'c>(tables: &Tables, columns: &'c RunColumns) -> Vec<(&'c str, ConfigValue)> {
    let setting = |(place, column): (usize, &'c RunColumn)| {
        let mut records = BTreeMap::<u32, usize>::new();
        for table in tables.values() {
            table.run_values(place).count(table.len(), &mut records);
        }
        column.setting(&records)
    };
    let is_axis = |name: &str| {
        let mut axes = tables.keys().flat_map(|key| &key.at.settings);
        axes.any(|axis| axis.column == name)
    };
    columns.all().filter_map(setting).filter(|(name, _)| !is_axis(name)).collect()
}

fn finished(
    labels: Vec<RunLabel>,
    tables: Tables,
    settings: Vec<(&str, ConfigValue)>,
    (dataset, path): (Option<&str>, &Arc<str>),
) -> FragmentPart {
    let shared = RecordCoordinates::shared(tables.keys().map(|key| &key.at));
    let mut samples = Vec::with_capacity(tables.len());
    for (key, mut table) in tables {
        for (metric, column) in table.error_types.into_rates() {
            table.rows.add_derived(metric, column);
        }
        let mut table = table.rows.finish();
        table.dims = key.at.without(&shared).dims();
        table.dataset = key.dataset.or_else(|| dataset.map(str::to_owned));
        table.path = Arc::clone(path);
        samples.push(table);
    }
    let mut config = Config::default();
    let mut state = |key: &str, value| {
        config.insert(key.to_owned(), ConfigEntry { value, source: Source::key(path, key) });
    };
    for (key, value) in shared.settings().into_iter().chain(settings) {
        state(key, value);
    }
    for label in &labels {
        state(RunLabel::key(&label.column), ConfigValue::Text(label.value.clone()));
    }
    FragmentPart { labels, samples, config, ..FragmentPart::default() }
}

/// Whether a score of 0 says nothing of an answer: there was none, or less is better and the sample
/// failed.
fn is_no_result(claims: &RecordClaims, metric: Option<&MetricName>) -> bool {
    metric.is_some_and(|metric| {
        let is_best = || metric.less_is_better && claims.is_no_best_score();
        metric.known && (claims.is_lost() || is_best())
    })
}

/// The class of what went wrong: unknown where there is a place for it that is left empty, and
/// the answer is scored and not right.
fn class_of(record: &Record, fields: &Fields) -> Option<KindClass> {
    let right = || {
        let outcomes = record.scores(fields).filter_map(|(id, score)| match score {
            RecordScore::Finite(value) => fields
                .metric(id)
                .filter(|metric| {
                    matches!(
                        metric.role,
                        RecordClaimRole::Accepted
                            | RecordClaimRole::Tested
                            | RecordClaimRole::Right
                            | RecordClaimRole::PassRatio
                    )
                })
                .map(|_| value == 1.0),
            _ => None,
        });
        outcomes.reduce(|a, b| a || b)
    };
    match record.error_type(fields) {
        Some(kind) => Some(kind.class(right())),
        None if record.error_type_empty => {
            let unknown = KindClass::Ended(Ending::Unknown);
            Some(if right()? { KindClass::Success } else { unknown })
        }
        None => None,
    }
}

/// Reports scores that count beside others of the same name elsewhere in the record.
fn note_overruled(record: &Record, fields: &Fields, line: u64, findings: &mut RecordFindings) {
    for &(id, dropped) in &record.scores.overruled {
        let kept = record.scores(fields).find(|(other, _)| *other == id);
        if let (Some((_, RecordScore::Finite(kept))), Some(metric)) = (kept, fields.metric(id)) {
            let [kept, dropped] = [kept, dropped].map(|score| (metric.key.clone(), score));
            findings.rivals(Rivals { metric: metric.metric.clone(), kept, dropped }, line);
        }
    }
}

/// Whether the record has its metric under another name that counts: the canonical one, else the
/// first by alphabet. A disagreement of the two is reported.
fn is_beaten(
    record: &Record,
    fields: &Fields,
    id: ScoreId,
    score: RecordScore,
    line: u64,
    findings: &mut RecordFindings,
) -> bool {
    let Some(this) = fields.metric(id) else { return false };
    let rank = |key: &'_ str| (key != this.metric, key.to_owned());
    let rivals = record.scores(fields).filter_map(|(other, score)| match score {
        RecordScore::Finite(value) => Some((other, fields.metric(other)?, value)),
        _ => None,
    });
    let best = rivals
        .filter(|(other, name, _)| *other != id && name.metric == this.metric)
        .min_by_key(|(_, name, _)| rank(&name.key));
    let Some((_, name, value)) = best else { return false };
    let RecordScore::Finite(dropped) = score else { return true };
    if rank(&name.key) > rank(&this.key) {
        return false;
    }
    if value != dropped {
        let rivals = Rivals {
            metric: this.metric.clone(),
            kept: (name.key.clone(), value),
            dropped: (this.key.clone(), dropped),
        };
        findings.rivals(rivals, line);
    }
    true
}
