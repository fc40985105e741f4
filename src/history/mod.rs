//! What nights leave behind: a row for each figure of each run, in Parquet files that other programs
//! read as they are.
//!
//! A file holds one night, lies under a name of its own and is never changed; [`Manifest`] lists the
//! files that count. Owns the columns and how they are stored; knows no report and writes no file.

mod columns;
mod manifest;
mod night_content;
mod row;
mod side_by_side;

pub use manifest::{
    Manifest, NightFile, RowFilter, SCHEMA, damaged_files, make_night_file, names_in, read_night,
    read_rows, read_rows_by_night,
};
pub use row::HistoryRow;
