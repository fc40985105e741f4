//! `report.json`: the data of a report for programs.

use super::{Format, RenderError, RenderOptions};
use crate::report::Report;

pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    /// Numbers that are not finite become `null`: `serde_json` writes no `NaN`.
    fn render(&self, report: &Report, _: &RenderOptions) -> Result<String, RenderError> {
        Ok(format!("{}\n", serde_json::to_string_pretty(report)?))
    }
}
