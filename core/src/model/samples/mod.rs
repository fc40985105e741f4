//! Per-sample outcomes as columns: a few dozen bytes a sample, whatever the record weighed.

mod asked;
mod attempt_count;
mod clusters;
mod column;
mod content;
mod ending;
mod ids;
mod picked;
mod repeats;
mod retried;
mod saved;
mod shared;
mod sparse;
mod written_answers;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::packed::{self, Packable};
use super::{Dims, Source};
pub use attempt_count::attempts_from;
pub use clusters::Clustering;
pub use column::Column;
use content::ContentColumns;
pub use content::{ContentHash, ContentHashes};
use ending::Endings;
pub use ending::{AnswerMatch, ERROR_TYPES, Ending, KindClass};
use ids::Ids;
pub use repeats::{Answers, WithinProblems};
pub use saved::HashWidth;
use shared::shared_column;
pub use shared::{SharedKey, SharedPart};

/// Why a sample has no score, or that it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum SampleStatus {
    #[default]
    Scored,
    /// The producer marks it as failed for reasons other than the answer (api error, crash).
    Errored,
    Unscored,
}

impl Packable for SampleStatus {
    fn bits(&self) -> u64 {
        *self as u64
    }

    fn from_bits(bits: u64) -> Option<Self> {
        [Self::Scored, Self::Errored, Self::Unscored].get(usize::try_from(bits).ok()?).copied()
    }
}

/// One sample as a reader hands it over.
#[derive(Debug, Clone, Copy)]
pub struct SampleRow<'a> {
    pub id: &'a str,
    pub hashes: ContentHashes,
    pub status: SampleStatus,
    /// Whether generation stopped at the length limit.
    pub truncated: bool,
    /// Line or row it was read from, counted from 1.
    pub line: u32,
}

/// Samples of one dataset at one grid point, in the order they were read.
///
/// Invariant: every column, hash vector and status vector has [`SampleTable::len`] rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SampleTable {
    /// Dataset, task or benchmark.
    pub dataset: Option<String>,
    /// Grid coordinates, for example `filter=strict-match`, `step=500`.
    pub dims: Dims,
    /// File the rows came from; the first one, when a run splits its samples over several.
    pub path: Arc<str>,
    /// Where the rows of further files begin.
    parts: Vec<(u32, Arc<str>)>,
    ids: Ids,
    /// What it was saved with, where it was read from a file that holds no texts.
    #[serde(skip)]
    saved: Option<HashWidth>,
    hashes: ContentColumns,
    /// Of prompts without regard to case and white space, where that was looked at.
    #[serde(with = "packed")]
    alike: Vec<Option<ContentHash>>,
    /// As [`Self::attempts`] counts them, where a field says so; 0 without.
    #[serde(with = "packed")]
    attempts: Vec<u16>,
    /// Of the bare questions, where prompts stand beside them.
    #[serde(with = "packed")]
    questions: Vec<Option<ContentHash>>,
    /// Of the options among which the answer is chosen, where a field of their own lists them.
    #[serde(skip)]
    options: Vec<Option<ContentHash>>,
    /// Whether a field is taken for the right answer only because another holds that of the model.
    #[serde(skip)]
    guesses_targets: bool,
    #[serde(with = "packed")]
    statuses: Vec<SampleStatus>,
    #[serde(with = "packed")]
    truncated: Vec<bool>,
    endings: Endings,
    #[serde(with = "packed")]
    lines: Vec<u32>,
    columns: Vec<(String, Column)>,
    /// Names of columns that are no scores, see [`Self::is_derived`].
    derived: BTreeSet<String>,
    #[serde(with = "packed::named")]
    clusters: Vec<(String, Vec<u64>)>,
    #[serde(with = "packed::named")]
    shared: Vec<(SharedKey, Vec<u32>)>,
    constants: Vec<(String, u32)>,
    answers: Option<Answers>,
}

impl SampleTable {
    /// Number of rows, duplicates included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id in that row; empty past the end.
    pub fn id(&self, row: usize) -> &str {
        self.ids.get(row)
    }

    /// Whether both tables have the same ids in the same order.
    pub fn same_ids(&self, other: &Self) -> bool {
        self.ids.is_same(&other.ids)
    }

