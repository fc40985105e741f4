//! What a record says to a person: what was asked, what was expected, what was answered and how that
//! ended. Fields are found by their meaning, as all readers of samples find them.

use super::outcomes::{JsonMembers, json_elements, json_text};
use super::readers::samples::messages::{self, MODELS};
use super::readers::samples::{ANSWERS, DOCUMENTS, PROMPTS, RESPONSES, TARGETS, WEAK_TARGETS};

/// Names under which some programs write the answer, beside those that all readers know.
const PREDICTIONS: [&str; 6] =
    ["prediction", "pred", "predicted", "predicted_answer", "model_answer", "answer"];
/// How an answer ended.
const ENDINGS: [&str; 5] = ["error_type", "error", "status", "finish_reason", "stop_reason"];
const TOKENS: [&str; 7] = [
    "gen_tokens",
    "completion_tokens",
    "output_tokens",
    "generated_tokens",
    "response_tokens",
    "usage.completion_tokens",
    "usage.output_tokens",
];

/// A text of a record, and the field that it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText {
    pub field: String,
    pub text: String,
}

/// The texts of one record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SampleTexts {
    pub prompt: Option<NamedText>,
    pub target: Option<NamedText>,
    /// What the model wrote.
    pub answer: Option<NamedText>,
    /// What was taken from it as the answer.
    pub extracted: Option<NamedText>,
    /// How it ended, in the words of the record.
    pub endings: Vec<NamedText>,
    pub tokens: Option<f64>,
    /// Paths of images that it names, where somebody looked for these.
    pub images: Vec<NamedText>,
}

impl SampleTexts {
    /// Names of the fields that its texts stand in.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        let texts = [&self.prompt, &self.target, &self.answer, &self.extracted];
        let texts = texts.into_iter().flatten().chain(&self.endings).chain(&self.images);
        texts.map(|text| text.field.as_str())
    }

    /// The texts of a record that is written as JSON.
    pub fn of(record: &str) -> Self {
        let members = JsonMembers::parse(record);
        let documents = DOCUMENTS.iter().find_map(|name| members.get(name));
        let document = documents.map(JsonMembers::parse).unwrap_or_default();
        let first = |names: &[&str]| named(&members, names, "");
        let spoken = PROMPTS.iter().find_map(|name| Some((*name, dialogue(members.get(name)?)?)));
        let mut spoken_answer = None;
        let prompt = match spoken {
            Some((field, (asked, said))) => {
                spoken_answer = said.map(|text| NamedText { field: field.to_owned(), text });
                Some(NamedText { field: field.to_owned(), text: asked })
            }
            None => named(&members, &PROMPTS, "")
                .or_else(|| members.get("arguments").and_then(first_argument))
                .or_else(|| named(&document, &PROMPTS, "doc."))
                .or_else(|| first(&DOCUMENTS)),
        };
        let (strong, weak) = TARGETS.split_at(usize::from(WEAK_TARGETS));
        let response = first(&RESPONSES).or(spoken_answer);
        let has_response = response.is_some();
        let answer = response.or_else(|| first(&PREDICTIONS));
        let is_answer = |found: &NamedText| {
            answer.as_ref().is_some_and(|answer| answer.field == found.field) && !has_response
        };
        let target = first(strong)
            .or_else(|| first(weak).filter(|found| !is_answer(found)))
            .or_else(|| named(&document, &TARGETS, "doc."));
        let endings = ENDINGS.iter().filter_map(|name| first(&[name]));
        let tokens = TOKENS.iter().find_map(|name| json_text(members.get_path(name)?));
        Self {
            extracted: first(&ANSWERS).filter(|found| {
                answer.as_ref().is_none_or(|answer| answer.text.trim() != found.text.trim())
            }),
            prompt,
            target,
            answer,
            endings: endings.collect(),
            tokens: tokens.and_then(|tokens| tokens.parse().ok()),
            images: Vec::new(),
        }
    }
}

/// Whether a field of a record, or what lies at a path of names with dots, has that value.
pub fn has_value(record: &str, path: &str, value: &str) -> bool {
    let members = JsonMembers::parse(record);
    let found = members.get(path).or_else(|| members.get_path(path)).and_then(json_text);
    found.is_some_and(|found| {
        let numbers = [&*found, value].map(|text| text.parse::<f64>().ok());
        found == value || (numbers[0].is_some() && numbers[0] == numbers[1])
    })
}

/// The first of these fields that holds something.
fn named(members: &JsonMembers<'_>, names: &[&str], before: &str) -> Option<NamedText> {
    names.iter().find_map(|name| {
        let text = plain(members.get(name)?)?;
        Some(NamedText { field: format!("{before}{name}"), text })
    })
}

/// What a value says: a text, the only text of a list, or JSON over several lines.
fn plain(raw: &str) -> Option<String> {
    if raw.starts_with('[') {
        match json_elements(raw).as_slice() {
            [] => return None,
            [only] => return plain(only),
            _ => {}
        }
    }
    if raw.starts_with(['[', '{']) {
        let parsed = serde_json::from_str::<serde_json::Value>(raw);
        let lines = parsed.ok().and_then(|value| serde_json::to_string_pretty(&value).ok());
        return Some(lines.unwrap_or_else(|| raw.to_owned()));
    }
    json_text(raw).filter(|text| !text.is_empty())
}

