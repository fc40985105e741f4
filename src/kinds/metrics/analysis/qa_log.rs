//! One line of a QA log: the record as it was written, in the fields that a reader of QA logs knows.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::qa_draw::DrawnRecord;
use super::tally::UNKNOWN;
use crate::collect::outcomes::{JsonMembers, json_text};

/// What marks a QA log as written by this program, so that it is not taken for samples.
pub const SCHEMA: &str = "reportgen.qa/1";

const ACCEPTED: &[&str] = &["accepted", "passed", "correct", "is_correct"];
const TOKENS: &[&str] = &["gen_tokens", "completion_tokens", "output_tokens", "generated_tokens"];

/// The line of that record of `dataset`, which stands at `source`, and the id of its problem.
pub(super) fn line(record: &DrawnRecord, dataset: &str, source: &str) -> (String, Option<String>) {
    let members = JsonMembers::parse(&record.candidate.text);
    let mut used: Vec<&str> = vec!["dataset", "error_type", "extra"];
    let id = members.id().and_then(|name| Some((name, members.get(name)?)));
    let simple = |name: &'static str| Some((name, members.get(name)?));
    let one_of =
        |names: &[&'static str]| names.iter().find_map(|name| Some((*name, members.get(name)?)));
    let kind = (record.kind != UNKNOWN).then(|| quoted(&record.kind));
    let mut line = format!("{{\"dataset\":{}", quoted(dataset));
    for (name, found) in [
        ("problem_id", id),
        ("prompt", members.prompt()),
        ("response", members.response()),
        ("accepted", one_of(ACCEPTED)),
        ("pass_ratio", simple("pass_ratio")),
    ] {
        field(&mut line, name, found.map(|(_, raw)| valid(raw)));
        used.extend(found.map(|(name, _)| name));
    }
    field(&mut line, "error_type", kind.map(Cow::Owned));
    for (name, found) in [
        ("judge_time", simple("judge_time")),
        ("gen_time", simple("gen_time")),
        ("gen_tokens", one_of(TOKENS)),
    ] {
        field(&mut line, name, found.map(|(_, raw)| valid(raw)));
        used.extend(found.map(|(name, _)| name));
    }
    line.push_str(",\"extra\":{");
    extra(&mut line, record, &members, &used);
    let stratum = if record.is_random { "random" } else { &record.kind };
    let (stratum, source) = (quoted(stratum), quoted(source));
    line.extend(["\"stratum\":", &stratum, ",\"source\":", &source]);
    line.extend([",\"schema\":\"", SCHEMA, "\"}}"]);
    (line, id.and_then(|(_, raw)| json_text(raw)))
}

/// What the record has besides, each followed by a comma; of one name written twice the first.
fn extra(line: &mut String, record: &DrawnRecord, members: &JsonMembers<'_>, used: &[&str]) {
    let own = JsonMembers::parse(members.get("extra").unwrap_or_default());
    let mut written = vec!["stratum".to_owned(), "source".to_owned(), "schema".to_owned()];
    let further = members.iter().filter(|(name, _)| !used.contains(name));
    for (name, raw) in own.iter().chain(further) {
        // A field of the record that has the name of one of ours keeps its value under another.
        let name = match name {
            "stratum" | "source" | "schema" => format!("original_{name}"),
            name => name.to_owned(),
        };
        if !written.contains(&name) {
            line.extend([&quoted(&name), ":", &valid(raw), ","]);
            written.push(name);
        }
    }
    let given = members
        .get("error_type")
        .filter(|raw| json_text(raw).is_some_and(|said| said != record.kind));
    if let Some(raw) = given {
        line.extend(["\"original_error_type\":", &valid(raw), ","]);
    }
}

fn field(line: &mut String, name: &str, raw: Option<Cow<'_, str>>) {
    let raw = raw.unwrap_or(Cow::Borrowed("null"));
    line.extend([",\"", name, "\":", &raw]);
}

/// The value as JSON: as it was written, unless no strict reader would take it.
fn valid(raw: &str) -> Cow<'_, str> {
    if serde_json::from_str::<&RawValue>(raw).is_ok() {
        Cow::Borrowed(raw)
    } else {
        Cow::Owned(json_text(raw).map_or_else(|| "null".to_owned(), |said| quoted(&said)))
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
