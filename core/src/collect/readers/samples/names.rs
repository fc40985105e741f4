//! Names of fields of sample records, by what they mean.
//!
//! Knows names only; what is done with a field is not said here.

use super::super::settings_beside::EVALUATION_SETTINGS;
use crate::model::{MetricNames, MetricRole, MetricSpec, TRAINING_SETTINGS};

pub(super) const DATASETS: [&str; 4] = ["dataset", "benchmark", "task_name", "task"];
/// Those from [`FURTHER_PROMPTS`] on are prompts only as texts or as messages, and those from
/// [`WEAK_PROMPTS`] on only in records that hold the answer of the model in another field.
pub(crate) const PROMPTS: [&str; 20] = [
    "prompt",
    "question",
    "input",
    "query",
    "problem",
    "messages",
    "conversations",
    "conversation",
    "full_prompt",
    "user_prompt",
    "user_input",
    "problem_statement",
    "instruction",
    "input_text",
    "inputs",
    "request",
    "passage",
    "premise",
    "context",
    "text",
];
/// Those of [`PROMPTS`] that hold the bare question, whatever another holds of it.
pub(super) const QUESTIONS: [&str; 4] = ["question", "query", "problem", "problem_statement"];
pub(super) const FURTHER_PROMPTS: u8 = 5;
pub(crate) const WEAK_PROMPTS: u8 = 19;
/// Those from [`WEAK_TARGETS`] on often hold what the model said.
pub(crate) const WEAK_TARGETS: u8 = 21;
pub(crate) const TARGETS: [&str; 26] = [
    "target",
    "reference",
    "gold",
    "expected",
    "expected_answer",
    "ground_truth",
    "reference_answer",
    "gold_answer",
    "gold_label",
    "correct_answer",
    "answer_key",
    "expected_output",
    "ideal",
    "gt",
    "y_true",
    "references",
    "answerKey",
    "correctAnswer",
    "golden_answer",
    "gold_answers",
    "test_list",
    "answer",
    "label",
    "labels",
    "solution",
    "options",
];
pub(crate) const DOCUMENTS: [&str; 2] = ["doc", "document"];
/// Those of [`RESPONSES`] from which on several are listed.
pub(super) const SEVERAL_RESPONSES: u8 = 10;
/// Lists of the outcomes of several answers to one problem.
pub(super) const OUTCOMES: [&str; 8] = [
    "attempt_results",
    "correct_list",
    "outcomes",
    "passes",
    "results",
    "rollouts",
    "successes",
    "trial_results",
];
/// What the model wrote, whole.
pub(crate) const RESPONSES: [&str; 14] = [
    "response",
    "resps",
    "output",
    "completion",
    "generation",
    "generated_text",
    "raw_response",
    "raw_output",
    "model_response",
    "model_output",
    "responses",
    "outputs",
    "completions",
    "generations",
];
/// What was taken from it as the answer.
pub(crate) const ANSWERS: [&str; 3] = ["filtered_resps", "extracted_answer", "parsed_answer"];
pub(super) const MODELS: [&str; 2] = ["model", "model_name"];
/// Columns that tell several runs in one file apart, where ids are repeated; what says more stands
/// first.
pub(in crate::collect::readers) const RUN_COLUMNS: [&str; 26] = [
    "model",
    "model_id",
    "model_name",
    "system",
    "arm",
    "variant",
    "experiment",
    "condition",
    "method",
    "judge",
    "judge_model",
    "prompt_version",
    "ckpt",
    "fold",
    "cv_fold",
    "seed",
    "model_seed",
    "train_seed",
    "training_seed",
    "run_seed",
    "replica",
    "replicate",
    "training_run",
    "run",
    "run_id",
    "run_name",
];
/// Settings that records repeat, beside those of an evaluation. Those that are no [`RUN_COLUMNS`] tell no runs apart.
const SETTINGS: [&str; 14] = [
    "judge_prompt_version",
    "judge_temperature",
    "grader_version",
    "prompt_template_version",
    "num_generations",
    "num_return_sequences",
    "num_tries",
    "num_votes",
    "num_choices",
    "aggregation",
    "metric_name",
    "time_limit",
    "fallback_model",
    "normalization",
];
/// Words in names of fields that hold what came out, or say where, when and by whom.
pub(super) const OF_OUTCOMES: &[&str] = &[
    "analysis",
    "answer",
    "answers",
    "comment",
    "comments",
    "commit",
    "completion",
    "confidence",
    "cost",
    "cot",
    "date",
    "device",
    "duration",
    "error",
    "explanation",
    "extracted",
    "feedback",
    "file",
    "generated",
    "generation",
    "grade",
    "hash",
    "host",
    "judge",
    "judgement",
    "judgment",
    "label",
    "log",
    "logprobs",
    "model",
    "note",
    "notes",
    "org",
    "output",
    "outputs",
    "parsed",
    "pred",
    "predicted",
    "prediction",
    "raw",
    "rationale",
    "reason",
    "reasoning",
    "response",
    "responses",
    "result",
    "results",
    "run",
    "score",
    "scores",
    "seed",
    "status",
    "steps",
    "think",
    "thinking",
    "thought",
    "thoughts",
    "time",
    "timestamp",
    "tokens",
    "trace",
    "trajectory",
    "usage",
    "verdict",
    "version",
    "worker",
];

