//! Arguments of `report`.

use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  reportgen report brief runs/base runs/tuned --lang zh
  reportgen report gate runs/sft/global_step_1000/huggingface -o out --format md,html

reportgen.toml, or the file after --config, declares the report:

  [report.brief]
  from = \"compare\"             # the command whose data it shows
  template = \"brief.md.j2\"     # in the directory after --templates, or beside reportgen.toml
  title = \"Nightly brief\"

What follows NAME goes to that command. Markdown and HTML are drawn by the template; JSON and CSV
are those of the command. `reportgen templates export DIR` gives templates to start from.

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
    /// Arguments of the command that the report is drawn from
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
