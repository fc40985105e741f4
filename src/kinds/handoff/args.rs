//! Arguments of `handoff`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen handoff runs/sft/global_step_1000/huggingface
  reportgen handoff model --scan --format json | jq -r '.checks[] | [.check, .outcome] | @tsv'

Reads config.json, the tokenizer and the headers of the weights; loads nothing, needs no GPU.

Exit status: 0 files complete; 1 incomplete or inconsistent; 2 usage; 4 unreadable directory";

/// Arguments of `handoff`.
#[derive(Debug, clap::Args)]
pub(super) struct HandoffArguments {
    /// Directory with config.json, tokenizer and weights
    #[arg(value_name = "MODEL_DIR")]
    pub(super) model: PathBuf,
    /// Also scan the weight values for NaN, infinity and all-zero tensors
    #[arg(long)]
    pub(super) scan: bool,
}
