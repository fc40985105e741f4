//! `report.json`: the data of a report for programs.

use super::{Format, RenderError, RenderOptions};
use crate::report::{Report, json_text};

pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn render(&self, report: &Report, _: &RenderOptions) -> Result<String, RenderError> {
        Ok(json_text(report))
    }
}
