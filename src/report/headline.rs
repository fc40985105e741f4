//! The first sentences of a report: what came out, whether it may be believed, what to do next.

use super::block::{Text, Tone};
use crate::text::Catalogue;

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

    /// With whether it may be believed.
    #[must_use]
    pub fn trusted(self, trust: Text) -> Self {
        Self { trust, ..self }
    }

    /// With what to do next, where something follows.
    #[must_use]
    pub fn followed_by(self, step: Option<String>, words: &Catalogue) -> Self {
        let next = step.map_or_else(Text::empty, |step| {
            Text::strong(words.get("next.title")).and_plain(words.get("punctuation.colon") + &step)
        });
        Self { next, ..self }
    }
}
