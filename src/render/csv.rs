//! Rows for spreadsheets and data frames. Unknown is an empty field.

use super::{Format, RenderError, RenderOptions};
use crate::report::Report;

pub(super) struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn needs_rows(&self) -> bool {
        true
    }

    fn render(&self, report: &Report, _: &RenderOptions) -> Result<String, RenderError> {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        if let Some(sheet) = &report.sheet {
            writer.write_record(&sheet.heads)?;
            for row in &sheet.rows {
                writer.write_record(row.iter().map(|field| defused(field)))?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A field that no spreadsheet takes for a formula
/// (<https://owasp.org/www-community/attacks/CSV_Injection>).
fn defused(field: &str) -> String {
    let is_number = field.parse::<f64>().is_ok();
    if !is_number && field.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{field}")
    } else {
        field.to_owned()
    }
}
