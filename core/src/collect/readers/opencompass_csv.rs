//! Summaries of `OpenCompass`: `dataset,version,metric,mode`, and a column of figures for each model.
//!
//! The version is a digest of prompts and settings of the dataset, and the mode how it is asked:
//! where either differs, another question was asked.

use super::super::records::{FileSheet, header, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::read_cell;
use super::file_figures::{read_figures, scalar};
use super::row_runs;
use crate::model::{DimValue, Dims, Source};

pub(super) const READER: Reader = Reader { name: "opencompass-csv", recognises, read };

const COLUMNS: &[&str] = &["dataset", "version", "metric", "mode"];
const MODEL: &str = "model";
/// What stands where there is nothing.
const NOTHING: &str = "-";

fn recognises(file: &FileEntry) -> bool {
    let header = || header(file);
    file.has_extension("csv") && file.head_has("version") && is_summary(&header())
}

fn is_summary(header: &[String]) -> bool {
    header.len() > COLUMNS.len() && header.iter().zip(COLUMNS).all(|(name, known)| name == known)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut read = read_figures(file, &options.names, read_sheet, |sheet, fragment, _| {
        let columns = sheet.header.iter().enumerate().skip(COLUMNS.len());
        let models: Vec<(usize, &String)> = columns.filter(|(_, name)| !name.is_empty()).collect();
        for (line, row) in &sheet.rows {
            let cell = |column| Some(FileSheet::cell(row, column)).filter(|text| is_said(text));
            let (Some(dataset), Some(metric)) = (cell(0), cell(2)) else { continue };
            let version: Vec<&str> = [cell(1), cell(3)].into_iter().flatten().collect();
            if !version.is_empty() {
                fragment.versions.insert(dataset.to_owned(), version.join(" "));
            }
            for (column, model) in &models {
                let Some(figure) = cell(*column).and_then(read_cell) else { continue };
                let source = Source::line(&file.display, *line, model.as_str());
                let dims = Dims::none().with(MODEL, DimValue::Text((*model).clone()));
                let names = &options.names;
                fragment.scalars.push(scalar(metric, Some(dataset), &dims, figure, source, names));
            }
        }
    })?;
    row_runs::part_runs(&mut read.value, &[MODEL.to_owned()], options, file);
    Ok(read)
}

fn is_said(text: &str) -> bool {
    !text.is_empty() && text != NOTHING
}
