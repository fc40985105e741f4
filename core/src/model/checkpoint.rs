//! A directory that holds one trained model, as far as its files show. Paths are as a person would
//! type them, sizes in bytes.

use indexmap::{IndexMap, IndexSet};

/// The files of a model, in the layout that Hugging Face libraries load.
#[derive(Debug, Clone, Default)]
pub struct Checkpoint {
    /// Directory as given.
    pub path: String,
    /// Files of the directory and of the directories in it, ordered by name.
    pub files: Vec<CheckpointFile>,
    pub config: Document<ModelConfig>,
    pub generation: Document<GenerationConfig>,
    pub tokenizer: Document<Vocabulary>,
    pub tokenizer_config: Document<TokenizerConfig>,
    /// `vocab.json`, which stands for `tokenizer.json` together with `merges.txt`.
    pub vocabulary: Document<Vocabulary>,
    pub adapter: Document<AdapterConfig>,
    pub index: Document<WeightIndex>,
    /// Every `.safetensors` file of the directory itself, ordered by name.
    pub shards: Vec<Shard>,
    /// Whether the numbers of the weights were to be looked through.
    pub is_scanned: bool,
}

impl Checkpoint {
    pub fn file(&self, name: &str) -> Option<&CheckpointFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The files that the transformers library takes the weights from: `model.safetensors`, else
    /// those of the index, else whatever safetensors files there are, adapters aside.
    pub fn loaded(&self) -> Vec<&Shard> {
        if let Some(single) = self.shards.iter().find(|shard| shard.file == SINGLE_FILE) {
            return vec![single];
        }
        match &self.index {
            Document::Read(index) => self.named_by(index),
            _ => self.shards.iter().filter(|shard| !is_adapter(&shard.file)).collect(),
        }
    }

    /// The files that an index names, as far as they are there.
    pub fn named_by(&self, index: &WeightIndex) -> Vec<&Shard> {
        let files = index.files();
        self.shards.iter().filter(|shard| files.contains(shard.file.as_str())).collect()
    }

    /// Whether every file that a loader takes the weights from is there and has a header.
    pub fn has_every_header(&self) -> bool {
        let loaded = self.loaded();
        let is_single = loaded.iter().any(|shard| shard.file == SINGLE_FILE);
        let wanted = match self.index.content().filter(|_| !is_single) {
            Some(index) => index.files().len(),
            None => loaded.len(),
        };
        loaded.iter().filter(|shard| shard.header.is_ok()).count() == wanted
    }

    /// Whether the directory holds an adapter and nothing of the model that it belongs on.
    pub fn is_adapter(&self) -> bool {
        matches!(self.config, Document::Absent)
            && self.files.iter().any(|file| is_adapter(&file.name))
    }

    /// Every tensor that a loader would take, file by file.
    pub fn tensors(&self) -> impl Iterator<Item = &Tensor> {
        let headers = self.loaded().into_iter().filter_map(|shard| shard.header.as_ref().ok());
        headers.flat_map(|header| &header.tensors)
    }
}

/// The name of the only file of a model that is not split.
pub const SINGLE_FILE: &str = "model.safetensors";

/// Whether a name is that of the weights of an adapter.
pub fn is_adapter(name: &str) -> bool {
    name.starts_with("adapter_model.")
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointFile {
    /// Name below the directory, with `/`.
    pub name: String,
    pub bytes: u64,
    /// The first bytes say that the content lies elsewhere (a Git LFS pointer).
    pub is_pointer: bool,
}

/// A file that has to be read as a whole to be of use.
#[derive(Debug, Clone, Default)]
pub enum Document<T> {
    #[default]
    Absent,
    Broken(Damage),
    Read(T),
}

impl<T> Document<T> {
    pub fn content(&self) -> Option<&T> {
        match self {
            Self::Read(content) => Some(content),
            _ => None,
        }
    }
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    pub path: String,
    /// Line, from 1, where that is known.
    pub line: Option<u64>,
    pub cause: String,
}

/// What `config.json` says of the shape of a model. Sizes stand in the part for text when a model
/// has several.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelConfig {
    pub path: String,
    pub architectures: Vec<String>,
    /// Family: `qwen2`, `llama`.
    pub model_type: Option<String>,
    /// Type of the numbers: `bfloat16`.
    pub dtype: Option<String>,
    /// Whether weights are quantised, so that tensors have other names and shapes.
    pub is_quantised: bool,
    /// Whether the sizes stand in a part of the configuration.
    pub is_composed: bool,
    /// Files of code in the directory that the model is built with, as `auto_map` names them.
    pub code: Vec<String>,
    /// Whole numbers and switches by name: `hidden_size`, `tie_word_embeddings` (1 for true).
    pub sizes: IndexMap<String, u64>,
}

