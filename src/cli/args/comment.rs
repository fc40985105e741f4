//! Arguments of reports that are posted by somebody else: comments and annotations.

use std::io::ErrorKind;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::exit::Failure;
use crate::render::{CommentOptions, CommentPolicy};
use crate::text::Refusal;

/// What is said on a pull request.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Commenting {
    /// When a comment (--format github, gitlab, gitea or plain) has a body: always, on-change of what it
    /// says, or on-alert (a regression or a closed gate, and once when it is resolved); else it is empty
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    comment: PolicyArgument,
    /// What tells this comment from others, in its first line [default: from kind and arms]
    #[arg(long, value_name = "NAME")]
    comment_name: Option<String>,
    /// Body of the earlier comment of that name, for --comment on-change and on-alert
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
    /// Print findings and gates as annotations of this forge beside the written report: github
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(in crate::cli) annotations: Option<AnnotationsArgument>,
}

/// `--comment`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum PolicyArgument {
    #[default]
    Always,
    OnChange,
    OnAlert,
}

/// `--annotations`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum AnnotationsArgument {
    Github,
}

impl Commenting {
    /// # Errors
    /// When the earlier body cannot be read.
    pub(in crate::cli) fn options(&self) -> Result<CommentOptions, Failure> {
        let read = |path: &PathBuf| {
            std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(
                |source| match source.kind() {
                    ErrorKind::NotFound => Failure::input(
                        Refusal::new("refused.no-previous")
                            .with("path", path.display().to_string()),
                    ),
                    _ => Failure::read(path, source),
                },
            )
        };
        let policy = match self.comment {
            PolicyArgument::Always => CommentPolicy::Always,
            PolicyArgument::OnChange => CommentPolicy::OnChange,
            PolicyArgument::OnAlert => CommentPolicy::OnAlert,
        };
        let previous = self.previous.as_ref().map(read).transpose()?;
        Ok(CommentOptions { name: self.comment_name.clone(), policy, previous })
    }
}