/// Names of the number of an answer among those to one problem.
pub(in crate::collect::readers) const ANSWER_NUMBERS: [&str; 8] = [
    "sample_index",
    "sample_idx",
    "answer_index",
    "generation_index",
    "attempt",
    "trial",
    "repeat",
    "rollout",
];
/// Those of [`RUN_COLUMNS`] that name models.
pub(super) const MODEL_COLUMNS: [&str; 3] = ["model", "model_id", "model_name"];
/// Those that name runs and say nothing of what was done.
pub(super) const RUN_NAMES: [&str; 4] = ["training_run", "run", "run_id", "run_name"];
/// What by its name is the stimulus that several samples are about.
pub(super) const CLUSTERS: [&str; 37] = [
    "cluster",
    "cluster_id",
    "passage_id",
    "image_id",
    "repo",
    "template_id",
    "family",
    "passage",
    "context",
    "context_id",
    "image",
    "image_path",
    "article",
    "article_id",
    "db",
    "db_id",
    "database_id",
    "video",
    "video_id",
    "audio_id",
    "conversation",
    "conversation_id",
    "dialogue",
    "dialogue_id",
    "dialog_id",
    "repository",
    "repo_name",
    "story",
    "story_id",
    "table",
    "table_id",
    "template",
    "paragraph",
    "paragraph_id",
    "document_id",
    "scene_id",
    "user_id",
];
/// What may say so, of columns that are not read for anything else where reading costs much.
pub(super) const MAY_BE_SHARED: [&str; 14] = [
    "topic",
    "source",
    "url",
    "file",
    "filename",
    "file_name",
    "subject",
    "category",
    "language",
    "domain",
    "episode",
    "doc_id",
    "group",
    "page",
];

/// Scores that may also be written as a text or turn out to be no single number.
const SCORES: [&str; 4] = ["score", "reward", "pass", "success"];

/// Numbers that are no scores: coordinates, sizes, settings, and answers that happen to be numbers.
const NOT_SCORES: [&str; 62] = [
    "ckpt",
    "fold",
    "run",
    "arm",
    "variant",
    "experiment",
    "condition",
    "method",
    "timestamp",
    "time",
    "ts",
    "date",
    "datetime",
    "created",
    "created_at",
    "updated_at",
    "global_step",
    "iteration",
    "round",
    "turn",
    "turns",
    "attempt",
    "attempts",
    "trial",
    "repeat",
    "rank",
    "worker",
    "gpu",
    "line",
    "row",
    "offset",
    "start",
    "end",
    "position",
    "length",
    "len",
    "size",
    "level",
    "difficulty",
    "year",
    "version",
    "prediction",
    "pred",
    "predicted",
    "response",
    "output",
    "completion",
    "generation",
    "choice",
    "options",
    "gold_index",
    "answer",
    "label",
    "group",
    "sample",
    "sample_index",
    "sample_idx",
    "try",
    "rollout",
    "tokens",
    "page",
    "n",
];
const NOT_SCORE_ENDINGS: [&str; 15] = [
    "_id",
    "_ids",
    "_idx",
    "_index",
    "_hash",
    "_timestamp",
    "_at",
    "_len",
    "_length",
    "_seed",
    "_size",
    "_count",
    "_tokens",
    "_version",
    "_label",
];
const NOT_SCORE_BEGINNINGS: [&str; 3] = ["num_", "n_", "max_"];

/// Whether a field of that name is a score, whatever stands in it.
pub(crate) fn is_known_score(name: &str, names: &MetricNames) -> bool {
    let is_result =
        |spec: MetricSpec| spec.role.is_none_or(|given| given.role != MetricRole::Bookkeeping);
    SCORES.contains(&name) || names.get(name).is_some_and(is_result)
}

/// Whether a field of that name repeats a setting of the run.
pub(super) fn is_setting(name: &str) -> bool {
    [&SETTINGS[..], EVALUATION_SETTINGS, TRAINING_SETTINGS].iter().any(|all| all.contains(&name))
}

/// Whether a number under that name is no score.
pub(super) fn is_no_score(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NOT_SCORES.contains(&name.as_str())
        || is_setting(&name)
        || NOT_SCORE_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || NOT_SCORE_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}
