//! One file per on-disk format, and the list of them.

mod alpaca_eval_csv;
mod baseline;
mod beside_figures;
mod best_checkpoint;
mod chinese_heads;
mod column_roles;
mod column_units;
mod commands_in_force;
mod companions;
mod config;
mod config_dump;
mod coordinates;
mod curve_columns;
mod declared;
pub mod deepeval;
mod deviations;
mod episodes;
pub mod evalplus;
mod figure;
mod figure_names;
mod file_figures;
mod frames;
mod grid_csv;
mod grid_json;
mod grid_sheet;
mod heads;
mod helm;
mod inspect_archive;
pub mod inspect_json;
mod intervals;
pub mod lighteval;
mod line_figures;
mod line_shape;
mod lm_eval_results;
mod log_commands;
mod log_rows;
mod log_sections;
mod markdown_table;
mod mentioned_settings;
mod metrics_json;
mod mlflow;
mod mlflow_sqlite;
mod monitor_csv;
mod mteb;
mod opencompass_csv;
mod ordered_records;
mod plain_record;
mod points;
pub mod promptfoo;
mod python_values;
mod record_places;
mod row_runs;
mod row_settings;
mod run_endings;
mod run_status;
mod sacred_results;
mod sample_columns;
mod sample_ids;
pub(super) mod samples;
pub mod samples_csv;
pub mod samples_json;
pub mod samples_jsonl;
pub mod samples_parquet;
mod sb3_evaluations;
mod series_csv;
mod series_json;
mod series_jsonl;
mod series_log;
mod settings_beside;
mod shown_samples;
mod spreads;
mod stated_answers;
mod step_parts;
mod suggested;
mod summary_json;
mod swebench;
mod tensorboard;
mod trainer_state;
mod wandb;
mod wide;
mod written_settings;

pub(super) use best_checkpoint::NAME as BEST_CHECKPOINT;
pub(super) use config::NAME as CONFIG;
pub(super) use config_dump::NAME as CONFIG_DUMP;
pub(super) use declared::{READER as DECLARED, is_declared, unused};
pub(super) use helm::SETTINGS_NAME as HELM_SETTINGS;
pub(super) use inspect_json::NAME as INSPECT;
pub(super) use lighteval::{DETAILS_NAME as LIGHTEVAL_DETAILS, NAME as LIGHTEVAL};
pub(super) use lm_eval_results::NAME as LM_EVAL;
pub(super) use mlflow::{NAME as MLFLOW, describes_run, tracked_run};
pub(super) use mlflow_sqlite::{NAME as MLFLOW_SQLITE, may_hold_runs, names_of_runs};
pub(super) use monitor_csv::NAME as MONITOR;
pub(super) use points::axis_of_record;
pub(super) use record_places::list_under;
pub use sample_columns::{
    SampleColumn, SampleColumnRole, SampleColumns, SeenValues, sample_columns, tell_of_datasets,
};
pub(super) use series_log::NAME as SERIES_LOG;
pub(super) use settings_beside::{OF_WANDB, decides_results};
pub(super) use suggested::suggested;
pub(super) use tensorboard::NAME as TENSORBOARD;
pub(super) use trainer_state::{NAME as TRAINER_STATE, logged_trainings, superseded_states};
pub(super) use wandb::{NAME as WANDB, last_tables};

pub(super) use sample_ids::{is_name as names_sample, rank as sample_id_rank};

use super::{FileEntry, ReadOptions, Reader};

/// Readers of texts in which figures may come anywhere.
pub(super) const OF_PROSE: [&str; 2] = [SERIES_LOG, markdown_table::NAME];

/// Whether a file holds samples whose scores are those that the user declares.
type HoldsSamples = fn(&FileEntry, &ReadOptions) -> bool;

/// Readers of one record after another, each a sample.
const OF_RECORDS: [(&str, HoldsSamples); 4] = [
    (samples_parquet::READER.name, samples_parquet::holds_samples),
    (samples_json::READER.name, samples_json::holds_samples),
    (samples_jsonl::READER.name, samples_jsonl::holds_samples),
    (samples_csv::READER.name, samples_csv::holds_samples),
];

/// Whether what a reader reads are records, each a sample.
pub(super) fn reads_records(reader: &Reader) -> bool {
    OF_RECORDS.iter().any(|(name, _)| *name == reader.name)
}

/// The reader of samples whose only scores are fields that the user declares as metrics and that
/// elsewhere mean something else.
pub(super) fn of_declared_scores(
    file: &FileEntry,
    options: &ReadOptions,
) -> Option<&'static Reader> {
    options.names.declared().next()?;
    let holds = |reader: &&Reader| {
        OF_RECORDS.iter().any(|(name, holds)| *name == reader.name && holds(file, options))
    };
    READERS.iter().find(holds)
}

/// Every reader; the first that recognises a file reads it.
pub static READERS: &[Reader] = &[
    mlflow::READER,
    mlflow_sqlite::READER,
    tensorboard::READER,
    wandb::READER,
    wandb::METADATA,
    sb3_evaluations::READER,
    swebench::READER,
    evalplus::READER,
    helm::FIGURES,
    helm::INSTANCES,
    helm::SETTINGS,
    mteb::RESULTS,
    mteb::MODEL,
    mteb::SETTINGS,
    inspect_json::READER,
    baseline::READER,
    promptfoo::READER,
    deepeval::READER,
    lighteval::READER,
    lighteval::DETAILS,
    lm_eval_results::READER,
    grid_json::READER,
    trainer_state::READER,
    run_status::READER,
    best_checkpoint::READER,
    summary_json::READER,
    series_json::READER,
    samples_parquet::READER,
    samples_json::READER,
    samples_jsonl::READER,
    samples_csv::READER,
    grid_csv::RECORDS,
    metrics_json::READER,
    config::READER,
    opencompass_csv::READER,
    alpaca_eval_csv::READER,
    grid_csv::READER,
    monitor_csv::READER,
    series_csv::READER,
    markdown_table::READER,
    series_jsonl::READER,
    series_log::READER,
    config_dump::READER,
];
