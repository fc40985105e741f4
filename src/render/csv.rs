//! Rows for spreadsheets and data frames. Unknown is an empty field.

use super::escape::clean_lines;
use super::{Format, RenderError, RenderOptions};
use crate::report::{Report, Sheet};

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
            writer.write_record(sheet.heads.iter().map(|head| defused(head)))?;
            for row in &sheet.rows {
                writer.write_record(row.iter().map(|cell| defused(&Sheet::text(cell))))?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A field as it is shown, that no spreadsheet takes for a formula
/// (<https://owasp.org/www-community/attacks/CSV_Injection>), also behind spaces or in full width.
fn defused(field: &str) -> String {
    let shown = clean_lines(field);
    let begins = shown.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let is_number = shown.parse::<f64>().is_ok();
    if !is_number && (begins || shown.starts_with(['\t', '\n'])) {
        format!("'{shown}")
    } else {
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_is_a_formula_and_numbers_stay_numbers() {
        for (field, shown) in [
            ("=1+1", "'=1+1"),
            (" =1+1", "' =1+1"),
            ("\n@SUM(A1)", "'\n@SUM(A1)"),
            ("\u{3000}+1|cmd", "'\u{3000}+1|cmd"),
            ("＝1+1", "'＝1+1"),
            ("＠x", "'＠x"),
            ("－2", "'－2"),
            ("\tx", "'\tx"),
            ("-cmd", "'-cmd"),
            ("-1.5", "-1.5"),
            ("+2e-3", "+2e-3"),
            ("-0", "-0"),
            ("a=b", "a=b"),
            ("a\u{202e}b\u{1b}[2J", "a⟨U+202E⟩b⟨U+001B⟩[2J"),
            ("a\u{2028}b", "a⟨U+2028⟩b"),
            ("数  据", "数  据"),
        ] {
            assert_eq!(defused(field), shown, "{field:?}");
        }
    }
}
