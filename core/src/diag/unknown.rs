//! What a finding says is not known of a run.

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
