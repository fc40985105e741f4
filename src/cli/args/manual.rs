//! Arguments of `completions` and `man`.

use std::path::PathBuf;

use clap_complete::Shell;

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  reportgen completions bash > ~/.local/share/bash-completion/completions/reportgen
  reportgen completions zsh > ~/.zfunc/_reportgen
  reportgen completions fish > ~/.config/fish/completions/reportgen.fish";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  reportgen man | man -l -
  reportgen man -o ~/.local/share/man/man1";

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CompletionsArguments {
    /// Shell
    #[arg(value_name = "SHELL")]
    pub(in crate::cli) shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ManArguments {
    /// Directory for one page for each command, created if needed
    #[arg(short, long, value_name = "DIR")]
    pub(in crate::cli) output: Option<PathBuf>,
}
