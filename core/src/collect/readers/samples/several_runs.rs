//! Records of several runs in one file: which column tells the runs apart.
//!
//! A column does where ids are repeated and its values take the repetitions apart: several ids have
//! records of several values, of each value as many, or as many as other ids have of it. Nothing here is asked of a file in which every
//! column that may tell runs apart says the same throughout.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::growing_table::{GrowingTable, TableKey};
use super::names::{MODEL_COLUMNS, RUN_NAMES};
use super::run_columns::{RunColumn, RunColumns};
use crate::model::RunLabel;

pub(super) type Tables = IndexMap<TableKey, GrowingTable>;

/// Share of the ids, at least, that have records of several values: fewer are what a run wrote again
/// when it was resumed.
const SHARED_IDS: f64 = 0.2;
/// Share of the pairs of an id and a value, at least, with as many records as others of the id, or of
/// the value, have.
const EVEN: f64 = 0.95;
/// Share of all pairs of an id and a value, at least, that there are, unless the column names models.
const COVERED: f64 = 0.5;

/// The tables of each run, and its labels; one without labels where all records are of one run.
pub(super) fn apart(tables: Tables, columns: &RunColumns) -> Vec<(Vec<RunLabel>, Tables)> {
    let mut runs = Vec::new();
    take_apart((Vec::new(), tables), columns, &mut runs);
    runs
}

fn take_apart(
    (labels, tables): (Vec<RunLabel>, Tables),
    columns: &RunColumns,
    runs: &mut Vec<(Vec<RunLabel>, Tables)>,
) {
    let Some((place, column)) = separator(&tables, columns) else {
        runs.push((labels, tables));
        return;
    };
    for (number, tables) in by_value(tables, place) {
        let mut labels = labels.clone();
        labels.push(column.label(number));
        take_apart((labels, tables), columns, runs);
    }
}

/// The tables of a run at each value of the settings by which records of equal ids are told apart.
pub(super) fn along_settings(mut tables: Tables, columns: &RunColumns) -> Tables {
    for (place, column) in columns.iter().filter(|(_, column)| column.is_axis()) {
        if !has_several_values(&tables, place) || !Separation::of(&tables, place).is_sound(false) {
            continue;
        }
        let along = |(number, tables): (u32, Tables)| {
            let setting = column.label(number);
            tables.into_iter().map(move |(key, table)| {
                let setting = Some(setting.clone()).filter(|setting| !setting.value.is_empty());
                (key.at_other(|at| at.settings.extend(setting)), table)
            })
        };
        tables = by_value(tables, place).into_iter().flat_map(along).collect();
    }
    tables
}

/// The tables of each value of a column, in the order in which the values come first in the file.
fn by_value(tables: Tables, place: usize) -> BTreeMap<u32, Tables> {
    let mut found: BTreeMap<u32, Tables> = BTreeMap::new();
    for (key, table) in tables {
        let values = table.run_values(place);
        if let [only] = values.distinct(table.len())[..] {
            found.entry(only).or_default().insert(key, table);
            continue;
        }
        let mut rows: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (row, number) in values.rows(table.len()).into_iter().enumerate() {
            rows.entry(number).or_default().push(row as u32);
        }
        for (number, rows) in rows {
            found.entry(number).or_default().insert(key.clone(), table.picked(&rows));
        }
    }
    found
}

