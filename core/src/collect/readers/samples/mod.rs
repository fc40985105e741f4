//! Per-sample records, whatever format they are written in: what fields mean, which scores follow
//! from them, and what was wrong with them.
//!
//! A format's reader takes records apart and hands fields to a [`Harvest`]; it knows nothing of
//! scores, and nothing here knows how a record is written. Pairing, duplicates and averages are
//! not made here.

mod cause;
mod claim_role;
mod claims;
mod coordinates;
mod counters;
mod error_type;
mod failing;
mod field;
mod findings;
mod growing_table;
mod identity;
pub(crate) mod json;
pub(crate) mod json_columns;
mod json_list;
mod listed;
mod meaning;
pub(crate) mod messages;
mod names;
mod outcome;
mod quotes;
mod ranked;
mod record;
mod record_scores;
mod run_columns;
mod several_runs;
mod shared;
mod short_answer;
mod tables;
pub(crate) mod value;
mod written;

pub(crate) use field::{ClusterField, Content, Field, FieldMeaning, Fields};
pub(crate) use findings::{BadRecord, RecordFindings, take_line};
pub(crate) use json_list::JsonList;
pub(super) use names::{ANSWER_NUMBERS, RUN_COLUMNS};
pub(crate) use names::{
    ANSWERS, DOCUMENTS, PROMPTS, RESPONSES, TARGETS, WEAK_PROMPTS, WEAK_TARGETS, is_known_score,
};
pub use outcome::JudgedAnswer;
pub(crate) use outcome::RecordReader;

use indexmap::IndexSet;

use super::sample_ids;
use crate::collect::content::{Packing, past_limit};
use crate::collect::{FileEntry, ReadOptions, plain_stem};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{Fragment, FragmentPart, Source};

use failing::FailingField;
use record::Record;
use tables::RecordTables;
use value::RecordValue;

/// Length of `-Infinity`, the longest spelling of what is not finite.
const LONGEST_NAN: usize = 9;

/// Largest file whose prompts are looked at in that way: some 20,000 records of 1.4 KB.
const FOLDED_BYTES: u64 = 32 << 20;

/// Records of a file, or of a part of it, while they are read.
#[derive(Default)]
pub(crate) struct Harvest {
    fields: Fields,
    record: Record,
    tables: RecordTables,
    /// Names of the fields of the parts appended.
    names: IndexSet<String>,
    scratch: String,
    pub(crate) findings: RecordFindings,
}

impl Harvest {
    pub(crate) fn choosing(options: &ReadOptions) -> Self {
        Self { fields: Fields::choosing(options), ..Self::default() }
    }

    /// The same, looking as well for prompts that differ in case and white space alone. That costs half
    /// as much as all the rest of reading, so it is done where reading is quick.
    pub(crate) fn of_file(file: &FileEntry, options: &ReadOptions) -> Self {
        let mut made = Self::choosing(options);
        let is_plain = file.packing == Packing::PLAIN;
        if file.bytes <= if is_plain { FOLDED_BYTES } else { FOLDED_BYTES / 4 } {
            made.fields.fold_prompts();
        }
        made
    }

    pub(crate) fn begin(&mut self) {
        self.record.clear();
        self.fields.begin_record();
    }

    /// Takes a whole record that is written as JSON in that line.
    pub(crate) fn take_record(&mut self, text: &str, line: u64) -> Result<(), json::Malformed> {
        self.begin();
        self.take_json(text)?;
        self.end(line);
        Ok(())
    }

    /// Takes the `position`th field of the record.
    pub(crate) fn take(&mut self, position: usize, name: &str, value: RecordValue<'_>) {
        let meaning = self.fields.meaning_at(position, name);
        self.record.set(meaning, value, &mut self.fields);
    }

    /// Takes the cell of a column without a name at the start of a row: an id, where no other is.
    pub(crate) fn take_index(&mut self, value: RecordValue<'_>) {
        let field = Field::Id(sample_ids::UNNAMED);
        self.record.set(FieldMeaning::new(field), value, &mut self.fields);
    }

    /// Takes a record written as JSON; the fields before a fault are taken.
    pub(crate) fn take_json(&mut self, text: &str) -> Result<(), json::Malformed> {
        take_json(text, &mut self.fields, &mut self.record, &mut self.scratch)
    }

    pub(crate) fn field(&mut self, position: usize, name: &str) -> FieldMeaning {
        self.fields.meaning_at(position, name)
    }

    /// Whether a column of that name and type may say which samples belong together, and is worth
    /// reading for it.
    pub(crate) fn may_be_shared(name: &str, meaning: FieldMeaning) -> bool {
        meaning.shared.is_some() && names::MAY_BE_SHARED.contains(&name)
    }

    pub(crate) fn is_known_score(&self, field: Field) -> bool {
        match field {
            Field::Score(id) => self.fields.metric(id).is_some_and(|metric| metric.known),
            _ => false,
        }
    }

    pub(crate) fn take_field(&mut self, meaning: FieldMeaning, value: RecordValue<'_>) {
        self.record.set(meaning, value, &mut self.fields);
    }

    /// Ends the record that stood in that line.
    pub(crate) fn end(&mut self, line: u64) {
        for name in self.fields.repeated() {
            self.findings.repeated_key(name, line);
        }
        self.record.identify(&self.fields);
        if self.record.id().is_none() {
            self.findings.bad(BadRecord { line, column: None, expected: "a sample id" });
        } else {
            self.tables.add(&self.record, &self.fields, line, &mut self.findings);
        }
    }

    /// Whether the record is a scored sample rather than a point of a series or a row of results.
    pub(crate) fn holds_sample(&mut self) -> bool {
        self.record.identify(&self.fields);
        self.record.is_sample(&self.fields)
    }

