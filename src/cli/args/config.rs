//! Arguments of `config`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

pub(super) const CONFIG_EXAMPLES: &str = "\
Examples:
  reportgen config show --origin
  reportgen config show --preset kl-grid --format json
  reportgen config schema > reportgen.schema.json

What show prints is a reportgen.toml that says the same. A file that cannot be used is an error with its
line; a key that is not known is a warning.

Exit status: 0 done, 2 the file cannot be used, 4 it cannot be read";

/// Arguments of `config`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ConfigArguments {
    /// Action
    #[command(subcommand)]
    pub(in crate::cli) action: ConfigAction,
}

/// What to say of the configuration.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ConfigAction {
    /// Print the settings that hold: those of the file, of its preset, and the defaults
    Show {
        /// Configuration file [default: reportgen.toml in the current directory]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Shipped settings below the file
        #[arg(long, value_name = "NAME", value_parser = super::preset_name)]
        preset: Option<String>,
        /// Say behind each setting where it stands
        #[arg(long)]
        origin: bool,
        /// Output format
        #[arg(long, value_enum, default_value_t = ConfigFormat::Toml)]
        format: ConfigFormat,
    },
    /// Print the JSON schema of reportgen.toml, for editors
    Schema,
}

/// `--format` of `config show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ConfigFormat {
    /// A configuration file
    Toml,
    /// A list of objects with key, value and origin
    Json,
}
