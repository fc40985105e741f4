//! Families of models whose number of parameters follows from their configuration.

use crate::model::ModelConfig;

/// A family and how its parameters are counted.
struct Family {
    /// Names in `model_type`.
    types: &'static [&'static str],
    /// What `tie_word_embeddings` means when it is left out.
    is_tied: bool,
    /// Parameters of a causal language model without the output matrix; `None` when the
    /// configuration lacks a size.
    parameters: fn(&ModelConfig) -> Option<u64>,
}

const FAMILIES: &[Family] = &[
    Family {
        types: &["llama", "mistral"],
        is_tied: false,
        parameters: |config| decoder(config, Attention::plain(config)),
    },
    Family {
        types: &["qwen2"],
        is_tied: false,
        parameters: |config| decoder(config, Attention::qwen2()),
    },
    Family {
        types: &["qwen3"],
        is_tied: false,
        parameters: |config| decoder(config, Attention::qwen3(config)),
    },
    Family { types: &["gpt2"], is_tied: true, parameters: gpt2 },
];

/// Whether every layer of a model of that type has the same tensors.
pub(super) fn is_uniform(model_type: &str) -> bool {
    FAMILIES.iter().any(|family| family.types.contains(&model_type))
}

/// Whether the output matrix is the embedding; `None` where neither the configuration nor the family
/// says so.
///
/// Defaults of `tie_word_embeddings` in the configuration classes of transformers.
pub(super) fn is_tied(config: &ModelConfig) -> Option<bool> {
    if let Some(switch) = config.size("tie_word_embeddings") {
        return Some(switch == 1);
    }
    Some(family(config)?.is_tied)
}

fn family(config: &ModelConfig) -> Option<&'static Family> {
    let model_type = config.model_type.as_deref().filter(|_| !config.is_composed)?;
    FAMILIES.iter().find(|family| family.types.contains(&model_type))
}

