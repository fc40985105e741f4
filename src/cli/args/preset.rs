//! Arguments of `preset`.

pub(super) const PRESET_EXAMPLES: &str = "\
Examples:
  reportgen preset
  reportgen progress runs/grpo --preset grpo-progress
  reportgen preset code-eval > reportgen.toml

A configuration file names a preset with preset = \"NAME\" and lies over it: tables key by key, lists
of rules by their names.

Exit status: 0 done, 2 there is no such preset";

/// Arguments of `preset`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct PresetArguments {
    /// Preset to print [default: list all]
    #[arg(value_name = "NAME", value_parser = super::preset_name)]
    pub(in crate::cli) name: Option<String>,
}
