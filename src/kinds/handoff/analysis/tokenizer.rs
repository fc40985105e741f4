//! The tokenizer: whether there is one, and whether its ids fit the model.

use super::config::{elsewhere, lacking_from_handoff};
use super::{Inspection, broken};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Checkpoint, Document};
use crate::quantity::Quantity;

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    if let Some(reason) = elsewhere(checkpoint) {
        return Inspection::skipped(reason);
    }
    let has = |name: &str| checkpoint.file(name).is_some();
    let mut findings = Vec::new();
    for document in [&checkpoint.tokenizer, &checkpoint.vocabulary] {
        if let Document::Broken(damage) = document {
            findings.push(broken(Code::ModelFileBroken, damage));
        }
    }
    let kind = if has("tokenizer.json") {
        "tokenizer.json"
    } else if has("tokenizer.model") {
        "tokenizer.model"
    } else if has("vocab.json") && has("merges.txt") {
        "vocab.json, merges.txt"
    } else if let Some(file) = checkpoint.files.iter().find(|file| is_other_kind(&file.name)) {
        file.name.as_str()
    } else {
        return Inspection::with_findings(vec![
            Diagnostic::new(Code::TokenizerMissing).at(Location::file(checkpoint.path.as_str())),
        ]);
    };
    match &checkpoint.tokenizer_config {
        Document::Absent => findings.push(lacking_from_handoff("tokenizer_config.json")),
        Document::Broken(damage) => findings.push(broken(Code::ModelFileBroken, damage)),
        Document::Read(_) => {}
    }
    let vocabulary = checkpoint.tokenizer.content().or(checkpoint.vocabulary.content());
    let size = checkpoint.config.content().and_then(|config| config.size("vocab_size"));
    let model = checkpoint.config.content().and_then(|config| config.model_type.as_deref());
    // `<image_soft_token>`, which the processor of the larger models replaces.
    let spare = u64::from(model == Some("gemma3_text"));
    if let Some((vocabulary, size)) = vocabulary
        .zip(size)
        .filter(|(vocabulary, size)| vocabulary.largest >= size.saturating_add(spare))
    {
        findings.push(
            Diagnostic::new(Code::TokenBeyondVocabulary)
                .with("what", kind)
                .with("id", vocabulary.largest)
                .with("vocabulary", size)
                .at(Location::file(vocabulary.path.as_str())),
        );
    }
    let has_template = has("chat_template.jinja")
        || has("chat_template.json")
        || checkpoint.tokenizer_config.content().is_some_and(|config| config.has_chat_template);
    Inspection::with_findings(findings)
        .with("kind", kind)
        .with("template", u64::from(has_template))
        .with("tokens", vocabulary.map(|vocabulary| Quantity::Count(vocabulary.tokens)))
}

/// Tokenizers of other libraries and models, which are not read: `SentencePiece` under the names of
/// T5, XLM-R and Llama 3, `WordPiece`, those of Mistral and of Qwen 1.
fn is_other_kind(name: &str) -> bool {
    matches!(
        name,
        "spiece.model" | "sentencepiece.bpe.model" | "tiktoken.model" | "vocab.txt" | "tekken.json"
    ) || name.ends_with(".tiktoken")
}
