//! A report of any kind but a comparison: its data for programs beside its document for people.

use super::sections::{CHECK_PARTS, PARTS, PHASE_PARTS};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::block::{Document, Section, Text};
use crate::text::Lang;

/// One report of one kind.
#[derive(Debug, Clone)]
pub struct KindReport {
    /// What `report.json` holds: an object that starts with `schema` and `kind`.
    pub data: Value,
    /// What a spreadsheet would hold.
    pub sheet: Sheet,
    /// Language of the document.
    pub lang: Lang,
    /// Title.
    pub title: Text,
    /// One sentence below the title.
    pub headline: Text,
    /// Name of the grade, for a format that colours by it.
    pub mark: &'static str,
    /// The document.
    pub sections: Vec<Section>,
}

/// Rows for a spreadsheet. An unknown value is an empty text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Names of the columns, in English.
    pub heads: Vec<String>,
    /// The rows, each as long as the heads.
    pub rows: Vec<Vec<String>>,
}

impl KindReport {
    /// The document for a person.
    pub fn document(&self) -> Document<'_> {
        Document {
            lang: self.lang,
            title: &self.title,
            headline: &self.headline,
            mark: self.mark,
            sections: &self.sections,
        }
    }
}

impl Serialize for KindReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.data.serialize(serializer)
    }
}

/// Data as a value: schema and kind first, then the fields of `fields`. A number that is not finite
/// becomes `null`.
pub(crate) fn data(schema: &str, kind: &str, fields: &impl Serialize) -> Value {
    let mut object = serde_json::Map::new();
    object.insert("schema".to_owned(), schema.into());
    object.insert("kind".to_owned(), kind.into());
    if let Ok(Value::Object(fields)) = serde_json::to_value(fields) {
        object.extend(fields);
    }
    Value::Object(object)
}

/// Ids of the sections of documents that are no comparison.
const OWN_SECTIONS: &[&str] = &[
    "chain",
    "checkpoints",
    "checks",
    "choice",
    "contradictions",
    "cost",
    "error-distribution",
    "errors",
    "ground",
    "health",
    "loss",
    "metrics",
    "milestones",
    "notes",
    "options",
    "overview",
    "patterns",
    "penalties",
    "predictions",
    "problems",
    "qa-sample",
    "scores",
    "signals",
    "steps",
    "undeclared",
    "violations",
    "warnings",
];

/// Ids of the sections that some report has; `sections/<id>.md.j2` draws one.
pub fn section_ids() -> impl Iterator<Item = &'static str> {
    let parts = [PARTS, CHECK_PARTS, PHASE_PARTS].into_iter().flatten();
    parts.map(|part| part.id).chain(OWN_SECTIONS.iter().copied())
}
