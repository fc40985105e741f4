//! How often something was seen in the lines of a file, and where first. However often, the findings
//! about it are few.

use crate::diag::{Code, Diagnostic, Fact, Location};

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

/// Faults of one kind in a file that get a finding each; the rest share one.
const SHOWN: usize = 5;

/// Faults of one kind in a file, of which the first are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FewFaults<T> {
    first: Vec<T>,
    count: u64,
}

impl<T> Default for FewFaults<T> {
    fn default() -> Self {
        Self { first: Vec::new(), count: 0 }
    }
}

impl<T> FewFaults<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn note(&mut self, fault: impl FnOnce() -> T) {
        self.count += 1;
        // One more than is shown tells where the rest begins.
        if self.first.len() <= SHOWN {
            self.first.push(fault());
        }
    }

    /// Adds those of the next part.
    pub(super) fn append(&mut self, next: Self) {
        let space = (SHOWN + 1).saturating_sub(self.first.len());
        self.first.extend(next.first.into_iter().take(space));
        self.count += next.count;
    }

    /// The finding about each of the first, and one about the rest, which begin with its fault.
    pub(super) fn findings(
        self,
        finding: impl Fn(T, u64) -> Diagnostic,
    ) -> impl Iterator<Item = Diagnostic> {
        let rest = self.count.saturating_sub(SHOWN as u64);
        let counts = std::iter::repeat_n(1, SHOWN).chain([rest]);
        self.first.into_iter().zip(counts).map(move |(fault, count)| finding(fault, count))
    }

    pub(super) fn first(&self) -> &[T] {
        &self.first
    }

    pub(super) fn map<U>(self, change: impl FnMut(T) -> U) -> FewFaults<U> {
        FewFaults { first: self.first.into_iter().map(change).collect(), count: self.count }
    }
}

impl FewFaults<Diagnostic> {
    /// The findings, of which the one about the rest says in that fact how many more there are.
    pub(super) fn told_in(self, fact: &'static str) -> impl Iterator<Item = Diagnostic> {
        self.findings(move |finding, count| {
            let first = finding.evidence.get(fact).cloned();
            match first.filter(|_| count > 1) {
                Some(first) => {
                    finding.with(fact, Fact::List(vec![first, Fact::More { more: count - 1 }]))
                }
                None => finding,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_faults_there_are_the_findings_are_few_and_count_them_all() {
        for (faults, expected) in [
            (0, &[][..]),
            (1, &[(0, 1)]),
            (5, &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]),
            (6, &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]),
            (1000, &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 995)]),
        ] {
            let mut whole = FewFaults::default();
            let mut later = FewFaults::default();
            for line in 0..faults {
                if line < 3 { &mut whole } else { &mut later }.note(|| line);
            }
            whole.append(later);
            let finding = |line: u64, count: u64| {
                let found = Diagnostic::new(Code::BadRecord).with("count", count);
                found.at(Location::line("x", line))
            };
            let wanted: Vec<Diagnostic> = expected.iter().map(|&(at, n)| finding(at, n)).collect();
            assert_eq!(whole.findings(finding).collect::<Vec<_>>(), wanted);
        }
    }
}
