//! Columns that may tell several runs in one file apart or repeat a setting, and what stands in them:
//! a number for each value, kept row by row only where it changes.
//!
//! Which of them do tell runs apart is asked in `several_runs`, when all records are there.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use xxhash_rust::xxh3::xxh3_64;

use super::super::chinese_heads::field_in_english;
use super::json;
use super::names::{RUN_COLUMNS, is_setting};
use super::value::{RecordValue, whole};
use crate::collect::ReadOptions;
use crate::model::{ConfigValue, RunLabel};

/// More values are another one for every record, or for every id.
const MOST_VALUES: usize = 4096;

/// Most values of a setting that are told.
pub(super) const MOST_OF_SETTING: usize = 8;
/// What stands for more of them.
pub(super) const UNTOLD: &str = "…";
/// What the records say that have no value, where those are most.
const NO_VALUE: &str = "?";

/// Longest value, in bytes: longer ones are texts.
const LONGEST: usize = 200;

#[derive(Debug, Default)]
pub(super) struct RunColumns {
    columns: Vec<RunColumn>,
    /// Names that the user asks for.
    asked: Vec<String>,
    /// Whether columns of known names are looked at, and which are not.
    looks_for_known: bool,
    pooled: Vec<String>,
}

#[derive(Debug)]
pub(super) struct RunColumn {
    pub(super) name: String,
    /// Whether the user asks for its runs.
    pub(super) asked: bool,
    values: IndexSet<String>,
    latest: u32,
    given_up: bool,
}

/// What stands in a column: rows at which it changes, and the number of the value from there on. 0 is
/// none, and stands before the first of them.
#[derive(Debug, Clone, Default)]
pub(super) struct RunValues(Vec<(u32, u32)>);

impl RunColumns {
    pub(super) fn choosing(options: &ReadOptions) -> Self {
        Self {
            columns: Vec::new(),
            asked: options.columns.clone(),
            looks_for_known: options.apart,
            pooled: options.pool.clone(),
        }
    }

    /// The place of the column of that name, where it may tell runs apart.
    pub(super) fn add(&mut self, name: &str) -> Option<u8> {
        let is_in = |names: &[String]| names.iter().any(|own| own == name);
        let asked = is_in(&self.asked);
        let name = if asked { name } else { field_in_english(name).unwrap_or(name) };
        let is_known = || self.looks_for_known && (RUN_COLUMNS.contains(&name) || is_setting(name));
        if asked || is_known() && !is_in(&self.pooled) { self.place(name, asked) } else { None }
    }

    fn place(&mut self, name: &str, asked: bool) -> Option<u8> {
        let known = self.columns.iter().position(|column| column.name == name);
        let place = u8::try_from(known.unwrap_or(self.columns.len())).ok()?;
        if known.is_none() {
            let (name, values) = (name.to_owned(), IndexSet::new());
            self.columns.push(RunColumn { name, asked, values, latest: 0, given_up: false });
        }
        Some(place)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// How many columns there are.
    pub(super) fn count(&self) -> usize {
        self.columns.len()
    }

    /// The columns with their places.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &RunColumn)> {
        self.columns.iter().enumerate()
    }

    /// The columns with their places, but for those that were given up.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &RunColumn)> {
        self.all().filter(|(_, column)| !column.given_up)
    }

    /// The number of a value of that column, from 1 on; 0 for none.
    pub(super) fn number(&mut self, place: u8, value: RecordValue<'_>) -> u32 {
        let Some(column) = self.columns.get_mut(usize::from(place)) else { return 0 };
        if value.text().is_some_and(|text| column.is_latest(text)) {
            return column.latest;
        }
        let inside = model_inside(value);
        let value = inside.as_deref().map_or_else(|| whole(value), RecordValue::Text);
        let may_be_any = column.asked || !column.may_name_runs();
        let is_name = match value {
            RecordValue::Null => return 0,
            RecordValue::Bool(_) => may_be_any,
            RecordValue::Number { value, .. } => may_be_any || value.fract() == 0.0,
            _ => true,
        };
        let Some(text) = value.text().filter(|_| is_name) else {
            column.given_up = true;
            return 0;
        };
        if text.len() <= LONGEST {
            column.number(text)
        } else if is_setting(&column.name) {
            // Two templates of prompts are told apart, and not shown.
            column.number(&format!("{} bytes, {:016x}", text.len(), xxh3_64(text.as_bytes())))
        } else {
            column.given_up = true;
            0
        }
    }

    /// Takes over the columns of the next part of the file, and returns the place of each here and the
    /// numbers of its values here.
    pub(super) fn take(&mut self, next: &Self) -> Vec<(usize, Vec<u32>)> {
        let taken = next.columns.iter().filter_map(|theirs| {
            let place = self.place(&theirs.name, theirs.asked)?;
            let mine = self.columns.get_mut(usize::from(place))?;
            mine.given_up |= theirs.given_up;
            let numbers = theirs.values.iter().map(|value| mine.number(value)).collect();
            Some((usize::from(place), numbers))
        });
        taken.collect()
    }

    /// The labels of a file in all of whose records a column says the same.
    pub(super) fn constants(&self) -> Vec<RunLabel> {
        let only = |column: &RunColumn| match column.values.len() {
            1 if column.asked || column.may_name_runs() => Some(column.label(1)),
            _ => None,
        };
        self.iter().filter_map(|(_, column)| only(column)).collect()
    }
}

