//! What is known of the answers of a table apart from their scores and texts.

use super::{AnswerMatch, SampleTable, SampleTableBuilder};

impl SampleTable {
    /// Whether the place of the answer in that row is empty or holds the message of a program, and
    /// nothing says that the model ended it so. Of several answers made one row: whether one is such.
    pub fn is_unanswered(&self, row: usize) -> bool {
        self.endings.is_unanswered(row)
    }

    pub fn has_unanswered(&self) -> bool {
        self.endings.has_unanswered()
    }

    /// What the answer of that row is beside its target; unknown of several answers made one row.
    pub fn answer_match(&self, row: usize) -> AnswerMatch {
        self.endings.answer_match(row)
    }

    pub fn has_answer_matches(&self) -> bool {
        self.endings.has_matches()
    }
}

impl SampleTableBuilder {
    /// Sets whether the row pushed last has no answer, see [`SampleTable::is_unanswered`].
    pub fn set_unanswered(&mut self, unanswered: bool) {
        self.table.endings.set_last_unanswered(self.table.len(), unanswered);
    }

    /// Sets what the answer of the row pushed last is beside its target.
    pub fn set_answer_match(&mut self, answer: AnswerMatch) {
        self.table.endings.set_last_match(self.table.len(), answer);
    }
}
