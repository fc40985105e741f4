//! A table in JSON that is written column by column, each the values by the number of their row, as pandas
//! writes it (`to_json()`), and with it Ragas and others: `{"question": {"0": "a", "1": "b"}, …}`.

use indexmap::IndexMap;
use serde_json::Value;

use super::json;
use crate::collect::readers::sample_ids;

/// Columns that are looked at before a table is taken for one.
const FIRST_COLUMNS: usize = 50;

/// Whether a text, whose end may be missing, begins as such a table of samples: each of its first columns
/// numbers its values from 0, and one of them holds texts. Figures by step have none.
pub(crate) fn are_columns(text: &str) -> bool {
    let (mut seen, mut are_columns, mut holds_text) = (0, true, false);
    let ended = json::for_each_field(text, |_, column| {
        let column = column.text;
        if seen == FIRST_COLUMNS || !are_columns {
            return;
        }
        let mut at = 0;
        are_columns = column.starts_with('{');
        json::each_member(column, |row, value| {
            are_columns &= row.parse() == Ok(at);
            holds_text |= value.starts_with('"');
            at += 1;
        });
        are_columns &= at > 0;
        seen += 1;
    });
    // Of a text without its end, what is left of the last column is not seen.
    let least = if ended.is_ok() { 2 } else { 1 };
    are_columns && holds_text && seen >= least
}

/// The same table as a list of its rows, without an end where the text has none. A row without an id has its
/// number.
pub(crate) fn rows(text: &str) -> String {
    let mut rows: IndexMap<String, String> = IndexMap::new();
    let mut scratch = String::new();
    let ended = json::for_each_field(text, |name, column| {
        let name = Value::from(name.name(&mut scratch)).to_string();
        json::each_member(column.text, |row, value| {
            let known = rows.entry(row.to_owned());
            let members = known.or_insert_with_key(|row| {
                format!("\"{}\": {}", sample_ids::WEAKEST, Value::from(row.as_str()))
            });
            members.push_str(", ");
            members.push_str(&name);
            members.push_str(": ");
            members.push_str(value);
        });
    });
    let rows: Vec<String> = rows.into_values().map(|members| format!("{{{members}}}")).collect();
    format!("[{}{}", rows.join(", "), if ended.is_ok() { "]" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_with_texts_are_a_table_and_figures_by_step_are_none() {
        for (text, expected) in [
            (r#"{"q": {"0": "a", "1": "b"}, "score": {"0": 1, "1": null}}"#, true),
            (r#"{"q": {"0": "a", "1": "b"}, "score": {"0": 1, "1"#, true),
            (r#"{"loss": {"0": 2.5, "1": 1.5}, "accuracy": {"0": 0.1, "1": 0.2}}"#, false),
            (r#"{"gsm8k": {"accuracy": 0.5, "note": "a"}, "math": {"accuracy": 0.2}}"#, false),
            (r#"{"q": {"1": "a", "2": "b"}, "score": {"1": 1, "2": 0}}"#, false),
            (r#"{"q": {"0": "a"}, "n": 3}"#, false),
        ] {
            assert_eq!(are_columns(text), expected, "{text}");
        }
    }

    #[test]
    fn rows_hold_what_stands_in_each_column_at_their_number() {
        let text = r#"{"q \"x\"": {"0": "a, {", "1": "b"}, "s": {"1": [1, 2], "0": 0.5}}"#;
        let found: Value = serde_json::from_str(&rows(text)).expect("JSON");
        let expected = serde_json::json!([
            {sample_ids::WEAKEST: "0", "q \"x\"": "a, {", "s": 0.5},
            {sample_ids::WEAKEST: "1", "q \"x\"": "b", "s": [1, 2]},
        ]);
        assert_eq!(found, expected);
        assert!(!rows(&text[..text.len() - 4]).ends_with(']'));
    }
}
