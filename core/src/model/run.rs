//! One run and what was found of it on disk.

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

use crate::diag::Diagnostic;

use super::{
    Config, ConfigValue, CountedArm, DataFile, MetricSpec, RowKeys, SampleTable, Scalar, Series,
    Source, packed,
};

/// How a run ended, as far as its files tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    #[default]
    Complete,
    /// A file ends in the middle of a record.
    Torn,
    /// Something could not be read.
    Partial,
}

/// Where a run came from, as far as its files tell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    pub commit: Option<String>,
    pub started: Option<String>,
    pub ended: Option<String>,
    pub model: Option<String>,
    pub harness: Option<String>,
    pub harness_version: Option<String>,
}

/// Keys of a configuration that say when a run began, and when it ended.
pub const TIME_KEYS: [&[&str]; 2] =
    [&["start_time", "started_at"], &["end_time", "stop_time", "finished_at"]];

impl Provenance {
    /// Takes what `other` knows and this one does not.
    pub fn merge(&mut self, other: Self) {
        let Self { commit, started, ended, model, harness, harness_version } = other;
        self.commit = self.commit.take().or(commit);
        self.started = self.started.take().or(started);
        self.ended = self.ended.take().or(ended);
        self.model = self.model.take().or(model);
        self.harness = self.harness.take().or(harness);
        self.harness_version = self.harness_version.take().or(harness_version);
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileUse {
    Read {
        reader: &'static str,
    },
    /// Not read, and why: a catalogue key such as `ignored.unknown`.
    Ignored {
        reason: &'static str,
    },
    /// Could not be read; a diagnostic says why.
    Failed,
}

impl FileUse {
    /// That of a file which the run names as data.
    pub const DATA: Self = Self::Read { reader: "data-file" };
    /// That of a file which looks like data and which no reader takes.
    pub const UNRECOGNISED: Self = Self::Ignored { reason: "ignored.unrecognised" };
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRecord {
    /// Path below the run, with `/`.
    pub relative: String,
    pub bytes: u64,
    pub used: FileUse,
}

impl FileRecord {
    /// The run itself, where it is a directory of which a part is not known.
    pub const ROOT: &'static str = ".";

    /// Whether it is the file at a path that ends below the run.
    pub fn lies_at(&self, path: &str) -> bool {
        let above = path.strip_suffix(&self.relative);
        above.is_some_and(|above| above.is_empty() || above.ends_with('/'))
    }

    /// Whether it should have been read and was not, wholly or in part: what it holds is not known.
    pub fn is_unread(&self) -> bool {
        let too_large = FileUse::Ignored { reason: "ignored.too-large" };
        self.used == FileUse::Failed || self.used == too_large
    }

    /// Whether a reader took figures, settings or samples from it.
    pub fn is_read(&self) -> bool {
        matches!(self.used, FileUse::Read { .. }) && self.used != FileUse::DATA
    }
}

/// How many samples of a dataset a run set out to score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    pub samples: u64,
    pub source: Source,
}

/// How far a training came, by its own state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Optimiser steps made.
    pub reached: u64,
    /// Optimiser steps that it set out to make.
    pub planned: u64,
    pub source: Source,
}

/// What a file says of how its run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnding {
    /// The word or number as written, with its key.
    pub said: String,
    pub source: Source,
}

/// The checkpoint that a file says was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    #[serde(with = "packed::number")]
    pub step: f64,
    /// Where the metric it was chosen by stands, as written:
    /// `summary.datasets.<dataset>.<metric>`.
    pub metric: Option<String>,
    /// Where the model lies, as written.
    pub model_path: Option<String>,
    pub source: Source,
}

/// What tells one of several runs in one file from the others: a column of its records, and what
/// stands in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunLabel {
    pub column: String,
    pub value: String,
}

/// What stands between a path and the labels of a run in it, and between these.
pub const LABEL_MARK: &str = "::";

impl RunLabel {
    /// The column by which runs of a directory or a database are named.
    pub const RUN: &str = "run";

    /// The labels as they stand behind a path: `::model=a::judge=b`.
    pub fn behind_path(labels: &[Self]) -> String {
        let words = |label: &Self| [LABEL_MARK, &label.column, "=", &label.value].concat();
        labels.iter().map(words).collect()
    }