    pub(crate) fn holds_id(&self) -> bool {
        self.record.id().is_some()
    }

    /// Appends the next part of the file, whose lines count from `lines` on, but for what makes more
    /// than so many metrics.
    pub(crate) fn append(&mut self, mut next: Self, lines: u64, most_metrics: usize) {
        next.tables.settle(&mut next.fields);
        self.names.extend(next.fields.names().map(str::to_owned));
        self.tables.append(next.tables, lines, most_metrics);
        self.findings.append(next.findings, lines);
    }

    pub(crate) fn into_fragment(mut self, file: &FileEntry, line_limit: usize) -> Warned<Fragment> {
        self.tables.settle(&mut self.fields);
        let path = &file.display;
        let torn_at = self.findings.torn.map(|record| Source::line(path, record.line, ""));
        let torn_samples: Vec<Source> = torn_at.into_iter().collect();
        let torn = !torn_samples.is_empty();
        let mut diagnostics = self.findings.diagnostics(path, line_limit);
        if self.tables.is_full() {
            diagnostics.push(past_limit("metrics", file.limits.metrics, path));
        }
        if self.tables.is_empty() {
            let finding = Diagnostic::new(Code::EmptyFile).with("holds", "something");
            diagnostics.push(finding.at(Location::file(path.as_ref())));
        }
        let mut sample_fields = self.names;
        sample_fields.extend(self.fields.names().map(str::to_owned));
        let constants = self.tables.constants();
        let mut parts = self.tables.finish(dataset_of(file), path);
        let whole = parts.pop_if(|part| part.labels.is_empty()).unwrap_or_default();
        let FragmentPart { samples, config, .. } = whole;
        let fragment = Fragment {
            config,
            samples,
            parts,
            constants,
            sample_fields,
            torn,
            torn_samples,
            ..Fragment::default()
        };
        Warned::new(fragment, diagnostics)
    }
}

/// Takes a record written as JSON; the fields before a fault are taken.
fn take_json(
    text: &str,
    fields: &mut Fields,
    record: &mut Record,
    scratch: &mut String,
) -> Result<(), json::Malformed> {
    let mut position = 0;
    json::for_each_field(text, |key, raw| {
        let meaning = fields.meaning_at(position, key.name(scratch));
        position += 1;
        let value = match (meaning.field, raw.quoted()) {
            // Content is hashed in the form in which it stands here, if that is the shortest.
            (Field::Content(..) | Field::Response(_), Some(text)) => RecordValue::Quoted(text),
            // What a model wrote is never shown, so any form will do.
            (Field::Response(_), None) if raw.text != "null" => RecordValue::Composite(raw.text),
            // Whether something stands there is all that is asked.
            (_, Some(text)) if meaning.failing == Some(FailingField::Reasoning) => {
                RecordValue::Quoted(text)
            }
            // A long text that nobody asks for is not decoded.
            (_, Some(text)) if text.len() > LONGEST_NAN && !fields.reads_text(meaning) => {
                record.set_shared(meaning, RecordValue::Quoted(text), fields);
                record.note_asked(meaning, RecordValue::Quoted(text), fields);
                return;
            }
            _ => raw.value(scratch),
        };
        record.set(meaning, value, fields);
    })
}

/// Whether the name is that of a sample file of lm-evaluation-harness or lmms-eval.
pub(crate) fn is_harness_name(file: &FileEntry) -> bool {
    file.name.starts_with("samples_") || file.name.contains("_samples_")
}

/// The dataset that the file's name tells: `samples_<task>_<timestamp>` (lm-evaluation-harness),
/// `<timestamp>_samples_<task>` (lmms-eval), `<dataset>_qa`.
pub(crate) fn dataset_of(file: &FileEntry) -> Option<&str> {
    dataset_in(&file.relative)
}

/// The same of a name alone.
pub(crate) fn dataset_in(name: &str) -> Option<&str> {
    let stem = plain_stem(name);
    // A timestamp holds a dot of its own when it is the end of the stem; that one stays in it.
    // human-eval puts `_results.jsonl` behind the whole name of a file of answers.
    let rest = stem.strip_prefix("samples_").filter(|rest| !rest.contains(".jsonl"));
    if let Some(rest) = rest {
        let task = rest.rsplit_once('_').filter(|(_, tail)| is_timestamp(tail));
        return Some(task.map_or(rest, |(task, _)| task));
    }
    if let Some((before, task)) = stem.split_once("_samples_")
        && is_timestamp(before)
    {
        return Some(task);
    }
    stem.strip_suffix("_qa").filter(|dataset| !dataset.is_empty())
}

/// Whether a text starts like `2025-07-21T14` or `20250721_14`.
fn is_timestamp(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let others = text.bytes().all(|byte| b"0123456789-_.:+TZ".contains(&byte));
    digits >= 8 && others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dataset_is_in_the_name_where_the_producer_puts_it() {
        for (relative, dataset) in [
            ("m/samples_gsm8k_2025-07-21T14-41-47.889425.jsonl", Some("gsm8k")),
            ("samples_mmlu_law_2025-07-21T14-41-47.889425.jsonl.gz", Some("mmlu_law")),
            ("samples_gsm8k.jsonl", Some("gsm8k")),
            ("20260101_120000_samples_mmmu_val.jsonl", Some("mmmu_val")),
            ("qa_logs/MBPP_reg_qa.jsonl", Some("MBPP_reg")),
            ("samples_ours.jsonl_results.jsonl", None),
            ("model_samples_x.jsonl", None),
            ("predictions.jsonl", None),
            ("_qa.jsonl", None),
        ] {
            assert_eq!(dataset_of(&FileEntry::holding(relative, b"")), dataset, "{relative}");
        }
    }
}
