//! What a configuration key is for, by documented names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::names::{BELOW, ConfigRole, ENDS, NAMES};
use super::spelling::{key_components, plain};
use crate::model::leaf;

/// Names that say too little without what stands above them.
const VAGUE: &[&str] = &[
    "config",
    "config_name",
    "dataset",
    "dataset_config_name",
    "dataset_name",
    "dataset_path",
    "id",
    "kwargs",
    "location",
    "name",
    "path",
    "revision",
    "seed",
    "type",
    "version",
];

/// Components of models that a training uses and does not train or evaluate.
const OTHER_MODELS: &[&str] = &["critic", "ref", "reference", "reward", "reward_model"];

/// Components that speak of an evaluation, and of data.
const EVALUATION: &[&str] = &["benchmark", "eval", "evaluation", "task", "tasks", "test", "val"];
const DATA: &[&str] = &["data", "dataset", "datasets"];

pub fn config_role(key: &str) -> ConfigRole {
    // The name of a file stands before a key that another file writes differently.
    let key = key.rsplit_once('#').map_or(key, |(_, own)| own);
    let parts = key_components(key);
    let Some((name, above)) = parts.split_last() else { return ConfigRole::Other };
    let judges = |part: &String| {
        part.split('_').any(|word| matches!(word, "judge" | "grader" | "autorater" | "annotator"))
    };
    if parts.iter().any(judges) {
        return ConfigRole::Judge;
    }
    if above.iter().any(|part| OTHER_MODELS.contains(&part.as_str())) {
        return ConfigRole::Training;
    }
    if super::is_seed(key) || name == "seed" {
        return seed_role(above);
    }
    let by_place = || {
        let mut nearest = above.iter().rev();
        nearest.find_map(|part| listed_above(part))
    };
    if VAGUE.contains(&name.as_str()) {
        return vague(name, above).or_else(by_place).unwrap_or(ConfigRole::Other);
    }
    // lm-evaluation-harness puts the description of a task before its questions.
    if name == "description" && above.first().is_some_and(|part| part == "task") {
        return ConfigRole::Prompt;
    }
    let by_name = listed_name(name).or_else(|| listed_end(name));
    match (by_name, by_place()) {
        // What is sampled while training is a setting of the training.
        (Some(ConfigRole::Decoding | ConfigRole::Model), Some(ConfigRole::Training)) => {
            ConfigRole::Training
        }
        // A scorer may ask a model of its own.
        (Some(ConfigRole::Decoding | ConfigRole::Model), Some(ConfigRole::Scorer)) => {
            ConfigRole::Scorer
        }
        (Some(role), _) | (None, Some(role)) => role,
        (None, None) => ConfigRole::Other,
    }
}

/// Whether somebody compares runs in order to see what this key changes.
pub(super) fn is_asked_about(key: &str) -> bool {
    let name = plain(leaf(key));
    let is_seed = name.split('_').any(|word| word == "seed");
    // Several attempts at each question are another way to count, not another model.
    let is_attempts = matches!(name.as_str(), "best_of" | "num_retries");
    config_role(key).is_asked_about() && !is_seed && !is_attempts
}

fn seed_role(above: &[String]) -> ConfigRole {
    let mut nearest = above.iter().rev();
    nearest
        .find_map(|part| match listed_above(part) {
            Some(role @ (ConfigRole::FewShot | ConfigRole::Dataset)) => Some(role),
            _ => None,
        })
        .unwrap_or(ConfigRole::Seed)
}

/// The role of a vague name by what stands above it and by its own words.
fn vague(name: &str, above: &[String]) -> Option<ConfigRole> {
    let has = |list: &[&str]| above.iter().any(|part| list.contains(&part.as_str()));
    let of_data = name.starts_with("dataset") || has(DATA);
    if of_data && (has(EVALUATION) || name == "revision") {
        return Some(ConfigRole::Dataset);
    }
    if name.starts_with("dataset") {
        return Some(ConfigRole::TrainingData);
    }
    if name == "name" && above.last().is_some_and(|part| part == "rollout") {
        return Some(ConfigRole::Library);
    }
    if name == "revision" && above.is_empty() {
        return Some(ConfigRole::Model);
    }
    let nearest = above.iter().rev().find_map(|part| listed_above(part));
    match nearest {
        Some(role) => Some(role),
        None if has(DATA) => Some(ConfigRole::TrainingData),
        None if above.last().is_some_and(|part| part == "model_args") => Some(ConfigRole::Model),
        None => None,
    }
}

