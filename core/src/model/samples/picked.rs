//! Some of the rows of a table as a table of their own.

use super::{SampleTable, SampleTableBuilder, sparse};

impl SampleTableBuilder {
    /// Number of rows so far.
    pub fn rows(&self) -> usize {
        self.table.len()
    }

    pub fn id_hashes(&self) -> &[u64] {
        self.table.id_hashes()
    }

    /// The same with those rows alone, in that order. A column without a score in any of them is left
    /// out.
    #[must_use]
    pub fn picked(&self, rows: &[u32]) -> Self {
        Self { table: self.table.picked(rows) }
    }
}

impl SampleTable {
    /// Those rows alone, in that order. A column without a score in any of them is left out.
    pub(super) fn picked(&self, rows: &[u32]) -> Self {
        let places = || rows.iter().map(|&row| row as usize);
        let mut picked = Self {
            dataset: self.dataset.clone(),
            dims: self.dims.clone(),
            path: self.path.clone(),
            ids: places().map(|row| self.id(row)).collect(),
            saved: self.saved,
            hashes: self.hashes.picked(rows),
            alike: sparse::picked(&self.alike, rows),
            attempts: sparse::picked(&self.attempts, rows),
            questions: sparse::picked(&self.questions, rows),
            statuses: dense(&self.statuses, rows),
            truncated: dense(&self.truncated, rows),
            endings: self.endings.picked(rows),
            lines: dense(&self.lines, rows),
            derived: self.derived.clone(),
            constants: self.constants.clone(),
            ..Self::default()
        };
        let columns = self.columns.iter().map(|(name, column)| (name, column.picked(places())));
        picked.columns = columns
            .filter(|(_, column)| (0..rows.len()).any(|row| column.is_scored(row, true)))
            .map(|(name, column)| (name.clone(), column))
            .collect();
        let clusters = self.clusters.iter().map(|(name, own)| (name.clone(), dense(own, rows)));
        picked.clusters = clusters.filter(|(_, own)| own.iter().any(|&one| one != 0)).collect();
        let shared = self.shared.iter().map(|(key, own)| (key.clone(), dense(own, rows)));
        picked.shared = shared.collect();
        picked
    }
}

/// The values of those rows; rows past the end have none.
fn dense<T: Copy + Default>(list: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| list.get(row as usize).copied().unwrap_or_default()).collect()
}