    /// Whether one of the labels gives that column another value.
    pub fn contradicts(&self, labels: &[Self]) -> bool {
        labels.iter().any(|other| other.column == self.column && other.value != self.value)
    }

    /// The key of the configuration that the column stands for.
    pub fn key(column: &str) -> &str {
        if column == "model_name" { "model" } else { column }
    }

    /// Whether runs that differ in it alone repeat each other.
    pub fn is_repetition(&self) -> bool {
        Self::repeats(&self.column)
    }

    /// Whether runs that differ in that column alone repeat each other.
    pub fn repeats(column: &str) -> bool {
        matches!(
            column,
            "seed"
                | "model_seed"
                | "train_seed"
                | "training_seed"
                | "run_seed"
                | "replica"
                | "replicate"
        )
    }
}

/// The samples, figures and series of one of several runs in one file.
#[derive(Debug, Clone, Default)]
pub struct FragmentPart {
    pub labels: Vec<RunLabel>,
    pub scalars: Vec<Scalar>,
    pub series: Vec<Series>,
    pub samples: Vec<SampleTable>,
    pub config: Config,
}

/// One of the runs that a tracker keeps in one database.
#[derive(Debug, Clone, Default)]
pub struct StoredRun {
    /// By which the tracker knows it. Directories of its files are named so.
    pub id: String,
    /// As a person calls it, which no other run of the database is called.
    pub name: String,
    /// Its own name with that of its experiment, which others may have.
    pub called: String,
    pub content: Fragment,
    /// What was noticed about it alone.
    pub findings: Vec<Diagnostic>,
}

/// What one reader found in one file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Fragment {
    pub config: Config,
    /// Whether some program wrote its configuration as such. Commands, logs and results state single
    /// settings.
    pub has_whole_config: bool,
    /// Those settings of a log that its commands give.
    #[serde(skip)]
    pub commands: Config,
    /// What logs beside a configuration file print of settings otherwise than the file, or beyond it, and what
    /// may be of another program than the training: a server, an evaluation.
    #[serde(skip)]
    pub printed: Config,
    pub scalars: Vec<Scalar>,
    pub series: Vec<Series>,
    pub samples: Vec<SampleTable>,
    /// In place of samples, where an engine counted them.
    #[serde(skip)]
    pub counted: Option<CountedArm>,
    /// In place of `samples`, where the records are those of several runs.
    #[serde(skip)]
    pub parts: Vec<FragmentPart>,
    /// In place of everything else, where the file holds runs whole, as they were read once.
    #[serde(skip)]
    pub saved: Vec<Run>,
    /// In place of everything else, where the file is a database of runs.
    #[serde(skip)]
    pub stored: Vec<StoredRun>,
    /// Columns that could tell runs apart and are the same in all records.
    #[serde(skip)]
    pub constants: Vec<RunLabel>,
    /// Names of the fields at the top of sample records.
    pub sample_fields: IndexSet<String>,
    /// Meanings of metrics that the file itself declares, by canonical name, or by
    /// `dataset/name` where it declares them for one dataset. Read with [`Fragment::spec`].
    pub specs: IndexMap<String, MetricSpec>,
    pub provenance: Provenance,
    /// Versions of tasks or datasets, by name.
    pub versions: IndexMap<String, String>,
    /// Number of samples that the run itself says it has, by dataset.
    pub declared_sizes: IndexMap<String, u64>,
    /// Number of samples that the run set out to score, by dataset.
    pub planned: IndexMap<String, Planned>,
    /// Datasets that are groups of others, with their parts, as files declare them.
    pub groups: IndexMap<String, Vec<String>>,
    pub progress: Option<Progress>,
    pub selection: Option<Selection>,
    /// Where a state of the trainer says which of its checkpoints is the best.
    pub best_checkpoint: Option<Source>,
    /// Ends before the aim, as files report them: a failure, a cancellation, an exit code.
    pub endings: Vec<RunEnding>,
    /// The file ends in the middle of a record.
    pub torn: bool,
    /// Where files of samples stop in the middle of a record.
    pub torn_samples: Vec<Source>,
}

