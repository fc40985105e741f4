//! Names of configuration keys by what they are for. Words are separated by blanks; each key is
//! written as `spelling::plain` writes it.

/// What a key is for. Ordered as reports show them: what makes scores incomparable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigRole {
    /// The model or prompt that judges answers.
    Judge,
    /// How answers are scored without a judge.
    Scorer,
    /// What is asked: subset, split, revision, limit.
    Dataset,
    /// Templates, system prompts, delimiters.
    Prompt,
    /// Examples in the prompt.
    FewShot,
    /// How answers are drawn from the model.
    Decoding,
    /// The model that is evaluated, or that training starts from.
    Model,
    TrainingData,
    Training,
    Seed,
    /// Numeric formats, quantisation, kernels.
    Precision,
    Code,
    /// Versions of libraries, and the backend.
    Library,
    /// Machines and how work is laid out on them.
    Hardware,
    /// A key that no list names.
    Other,
}

impl ConfigRole {
    /// The catalogue key of its words, and its name in `report.json`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Scorer => "scorer",
            Self::Dataset => "dataset",
            Self::Prompt => "prompt",
            Self::FewShot => "few-shot",
            Self::Decoding => "decoding",
            Self::Model => "model",
            Self::TrainingData => "training-data",
            Self::Training => "training",
            Self::Seed => "seed",
            Self::Precision => "precision",
            Self::Code => "code",
            Self::Library => "library",
            Self::Hardware => "hardware",
            Self::Other => "other",
        }
    }

    /// Whether somebody compares runs in order to see what this changes. A judge or a subset that
    /// differs alone is more often a mistake than a question; another prompt asks another question,
    /// and whoever means that can say so.
    pub fn is_asked_about(self) -> bool {
        !matches!(
            self,
            Self::Judge
                | Self::Scorer
                | Self::Dataset
                | Self::Prompt
                | Self::FewShot
                | Self::Seed
                | Self::Code
                | Self::Library
                | Self::Hardware
        )
    }

    /// Whether a difference makes two scores values of two things.
    pub fn decides_scores(self) -> bool {
        matches!(
            self,
            Self::Judge | Self::Scorer | Self::Dataset | Self::Prompt | Self::FewShot | Self::Model
        )
    }

    /// Whether it belongs to where and with what something ran, and so differs beside a factor
    /// without being another one.
    pub fn is_circumstance(self) -> bool {
        matches!(self, Self::Code | Self::Library | Self::Hardware)
    }
}

