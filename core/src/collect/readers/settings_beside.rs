//! Names of settings that stand beside figures.

use super::super::FileEntry;

/// Settings that producers write among their results, as the roles of configuration keys know
/// them. Other texts beside figures are as often remarks as settings.
const SETTINGS: &[&str] = &[
    "judge_prompt",
    "autorater",
    "metric_version",
    "normalize_answer",
    "split",
    "subset",
    "eval_split",
    "dataset_split",
    "dataset_subset",
    "dataset_config",
    "dataset_revision",
    "benchmark_version",
    "data_revision",
    "limit",
    "prompt",
    "prompt_name",
    "prompt_id",
    "template",
    "instruction",
    "system_prompt",
    "system_message",
    "system_instruction",
    "chat_template",
    "apply_chat_template",
    "cot",
    "thinking",
    "num_fewshot",
    "num_few_shot",
    "num_shots",
    "n_shot",
    "n_shots",
    "fewshot",
    "few_shot",
    "k_shot",
    "shots",
    "do_sample",
    "num_beams",
    "presence_penalty",
    "frequency_penalty",
    "model",
    "model_name",
    "model_id",
    "model_path",
    "model_name_or_path",
    "base_model",
    "checkpoint",
    "checkpoint_path",
    "weights",
    "setting",
    "eval_file",
    "eval_data",
    "test_file",
    "test_data",
    "test_set",
    "adapter",
    "lora_path",
    "tokenizer",
    "torch_dtype",
    "precision",
    "load_in_4bit",
    "load_in_8bit",
    "seed",
];
/// Settings of an evaluation, which stand beside its figures as in its records.
pub(super) const EVALUATION_SETTINGS: &[&str] = &[
    "judge",
    "judge_model",
    "judge_name",
    "judge_version",
    "grader",
    "grader_model",
    "scorer",
    "scorer_version",
    "dataset_version",
    "prompt_template",
    "prompt_version",
    "prompt_format",
    "enable_thinking",
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "max_tokens",
    "max_new_tokens",
    "max_gen_toks",
    "max_completion_tokens",
    "max_output_tokens",
    "repetition_penalty",
    "reasoning_effort",
    "thinking_budget",
    "best_of",
    "model_revision",
    "model_version",
    "dtype",
    "quantization",
];
/// Settings at the top of a document of final figures, where a number is none of them.
const SETTINGS_OF_DOCUMENTS: &[&str] = &[
    "lr",
    "learning_rate",
    "batch_size",
    "beta",
    "kl_beta",
    "kl_coef",
    "init_kl_coef",
    "num_epochs",
    "num_train_epochs",
    "train_epochs",
    "stage",
    "phase",
    "difficulty",
    "level",
    "category",
    "lang",
    "language",
    "version",
];
/// Further settings in tables.
const SETTINGS_OF_TABLES: &[&str] = &[
    "epochs",
    "max_steps",
    "max_train_steps",
    "num_train_epoch",
    "training_epochs",
    "optimizer",
    "optim",
    "scheduler",
    "lr_scheduler",
    "warmup",
    "warmup_steps",
    "dropout",
    "hidden_size",
    "max_len",
    "max_length",
    "max_seq_len",
    "max_seq_length",
    "seq_len",
    "sequence_length",
    "context",
    "context_len",
    "context_length",
    "context_window",
    "n_ctx",
    "beam",
    "beam_size",
    "train_samples",
    "num_train_samples",
    "training_data",
    "train_data",
    "attention",
    "attn_implementation",
    "framework",
    "engine",
    "backend",
    "inference_engine",
    "quant",
    "thinking",
    "base_model",
    "eval_version",
    "harness_version",
    "evaluator",
    "decoding",
    "decoding_strategy",
    "train_set",
    "test_set_version",
    "lora_r",
    "lora_rank",
    "lora_alpha",
    "rank",
    "train_size",
    "warmup_ratio",
    "weight_decay",
    "gradient_accumulation_steps",
    "num_generations",
    "clip_range",
    "gamma",
];
/// Further settings in what programs print as they start.
const OF_TRAININGS: &[&str] = &[
    "total_train_batch_size",
    "train_batch_size",
    "per_device_train_batch_size",
    "total_batch_size",
    "grad_accum_steps",
    "lr_scheduler_type",
    "loss_type",
    "reward_fn",
    "group_size",
    "use_kl",
];
/// The last figures of a run of W&B; names that begin with `_` are of the tracker.
pub(in crate::collect) const OF_WANDB: &str = "wandb-summary.json";
/// Tables of settings: of the whole run, and of one part, whose keys keep its name.
pub(super) const BLOCKS: &[&str] = &[
    "config",
    "configuration",
    "args",
    "arguments",
    "params",
    "settings",
    "metadata",
    "meta",
    "hyperparameters",
];
pub(super) const NAMED_BLOCKS: &[&str] =
    &["gen_kwargs", "generation_config", "generation_kwargs", "sampling_params", "judge_config"];

pub(super) fn is_setting_field(name: &str) -> bool {
    SETTINGS.contains(&name) || EVALUATION_SETTINGS.contains(&name)
}

/// Whether a setting of that name, without others around it, decides results: what names models may be of
/// another program, and so may its seed.
pub(in crate::collect) fn decides_results(name: &str) -> bool {
    const OF_ANY_PROGRAM: &[&str] =
        &["model", "tokenizer", "checkpoint", "weights", "seed", "adapter", "dtype"];
    let is_of_any = OF_ANY_PROGRAM.iter().any(|known| name.contains(known));
    let decides =
        || is_setting_field(name) || is_setting_of_rows(name) || OF_TRAININGS.contains(&name);
    !is_of_any && decides()
}

/// Whether a column of a table of several runs is a setting, whose number is no figure.
pub(super) fn is_setting_of_table(name: &str) -> bool {
    SETTINGS_OF_DOCUMENTS.contains(&name) || SETTINGS_OF_TABLES.contains(&name)
}

/// Names of settings that tables as often have for something else.
const AMBIGUOUS: &[&str] = &[
    "rank",
    "gamma",
    "stage",
    "phase",
    "difficulty",
    "level",
    "category",
    "lang",
    "language",
    "version",
];

/// Whether a column of any table is a setting of how a model was trained or asked.
pub(super) fn is_setting_of_rows(name: &str) -> bool {
    is_setting_of_table(name) && !AMBIGUOUS.contains(&name)
}

/// Whether a field at the top of a document of final figures is a setting, whose number is none of them. A
/// tracker sums up what was logged, the learning rate of the last step among it.
pub(super) fn is_setting_of_document(name: &str, file: &FileEntry) -> bool {
    SETTINGS_OF_DOCUMENTS.contains(&name) && file.name != OF_WANDB
}