    pub fn id_hashes(&self) -> &[u64] {
        self.ids.hashes()
    }

    /// The content hashes of a row; past the end nothing is known.
    pub fn hashes(&self, row: usize) -> ContentHashes {
        self.hashes.get(row)
    }

    /// The hash of a row's prompt without regard to case and white space, where that was looked at:
    /// for questions that are repeated, and no proof of a pairing.
    pub fn alike(&self, row: usize) -> Option<ContentHash> {
        self.alike.get(row).copied().flatten()
    }

    /// Whether prompts were looked at without regard to case and white space.
    pub fn has_alike(&self) -> bool {
        !self.alike.is_empty()
    }

    /// For each row how often its answer was asked for, 1 where nothing says so; empty where no row says
    /// anything, or all say the same.
    pub fn attempts(&self) -> Vec<u16> {
        // A count from 0 is an index of attempts: its first is 1 here, that of others 2.
        let first = if self.attempts.contains(&1) { 1 } else { 2 };
        if self.attempts.windows(2).all(|pair| pair[0] == pair[1]) {
            return Vec::new();
        }
        self.attempts.iter().map(|&count| count.max(first) - first + 1).collect()
    }

    pub fn statuses(&self) -> &[SampleStatus] {
        &self.statuses
    }

    /// Whether generation stopped at the length limit, per row.
    pub fn truncated(&self) -> &[bool] {
        &self.truncated
    }

    /// How the answer in that row ended. Of several answers made one row: how all of them did, if
    /// they agree.
    pub fn ending(&self, row: usize) -> Ending {
        self.endings.ending(row)
    }

    /// Hash of what the model wrote in that row, where that is known.
    pub fn response(&self, row: usize) -> Option<ContentHash> {
        self.endings.response(row)
    }

    pub fn has_responses(&self) -> bool {
        self.endings.has_responses()
    }

    /// Line each row was read from, counted from 1.
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// Score columns in the order of first appearance.
    pub fn columns(&self) -> &[(String, Column)] {
        &self.columns
    }

    pub fn column(&self, metric: &str) -> Option<&Column> {
        self.columns.iter().find(|(name, _)| name == metric).map(|(_, column)| column)
    }

    /// Whether that metric follows from a field that tells how samples ended, such as the reason why
    /// generation stopped, and not from a score.
    pub fn is_derived(&self, metric: &str) -> bool {
        self.derived.contains(metric)
    }

    /// The fields that may say which samples belong together: names, and the hash of each row's
    /// cluster (0 = not written).
    pub fn clusters(&self) -> &[(String, Vec<u64>)] {
        &self.clusters
    }

    /// The fields of no known meaning whose values several samples share, and what values begin with:
    /// names, and a number for the value of each row (0 = none; rows past the end have none).
    pub fn shared_fields(&self) -> &[(SharedKey, Vec<u32>)] {
        &self.shared
    }

    /// What is known of the answers that rows average; `None` unless they were collapsed.
    pub fn answers(&self) -> Option<&Answers> {
        self.answers.as_ref()
    }

    pub fn source(&self, row: usize, metric: &str) -> Source {
        let line = self.lines.get(row).copied().unwrap_or(0);
        let part = self.parts.iter().rev().find(|(start, _)| *start as usize <= row);
        let path = part.map_or(&self.path, |(_, path)| path);
        Source::line(path, u64::from(line), metric)
    }

    /// The files that rows came from.
    pub fn paths(&self) -> impl Iterator<Item = &Arc<str>> {
        std::iter::once(&self.path).chain(self.parts.iter().map(|(_, path)| path))
    }

