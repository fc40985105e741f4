//! The prompt in a list of messages.

use super::json;
use super::value::{RecordValue, hash_of};
use crate::model::{ContentHash, ContentHashes};

/// Names of the speaker and of what is said.
const SPEAKERS: [&str; 2] = ["role", "from"];
const SAID: [&str; 2] = ["content", "value"];
/// Speakers that are the model.
pub(crate) const MODELS: [&str; 4] = ["assistant", "gpt", "model", "bot"];

/// Calls `message` with the speaker and the raw text of what is said for every message of a list;
/// elements that name no speaker are none. A text that is no JSON list has no messages.
pub(crate) fn for_each_message(
    list: &str,
    mut message: impl FnMut(&str, Option<json::RawJson<'_>>),
) {
    // The text was read as JSON once already; a fault cannot come now.
    let _checked = json::for_each_element(list, |element| {
        let (mut speaker, mut said) = (None, None);
        let _checked = json::for_each_field(element, |key, raw| {
            let (mut name, mut text) = (String::new(), String::new());
            let name = key.name(&mut name);
            if SPEAKERS.contains(&name) {
                speaker = raw.value(&mut text).text().map(str::to_owned);
            } else if SAID.contains(&name) {
                said = Some(raw);
            }
        });
        if let Some(speaker) = speaker {
            message(&speaker, said);
        }
    });
}

/// Hash of what the model was told; `None` where that is no text and no list of messages. In a list
/// that ends with the model everything from its first word on may be what it did in this run, and
/// only what stands before is the prompt.
pub(super) fn prompt(value: RecordValue<'_>) -> Option<ContentHash> {
    let RecordValue::Composite(raw) = value else { return hash_of(value) };
    let mut asked: Vec<ContentHash> = Vec::new();
    let (mut first, mut is_last) = (None, false);
    for_each_message(raw, |speaker, said| {
        is_last = MODELS.contains(&speaker);
        if is_last {
            first = first.or(Some(asked.len()));
        } else {
            asked.extend(said.and_then(|said| hash_of(said.value(&mut String::new()))));
        }
    });
    if is_last {
        asked.truncate(first.unwrap_or(0));
    }
    let bytes: Vec<u8> = asked.iter().flat_map(|hash| hash.get().to_le_bytes()).collect();
    (!bytes.is_empty()).then(|| ContentHashes::hash_bytes(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_model_said_is_no_part_of_the_prompt() {
        let of = |text: &str| prompt(RecordValue::Composite(text));
        let asked = r#"[{"role":"system","content":"s"},{"role":"user","content":"q"}]"#;
        let answered = r#"[{"role": "system", "content": "s"}, {"role": "user", "content": "q"},
            {"role": "assistant", "content": "a"}]"#;
        let other = r#"[{"role":"system","content":"t"},{"role":"user","content":"q"}]"#;
        assert!(of(asked).is_some());
        assert_eq!(of(asked), of(answered));
        assert_ne!(of(asked), of(other));
        assert_eq!(
            of(r#"[{"from":"human","value":"q"}]"#),
            of(r#"[{"role":"user","content":"q"}]"#)
        );
        for none in [r#"{"model": "m"}"#, "[1, 2]", "[]"] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
