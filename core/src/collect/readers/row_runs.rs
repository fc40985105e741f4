//! Tables of figures, whatever file they stand in, and the runs in them: which coordinates tell runs apart.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::super::records::FileSheet;
use super::super::{FileEntry, ReadOptions, ReadResult};
use super::file_figures::read_figures;
use super::row_settings::RowSettings;
use super::{grid_sheet, wide};
use crate::diag::{Diagnostic, Warned};
use crate::model::{
    Config, ConfigEntry, ConfigValue, Fragment, FragmentPart, RunLabel, Scalar, Source,
};

/// Reads a file of one table. `title` is the metric of figures that nobody names.
pub(super) fn read_table(
    file: &FileEntry,
    options: &ReadOptions,
    title: &str,
    open: fn(&FileEntry) -> Result<Warned<FileSheet>, Box<Diagnostic>>,
) -> ReadResult {
    let mut columns = options.columns.clone();
    let mut settings = RowSettings::default();
    let mut read = read_figures(file, &options.names, open, |sheet, fragment, findings| {
        let long = wide::to_long(sheet, title, &options.names, &mut columns);
        let options = ReadOptions { columns: columns.clone(), ..options.clone() };
        let of_runs = settings.take(&long, &options);
        let context = (file, &options, &*of_runs);
        grid_sheet::read_sheet_figures(&long, context, fragment, findings);
        fragment.sample_fields = long.header.into_iter().collect();
    })?;
    part_runs(&mut read.value, &columns, options, file);
    settings.give(&mut read.value, file);
    Ok(read)
}

/// Makes parts of a fragment whose figures are of several runs, told apart by these columns and by
/// seeds.
pub(super) fn part_runs(
    fragment: &mut Fragment,
    columns: &[String],
    options: &ReadOptions,
    file: &FileEntry,
) {
    let seeds = repetitions(&fragment.scalars, options);
    let columns: Vec<String> =
        columns.iter().cloned().chain(seeds).collect::<IndexSet<_>>().into_iter().collect();
    let is_column = |scalar: &Scalar| columns.iter().any(|name| scalar.dims.get(name).is_some());
    if !fragment.scalars.iter().any(is_column) {
        return;
    }
    for mut scalar in std::mem::take(&mut fragment.scalars) {
        let label = |column: &String| {
            let value = scalar.dims.get(column)?.to_string();
            Some(RunLabel { column: column.clone(), value })
        };
        let labels: Vec<RunLabel> = columns.iter().filter_map(label).collect();
        scalar.dims = scalar.dims.without_all(&columns);
        if let Some(part) = fragment.parts.iter_mut().find(|part| part.labels == labels) {
            part.scalars.push(scalar);
            continue;
        }
        let mut config = Config::default();
        for label in &labels {
            let key = RunLabel::key(&label.column);
            let value = ConfigValue::Text(label.value.clone());
            let source = Source::key(&file.display, key);
            config.insert(key.to_owned(), ConfigEntry { value, source });
        }
        let scalars = vec![scalar];
        fragment.parts.push(FragmentPart { labels, scalars, config, ..FragmentPart::default() });
    }
}

/// Coordinates that number repetitions, as a seed does, where several of their values have the same
/// result. A row of `mean` among the seeds is no further run, so all stay coordinates then.
fn repetitions(scalars: &[Scalar], options: &ReadOptions) -> Vec<String> {
    let names = scalars.iter().flat_map(|scalar| scalar.dims.iter().map(|(name, _)| name));
    let names: BTreeSet<&str> = names.filter(|name| RunLabel::repeats(name)).collect();
    let is_repeated = |name: &&str| {
        let mut places = BTreeSet::new();
        let mut is_again = false;
        for scalar in scalars {
            let Some(value) = scalar.dims.get(name) else { continue };
            if !value.to_string().contains(|c: char| c.is_ascii_digit()) {
                return false;
            }
            let Scalar { metric, dataset, dims, .. } = scalar;
            is_again |= !places.insert((metric, dataset, dims.without(name)));
        }
        is_again
    };
    let names = names.into_iter().filter(|_| options.apart).map(str::to_owned);
    names.filter(|name| !options.pool.contains(name) && is_repeated(&name.as_str())).collect()
}