    /// Appends the rows of another table of the same dataset and grid point.
    pub fn extend(&mut self, other: Self) {
        let rows = self.len();
        if other.path != self.path {
            self.parts.push((rows as u32, Arc::clone(&other.path)));
        }
        self.parts.extend(other.parts.into_iter().map(|(start, path)| (rows as u32 + start, path)));
        for (name, _) in &other.columns {
            if self.column(name).is_none() {
                self.columns.push((name.clone(), Column::empty(rows)));
            }
        }
        self.derived.extend(other.derived);
        self.ids.extend(other.ids);
        self.hashes.extend(other.hashes);
        self.statuses.extend(other.statuses);
        self.truncated.extend(other.truncated);
        self.lines.extend(other.lines);
        let added = self.len() - rows;
        sparse::extend(&mut self.alike, rows, other.alike, added);
        sparse::extend(&mut self.attempts, rows, other.attempts, added);
        sparse::extend(&mut self.questions, rows, other.questions, added);
        sparse::extend(&mut self.options, rows, other.options, added);
        self.guesses_targets |= other.guesses_targets;
        self.endings.extend(rows, other.endings, added);
        let mut incoming = other.columns;
        for (name, column) in &mut self.columns {
            let theirs = incoming.iter().position(|(other_name, _)| other_name == name);
            match theirs {
                Some(position) => column.append(incoming.swap_remove(position).1),
                None => column.append(Column::empty(added)),
            }
        }
        for (name, clusters) in other.clusters {
            let known = self.clusters.iter().position(|(known, _)| *known == name);
            let mine = known.unwrap_or_else(|| {
                self.clusters.push((name, vec![0; rows]));
                self.clusters.len() - 1
            });
            if let Some((_, mine)) = self.clusters.get_mut(mine) {
                mine.extend(clusters);
            }
        }
        for (_, clusters) in &mut self.clusters {
            clusters.resize(rows + added, 0);
        }
        self.constants.retain(|own| other.constants.contains(own));
        for (name, values) in other.shared {
            let mine = shared_column(&mut self.shared, &name);
            let Some((_, mine)) = self.shared.get_mut(mine) else { continue };
            mine.resize(rows, 0);
            mine.extend(values);
        }
    }

    /// Adds a column with a score or its absence for every row; a metric that has a column already
    /// keeps it.
    pub fn add_column(&mut self, metric: String, column: Column) {
        debug_assert_eq!(column.len(), self.len(), "a score or its absence for every row");
        if column.len() == self.len() && self.column(&metric).is_none() {
            self.columns.push((metric, column));
        }
    }

    /// Takes away every score of a metric that `keep` refuses, and returns the rows and scores.
    pub fn remove_scores(&mut self, metric: &str, keep: impl Fn(f64) -> bool) -> Vec<(usize, f64)> {
        let rows = self.len();
        let Some((_, column)) = self.columns.iter_mut().find(|(name, _)| name == metric) else {
            return Vec::new();
        };
        let written = |row| column.get(row).or_else(|| column.infinite(row));
        let refused = |row| written(row).filter(|&score| !keep(score)).map(|score| (row, score));
        let removed: Vec<(usize, f64)> = (0..rows).filter_map(refused).collect();
        for &(row, _) in &removed {
            column.remove(row);
        }
        for &(row, _) in &removed {
            let scored = self.columns.iter().any(|(_, column)| column.get(row).is_some());
            if let Some(status) = self.statuses.get_mut(row)
                && *status == SampleStatus::Scored
                && !scored
            {
                *status = SampleStatus::Unscored;
            }
        }
        removed
    }
}

#[derive(Debug, Clone, Default)]
pub struct SampleTableBuilder {
    table: SampleTable,
}

impl SampleTableBuilder {
    pub fn new(dataset: Option<String>, dims: Dims, path: Arc<str>) -> Self {
        Self { table: SampleTable { dataset, dims, path, ..SampleTable::default() } }
    }

    /// Index of the column of that metric, made when it is new.
    pub fn column(&mut self, metric: &str) -> usize {
        let columns = &mut self.table.columns;
        columns.iter().position(|(name, _)| name == metric).unwrap_or_else(|| {
            columns.push((metric.to_owned(), Column::empty(self.table.ids.len())));
            columns.len() - 1
        })
    }

    /// Index of a column as [`Self::column`] gives it, see [`SampleTable::is_derived`] when it is new.
    pub fn derived_column(&mut self, metric: &str) -> usize {
        if self.table.column(metric).is_none() {
            self.table.derived.insert(metric.to_owned());
        }
        self.column(metric)
    }

