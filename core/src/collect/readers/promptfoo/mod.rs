//! What promptfoo writes of an evaluation (0.121.20, version 3): each answer of each provider to each prompt,
//! as one document (`results.json`) or one a line (`results.jsonl`); and the tables that it wrote before.
//!
//! A provider is a model, and a prompt the version of one; where a file has several, these tell its runs
//! apart. Sums by prompt follow from the answers and are not read.

mod prompts;
mod table;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::super::content::{list_text, list_text_again};
use super::super::document::{Node, flatten, parse_json_line};
use super::super::lines::{Limits, LineCounter};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::{declare_direction, read_figures};
use super::record_places::is_lines;
use super::samples::{BadRecord, Harvest, JsonList, json};
use crate::model::{Fragment, Provenance, SampleTable};
use prompts::{Prompt, prompts};
use table::{NO_ANSWER, OldTable};

pub(super) const READER: Reader = Reader { name: "promptfoo", recognises, read };

const MARKS: &[&str] = &["\"evalId\"", "\"results\"", "\"version\"", "\"prompts\""];
/// Fields of results before version 3 and of the first of their answers.
const OLD_MARKS: &[&str] =
    &["\"version\"", "\"results\"", "\"prompt\"", "\"raw\"", "\"vars\"", "\"success\""];
/// Fields of an answer that stands in a line of its own.
const OF_LINES: &[&str] = &["\"promptIdx\"", "\"testIdx\"", "\"failureReason\"", "\"namedScores\""];
/// How promptfoo writes the place of a variable in the template of a prompt.
const VARIABLE: &str = "{{";

pub(in crate::collect) fn recognises(file: &FileEntry) -> bool {
    let has_all = |marks: &[&str]| marks.iter().all(|mark| file.head_has(mark));
    file.head.starts_with(b"{")
        && if is_lines(file) {
            has_all(OF_LINES)
        } else {
            file.has_extension("json") && (has_all(MARKS) || has_all(OLD_MARKS))
        }
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, list_text, |text, fragment, findings| {
        let export = Export::of(file, text);
        let mut harvest = Harvest::of_file(file, options);
        if is_lines(file) {
            export.take_lines(text, &mut harvest);
        } else if let Some(table) = &export.table {
            let mut lines = LineCounter::new(text);
            table.each(export.answers, |cell, answer| {
                let record = export.record_of(&answer);
                // It is JSON, because it was written here.
                let _taken = harvest.take_record(&record, lines.line_of_part(cell));
            });
        } else {
            export.list(text).take(&mut harvest);
        }
        let line_bytes = Limits::from(file.limits).line_bytes;
        *fragment = harvest.into_fragment(file, line_bytes).drain_into(findings);
        export.read_settings(file, fragment);
        // A score says how well an assertion holds, whatever its name.
        let parts = fragment.parts.iter().flat_map(|part| &part.samples);
        let tables = fragment.samples.iter().chain(parts);
        let scores = tables.flat_map(SampleTable::columns).map(|(name, _)| name.clone());
        for name in scores.collect::<BTreeSet<String>>() {
            declare_direction(&name, None, true, &options.names, fragment);
        }
    })
}

/// Hands on the records of these lines.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let text = list_text_again(file)?;
    let export = Export::of(file, &text);
    if let Some(table) = &export.table {
        let mut lines = LineCounter::new(&text);
        table.each(export.answers, |cell, answer| {
            let line = lines.line_of_part(cell);
            if wanted.contains(&line) {
                take(line, &export.record_of(&answer));
            }
        });
        return Ok(());
    }
    if !is_lines(file) {
        export.list(&text).hand_on(wanted, take);
        return Ok(());
    }
    for (line, answer) in answers(&text) {
        if let (true, Ok(record)) = (wanted.contains(&line), export.record(answer)) {
            take(line, &record);
        }
    }
    Ok(())
}

/// The parts of a file.
#[derive(Default)]
struct Export<'a> {
    answers: Option<&'a str>,
    timestamp: Option<String>,
    version: Option<String>,
    prompts: Vec<Prompt>,
    providers: Option<Node>,
    table: Option<OldTable<'a>>,
}

