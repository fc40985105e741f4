//! What a run is: configuration, metrics, series, samples, data files, and where each figure stood.
//!
//! Plain data. Knows no file formats, no arms and no statistics.

mod access;
mod axes;
mod checkpoint;
mod command;
mod config;
mod counted;
mod data_file;
mod declared_reader;
mod dims;
mod escapes;
mod generation;
mod keys;
mod layout;
pub mod logs;
mod margin;
mod metric;
mod metric_catalogue;
mod metric_names;
mod named_places;
mod packed;
mod row_keys;
mod run;
mod same_share;
mod samples;
mod scalar;
mod score_words;
mod secret;
mod series;
mod source;
mod written_config;

pub use access::{Access, Limits};
pub use axes::{CHECKPOINT_DIMS, announces_training, axis_of_curve, axis_of_key, axis_of_word};
pub use checkpoint::{
    AdapterConfig, Checkpoint, CheckpointFile, Damage, Document, GenerationConfig, ModelConfig,
    OddTensor, SINGLE_FILE, Shard, ShardHeader, Tensor, TokenizerConfig, Vocabulary, WeightIndex,
    WeightScan, is_adapter,
};
pub use command::{EvalCommand, shell_word};
pub use config::{Config, ConfigEntry, ConfigValue};
pub use counted::{
    COUNTED_VERSION, ClusterClass, ClusterTotals, CountedArm, CountedGroup, CountedIds,
    CountedPairs, CountedPlan, CountedScores, CountedSource, MetricKind, PairStatus, PlannedMetric,
    SUMMED_STEPS, ScoreRange, ScoreState, ScoreSums,
};
pub use data_file::{
    ColumnProfile, ColumnSummary, DataContent, DataFile, DataOrigin, DataRole, Duplicates, Queries,
    lies_elsewhere,
};
pub use declared_reader::{DeclaredReader, NotAReader, RecordForm, RecordPlaces, SuggestedReader};
pub use dims::{DimValue, Dims};
pub use escapes::skip_escape;
pub use generation::{Generation, Generations};
pub use keys::{TRAINING_SETTINGS, leaf, plain, word_of_setting};
pub use layout::{Asked, DATASET_AXIS, Layout, NotALayout, Prose};
pub use margin::Margin;
pub use metric::{
    Direction, GivenRole, MetricRole, MetricSpec, RoleOrigin, SpecOrigin, with_rounding,
};
pub use metric_catalogue::KnownMetric;
pub use metric_names::{MetricNames, NotMetricNames};
pub use named_places::{add_places, bare_size, places_in_name, places_of_name};
pub use row_keys::{IdKey, IdStrength, RowKey, RowKeys, TextKey};
pub use run::{
    FileRecord, FileUse, Fragment, FragmentPart, LABEL_MARK, Planned, Progress, Provenance, Run,
    RunEnding, RunLabel, RunStatus, Selection, StoredRun, TIME_KEYS,
};
pub use samples::{
    AnswerMatch, Answers, Clustering, Column, ContentHash, ContentHashes, ERROR_TYPES, Ending,
    HashWidth, KindClass, SampleRow, SampleStatus, SampleTable, SampleTableBuilder, SharedKey,
    SharedPart, WithinProblems, attempts_from,
};
pub use scalar::{ANSWERS_EACH, Absence, Measured, Scalar};
pub use score_words::SCORE_WORDS;
pub use secret::{Masked, is_secret, names_secret, without_evident_secrets, without_secrets};
pub use series::{Point, Series, evaluation_word, is_reward, is_same_figure, is_share};
pub use source::{ENDS_WITH_COMMANDS, Source};
