//! Arguments of `fill`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Reading;
use crate::fill::Only;
use crate::text::Lang;

pub(super) const FILL_EXAMPLES: &str = "\
Examples:
  reportgen fill report.md runs/base runs/tuned               shows what would be written
  reportgen fill report.md 'KL=0.15=runs/a' 'KL=0.12=runs/b' --write
  reportgen fill report.md runs/base runs/tuned --check       for CI
  reportgen fill plan.md --new compare base tuned --metric accuracy --dataset gsm8k --grid shot=0,1,4

A cell that holds nothing but ? is filled where headings, the head of its column and the names of its
row say of which result it is; all else stays as it is, byte for byte. Say it yourself in a comment
above the table: <!-- reportgen:bind run=tuned epoch=1 metric=accuracy -->
Parts of the report of compare go between <!-- reportgen:begin results --> and <!-- reportgen:end -->
The first RUN is the baseline of the verdicts. See docs/fill.md

Exit status: 0 done, 1 with --check: a figure contradicts the runs, 2 usage, 3 with --check: cells are
left to fill, 4 I/O error";

/// Arguments of `fill`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct FillArguments {
    /// Markdown document
    #[arg(value_name = "DOCUMENT")]
    pub(in crate::cli) document: PathBuf,
    /// Runs whose results are filled in; NAME=PATH where the document calls one by another name
    #[arg(value_name = "RUN", required_unless_present = "new", num_args = 1..)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) planned: Planned,
    #[command(flatten)]
    pub(in crate::cli) mode: FillMode,
    /// Show each change and ask whether it is wanted, then write those that are; answers are y, n,
    /// a (this one and all that follow) and q (none that follow)
    #[arg(long, short, conflicts_with_all = ["write", "check", "diff", "new"])]
    pub(in crate::cli) interactive: bool,
    /// Say of every cell why it is left
    #[arg(long)]
    pub(in crate::cli) explain: bool,
    #[command(flatten)]
    pub(in crate::cli) extent: FillExtent,
    /// Fill only figures of the runs, or only what is computed of them
    #[arg(long, value_enum)]
    pub(in crate::cli) only: Option<OnlyArgument>,
    /// Fill only below headings with these words
    #[arg(long, value_name = "WORDS")]
    pub(in crate::cli) section: Option<String>,
    /// Configuration key that is meant to differ; comma-separated or repeated
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    pub(in crate::cli) vary: Vec<String>,
    /// Configuration file [default: reportgen.toml in the current directory, if any]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Language of what is printed; verdicts are in that of the document [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}

impl FillArguments {
    /// Whether the document is written.
    pub(in crate::cli) fn writes(&self) -> bool {
        self.mode.write || self.interactive
    }
}

/// A document that does not exist yet.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A new document")]
pub(in crate::cli) struct Planned {
    /// Write a document with ? for the results of runs that are planned, to be filled later. RUN may be
    /// the name of a run that is not there yet; the results of those that are there are planned for all.
    /// Without RUN, the arms of reportgen.toml
    #[arg(long, value_enum, value_name = "KIND",
          conflicts_with_all = ["check", "diff", "explain", "partial", "refresh", "adopt_orphans", "only", "section"])]
    pub(in crate::cli) new: Option<NewArgument>,
    /// Metric of the results that are planned; comma-separated or repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "new")]
    pub(in crate::cli) metric: Vec<String>,
    /// Dataset of the results that are planned; comma-separated or repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "new")]
    pub(in crate::cli) dataset: Vec<String>,
    /// Coordinate of the results that are planned, and its values; repeatable
    #[arg(long, value_name = "AXIS=VALUE,…", requires = "new")]
    pub(in crate::cli) grid: Vec<String>,
}

/// How a new document is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum NewArgument {
    /// A table for each metric, runs side by side
    Compare,
    /// Two phases side by side, metrics below each other
    Phase,
    /// Checkpoints below each other, metrics side by side
    Progress,
}

/// What is done with what could be filled.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct FillMode {
    /// Write the document, instead of showing what would change
    #[arg(long, conflicts_with_all = ["check", "diff"])]
    pub(in crate::cli) write: bool,
    /// Write nothing, and end with status 3 while cells are left to fill, 1 if figures contradict the
    /// runs
    #[arg(long)]
    pub(in crate::cli) check: bool,
    /// Print the unified diff alone
    #[arg(long)]
    pub(in crate::cli) diff: bool,
}

/// What is filled beside cells that are clear and whole.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct FillExtent {
    /// Fill means, extremes and counts that are over a part of their results, with how many these are
    #[arg(long)]
    pub(in crate::cli) partial: bool,
    /// Replace figures and differences that contradict the runs, and what was edited in regions
    #[arg(long)]
    pub(in crate::cli) refresh: bool,
    /// Take rows that stand outside of a table for rows of the one that their figures fit
    #[arg(long)]
    pub(in crate::cli) adopt_orphans: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum OnlyArgument {
    Raw,
    Derived,
}

impl From<OnlyArgument> for Only {
    fn from(asked: OnlyArgument) -> Self {
        match asked {
            OnlyArgument::Raw => Self::Raw,
            OnlyArgument::Derived => Self::Derived,
        }
    }
}
