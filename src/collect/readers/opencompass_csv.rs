//! Summaries of `OpenCompass`: `dataset,version,metric,mode`, and a column of figures for each model.
//!
//! The version is a digest of prompts and settings of the dataset, and the mode how it is asked:
//! where either differs, another question was asked.

use super::super::records::{FileSheet, header, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::read_cell;
use super::file_figures::{read_figures, scalar};
use crate::diag::Warned;
use crate::model::{
    Config, ConfigEntry, ConfigValue, Dims, Fragment, FragmentPart, RunLabel, Source,
};

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
    let mut models: Vec<(String, Source)> = Vec::new();
    let read = read_figures(file, &options.names, read_sheet, |sheet, fragment, _| {
        let columns = sheet.header.iter().enumerate().skip(COLUMNS.len());
        let columns: Vec<(usize, &String)> = columns.filter(|(_, name)| !name.is_empty()).collect();
        models.extend(
            columns.iter().map(|(_, model)| {
                ((*model).clone(), Source::line(&file.display, 1, model.as_str()))
            }),
        );
        for (line, row) in &sheet.rows {
            let cell = |column| Some(FileSheet::cell(row, column)).filter(|text| is_said(text));
            let (Some(dataset), Some(metric)) = (cell(0), cell(2)) else { continue };
            let version: Vec<&str> = [cell(1), cell(3)].into_iter().flatten().collect();
            if !version.is_empty() {
                fragment.versions.insert(dataset.to_owned(), version.join(" "));
            }
            for (column, model) in &columns {
                let Some(figure) = cell(*column).and_then(read_cell) else { continue };
                let source = Source::line(&file.display, *line, model.as_str());
                let dims = Dims::none();
                let names = &options.names;
                fragment.scalars.push(scalar(metric, Some(dataset), &dims, figure, source, names));
            }
        }
    })?;
    let Warned { value: mut fragment, diagnostics } = read;
    by_model(&mut fragment, models);
    Ok(Warned::new(fragment, diagnostics))
}

fn is_said(text: &str) -> bool {
    !text.is_empty() && text != NOTHING
}

/// Lays the figures of several models apart.
fn by_model(fragment: &mut Fragment, models: Vec<(String, Source)>) {
    let is_one = models.len() == 1;
    for (model, source) in models {
        let mut config = Config::default();
        let value = ConfigValue::Text(model.clone());
        config.insert(MODEL.to_owned(), ConfigEntry { value, source });
        if is_one {
            fragment.config = config;
            return;
        }
        let scalars = fragment.scalars.iter();
        let own = scalars.filter(|one| one.source.key.as_deref() == Some(model.as_str()));
        let scalars = own.cloned().collect();
        let labels = vec![RunLabel { column: MODEL.to_owned(), value: model }];
        fragment.parts.push(FragmentPart { labels, scalars, config, ..FragmentPart::default() });
    }
    fragment.scalars.clear();
}
