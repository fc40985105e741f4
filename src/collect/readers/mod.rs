//! One file per on-disk format, and the list of them.

mod beside;
mod best_checkpoint;
mod config;
mod coordinates;
mod figures;
mod grid_csv;
mod grid_json;
mod lm_eval_results;
mod metrics_json;
mod points;
mod run_endings;
mod run_status;
mod sample_ids;
pub(super) mod samples;
pub mod samples_csv;
pub mod samples_json;
pub mod samples_jsonl;
pub mod samples_parquet;
mod series_csv;
mod series_json;
mod series_jsonl;
mod spreads;
mod summary_json;
mod trainer_state;

pub(super) use best_checkpoint::NAME as BEST_CHECKPOINT;
pub(super) use config::NAME as CONFIG;
pub(super) use lm_eval_results::NAME as LM_EVAL;
pub(super) use points::axis_of_record;
pub(super) use trainer_state::superseded_states;

pub(super) use sample_ids::{is_name as names_sample, rank as sample_id_rank};

use super::Reader;

/// Every reader; the first that recognises a file reads it.
pub static READERS: &[&dyn Reader] = &[
    &lm_eval_results::LmEvalResults,
    &grid_json::GridJson,
    &trainer_state::TrainerState,
    &run_status::RunStatus,
    &best_checkpoint::BestCheckpoint,
    &summary_json::SummaryJson,
    &series_json::SeriesJson,
    &samples_parquet::SamplesParquet,
    &samples_json::SamplesJson,
    &samples_jsonl::SamplesJsonl,
    &samples_csv::SamplesCsv,
    &metrics_json::MetricsJson,
    &config::ConfigFile,
    &grid_csv::GridCsv,
    &series_csv::SeriesCsv,
    &series_jsonl::SeriesJsonl,
];
