//! Data files of a run as `report.json` shows them.

use crate::model::{ColumnProfile, ColumnSummary, DataContent, Run};
use crate::report::data::{ColumnView, DataContentView, DataFileView, QueriesView};

pub(super) fn data_files(run: &Run) -> Vec<DataFileView> {
    let files = run.data_files.iter();
    files
        .map(|file| DataFileView {
            role: file.role.name(),
            origin: file.origin.name(),
            key: file.key.clone(),
            declared: file.declared.clone(),
            source: file.source.clone(),
            content: file.content.as_ref().map(content),
        })
        .collect()
}

fn content(of: &DataContent) -> DataContentView {
    DataContentView {
        path: of.path.clone(),
        files: of.files,
        bytes: of.bytes,
        sha256: of.sha256.clone(),
        rows: of.rows,
        rows_read: of.rows_read,
        partial: of.partial,
        repeated_rows: of.duplicates.rows,
        ambiguous_ids: of.duplicates.ids,
        queries: of.queries.as_ref().map(|queries| QueriesView {
            column: queries.column.clone(),
            positive_column: queries.positive_column.clone(),
            n: queries.n,
            positive: queries.positive,
        }),
        columns: of.columns.iter().map(column).collect(),
    }
}

fn column(of: &ColumnProfile) -> ColumnView {
    let mut view = ColumnView {
        name: of.name.clone(),
        kind: of.summary.kind(),
        n: of.n,
        yes: None,
        mean: None,
        sd: None,
        min: None,
        max: None,
        mean_chars: None,
        max_chars: None,
        values: of.values.iter().cloned().collect(),
    };
    match of.summary {
        ColumnSummary::Flag { yes } => view.yes = Some(yes),
        ColumnSummary::Number { mean, sd, min, max } => {
            (view.mean, view.sd, view.min, view.max) = (Some(mean), sd, Some(min), Some(max));
        }
        ColumnSummary::Text { mean_chars, max_chars } => {
            (view.mean_chars, view.max_chars) = (Some(mean_chars), Some(max_chars));
        }
        ColumnSummary::Nested | ColumnSummary::Mixed => {}
    }
    view
}
