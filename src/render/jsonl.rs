//! Rows for data frames: one JSON object a line, numbers as numbers.

use serde_json::{Map, Value};

use super::{Format, RenderError, RenderOptions};
use crate::report::{Report, json_line};

pub(super) struct Jsonl;

impl Format for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn extension(&self) -> &'static str {
        "jsonl"
    }

    fn needs_rows(&self) -> bool {
        true
    }

    fn render(&self, report: &Report, _: &RenderOptions) -> Result<String, RenderError> {
        let Some(sheet) = &report.sheet else { return Ok(String::new()) };
        let lines = sheet.rows.iter().map(|row| {
            let named = sheet.heads.iter().cloned().zip(row.iter().cloned());
            json_line(&Value::from(named.collect::<Map<String, Value>>()).to_string()) + "\n"
        });
        Ok(lines.collect())
    }
}
