//! What kind of figure a column holds, by the cells that are there already.

use std::collections::BTreeMap;

use super::above::is_empty_word;
use super::columns::Column;
use super::surroundings::Place;
use super::understood::Understood;
use crate::marked::{Figure, Written};
use crate::quantity::Unit;

/// Words that stand in the place of a figure that is to come or cannot.
const PLACEHOLDERS: &[&str] =
    &["pending", "running", "failed", "oom", "nan", "待跑", "待定", "未跑", "运行中", "失败"];
/// Signs that a figure may have behind it for a note.
const NOTE_SIGNS: &[char] = &['*', '†', '‡', '§', '¹', '²', '³', '^', ' '];

/// Columns of figures and of differences by table and position.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    columns: BTreeMap<(usize, usize), Kind>,
    /// Something that is no figure in a column of figures, by table and row.
    rows: BTreeMap<(usize, usize), String>,
}

#[derive(Debug, Default)]
struct Kind {
    figures: usize,
    /// Something that is no figure.
    words: Option<String>,
    /// Figures with something beside them, `52.3 ± 1.4`, and the first of them.
    composite: (usize, Option<String>),
    /// A figure that no rate can be.
    no_rate: Option<String>,
    /// A figure in seconds.
    seconds: Option<String>,
}

impl Kinds {
    pub(super) fn of(tables: &[Understood]) -> Self {
        let mut kinds = Self::default();
        for (position, table) in tables.iter().enumerate() {
            for (column, held) in table.columns.iter().enumerate() {
                if !matches!(held, Column::Figure(_) | Column::Difference(_)) {
                    continue;
                }
                let mut kind = Kind::default();
                for (row, of_table) in table.rows.iter().enumerate() {
                    let Some(cell) = of_table.row.cells.get(column) else { continue };
                    if let Some(words) =
                        kind.look_at(&cell.written, matches!(held, Column::Difference(_)))
                    {
                        kinds.rows.entry((position, row)).or_insert(words);
                    }
                }
                kinds.columns.insert((position, column), kind);
            }
        }
        kinds
    }

    /// How many cells of a column have something beside their figure.
    pub(super) fn composites(&self, (table, _, column): Place) -> usize {
        self.columns.get(&(table, column)).map_or(0, |kind| kind.composite.0)
    }

    /// What stands in a column or a row that a figure of that unit, with its spread or without, cannot
    /// be beside.
    pub(super) fn other(
        &self,
        (table, row, column): Place,
        (unit, has_spread): (Unit, bool),
    ) -> Option<&str> {
        let kind = self.columns.get(&(table, column))?;
        let (composites, first) = &kind.composite;
        let are_most = *composites >= kind.figures.max(1);
        let composite = first.as_ref().filter(|_| are_most && !has_spread);
        let no_rate = kind.no_rate.as_ref().filter(|_| unit.is_rate());
        let seconds = kind.seconds.as_ref().filter(|_| unit != Unit::Seconds);
        let beside = self.rows.get(&(table, row));
        let other = kind.words.as_ref().or(composite).or(no_rate).or(seconds).or(beside);
        other.map(String::as_str)
    }
}

impl Kind {
    /// Takes note of a cell; gives words that are no figure.
    fn look_at(&mut self, written: &Written, is_difference: bool) -> Option<String> {
        match written {
            Written::Figure(figure) => {
                self.add(figure, is_difference);
                None
            }
            Written::Text(words) => self.read(words, is_difference),
            _ => None,
        }
    }

    fn add(&mut self, figure: &Figure, is_difference: bool) {
        self.figures += 1;
        let written = || figure.written();
        if figure.suffix.trim() == "s" {
            self.seconds.get_or_insert_with(written);
        }
        if !is_difference && !(0.0..=100.0).contains(&figure.value) {
            self.no_rate.get_or_insert_with(written);
        }
    }

    fn read(&mut self, words: &str, is_difference: bool) -> Option<String> {
        let plain = words.trim();
        let unmarked = plain.trim_end_matches(NOTE_SIGNS);
        let unmarked = unmarked.split_once("[^").map_or(unmarked, |(before, _)| before);
        if let Some(figure) = Figure::read(unmarked) {
            self.add(&figure, is_difference);
            return None;
        }
        let is_placeholder = is_empty_word(plain)
            || plain.starts_with(['?', '？'])
            || PLACEHOLDERS.contains(&plain.to_lowercase().as_str());
        if is_placeholder {
            return None;
        }
        let begin = plain.trim_start_matches(['+', '-', '−', '~', '≈', '<', '>', '±', '(', ' ']);
        if begin.starts_with(|c: char| c.is_ascii_digit()) {
            self.composite.0 += 1;
            self.composite.1.get_or_insert_with(|| plain.to_owned());
            return None;
        }
        self.words.get_or_insert_with(|| plain.to_owned());
        Some(plain.to_owned())
    }
}
