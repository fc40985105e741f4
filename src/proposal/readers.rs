//! `[[reader]]` blocks for files that no reader takes, as text to paste into `reportgen.toml`.

use super::{key, on_one_line, quoted};
use crate::model::{DeclaredReader, RecordForm, SuggestedReader};
use crate::text::Catalogue;

/// A block for each file that can be read, and a comment for each of the others.
pub fn readers(suggestions: &[SuggestedReader], words: &Catalogue) -> String {
    let remark = |key: &str, path: &str| {
        let said = words.fill(&format!("suggest.{key}"), &[("path", path)]);
        format!("# {}\n", on_one_line(&said))
    };
    let each = suggestions.iter().map(|SuggestedReader { path, reader }| match reader {
        Ok(reader) => format!("\n{}{}", remark("file", path), block(reader)),
        Err(why) => format!("\n{}", remark(why, path)),
    });
    let head = if suggestions.is_empty() {
        remark("none", "")
    } else if suggestions.iter().any(|one| one.reader.is_ok()) {
        remark("head", "")
    } else {
        String::new()
    };
    std::iter::once(head).chain(each).collect()
}

fn block(reader: &DeclaredReader) -> String {
    let places = &reader.places;
    let form = match reader.form {
        RecordForm::Json => "json",
        RecordForm::Jsonl => "jsonl",
        RecordForm::Csv => "csv",
        RecordForm::Tsv => "tsv",
        RecordForm::Text => "text",
    };
    let named = places.named.as_ref();
    let single = [
        ("files", Some(reader.files())),
        ("format", Some(form)),
        ("records", reader.records.as_deref()),
        ("pattern", reader.pattern()),
        ("id", places.id.as_deref()),
        ("dataset", places.dataset.as_deref()),
        ("step", places.step.as_deref()),
        ("metric", named.map(|(metric, _)| metric.as_str())),
        ("value", named.map(|(_, value)| value.as_str())),
    ];
    let single = single.into_iter().filter_map(|(name, value)| Some((name, quoted(value?))));
    let tables = [("values", &places.values), ("config", &places.config)];
    let tables = tables.into_iter().filter(|(_, table)| !table.is_empty()).map(|(name, table)| {
        let entries =
            table.iter().map(|(name, place)| format!("{} = {}", key(name), quoted(place)));
        (name, format!("{{ {} }}", entries.collect::<Vec<_>>().join(", ")))
    });
    let lines = single.chain(tables).map(|(name, value)| format!("{name} = {value}\n"));
    std::iter::once("[[reader]]\n".to_owned()).chain(lines).collect()
}
