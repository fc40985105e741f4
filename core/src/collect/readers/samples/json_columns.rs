//! A table in JSON that is no list of records: column by column, each the values by the number of their row, as
//! pandas writes it (`to_json()`), and with it Ragas and others, `{"question": {"0": "a", "1": "b"}, …}`; or the
//! names of its columns above its rows, `{"columns": ["question", …], "data": [["a", …], …]}`, as W&B writes its
//! tables, and pandas with `orient="split"`.

use indexmap::IndexMap;
use serde_json::Value;

use super::json;
use crate::collect::lines::LineCounter;
use crate::collect::readers::record_places::list_under;
use crate::collect::readers::sample_ids;

/// The names and the rows of a table of the second form.
const NAMES: &str = "columns";
const ROWS: &str = "data";

/// Columns that are looked at before a table is taken for one.
const FIRST_COLUMNS: usize = 50;

/// Such a table as a list of its rows, each a record; without an end where the text has none. `None` where a
/// text is no such table.
pub(crate) fn as_records(text: &str) -> Option<String> {
    below_names(text).or_else(|| are_columns(text).then(|| rows(text)))
}

/// The rows below the names of their columns, on the lines on which they stand. A row of another length stays
/// what it is, and is no record.
fn below_names(text: &str) -> Option<String> {
    let (mut columns, mut data) = (None, None);
    let _torn = json::for_each_field(text, |key, field| {
        let mut scratch = String::new();
        match key.name(&mut scratch) {
            NAMES => columns = Some(field.text),
            ROWS => data = Some(field.text),
            _ => {}
        }
    });
    let is_whole = data.is_some();
    let mut names = Vec::new();
    json::for_each_element(columns?, |name| {
        // A data frame may number its columns.
        let is_text = name.starts_with('"');
        names.push(if is_text { name.to_owned() } else { Value::from(name).to_string() });
    })
    .ok()?;
    let list = data.or_else(|| list_under(text, ROWS))?;
    let mut records = "[".to_owned();
    let (mut lines, mut line, mut are_rows) = (LineCounter::new(text), 1, !names.is_empty());
    let _torn = json::for_each_element(list, |row| {
        let mut cells = Vec::new();
        let is_list = json::for_each_element(row, |cell| cells.push(cell)).is_ok();
        let is_row = is_list && cells.len() == names.len();
        let is_first = records.len() == 1;
        // The first row tells whether this is a table.
        are_rows &= is_row || !is_first;
        if !are_rows {
            return;
        }
        let members = names.iter().zip(cells).map(|(name, cell)| format!("{name}: {cell}"));
        let members = members.collect::<Vec<String>>().join(", ");
        let record = if is_row { format!("{{{members}}}") } else { row.to_owned() };
        records.push_str(if is_first { "" } else { ", " });
        let start = lines.line_of_part(row);
        records.extend((line..start).map(|_| '\n'));
        line = start + record.matches('\n').count() as u64;
        records.push_str(&record);
    });
    records.push_str(if is_whole { "]" } else { "" });
    (are_rows && records.len() > 2).then_some(records)
}

/// Whether a text, whose end may be missing, begins as a table of the first form: each of its first columns
/// numbers its values from 0, and one of them holds texts. Figures by step have none.
fn are_columns(text: &str) -> bool {
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

/// Its rows. One without an id has its number.
fn rows(text: &str) -> String {
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
    fn rows_below_the_names_of_their_columns_are_records_on_their_lines() {
        for (text, expected) in [
            (
                r#"{"columns": ["id", "a b"], "data": [["x", 1], [2, NaN], [3]], "n": 3}"#,
                Some(r#"[{"id": "x", "a b": 1}, {"id": 2, "a b": NaN}, [3]]"#),
            ),
            (r#"{"columns": ["id"], "index": [0], "data": [["x"], ["y"#, Some(r#"[{"id": "x"}"#)),
            (r#"{"columns": [0], "data": [[7]]}"#, Some(r#"[{"0": 7}]"#)),
            (
                "{\n\"columns\": [\"id\", \"t\"],\n\"data\": [\n[\n1,\n[\n2]],\n[3,\n4]\n]}",
                Some("[\n\n\n{\"id\": 1, \"t\": [\n2]}, \n\n\n{\"id\": 3, \"t\": 4}]"),
            ),
            (r#"{"columns": ["id"], "data": []}"#, None),
            (r#"{"columns": [], "data": [[]]}"#, None),
            (r#"{"columns": ["id", "x"], "data": [[1]]}"#, None),
            (r#"{"columns": ["id"], "data": [1]}"#, None),
            (r#"{"columns": {"id": 1}, "data": [[1]]}"#, None),
            (r#"{"data": [[1]]}"#, None),
        ] {
            assert_eq!(as_records(text).as_deref(), expected, "{text}");
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
