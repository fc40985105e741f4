//! Arguments of `samples`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::analysis::Asked;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen samples runs/base runs/tuned                           the samples that changed sides
  reportgen samples runs/base runs/tuned -o samples.html           the same as a page to browse
  reportgen samples base/ tuned/ --changed worse --dataset gsm8k --show 50
  reportgen samples base/ tuned/ --where error_type=timeout --format jsonl
  reportgen samples base/ tuned/ other/                            also where three runs disagree
  reportgen samples base/ tuned/ --images -o samples.html          with the images that records name

Right → wrong comes first. The texts are read a second time, only for the samples shown; credentials
are masked. A record's fields are named as in the file; `doc.subject` reaches into objects.

Exit status: 0 done, 2 usage, 4 I/O error";

/// Arguments of `samples`.
#[derive(Debug, clap::Args)]
pub(super) struct SamplesArguments {
    /// Run directories or files, of several runs in one `FILE::COLUMN=VALUE` or `DIRECTORY::NAME`; the
    /// first is the baseline unless --baseline names another
    #[arg(value_name = "RUN", num_args = 1..)]
    pub(super) runs: Vec<PathBuf>,
    /// Baseline: one of the RUNs [default: the first]
    #[arg(long, value_name = "RUN")]
    pub(super) baseline: Option<PathBuf>,
    /// Show the runs in one file or directory: the values of this column, or of this key of the
    /// configurations, are the runs
    #[arg(long, value_name = "COLUMN")]
    pub(super) across: Option<String>,
    /// Only samples that changed this way: worse, better, any, or none for those that did not change
    #[arg(long, value_name = "WAY", value_enum)]
    pub(super) changed: Option<AskedArgument>,
    /// Only samples with a record in which this field has this value; repeatable
    #[arg(long = "where", value_name = "FIELD=VALUE")]
    pub(super) conditions: Vec<String>,
    /// Metric that says what is right [default: for each dataset the one that decides]
    #[arg(long, value_name = "METRIC")]
    pub(super) metric: Option<String>,
    /// Only samples of this dataset
    #[arg(long, value_name = "DATASET")]
    pub(super) dataset: Option<String>,
    /// Most samples shown [default: 20 as text, 200 in other formats as far as 2 MB go]
    #[arg(long, value_name = "N")]
    pub(super) show: Option<usize>,
    /// Leave out what this field holds: a field of the records, or prompt, target, answer; repeatable
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    pub(super) redact: Vec<String>,
    /// Show the images that records name by a path, in a page: files of PNG, JPEG, GIF or WebP in the run, of
    /// 256 KB at most
    #[arg(long)]
    pub(super) images: bool,
}

/// `--changed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AskedArgument {
    Worse,
    Better,
    Any,
    None,
}

impl From<AskedArgument> for Asked {
    fn from(asked: AskedArgument) -> Self {
        match asked {
            AskedArgument::Worse => Self::Worse,
            AskedArgument::Better => Self::Better,
            AskedArgument::Any => Self::Any,
            AskedArgument::None => Self::Unchanged,
        }
    }
}
