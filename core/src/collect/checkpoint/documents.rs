//! The JSON files of a model: what they say that the checks need.

use std::fs;
use std::path::Path;

use super::super::content::without_bom;
use super::super::document::{Node, Parsed, Table, Value, parse_json_line};
use super::super::shown;
use crate::model::{
    AdapterConfig, Damage, Document, GenerationConfig, ModelConfig, TokenizerConfig, Vocabulary,
    WeightIndex,
};

/// Documents of more bytes are not read; the largest tokenizers have some 50 million.
const LONGEST: u64 = 1 << 30;

/// Reads a JSON object of the directory; `content` takes what is needed, or says what is missing.
pub(super) fn read<T>(
    directory: &Path,
    name: &str,
    content: impl Fn(&str, &Table) -> Result<T, &'static str>,
) -> Document<T> {
    let place = directory.join(name);
    if place.symlink_metadata().is_err() {
        return Document::Absent;
    }
    let path = shown(&place);
    let broken = |line: Option<u64>, cause: String| {
        Document::Broken(Damage { path: path.clone(), line, cause })
    };
    match fs::metadata(&place) {
        Ok(about) if !about.is_file() => return broken(None, "it is no file".to_owned()),
        Ok(about) if about.len() > LONGEST => {
            return broken(None, format!("{} bytes are no document", about.len()));
        }
        _ => {}
    }
    let bytes = match fs::read(&place) {
        Ok(bytes) => bytes,
        Err(error) => return broken(None, error.to_string()),
    };
    let Ok(text) = str::from_utf8(without_bom(&bytes)) else {
        return broken(None, "the text is not UTF-8".to_owned());
    };
    match parse_json_line(text, 1) {
        Err(syntax) => broken(Some(syntax.line), syntax.cause),
        Ok(Parsed { root, .. }) => match root.table() {
            None => broken(Some(1), "the document is no JSON object".to_owned()),
            Some(table) => match content(&path, table) {
                Ok(content) => Document::Read(content),
                Err(cause) => broken(None, cause.to_owned()),
            },
        },
    }
}

/// Parts of a configuration that hold the sizes of the language model of a larger one.
const TEXT_PARTS: &[&str] = &["text_config", "llm_config", "language_config"];

pub(super) fn config(path: &str, table: &Table) -> ModelConfig {
    let part = TEXT_PARTS.iter().find_map(|part| table.get(*part)?.table());
    let texts = |key: &str| {
        let items = table.get(key).and_then(Node::list).unwrap_or_default();
        items.iter().filter_map(Node::text).map(str::to_owned).collect()
    };
    let text = |key: &str| table.get(key).and_then(Node::text).map(str::to_owned);
    let of_part = |key: &str| part?.get(key).and_then(Node::text).map(str::to_owned);
    let mut found = ModelConfig {
        path: path.to_owned(),
        architectures: texts("architectures"),
        model_type: text("model_type"),
        dtype: text("dtype")
            .or_else(|| text("torch_dtype"))
            .or_else(|| of_part("dtype"))
            .or_else(|| of_part("torch_dtype")),
        is_quantised: QUANTISED.iter().any(|key| table.contains_key(*key)),
        is_composed: part.is_some(),
        code: code(table),
        ..ModelConfig::default()
    };
    for (key, node) in table.iter().chain(part.into_iter().flatten()) {
        let size = match node.value {
            Value::Bool(switch) => Some(u64::from(switch)),
            _ => node.count(),
        };
        if let Some(size) = size {
            found.sizes.insert(key.clone(), size);
        }
    }
    found
}

/// Keys of a configuration that say how weights are packed: of transformers, llm-compressor and MLX.
const QUANTISED: &[&str] = &["quantization_config", "compression_config", "quantization"];

/// Files of the directory that `auto_map` names. A class is `module.Class`, or a list of them where a
/// tokenizer has two; with `repository--` before it the code lies elsewhere.
fn code(table: &Table) -> Vec<String> {
    let classes = table.get("auto_map").and_then(Node::table);
    let named = classes.into_iter().flat_map(Table::values);
    let named = named.flat_map(|node| node.list().unwrap_or(std::slice::from_ref(node)));
    let modules = named.filter_map(Node::text).filter(|class| !class.contains("--"));
    let mut files: Vec<String> =
        modules.filter_map(|class| Some(format!("{}.py", class.split_once('.')?.0))).collect();
    files.sort();
    files.dedup();
    files
}

pub(super) fn generation(path: &str, table: &Table) -> GenerationConfig {
    let mut tokens = Vec::new();
    for (key, node) in table.iter().filter(|(key, _)| key.ends_with("_token_id")) {
        let ids = node.list().unwrap_or(std::slice::from_ref(node));
        tokens.extend(ids.iter().filter_map(Node::count).map(|id| (key.clone(), id)));
    }
    GenerationConfig { path: path.to_owned(), tokens }
}

/// `model.vocab` is a table of ids (BPE, `WordPiece`, `WordLevel`) or a list (Unigram).
pub(super) fn tokenizer(path: &str, table: &Table) -> Result<Vocabulary, &'static str> {
    let vocab = table.get("model").and_then(|model| model.get("vocab"));
    let vocab = vocab.ok_or("`model.vocab` is missing")?;
    let mut ids: Vec<u64> = match &vocab.value {
        Value::Table(table) => table.values().filter_map(Node::count).collect(),
        Value::List(pieces) => (0..pieces.len() as u64).collect(),
        _ => return Err("`model.vocab` is neither a table nor a list"),
    };
    let added = table.get("added_tokens").and_then(Node::list).unwrap_or_default();
    ids.extend(added.iter().filter_map(|token| token.get("id")?.count()));
    vocabulary(path, ids)
}

pub(super) fn vocab(path: &str, table: &Table) -> Result<Vocabulary, &'static str> {
    vocabulary(path, table.values().filter_map(Node::count).collect())
}

fn vocabulary(path: &str, mut ids: Vec<u64>) -> Result<Vocabulary, &'static str> {
    ids.sort_unstable();
    ids.dedup();
    let largest = *ids.last().ok_or("the vocabulary is empty")?;
    Ok(Vocabulary { path: path.to_owned(), tokens: ids.len() as u64, largest })
}

pub(super) fn tokenizer_config(table: &Table) -> TokenizerConfig {
    TokenizerConfig { has_chat_template: table.contains_key("chat_template") }
}

pub(super) fn adapter(table: &Table) -> AdapterConfig {
    let base = table.get("base_model_name_or_path").and_then(Node::text);
    AdapterConfig { base: base.map(str::to_owned) }
}

pub(super) fn index(path: &str, table: &Table) -> Result<WeightIndex, &'static str> {
    let map = table.get("weight_map").and_then(Node::table).ok_or("`weight_map` is missing")?;
    let file = |(name, node): (&String, &Node)| Some((name.clone(), node.text()?.to_owned()));
    let total = table.get("metadata").and_then(|metadata| metadata.get("total_size"));
    Ok(WeightIndex {
        path: path.to_owned(),
        weight_map: map.iter().filter_map(file).collect(),
        total_size: total.and_then(Node::count),
    })
}
