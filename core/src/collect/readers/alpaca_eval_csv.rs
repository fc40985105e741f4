//! Leaderboards of `AlpacaEval`: the model in a column without a name, its win rate with standard error
//! and number of questions, and the same corrected for the length of answers.
//!
//! How many answers won, lost and tied adds up to the win rate, and `mode` says in which tables a model is shown.

use super::super::records::{FileSheet, header, read_sheet};
use super::super::{FileEntry, Reader};
use super::row_runs::read_table;
use crate::diag::{Diagnostic, Warned};

pub(super) const READER: Reader = Reader {
    name: "alpaca-eval-csv",
    recognises,
    read: |file, options| read_table(file, options, file.stem(), open),
};

/// Columns, and what they are called elsewhere. Others say nothing more.
const COLUMNS: &[(&str, &str)] = &[
    ("", "model"),
    ("win_rate", "win_rate"),
    ("standard_error", "win_rate_stderr"),
    ("length_controlled_winrate", "length_controlled_winrate"),
    ("lc_standard_error", "length_controlled_winrate_stderr"),
    ("n_total", "n"),
    ("avg_length", "avg_length"),
];
const MARKS: &[&str] = &["win_rate", "standard_error", "n_total"];

fn recognises(file: &FileEntry) -> bool {
    let header = || header(file);
    file.has_extension("csv") && file.head_has("n_total") && is_leaderboard(&header())
}

fn is_leaderboard(header: &[String]) -> bool {
    header.first().is_some_and(String::is_empty)
        && MARKS.iter().all(|mark| header.iter().any(|head| head == mark))
}

fn open(file: &FileEntry) -> Result<Warned<FileSheet>, Box<Diagnostic>> {
    let mut read = read_sheet(file)?;
    let FileSheet { header, rows } = &mut read.value;
    let places: Vec<(usize, &str)> = COLUMNS
        .iter()
        .filter_map(|(written, name)| {
            Some((header.iter().position(|head| head == written)?, *name))
        })
        .collect();
    for (_, row) in rows {
        *row = places.iter().map(|(at, _)| FileSheet::cell(row, *at).to_owned()).collect();
    }
    *header = places.iter().map(|(_, name)| (*name).to_owned()).collect();
    Ok(read)
}
