//! Arguments of `check`.

use clap::ValueEnum;

use crate::kinds::arms::ArmsArguments;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen check runs/kl-0.15 runs/kl-0.12 --vary kl_beta && ./start_eval.sh
  reportgen check base/config.yaml tuned/config.yaml
  reportgen check base/ tuned/ --fail-on warning -o out/ --format md,json

The comparability part of `reportgen compare` alone: configurations, data files, samples where
there are any, and what was noticed while reading. No figure is compared and no statistic
computed. Results that a run has not yet are no finding. `reportgen inspect RUN` looks at one run
by itself.

The exit status is the answer, so that a script can wait for it: 3 when runs are confounded or
not comparable, whatever --fail-on says; --report-only ends with 0 then. fail_on of reportgen.toml
is for compare and not used here.

Exit status: 0 comparable as declared, 1 --fail-on warning found one, 2 usage, 3 confounded or not
comparable, 4 input or output failed";

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArguments {
    /// What is compared with what.
    #[command(flatten)]
    pub(super) arms: ArmsArguments,
    /// Exit with 1 on any warning too; a mismatch always ends with 3
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_enum)]
    pub(super) fail_on: Vec<CheckRule>,
    /// Exit with 0 whatever is found
    #[arg(long, conflicts_with = "fail_on")]
    pub(super) report_only: bool,
}

/// `--fail-on` of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckRule {
    /// Runs are confounded or not comparable; always on
    Mismatch,
    /// Any finding of severity warning or error
    Warning,
}
