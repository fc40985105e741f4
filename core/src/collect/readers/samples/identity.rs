//! Whether a record is a sample, and which.

use std::fmt::Write as _;

use super::super::sample_ids;
use super::field::{FieldMeaning, Fields};
use super::names::WEAK_TARGETS;
use super::ranked::HashOrigin;
use super::record::Record;
use super::value::{RecordScore, RecordValue, hash_of};
use crate::model::{ContentHash, ContentHashes, SampleTableBuilder};

/// Rank of the first name of a prompt that is a passage rather than a question.
const FIRST_PASSAGE: u8 = 15;

impl Record {
    /// Takes a text that tells the question from others, in files without ids, and what the answer is chosen
    /// from.
    pub(super) fn note_asked(
        &mut self,
        meaning: FieldMeaning,
        value: RecordValue<'_>,
        fields: &Fields,
    ) {
        let is_id = !fields.names_ids();
        if !meaning.tells_apart || !(is_id || meaning.lists_options) {
            return;
        }
        let hash = match value {
            // Of an interface of chats they are answers.
            RecordValue::Composite(list) if meaning.failing.is_some() && list.contains('{') => None,
            RecordValue::Composite(list) => Some(ContentHashes::hash_bytes(list.as_bytes())),
            RecordValue::Text(_) | RecordValue::Quoted(_) => hash_of(value),
            _ => None,
        };
        if meaning.lists_options {
            self.options = hash.or(self.options);
        }
        if !is_id {
            return;
        }
        self.asked_with = self.asked_with.wrapping_add(hash.map_or(0, ContentHash::get));
    }

    /// Gives a record without any id its question as one, with all that was asked beside it, in files of
    /// which no record has an id. At a step it is a rollout.
    pub(super) fn identify(&mut self, fields: &Fields) {
        let is_asked = self.prompt.filled_by < Some(HashOrigin::Field(FIRST_PASSAGE));
        let has_question = is_asked && (self.prompt.value.is_some() || self.question.is_some());
        let is_anonymous = self.id.filled_by.is_none() && !fields.names_ids();
        if has_question
            && is_anonymous
            && self.at.step.is_none()
            && let Some(id) = self.id.claim(sample_ids::QUESTION)
        {
            id.clear();
            let _written = write!(id, "{:016x}", self.asked_with);
        }
    }

    /// Sets what was asked beside the prompt for the row pushed last.
    pub(super) fn tell_what_was_asked(&self, rows: &mut SampleTableBuilder) {
        rows.set_question(self.question);
        rows.set_options(self.options);
        let is_sure = self.sure(&self.target, WEAK_TARGETS).is_some();
        let is_guessed = self.claims.is_predicted() && self.target.value.is_some() && !is_sure;
        rows.note_guessed_target(is_guessed);
    }

    /// Whether this is a scored sample rather than a point of a series or a table of results.
    pub(crate) fn is_sample(&self, fields: &Fields) -> bool {
        let Some(rank) = self.id.filled_by else { return false };
        if rank == sample_ids::QUESTION {
            // Without an answer a figure of a question may be of many.
            let is_answered = self.response.filled_by.or(self.target.filled_by).is_some();
            let is_mark = |score| matches!(score, RecordScore::Finite(0.0 | 1.0));
            return self.scores.iter().any(|(id, score)| {
                let is_known = fields.metric(id).is_some_and(|metric| metric.known);
                is_known && (is_answered || is_mark(score))
            });
        }
        let strong = sample_ids::is_strong(rank);
        let has_content = self.hashes() != ContentHashes::default();
        // The index of a data frame numbers whatever the rows are.
        if rank == sample_ids::UNNAMED && !has_content {
            return false;
        }
        (self.has_score(fields) || self.has_failed_metric(fields))
            && (strong || has_content || self.at.step.is_none())
    }
}
