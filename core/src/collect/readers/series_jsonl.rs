//! Metrics over steps in JSON lines: `{"step": 3, "loss": 0.5}`, and verl's
//! `{"step": 3, "data": {…}}`.

use super::super::document::Node;
use super::super::records::{first_records, json_lines_in_blocks, read_json_lines};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::curve_columns::lay_runs_apart;
use super::file_figures::{read_figures, with_figures};
use super::ordered_records::OrderedRecords;
use super::points::{is_point, series_of};
use crate::diag::Warned;

pub(super) const READER: Reader = Reader { name: "series-jsonl", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    (file.has_extension("jsonl") || file.has_extension("ndjson"))
        && first_records(file).iter().any(is_point)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut ordered = OrderedRecords::of(options);
    let Warned { value: torn, diagnostics } = json_lines_in_blocks(
        file,
        || OrderedRecords::of(options),
        OrderedRecords::add_line,
        |block, before| ordered.append(block, before),
    )?;
    if let Some(series) = ordered.finish(file) {
        return Ok(with_figures(file, &options.names, diagnostics, |fragment, findings| {
            fragment.series = series.drain_into(findings);
            fragment.torn = torn;
        }));
    }
    read_figures(file, &options.names, read_json_lines, |lines, fragment, findings| {
        let rows: Vec<&Node> = lines.records.iter().collect();
        fragment.series = series_of(&rows, file, options).drain_into(findings);
        lay_runs_apart(fragment, options);
        fragment.torn = lines.torn;
    })
}
