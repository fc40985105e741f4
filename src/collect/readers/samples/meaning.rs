//! What a field of a record can mean.

use super::super::sample_ids;

/// The three contents of a sample that are hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Prompt,
    Target,
    Document,
}

/// A number in `scores`, `metrics` or at top level, see `Fields::metric`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScoreId(pub(crate) u16);

/// What a field means. The number is the rank of its name: of several fields of one meaning that
/// of the lowest rank counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Id(u8),
    Dataset(u8),
    /// The answer filter of lm-eval.
    Filter,
    /// `metrics`: names of the scores (lm-eval) or the scores themselves.
    Metrics,
    /// An object of scores.
    Scores,
    /// An object of further coordinates.
    Extra,
    Score(ScoreId),
    /// A hash the producer wrote.
    Hash(Content),
    Content(Content, u8),
    /// What the model wrote.
    Response(u8),
    /// What was extracted from it as the answer.
    Answer,
    ErrorType,
    Error,
    Status,
    Truncated,
    FinishReason,
    /// How often the answer was asked for: counted so that the first time is `first`.
    Attempts {
        first: u16,
    },
    Step,
    Epoch,
    Seed,
    Shot,
    Split,
    Checkpoint,
    Model(u8),
    Ignored,
}

impl Field {
    /// Whether it is an id in any company.
    pub(crate) fn is_strong_id(self) -> bool {
        matches!(self, Self::Id(rank) if sample_ids::is_strong(rank))
    }

    /// Whether its whole value is what several records may share, and no content of theirs.
    pub(super) fn is_shared_whole(self) -> bool {
        let is_answer = matches!(self, Self::Content(Content::Target, _));
        is_answer || matches!(self, Self::Id(_) | Self::Score(_) | Self::Attempts { .. })
    }

    /// Whether it says where in a grid the record stands, wherever it is written.
    pub(super) fn is_coordinate(self) -> bool {
        let counted = matches!(self, Self::Step | Self::Epoch | Self::Seed | Self::Shot);
        counted || matches!(self, Self::Split | Self::Checkpoint)
    }
}

/// The meaning of a name, which probably stands where it stood before.
pub(super) fn remembered(fields: &[(String, Field)], position: usize, name: &str) -> Option<Field> {
    let is_it = |(known, _): &&(String, Field)| known == name;
    fields
        .get(position)
        .filter(is_it)
        .or_else(|| fields.iter().find(is_it))
        .map(|(_, field)| *field)
}