/// Parameters that the configuration asks for without the output matrix, and those of the output
/// matrix. `None` for models that are not known here: other families, other heads than that of a
/// causal language model, quantised ones.
pub(super) fn parameters(config: &ModelConfig) -> Option<(u64, u64)> {
    let is_causal = config
        .architectures
        .iter()
        .any(|name| name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel"));
    let family = family(config).filter(|_| is_causal && !config.is_quantised)?;
    let hidden = config.size("hidden_size").or_else(|| config.size("n_embd"))?;
    let output = config.size("vocab_size")?.checked_mul(hidden)?;
    Some(((family.parameters)(config)?, output))
}

/// What differs between decoders with grouped queries, gated MLP and RMS norms.
#[derive(Debug, Clone, Copy)]
struct Attention {
    /// Queries, keys and values have a bias.
    input_bias: bool,
    /// The output has a bias.
    output_bias: bool,
    /// Queries and keys of a head are normed.
    head_norms: bool,
}

impl Attention {
    /// Biases as the configuration says; none by default.
    fn plain(config: &ModelConfig) -> Self {
        let bias = config.size("attention_bias") == Some(1);
        Self { input_bias: bias, output_bias: bias, head_norms: false }
    }

    fn qwen2() -> Self {
        Self { input_bias: true, output_bias: false, head_norms: false }
    }

    fn qwen3(config: &ModelConfig) -> Self {
        Self { head_norms: true, ..Self::plain(config) }
    }
}

fn decoder(config: &ModelConfig, attention: Attention) -> Option<u64> {
    let size = |name: &str| config.size(name);
    let (hidden, layers) = (size("hidden_size")?, size("num_hidden_layers")?);
    let heads = size("num_attention_heads").filter(|heads| *heads > 0)?;
    let groups = size("num_key_value_heads").unwrap_or(heads);
    let head = size("head_dim").unwrap_or(hidden / heads);
    let (queries, keys) = (heads.checked_mul(head)?, groups.checked_mul(head)?);
    let inner = size("intermediate_size")?;
    let product = |a: u64, b: u64| a.checked_mul(b);
    let mlp_bias = if size("mlp_bias") == Some(1) { 2 * inner + hidden } else { 0 };
    let mut layer = product(2, product(hidden, queries)?)?
        + product(2, product(hidden, keys)?)?
        + product(3, product(hidden, inner)?)?
        + 2 * hidden
        + mlp_bias;
    if attention.input_bias {
        layer += queries + 2 * keys;
    }
    if attention.output_bias {
        layer += hidden;
    }
    if attention.head_norms {
        layer += 2 * head;
    }
    product(size("vocab_size")?, hidden)?.checked_add(product(layers, layer)?)?.checked_add(hidden)
}

/// Learned positions, biases everywhere, layer norms with bias, and an output tied to the input.
fn gpt2(config: &ModelConfig) -> Option<u64> {
    let size = |name: &str| config.size(name);
    let (hidden, layers) = (size("n_embd")?, size("n_layer")?);
    let positions = size("n_positions").or_else(|| size("n_ctx"))?;
    let inner = size("n_inner").unwrap_or(4 * hidden);
    let layer = 4 * hidden.checked_mul(hidden)? + 4 * hidden     // attention
        + 2 * hidden.checked_mul(inner)? + inner + hidden        // MLP
        + 4 * hidden; // two norms
    let embedded = (size("vocab_size")? + positions).checked_mul(hidden)?;
    embedded.checked_add(layers.checked_mul(layer)?)?.checked_add(2 * hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters that the model cards and `num_parameters()` of published models state, output
    /// matrix included where it is not tied.
    #[test]
    fn published_models_have_the_number_of_parameters_that_follows_from_their_configuration() {
        let sizes = [
            "vocab_size",
            "hidden_size",
            "num_hidden_layers",
            "num_attention_heads",
            "num_key_value_heads",
            "intermediate_size",
            "head_dim",
            "tied",
        ];
        for (name, family, values, expected) in [
            ("Llama-2-7B", "llama", [32_000, 4096, 32, 32, 32, 11_008, 128, 0], 6_738_415_616),
            ("Llama-3-8B", "llama", [128_256, 4096, 32, 32, 8, 14_336, 128, 0], 8_030_261_248),
            (
                "Mistral-7B-v0.1",
                "mistral",
                [32_000, 4096, 32, 32, 8, 14_336, 128, 0],
                7_241_732_096,
            ),
            ("Qwen2.5-7B", "qwen2", [152_064, 3584, 28, 28, 4, 18_944, 128, 0], 7_615_616_512),
            ("Qwen2.5-0.5B", "qwen2", [151_936, 896, 24, 14, 2, 4864, 64, 1], 494_032_768),
            ("Qwen3-8B", "qwen3", [151_936, 4096, 36, 32, 8, 12_288, 128, 0], 8_190_735_360),
            ("Qwen3-0.6B", "qwen3", [151_936, 1024, 28, 16, 8, 3072, 128, 1], 596_049_920),
        ] {
            let sizes = sizes.iter().zip(values).map(|(key, value)| ((*key).to_owned(), value));
            let config = ModelConfig {
                architectures: vec!["SomeForCausalLM".to_owned()],
                model_type: Some(family.to_owned()),
                sizes: sizes.collect(),
                ..ModelConfig::default()
            };
            let (own, output) = parameters(&config).expect("a known family");
            let tied = config.size("tied") == Some(1);
            assert_eq!(own + if tied { 0 } else { output }, expected, "{name}");
        }
        let sizes =
            [("vocab_size", 50_257), ("n_embd", 768), ("n_layer", 12), ("n_positions", 1024)];
        let gpt2 = ModelConfig {
            architectures: vec!["GPT2LMHeadModel".to_owned()],
            model_type: Some("gpt2".to_owned()),
            sizes: sizes.map(|(key, value)| (key.to_owned(), value)).into_iter().collect(),
            ..ModelConfig::default()
        };
        assert_eq!(parameters(&gpt2).map(|(own, _)| own), Some(124_439_808), "GPT-2");
    }
}
