//! What a finding says is not known of a run.

use super::Code;

/// What of a run is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// A part of a file, which may hold anything.
    Part,
    /// Scores that are there and that nobody could read.
    Scores,
    /// Which of two figures for one thing holds.
    Figure,
    /// Which of two values of one setting holds.
    Setting,
}

impl Code {
    /// Whether it says that a run is incomplete, so that nothing which it is part of can pass.
    pub const fn means_incomplete(self) -> bool {
        matches!(
            self,
            Self::NoOverlap
                | Self::Incomplete
                | Self::ScoresMissing
                | Self::AnswersLost
                | Self::StoppedEarly
                | Self::EndedBadly
                | Self::SizesFarApart
                | Self::DiedMidway
        )
    }

    /// What of a run is not known while the finding stands; `None` where nothing was left out
    /// or had to be chosen.
    pub const fn leaves_unknown(self) -> Option<Unknown> {
        match self {
            Self::BadRecord | Self::TornTail | Self::LineTooLong => Some(Unknown::Part),
            Self::NoScores | Self::EmptyFile => Some(Unknown::Scores),
            Self::ConflictingFigures
            | Self::RivalNames
            | Self::AggregateDisagrees
            | Self::AggregateOutOfRange => Some(Unknown::Figure),
            Self::SeveralConfigs | Self::DuplicateKey => Some(Unknown::Setting),
            _ => None,
        }
    }
}
