//! Records gathered into tables: one a dataset and grid point.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{
    ConfigValue, Ending, KindClass, SampleRow, SampleStatus, SampleTable, SampleTableBuilder,
};

use super::claims::{RecordClaimRole, RecordClaims};
use super::coordinates::RecordCoordinates;
use super::error_type::RecordErrorTypes;
use super::field::{Fields, MetricName, ScoreId};
use super::findings::{RecordFindings, Rivals};
use super::record::Record;
use super::value::RecordScore;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct TableKey {
    dataset: Option<String>,
    at: RecordCoordinates,
}

impl TableKey {
    fn is_of(&self, record: &Record) -> bool {
        self.dataset.as_deref() == record.dataset() && self.at == record.at
    }
}

#[derive(Default)]
struct GrowingTable {
    rows: SampleTableBuilder,
    error_types: RecordErrorTypes,
    /// Column of each [`ScoreId`] met so far.
    columns: Vec<Option<usize>>,
    /// Column of each field met so far that several records may share.
    shared: Vec<Option<usize>>,
    truncation: Option<usize>,
}

impl GrowingTable {
    fn column(&mut self, id: ScoreId, fields: &Fields) -> Option<usize> {
        let slot = usize::from(id.0);
        if let Some(Some(column)) = self.columns.get(slot) {
            return Some(*column);
        }
        let column = self.rows.column(&fields.metric(id)?.metric);
        if self.columns.len() <= slot {
            self.columns.resize(slot + 1, None);
        }
        *self.columns.get_mut(slot)? = Some(column);
        Some(column)
    }

    /// Sets a score of the row pushed last.
    fn score(&mut self, id: ScoreId, value: f64, fields: &Fields) {
        if let Some(column) = self.column(id, fields) {
            self.rows.score(column, value);
        }
    }

    /// Sets what says, or may say, with which samples the row pushed last belongs together.
    fn set_groups(&mut self, record: &Record, fields: &Fields) {
        for &(rank, cluster) in record.clusters() {
            self.rows.set_cluster(fields.cluster_name(rank), cluster);
        }
        for &(place, value) in record.shared() {
            let column = usize::from(place);
            if self.shared.len() <= column {
                self.shared.resize(column + 1, None);
            }
            let rows = &mut self.rows;
            let found = *self.shared[column]
                .get_or_insert_with(|| rows.shared_column(&fields.shared_key(place)));
            rows.set_shared(found, value);
        }
    }
}

#[derive(Default)]
pub(crate) struct RecordTables {
    by_key: IndexMap<TableKey, GrowingTable>,
    /// The table of the record before.
    latest: usize,
    /// The first two names of models that records give.
    models: Vec<String>,
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
        let class = class_of(record, fields);
        let ending = match (claims.ending(), class) {
            (Ending::Plain, Some(KindClass::Ended(Ending::Unknown))) => Ending::Unknown,
            (known, _) => known,
        };
        table.rows.set_ending(ending, record.response());
        table.rows.set_unanswered(claims.is_unanswered());
        table.rows.set_alike(record.alike());
        table.rows.set_attempts(record.attempts);
        table.rows.set_question(record.question());
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

    /// Takes away what was noted of fields that turned out not to be shared.
    pub(crate) fn forget(&mut self, fields: &Fields) {
        for (_, table) in &mut self.by_key {
            table.rows.forget_shared(|key| fields.is_given_up(key));
        }
    }

    fn note_model(&mut self, name: &str) {
        if self.models.len() < 2 && self.models.iter().all(|known| known != name) {
            self.models.push(name.to_owned());
        }
    }

    fn table_of(&mut self, record: &Record) -> &mut GrowingTable {
        let same = self.by_key.get_index(self.latest).is_some_and(|(key, _)| key.is_of(record));
        if !same {
            let dataset = record.dataset().map(str::to_owned);
            let entry = self.by_key.entry(TableKey { dataset, at: record.at.clone() });
            self.latest = entry.index();
            let _made = entry.or_default();
        }
        &mut self.by_key[self.latest]
    }

    /// Appends the tables of the next part, whose lines count from `lines` on.
    pub(crate) fn append(&mut self, next: Self, lines: u64) {
        for name in &next.models {
            self.note_model(name);
        }
        for (key, mut table) in next.by_key {
            table.rows.shift_lines(u32::try_from(lines).unwrap_or(u32::MAX));
            let known = self.by_key.entry(key).or_default();
            known.rows.append(table.rows);
            known.error_types.append(table.error_types);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The tables, and what all records share, as settings of the run. Records without a dataset get
    /// `dataset`.
    pub(crate) fn finish(
        self,
        dataset: Option<&str>,
        path: &Arc<str>,
    ) -> (Vec<SampleTable>, Vec<(&'static str, ConfigValue)>) {
        let shared = RecordCoordinates::shared(self.by_key.keys().map(|key| &key.at));
        let mut finished = Vec::with_capacity(self.by_key.len());
        for (key, mut table) in self.by_key {
            for (metric, column) in table.error_types.into_rates() {
                table.rows.add_derived(metric, column);
            }
            let mut table = table.rows.finish();
            table.dims = key.at.without(&shared).dims();
            table.dataset = key.dataset.or_else(|| dataset.map(str::to_owned));
            table.path = Arc::clone(path);
            finished.push(table);
        }
        let only = <[String; 1]>::try_from(self.models).ok();
        let model = only.map(|[name]| ("model", ConfigValue::Text(name)));
        (finished, shared.settings().into_iter().chain(model).collect())
    }
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