/// Last components by role. Documented in `docs/formats.md`.
pub(super) const NAMES: &[(ConfigRole, &str)] = &[
    (
        ConfigRole::Scorer,
        "answer_extraction answer_regex exact_match_type extract_answer extraction extractor filter \
         grading metric_type metric_version normalize normalize_answer normalize_answers output_type \
         process_results regex_pattern score_on_error scorer scorer_version scoring test_timeout",
    ),
    (
        ConfigRole::Dataset,
        "benchmark benchmark_version custom_dataset data_revision data_split dataset_config \
         dataset_revision dataset_split dataset_subset dataset_version env env_id \
         env_name eval_data eval_dataset eval_env eval_file eval_files eval_set eval_split eval_subset \
         fewshot_split limit max_eval_samples max_examples max_test_samples num_examples num_questions \
         process_docs sample_id split split_seed start_index subset task task_hash tasks test_data test_file \
         test_files test_set test_split val_file val_files val_set validation_file validation_set \
         validation_split",
    ),
    (
        ConfigRole::Prompt,
        "apply_chat_template chat_template chat_template_sha cot custom_chat_template \
         doc_to_choice doc_to_target doc_to_text enable_thinking fewshot_as_multiturn \
         fewshot_delimiter gen_prefix instruction prompt prompt_file prompt_format \
         prompt_id prompt_name prompt_path prompt_template prompt_version \
         system_instruction system_instruction_sha system_message system_prompt \
         target_delimiter template thinking use_chat_template use_prompt",
    ),
    (
        ConfigRole::FewShot,
        "few_shot fewshot fewshot_seed k_shot n_shot n_shots num_few_shot num_fewshot \
         num_shots shot shots",
    ),
    (
        ConfigRole::Decoding,
        "beam_size best_of do_sample frequency_penalty length_penalty max_completion_tokens \
         max_gen_toks max_new_tokens max_output_tokens max_tokens min_new_tokens min_p \
         min_tokens n_samples_per_prompt no_repeat_ngram_size num_beams num_generations \
         num_retries num_return_sequences presence_penalty reasoning_effort repeats repetition_penalty \
         stop stop_sequences stop_strings stop_token_ids temperature thinking_budget top_k \
         top_p typical_p until",
    ),
    (
        ConfigRole::Model,
        "adapter adapter_path base_checkpoint base_model checkpoint checkpoint_path \
         init_checkpoint init_from lora_path model model_deployment model_dir model_id model_name \
         model_name_or_path model_name_sanitized model_num_parameters model_path \
         model_revision model_sha model_version peft pretrain pretrained pretrained_model \
         resume resume_from resume_from_checkpoint resume_from_path tokenizer \
         tokenizer_path weights",
    ),
    (
        ConfigRole::TrainingData,
        "data_mix prompt_data rl_data sft_data train_data train_dataset train_file \
         train_files training_data",
    ),
    (
        ConfigRole::Training,
        "adam_beta1 adam_beta2 adam_epsilon batch_size beta betas clip_ratio data_sampler \
         dropout effective_batch_size entropy_coeff epochs gamma global_batch_size \
         grad_clip gradient_accumulation_steps init_kl_coef kl_beta kl_coef kl_loss_coef \
         lam learning_rate lora_alpha lora_dropout lora_r lora_rank lr lr_scheduler \
         lr_scheduler_type max_epochs max_grad_norm max_seq_length max_steps \
         mini_batch_size momentum num_epochs num_train_epochs optim optimizer packing \
         per_device_train_batch_size ppo_epochs ppo_mini_batch_size reward reward_fn \
         reward_model rollout_batch_size scheduler total_epochs train_batch_size warmup \
         warmup_ratio warmup_steps weight_decay",
    ),
    (
        ConfigRole::Precision,
        "amp attn_implementation bf16 bits compute_dtype dtype enforce_eager \
         flash_attention flash_attn fp16 fp8 kv_cache_dtype load_in_4bit load_in_8bit \
         mixed_precision model_dtype precision quantization tf32 torch_compile torch_dtype \
         use_flash_attention use_flash_attn",
    ),
    (
        ConfigRole::Code,
        "code_commit code_dirty code_version commit commit_hash commit_id commit_sha dirty \
         git_commit git_diff git_dirty git_hash git_sha is_dirty uncommitted_changes",
    ),
    (
        ConfigRole::Library,
        "accelerate_version backend cuda_version datasets_version deepspeed_version \
         flash_attn_version framework_version harness harness_version inference_engine \
         library_version lm_eval_version model_source openai_version peft_version \
         python_version sglang_version tokenizers_version torch_version \
         transformers_version trl_version verl_version vllm_version",
    ),
    (
        ConfigRole::Hardware,
        "accelerator auto_find_batch_size concurrency cpu cpu_count device device_map \
         eval_batch_size free_cache_engine gpu gpu_count gpu_memory_utilization gpu_name \
         gpu_type gpus gradient_checkpointing max_concurrent max_num_batched_tokens \
         max_num_seqs n_gpu n_gpus n_jobs nnodes no_cuda num_concurrent num_devices num_gpus \
         num_machines num_nodes num_processes num_threads omp_num_threads \
         per_device_eval_batch_size threads tp_size use_cpu val_batch_size \
         vllm_num_engines world_size zero_stage",
    ),
];

/// Ends of last components by role, for keys that write out what they belong to.
pub(super) const ENDS: &[(ConfigRole, &str)] = &[
    (
        ConfigRole::Hardware,
        "_gpus_per_node _memory_utilization _num_nodes _offload _parallel_size _per_gpu \
         micro_batch_size micro_rollout_batch_size micro_train_batch_size",
    ),
    (
        ConfigRole::Dataset,
        "eval_data_path eval_jsonl test_data_path test_jsonl val_data val_data_path val_jsonl",
    ),
    (ConfigRole::TrainingData, "_data _data_file _data_path _jsonl rl_file"),
    (ConfigRole::Training, "_kl_coef _learning_rate _lr _mini_batch_size _train_epochs"),
    (ConfigRole::Prompt, "_chat_template _prompt_template _system_prompt"),
];

/// Components below which a key that no list names has a role.
pub(super) const BELOW: &[(ConfigRole, &str)] = &[
    (
        ConfigRole::Scorer,
        "evaluator filter filter_list metric metric_list metrics scorer scorers scoring",
    ),
    (ConfigRole::Dataset, "dataset_kwargs eval_data eval_dataset test_data"),
    (ConfigRole::Prompt, "chat_template_kwargs prompt prompts"),
    (ConfigRole::FewShot, "few_shot fewshot fewshot_config"),
    (
        ConfigRole::Decoding,
        "decoding gen_kwargs generate_config generation generation_config generation_kwargs \
         model_generate_config sampling sampling_params val_kwargs",
    ),
    (ConfigRole::Precision, "bnb_config quantization quantization_config"),
    (ConfigRole::Code, "code git vcs"),
    (ConfigRole::Library, "dependencies libraries packages versions"),
    (ConfigRole::Hardware, "accelerator fsdp fsdp_config gpu hardware"),
    (
        ConfigRole::Training,
        "actor algorithm critic lora optim optimizer peft_config policy_loss ref reward \
         reward_model rollout scheduler",
    ),
    (ConfigRole::Model, "model"),
    (ConfigRole::TrainingData, "train_data train_dataset"),
];
