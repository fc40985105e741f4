//! The first sentences of a report: the result, whether it can be trusted, what to do next.

use super::block::{Text, Tone};
use crate::text::Catalogue;

/// The first sentences of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Headline {
    /// How serious the result is, for colours. A good result that cannot be trusted is not good.
    pub tone: Tone,
    /// The result.
    pub result: Text,
    /// Whether the result can be trusted; empty if the result itself says so.
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
        let next = step.map_or_else(Text::empty, |step| Self::step(&step, words));
        Self { next, ..self }
    }

    /// What to do next, behind the word for it.
    pub fn step(step: &str, words: &Catalogue) -> Text {
        Text::strong(words.get("next.title")).and_quoting(&(words.get("punctuation.colon") + step))
    }
}