/// The column that tells the runs of these tables apart: one that the user asks for, else what names
/// runs of their own, else the seed, else what only counts runs.
fn separator<'c>(tables: &Tables, columns: &'c RunColumns) -> Option<(usize, &'c RunColumn)> {
    let several: Vec<(usize, &RunColumn)> = columns
        .iter()
        .filter(|(_, column)| column.asked || column.may_name_runs())
        .filter(|(place, _)| has_several_values(tables, *place))
        .collect();
    if let Some(asked) = several.iter().find(|(_, column)| column.asked) {
        return Some(*asked);
    }
    let mut sound: Vec<(usize, &RunColumn)> = several
        .into_iter()
        .filter(|(place, column)| {
            Separation::of(tables, *place).is_sound(MODEL_COLUMNS.contains(&column.name.as_str()))
        })
        .collect();
    let is_seed = |column: &RunColumn| RunLabel::repeats(&column.name);
    let is_name = |column: &RunColumn| RUN_NAMES.contains(&column.name.as_str());
    let seed = sound.iter().find(|(_, column)| is_seed(column)).copied();
    if let Some((seed, _)) = seed {
        sound.retain(|(place, column)| !is_name(column) || !go_together(tables, *place, seed));
    }
    let rank = |(_, column): &(usize, &RunColumn)| {
        super::names::RUN_COLUMNS.iter().position(|name| *name == column.name)
    };
    sound.sort_by_key(|one| (is_seed(one.1), rank(one)));
    sound.first().copied()
}

fn has_several_values(tables: &Tables, place: usize) -> bool {
    let mut first = None;
    tables.values().flat_map(|table| table.run_values(place).distinct(table.len())).any(|number| {
        let first = *first.get_or_insert(number);
        first != number
    })
}

/// Whether each value of one column stands beside one value of the other alone, and the other way
/// round.
fn go_together(tables: &Tables, place: usize, other: usize) -> bool {
    let (mut forth, mut back) = (BTreeMap::new(), BTreeMap::new());
    tables.values().all(|table| {
        let values = [place, other].map(|place| table.run_values(place).rows(table.len()));
        let [own, others] = &values;
        own.iter()
            .zip(others)
            .all(|(&a, &b)| *forth.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a)
    })
}

/// How a column takes records of equal ids apart. A pair is an id and a value that it has.
#[derive(Debug, Default)]
struct Separation {
    ids: usize,
    /// Ids with records of several values.
    shared: usize,
    pairs: usize,
    /// Pairs of ids with several records, and those of them with as many as most of the id's.
    repeated: usize,
    even_in_id: usize,
    /// For each value how many pairs have so many records.
    of_value: BTreeMap<u32, BTreeMap<usize, usize>>,
}

impl Separation {
    fn of(tables: &Tables, place: usize) -> Self {
        let mut groups: IndexMap<TableKey, ()> = IndexMap::new();
        let mut rows: Vec<(usize, u64, u32)> = Vec::new();
        for (key, table) in tables {
            // Seeds lay records in tables of their own.
            let group = groups.insert_full(key.without_seed(), ()).0;
            let numbers = table.run_values(place).rows(table.len());
            rows.extend(table.id_hashes().iter().zip(numbers).map(|(&id, n)| (group, id, n)));
        }
        rows.sort_unstable();
        let mut found = Self::default();
        for id in rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            found.add(id);
        }
        found
    }

    /// Adds the records of one id, ordered by value.
    fn add(&mut self, id: &[(usize, u64, u32)]) {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        let mut pairs = 0;
        for pair in id.chunk_by(|a, b| a.2 == b.2) {
            pairs += 1;
            *counts.entry(pair.len()).or_default() += 1;
            let of_value = self.of_value.entry(pair[0].2).or_default();
            *of_value.entry(pair.len()).or_default() += 1;
        }
        self.ids += 1;
        self.pairs += pairs;
        self.shared += usize::from(pairs > 1);
        if id.len() > 1 {
            self.repeated += pairs;
            self.even_in_id += if pairs > 1 { most(&counts) } else { 0 };
        }
    }

    fn is_sound(&self, names_models: bool) -> bool {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let even_of_values = self.of_value.values().map(most).sum();
        let is_even = share(self.even_in_id, self.repeated) >= EVEN
            || share(even_of_values, self.pairs) >= EVEN;
        let covered = share(self.pairs, self.ids * self.of_value.len());
        share(self.shared, self.ids) >= SHARED_IDS
            && is_even
            && (names_models || covered >= COVERED)
    }
}

/// How many have the number of records that most have.
fn most(counts: &BTreeMap<usize, usize>) -> usize {
    counts.values().copied().max().unwrap_or(0)
}
