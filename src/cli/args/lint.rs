//! Arguments of `lint`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use crate::lint::RULES;
use crate::text::Lang;

pub(super) const LINT_EXAMPLES: &str = "\
Examples:
  reportgen lint report.md README.md
  reportgen lint docs                                the Markdown files of a directory
  reportgen lint docs --format sarif >lint.sarif
  reportgen lint README.md --against runs/base runs/tuned
  reportgen lint report.md --fix                     what would be mended, as a diff
  reportgen lint report.md --skip noise,stray-row

Suppress a rule for one block with a comment above it, or for a line with one at its end:
<!-- reportgen:allow RULE -->
What each rule finds: docs/lint.md

Exit status: 0 nothing found, 1 something found, 2 usage, 4 I/O error";

/// Arguments of `lint`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct LintArguments {
    /// Markdown documents, directories of them, or - for standard input
    #[arg(value_name = "DOCUMENT", required = true, num_args = 1..)]
    pub(in crate::cli) documents: Vec<PathBuf>,
    /// Apply all rules, also those that are more often wrong on documents of others
    #[arg(long, conflicts_with = "only")]
    pub(in crate::cli) all: bool,
    /// Apply only these rules; comma-separated or repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_names())]
    pub(in crate::cli) only: Vec<String>,
    /// Leave these rules out; comma-separated or repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_names(), hide_possible_values = true)]
    pub(in crate::cli) skip: Vec<String>,
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        help = "Output format: text, json, sarif, or github [default: github where GITHUB_ACTIONS=true, else text]"
    )]
    pub(in crate::cli) format: Option<LintFormat>,
    /// Runs that figures of tables are set against: each that is theirs is verified
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub(in crate::cli) against: Vec<PathBuf>,
    /// Show as a diff how the figures would be mended that have one right value
    #[arg(long)]
    pub(in crate::cli) fix: bool,
    /// With --fix: write the documents instead
    #[arg(long, requires = "fix")]
    pub(in crate::cli) write: bool,
    /// Configuration file [default: reportgen.toml in the current directory, if any]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Language of the messages [default: from reportgen.toml, else the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum LintFormat {
    Text,
    /// One object a line
    Json,
    Sarif,
    /// Annotations of a job
    Github,
}

fn rule_names() -> PossibleValuesParser {
    RULES.iter().map(|rule| rule.name).into()
}
