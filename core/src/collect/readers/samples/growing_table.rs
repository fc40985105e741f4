//! One table of records while it grows: those of one dataset at one grid point.

use super::coordinates::RecordCoordinates;
use super::error_type::RecordErrorTypes;
use super::field::{Fields, ScoreId};
use super::record::Record;
use super::run_columns::RunValues;
use crate::model::SampleTableBuilder;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct TableKey {
    pub(super) dataset: Option<String>,
    pub(super) at: RecordCoordinates,
}

impl TableKey {
    /// The same for records of all seeds.
    pub(super) fn without_seed(&self) -> Self {
        self.at_other(|at| at.seed = None)
    }

    /// The same at other coordinates.
    pub(super) fn at_other(&self, change: impl FnOnce(&mut RecordCoordinates)) -> Self {
        let mut other = self.clone();
        change(&mut other.at);
        other
    }

    pub(super) fn is_of(&self, record: &Record) -> bool {
        self.dataset.as_deref() == record.dataset() && self.at == record.at
    }
}

#[derive(Default)]
pub(super) struct GrowingTable {
    pub(super) rows: SampleTableBuilder,
    pub(super) error_types: RecordErrorTypes,
    /// Column of each [`ScoreId`] met so far.
    columns: Vec<Option<usize>>,
    /// Column of each field met so far that several records may share.
    shared: Vec<Option<usize>>,
    pub(super) truncation: Option<usize>,
    /// What stands in each of the columns that may tell runs apart.
    runs: Vec<RunValues>,
}

impl GrowingTable {
    pub(super) fn column(&mut self, id: ScoreId, fields: &Fields) -> Option<usize> {
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

    pub(super) fn len(&self) -> usize {
        self.rows.rows()
    }

    pub(super) fn id_hashes(&self) -> &[u64] {
        self.rows.id_hashes()
    }

    /// What stands in that column, which may tell runs apart.
    pub(super) fn run_values(&self, place: usize) -> RunValues {
        self.runs.get(place).cloned().unwrap_or_default()
    }

    /// Appends the rows of a table of the same file, but for what tells runs apart.
    pub(super) fn append(&mut self, next: Self) {
        self.rows.append(next.rows);
        self.error_types.append(next.error_types);
    }

    /// Those rows alone. Nothing can be added to it.
    pub(super) fn picked(&self, rows: &[u32]) -> Self {
        Self {
            rows: self.rows.picked(rows),
            error_types: self.error_types.picked(rows),
            runs: self.runs.iter().map(|values| values.picked(self.len(), rows)).collect(),
            ..Self::default()
        }
    }

    pub(super) fn note_runs(&mut self, record: &Record, fields: &Fields) {
        let row = self.rows.rows() - 1;
        if self.runs.len() < fields.run_column_count() {
            self.runs.resize_with(fields.run_column_count(), RunValues::default);
        }
        for (place, values) in self.runs.iter_mut().enumerate() {
            values.note(row, record.run(place));
        }
    }

    /// Sets a score of the row pushed last.
    pub(super) fn score(&mut self, id: ScoreId, value: f64, fields: &Fields) {
        if let Some(column) = self.column(id, fields) {
            self.rows.score(column, value);
        }
    }

    /// Appends what stands in the columns of further rows, each with its place and its numbers here.
    pub(super) fn append_runs(&mut self, next: &Self, places: &[(usize, Vec<u32>)], count: usize) {
        let row = self.rows.rows();
        self.runs.resize_with(count, RunValues::default);
        let nothing = RunValues::default();
        for (place, values) in self.runs.iter_mut().enumerate() {
            let theirs = places.iter().position(|(known, _)| *known == place);
            let numbers = theirs.and_then(|at| places.get(at)).map_or(&[][..], |(_, own)| own);
            values.append(
                row,
                theirs.and_then(|at| next.runs.get(at)).unwrap_or(&nothing),
                numbers,
            );
        }
    }

    /// Sets what says, or may say, with which samples the row pushed last belongs together.
    pub(super) fn set_groups(&mut self, record: &Record, fields: &Fields) {
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
