//! The question that a record asks: which field holds it, and its key.

use super::super::readers::samples::json;
use super::super::readers::samples::messages::for_each_message;
use super::super::readers::samples::value::RecordValue;
use crate::model::TextKey;

/// Names of questions, the plainest first: a prompt may hold instructions and examples besides.
const NAMES: &[&str] = &[
    "question",
    "problem",
    "query",
    "input",
    "prompt",
    "messages",
    "conversations",
    "conversation",
    "instruction",
    "text",
];
/// Objects that hold the fields of the original record.
const RECORDS: &[&str] = &["doc", "document", "extra_info"];
/// What a question is asked about; equal questions about two images are two.
pub(super) const ABOUT: &[&str] = &[
    "image",
    "images",
    "image_id",
    "image_path",
    "img",
    "context",
    "passage",
    "passage_id",
    "video",
    "audio",
];
/// Fields of a record inside come after its own.
const INSIDE: u8 = 64;
const RECORD: u8 = 128;

/// The rank of a name that may hold the question; `None` for another name.
pub(super) fn rank_of_column(name: &str) -> Option<u8> {
    let position =
        |names: &[&str]| names.iter().position(|known| *known == name).map(|at| at as u8);
    position(NAMES).or_else(|| position(RECORDS).map(|at| RECORD + at))
}

/// The question of the current record, as far as its fields were read.
#[derive(Default)]
pub(super) struct Questions {
    rank: Option<u8>,
    text: String,
}

impl Questions {
    pub(super) fn take(&mut self, rank: Option<u8>, name: &str, value: RecordValue<'_>) {
        let Some(rank) = rank else { return };
        match value {
            RecordValue::Text(text) | RecordValue::Quoted(text) if rank < RECORD => {
                self.offer(rank, text);
            }
            RecordValue::Composite(raw) if rank >= RECORD => self.take_record(raw),
            RecordValue::Composite(raw) if raw.starts_with('[') => {
                if let Some(text) = last_user_message(raw) {
                    self.offer(rank, &text);
                }
            }
            RecordValue::Composite(raw) if name == "input" || name == "prompt" => {
                self.take_record(raw);
            }
            _ => {}
        }
    }

    /// The key of the question, asked about what has that hash; forgets it.
    pub(super) fn end(&mut self, about: u64) -> TextKey {
        let key = match self.rank.take() {
            Some(_) => TextKey::new(&self.text, about),
            None => TextKey::default(),
        };
        self.text.clear();
        key
    }

    fn offer(&mut self, rank: u8, text: &str) {
        if self.rank.is_none_or(|known| rank < known) && !text.trim().is_empty() {
            self.rank = Some(rank);
            text.clone_into(&mut self.text);
        }
    }

    fn take_record(&mut self, raw: &str) {
        // The text was read as JSON once already; a fault cannot come now.
        let _checked = json::for_each_field(raw, |key, value| {
            let (mut name, mut scratch) = (String::new(), String::new());
            let rank = rank_of_column(key.name(&mut name)).filter(|rank| *rank < INSIDE);
            if let (Some(rank), RecordValue::Text(text)) = (rank, value.value(&mut scratch)) {
                self.offer(INSIDE + rank, text);
            }
        });
    }
}

/// What a person said last in a conversation.
fn last_user_message(raw: &str) -> Option<String> {
    let mut found = None;
    for_each_message(raw, |speaker, said| {
        let Some(said) = said.filter(|_| matches!(speaker, "user" | "human")) else { return };
        let text = match said.value(&mut String::new()) {
            RecordValue::Text(text) => Some(text.to_owned()),
            RecordValue::Composite(parts) => text_parts(parts),
            _ => None,
        };
        found = text.or(found.take());
    });
    found
}

/// The texts among the parts of a message of several kinds.
fn text_parts(raw: &str) -> Option<String> {
    let mut texts: Vec<String> = Vec::new();
    let _checked = json::for_each_element(raw, |part| {
        let _object = json::for_each_field(part, |key, value| {
            let (mut name, mut scratch) = (String::new(), String::new());
            if let ("text", RecordValue::Text(text)) =
                (key.name(&mut name), value.value(&mut scratch))
            {
                texts.push(text.to_owned());
            }
        });
    });
    (!texts.is_empty()).then(|| texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_found_wherever_the_record_keeps_it() {
        let question = "How many legs does a spider have?";
        let expected = TextKey::new(question, 0);
        let chat = format!(
            r#"[{{"role":"system","content":"Be brief."}},{{"role":"user","content":"{question}"}},{{"role":"assistant","content":"8"}}]"#
        );
        let parts =
            format!(r#"[{{"role":"user","content":[{{"type":"text","text":"{question}"}}]}}]"#);
        let said = format!(r#"[{{"from":"human","value":"{question}"}}]"#);
        let doc = format!(r#"{{"id":3,"question":"{question}"}}"#);
        for (name, value) in [
            ("question", RecordValue::Text(question)),
            ("prompt", RecordValue::Composite(&chat)),
            ("messages", RecordValue::Composite(&parts)),
            ("conversations", RecordValue::Composite(&said)),
            ("doc", RecordValue::Composite(&doc)),
            ("extra_info", RecordValue::Composite(&doc)),
        ] {
            let mut found = Questions::default();
            found.take(rank_of_column(name), name, value);
            assert_eq!(found.end(0), expected, "{name}");
        }
    }

    #[test]
    fn a_plain_question_counts_before_the_prompt_that_was_made_of_it() {
        let mut found = Questions::default();
        for (name, text) in [("prompt", "Answer: why?"), ("question", "why?"), ("text", "x")] {
            found.take(rank_of_column(name), name, RecordValue::Text(text));
        }
        assert_eq!(found.end(0), TextKey::new("why?", 0));
        assert!(!found.end(0).is_known());
    }
}