    /// Adds a row without scores; [`Self::score`] then adds them.
    pub fn push(&mut self, row: SampleRow<'_>) {
        let table = &mut self.table;
        table.ids.push(row.id);
        table.hashes.push(row.hashes);
        table.statuses.push(row.status);
        table.truncated.push(row.truncated);
        table.lines.push(row.line);
        for (_, column) in &mut table.columns {
            column.push_absent();
        }
        for (_, clusters) in &mut table.clusters {
            clusters.push(0);
        }
    }

    /// Sets a score of the row pushed last. `column` comes from [`Self::column`]; NaN is no score.
    pub fn score(&mut self, column: usize, value: f64) {
        if !value.is_nan()
            && let Some((_, column)) = self.table.columns.get_mut(column)
        {
            column.set_last(value);
        }
    }

    /// Sets how the answer of the row pushed last ended, and the hash of what the model wrote, where
    /// that is known.
    pub fn set_ending(&mut self, ending: Ending, response: Option<ContentHash>) {
        self.table.endings.set_last(self.table.len(), ending, response);
    }

    /// Sets the hash of the prompt of the row pushed last, without regard to case and white space.
    pub fn set_alike(&mut self, alike: Option<ContentHash>) {
        sparse::set_last(&mut self.table.alike, self.table.ids.len(), alike);
    }

    /// Sets how often the answer of the row pushed last was asked for, counted from 2, or from 1 where
    /// the count begins at 0; 0 where nothing says so.
    pub fn set_attempts(&mut self, attempts: u16) {
        sparse::set_last(&mut self.table.attempts, self.table.ids.len(), attempts);
    }

    /// Sets the hash of the row's cluster in a field, for the row pushed last.
    pub fn set_cluster(&mut self, field: &str, cluster: u64) {
        let rows = self.table.len();
        let clusters = &mut self.table.clusters;
        let position = clusters.iter().position(|(name, _)| name == field).unwrap_or_else(|| {
            clusters.push((field.to_owned(), vec![0; rows]));
            clusters.len() - 1
        });
        if let Some(last) = clusters.get_mut(position).and_then(|(_, rows)| rows.last_mut()) {
            *last = cluster;
        }
    }

    /// Index of the column of that field, which several samples may share, made when it is new.
    pub fn shared_column(&mut self, key: &SharedKey) -> usize {
        shared_column(&mut self.table.shared, key)
    }

    /// Sets the number of the row's value in such a field, for the row pushed last.
    pub fn set_shared(&mut self, column: usize, value: u32) {
        let rows = self.table.len();
        let Some((_, column)) = self.table.shared.get_mut(column) else { return };
        column.resize(rows.saturating_sub(1), 0);
        column.push(value);
    }

    /// Takes away what was set of such a field.
    pub fn forget_shared(&mut self, is_forgotten: impl Fn(&SharedKey) -> bool) {
        self.table.shared.retain(|(name, _)| !is_forgotten(name));
    }

    /// Appends the rows of another builder for the same file, dataset and grid point.
    pub fn append(&mut self, other: Self) {
        self.table.extend(other.table);
    }

    /// Adds a derived column with a value or its absence for every row so far, see
    /// [`SampleTable::is_derived`]; a metric that has a column already keeps it.
    pub fn add_derived(&mut self, metric: String, column: Column) {
        if self.table.column(&metric).is_none() {
            self.table.derived.insert(metric.clone());
        }
        self.table.add_column(metric, column);
    }

    /// Adds a fixed number to every line, for tables read in blocks.
    pub fn shift_lines(&mut self, by: u32) {
        for line in &mut self.table.lines {
            *line = line.saturating_add(by);
        }
    }

    pub fn finish(mut self) -> SampleTable {
        let table = &mut self.table;
        table.ids.shrink_to_fit();
        table.hashes.shrink_to_fit();
        table.alike.shrink_to_fit();
        table.questions.shrink_to_fit();
        table.lines.shrink_to_fit();
        table.endings.shrink_to_fit();
        table.constants = shared::keep_sharing(&mut table.shared, table.ids.len());
        for (_, column) in &mut table.columns {
            match column {
                Column::Flags(flags) => flags.shrink_to_fit(),
                Column::Reals(reals) => reals.shrink_to_fit(),
            }
        }
        self.table
    }
}
