//! How often something was seen in the lines of a file, and where first.

use crate::diag::{Code, Diagnostic, Location};

/// How many lines something was seen in. Lines count within the part of the file that is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LineOccurrences {
    pub(super) count: u64,
    /// The first line, counted from 1; of no meaning without one.
    pub(super) first: u64,
}

impl LineOccurrences {
    pub(super) fn note(&mut self, line: u64) {
        self.append(Self { count: 1, first: line }, 0);
    }

    /// Adds those of the next part, before which there are so many lines.
    pub(super) fn append(&mut self, next: Self, lines: u64) {
        if self.count == 0 && next.count > 0 {
            self.first = next.first + lines;
        }
        self.count += next.count;
    }

    pub(super) fn finding(self, code: Code, path: &str) -> Option<Diagnostic> {
        let finding = || Diagnostic::new(code).with("count", self.count);
        (self.count > 0).then(|| finding().at(Location::line(path, self.first)))
    }
}