/// The roles of a table by name; of a name that stands in it twice the first counts.
fn by_name(table: &[(ConfigRole, &'static str)]) -> BTreeMap<&'static str, ConfigRole> {
    let names = table.iter().rev().flat_map(|(role, names)| {
        names.split_whitespace().map(|name| (name, *role)).collect::<Vec<_>>()
    });
    names.collect()
}

fn listed_above(part: &str) -> Option<ConfigRole> {
    static ROLES: LazyLock<BTreeMap<&str, ConfigRole>> = LazyLock::new(|| by_name(BELOW));
    ROLES.get(part).copied()
}

fn listed_name(name: &str) -> Option<ConfigRole> {
    static ROLES: LazyLock<BTreeMap<&str, ConfigRole>> = LazyLock::new(|| by_name(NAMES));
    ROLES.get(name).copied()
}

/// The role of the first end in the table that a name has.
fn listed_end(name: &str) -> Option<ConfigRole> {
    static ROLES: LazyLock<Vec<(&str, ConfigRole)>> = LazyLock::new(|| {
        let ends = ENDS.iter().map(|(role, ends)| ends.split_whitespace().map(|end| (end, *role)));
        ends.flatten().collect()
    });
    ROLES.iter().find(|(end, _)| name.ends_with(end)).map(|(_, role)| *role)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const KEYS: [(ConfigRole, &[&str]); 15] = [
        (
            ConfigRole::Judge,
            &["judge_model", "judge.name", "eval.judge.temperature", "graderPrompt"],
        ),
        (
            ConfigRole::Scorer,
            &[
                "task.gsm8k.filter_list.0.filter.0.regex_pattern",
                "scorer_version",
                "scorer.model_graded_qa.model",
                "task.gsm8k.process_results",
                "extract_answer",
            ],
        ),
        (
            ConfigRole::Dataset,
            &[
                "dataset_revision",
                "task.gsm8k.dataset_path",
                "eval.dataset.name",
                "eval.dataset.location",
                "eval_set",
                "task.gsm8k.process_docs",
                "limit",
                "dataset.revision",
                "test_split",
                "data.val_files",
                "dataset.split_seed",
            ],
        ),
        (ConfigRole::Prompt, &["system_prompt", "task.asdiv.description", "chat_template_sha"]),
        (ConfigRole::FewShot, &["num_fewshot", "fewshot_seed", "task.x.fewshot_config.sampler"]),
        (
            ConfigRole::Decoding,
            &[
                "temperature",
                "gen_kwargs.max_gen_toks",
                "sampling_params.seed_offset",
                "rollout.val_kwargs.top_p",
                "generation.n",
            ],
        ),
        (ConfigRole::Model, &["pretrained", "base_checkpoint", "model.layers", "revision"]),
        (ConfigRole::TrainingData, &["train_file", "dataset_name", "data.path", "rl_data"]),
        (
            ConfigRole::Training,
            &[
                "kl_beta",
                "actor.optim.lr",
                "rollout.temperature",
                "critic.model.path",
                "reward_model.path",
                "algorithm.kl_ctrl.type",
            ],
        ),
        (ConfigRole::Seed, &["seed", "numpy_seed", "model_args.seed"]),
        (ConfigRole::Precision, &["load_in_4bit", "model.dtype", "bnb_config.quant_type"]),
        (ConfigRole::Code, &["git_hash", "git.dirty", "commit"]),
        (ConfigRole::Library, &["transformers_version", "packages.vllm", "rollout.name"]),
        (
            ConfigRole::Hardware,
            &[
                "gpu_type",
                "trainer.n_gpus_per_node",
                "rollout.gpu_memory_utilization",
                "per_device_eval_batch_size",
                "device",
            ],
        ),
        (ConfigRole::Other, &["p", "alpha_blend", "name_of_something", "version"]),
    ];

    #[test]
    fn a_key_has_the_role_of_what_it_names() {
        for (expected, keys) in KEYS {
            for key in keys {
                assert_eq!(config_role(key), expected, "{key}");
            }
        }
    }

    #[test]
    fn no_name_has_two_roles() {
        for table in [NAMES, BELOW] {
            let mut seen: Vec<&str> = Vec::new();
            for name in table.iter().flat_map(|(_, names)| names.split_whitespace()) {
                assert!(!seen.contains(&name), "{name} is listed twice");
                seen.push(name);
            }
        }
    }

    #[test]
    fn the_documented_names_are_those_of_the_code() {
        let formats = fs::read_to_string("../docs/formats.md").expect("docs");
        for (role, names) in [NAMES, ENDS, BELOW].into_iter().flatten() {
            for name in names.split_whitespace() {
                let is_there = formats.contains(&format!("`{name}`"));
                assert!(is_there, "docs/formats.md lacks {name} of {}", role.key());
            }
        }
    }
}
