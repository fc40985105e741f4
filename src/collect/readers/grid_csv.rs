//! A grid of results as CSV or TSV, see [`grid_sheet`].

use super::super::records::{header, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::{grid_sheet, wide};

pub(super) const READER: Reader = Reader { name: "grid-csv", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    if !file.has_extension("csv") && !file.has_extension("tsv") {
        return false;
    }
    let header = wide::plain_heads(&header(file));
    // Figures with a spread are of no single sample and no position of a series.
    let is_matrix = wide::is_matrix(&header) && ["±", "+/-"].iter().any(|sign| file.head_has(sign));
    is_matrix
        || grid_sheet::is_grid(&header)
        || wide::has_axis(&header)
        || wide::is_leaderboard(&header)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut columns = options.columns.clone();
    let mut read = read_figures(file, &options.names, read_sheet, |sheet, fragment, findings| {
        let long = wide::to_long(sheet, file.stem(), &options.names, &mut columns);
        let options = ReadOptions { columns: columns.clone(), ..options.clone() };
        grid_sheet::read_sheet_figures(&long, file, &options, fragment, findings);
        fragment.sample_fields = long.header.into_iter().collect();
    })?;
    grid_sheet::part_runs(&mut read.value, &columns, file);
    Ok(read)
}
