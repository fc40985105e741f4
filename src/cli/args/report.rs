//! Arguments of `report`.

use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  reportgen report brief runs/base runs/tuned --lang zh
  reportgen report gate runs/sft/global_step_1000/huggingface -o out --format md,html

Declare the report in reportgen.toml, or the file given to --config:

  [report.brief]
  from = \"compare\"             # the command that provides the data
  template = \"brief.md.j2\"     # in the --templates directory, or next to reportgen.toml
  title = \"Nightly brief\"

Arguments after NAME go to that command. The template renders Markdown and HTML; JSON and CSV are
those of the command. To start from the shipped templates, run `reportgen templates export DIR`.

Exit status: that of the command";

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ReportArguments {
    /// Configuration file with [report.NAME] [default: reportgen.toml in the current directory]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Name of the report
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: String,
    /// Arguments for the command that provides the data
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(in crate::cli) rest: Vec<OsString>,
}

impl ReportArguments {
    /// Takes `--config FILE` out of what follows the name.
    pub(in crate::cli) fn take_config(&mut self) {
        let Some(at) = self
            .rest
            .iter()
            .position(|word| word == "--config" || word.to_string_lossy().starts_with("--config="))
        else {
            return;
        };
        let word = self.rest.remove(at);
        let joined = word.to_str().and_then(|word| word.strip_prefix("--config="));
        self.config = match joined {
            Some(path) => Some(PathBuf::from(path)),
            None if at < self.rest.len() => Some(PathBuf::from(self.rest.remove(at))),
            None => None,
        };
    }
}
