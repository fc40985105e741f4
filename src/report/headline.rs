//! The first sentences of a report: what came out, whether it may be believed, what to do next.

use super::block::{Text, Tone};

/// What a report says first.
#[derive(Debug, Clone, PartialEq)]
pub struct Headline {
    /// How grave it is: what a format colours by. A good result that may not be believed is not good.
    pub tone: Tone,
    /// What came out.
    pub result: Text,
    /// Whether that may be believed; empty where the result says it.
    pub trust: Text,
    /// What to do next; empty where nothing follows.
    pub next: Text,
}

impl Headline {
    /// A headline whose result says all there is to say.
    pub fn new(tone: Tone, result: Text) -> Self {
        Self { tone, result, trust: Text::empty(), next: Text::empty() }
    }

    /// With a result before its own, as grave as the graver of both.
    #[must_use]
    pub fn after(self, tone: Tone, first: Text) -> Self {
        let gap = if self.result.is_empty() { "" } else { " " };
        let result = self.result.0.into_iter().fold(first.and_plain(gap), Text::and);
        Self { tone: self.tone.max(tone), result, ..self }
    }
}