impl RunColumn {
    /// Whether its values tell runs apart where nobody asks for it.
    pub(super) fn may_name_runs(&self) -> bool {
        RUN_COLUMNS.contains(&self.name.as_str())
    }

    /// Whether its values are places of a grid where the records of one run have several.
    pub(super) fn is_axis(&self) -> bool {
        is_setting(&self.name) && !self.may_name_runs() && self.values.len() <= MOST_OF_SETTING
    }

    /// The setting that it repeats, from how many records have each of its values by number; 0 is none.
    pub(super) fn setting(&self, records: &BTreeMap<u32, usize>) -> Option<(&str, ConfigValue)> {
        let stated: BTreeMap<u32, usize> =
            records.iter().filter(|(number, _)| **number != 0).map(|(&n, &of)| (n, of)).collect();
        let is_untold = self.given_up || stated.len() > MOST_OF_SETTING;
        if !is_setting(&self.name) || stated.is_empty() && !is_untold {
            return None;
        }
        if is_untold {
            return Some((self.name.as_str(), ConfigValue::Text(UNTOLD.to_owned())));
        }
        let mut values: Vec<String> =
            stated.keys().map(|&number| self.label(number).value).collect();
        values.sort_unstable();
        if records.get(&0).is_some_and(|silent| *silent > stated.values().sum()) {
            values.push(NO_VALUE.to_owned());
        }
        let value = match &values[..] {
            [only] => ConfigValue::Text(only.clone()),
            _ => ConfigValue::List(values.into_iter().map(ConfigValue::Text).collect()),
        };
        Some((self.name.as_str(), value))
    }

    /// Whether the record before had the same value, as most have.
    fn is_latest(&self, text: &str) -> bool {
        let at = (self.latest as usize).checked_sub(1);
        at.and_then(|at| self.values.get_index(at)).is_some_and(|value| value == text)
    }

    fn number(&mut self, text: &str) -> u32 {
        if self.values.len() == MOST_VALUES && !self.values.contains(text) {
            self.given_up = true;
        }
        if self.given_up {
            return 0;
        }
        let at = match self.values.get_index_of(text) {
            Some(at) => at,
            None => self.values.insert_full(text.to_owned()).0,
        };
        self.latest = at as u32 + 1;
        self.latest
    }

    /// What tells the runs of that number apart.
    pub(super) fn label(&self, number: u32) -> RunLabel {
        let at = (number as usize).checked_sub(1);
        let value = at.and_then(|at| self.values.get_index(at)).cloned().unwrap_or_default();
        RunLabel { column: self.name.clone(), value }
    }
}

/// The model of an object that says what a judge, a grader or the like found: `{"model": …, "score": …}`.
fn model_inside(value: RecordValue<'_>) -> Option<String> {
    let RecordValue::Composite(object) = value else { return None };
    let (mut model, mut key_scratch, mut scratch) = (None, String::new(), String::new());
    json::for_each_field(object, |key, raw| {
        if key.name(&mut key_scratch) == "model" {
            model = raw.value(&mut scratch).text().map(str::to_owned);
        }
    })
    .ok()?;
    model
}

impl RunValues {
    /// Notes the value of a row behind all of those noted.
    pub(super) fn note(&mut self, row: usize, number: u32) {
        if self.0.last().map_or(0, |(_, latest)| *latest) != number {
            self.0.push((row as u32, number));
        }
    }

    /// Appends the values of further rows, of which the first is that row here.
    pub(super) fn append(&mut self, row: usize, next: &Self, numbers: &[u32]) {
        self.note_unless_known(row, next);
        for (at, number) in &next.0 {
            let number = (*number as usize).checked_sub(1).and_then(|at| numbers.get(at));
            self.note(row + *at as usize, number.copied().unwrap_or(0));
        }
    }

    /// Nothing stands from that row on, unless the next values begin with it.
    fn note_unless_known(&mut self, row: usize, next: &Self) {
        if next.0.first().is_none_or(|(first, _)| *first != 0) {
            self.note(row, 0);
        }
    }

    /// The number of each stretch of so many rows, and how many rows it has.
    fn stretches(&self, rows: usize) -> impl Iterator<Item = (u32, usize)> {
        let starts = std::iter::once((0, 0)).chain(self.0.iter().copied());
        let ends = self.0.iter().map(|(row, _)| *row as usize).chain([rows]);
        let stretches = starts.zip(ends);
        let stretches = stretches.map(|((start, number), end)| (number, end - start as usize));
        stretches.filter(|(_, rows)| *rows > 0)
    }

    /// The numbers of the values of so many rows, each once and ascending.
    pub(super) fn distinct(&self, rows: usize) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.stretches(rows).map(|(number, _)| number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Adds how many of so many rows have each number.
    pub(super) fn count(&self, rows: usize, records: &mut BTreeMap<u32, usize>) {
        for (number, rows) in self.stretches(rows) {
            *records.entry(number).or_default() += rows;
        }
    }

    /// The number of each of so many rows.
    pub(super) fn rows(&self, count: usize) -> Vec<u32> {
        self.stretches(count).flat_map(|(number, rows)| std::iter::repeat_n(number, rows)).collect()
    }

    /// Those of some rows, ascending.
    pub(super) fn picked(&self, count: usize, rows: &[u32]) -> Self {
        let (all, mut picked) = (self.rows(count), Self::default());
        for (row, from) in rows.iter().enumerate() {
            picked.note(row, all.get(*from as usize).copied().unwrap_or(0));
        }
        picked
    }
}
