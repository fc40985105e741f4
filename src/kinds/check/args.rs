//! Arguments of `check`.

use clap::ValueEnum;

use crate::kinds::arms::ArmsArguments;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen check runs/kl-0.15 runs/kl-0.12 --vary kl_beta && ./start_eval.sh
  reportgen check base/config.yaml tuned/config.yaml
  reportgen check base/ tuned/ --fail-on warning -o out/ --format md,json

Runs only the comparability checks of `reportgen compare`: configurations, data files, samples if
any, and reader findings. It compares no results, so a run may not have any yet. To look at a single
run, use `reportgen inspect RUN`.

Scripts can rely on the exit status: it is 3 if runs are confounded or not comparable, whatever
--fail-on says, unless --report-only is given. fail_on in reportgen.toml is for compare only.

Exit status: 0 comparable as declared, 1 warnings found with --fail-on warning, 2 usage,
3 confounded or not comparable, 4 I/O error";

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArguments {
    /// What is compared with what.
    #[command(flatten)]
    pub(super) arms: ArmsArguments,
    /// Also exit with 1 on any warning; a mismatch always exits with 3
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_enum)]
    pub(super) fail_on: Vec<CheckRule>,
    /// Exit with 0 whatever the findings
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
