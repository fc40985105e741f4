//! The prompts of a file: what each is called among them, and which provider was asked it.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::super::samples::json;

/// A label of more bytes is the beginning of a prompt, by which nobody would name a run.
const LONGEST_LABEL: usize = 80;

/// A prompt as one provider was asked it.
pub(super) struct Prompt {
    /// What it is called among the prompts of the file.
    pub(super) called: String,
    /// Not known where lines state another label.
    pub(super) template: Option<String>,
    /// Where it is stated with the prompt.
    pub(super) provider: Option<String>,
}

/// A prompt as it is listed.
#[derive(Default)]
struct Listed {
    label: String,
    /// Whether the provider may stand before the label.
    may_be_marked: bool,
    template: Option<String>,
    provider: Option<String>,
}

/// Prompts as files list them: objects, or in version 1 their texts alone. The same prompt stands there once for
/// each provider. One without a label of its own is called by its number.
pub(super) fn prompts(list: &str) -> Vec<Prompt> {
    let mut listed: Vec<Listed> = Vec::new();
    let _ended = json::for_each_element(list, |element| {
        let prompt: Json = serde_json::from_str(element).unwrap_or_default();
        let text = |key: &str| prompt.get(key).and_then(Json::as_str).map(str::to_owned);
        let shown = || text("display").or_else(|| prompt.as_str().map(str::to_owned));
        let label = text("label");
        listed.push(Listed {
            may_be_marked: label.is_none(),
            label: label.or_else(shown).unwrap_or_default(),
            template: text("raw").or_else(|| prompt.is_object().then(String::new)),
            provider: text("provider"),
        });
    });
    take_marks(&mut listed);
    let mut templates: Vec<String> = Vec::new();
    let called = |Listed { label, template, provider, .. }: Listed| {
        let template = template.unwrap_or_else(|| label.clone());
        let known = templates.iter().position(|known| *known == template);
        let number = known.unwrap_or(templates.len()) + 1;
        if known.is_none() {
            templates.push(template.clone());
        }
        let is_name = !label.is_empty() && label.len() <= LONGEST_LABEL && label != template;
        let called = if is_name { label } else { format!("prompt {number}") };
        Prompt { called, template: Some(template).filter(|text| !text.is_empty()), provider }
    };
    listed.into_iter().map(called).collect()
}

/// Takes the providers before labels, which stood there where a file had several: `[openai:gpt-4] label`.
fn take_marks(listed: &mut [Listed]) {
    let mark = |one: &Listed| {
        let (name, rest) =
            one.label.strip_prefix('[').filter(|_| one.may_be_marked)?.split_once("] ")?;
        Some((name.to_owned(), rest.to_owned()))
    };
    let marks: Option<Vec<(String, String)>> = listed.iter().map(mark).collect();
    let Some(marks) = marks else { return };
    if marks.iter().map(|(name, _)| name).collect::<BTreeSet<_>>().len() > 1 {
        for (one, (name, rest)) in listed.iter_mut().zip(marks) {
            one.provider.get_or_insert(name);
            one.label = rest;
        }
    }
}
