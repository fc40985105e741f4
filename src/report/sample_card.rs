//! Samples with what was asked and what each run answered, beside each other.

use std::sync::Arc;

use serde::Serialize;

use super::word_diff::DiffPart;

/// One sample as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleCard {
    /// Its place among those shown, counted from 1.
    pub number: usize,
    /// What became of it: a name for programs and for colours, and one for people.
    pub class: &'static str,
    pub class_title: String,
    pub id: String,
    pub dataset: String,
    /// How the answer of a candidate ended, where it did not end as it should; else empty.
    pub ending: String,
    /// The beginning of an answer that candidates gave to several of the samples shown; else empty.
    pub alike: String,
    /// Coordinates, and what else is known of the sample as a whole.
    pub notes: Vec<String>,
    /// Prompt and target.
    pub asked: Vec<CardText>,
    /// Images that every record of the sample names. A page alone shows images.
    #[serde(skip)]
    pub images: Vec<CardImage>,
    pub answers: Vec<CardAnswer>,
}

/// An image, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardImage {
    /// The field that names it.
    pub field: String,
    /// The name of its file.
    pub name: String,
    /// Its media type.
    pub media: &'static str,
    pub bytes: Arc<[u8]>,
}

/// A text with the words marked that another one does not have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CardText {
    /// `prompt`, `target`, `answer` or `extracted`.
    pub meaning: &'static str,
    pub label: String,
    pub parts: Vec<DiffPart>,
    /// How much was left out of it.
    pub cut: Option<String>,
}

/// What one run has of a sample.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CardAnswer {
    pub run: String,
    pub is_baseline: bool,
    pub is_right: Option<bool>,
    /// Scores, how it ended, tokens.
    pub facts: Vec<String>,
    /// What it wrote, and what was taken from that.
    pub texts: Vec<CardText>,
    /// Images that its record names and another does not.
    #[serde(skip)]
    pub images: Vec<CardImage>,
    /// `path:line`; empty where there is no record.
    pub source: String,
}

impl CardText {
    /// The text as it is, without marks.
    pub fn plain(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// The text in pieces, and whether each is marked. Marks begin and end at words: spaces around them
    /// and line ends stand outside.
    pub fn pieces(&self) -> Vec<(&str, bool)> {
        let mut found = Vec::new();
        for part in &self.parts {
            let lines = part.text.split_inclusive('\n');
            let pieces = lines.filter(|_| part.is_own).flat_map(|line| {
                let behind = line.trim_end().len();
                let before = line.len() - line.trim_start().len();
                let (line, end) = line.split_at(behind.max(before));
                let (start, words) = line.split_at(before);
                [(start, false), (words, true), (end, false)]
            });
            found.extend(pieces);
            found.extend((!part.is_own).then_some((&*part.text, false)));
        }
        found.retain(|(text, _)| !text.is_empty());
        found
    }

    /// The text with marks that need no colours: `[-words-]` of the baseline and `{+words+}` of the
    /// others, as `git diff --word-diff` writes them.
    pub fn marked(&self, is_baseline: bool) -> String {
        let [open, close] = if is_baseline { ["[-", "-]"] } else { ["{+", "+}"] };
        let pieces = self.pieces().into_iter();
        let piece = |(text, is_own)| {
            if is_own { format!("{open}{text}{close}") } else { str::to_owned(text) }
        };
        pieces.map(piece).collect()
    }

    pub fn has_marks(&self) -> bool {
        self.parts.iter().any(|part| part.is_own)
    }
}