impl Fragment {
    /// The declared meaning of a metric: for the dataset, else for all.
    pub fn spec(&self, dataset: Option<&str>, metric: &str) -> Option<&MetricSpec> {
        let own = dataset.and_then(|dataset| self.specs.get(&format!("{dataset}/{metric}")));
        own.or_else(|| self.specs.get(metric))
    }
}

#[derive(Debug, Clone)]
pub struct Run {
    /// Unique in one invocation; equals the name unless two runs share it.
    pub id: String,
    /// Last component of the path.
    pub name: String,
    /// Path as given, and behind it what tells it from other runs in the same file.
    pub path: String,
    /// Where it lies, links resolved, with all of its labels: equal for one run given twice.
    pub place: String,
    /// Which of the inputs it was read from.
    pub input: usize,
    /// What tells it from other runs in the same files.
    pub labels: Vec<RunLabel>,
    /// Its name among several runs in the directory that was read.
    pub member: Option<String>,
    pub status: RunStatus,
    /// Every file seen, in path order.
    pub files: Vec<FileRecord>,
    /// Data files that the configuration names.
    pub data_files: Vec<DataFile>,
    /// Ids and questions of the files that samples were read from; only where the run names a
    /// training file they may occur in.
    pub asked: RowKeys,
    /// Everything that the readers found, merged in path order.
    pub content: Fragment,
}

impl Run {
    /// Whether a path is that of a file of the run, or of the run as a whole.
    pub fn has_at(&self, file: &FileRecord, path: &str) -> bool {
        let is_root = || {
            self.path
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        file.lies_at(path) || (file.relative == FileRecord::ROOT && is_root())
    }

    /// A run that holds nothing else, for tests.
    pub fn with_series(series: Vec<Series>) -> Self {
        let text = || "run".to_owned();
        Self {
            id: text(),
            name: text(),
            path: text(),
            place: text(),
            input: 0,
            labels: Vec::new(),
            member: None,
            status: RunStatus::Complete,
            files: Vec::new(),
            data_files: Vec::new(),
            asked: RowKeys::default(),
            content: Fragment { series, ..Fragment::default() },
        }
    }

    /// Where its files lie: its place without its labels.
    pub fn root(&self) -> &str {
        without_labels(&self.place, &self.labels)
    }

    /// The path as given, without labels.
    pub fn root_path(&self) -> &str {
        without_labels(&self.path, &self.labels)
    }

    /// What it is called among the runs of its directory: where it lies, unless a tracker has a name for it.
    pub fn called(&self) -> Option<&str> {
        let place = self.member.as_deref()?;
        let name = self.labels.iter().find(|label| label.column == RunLabel::RUN);
        let name = name.map(|label| label.value.as_str());
        Some(name.filter(|name| !place.ends_with(name)).unwrap_or(place))
    }

    /// The value of a key of the configuration, or of the first that ends in it.
    pub fn setting(&self, key: &str) -> Option<&ConfigValue> {
        let config = &self.content.config;
        let ends = |known: &str| known.strip_suffix(key).is_some_and(|above| above.ends_with('.'));
        let below = || config.iter().find(|(known, _)| ends(known)).map(|(_, entry)| entry);
        config.get(key).or_else(below).map(|entry| &entry.value)
    }

    /// Names of the readers that contributed, each once, in path order.
    pub fn readers(&self) -> Vec<&'static str> {
        let used = self.files.iter().filter_map(|file| match file.used {
            FileUse::Read { reader } => Some(reader),
            _ => None,
        });
        used.collect::<IndexSet<_>>().into_iter().collect()
    }

    /// Whether nothing that can be compared or shown was found.
    pub fn is_empty(&self) -> bool {
        let Fragment { config, scalars, series, samples, counted, .. } = &self.content;
        let has_samples = !samples.is_empty() || counted.is_some();
        config.is_empty() && scalars.is_empty() && series.is_empty() && !has_samples
    }
}

fn without_labels<'a>(path: &'a str, labels: &[RunLabel]) -> &'a str {
    path.strip_suffix(&RunLabel::behind_path(labels)).unwrap_or(path)
}