/// The lines of a text that are not blank, with their numbers.
fn answers(text: &str) -> impl Iterator<Item = (u64, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

impl<'a> Export<'a> {
    fn of(file: &FileEntry, text: &'a str) -> Self {
        if is_lines(file) { Self::of_lines(text) } else { Self::parse(text) }
    }

    /// What answers one a line say of their prompts: the label of each, which is its template where it was
    /// given none.
    fn of_lines(text: &str) -> Self {
        let mut labels: BTreeMap<usize, String> = BTreeMap::new();
        for (_, answer) in answers(text) {
            let (mut at, mut label) = (None, None);
            json::each_member(answer, |key, part| match key {
                "promptIdx" => at = part.parse().ok(),
                "prompt" => json::each_member(part, |key, part| {
                    label = if key == "label" { text_of(part) } else { label.take() };
                }),
                _ => {}
            });
            if let (Some(at), Some(label)) = (at, label) {
                labels.entry(at).or_insert(label);
            }
        }
        let prompt = |(_, label): (usize, String)| {
            let raw = if label.contains(VARIABLE) { label.as_str() } else { "" };
            serde_json::json!({"raw": raw, "label": label})
        };
        let are_all = labels.keys().copied().eq(0..labels.len());
        let list: Json = labels.into_iter().filter(|_| are_all).map(prompt).collect();
        Self { prompts: prompts(&list.to_string()), ..Self::default() }
    }

    fn take_lines(&self, text: &str, harvest: &mut Harvest) {
        for (line, answer) in answers(text) {
            let record = self.record(answer);
            let Err(fault) = record.and_then(|record| harvest.take_record(&record, line)) else {
                continue;
            };
            let record = BadRecord { line, column: None, expected: fault.expected };
            if text.ends_with(answer) {
                harvest.findings.torn = Some(record);
            } else {
                harvest.findings.bad(record);
            }
        }
    }

    fn parse(text: &'a str) -> Self {
        let mut export = Self::default();
        let mut lines = LineCounter::new(text);
        json::each_member(text, |key, part| match key {
            "results" if part.starts_with('{') => {
                json::each_member(part, |key, part| export.take_result(key, part));
            }
            // The first version writes nothing around it.
            "results" | "table" => export.take_result(key, part),
            "config" => json::each_member(part, |key, part| {
                if key == "providers" {
                    let line = lines.line_of_part(part);
                    export.providers = parse_json_line(part, line).ok().map(|parsed| parsed.root);
                }
            }),
            "metadata" => json::each_member(part, |key, part| {
                if key == "promptfooVersion" {
                    export.version = text_of(part);
                }
            }),
            _ => {}
        });
        if let Some(listed) = export.table.as_ref().and_then(|table| table.prompts) {
            export.prompts = prompts(listed);
        }
        export
    }

    fn take_result(&mut self, key: &str, part: &'a str) {
        match key {
            "results" => self.answers = Some(part),
            "timestamp" => self.timestamp = text_of(part),
            "prompts" => self.prompts = prompts(part),
            "table" => self.table = Some(OldTable::parse(part)),
            _ => {}
        }
    }

    fn list<'s>(
        &'s self,
        text: &'a str,
    ) -> JsonList<'a, impl Fn(&'a str) -> Result<Cow<'a, str>, json::Malformed> + use<'a, 's>> {
        let list = self.answers.unwrap_or("[]");
        JsonList { text, list, record: |answer: &'a str| self.record(answer) }
    }

    /// An answer as a record: of which model and prompt it is, what was asked, and each score by its name.
    /// What was asked are the variables: the prompt around them is what may be compared.
    fn record<'s>(&self, answer: &'s str) -> Result<Cow<'s, str>, json::Malformed> {
        let parsed: Json = serde_json::from_str(answer)
            .map_err(|_| json::Malformed { offset: 0, expected: "JSON" })?;
        Ok(Cow::Owned(self.record_of(&parsed)))
    }

    fn record_of(&self, parsed: &Json) -> String {
        let member = |key: &str| parsed.get(key).filter(|value| !value.is_null());
        let at = member("promptIdx").and_then(Json::as_u64).and_then(|at| usize::try_from(at).ok());
        let prompt = at.and_then(|at| self.prompts.get(at));
        let provider = member("provider").map(|provider| {
            let named = ["label", "id"].into_iter().filter_map(|key| provider.get(key)?.as_str());
            named
                .into_iter()
                .find(|name| !name.is_empty())
                .map_or_else(|| provider.clone(), Json::from)
        });
        let of_prompt = || Some(prompt?.provider.clone()?.into());
        let is_error = member("failureReason").and_then(Json::as_u64) == Some(NO_ANSWER);
        let output = member("response").and_then(|response| response.get("output"));
        let fields = [
            ("id", member("testIdx").cloned()),
            ("model", provider.or_else(of_prompt)),
            ("prompt_version", prompt.map(|prompt| prompt.called.as_str().into())),
            ("prompt_template", prompt.and_then(|prompt| prompt.template.clone()).map(Json::from)),
            ("question", member("vars").map(|vars| vars.to_string().into())),
            ("output", output.cloned()),
            ("error", member("error").filter(|_| is_error).cloned()),
            ("score", member("score").cloned()),
            ("scores", Some(scores(parsed))),
        ];
        let named = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Json::Object(named.collect()).to_string()
    }

    /// What one provider of a file is asked with, and when and by which version of the program.
    fn read_settings(&self, file: &FileEntry, fragment: &mut Fragment) {
        if let Some([provider]) = self.providers.as_ref().and_then(Node::list)
            && let Some(config) = provider.get("config")
        {
            flatten(config, "", &file.display, &mut fragment.config);
        }
        fragment.provenance = Provenance {
            started: self.timestamp.clone(),
            harness: Some("promptfoo".to_owned()),
            harness_version: self.version.clone(),
            ..Provenance::default()
        };
    }
}

/// Whether all assertions hold, and the scores to which assertions give names.
fn scores(answer: &Json) -> Json {
    let mut scores = Map::new();
    let passed = answer.get("success").and_then(Json::as_bool);
    scores.extend(passed.map(|passed| ("pass".to_owned(), u8::from(passed).into())));
    let named = answer.get("namedScores").and_then(Json::as_object);
    scores.extend(named.into_iter().flatten().map(|(name, score)| (name.clone(), score.clone())));
    Json::Object(scores)
}

fn text_of(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}