impl ModelConfig {
    pub fn size(&self, name: &str) -> Option<u64> {
        self.sizes.get(name).copied()
    }
}

/// What `generation_config.json` says of tokens.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GenerationConfig {
    pub path: String,
    /// Ids by the name of their key: `eos_token_id`.
    pub tokens: Vec<(String, u64)>,
}

/// The tokens of a tokenizer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vocabulary {
    pub path: String,
    /// Number of tokens, added ones included.
    pub tokens: u64,
    /// The largest id.
    pub largest: u64,
}

/// What `tokenizer_config.json` says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TokenizerConfig {
    pub has_chat_template: bool,
}

/// What `adapter_config.json` says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AdapterConfig {
    pub base: Option<String>,
}

/// The index of a split model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WeightIndex {
    pub path: String,
    /// File of each tensor, in the order written.
    pub weight_map: IndexMap<String, String>,
    /// Bytes of all tensors, as the index states it.
    pub total_size: Option<u64>,
}

impl WeightIndex {
    /// Names of the files, each once, in the order of the index.
    pub fn files(&self) -> IndexSet<&str> {
        self.weight_map.values().map(String::as_str).collect()
    }
}

/// One safetensors file.
#[derive(Debug, Clone)]
pub struct Shard {
    pub file: String,
    pub path: String,
    pub bytes: u64,
    pub header: Result<ShardHeader, Damage>,
    /// What its numbers are like, when that was asked for.
    pub values: Option<WeightScan>,
}

/// What a look at every number of a file found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WeightScan {
    /// Numbers of floating-point types that were looked at.
    pub elements: u64,
    /// Tensors that cannot be those of a trained model.
    pub odd: Vec<OddTensor>,
}

/// The header of a safetensors file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShardHeader {
    /// Offset of the first byte of data in the file.
    pub data_start: u64,
    pub tensors: Vec<Tensor>,
    /// Names that it holds more than once.
    pub repeated: Vec<String>,
    /// Entries that are no tensors: name and what is wrong.
    pub malformed: Vec<(String, String)>,
}

/// One tensor as its header describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    pub name: String,
    /// Type as written: `BF16`.
    pub dtype: String,
    pub shape: Vec<u64>,
    /// First byte of its data, counted from the start of the data.
    pub start: u64,
    /// The byte after its data.
    pub end: u64,
}

impl Tensor {
    /// Number of elements; `None` when it exceeds 2⁶⁴.
    pub fn elements(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |product, &length| product.checked_mul(length))
    }

    /// Bits of one element; `None` for a type that the format does not have.
    ///
    /// The types are those of the `safetensors` library 0.8.
    pub fn bits(&self) -> Option<u64> {
        Some(match self.dtype.as_str() {
            "F4" => 4,
            "F6_E2M3" | "F6_E3M2" => 6,
            "BOOL" | "U8" | "I8" | "F8_E5M2" | "F8_E4M3" | "F8_E8M0" | "F8_E4M3FNUZ"
            | "F8_E5M2FNUZ" => 8,
            "I16" | "U16" | "F16" | "BF16" => 16,
            "I32" | "U32" | "F32" => 32,
            "I64" | "U64" | "F64" | "C64" => 64,
            _ => return None,
        })
    }

    /// Bytes that type and shape ask for; `None` when they cannot be counted.
    pub fn bytes_expected(&self) -> Option<u64> {
        let bits = self.elements()?.checked_mul(self.bits()?)?;
        bits.is_multiple_of(8).then_some(bits / 8)
    }
}

/// A tensor whose numbers cannot be those of a trained model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddTensor {
    pub tensor: String,
    pub nan: u64,
    pub infinite: u64,
    pub only_zeros: bool,
    pub elements: u64,
}
