//! Arguments of `report`, and how they become those of the command that it draws.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{CommandFactory as _, Parser as _};

use super::{Arguments, Command};
use crate::render::OwnKind;

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
pub struct ReportArguments {
    /// Configuration file with [report.NAME] [default: reportgen.toml in the current directory]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Name of the report
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Arguments of the command that the report is drawn from
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub rest: Vec<OsString>,
}

/// A kind of report that the user made.
#[derive(Debug, Clone)]
pub struct Own {
    /// How it is drawn.
    pub kind: OwnKind,
    /// The template beside the configuration file, where the templates directory has none.
    pub beside: PathBuf,
}

impl ReportArguments {
    /// Takes `--config FILE` out of what follows the name.
    pub fn settle(&mut self) {
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

impl Command {
    /// Has the document of this command drawn as a kind of the user's; `None` for a command that
    /// makes no report.
    pub fn drawn_as(mut self, own: Own) -> Option<Self> {
        let place = match &mut self {
            Self::Compare(arguments) => &mut arguments.own,
            Self::Check(arguments) => &mut arguments.own,
            Self::Best(arguments) => &mut arguments.drawing.own,
            Self::Handoff(arguments) => &mut arguments.drawing.own,
            Self::Metrics(arguments) => &mut arguments.drawing.own,
            Self::Phase(arguments) => &mut arguments.compare.own,
            Self::Progress(arguments) => &mut arguments.drawing.own,
            Self::Quality(arguments) => &mut arguments.drawing.own,
            _ => return None,
        };
        *place = Some(own);
        Some(self)
    }
}

impl Command {
    /// The directory of templates of a command that makes a report, and the kind of the user's.
    pub fn templates(&self) -> Option<(&Path, Option<&Own>)> {
        let (directory, own) = match self {
            Self::Compare(arguments) => (&arguments.templates, &arguments.own),
            Self::Check(arguments) => (&arguments.templates, &arguments.own),
            Self::Best(arguments) => (&arguments.drawing.templates, &arguments.drawing.own),
            Self::Handoff(arguments) => (&arguments.drawing.templates, &arguments.drawing.own),
            Self::Metrics(arguments) => (&arguments.drawing.templates, &arguments.drawing.own),
            Self::Phase(arguments) => (&arguments.compare.templates, &arguments.compare.own),
            Self::Progress(arguments) => (&arguments.drawing.templates, &arguments.drawing.own),
            Self::Quality(arguments) => (&arguments.drawing.templates, &arguments.drawing.own),
            _ => return None,
        };
        Some((directory.as_deref()?, own.as_ref()))
    }
}

/// The commands that make a report, by their name.
pub(in crate::cli) fn sources() -> Vec<String> {
    let commands = Arguments::command();
    let draws = |command: &&clap::Command| takes(command, "templates");
    commands.get_subcommands().filter(draws).map(|one| one.get_name().to_owned()).collect()
}

/// Parses the arguments of such a command.
pub(in crate::cli) fn parsed(
    from: &str,
    config: Option<&PathBuf>,
    rest: &[OsString],
) -> Result<Arguments, clap::Error> {
    let mut words: Vec<OsString> = vec!["reportgen".into(), from.into()];
    words.extend(rest.iter().cloned());
    let commands = Arguments::command();
    let has_config = commands.find_subcommand(from).is_some_and(|one| takes(one, "config"));
    if let Some(config) = config.filter(|_| has_config) {
        words.extend(["--config".into(), config.clone().into_os_string()]);
    }
    Arguments::try_parse_from(words)
}

fn takes(command: &clap::Command, argument: &str) -> bool {
    command.get_arguments().any(|one| one.get_id() == argument)
}
