//! What was asked, beside the prompt: the bare question, the options, and how sure the right answer is.

use super::{ContentHash, SampleTable, SampleTableBuilder, sparse};

impl SampleTable {
    /// The hash of the bare question in that row, where a prompt stands beside it.
    pub fn question(&self, row: usize) -> Option<ContentHash> {
        self.questions.get(row).copied().flatten()
    }

    /// Whether bare questions stand beside prompts.
    pub fn has_questions(&self) -> bool {
        !self.questions.is_empty()
    }

    /// The hash of the options in that row, where a field of their own lists them.
    pub fn options(&self, row: usize) -> Option<ContentHash> {
        self.options.get(row).copied().flatten()
    }

    /// Whether the right answer may be one of the model.
    pub fn guesses_targets(&self) -> bool {
        self.guesses_targets
    }
}

impl SampleTableBuilder {
    /// Sets the hash of the question of the row pushed last, where a prompt stands beside it.
    pub fn set_question(&mut self, question: Option<ContentHash>) {
        sparse::set_last(&mut self.table.questions, self.table.ids.len(), question);
    }

    /// Sets the hash of the options of the row pushed last.
    pub fn set_options(&mut self, options: Option<ContentHash>) {
        sparse::set_last(&mut self.table.options, self.table.ids.len(), options);
    }

    /// Notes whether the target of a row was only guessed.
    pub fn note_guessed_target(&mut self, is_guessed: bool) {
        self.table.guesses_targets |= is_guessed;
    }
}
