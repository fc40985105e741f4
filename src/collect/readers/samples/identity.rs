//! Whether a record is a sample, and which.

use std::fmt::Write as _;

use super::super::sample_ids;
use super::field::Fields;
use super::names::FURTHER_PROMPTS;
use super::ranked::HashOrigin;
use super::record::Record;
use crate::model::ContentHashes;

impl Record {
    /// Gives an answered record without any id its question as one, in files of which no record has an
    /// id. At a step it is a rollout.
    pub(super) fn identify(&mut self, fields: &Fields) {
        let is_asked = self.prompt.filled_by < Some(HashOrigin::Field(FURTHER_PROMPTS));
        let is_answered = self.response.filled_by.or(self.target.filled_by).is_some();
        let is_anonymous = self.id.filled_by.is_none() && !fields.names_ids();
        let asked = self.question.or(self.prompt.value).filter(|_| is_asked && is_answered);
        if let Some(asked) = asked.filter(|_| is_anonymous && self.at.step.is_none())
            && let Some(id) = self.id.claim(sample_ids::QUESTION)
        {
            id.clear();
            let _written = write!(id, "{asked:016x}");
        }
    }

    /// Whether this is a scored sample rather than a point of a series or a table of results.
    pub(crate) fn is_sample(&self, fields: &Fields) -> bool {
        let Some(rank) = self.id.filled_by else { return false };
        let is_known = |(id, _)| fields.metric(id).is_some_and(|metric| metric.known);
        if rank == sample_ids::QUESTION && !self.scores.iter().any(is_known) {
            return false;
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
