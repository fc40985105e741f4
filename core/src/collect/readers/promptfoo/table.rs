//! Results of versions 1 and 2 (promptfoo before 0.92): a table with a row for each test and a column for each
//! prompt of each provider. The list of answers beside it is in the order in which they came.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::super::samples::json as raw;

/// What stands between why an answer failed and the answer.
const BETWEEN: &str = "\n---\n";
/// How cells of version 1 begin.
const MARKS: [(&str, bool); 2] = [("[PASS] ", true), ("[FAIL] ", false)];
/// The reason of an answer that came and is empty.
const EMPTY: &str = "No output";

/// `ResultFailureReason.ERROR` of version 3: there is no answer; any other reason is that of an assertion.
pub(super) const NO_ANSWER: u64 = 2;

/// The table of a file.
#[derive(Default)]
pub(super) struct OldTable<'a> {
    /// The list of its prompts, one for each column.
    pub(super) prompts: Option<&'a str>,
    rows: Option<&'a str>,
}

impl<'a> OldTable<'a> {
    pub(super) fn parse(table: &'a str) -> Self {
        let mut parsed = Self::default();
        raw::each_member(table, |key, part| match key {
            "head" => raw::each_member(part, |key, part| {
                if key == "prompts" {
                    parsed.prompts = Some(part);
                }
            }),
            "body" => parsed.rows = Some(part),
            _ => {}
        });
        parsed
    }

    /// Hands on each answer in the form that version 3 has, with the cell in which it stands. `answers` is the
    /// list beside the table.
    pub(super) fn each(&self, answers: Option<&str>, mut take: impl FnMut(&'a str, Json)) {
        let vars = asked(answers.unwrap_or("[]"));
        let mut row = 0;
        let _ended = raw::for_each_element(self.rows.unwrap_or("[]"), |test| {
            let (mut cells, mut of_row): (_, Option<Json>) = (None, None);
            raw::each_member(test, |key, part| match key {
                "outputs" => cells = Some(part),
                "vars" => of_row = of_row.take().or_else(|| serde_json::from_str(part).ok()),
                "test" => raw::each_member(part, |key, part| {
                    if key == "vars" {
                        of_row = serde_json::from_str(part).ok();
                    }
                }),
                _ => {}
            });
            let mut column = 0;
            let _ended = raw::for_each_element(cells.unwrap_or("[]"), |cell| {
                let parsed: Json = serde_json::from_str(cell).unwrap_or_default();
                let prompt = parsed.get("prompt").and_then(Json::as_str).unwrap_or_default();
                let own = of_row.as_ref().filter(|vars| vars.is_object());
                let vars = own.or_else(|| vars.get(prompt)?.as_ref()).or(of_row.as_ref());
                if let Some(mut answer) = answer(&parsed) {
                    answer["testIdx"] = row.into();
                    answer["promptIdx"] = column.into();
                    answer["vars"] = vars.cloned().unwrap_or_default();
                    take(cell, answer);
                }
                column += 1;
            });
            row += 1;
        });
    }
}

/// The variables by the prompt that was made with them, where one prompt was made with no others: the table has
/// them as texts, and a 0 as none.
fn asked(answers: &str) -> BTreeMap<String, Option<Json>> {
    let mut found: BTreeMap<String, Option<Json>> = BTreeMap::new();
    let _ended = raw::for_each_element(answers, |answer| {
        let (mut prompt, mut vars) = (None, None);
        raw::each_member(answer, |key, part| match key {
            "prompt" => prompt = serde_json::from_str::<Json>(part).ok(),
            "vars" => vars = serde_json::from_str::<Json>(part).ok(),
            _ => {}
        });
        let made = prompt.as_ref().and_then(|prompt| prompt.get("raw")?.as_str());
        if let Some(made) = made {
            let known = found.entry(made.to_owned()).or_insert_with(|| vars.clone());
            known.take_if(|known| Some(&*known) != vars.as_ref());
        }
    });
    found
}

/// An answer in the form of version 3, of a cell of either version. `None` where nothing was asserted.
fn answer(cell: &Json) -> Option<Json> {
    let (passed, text) = match cell {
        Json::String(text) => {
            let mark = |(mark, passed): &(&str, bool)| Some((*passed, text.strip_prefix(mark)?));
            MARKS.iter().find_map(mark)?
        }
        _ => (cell.get("pass")?.as_bool()?, cell.get("text").and_then(Json::as_str).unwrap_or("")),
    };
    let graded = cell.get("gradingResult").filter(|graded| !graded.is_null());
    let stated = graded.and_then(|graded| graded.get("reason")?.as_str());
    let after = |reason: &str| text.strip_prefix(reason)?.strip_prefix(BETWEEN);
    let behind = stated.and_then(|reason| Some((reason, after(reason)?)));
    let (reason, output) = match behind.or_else(|| text.split_once(BETWEEN)) {
        Some(parts) if !passed => parts,
        _ => ("", text),
    };
    // Where there is no answer, the reason stands in its place.
    let output = if !passed && output == reason { "" } else { output };
    let is_error = !passed && graded.is_none() && output.is_empty() && reason != EMPTY;
    let mut answer = json!({"success": passed, "response": {"output": output}});
    for key in ["score", "namedScores", "provider"] {
        if let Some(value) = cell.get(key) {
            answer[key] = value.clone();
        }
    }
    if is_error {
        answer["failureReason"] = NO_ANSWER.into();
        answer["error"] = reason.into();
    }
    Some(answer)
}
