//! The prompt in a list of messages.

use super::json;
use super::value::{Value, hash_of};
use crate::model::{ContentHash, ContentHashes};

/// Names of the speaker and of what is said.
const SPEAKERS: [&str; 2] = ["role", "from"];
const SAID: [&str; 2] = ["content", "value"];
/// Speakers that are the model.
const MODELS: [&str; 4] = ["assistant", "gpt", "model", "bot"];

/// Hash of what the model was told; `None` where that is no text and no list of messages. In a list
/// that ends with the model everything from its first word on may be what it did in this run, and
/// only what stands before is the prompt.
pub(super) fn prompt(value: Value<'_>) -> Option<ContentHash> {
    let Value::Composite(raw) = value else { return hash_of(value) };
    let mut told: Vec<ContentHash> = Vec::new();
    let (mut first, mut is_last) = (None, false);
    let mut scratch = String::new();
    let list = raw.starts_with('[').then_some(raw)?;
    // The text was read as JSON once already; a fault cannot come now.
    let _checked = json::for_each_element(list, |element| {
        let Value::Composite(message) = json::value(element, &mut scratch) else { return };
        let (mut is_model, mut said) = (None, None);
        let _checked = json::for_each_field(message, |key, raw| {
            let (mut name, mut text) = (String::new(), String::new());
            let name = key.name(&mut name);
            if SPEAKERS.contains(&name) {
                is_model = raw.value(&mut text).text().map(|one| MODELS.contains(&one));
            } else if SAID.contains(&name) {
                said = hash_of(raw.value(&mut text));
            }
        });
        let Some(of_model) = is_model else { return };
        is_last = of_model;
        if of_model {
            first = first.or(Some(told.len()));
        } else {
            told.extend(said);
        }
    });
    if is_last {
        told.truncate(first.unwrap_or(0));
    }
    let bytes: Vec<u8> = told.iter().flat_map(|hash| hash.get().to_le_bytes()).collect();
    (!bytes.is_empty()).then(|| ContentHashes::of(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_model_said_is_no_part_of_the_prompt() {
        let of = |text: &str| prompt(Value::Composite(text));
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
