//! The report model: data for programs, a document for people.
//!
//! A report of any kind is one [`Report`]; what is particular to a kind are its data, its rows and
//! its sections. Knows no output format.

pub mod block;
mod brief;
pub mod chart;
mod charts;
pub mod code_lines;
mod comparison;
mod csv_rows;
pub mod data;
mod detail;
pub mod finding;
mod grid;
mod headline;
mod json;
mod material;
pub mod nights;
mod paper;
pub mod sample_card;
mod samples;
pub mod sections;
mod shown;
mod state;
pub mod systems;
pub mod tasks;
mod text;
mod views;
mod word_diff;

use brief::SHOWN_FIRST;
pub use brief::{GLANCE, first_table};
pub use comparison::{Form, build};
pub use detail::{Detail, without_fold};
pub use finding::FindingView;
pub use headline::Headline;
pub use json::{json_file, json_line, json_object, json_text};
pub use material::ReportMaterial;
pub use paper::PaperTable;
pub use samples::{SAMPLE_TEXTS, sample_cards};
pub use sections::Lead;
pub use sections::phrases::{direction_icon, judged};
pub use state::ReportState;
pub use word_diff::{DiffPart, word_diff};

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use json::{Shown, json_value};

use block::{Block, Section, Text};
use data::GateView;
pub(crate) use material::{TREND_METHOD, report_tags};

use crate::text::{Catalogue, Lang};

/// Version tag of `report.json`, whatever the kind of the report.
pub const SCHEMA: &str = "reportgen.report/2";

/// A report. `report.json` is its serialisation; title, headline and sections are for people.
#[derive(Debug, Clone)]
pub struct Report {
    /// Kind of report, for example `compare`.
    pub kind: &'static str,
    pub findings: Vec<FindingView>,
    pub gates: Vec<GateView>,
    /// What the kind adds to `report.json`.
    pub data: Map<String, Value>,
    /// Tables for a paper, where these are others than those of the sections.
    pub paper: Vec<PaperTable>,
    /// Rows for a spreadsheet, where the kind has any.
    pub sheet: Option<Sheet>,
    pub lang: Lang,
    pub title: Text,
    pub headline: Headline,
    /// What a terminal shows below the headline.
    pub brief: Vec<Block>,
    pub sections: Vec<Section>,
}

/// What programs read, credentials masked: text of the runs may hold some anywhere.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [findings, gates] = [json_value(&self.findings), json_value(&self.gates)];
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("schema", SCHEMA)?;
        object.serialize_entry("kind", self.kind)?;
        object.serialize_entry("findings", &Shown(&findings))?;
        object.serialize_entry("gates", &Shown(&gates))?;
        for (key, value) in &self.data {
            object.serialize_entry(key, &Shown(value))?;
        }
        object.end()
    }
}

/// One part of a document; `F` makes its blocks.
pub struct Part<F> {
    /// Stable name, also the name of a template that may lay it out differently.
    pub id: &'static str,
    /// Key of its title in the catalogues.
    pub title: &'static str,
    /// Its content; a part without blocks is left out.
    pub blocks: F,
}

/// The parts that have something to say, in their order.
pub fn sections<F>(
    parts: &[Part<F>],
    blocks: impl Fn(&F) -> Vec<Block>,
    words: &Catalogue,
) -> Vec<Section> {
    let section = |part: &Part<F>| Section {
        id: part.id,
        title: words.get(part.title).into(),
        blocks: blocks(&part.blocks),
    };
    parts.iter().map(section).filter(|section| !section.blocks.is_empty()).collect()
}

/// Ids of the sections that a list of parts makes.
pub fn section_ids<F>(parts: &[Part<F>]) -> Vec<&'static str> {
    parts.iter().map(|part| part.id).collect()
}

/// Rows for a spreadsheet or a data frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Names of the columns, in English.
    pub heads: Vec<String>,
    pub rows: Vec<Vec<Value>>,
}

impl Sheet {
    /// Rows of JSON arrays; a number stands there with all its digits.
    pub fn new(heads: &[&str], rows: impl Iterator<Item = Value>) -> Self {
        let row = |row: Value| match row {
            Value::Array(cells) => cells,
            _ => Vec::new(),
        };
        Self {
            heads: heads.iter().map(|&head| head.to_owned()).collect(),
            rows: rows.map(row).collect(),
        }
    }

    /// A cell as a text; an unknown value is an empty one.
    pub fn text(cell: &Value) -> String {
        match cell {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Number(number) if number.is_f64() => {
                number.as_f64().map(|number| number.to_string()).unwrap_or_default()
            }
            other => other.to_string(),
        }
    }
}
