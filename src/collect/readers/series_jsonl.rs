//! Metrics over steps in JSON lines: `{"step": 3, "loss": 0.5}`, and verl's
//! `{"step": 3, "data": {…}}`.

use super::super::document::Node;
use super::super::records::{first_records, read_json_lines};
use super::super::{Choices, FileEntry, Reader};
use super::figures::review;
use super::points::{is_point, series_of};
use crate::diag::{Diagnostic, Warned};
use crate::model::Fragment;

pub(super) struct SeriesJsonl;

impl Reader for SeriesJsonl {
    fn name(&self) -> &'static str {
        "series-jsonl"
    }

    fn recognises(&self, file: &FileEntry) -> bool {
        (file.has_extension("jsonl") || file.has_extension("ndjson"))
            && first_records(file).iter().any(is_point)
    }

    fn read(&self, file: &FileEntry, _: &Choices) -> Result<Warned<Fragment>, Box<Diagnostic>> {
        let mut findings = Vec::new();
        let lines = read_json_lines(file)?.drain_into(&mut findings);
        let rows: Vec<&Node> = lines.records.iter().collect();
        let series = series_of(&rows, file).drain_into(&mut findings);
        let fragment = Fragment { series, torn: lines.torn, ..Fragment::default() };
        findings.extend(review(&fragment, file));
        Ok(Warned::new(fragment, findings))
    }
}