/// The first text in `arguments` of lm-evaluation-harness: lists, or objects of objects.
fn first_argument(raw: &str) -> Option<NamedText> {
    let text = first_text(raw)?;
    Some(NamedText { field: "arguments".to_owned(), text })
}

fn first_text(raw: &str) -> Option<String> {
    match raw.as_bytes().first()? {
        b'[' => json_elements(raw).into_iter().find_map(first_text),
        b'{' => JsonMembers::parse(raw).iter().find_map(|(_, raw)| first_text(raw)),
        b'"' => json_text(raw),
        _ => None,
    }
}

/// What was said in a list of messages before the model spoke last, and what it said then, where the
/// list ends with it; `None` where there are no messages.
fn dialogue(raw: &str) -> Option<(String, Option<String>)> {
    if !raw.starts_with('[') {
        return None;
    }
    let mut turns: Vec<(String, String)> = Vec::new();
    messages::for_each_message(raw, |speaker, said| {
        let said = said.and_then(|said| message_text(said.text)).unwrap_or_default();
        turns.push((speaker.to_owned(), said));
    });
    let of_model = turns.iter().rev().take_while(|(speaker, _)| MODELS.contains(&&**speaker));
    let asked = turns.len() - of_model.count();
    let said = turns.split_off(asked.min(turns.len()));
    if asked == 0 {
        return None;
    }
    let answer = said.into_iter().map(|(_, said)| said).collect::<Vec<_>>().join("\n\n");
    let marked: Vec<String> = match turns.as_slice() {
        [(_, only)] => vec![only.clone()],
        turns => turns.iter().map(|(speaker, said)| format!("[{speaker}]\n{said}")).collect(),
    };
    Some((marked.join("\n\n"), Some(answer).filter(|answer| !answer.is_empty())))
}

/// A message, or the parts of one: texts as they are, others by their kind.
fn message_text(raw: &str) -> Option<String> {
    if !raw.starts_with('[') {
        return plain(raw);
    }
    let parts = json_elements(raw).into_iter().map(|part| {
        let members = JsonMembers::parse(part);
        let kind = || members.get("type").and_then(json_text).map(|kind| format!("[{kind}]"));
        members.get("text").and_then(json_text).or_else(kind).or_else(|| plain(part))
    });
    Some(parts.flatten().collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prompt, target, answer and what was taken from it.
    fn check(record: &str, expected: [&str; 4]) {
        let texts = SampleTexts::of(record);
        let found = [&texts.prompt, &texts.target, &texts.answer, &texts.extracted];
        let found = found.map(|text| text.as_ref().map_or("", |text| &text.text));
        assert_eq!(found, expected, "{record}");
    }

    #[test]
    fn texts_are_found_by_what_their_fields_mean() {
        check(
            r#"{"id": 1, "prompt": "2+2?", "target": "4", "response": "It is 4.", "extracted_answer": "4"}"#,
            ["2+2?", "4", "It is 4.", "4"],
        );
        check(r#"{"id": 1, "question": "q", "answer": "a", "output": "o"}"#, ["q", "a", "o", ""]);
        check(r#"{"id": 1, "question": "q", "gold": "a", "answer": "o"}"#, ["q", "a", "o", ""]);
        check(r#"{"id": 1, "acc": 1}"#, [""; 4]);
    }

    #[test]
    fn records_of_the_harness_have_their_texts_inside() {
        check(
            r#"{"doc_id": 0, "doc": {"question": "q", "answer": "why #### 4"}, "target": "4",
                "arguments": {"gen_args_0": {"arg_0": "Q: q\nA:", "arg_1": {"until": ["x"]}}},
                "resps": [["It is 4"]], "filtered_resps": ["4"], "exact_match": 1.0}"#,
            ["Q: q\nA:", "4", "It is 4", "4"],
        );
    }

    #[test]
    fn messages_are_marked_by_who_speaks_and_end_where_the_model_answers() {
        check(
            r#"{"id": 1, "messages": [{"role": "system", "content": "s"},
                {"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "image_url", "image_url": {}}]},
                {"role": "assistant", "content": "a"}]}"#,
            ["[system]\ns\n\n[user]\nq\n[image_url]", "", "a", ""],
        );
        check(
            r#"{"id": 1, "prompt": [{"role": "user", "content": "q"}], "completion": "c"}"#,
            ["q", "", "c", ""],
        );
    }

    #[test]
    fn a_condition_compares_numbers_as_numbers_and_reaches_into_objects() {
        let record = r#"{"step": 10, "extra": {"kind": "a.b"}, "x.y": true}"#;
        for (path, value, holds) in [
            ("step", "10.0", true),
            ("extra.kind", "a.b", true),
            ("x.y", "true", true),
            ("extra.kind", "a", false),
            ("gone", "", false),
        ] {
            assert_eq!(has_value(record, path, value), holds, "{path}");
        }
    }
}
