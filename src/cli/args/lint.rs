//! Arguments of `lint`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use crate::lint::RULES;
use crate::text::Lang;

pub(super) const LINT_EXAMPLES: &str = "\
Examples:
  reportgen lint report.md README.md
  reportgen lint docs/*.md --format json
  reportgen lint report.md --skip noise,stray-row

Suppress a rule for one block with a comment above it: <!-- reportgen:allow RULE -->
What each rule finds: docs/lint.md

Exit status: 0 nothing found, 1 something found, 2 usage, 4 I/O error";

/// Arguments of `lint`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct LintArguments {
    /// Markdown documents
    #[arg(value_name = "DOCUMENT", required = true, num_args = 1..)]
    pub(in crate::cli) documents: Vec<PathBuf>,
    /// Apply only these rules; comma-separated or repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_names())]
    pub(in crate::cli) only: Vec<String>,
    /// Leave these rules out; comma-separated or repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_names(), hide_possible_values = true)]
    pub(in crate::cli) skip: Vec<String>,
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        help = "Output format: text or json"
    )]
    pub(in crate::cli) format: LintFormat,
    /// Language of the messages [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum LintFormat {
    #[default]
    Text,
    /// One object a line
    Json,
}

fn rule_names() -> PossibleValuesParser {
    RULES.iter().map(|rule| rule.name).into()
}
